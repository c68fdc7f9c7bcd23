//! Writes: all or none, alone or with others.

use crate::fixture::*;
use ozbrain_core::ports::{Change, Store};
use ozbrain_core::words::EventKind;
use ozbrain_core::{Code, Refusal};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::thread;

#[test]
fn a_refusal_reaches_the_caller_and_nothing_is_written() {
    let (_folder, store, _) = team();
    let before = ask(&store, |records| records.last_event());
    let refusal = store
        .writing(Box::new(|_| Err(Refusal::invalid("No."))))
        .unwrap_err();
    assert_eq!(refusal, Refusal::invalid("No."));
    assert_eq!(ask(&store, |records| records.last_event()), before);
}

#[test]
fn changes_are_applied_all_or_none() {
    let (_folder, store, team) = team();
    let good = unit(id(1), team, content("p", None, "good"));
    let twin = unit(id(2), team, content("p", None, "same address"));
    let mut changes = new_head(&good, EventKind::Created);
    changes.extend(new_head(&twin, EventKind::Created));
    let refusal = apply(&store, changes).unwrap_err();
    assert_eq!(refusal.code, Code::Unavailable);
    assert!(!ask(&store, |records| records.id_taken(&good.id)));
    assert_eq!(put(&store, &good).head.content.body, "good");
}

#[test]
fn a_revision_needs_its_event() {
    let (_folder, store, team) = team();
    let good = unit(id(1), team, content("p", None, "good"));
    let mut changes = new_head(&good, EventKind::Created);
    changes.pop();
    assert_eq!(apply(&store, changes).unwrap_err().code, Code::Unavailable);
    assert!(!ask(&store, |records| records.id_taken(&good.id)));
}

#[test]
fn a_decision_sees_what_was_written_before_it_and_no_reader_sees_half() {
    let (_folder, store, team) = team();
    let store = Arc::new(store);
    for number in 1..=20 {
        let it = unit(id(number), team, content(&format!("t/{number}"), None, "x"));
        let writer = Arc::clone(&store);
        let seen = (&*writer as &dyn Store)
            .write(move |records| {
                Ok((
                    new_head(&it, EventKind::Created),
                    records.counts(team, at(0))?.units,
                ))
            })
            .unwrap();
        assert_eq!(u64::from(seen), number - 1);
    }
}

#[test]
fn a_read_stays_at_its_moment_while_others_write() {
    let (_folder, store, team) = team();
    ask(&store, |records| {
        assert_eq!(records.counts(team, at(0))?.units, 0);
        put(&store, &unit(id(1), team, content("p", None, "x")));
        assert_eq!(records.counts(team, at(0))?.units, 0);
        assert_eq!(ask(&store, |now| now.counts(team, at(0))).units, 1);
        Ok(())
    });
}

/// Of writes that share a transaction one refuses, one breaks a rule of the
/// store, one panics and one changes nothing: the others are written.
#[test]
fn writes_that_share_a_commit_fail_alone() {
    let (_folder, store, team) = team();
    put(&store, &unit(id(1), team, content("taken", None, "x")));
    let store = Arc::new(store);
    let (holding, held) = channel();
    let (release, released) = channel::<()>();
    let first = thread::spawn({
        let store = Arc::clone(&store);
        move || {
            store.writing(Box::new(move |_| {
                holding.send(()).unwrap();
                released.recv().unwrap();
                Ok(vec![])
            }))
        }
    });
    held.recv().unwrap();
    let (queued, all_queued) = channel();
    let mut writers = Vec::new();
    for number in 10..20_u64 {
        let store = Arc::clone(&store);
        let queued = queued.clone();
        writers.push(thread::spawn(move || {
            let topic = if number == 13 {
                "taken".into()
            } else {
                format!("t/{number}")
            };
            let it = unit(id(number), team, content(&topic, None, "x"));
            queued.send(()).unwrap();
            store.writing(Box::new(move |records| {
                assert!(!records.id_taken(&it.id)?);
                match number {
                    11 => Err(Refusal::invalid("No.")),
                    12 => panic!("a mistake"),
                    14 => Ok(vec![]),
                    _ => Ok(new_head(&it, EventKind::Created)),
                }
            }))
        }));
    }
    for _ in 0..10 {
        all_queued.recv().unwrap();
    }
    release.send(()).unwrap();
    first.join().unwrap().unwrap();
    let answers: Vec<_> = writers.into_iter().map(|it| it.join().unwrap()).collect();
    for (number, answer) in (10..20_u64).zip(answers) {
        let written = ask(&*store, |records| records.id_taken(&id(number)));
        match number {
            11 => assert_eq!(answer.unwrap_err().code, Code::Invalid),
            12 | 13 => assert_eq!(answer.unwrap_err().code, Code::Unavailable),
            14 => assert_eq!(answer.unwrap(), None),
            _ => assert!(answer.unwrap().is_some()),
        }
        assert_eq!(written, !(11..=14).contains(&number), "{number}");
    }
    put(&*store, &unit(id(30), team, content("after", None, "x")));
}

#[test]
fn a_panic_in_a_read_leaves_the_store_usable() {
    let (_folder, store, team) = team();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = store.reading(&mut |_| panic!("a mistake"));
    }));
    assert!(panicked.is_err());
    put(&store, &unit(id(1), team, content("p", None, "x")));
}

#[test]
fn threads_on_two_stores_lose_nothing_and_share_one_order() {
    let (folder, one, team) = team();
    let stores = [Arc::new(one), Arc::new(open(folder.path()))];
    let start = Arc::new(Barrier::new(8));
    let threads: Vec<_> = (0..8_u64)
        .map(|thread| {
            let store = Arc::clone(&stores[usize::try_from(thread % 2).unwrap()]);
            let start = Arc::clone(&start);
            thread::spawn(move || {
                start.wait();
                for number in 0..25 {
                    let number = thread * 1_000 + number;
                    put(
                        &*store,
                        &unit(id(number), team, content(&format!("t/{number}"), None, "x")),
                    );
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    ask(&*stores[0], |records| {
        assert_eq!(records.counts(team, at(0))?.units, 200);
        let events = records.events_after(0, usize::MAX)?;
        let places: Vec<u64> = events.iter().map(|event| event.id).collect();
        assert_eq!(places, (1..=201).collect::<Vec<_>>());
        Ok(())
    });
}

#[test]
fn a_heartbeat_and_an_empty_decision_write_no_event() {
    let (_folder, store, _) = team();
    let before = ask(&store, |records| records.last_event());
    apply(&store, vec![Change::Heartbeat(at(5))]).unwrap();
    apply(&store, vec![]).unwrap();
    assert_eq!(ask(&store, |records| records.last_event()), before);
}
