//! Stores with something in them.

use ozbrain_core::ports::{Change, NewBrain, Records, Store};
use ozbrain_core::rules::routing::analyse;
use ozbrain_core::text;
use ozbrain_core::words::{
    Agent, Ages, BrainKey, BrainKind, BrainName, Client, Connection, ConnectionName, Content,
    Event, EventKind, Measures, Outcome, Revision, Timestamp, Topic, Unit, UnitId, WritePolicy,
};
use ozbrain_core::{Refusal, Result};
use ozbrain_sqlite::SqliteStore;
use std::path::Path;
use tempfile::TempDir;

pub fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub fn topic(text: &str) -> Topic {
    Topic::parse(text).unwrap()
}

pub fn name(text: &str) -> ConnectionName {
    ConnectionName::parse(text).unwrap()
}

pub fn id(bits: u64) -> UnitId {
    UnitId::from_bits(bits)
}

pub fn agent(connection: &str) -> Agent {
    Agent {
        connection: name(connection),
        client: Some(Client {
            name: "tester".into(),
            version: "1.0".into(),
        }),
        session: format!("session of {connection}"),
    }
}

pub fn event(kind: EventKind, brain: Option<BrainKey>, unit: Option<&Unit>) -> Event {
    Event {
        id: 0,
        kind,
        brain,
        unit: unit.map(|unit| unit.id.clone()),
        revision: unit.map(|unit| unit.head.number),
        agent: agent("cli"),
        at: at(1),
        detail: None,
    }
}

pub fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(folder).unwrap()
}

/// A folder that holds a store with the brain `team`.
pub fn team() -> (TempDir, SqliteStore, BrainKey) {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let brain = brain(&store, "team");
    (folder, store, brain)
}

/// The brain of this name, made if it is missing.
pub fn brain(store: &dyn Store, name: &str) -> BrainKey {
    let name = BrainName::parse(name).unwrap();
    let wanted = name.clone();
    store
        .writing(Box::new(move |records| {
            if records.brains()?.iter().any(|brain| brain.name == wanted) {
                return Ok(vec![]);
            }
            Ok(vec![
                Change::NewBrain(NewBrain {
                    name: wanted.clone(),
                    name_tokens: 1,
                    title: wanted.to_string(),
                    kind: BrainKind::Shared,
                    write_policy: WritePolicy::Open,
                }),
                Change::Event(event(EventKind::BrainCreated, None, None)),
            ])
        }))
        .unwrap();
    let brains = store.read(|records| records.brains()).unwrap();
    brains
        .into_iter()
        .find(|brain| brain.name == name)
        .unwrap()
        .key
}

pub fn connection(text: &str) -> Connection {
    Connection {
        name: name(text),
        key_hash: None,
        created_at: at(7),
        revoked_at: None,
        waits_since: None,
    }
}

pub fn content(topic_: &str, title: Option<&str>, body: &str) -> Content {
    Content {
        topic: topic(topic_),
        title: title.map(Into::into),
        body: body.into(),
        tags: vec![],
        source: None,
        fresh_for_days: None,
    }
}

pub fn revision(number: u32, content: Content) -> Revision {
    Revision {
        number,
        tokens: u32::try_from(content.body.len()).unwrap(),
        content,
        retired: false,
        outcome: if number == 1 {
            Outcome::Created
        } else {
            Outcome::Updated
        },
        agent: agent("cli"),
        at: at(1_000 + i64::from(number)),
        event: 0,
        base: None,
        whole: true,
        parents: vec![],
        observed_at: None,
        erased: false,
    }
}

/// A first revision as a unit. It ages at 10,000 and is stale at 20,000.
pub fn unit(id: UnitId, brain: BrainKey, content: Content) -> Unit {
    let head = revision(1, content);
    Unit {
        id,
        brain,
        created_at: head.at,
        version: 1,
        sides: vec![],
        anchor: head.at,
        ages: Ages {
            aging_at: at(10_000),
            stale_at: at(20_000),
        },
        confirmed: None,
        later_until: None,
        measures: Measures {
            id: 8,
            topic: 3,
            title: 2,
            pieces: vec![text::Piece {
                text: head.content.body.chars().take(40).collect(),
                tokens: 10,
            }],
        },
        head,
    }
}

/// The changes that store a unit with a new head.
pub fn new_head(unit: &Unit, kind: EventKind) -> Vec<Change> {
    vec![
        Change::NewHead {
            unit: Box::new(unit.clone()),
            keywords: Box::new(analyse(&unit.head.content)),
        },
        Change::Event(event(kind, Some(unit.brain), Some(unit))),
    ]
}

/// Writes these changes.
pub fn apply(store: &dyn Store, changes: Vec<Change>) -> Result<()> {
    store.writing(Box::new(move |_| Ok(changes.clone())))?;
    Ok(())
}

/// Writes a new head, and gives the unit as it is stored.
pub fn put(store: &dyn Store, unit: &Unit) -> Unit {
    apply(store, new_head(unit, EventKind::Updated)).unwrap();
    get(store, unit)
}

/// The unit as it is stored.
pub fn get(store: &dyn Store, unit: &Unit) -> Unit {
    store
        .read(|records| records.unit(&[unit.brain], &unit.id))
        .unwrap()
        .unwrap()
}

/// A view's answer.
pub fn ask<T>(store: &dyn Store, work: impl FnOnce(&dyn Records) -> Result<T>) -> T {
    store.read(work).unwrap()
}

/// The refusal of a store that does not open.
pub fn refused(folder: &Path) -> Refusal {
    match SqliteStore::open(folder) {
        Ok(_) => panic!("the store opened"),
        Err(refusal) => refusal,
    }
}
