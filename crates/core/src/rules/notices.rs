//! Notices: when the person is told of conflicts and of what became stale,
//! outside the screens.
//!
//! A conflict is told at once. Those that follow within a minute join its notice,
//! a few seconds of them at a time, and after [`AN_HOUR`] showings in an hour the
//! rest waits for its end. What is held back is told as one as soon as it may be,
//! if it is still open. Nothing here is lost by a wait: whatever was not told
//! waits in the store.

use crate::words::{Local, Minute, Opened, QuietHours, Settings, Timestamp, UnitId};
use jiff::ToSpan;
use jiff::tz::TimeZone;
use std::collections::HashSet;

/// Conflicts that come within this time of a notice join it: a minute, in
/// milliseconds.
pub const TOGETHER: i64 = 60_000;

/// The least time between two showings, in milliseconds: what comes in between
/// is gathered.
pub const GATHERED: i64 = 5_000;

/// The most showings of conflicts in any hour, new notices and fuller ones
/// alike.
pub const AN_HOUR: usize = 12;

/// The most notices of conflicts that stand at once; one more takes the place
/// of all.
pub const STANDING: usize = 4;

/// An hour in milliseconds.
const HOUR: i64 = 3_600_000;

/// The hour that "until tomorrow" ends at.
const MORNING: i8 = 8;

/// Before this hour a night belongs to the day before: whoever is still up at
/// two and pauses until tomorrow means the coming morning.
const NIGHT_ENDS: u16 = 4 * 60;

/// Why nothing is told now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// Notifications are off.
    Off,
    /// They are paused.
    Paused,
    /// It is a quiet hour.
    Quiet,
}

/// Whether something keeps notices back now.
pub fn held(settings: &Settings, local: Local, now: Timestamp) -> Option<Held> {
    if !settings.notifications {
        Some(Held::Off)
    } else if settings.paused_until.is_some_and(|until| now < until) {
        Some(Held::Paused)
    } else if settings.quiet.is_some_and(|it| is_quiet(it, local.minute)) {
        Some(Held::Quiet)
    } else {
        None
    }
}

/// Whether a minute of the day is a quiet one.
pub fn is_quiet(hours: QuietHours, minute: Minute) -> bool {
    let QuietHours { from, until } = hours;
    if from < until {
        (from..until).contains(&minute)
    } else {
        minute >= from || minute < until
    }
}

/// Until when a pause "until tomorrow" lasts: 8:00 of the next day, of a short
/// night the same day's.
pub fn until_tomorrow(now: Timestamp, zone: &TimeZone) -> Timestamp {
    let Ok(moment) = jiff::Timestamp::from_millisecond(now.millis()) else {
        return now;
    };
    let today = zone.to_datetime(moment).date();
    let night = Local::at(now, zone).minute.number() < NIGHT_ENDS;
    let day = if night {
        Ok(today)
    } else {
        today.checked_add(1.day())
    };
    let morning = day.and_then(|day| zone.to_timestamp(day.at(MORNING, 0, 0, 0)));
    morning.map_or(now, |morning| {
        Timestamp::from_millis(morning.as_millisecond())
    })
}

/// What of conflicts this run of a program has shown.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The last one shown is the last.
    standing: Vec<Standing>,
    /// When notices were shown, in the last hour.
    times: Vec<Timestamp>,
}

/// A notice that stands.
#[derive(Debug, Clone)]
struct Standing {
    id: NoticeId,
    since: Timestamp,
    units: Vec<UnitId>,
}

/// What a notice is called by whoever shows it.
pub type NoticeId = u32;

impl Shown {
    /// The units that notices which stand are about.
    pub fn units(&self) -> Vec<UnitId> {
        let mut units: Vec<_> = self.standing.iter().flat_map(|it| &it.units).collect();
        units.sort_unstable();
        units.dedup();
        units.into_iter().cloned().collect()
    }

