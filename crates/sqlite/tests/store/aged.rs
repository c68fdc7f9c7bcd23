//! The units that agents read since they turned aging.

use crate::fixture::*;
use crate::log::delivery;
use ozbrain_core::ports::{Change, Store};
use ozbrain_core::words::{
    BrainKey, EventKind, Field, FreshnessRule, Side, Thresholds, Timestamp, Unit,
};
use ozbrain_sqlite::SqliteStore;
use proptest::prelude::*;

/// What may happen to one of a few units.
#[derive(Debug, Clone)]
enum Happens {
    /// It is written; it ages from then on. Perhaps another process does it.
    Written(u64, i64, bool),
    /// It is in conflict, or retired, or neither any more.
    Stands(u64, bool, bool),
    /// It is given to a connection, perhaps by another process.
    Read(u64, &'static str, i64, bool),
    /// It is erased, and who read it is forgotten.
    Erased(u64),
    /// The Inbox looks.
    Looked(i64),
}

fn happens() -> impl Strategy<Value = Happens> {
    let unit = || 1..6_u64;
    let when = || 0..100_i64;
    let who = prop_oneof![Just("Cursor"), Just("Claude"), Just("you")];
    prop_oneof![
        3 => (unit(), when(), any::<bool>()).prop_map(|(u, at, other)| Happens::Written(u, at, other)),
        2 => (unit(), any::<bool>(), any::<bool>()).prop_map(|(u, c, r)| Happens::Stands(u, c, r)),
        6 => (unit(), who, when(), any::<bool>()).prop_map(|(u, who, at, other)| Happens::Read(u, who, at, other)),
        1 => unit().prop_map(Happens::Erased),
        4 => when().prop_map(Happens::Looked),
    ]
}

/// A unit as the test knows it, and who read it when.
#[derive(Default)]
struct Known {
    unit: Option<Unit>,
    erased: bool,
    reads: Vec<(&'static str, i64)>,
}

/// Reads since each turned aging, of those that wait at `now`.
fn expected(known: &[Known], now: Timestamp) -> Vec<(String, u32)> {
    let mut all: Vec<_> = known
        .iter()
        .filter_map(|it| {
            let unit = it.unit.as_ref()?;
            let aging_at = unit.ages.aging_at;
            let reads = it.reads.iter();
            let since = reads.filter(|(who, when)| *who != "you" && at(*when) >= aging_at);
            let times = u32::try_from(since.count()).unwrap();
            let waits = aging_at <= now && !unit.head.retired && unit.sides.is_empty();
            (waits && times > 0).then(|| (unit.id.to_string(), times))
        })
        .collect();
    all.sort();
    all
}

fn found(store: &SqliteStore, brain: BrainKey, now: Timestamp) -> Vec<(String, u32)> {
    let read = ask(store, |records| records.aging_read(&[brain], now));
    let mut all: Vec<_> = read
        .into_iter()
        .map(|it| (it.unit.to_string(), it.reads))
        .collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What is kept from one look to the next is what a first look would find.
    #[test]
    fn whatever_happens_between_two_looks_the_second_finds_what_was_read_since_it_aged(
        all in prop::collection::vec(happens(), 1..60)
    ) {
        let (folder, store, brain) = team();
        let mut known: Vec<Known> = (0..6).map(|_| Known::default()).collect();
        for one in all {
            match one {
                Happens::Written(number, ages, other) => {
                    let place = usize::try_from(number).unwrap();
                    if known[place].erased {
                        continue;
                    }
                    let title = format!("Unit {number}");
                    let mut next = known[place]
                        .unit
                        .clone()
                        .unwrap_or_else(|| unit(id(number), brain, content("a", Some(&title), "It holds.")));
                    if known[place].unit.is_some() {
                        next.head.number += 1;
                    }
                    next.ages.aging_at = at(ages);
                    let writer = other.then(|| open(folder.path()));
                    known[place].unit = Some(put(writer.as_ref().unwrap_or(&store), &next));
                }
                Happens::Stands(number, conflicted, retired) => {
                    let place = usize::try_from(number).unwrap();
                    let Some(mut next) = known[place].unit.clone() else { continue };
                    next.sides = if conflicted {
                        vec![Side { revision: next.head.clone(), disputed: vec![Field::Body] }]
                    } else {
                        vec![]
                    };
                    next.head.number += 1;
                    next.head.retired = retired;
                    known[place].unit = Some(put(&store, &next));
                }
                Happens::Read(number, who, when, other) => {
                    let read = vec![delivery(who, &id(number), 1, when)];
                    // A store that closes has written what it was given.
                    if other {
                        open(folder.path()).delivered(read);
                    } else {
                        store.delivered(read);
                    }
                    known[usize::try_from(number).unwrap()].reads.push((who, when));
                }
                Happens::Erased(number) => {
                    let it = &mut known[usize::try_from(number).unwrap()];
                    let Some(unit) = it.unit.take() else { continue };
                    it.erased = true;
                    let erased = event(EventKind::Erased, Some(brain), None);
                    apply(&store, vec![Change::EraseUnit(unit.id), Change::Event(erased)]).unwrap();
                }
                Happens::Looked(now) => {
                    prop_assert_eq!(found(&store, brain, at(now)), expected(&known, at(now)));
                }
            }
        }
        prop_assert_eq!(found(&store, brain, at(100)), expected(&known, at(100)));
    }
}

#[test]
fn a_policy_that_makes_units_age_sooner_is_followed() {
    let (_folder, store, brain) = team();
    let mut late = unit(id(1), brain, content("a", None, "It holds."));
    late.ages.aging_at = at(5_000);
    let late = put(&store, &late);
    store.delivered(vec![delivery("Cursor", &late.id, 1, 2_000)]);
    assert_eq!(found(&store, brain, at(3_000)), vec![]);
    let team = ask(&store, |records| records.brains()).remove(0);
    let mut sooner = team.clone();
    sooner.freshness_rules = vec![FreshnessRule {
        topic: None,
        thresholds: Thresholds::Days { aging: 0, stale: 1 },
    }];
    apply(
        &store,
        vec![
            Change::PutBrain(Box::new(sooner)),
            Change::Event(event(EventKind::BrainChanged, Some(brain), None)),
        ],
    )
    .unwrap();
    // The read before counts now.
    assert_eq!(
        found(&store, brain, at(3_000)),
        vec![(late.id.to_string(), 1)]
    );
}
