//! The store beside a bare SQLite floor, in one run: `cargo run --release
//! --example measure [UNITS]`. Only the ratios mean anything.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measuring program for those who work on the store"
)]

use ozbrain_core::ports::{Change, Narrow, NewBrain, Store};
use ozbrain_core::rules::routing::analyse;
use ozbrain_core::text::{Piece, question_terms};
use ozbrain_core::words::*;
use ozbrain_sqlite::SqliteStore;
use rusqlite::Connection;
use std::hint::black_box;
use std::time::{Duration, Instant};

struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A word; low numbers are common.
    fn word(&mut self) -> String {
        let unit = (self.roll() % 1_000_000) as f64 / 1e6;
        let rank = (5_000f64.powf(unit) - 1.0) as u64;
        let mut word = String::new();
        let mut rest = rank * 7919 + 26;
        while rest > 0 {
            word.push(char::from(b'a' + (rest % 26) as u8));
            rest /= 26;
        }
        word + "k"
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<_> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }
}

fn unit(number: u64, brain: BrainKey, body: String) -> Unit {
    let at = Timestamp::from_millis(number as i64);
    let pieces = body
        .as_bytes()
        .chunks(150)
        .map(|piece| Piece {
            text: String::from_utf8_lossy(piece).into_owned(),
            tokens: 40,
        })
        .collect();
    Unit {
        id: UnitId::from_bits(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 4),
        brain,
        created_at: at,
        head: Revision {
            number: 1,
            content: Content {
                topic: Topic::parse(&format!("area-{}/part-{}", number % 100, number % 1_000))
                    .unwrap(),
                title: Some(format!("Unit {number}")),
                body,
                tags: vec![],
                source: None,
                fresh_for_days: None,
            },
            tokens: 60,
            retired: false,
            outcome: Outcome::Created,
            agent: agent(),
            at,
            event: 0,
            base: None,
            whole: true,
            parents: vec![],
            observed_at: None,
            erased: false,
        },
        version: 1,
        sides: vec![],
        anchor: at,
        ages: Ages {
            aging_at: at.plus_days(14),
            stale_at: at.plus_days(45),
        },
        confirmed: None,
        later_until: None,
        measures: Measures {
            id: 10,
            topic: 5,
            title: 4,
            pieces,
        },
    }
}

fn agent() -> Agent {
    Agent {
        connection: ConnectionName::cli(),
        client: None,
        session: "measure".into(),
    }
}

fn event(kind: EventKind, unit: Option<&Unit>) -> Change {
    Change::Event(Event {
        id: 0,
        kind,
        brain: unit.map(|unit| unit.brain),
        unit: unit.map(|unit| unit.id.clone()),
        revision: None,
        agent: agent(),
        at: Timestamp::from_millis(0),
        detail: None,
    })
}

fn head(unit: &Unit) -> [Change; 2] {
    [
        Change::NewHead {
            unit: Box::new(unit.clone()),
            keywords: Box::new(analyse(&unit.head.content)),
        },
        event(EventKind::Created, Some(unit)),
    ]
}

fn times(mut each: impl FnMut(usize), count: usize) -> (Duration, Duration) {
    let mut all: Vec<_> = (0..count)
        .map(|index| {
            let began = Instant::now();
            each(index);
            began.elapsed()
        })
        .collect();
    all.sort();
    (all[count / 2], all[count * 95 / 100])
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| -> String {
        let line = status.lines().find(|line| line.starts_with(name));
        line.unwrap_or_default()
            .split_whitespace()
            .nth(1)
            .unwrap_or("?")
            .into()
    };
    format!(
        "{} KiB, of it anonymous {} KiB",
        line("VmRSS"),
        line("RssAnon")
    )
}