    /// Notes that a notice is shown. `now` is when it was looked, so that what
    /// came since lies after it.
    pub fn shows(&mut self, id: NoticeId, notice: &Told, now: Timestamp) {
        self.times
            .retain(|at| *at <= now && *at > now.plus_millis(-HOUR));
        self.times.push(now);
        self.standing
            .retain(|it| it.id != id && !notice.replaces.contains(&it.id));
        self.standing.push(Standing {
            id,
            since: notice.since,
            units: notice.units.clone(),
        });
    }

    /// Notes that a notice stands no longer: it was withdrawn, or the person
    /// saw to it.
    pub fn gone(&mut self, id: NoticeId) {
        self.standing.retain(|it| it.id != id);
    }
}

/// What is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// What the person chose.
    pub settings: &'a Settings,
    /// Their clock.
    pub local: Local,
    /// Now.
    pub now: Timestamp,
    /// Open conflicts that were not told, oldest first.
    pub untold: &'a [Opened],
    /// Of the units that notices stand for, those whose conflict is open, in
    /// brains that are not muted.
    pub open: &'a HashSet<UnitId>,
}

/// One notice of conflicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Their units, oldest first.
    pub units: Vec<UnitId>,
    /// Since when it gathers them.
    pub since: Timestamp,
    /// The notices whose place it takes.
    pub replaces: Vec<NoticeId>,
}

/// What there is to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Next {
    /// Notices about nothing that is open any more.
    pub withdraw: Vec<NoticeId>,
    /// The notice to show now.
    pub show: Option<Told>,
    /// When to look again at the latest, where something waits for a moment
    /// that is known.
    pub again: Option<Timestamp>,
}

/// Decides what is told now, and what is withdrawn.
pub fn next(shown: &Shown, look: Look<'_>) -> Next {
    let now = look.now;
    let is_open = |it: &&Standing| it.units.iter().any(|unit| look.open.contains(unit));
    let (stand, over): (Vec<_>, Vec<_>) = shown.standing.iter().partition(is_open);
    let mut next = Next {
        withdraw: over.into_iter().map(|it| it.id).collect(),
        ..Next::default()
    };
    let nothing = look.untold.is_empty() || held(look.settings, look.local, now).is_some();
    if nothing {
        return next;
    }
    // A clock that was put back leaves times to come: they count no more.
    let mut times: Vec<_> = shown
        .times
        .iter()
        .copied()
        .filter(|at| *at <= now && *at > now.plus_millis(-HOUR))
        .collect();
    times.sort_unstable();
    let last = times.last().copied();
    let gathered = last.map(|at| at.plus_millis(GATHERED));
    let bound = times
        .len()
        .checked_sub(AN_HOUR)
        .and_then(|at| times.get(at))
        .map(|at| at.plus_millis(HOUR));
    let free = gathered.max(bound);
    if free.is_some_and(|free| now < free) {
        next.again = free;
        return next;
    }
    let joined = stand.last().filter(|it| {
        let minute = it.since..it.since.plus_millis(TOGETHER);
        look.untold.iter().any(|one| minute.contains(&one.at))
    });
    let (since, replaced) = match joined {
        Some(joined) => (joined.since, vec![*joined]),
        None if stand.len() >= STANDING => (now, stand),
        None => (now, Vec::new()),
    };
    let mut units = Vec::new();
    let told = replaced.iter().flat_map(|it| &it.units);
    let told = told.filter(|unit| look.open.contains(*unit));
    for unit in told.chain(look.untold.iter().map(|one| &one.unit)) {
        if !units.contains(unit) {
            units.push(unit.clone());
        }
    }
    next.show = Some(Told {
        units,
        since,
        replaces: replaced.into_iter().map(|it| it.id).collect(),
    });
    next
}

/// Whether the daily digest is due: its minute has come, and none was made on
/// this day. `last` is when one was, or when the counting began. A computer
/// that slept over the minute makes it when it wakes.
pub fn digest_is_due(settings: &Settings, local: Local, now: Timestamp, last: Local) -> bool {
    held(settings, local, now).is_none()
        && settings.digest_at.is_some_and(|at| local.minute >= at)
        && last.day < local.day
}

#[cfg(test)]
mod tests;
