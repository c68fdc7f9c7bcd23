//! Notices: when the person is told of conflicts and of what became stale,
//! outside the screens.
//!
//! A conflict is told at once. Those that follow within a minute join its notice,
//! some of them at a time, and after [`AN_HOUR`] notices in an hour the rest
//! waits for its end. What is held back is told as one as soon as it may be,
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

/// When a notice that others join is shown anew, after it was shown first, in
/// milliseconds: soon, then less and less often, for the last time when its
/// minute is over.
pub const FULLER: [i64; 4] = [GATHERED, 15_000, 30_000, TOGETHER];

/// The most notices of conflicts in any hour. A fuller one is no new one.
pub const AN_HOUR: usize = 12;

/// The most notices of conflicts that stand at once; one more takes the place
/// of all.
pub const STANDING: usize = 4;

/// How many notices that are seen no more are remembered, so that they can be
/// taken out of what a desktop keeps of them.
const EXPIRED: usize = 16;

/// An hour in milliseconds.
pub(crate) const HOUR: i64 = 3_600_000;

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
    } else if is_paused(settings.paused_until, now) {
        Some(Held::Paused)
    } else if settings.quiet.is_some_and(|it| is_quiet(it, local.minute)) {
        Some(Held::Quiet)
    } else {
        None
    }
}

/// Whether a pause until a moment lasts.
pub fn is_paused(until: Option<Timestamp>, now: Timestamp) -> bool {
    until.is_some_and(|until| now < until)
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
    /// When new notices were shown, in the last hour.
    new: Vec<Timestamp>,
    /// When a notice was shown, new or fuller.
    last: Option<Timestamp>,
}

/// A notice that stands.
#[derive(Debug, Clone)]
struct Standing {
    id: NoticeId,
    since: Timestamp,
    /// When it was shown, as full as it is.
    shown: Timestamp,
    units: Vec<UnitId>,
    /// Whether it is off the screen by itself: nobody saw to it.
    expired: bool,
}

impl Standing {
    /// When it may be shown fuller next, if at all.
    fn fuller(&self) -> Option<Timestamp> {
        let steps = FULLER.map(|step| self.since.plus_millis(step));
        steps.into_iter().find(|step| *step > self.shown)
    }
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
        self.new.retain(|at| is_lately(*at, now));
        if !notice.fuller {
            self.new.push(now);
        }
        self.last = Some(now);
        self.standing
            .retain(|it| it.id != id && !notice.replaces.contains(&it.id));
        self.standing.push(Standing {
            id,
            since: notice.since,
            shown: now,
            units: notice.units.clone(),
            expired: false,
        });
    }

    /// Notes that a notice went off the screen by itself. Others join it as
    /// before, and it is withdrawn from what the desktop keeps of it. Gives the
    /// units that it is about.
    pub fn expired(&mut self, id: NoticeId) -> Vec<UnitId> {
        let mut units = Vec::new();
        for it in self.standing.iter_mut().filter(|it| it.id == id) {
            it.expired = true;
            units.clone_from(&it.units);
        }
        let expired = self.standing.iter().filter(|it| it.expired);
        let first = expired.clone().next().map(|it| it.id);
        if expired.count() > EXPIRED {
            self.standing.retain(|it| Some(it.id) != first);
        }
        units
    }

    /// Notes that none stands any longer.
    pub fn all_gone(&mut self) {
        self.standing.clear();
    }

    /// Notes that a notice stands no longer. Gives the units that it was about.
    pub fn gone(&mut self, id: NoticeId) -> Vec<UnitId> {
        let gone = self.standing.extract_if(.., |it| it.id == id);
        gone.flat_map(|it| it.units).collect()
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
    /// Whether it is one that stands, with more.
    pub fuller: bool,
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
    let joined = stand.last().filter(|it| {
        let minute = it.since..it.since.plus_millis(TOGETHER);
        let joins = look.untold.iter().any(|one| minute.contains(&one.at));
        joins && it.fuller().is_some()
    });
    let allowed = match joined {
        Some(joined) => joined.fuller(),
        None => bound(&shown.new, now),
    };
    // A clock that was put back leaves times to come: they count no more.
    let last = shown.last.filter(|at| *at <= now);
    let free = allowed.max(last.map(|at| at.plus_millis(GATHERED)));
    if free.is_some_and(|free| now < free) {
        next.again = free;
        return next;
    }
    let on_screen: Vec<_> = stand.iter().copied().filter(|it| !it.expired).collect();
    let (since, replaced) = match joined {
        Some(joined) => (joined.since, vec![*joined]),
        None if on_screen.len() >= STANDING => (now, on_screen),
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
        fuller: joined.is_some(),
        replaces: replaced.into_iter().map(|it| it.id).collect(),
    });
    next
}

/// When the next new notice may come, where there were many lately.
fn bound(new: &[Timestamp], now: Timestamp) -> Option<Timestamp> {
    let mut lately: Vec<_> = new.iter().filter(|at| is_lately(**at, now)).collect();
    lately.sort_unstable();
    let first = lately.len().checked_sub(AN_HOUR)?;
    lately.get(first).map(|at| at.plus_millis(HOUR))
}

/// Whether a moment lies in the last hour. One that a clock put back left to
/// come does not.
fn is_lately(at: Timestamp, now: Timestamp) -> bool {
    at <= now && at > now.plus_millis(-HOUR)
}

/// Whether the daily digest is due: its minute came since the last one, and
/// nothing holds it back. `last` is when one was made, or when the counting
/// began. Where the computer slept over the minute, or it is a quiet one, the
/// digest comes as soon as it may; the next one comes at its own minute again.
pub fn digest_is_due(settings: &Settings, local: Local, now: Timestamp, last: Local) -> bool {
    let came = settings.digest_at.map(|minute| Local {
        day: if local.minute >= minute {
            local.day
        } else {
            local.day - 1
        },
        minute,
    });
    held(settings, local, now).is_none() && came.is_some_and(|came| came > last)
}

#[cfg(test)]
mod tests;
