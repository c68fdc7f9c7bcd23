use super::*;
use crate::words::{BrainKey, ConnectionName};
use proptest::prelude::*;

const UTC: TimeZone = TimeZone::UTC;

fn minute(hour: u16, minute: u16) -> Minute {
    Minute::new(hour * 60 + minute).unwrap()
}

fn quiet(from: Minute, until: Minute) -> Settings {
    Settings {
        quiet: Some(QuietHours { from, until }),
        ..Settings::default()
    }
}

/// A moment of 1 December 2026.
fn at(text: &str) -> Timestamp {
    Timestamp::parse(&format!("2026-12-01T{text}Z")).unwrap()
}

fn opened(unit: u64, at: Timestamp) -> Opened {
    Opened {
        unit: UnitId::from_bits(unit),
        brain: BrainKey(1),
        event: unit,
        at,
        by: ConnectionName::cli(),
    }
}

/// A person's desk: conflicts come and are settled, and it is looked at.
struct Desk {
    settings: Settings,
    shown: Shown,
    untold: Vec<Opened>,
    /// Every conflict that is open.
    open: HashSet<UnitId>,
    ids: NoticeId,
}

impl Desk {
    fn new(settings: Settings) -> Self {
        Self {
            settings,
            shown: Shown::default(),
            untold: Vec::new(),
            open: HashSet::new(),
            ids: 0,
        }
    }

    fn comes(&mut self, unit: u64, now: Timestamp) {
        self.untold.push(opened(unit, now));
        self.open.insert(UnitId::from_bits(unit));
    }

    fn settles(&mut self, unit: u64) {
        let unit = UnitId::from_bits(unit);
        self.open.remove(&unit);
        self.untold.retain(|one| one.unit != unit);
    }

    /// Looks, and does what is to be done as a shell does.
    fn look(&mut self, now: Timestamp) -> Next {
        let next = next(
            &self.shown,
            Look {
                settings: &self.settings,
                local: Local::at(now, &UTC),
                now,
                untold: &self.untold,
                open: &self.open,
            },
        );
        for id in &next.withdraw {
            self.shown.gone(*id);
        }
        if let Some(told) = &next.show {
            self.ids += 1;
            self.shown.shows(self.ids, told, now);
            self.untold.clear();
        }
        next
    }

    /// The units told now, if any are.
    fn told(&mut self, now: &str) -> Option<Vec<u64>> {
        self.look(at(now)).show.map(|told| numbers(&told.units))
    }
}

fn numbers(units: &[UnitId]) -> Vec<u64> {
    (0..200)
        .filter(|number| units.contains(&UnitId::from_bits(*number)))
        .collect()
}

#[test]
fn a_conflict_is_told_at_once_and_those_within_a_minute_become_one() {
    let mut desk = Desk::new(Settings::default());
    desk.comes(1, at("10:00:00"));
    assert_eq!(desk.told("10:00:00"), Some(vec![1]));
    desk.comes(2, at("10:00:02"));
    let next = desk.look(at("10:00:02"));
    assert_eq!((next.show, next.again), (None, Some(at("10:00:05"))));
    desk.comes(3, at("10:00:04"));
    assert_eq!(desk.told("10:00:04"), None);
    let told = desk.look(at("10:00:05")).show.unwrap();
    assert_eq!(numbers(&told.units), [1, 2, 3]);
    assert_eq!(told.replaces, [1]);
    desk.comes(4, at("10:00:59"));
    let told = desk.look(at("10:00:59")).show.unwrap();
    assert_eq!(numbers(&told.units), [1, 2, 3, 4]);
    assert_eq!(told.replaces, [2]);
    // The minute is that of the first.
    desk.comes(5, at("10:01:04"));
    let told = desk.look(at("10:01:04")).show.unwrap();
    assert_eq!((numbers(&told.units), told.replaces), (vec![5], vec![]));
}

#[test]
fn what_the_person_saw_to_is_not_told_again_with_the_next() {
    let mut desk = Desk::new(Settings::default());
    desk.comes(1, at("10:00:00"));
    desk.look(at("10:00:00"));
    desk.shown.gone(1);
    desk.comes(2, at("10:00:30"));
    let told = desk.look(at("10:00:30")).show.unwrap();
    assert_eq!((numbers(&told.units), told.replaces), (vec![2], vec![]));
}

#[test]
fn a_notice_is_withdrawn_once_none_of_its_conflicts_is_open() {
    let mut desk = Desk::new(Settings::default());
    desk.comes(1, at("10:00:00"));
    desk.comes(2, at("10:00:00"));
    assert_eq!(desk.told("10:00:00"), Some(vec![1, 2]));
    desk.settles(1);
    assert_eq!(desk.look(at("10:00:01")), Next::default());
    desk.settles(2);
    assert_eq!(desk.look(at("10:00:02")).withdraw, [1]);
    assert_eq!(desk.look(at("10:00:03")), Next::default());
}

