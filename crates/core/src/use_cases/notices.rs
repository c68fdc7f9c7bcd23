//! Notices: what the person is told now, outside the screens.

use super::unit::displacer;
use super::{Call, persons_alone};
use crate::ports::{Change, Records, TellingSoFar};
use crate::refusal::Result;
use crate::rules::notices::{self, Look, Next, NoticeId, Shown, Told};
use crate::views::Who;
use crate::views::settings::{ConflictNotice, Digest, DigestUnit};
use crate::words::{Brain, BrainKey, EventId, Local, Opened, Settings, Timestamp, UnitId};
use jiff::tz::TimeZone;
use std::collections::HashSet;
use std::sync::Arc;

/// How many units a notice needs to know by name: more are counted.
const NAMED: usize = 3;

/// What there is to tell now. Each part comes with its mark: once it was told,
/// [`told`] keeps it from being told again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notices {
    /// Notices about nothing that is open any more.
    pub withdraw: Vec<NoticeId>,
    /// One notice of conflicts.
    pub conflicts: Option<Conflicts>,
    /// The daily digest, unless nothing became stale.
    pub digest: Option<(Digest, TellingMark)>,
    /// What was seen to without telling anything.
    pub done: Option<TellingMark>,
    /// When to look again at the latest, where that is known.
    pub again: Option<Timestamp>,
}

/// One notice of conflicts: of one, or of several together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflicts {
    /// Its units, and the notices whose place it takes.
    pub told: Told,
    /// The first of them by name, oldest first.
    pub named: Vec<ConflictNotice>,
    /// To be given to [`told`].
    pub mark: TellingMark,
}

/// What was told and what was seen, for the store to keep.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TellingMark {
    conflicts: Vec<(BrainKey, EventId)>,
    /// The units of whose conflicts a notice stands from now on.
    told: Vec<UnitId>,
    /// Those of which none does: the person saw to it, or it was withdrawn.
    seen: Vec<UnitId>,
    digested: Option<Timestamp>,
}

impl TellingMark {
    /// That a notice about these units needs no telling again.
    pub fn seen(units: Vec<UnitId>) -> Self {
        Self {
            seen: units,
            ..Self::default()
        }
    }

    /// That nobody saw a digest: the next one counts from where it counted.
    pub fn unseen(digest: &Digest) -> Self {
        Self {
            digested: Some(digest.since),
            ..Self::default()
        }
    }
}

/// What the person is to be told now, by the settings and by what was told.
/// `shown` is what this run of the program has shown, `zone` where the person's
/// clock is. A conflict that the person's own act opened is theirs to know. One
/// whose notice nobody saw to, and which does not stand in this run, is told
/// again, with all others of them.
///
/// # Errors
/// `not_allowed` for anyone but the person.
pub fn notices(call: Call<'_>, shown: &Shown, zone: &TimeZone) -> Result<Notices> {
    call.store.read(|records| {
        persons_alone(call.session, "be told what waits for them")?;
        let settings = records.settings()?;
        let mut brains = records.brains()?;
        brains.retain(|brain| !settings.muted.contains(&brain.key));
        let desk = Desk {
            records,
            settings,
            brains,
            local: Local::at(call.now, zone),
            now: call.now,
        };
        let mut notices = desk.conflicts(shown)?;
        desk.digest(zone, &mut notices)?;
        Ok(notices)
    })
}

/// Keeps what was told: what the person saw to is told once, over a restart too.
///
/// # Errors
/// `not_allowed` for anyone but the person.
pub fn told(call: Call<'_>, mark: TellingMark) -> Result<()> {
    let session = Arc::clone(call.session);
    call.store.write(move |records| {
        persons_alone(&session, "be told what waits for them")?;
        let brains = records.brains()?;
        let so_far = records.telling()?;
        let mut changes = Vec::new();
        for &(brain, event) in &mark.conflicts {
            let newer = so_far.told.get(&brain).is_none_or(|told| *told < event);
            // It may be erased meanwhile.
            if newer && brains.iter().any(|it| it.key == brain) {
                changes.push(Change::Told { brain, event });
            }
        }
        let all: Vec<_> = brains.iter().map(|brain| brain.key).collect();
        for unit in &mark.told {
            if !so_far.unread.contains(unit) {
                let unit = unit.clone();
                changes.push(Change::Unread { unit, unread: true });
            }
        }
        // What was settled while nothing ran is seen to as well.
        let settled = |unit: &&UnitId| {
            let stands = records.unit(&all, unit);
            stands.map(|it| it.is_none_or(|it| !it.conflicted()))
        };
        for unit in &so_far.unread {
            if mark.seen.contains(unit) || settled(&unit)? {
                let unit = unit.clone();
                changes.push(Change::Unread {
                    unit,
                    unread: false,
                });
            }
        }
        changes.extend(mark.digested.map(Change::Digested));
        Ok((changes, ()))
    })
}

