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
    assert!(told.fuller);
    desk.comes(4, at("10:00:59"));
    let told = desk.look(at("10:00:59")).show.unwrap();
    assert_eq!(numbers(&told.units), [1, 2, 3, 4]);
    assert_eq!((told.replaces, told.fuller), (vec![2], true));
    // The minute is that of the first.
    desk.comes(5, at("10:01:04"));
    let told = desk.look(at("10:01:04")).show.unwrap();
    assert_eq!((numbers(&told.units), told.replaces), (vec![5], vec![]));
    assert!(!told.fuller);
}

#[test]
fn a_busy_minute_is_one_notice_that_grows_less_and_less_often_and_silences_nothing() {
    let mut desk = Desk::new(Settings::default());
    let mut shown = Vec::new();
    for second in 0..60 {
        let now = at("10:00:00").plus_millis(second * 1_000);
        desk.comes(second.unsigned_abs(), now);
        if desk.look(now).show.is_some() {
            shown.push(second);
        }
    }
    assert_eq!(shown, [0, 5, 15, 30]);
    // The last ones of the minute are told when it is over.
    assert_eq!(desk.look(at("10:00:59")).again, Some(at("10:01:00")));
    let told = desk.look(at("10:01:00")).show.unwrap();
    assert_eq!((told.units.len(), told.fuller), (60, true));
    // A dozen of such minutes later another conflict is still told at once.
    for minute in 2..12 {
        for second in 0..60 {
            let now = at(&format!("10:{minute:02}:00")).plus_millis(second * 1_000);
            desk.comes((minute * 60 + second).unsigned_abs(), now);
            desk.look(now);
        }
    }
    desk.look(at("10:12:00"));
    desk.comes(5_000, at("10:15:00"));
    assert!(desk.look(at("10:15:00")).show.is_some());
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
fn a_notice_that_went_off_the_screen_by_itself_is_joined_and_withdrawn_like_any() {
    let mut desk = Desk::new(Settings::default());
    desk.comes(1, at("10:00:00"));
    desk.look(at("10:00:00"));
    desk.shown.expired(1);
    desk.comes(2, at("10:00:30"));
    let told = desk.look(at("10:00:30")).show.unwrap();
    assert_eq!((numbers(&told.units), told.replaces), (vec![1, 2], vec![1]));
    desk.shown.expired(2);
    desk.settles(1);
    desk.settles(2);
    assert_eq!(desk.look(at("10:20:00")).withdraw, [2]);
}

#[test]
fn what_went_off_the_screen_is_no_part_of_a_later_notice() {
    let mut desk = Desk::new(Settings::default());
    for number in 0..40 {
        let now = at("10:00:00").plus_millis(number * 400_000);
        desk.comes(number.unsigned_abs(), now);
        let told = desk.look(now).show.unwrap();
        assert_eq!((told.units.len(), told.replaces.len()), (1, 0));
        desk.shown.expired(desk.ids);
    }
    // And not all of them are remembered.
    assert_eq!(desk.shown.standing.len(), EXPIRED);
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
fn the_thirteenth_notice_of_an_hour_waits_for_its_end() {
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

/// A moment on the clock: the day of December 2026, and the time.
fn clock(day: u8, time: &str) -> (Timestamp, Local) {
    let moment = Timestamp::parse(&format!("2026-12-{day:02}T{time}:00Z")).unwrap();
    (moment, Local::at(moment, &UTC))
}

/// Whether a digest is due on a day at a time, the last one being of another.
fn due(settings: &Settings, (day, time): (u8, &str), last: (u8, &str)) -> bool {
    let (now, local) = clock(day, time);
    digest_is_due(settings, local, now, clock(last.0, last.1).1)
}

#[test]
fn a_digest_is_due_once_its_minute_came() {
    let settings = Settings::default();
    assert!(!due(&settings, (2, "08:59"), (1, "09:00")));
    assert!(due(&settings, (2, "09:00"), (1, "09:00")));
    assert!(!due(&settings, (2, "15:00"), (2, "09:00")));
    // The counting began in the same minute: that one is over.
    assert!(!due(&settings, (3, "08:59"), (2, "09:00")));
    let never = Settings {
        digest_at: None,
        ..Settings::default()
    };
    assert!(!due(&never, (9, "18:00"), (1, "09:00")));
}

#[test]
fn a_computer_that_sleeps_at_the_digests_minute_makes_it_when_it_wakes() {
    let settings = Settings {
        digest_at: Some(minute(18, 0)),
        ..Settings::default()
    };
    // It is used from nine to five.
    assert!(due(&settings, (2, "09:00"), (1, "09:00")));
    assert!(!due(&settings, (2, "17:00"), (2, "09:00")));
    assert!(due(&settings, (3, "09:00"), (2, "09:00")));
    // Used in the evening again, the digest is back at its minute, and stays.
    assert!(!due(&settings, (3, "17:59"), (3, "09:00")));
    assert!(due(&settings, (3, "18:00"), (3, "09:00")));
    assert!(!due(&settings, (4, "17:59"), (3, "18:00")));
}

#[test]
fn a_digest_whose_minute_is_quiet_comes_after_the_quiet() {
    let mut settings = quiet(minute(22, 0), minute(7, 0));
    settings.digest_at = Some(minute(22, 30));
    assert!(!due(&settings, (1, "22:30"), (1, "07:00")));
    assert!(!due(&settings, (2, "06:59"), (1, "07:00")));
    assert!(due(&settings, (2, "07:00"), (1, "07:00")));
    assert!(!due(&settings, (2, "21:59"), (2, "07:00")));
    assert!(due(&settings, (3, "07:00"), (2, "07:00")));
}

/// What happens at a desk.
#[derive(Debug, Clone)]
enum Happens {
    Comes(u64),
    Settles(u64),
    Closed,
    Expires,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        5 => (0u64..200).prop_map(Happens::Comes),
        2 => (0u64..200).prop_map(Happens::Settles),
        1 => Just(Happens::Closed),
        1 => Just(Happens::Expires),
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
        // When each was shown, and what of.
        let mut shown: Vec<(Timestamp, Told)> = Vec::new();
        let mut came = HashSet::new();
        let check = |desk: &mut Desk, now: Timestamp, shown: &mut Vec<(Timestamp, Told)>| {
            let untold = desk.untold.clone();
            let open = desk.open.clone();
            let next = desk.look(now);
            let on_screen = desk.shown.standing.iter().filter(|it| !it.expired);
            prop_assert!(on_screen.count() <= STANDING);
            prop_assert!(desk.shown.standing.len() <= STANDING + EXPIRED);
            let Some(told) = next.show else {
                return Ok(());
            };
            prop_assert_eq!(held(&settings, Local::at(now, &UTC), now), None);
            // Each is open, and all that waited are among them, once.
            prop_assert!(told.units.iter().all(|unit| open.contains(unit)));
            prop_assert!(untold.iter().all(|one| told.units.contains(&one.unit)));
            let once: HashSet<_> = told.units.iter().collect();
            prop_assert_eq!(once.len(), told.units.len());
            prop_assert!(shown.last().is_none_or(|(last, _)| now >= last.plus_millis(GATHERED)));
            let fuller = shown.iter().filter(|(_, it)| it.fuller && it.since == told.since);
            prop_assert!(!told.fuller || fuller.count() < FULLER.len());
            shown.push((now, told));
            let lately = shown.iter().filter(|(at, _)| *at > now.plus_millis(-HOUR));
            prop_assert!(lately.filter(|(_, it)| !it.fuller).count() <= AN_HOUR);
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
                    if let Some(id) = newest { desk.shown.gone(id); }
                }
                Happens::Expires => {
                    let newest = desk.shown.standing.last().map(|it| it.id);
                    if let Some(id) = newest { desk.shown.expired(id); }
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
    fn one_digest_for_each_time_its_minute_comes_and_one_in_every_day(
        waits in proptest::collection::vec(0i64..30_000_000, 1..60),
        digest in 0u16..1440,
        hours in hours(),
    ) {
        let digest_at = Minute::new(digest);
        let settings = Settings { digest_at, quiet: hours, ..Settings::default() };
        let mut now = at("06:00:00");
        let mut made = now;
        let mut last = Local::at(now, &UTC);
        for wait in waits {
            now = now.plus_millis(wait);
            let local = Local::at(now, &UTC);
            if digest_is_due(&settings, local, now, last) {
                prop_assert_eq!(held(&settings, local, now), None);
                // Its minute came in between: yesterday's, or today's.
                let minute = digest_at.unwrap();
                let came = [local.day - 1, local.day].map(|day| Local { day, minute });
                prop_assert!(came.iter().any(|came| *came > last && *came <= local));
                (made, last) = (now, local);
            } else {
                // A day without one had no free minute after it.
                let free = held(&settings, local, now).is_none();
                prop_assert!(!free || now < made.plus_millis(24 * HOUR + 60_000));
            }
        }
    }

    #[test]
    fn whoever_is_always_there_gets_it_at_its_minute_or_at_the_end_of_the_quiet(
        begins in 0i64..1440,
        digest in 0u16..1440,
        hours in hours(),
    ) {
        let settings = Settings { digest_at: Minute::new(digest), quiet: hours, ..Settings::default() };
        let mut now = at("00:00:00").plus_millis(begins * 60_000);
        let mut last = Local::at(now, &UTC);
        let quiet = hours.filter(|hours| is_quiet(*hours, Minute::new(digest).unwrap()));
        let wanted = quiet.map_or(digest, |hours| hours.until.number());
        let mut made = 0;
        for _ in 0..4 * 1440 {
            now = now.plus_millis(60_000);
            let local = Local::at(now, &UTC);
            if digest_is_due(&settings, local, now, last) {
                prop_assert_eq!(local.minute.number(), wanted);
                made += 1;
                last = local;
            }
        }
        // The quiet may last beyond the fourth day.
        prop_assert!(made == 4 || (made == 3 && quiet.is_some()), "{made}");
    }
}