#[test]
fn quiet_hours_over_midnight_hold_back_and_tell_one_line_afterwards() {
    let mut desk = Desk::new(quiet(minute(22, 0), minute(7, 30)));
    desk.comes(1, at("23:00:00"));
    assert_eq!(desk.told("23:00:00"), None);
    desk.comes(2, at("23:30:00"));
    desk.comes(3, at("23:40:00"));
    desk.settles(2);
    let morning = |time: &str| Timestamp::parse(&format!("2026-12-02T{time}Z")).unwrap();
    assert_eq!(desk.look(morning("07:29:59")).show, None);
    let told = desk.look(morning("07:30:00")).show.unwrap();
    assert_eq!(numbers(&told.units), [1, 3]);
}

#[test]
fn a_pause_ends_by_itself_and_off_stays_off() {
    let mut desk = Desk::new(Settings {
        paused_until: Some(at("11:00:00")),
        ..Settings::default()
    });
    desk.comes(1, at("10:00:00"));
    assert_eq!(desk.told("10:59:59"), None);
    assert_eq!(desk.told("11:00:00"), Some(vec![1]));
    desk.settings.notifications = false;
    desk.comes(2, at("12:00:00"));
    assert_eq!(desk.told("23:00:00"), None);
}

#[test]
fn the_thirteenth_showing_of_an_hour_waits_for_its_end() {
    let mut desk = Desk::new(Settings::default());
    for number in 0..12 {
        let now = at(&format!("10:{:02}:00", number * 3));
        desk.comes(number, now);
        assert!(desk.look(now).show.is_some());
        desk.settles(number);
        desk.look(now);
    }
    desk.comes(12, at("10:40:00"));
    let next = desk.look(at("10:40:00"));
    assert_eq!((next.show, next.again), (None, Some(at("11:00:00"))));
    desk.comes(13, at("10:50:00"));
    assert_eq!(desk.told("11:00:00"), Some(vec![12, 13]));
}

#[test]
fn a_fifth_notice_takes_the_place_of_all_that_stand() {
    let mut desk = Desk::new(Settings::default());
    for number in 0..4 {
        let now = at(&format!("10:{:02}:00", number * 5));
        desk.comes(number, now);
        assert!(desk.look(now).show.unwrap().replaces.is_empty());
    }
    desk.comes(4, at("10:30:00"));
    let told = desk.look(at("10:30:00")).show.unwrap();
    assert_eq!(numbers(&told.units), [0, 1, 2, 3, 4]);
    assert_eq!(told.replaces, [1, 2, 3, 4]);
}

#[test]
fn a_clock_that_is_put_back_silences_nothing() {
    let mut desk = Desk::new(Settings::default());
    for number in 0..12 {
        let now = at(&format!("10:{:02}:00", number * 3));
        desk.comes(number, now);
        desk.look(now);
    }
    desk.comes(12, at("09:00:00"));
    assert!(desk.look(at("09:00:00")).show.is_some());
}

#[test]
fn until_tomorrow_is_the_next_morning_on_the_persons_clock() {
    let east = TimeZone::fixed(jiff::tz::offset(2));
    let until = |now: &str| until_tomorrow(Timestamp::parse(now).unwrap(), &east).to_string();
    assert_eq!(until("2026-12-01T14:00:00Z"), "2026-12-02T06:00:00Z");
    // Half past midnight is still the evening of the day before; five is not.
    assert_eq!(until("2026-12-01T22:30:00Z"), "2026-12-02T06:00:00Z");
    assert_eq!(until("2026-12-02T03:00:00Z"), "2026-12-03T06:00:00Z");
}

#[test]
fn a_digest_is_due_once_a_day_from_its_minute_on() {
    let settings = Settings::default();
    let yesterday = Local {
        day: Local::at(at("09:00:00"), &UTC).day - 1,
        minute: minute(9, 0),
    };
    let due = |settings: &Settings, now: &str, last: Local| {
        let now = at(now);
        digest_is_due(settings, Local::at(now, &UTC), now, last)
    };
    assert!(!due(&settings, "08:59:00", yesterday));
    assert!(due(&settings, "09:00:00", yesterday));
    // The computer slept.
    assert!(due(&settings, "15:00:00", yesterday));
    let today = Local::at(at("09:00:00"), &UTC);
    assert!(!due(&settings, "15:00:00", today));
    // Another hour makes no second one on this day.
    let later = Settings {
        digest_at: Some(minute(17, 0)),
        ..Settings::default()
    };
    assert!(!due(&later, "18:00:00", today));
    let never = Settings {
        digest_at: None,
        ..Settings::default()
    };
    assert!(!due(&never, "18:00:00", yesterday));
    let quiet = quiet(minute(8, 0), minute(10, 0));
    assert!(!due(&quiet, "09:30:00", yesterday));
    assert!(due(&quiet, "10:00:00", yesterday));
}

