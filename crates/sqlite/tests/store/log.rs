//! The log of reads.

use crate::fixture::*;
use ozbrain_core::ports::{Delivery, Store};
use ozbrain_core::words::{Timestamp, UnitId};
use ozbrain_sqlite::SqliteStore;
use std::fs;

pub fn delivery(connection: &str, unit: &UnitId, revision: u32, millis: i64) -> Delivery {
    Delivery {
        agent: agent(connection),
        unit: unit.clone(),
        revision,
        at: at(millis),
    }
}

fn first(store: &SqliteStore, connection: &str, unit: &UnitId, revision: u32) -> Option<Timestamp> {
    ask(store, |records| {
        records.delivered_to(&name(connection), unit, revision)
    })
}

#[test]
fn what_was_just_delivered_is_known_at_once_and_after_the_process_ended() {
    let (folder, store, _) = team();
    let it = id(1);
    assert_eq!(first(&store, "Cursor", &it, 1), None);
    assert!(!folder.path().join("reads.db").exists());
    store.delivered(vec![
        delivery("Cursor", &it, 1, 50),
        delivery("Cursor", &it, 1, 40),
        delivery("Claude", &it, 2, 60),
    ]);
    let check = |store: &SqliteStore| {
        assert_eq!(first(store, "Cursor", &it, 1), Some(at(40)));
        assert_eq!(first(store, "Cursor", &it, 2), None);
        assert_eq!(first(store, "Claude", &it, 2), Some(at(60)));
        assert_eq!(first(store, "Claude", &it, 1), None);
        assert_eq!(first(store, "Cursor", &id(2), 1), None);
    };
    check(&store);
    drop(store);
    let store = open(folder.path());
    check(&store);
    store.delivered(vec![delivery("Cursor", &it, 1, 90)]);
    check(&store);
}

#[test]
fn a_lookup_never_misses_what_is_being_written() {
    let (_folder, store, _) = team();
    for number in 0..1_000 {
        let unit = id(number);
        store.delivered(vec![delivery("Cursor", &unit, 1, 5)]);
        assert_eq!(first(&store, "Cursor", &unit, 1), Some(at(5)), "{number}");
        assert_eq!(first(&store, "Cursor", &id(number / 2), 1), Some(at(5)));
    }
}

#[test]
fn two_processes_may_log_at_once() {
    let (folder, one, _) = team();
    let two = open(folder.path());
    for number in 0..200 {
        one.delivered(vec![delivery("Cursor", &id(number), 1, 5)]);
        two.delivered(vec![delivery("Claude", &id(number), 1, 6)]);
    }
    drop((one, two));
    let store = open(folder.path());
    for number in 0..200 {
        assert_eq!(first(&store, "Cursor", &id(number), 1), Some(at(5)));
        assert_eq!(first(&store, "Claude", &id(number), 1), Some(at(6)));
    }
}

#[test]
fn a_damaged_log_is_put_aside_and_refuses_nothing() {
    let (folder, store, _) = team();
    store.delivered(vec![delivery("Cursor", &id(1), 1, 5)]);
    drop(store);
    let file = folder.path().join("reads.db");
    for damage in [b"no database at all".to_vec(), {
        let mut bytes = fs::read(&file).unwrap();
        bytes[100..].fill(0xA5);
        bytes
    }] {
        fs::write(&file, &damage).unwrap();
        let store = open(folder.path());
        assert_eq!(first(&store, "Cursor", &id(1), 1), None);
        store.delivered(vec![delivery("Cursor", &id(1), 1, 7)]);
        assert_eq!(first(&store, "Cursor", &id(1), 1), Some(at(7)));
        drop(store);
        assert_eq!(
            first(&open(folder.path()), "Cursor", &id(1), 1),
            Some(at(7))
        );
        assert_eq!(
            fs::read(folder.path().join("reads.db.damaged")).unwrap(),
            damage
        );
    }
}

#[test]
fn a_log_that_cannot_be_made_refuses_nothing() {
    let (folder, store, _) = team();
    fs::create_dir(folder.path().join("reads.db")).unwrap();
    store.delivered(vec![delivery("Cursor", &id(1), 1, 5)]);
    assert_eq!(first(&store, "Cursor", &id(1), 1), Some(at(5)));
}

