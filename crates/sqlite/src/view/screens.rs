//! What the screens ask.

use super::{Answer, View};
use crate::aged::{self, AgedUnit};
use crate::tables::{events, listing, lost_clients, meta, undecided};
use ozbrain_core::ports::{
    AgingRead, Candidate, Happened, Listed, Listing, Narrow, Reads, ScreenRecords,
};
use ozbrain_core::shapes::Need;
use ozbrain_core::words::{Act, BrainKey, ConnectionName, Event, EventId, Timestamp, UnitId};
use std::cmp::Reverse;

impl ScreenRecords for View<'_> {
    fn wrote_at(&self) -> Answer<Option<Timestamp>> {
        self.ask(meta::beaten)
    }

    fn list(
        &self,
        brains: &[BrainKey],
        listing: Listing<'_>,
        offset: usize,
        limit: usize,
    ) -> Answer<(Vec<Listed>, u32)> {
        self.ask(|it| {
            let (keys, total) = listing::page(it, brains, listing, offset, limit)?;
            let page = keys.into_iter().map(|key| listing::get(it, key));
            Ok((page.collect::<Result<_, _>>()?, total))
        })
    }

    fn listed(&self, brains: &[BrainKey], id: &UnitId) -> Answer<Option<Listed>> {
        self.ask(|it| match listing::key(it, brains, id)? {
            Some(key) => Ok(Some(listing::get(it, key)?)),
            None => Ok(None),
        })
    }

    fn retired(&self, brain: BrainKey) -> Answer<u32> {
        self.ask(|it| listing::retired(it, brain))
    }

    fn by_beginning(
        &self,
        brains: &[BrainKey],
        terms: &[String],
        beginning: &str,
        narrow: Narrow<'_>,
        limit: usize,
    ) -> Answer<Vec<Candidate>> {
        self.best(brains, terms, Some(beginning), narrow, limit)
    }

    fn conflicts(
        &self,
        brains: &[BrainKey],
        offset: usize,
        limit: usize,
    ) -> Answer<(Vec<UnitId>, u32)> {
        let conflicted = Listing {
            needs: Some(Need::Conflicted),
            ..Listing::default()
        };
        self.ask(|it| {
            let (keys, total) = listing::page(it, brains, conflicted, offset, limit)?;
            let ids = keys.into_iter().map(|key| listing::id(it, key));
            Ok((ids.collect::<Result<_, _>>()?, total))
        })
    }

    fn aging(
        &self,
        brains: &[BrainKey],
        now: Timestamp,
        without: &[UnitId],
        offset: usize,
        limit: usize,
    ) -> Answer<Vec<UnitId>> {
        self.ask(|it| {
            let mut keys = Vec::new();
            for id in without {
                keys.extend(listing::key(it, brains, id)?);
            }
            let mut oldest = Vec::new();
            for &brain in brains {
                oldest.extend(listing::aging(it, brain, now, &keys, offset + limit)?);
            }
            oldest.sort_unstable();
            let page = oldest.into_iter().skip(offset).take(limit);
            page.map(|(_, key)| listing::id(it, key)).collect()
        })
    }

    fn aging_count(&self, brains: &[BrainKey], now: Timestamp) -> Answer<u32> {
        self.ask(|it| {
            let mut all = 0_u32;
            for &brain in brains {
                all = all.saturating_add(listing::aging_count(it, brain, now)?);
            }
            Ok(all)
        })
    }

    fn aging_read(&self, brains: &[BrainKey], now: Timestamp) -> Answer<Vec<AgingRead>> {
        let aged = self.ask(|it| aged::aged(it, self.log, brains, now))?;
        let mut found = Vec::new();
        for AgedUnit {
            unit,
            anchor,
            mut readers,
        } in aged
        {
            readers.sort_by(|(a, left), (b, right)| right.cmp(left).then_with(|| a.cmp(b)));
            let reads = readers.iter().map(|(_, times)| *times).sum();
            let readers = readers.into_iter().map(|(name, _)| name).collect();
            let read = AgingRead {
                unit,
                reads,
                readers,
            };
            found.push((Reverse(reads), anchor, read));
        }
        found.sort_by(|(a, b, c), (d, e, f)| (a, b, &c.unit).cmp(&(d, e, &f.unit)));
        Ok(found.into_iter().map(|(_, _, read)| read).collect())
    }

    fn reads_of(&self, unit: &UnitId) -> Answer<Vec<Reads>> {
        Ok(self.log.of_unit(unit))
    }

    fn last_seen(&self, connection: &ConnectionName) -> Answer<Option<Timestamp>> {
        let did = self.ask(|it| events::last_by(it, connection))?;
        Ok(did.max(self.log.last_by(connection)))
    }

    fn event(&self, id: EventId) -> Answer<Option<Event>> {
        self.ask(|it| events::get(it, id))
    }

    fn happened(&self, happened: Happened<'_>, limit: usize) -> Answer<Vec<Event>> {
        self.ask(|it| events::happened(it, happened, limit))
    }

    fn unit_events_before(
        &self,
        unit: &UnitId,
        before: Option<EventId>,
        limit: usize,
    ) -> Answer<Vec<Event>> {
        self.ask(|it| events::of_unit_before(it, unit, before, limit))
    }

    fn done_since(
        &self,
        brains: &[BrainKey],
        connection: &ConnectionName,
        since: Timestamp,
    ) -> Answer<Vec<Act>> {
        self.ask(|it| events::done_since(it, brains, connection, since))
    }

    fn decisions(
        &self,
        brains: &[BrainKey],
        offset: usize,
        limit: usize,
    ) -> Answer<(Vec<Event>, u32)> {
        self.ask(|it| undecided::decisions(it, brains, offset, limit))
    }

    fn problems(&self, offset: usize, limit: usize) -> Answer<(Vec<Event>, u32)> {
        self.ask(|it| undecided::problems(it, offset, limit))
    }

    fn lost_clients(&self) -> Answer<Vec<String>> {
        self.ask(lost_clients::all)
    }

    fn last_read(&self, connection: &ConnectionName) -> Answer<Option<(UnitId, Timestamp)>> {
        Ok(self.log.last_read(connection))
    }

    fn last_written(&self, connection: &ConnectionName) -> Answer<Option<Event>> {
        self.ask(|it| events::last_written(it, connection))
    }

    fn first_call(&self, connection: &ConnectionName) -> Answer<Option<Event>> {
        self.ask(|it| events::first_call(it, connection))
    }

    fn waits_for_person(&self, event: EventId) -> Answer<bool> {
        self.ask(|it| undecided::is(it, event))
    }

    fn stands_for_person(&self, brains: &[BrainKey], event: EventId) -> Answer<bool> {
        self.ask(|it| undecided::stands(it, brains, event))
    }
}