/// What happens at a desk.
#[derive(Debug, Clone)]
enum Happens {
    Comes(u64),
    Settles(u64),
    Closed,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        5 => (0u64..200).prop_map(Happens::Comes),
        2 => (0u64..200).prop_map(Happens::Settles),
        1 => Just(Happens::Closed),
    ]
}

/// Quiet hours that leave a free one each day.
fn hours() -> impl Strategy<Value = Option<QuietHours>> {
    proptest::option::of(
        (0u16..1440, 1u16..=1380).prop_map(|(from, length)| QuietHours {
            from: Minute::new(from).unwrap(),
            until: Minute::new((from + length) % 1440).unwrap(),
        }),
    )
}

proptest! {
    #[test]
    fn quiet_hours_are_the_minutes_from_their_beginning_round_to_their_end(
        from in 0u16..1440, length in 1u16..1440, minute in 0u16..1440,
    ) {
        let hours = QuietHours {
            from: Minute::new(from).unwrap(),
            until: Minute::new((from + length) % 1440).unwrap(),
        };
        let since = (minute + 1440 - from) % 1440;
        prop_assert_eq!(is_quiet(hours, Minute::new(minute).unwrap()), since < length);
    }

    #[test]
    fn never_a_storm_never_in_a_quiet_hour_and_nothing_is_lost(
        story in proptest::collection::vec((happens(), prop_oneof![0i64..10_000, 0i64..900_000]), 1..120),
        hours in hours(),
        pause in 0i64..20_000_000,
    ) {
        let mut now = at("06:00:00");
        let settings = Settings {
            quiet: hours,
            paused_until: Some(now.plus_millis(pause)),
            ..Settings::default()
        };
        let mut desk = Desk::new(settings.clone());
        let mut shown: Vec<Timestamp> = Vec::new();
        let mut came = HashSet::new();
        let check = |desk: &mut Desk, now: Timestamp, shown: &mut Vec<Timestamp>| {
            let untold = desk.untold.clone();
            let open = desk.open.clone();
            let next = desk.look(now);
            prop_assert!(desk.shown.standing.len() <= STANDING);
            let Some(told) = next.show else {
                return Ok(());
            };
            prop_assert_eq!(held(&settings, Local::at(now, &UTC), now), None);
            // Each is open, and all that waited are among them, once.
            prop_assert!(told.units.iter().all(|unit| open.contains(unit)));
            prop_assert!(untold.iter().all(|one| told.units.contains(&one.unit)));
            let once: HashSet<_> = told.units.iter().collect();
            prop_assert_eq!(once.len(), told.units.len());
            prop_assert!(shown.last().is_none_or(|last| now >= last.plus_millis(GATHERED)));
            shown.push(now);
            let lately = shown.iter().filter(|at| **at > now.plus_millis(-HOUR)).count();
            prop_assert!(lately <= AN_HOUR);
            Ok(())
        };
        for (what, wait) in story {
            now = now.plus_millis(wait);
            match what {
                // A unit comes once: settled, it would be another conflict.
                Happens::Comes(unit) if came.insert(unit) => desk.comes(unit, now),
                Happens::Comes(_) => {}
                Happens::Settles(unit) => desk.settles(unit),
                Happens::Closed => {
                    let newest = desk.shown.standing.last().map(|it| it.id);
                    newest.into_iter().for_each(|id| desk.shown.gone(id));
                }
            }
            check(&mut desk, now, &mut shown)?;
        }
        // Two days on, looked at every half hour, nothing that is open waits.
        for _ in 0..96 {
            now = now.plus_millis(HOUR / 2);
            check(&mut desk, now, &mut shown)?;
        }
        prop_assert!(desk.untold.is_empty());
        for unit in desk.open.clone() {
            desk.settles(numbers(&[unit])[0]);
        }
        desk.look(now);
        prop_assert!(desk.shown.standing.is_empty());
    }

    #[test]
    fn at_most_one_digest_a_day(
        waits in proptest::collection::vec(0i64..30_000_000, 1..60),
        digest in 0u16..1440,
        hours in hours(),
    ) {
        let settings = Settings { digest_at: Minute::new(digest), quiet: hours, ..Settings::default() };
        let mut now = at("06:00:00");
        let mut last = Local::at(now, &UTC);
        let mut days = HashSet::new();
        days.insert(last.day);
        for wait in waits {
            now = now.plus_millis(wait);
            let local = Local::at(now, &UTC);
            if digest_is_due(&settings, local, now, last) {
                prop_assert!(local.minute >= Minute::new(digest).unwrap());
                prop_assert!(days.insert(local.day));
                last = local;
            }
        }
    }
}