#[test]
fn reads_are_kept_for_ninety_days() {
    let (folder, store, _) = team();
    let day = |day| at(0).plus_days(day).millis();
    store.delivered(vec![
        delivery("Cursor", &id(1), 1, day(0)),
        delivery("Cursor", &id(2), 1, day(20)),
    ]);
    drop(store);
    let store = open(folder.path());
    store.delivered(vec![delivery("Cursor", &id(3), 1, day(100))]);
    drop(store);
    let store = open(folder.path());
    assert_eq!(first(&store, "Cursor", &id(1), 1), None);
    assert_eq!(first(&store, "Cursor", &id(2), 1), Some(at(day(20))));
    assert_eq!(first(&store, "Cursor", &id(3), 1), Some(at(day(100))));
}

#[test]
fn a_log_of_the_first_schema_is_summed_up_when_it_is_opened() {
    let (folder, store, _) = team();
    let it = id(1);
    store.delivered(vec![
        delivery("Cursor", &it, 1, 50),
        delivery("Cursor", &it, 1, 40),
        delivery("Claude", &it, 2, 60),
    ]);
    let reads = |store: &SqliteStore| {
        let mut reads = ask(store, |records| records.reads_of(&it));
        reads.sort_by_key(|reads| reads.revision);
        reads
    };
    // What waits counts like what is written.
    let waiting = reads(&store);
    assert_eq!((waiting[0].times, waiting[0].first_at), (2, at(40)));
    assert_eq!((waiting[1].times, waiting[1].last_at), (1, at(60)));
    drop(store);
    let log = rusqlite::Connection::open(folder.path().join("reads.db")).unwrap();
    log.execute_batch("DROP TABLE readers; DROP TABLE calls; PRAGMA user_version = 1;")
        .unwrap();
    drop(log);
    let store = open(folder.path());
    assert_eq!(reads(&store), waiting);
    store.delivered(vec![delivery("Cursor", &it, 1, 90)]);
    assert_eq!(reads(&store)[0].times, 3);
    let seen = ask(&store, |records| records.last_seen(&name("Cursor")));
    assert_eq!(seen, Some(at(90)));
}

#[test]
fn a_call_is_known_at_once_and_to_later_processes() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let seen = |store: &SqliteStore, by: &str| ask(store, |records| records.last_seen(&name(by)));
    assert_eq!(seen(&store, "Cursor"), None);
    store.called(&name("Cursor"), at(40));
    store.called(&name("Claude"), at(41));
    assert_eq!(seen(&store, "Cursor"), Some(at(40)));
    // So near that nobody can tell: it costs nothing.
    store.called(&name("Cursor"), at(45));
    assert_eq!(seen(&store, "Cursor"), Some(at(40)));
    let later = Timestamp::from_millis(at(40).millis() + 20_000);
    store.called(&name("Cursor"), later);
    assert_eq!(seen(&store, "Cursor"), Some(later));
    drop(store);
    let store = open(folder.path());
    assert_eq!(seen(&store, "Cursor"), Some(later));
    assert_eq!(seen(&store, "Claude"), Some(at(41)));
    // A clock that was set back makes no call unheard of.
    store.called(&name("Cursor"), at(50));
    drop(store);
    let store = open(folder.path());
    assert_eq!(seen(&store, "Cursor"), Some(later));
}

#[test]
fn what_a_connection_read_last_is_known_at_once_and_to_later_processes() {
    let folder = tempfile::tempdir().unwrap();
    let last = |store: &SqliteStore, connection: &str| {
        ask(store, |records| records.last_read(&name(connection)))
    };
    let (old, new) = (UnitId::from_bits(1), UnitId::from_bits(2));
    let store = open(folder.path());
    assert_eq!(last(&store, "Cursor"), None);
    store.delivered(vec![
        delivery("Cursor", &old, 1, 10),
        delivery("Cursor", &new, 1, 20),
        delivery("Codex", &old, 1, 30),
    ]);
    assert_eq!(last(&store, "Cursor"), Some((new.clone(), at(20))));
    drop(store);
    let store = open(folder.path());
    assert_eq!(last(&store, "Cursor"), Some((new.clone(), at(20))));
    // What waits counts beside what is written.
    store.delivered(vec![delivery("Cursor", &old, 1, 40)]);
    assert_eq!(last(&store, "Cursor"), Some((old, at(40))));
    assert_eq!(last(&store, "Zed"), None);
}
