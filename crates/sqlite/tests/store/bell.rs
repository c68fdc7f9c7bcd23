//! Changes are heard, whoever made them.

use crate::fixture::*;
use ozbrain_core::ports::{Change, Store};
use ozbrain_core::words::EventKind;
use ozbrain_sqlite::SqliteStore;
use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

fn listen(store: &SqliteStore) -> Receiver<()> {
    let (heard, hears) = channel();
    store.on_change(Box::new(move || {
        let _ = heard.send(());
    }));
    hears
}

fn change(store: &SqliteStore) {
    apply(
        store,
        vec![Change::Event(event(EventKind::Noted, None, None))],
    )
    .unwrap();
}

#[test]
fn a_change_is_heard_by_its_own_store_and_by_another() {
    let (folder, one, _) = team();
    let two = open(folder.path());
    let (own, also, other) = (listen(&one), listen(&one), listen(&two));
    for _ in 0..5 {
        change(&one);
        for hears in [&own, &also, &other] {
            hears.recv_timeout(SOON).unwrap();
        }
    }
}

#[test]
fn a_callback_may_read_and_write() {
    let (_folder, store, team) = team();
    let store = Arc::new(store);
    let (heard, hears) = channel();
    let inner = Arc::downgrade(&store);
    store.on_change(Box::new(move || {
        let Some(store) = inner.upgrade() else { return };
        if !ask(&*store, |records| records.id_taken(&id(1))) {
            put(&*store, &unit(id(1), team, content("p", None, "x")));
        }
        let _ = heard.send(ask(&*store, |records| records.last_event()));
    }));
    change(&store);
    while hears.recv_timeout(SOON).unwrap() < 3 {}
}

#[test]
fn what_wakes_nobody_is_not_heard() {
    let (folder, one, _) = team();
    let two = open(folder.path());
    let (heard, hears) = channel();
    let reader = open(folder.path());
    two.on_change(Box::new(move || {
        let _ = heard.send(ask(&reader, |records| records.last_event()));
    }));
    let mut last = 1;
    for millis in 0..5 {
        apply(&one, vec![Change::Heartbeat(at(millis))]).unwrap();
        change(&one);
        let event = hears.recv_timeout(SOON).unwrap();
        assert_eq!(event, last + 1);
        last = event;
    }
}

#[test]
fn a_bell_that_was_taken_away_is_hung_again() {
    let (folder, one, _) = team();
    let two = open(folder.path());
    let hears = listen(&two);
    change(&one);
    hears.recv_timeout(SOON).unwrap();
    for _ in 0..3 {
        fs::remove_file(folder.path().join("doorbell")).unwrap();
        change(&one);
        hears.recv_timeout(SOON).unwrap();
    }
}

#[test]
fn nothing_is_heard_from_a_store_that_ended() {
    let (_folder, store, _) = team();
    let hears = listen(&store);
    change(&store);
    hears.recv_timeout(SOON).unwrap();
    drop(store);
    assert_eq!(
        hears.recv_timeout(SOON),
        Err(RecvTimeoutError::Disconnected)
    );
}
