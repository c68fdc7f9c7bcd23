//! The units that agents read since they turned aging, kept from one question
//! to the next: asked anew of every unit that was ever read, each would cost as
//! much as the store is large, and every change makes the screens ask.

use crate::error::Result;
use crate::read_log::{Mark, ReadLog, ReadUnit};
use crate::tables::{events, listing};
use ozbrain_core::words::{BrainKey, ConnectionName, EventId, EventKind, Timestamp, UnitId};
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};

/// After more events than this all is asked anew.
const MOST_EVENTS: usize = 2_000;

/// The units that were read at or after their aging, and some that were not.
///
/// A unit that is left out stays out until it is read again or an event says
/// that it changed, for nothing else makes it one of these: whatever moves its
/// aging writes an event with it. A policy moves it for all, and an erasure
/// takes rows of the log: after them all is asked anew.
pub(crate) struct Aged {
    /// The newest event that it knows of.
    event: EventId,
    /// The newest row of the log that it knows of.
    mark: Option<Mark>,
    units: HashMap<UnitId, ReadUnit>,
}

impl Aged {
    fn all(event: EventId, log: &ReadLog) -> Self {
        // Marked first: what comes in between is looked at twice.
        let mark = log.mark();
        let read = log.read_by_agents();
        Self {
            event,
            mark,
            units: read.into_iter().map(|it| (it.unit.clone(), it)).collect(),
        }
    }

    /// Follows what happened since. False where all must be asked anew.
    fn follow(&mut self, connection: &Connection, log: &ReadLog) -> Result<bool> {
        let happened = events::after(connection, self.event, MOST_EVENTS)?;
        let all = |kind| matches!(kind, EventKind::BrainChanged | EventKind::Erased);
        if happened.len() == MOST_EVENTS || happened.iter().any(|event| all(event.kind)) {
            return Ok(false);
        }
        let mark = log.mark();
        let Some(read) = log.read_after(self.mark.as_ref()) else {
            return Ok(false);
        };
        self.event = happened.last().map_or(self.event, |event| event.id);
        self.mark = mark;
        let changed = happened.into_iter().filter_map(|event| event.unit);
        for unit in changed.chain(read).collect::<HashSet<_>>() {
            match log.read_unit(&unit) {
                Some(read) => self.units.insert(unit, read),
                None => self.units.remove(&unit),
            };
        }
        Ok(true)
    }
}

/// A unit that waits for a confirm, and was read since it does.
pub(crate) struct AgedUnit {
    pub(crate) unit: UnitId,
    pub(crate) anchor: Timestamp,
    /// Which connections, the person's aside, read it since, and how often.
    pub(crate) readers: Vec<(ConnectionName, u32)>,
}

/// The units in these brains that wait for a confirm and that agents, not the
/// person, read since they do.
pub(crate) fn aged(
    connection: &Connection,
    log: &ReadLog,
    brains: &[BrainKey],
    now: Timestamp,
) -> Result<Vec<AgedUnit>> {
    let mut kept = crate::locked(&log.aged);
    let last = events::last(connection)?;
    let mut aged = match kept.take() {
        Some(mut aged) => match aged.follow(connection, log)? {
            true => aged,
            false => Aged::all(last.max(aged.event), log),
        },
        None => Aged::all(last, log),
    };
    let mut off = HashSet::new();
    for &brain in brains {
        off.extend(listing::put_off(connection, brain, now)?);
    }
    let open = listing::open_of(connection, aged.units.keys())?;
    let mut found = Vec::new();
    let mut may: HashSet<UnitId> = HashSet::new();
    for (unit, open) in open {
        let Some(read) = aged
            .units
            .get(&unit)
            .filter(|it| it.last_at >= open.aging_at)
        else {
            continue;
        };
        if open.aging_at <= now && brains.contains(&open.brain) && !off.contains(&open.key) {
            found.push(AgedUnit {
                unit: unit.clone(),
                anchor: open.anchor,
                readers: log.since(read, open.aging_at),
            });
        }
        may.insert(unit);
    }
    // A look at an older moment does not say what is so now.
    if last >= aged.event {
        aged.units.retain(|unit, _| may.contains(unit));
    }
    *kept = Some(aged);
    Ok(found)
}

/// How many units the next look asks about.
#[cfg(test)]
pub(crate) fn kept(log: &ReadLog) -> usize {
    let kept = crate::locked(&log.aged);
    kept.as_ref().map_or(0, |aged| aged.units.len())
}