/// What is needed to tell something.
struct Desk<'a> {
    records: &'a dyn Records,
    settings: Settings,
    /// Those that are not muted.
    brains: Vec<Brain>,
    local: Local,
    now: Timestamp,
}

impl Desk<'_> {
    fn keys(&self) -> Vec<BrainKey> {
        self.brains.iter().map(|brain| brain.key).collect()
    }

    fn conflicts(&self, shown: &Shown) -> Result<Notices> {
        let keys = self.keys();
        let mut open = HashSet::new();
        for unit in shown.units() {
            let stands = self.records.unit(&keys, &unit)?;
            if stands.is_some_and(|it| it.id == unit && !it.sides.is_empty()) {
                open.insert(unit);
            }
        }
        let (untold, newest) = self.untold(shown)?;
        let look = Look {
            settings: &self.settings,
            local: self.local,
            now: self.now,
            untold: &untold,
            open: &open,
        };
        let Next {
            withdraw,
            show,
            again,
        } = notices::next(shown, look);
        let conflicts = match show {
            Some(told) => Some(Conflicts {
                named: self.named(&told.units)?,
                mark: TellingMark {
                    conflicts: keys.into_iter().map(|key| (key, newest)).collect(),
                    told: told.units.clone(),
                    ..TellingMark::default()
                },
                told,
            }),
            None => None,
        };
        Ok(Notices {
            withdraw,
            conflicts,
            again,
            ..Notices::default()
        })
    }

    /// The conflicts to be told, oldest first, and the newest event by which
    /// there is no other. While they are held back, none.
    fn untold(&self, shown: &Shown) -> Result<(Vec<Opened>, EventId)> {
        let newest = self.records.last_event()?;
        let mut untold = Vec::new();
        if notices::held(&self.settings, self.local, self.now).is_some() {
            return Ok((untold, newest));
        }
        let TellingSoFar {
            told, mut unread, ..
        } = self.records.telling()?;
        for unit in shown.units() {
            unread.remove(&unit);
        }
        for brain in &self.brains {
            let after = told.get(&brain.key).copied().unwrap_or(0);
            if !unread.is_empty() {
                let mut opened = self.records.opened_after(brain.key, 0)?;
                opened.retain(|one| one.event > after || unread.contains(&one.unit));
                untold.extend(opened);
            } else if after < newest {
                untold.extend(self.records.opened_after(brain.key, after)?);
            }
        }
        untold.retain(|one| !one.is_persons());
        untold.sort_by_key(|one| one.event);
        Ok((untold, newest))
    }

    fn named(&self, units: &[UnitId]) -> Result<Vec<ConflictNotice>> {
        let keys = self.keys();
        let mut named = Vec::new();
        for id in units {
            if named.len() == NAMED {
                break;
            }
            let Some(unit) = self.records.unit(&keys, id)? else {
                continue;
            };
            let brain = self.brains.iter().find(|brain| brain.key == unit.brain);
            let (Some(side), Some(brain)) = (unit.sides.last(), brain) else {
                continue;
            };
            let by = displacer(self.records, &unit)?;
            named.push(ConflictNotice {
                unit: unit.id.clone(),
                title: unit.head.content.title.clone(),
                topic: unit.head.content.topic.clone(),
                brain: brain.title.clone(),
                by: Who::from(&by.agent),
                displaced: Who::from(&side.revision.agent),
                by_retired: by.retired,
                displaced_retired: side.revision.retired,
            });
        }
        Ok(named)
    }

    fn digest(&self, zone: &TimeZone, notices: &mut Notices) -> Result<()> {
        let mark = TellingMark {
            digested: Some(self.now),
            ..TellingMark::default()
        };
        let since = match self.records.telling()?.digested {
            Some(since) if since <= self.now => since,
            // The first look, or a clock that was put back: counted from now.
            _ => {
                notices.done = Some(mark);
                return Ok(());
            }
        };
        let last = Local::at(since, zone);
        if !notices::digest_is_due(&self.settings, self.local, self.now, last) {
            return Ok(());
        }
        let stale = self
            .records
            .became_stale(&self.keys(), since, self.now, NAMED)?;
        if stale.1 == 0 {
            notices.done = Some(mark);
            return Ok(());
        }
        let mut units = Vec::new();
        for id in &stale.0 {
            let Some(listed) = self.records.listed(&self.keys(), id)? else {
                continue;
            };
            let brain = self.brains.iter().find(|it| it.key == listed.card.brain);
            units.extend(brain.map(|brain| DigestUnit {
                title: listed.card.title,
                topic: listed.card.topic,
                brain: brain.title.clone(),
            }));
        }
        let digest = Digest {
            since,
            days: self.local.day - last.day,
            total: stale.1,
            units,
        };
        notices.digest = Some((digest, mark));
        Ok(())
    }
}
