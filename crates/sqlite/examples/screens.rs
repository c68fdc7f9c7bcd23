//! What the screens cost in a large store: `cargo run --release --example
//! screens [UNITS]`. Medians of 21 calls.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measuring program for those who work on the store"
)]

use ozbrain_core::ports::{Change, Delivery, NewBrain, Store};
use ozbrain_core::rules::routing::analyse;
use ozbrain_core::text::pieces;
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::views::activity::ActivityInput;
use ozbrain_core::views::brains::{FreshnessRuleView, UpdateBrainInput};
use ozbrain_core::views::inbox::{InboxInput, ReviewInput};
use ozbrain_core::views::units::{FindInput, UnitOrder, UnitsInput};
use ozbrain_core::words::*;
use ozbrain_sqlite::SqliteStore;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const BRAIN: BrainKey = BrainKey(1);
const DAY: i64 = 86_400_000;

fn agent(connection: &str) -> Agent {
    Agent {
        connection: ConnectionName::parse(connection).unwrap(),
        client: None,
        session: format!("session of {connection}"),
    }
}

/// One in 40 is in conflict; a third each are fresh, aging and stale.
fn unit(number: u64, now: Timestamp) -> Unit {
    let at = now.plus_days(-i64::try_from(number % 60).unwrap());
    let body = format!(
        "Fact {number} of the team: word{} word{} word{} holds until it is said otherwise. \
         It was agreed on in meeting {}.",
        number % 97,
        number % 1009,
        number % 7919,
        number % 313
    );
    let revision = |number_, at| Revision {
        erased: false,
        number: number_,
        content: Content {
            topic: Topic::parse(&format!("area-{}/part-{}", number % 10, number % 1_000)).unwrap(),
            title: Some(format!("Unit {number}")),
            body: body.clone(),
            tags: vec![],
            source: None,
            fresh_for_days: None,
        },
        tokens: 40,
        retired: number % 50 == 7,
        outcome: Outcome::Created,
        agent: agent("Cursor"),
        at,
        event: 0,
        base: None,
        whole: true,
        parents: vec![],
        observed_at: None,
    };
    let head = revision(1, at);
    let sides = if number % 40 == 3 {
        vec![Side {
            revision: head.clone(),
            disputed: vec![Field::Body],
        }]
    } else {
        vec![]
    };
    Unit {
        later_until: None,
        id: UnitId::from_bits(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 4),
        brain: BRAIN,
        created_at: at,
        version: 1,
        sides,
        anchor: at,
        ages: Ages {
            aging_at: at.plus_days(14),
            stale_at: at.plus_days(45),
        },
        confirmed: None,
        measures: Measures {
            id: 10,
            topic: 5,
            title: 4,
            pieces: pieces(&head.content.body),
        },
        head,
    }
}

fn event(kind: EventKind, unit: &Unit, by: &str, at: Timestamp) -> Change {
    Change::Event(Event {
        id: 0,
        kind,
        brain: Some(BRAIN),
        unit: Some(unit.id.clone()),
        revision: Some(1),
        agent: agent(by),
        at,
        detail: Some("The person said so".into()),
    })
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[10]
}