fn main() {
    let count: u64 = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000);
    if let Some(folder) = std::env::var_os("MEASURE_OPEN") {
        return open_only(folder.as_ref());
    }
    if let Some(folder) = std::env::var_os("MEASURE_WRITE") {
        return write_only(folder.as_ref());
    }
    let folder = tempfile::tempdir_in(".").unwrap();
    let floor_file = folder.path().join("floor.db");
    let floor = Connection::open(&floor_file).unwrap();
    floor
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             CREATE TABLE units (key INTEGER PRIMARY KEY, id TEXT UNIQUE, topic TEXT, title TEXT, body TEXT);
             CREATE VIRTUAL TABLE words USING fts5(title, topic, tags, body, content='', tokenize='porter');",
        )
        .unwrap();

    let data = folder.path().join("data");
    let store = SqliteStore::open(&data).unwrap();
    store
        .writing(Box::new(|_| {
            Ok(vec![
                Change::NewBrain(NewBrain {
                    name: BrainName::personal(),
                    name_tokens: 1,
                    title: "x".into(),
                    kind: BrainKind::Personal,
                    write_policy: WritePolicy::Open,
                }),
                event(EventKind::BrainCreated, None),
            ])
        }))
        .unwrap();
    let brain = BrainKey(1);
    let mut dice = Dice(42);
    let bodies: Vec<String> = (0..count + 1_000).map(|_| dice.words(60)).collect();
    floor.execute_batch("PRAGMA synchronous = OFF").unwrap();
    for number in 0..count {
        insert_floor(&floor, number, &bodies[number as usize]);
    }
    floor.execute_batch("PRAGMA synchronous = FULL").unwrap();
    for batch in (0..count).collect::<Vec<_>>().chunks(50) {
        let changes: Vec<Change> = batch
            .iter()
            .flat_map(|&number| head(&unit(number, brain, bodies[number as usize].clone())))
            .collect();
        store
            .writing(Box::new(move |_| Ok(changes.clone())))
            .unwrap();
    }

    let show = |name: &str, floor: (Duration, Duration), ours: (Duration, Duration)| {
        println!(
            "{name}: floor {:?} (p95 {:?}), ours {:?} (p95 {:?}), {:.2} ×",
            floor.0,
            floor.1,
            ours.0,
            ours.1,
            ours.0.as_secs_f64() / floor.0.as_secs_f64()
        );
    };
    let prepared: Vec<_> = (count..count + 1_000)
        .map(|number| head(&unit(number, brain, bodies[number as usize].clone())).to_vec())
        .collect();
    for round in 0..2usize {
        let bare = times(
            |n| {
                let n = count as usize + round * 500 + n;
                insert_floor(&floor, n as u64, &bodies[n]);
            },
            500,
        );
        let ours = times(
            |n| {
                let changes = prepared[round * 500 + n].clone();
                store
                    .writing(Box::new(move |_| Ok(changes.clone())))
                    .unwrap();
            },
            500,
        );
        show("lone write, FULL", bare, ours);
    }

    let mut questions = Dice(7);
    let asked: Vec<String> = (0..400).map(|_| questions.words(1)).collect();
    let asked3: Vec<String> = (0..400).map(|_| questions.words(3)).collect();
    for (name, asked) in [("one word", &asked), ("three words", &asked3)] {
        for limit in [20, 60] {
            let bare = times(
                |n| {
                    let question = asked[n].replace(' ', " OR ");
                    let mut statement = floor
                    .prepare_cached(
                        "SELECT rowid, bm25(words, 3.0, 2.0, 2.5, 1.0) AS s FROM words WHERE words MATCH ?1 ORDER BY s LIMIT ?2",
                    )
                    .unwrap();
                    let rows = statement
                        .query_map((question, limit), |row| {
                            Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?))
                        })
                        .unwrap();
                    let rows: Vec<_> = rows.map(Result::unwrap).collect();
                    let mut card = floor.prepare_cached("SELECT id, topic, title, substr(body, 1, 200) FROM units WHERE key = ?1").unwrap();
                    for (key, _) in &rows {
                        black_box(
                            card.query_row([key], |row| {
                                Ok((
                                    row.get::<_, String>(0)?,
                                    row.get::<_, String>(1)?,
                                    row.get::<_, Option<String>>(2)?,
                                    row.get::<_, String>(3)?,
                                ))
                            })
                            .unwrap(),
                        );
                    }
                    black_box(rows);
                },
                400,
            );
            let ours = times(
                |n| {
                    let terms = question_terms(&asked[n]);
                    let found = (&store as &dyn Store)
                        .read(|r| {
                            r.by_keywords(&[brain], &terms, Narrow::default(), limit as usize)
                        })
                        .unwrap();
                    black_box(found);
                },
                400,
            );
            show(&format!("{name}, {limit} cards"), bare, ours);
        }
    }
    let (units, totals, listing) = (
        times(
            |_| {
                black_box(
                    (&store as &dyn Store)
                        .read(|r| r.counts(brain, Timestamp::from_millis(5)))
                        .unwrap(),
                );
            },
            100,
        ),
        times(
            |_| {
                black_box(
                    (&store as &dyn Store)
                        .read(|r| r.card_totals(&[brain], Narrow::default()))
                        .unwrap(),
                );
            },
            100,
        ),
        times(
            |_| {
                black_box(
                    (&store as &dyn Store)
                        .read(|r| r.cards(&[brain], Narrow::default(), 20))
                        .unwrap(),
                );
            },
            100,
        ),
    );
    println!("counts {units:?}, card_totals {totals:?}, cards {listing:?}");
    let id = unit(77, brain, String::new()).id;
    println!(
        "unit {:?}",
        times(
            |_| {
                black_box(
                    (&store as &dyn Store)
                        .read(|r| r.unit(&[brain], &id))
                        .unwrap(),
                );
            },
            400
        )
    );
    println!(
        "brains {:?}",
        times(
            |_| {
                black_box((&store as &dyn Store).read(|r| r.brains()).unwrap());
            },
            400
        )
    );
    drop(store);
    together(folder.path());
    println!(
        "file {} KiB",
        std::fs::metadata(data.join("ozbrain.db")).unwrap().len() / 1024
    );
    for _ in 0..3 {
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .env("MEASURE_OPEN", &data)
            .status();
        assert!(status.unwrap().success());
    }
}

