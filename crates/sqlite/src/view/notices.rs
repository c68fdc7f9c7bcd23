//! What settings and notices ask.

use super::{Answer, View};
use crate::tables::{listing, settings};
use ozbrain_core::ports::{NoticeRecords, TellingSoFar};
use ozbrain_core::words::{BrainKey, EventId, Opened, Settings, Timestamp, UnitId};

impl NoticeRecords for View<'_> {
    fn settings(&self) -> Answer<Settings> {
        self.ask(settings::get)
    }

    fn telling(&self) -> Answer<TellingSoFar> {
        self.ask(settings::telling)
    }

    fn opened_after(&self, brain: BrainKey, after: EventId) -> Answer<Vec<Opened>> {
        self.ask(|it| settings::opened_after(it, brain, after))
    }

    fn became_stale(
        &self,
        brains: &[BrainKey],
        after: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Answer<(Vec<UnitId>, u32)> {
        self.ask(|it| {
            let mut stale = Vec::new();
            for &brain in brains {
                stale.extend(listing::became_stale(it, brain, after, until)?);
            }
            let total = u32::try_from(stale.len()).unwrap_or(u32::MAX);
            stale.sort_unstable_by(|a, b| b.cmp(a));
            let latest = stale.into_iter().take(limit);
            let ids = latest.map(|(_, key)| listing::id(it, key));
            Ok((ids.collect::<Result<_, _>>()?, total))
        })
    }
}