fn main() {
    let units: u64 = std::env::args()
        .nth(1)
        .map_or(100_000, |units| units.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    let now = Timestamp::from_millis(1_790_000_000_000);
    store
        .writing(Box::new(move |_| {
            Ok(vec![Change::NewBrain(NewBrain {
                name: BrainName::personal(),
                name_tokens: 1,
                title: "Personal".into(),
                kind: BrainKind::Personal,
                write_policy: WritePolicy::Open,
            })])
        }))
        .unwrap();
    for first in (0..units).step_by(2_000) {
        let decide = move || {
            let mut changes = Vec::new();
            for number in first..(first + 2_000).min(units) {
                let unit = unit(number, now);
                let created = event(EventKind::Created, &unit, "Cursor", unit.created_at);
                let keywords = Box::new(analyse(&unit.head.content));
                changes.push(Change::NewHead {
                    unit: Box::new(unit.clone()),
                    keywords,
                });
                changes.push(created);
                if number % 40 == 5 {
                    let lately = Timestamp::from_millis(now.millis() - (number as i64 % 12) * DAY);
                    changes.push(event(EventKind::Resolved, &unit, "Claude", lately));
                }
            }
            changes
        };
        store.writing(Box::new(move |_| Ok(decide()))).unwrap();
    }
    // 90,000 reads of 9,000 units in 90 days.
    let reads = (0..90_000_u64).map(|n| Delivery {
        agent: agent(["Cursor", "Claude", "Codex"][n as usize % 3]),
        unit: unit((n * 37) % units.min(9_000), now).id,
        revision: 1,
        at: Timestamp::from_millis(now.millis() - (90_000 - n as i64) * 90 * DAY / 90_000),
    });
    store.delivered(reads.collect());
    drop(store);
    let store = SqliteStore::open(folder.path()).unwrap();
    let session = Arc::new(Session::new(agent("you"), 0));
    let call = Call {
        store: &store,
        session: &session,
        now,
    };

    let list = |what: &str, input: UnitsInput| {
        let total = use_cases::units(call, input.clone()).unwrap().total;
        let took = median(|| {
            black_box(use_cases::units(call, input.clone()).unwrap());
        });
        println!("units {what}: {took:.1?} (of {total})");
    };
    for (name, order) in [
        ("needs", UnitOrder::Needs),
        ("latest", UnitOrder::Latest),
        ("title", UnitOrder::Title),
    ] {
        for offset in [0, 2_000, 60_000] {
            let what = format!("by {name} from {offset}");
            let input = UnitsInput {
                order,
                offset,
                ..UnitsInput::default()
            };
            list(&what, input);
        }
    }
    for topic in ["area-3", "area-3/part-33"] {
        let input = UnitsInput {
            topic: Some(topic.into()),
            ..UnitsInput::default()
        };
        list(&format!("in {topic}"), input);
    }
    for offset in [0, 2_400, 4_900] {
        let input = InboxInput {
            offset,
            ..InboxInput::default()
        };
        let total = use_cases::inbox(call, input.clone(), now).unwrap().total;
        let took = median(|| {
            black_box(use_cases::inbox(call, input.clone(), now).unwrap());
        });
        println!("inbox from {offset}: {took:.1?} (of {total})");
    }
    let took = median(|| {
        black_box(use_cases::state(call, "1", now).unwrap());
    });
    println!("state: {took:.1?}");
    for offset in [0, 20_000] {
        let input = ReviewInput {
            offset,
            limit: None,
        };
        let total = use_cases::review(call, input.clone()).unwrap().total;
        let took = median(|| {
            black_box(use_cases::review(call, input.clone()).unwrap());
        });
        println!("review from {offset}: {took:.1?} (of {total})");
    }
    for query in ["wo", "word7", "meet", "fact 99"] {
        let input = FindInput {
            query: Some(query.into()),
            ..FindInput::default()
        };
        let took = median(|| {
            black_box(use_cases::find(call, input.clone()).unwrap());
        });
        println!("search {query}: {took:.1?}");
    }
    let took = median(|| {
        black_box(use_cases::activity(call, ActivityInput::default()).unwrap());
    });
    println!("activity: {took:.1?}");
    let took = median(|| {
        black_box(use_cases::brain_views(call).unwrap());
    });
    println!("brains: {took:.1?}");
    let began = Instant::now();
    let input = UpdateBrainInput {
        freshness: Some(vec![FreshnessRuleView {
            topic: None,
            aging: Some(20),
            stale: Some(60),
            never: None,
        }]),
        ..UpdateBrainInput::default()
    };
    use_cases::update_brain(call, "personal", input).unwrap();
    println!("new freshness policy: {:.1?}", began.elapsed());
}