fn insert_floor(floor: &Connection, number: u64, body: &str) {
    floor
        .prepare_cached("BEGIN IMMEDIATE")
        .unwrap()
        .execute([])
        .unwrap();
    let it = unit(number, BrainKey(1), body.into());
    floor
        .prepare_cached("INSERT INTO units (id, topic, title, body) VALUES (?1, ?2, ?3, ?4)")
        .unwrap()
        .execute((
            it.id.as_str(),
            it.head.content.topic.as_str(),
            &it.head.content.title,
            body,
        ))
        .unwrap();
    floor
        .prepare_cached(
            "INSERT INTO words (rowid, title, topic, tags, body) VALUES (?1, ?2, ?3, '', ?4)",
        )
        .unwrap()
        .execute((
            floor.last_insert_rowid(),
            &it.head.content.title,
            it.head.content.topic.as_str(),
            body,
        ))
        .unwrap();
    floor.prepare_cached("COMMIT").unwrap().execute([]).unwrap();
}

/// Four processes that write 200 units each at once.
fn together(folder: &std::path::Path) {
    for what in ["floor", "ours"] {
        let began = Instant::now();
        let children: Vec<_> = (0..4)
            .map(|child| {
                std::process::Command::new(std::env::current_exe().unwrap())
                    .env("MEASURE_WRITE", folder)
                    .env("MEASURE_WHAT", what)
                    .env("MEASURE_FIRST", (10_000_000 + child * 1_000).to_string())
                    .stdout(std::process::Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let mut said = String::new();
        for child in children {
            said += &String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout);
        }
        let took = began.elapsed();
        println!("four processes, 800 writes, {what}: {took:?}\n{said}");
    }
}

fn write_only(folder: &std::path::Path) {
    let first: u64 = std::env::var("MEASURE_FIRST").unwrap().parse().unwrap();
    let mut dice = Dice(first);
    let mut refused = 0;
    let took = if std::env::var("MEASURE_WHAT").unwrap() == "floor" {
        let floor = Connection::open(folder.join("floor.db")).unwrap();
        floor.execute_batch("PRAGMA synchronous = FULL").unwrap();
        floor.busy_timeout(Duration::from_secs(60)).unwrap();
        times(
            |n| insert_floor(&floor, first + n as u64, &dice.words(60)),
            200,
        )
    } else {
        let store = SqliteStore::open(&folder.join("data")).unwrap();
        times(
            |n| {
                let changes = head(&unit(first + n as u64, BrainKey(1), dice.words(60)));
                let written = store.writing(Box::new(move |_| Ok(changes.to_vec())));
                refused += u32::from(written.is_err());
            },
            200,
        )
    };
    println!(
        "  a write {:?} (p95 {:?}), refused {refused}",
        took.0, took.1
    );
}

fn open_only(folder: &std::path::Path) {
    let base = memory();
    let began = Instant::now();
    let store = SqliteStore::open(folder).unwrap();
    let opened = began.elapsed();
    let terms = question_terms(&Dice(3).words(3));
    let terms_at = began.elapsed();
    let found = (&store as &dyn Store)
        .read(|r| {
            r.brains()?;
            r.by_keywords(&[BrainKey(1)], &terms, Narrow::default(), 20)
        })
        .unwrap();
    let answered = began.elapsed();
    let before = memory();
    let mut dice = Dice(9);
    let searches = Instant::now();
    for _ in 0..500 {
        let terms = question_terms(&dice.words(3));
        (&store as &dyn Store)
            .read(|r| r.by_keywords(&[BrainKey(1)], &terms, Narrow::default(), 60))
            .unwrap();
    }
    println!("{:?} a search", searches.elapsed() / 500);
    println!(
        "open {opened:?}, terms by {terms_at:?}, first answer ({}) by {answered:?}; memory at start {base}; then {before}; after 500 searches {}",
        found.len(),
        memory()
    );
}
