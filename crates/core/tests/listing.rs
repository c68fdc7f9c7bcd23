//! What is listed, what is left out, and what changed.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails where a step does"
)]

use ozbrain_core::Code;
use ozbrain_core::shapes::{ConfirmInput, HistoryInput, TopicsInput, Verdict, WriteInput};
use ozbrain_core::use_cases;
use ozbrain_core::views::activity::ActivityInput;
use ozbrain_core::views::acts::EraseInput;
use ozbrain_core::words::{BrainKind, EventKind, Freshness, Grant, Topic, WritePolicy};
use ozbrain_testkit::{Actor, World, titled};

#[test]
fn what_an_ambiguous_address_may_mean_is_as_old_as_it_is() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    cursor
        .write_with(titled("clients", "Acme", "They pay late"))
        .unwrap();
    cursor
        .write_with(titled("clients", "Meridian", "They pay"))
        .unwrap();
    world.pass(20);
    let by_topic = cursor.write("clients", "They all pay").unwrap_err();
    let read = cursor.fetch("team:clients").unwrap_err();
    let taken = cursor.write_with(titled("clients", "Third", "x")).unwrap();
    let taken = cursor
        .write_with(WriteInput {
            id: Some(taken.id.to_string()),
            title: Some("acme".into()),
            ..WriteInput::default()
        })
        .unwrap_err();
    for refusal in [by_topic, read, taken] {
        assert_eq!(refusal.code, Code::Ambiguous);
        assert!(!refusal.pointers.is_empty());
        for pointer in refusal.pointers {
            assert_eq!(pointer.freshness, Freshness::Aging, "{}", pointer.title);
        }
    }
}

#[test]
fn topics_that_are_left_out_are_counted_by_their_units() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    for topic in 0..200 {
        cursor.write(&format!("a{topic:03}"), "short").unwrap();
    }
    let whole = |body| cursor.write_with(body).unwrap();
    whole(titled("b/deep", "One", "Four words and more"));
    whole(titled("b/deep", "Two", "Four words and more"));
    let price: u64 = ["team:b/deep#one", "team:b/deep#two"]
        .map(|id| u64::from(cursor.fetch(id).unwrap().metadata.tokens))
        .iter()
        .sum();
    let reply = use_cases::topics(cursor.call(), TopicsInput::default()).unwrap();
    assert_eq!(reply.topics.len(), 200);
    assert_eq!(reply.left_out.count, 2);
    assert_eq!(reply.left_out.tokens, price);
    assert_eq!(reply.left_out.reasons, ["limit"]);
}

#[test]
fn every_topic_can_be_gone_through() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    for topic in ["b/c", "b-c", "b", "a/z/y", "c"] {
        cursor.write(topic, topic).unwrap();
        cursor
            .write_with(WriteInput {
                brain: "personal".into(),
                topic: Some(topic.into()),
                body: Some(topic.into()),
                ..WriteInput::default()
            })
            .unwrap();
    }
    let whole = use_cases::topics_after(cursor.call(), None, usize::MAX).unwrap();
    assert!(!whole.1);
    assert_eq!(whole.0.len(), 10);
    for most in 1..=11 {
        let mut gone_through = Vec::new();
        loop {
            let after = gone_through.last();
            let after = after.map(|row: &ozbrain_core::shapes::TopicRow| {
                (row.brain.as_str().to_owned(), row.topic.clone())
            });
            let after = after.as_ref().map(|(brain, topic)| (brain.as_str(), topic));
            let (rows, more) = use_cases::topics_after(cursor.call(), after, most).unwrap();
            gone_through.extend(rows);
            if !more {
                break;
            }
        }
        assert_eq!(gone_through, whole.0, "{most}");
    }
}

#[test]
fn events_that_a_history_leaves_out_are_counted() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let id = cursor.write("a", "It holds").unwrap().id.to_string();
    for _ in 0..9 {
        cursor
            .confirm(ConfirmInput {
                id: id.clone(),
                revision: Some(1),
                verdict: Some(Verdict::StillTrue),
                body: None,
            })
            .unwrap();
    }
    let history = |limit| {
        let id = id.clone();
        use_cases::history(
            cursor.call(),
            HistoryInput {
                id,
                limit: Some(limit),
            },
        )
        .unwrap()
    };
    let short = history(1);
    assert_eq!(short.events.len(), 4);
    assert_eq!(short.left_out.count, 6);
    assert_eq!(short.left_out.reasons, ["events"]);
    assert_eq!(history(3).left_out.count, 0);
}

#[test]
fn a_move_is_told_with_where_the_unit_stood() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let reader = world.agent("Reader");
    let id = cursor
        .write("old/place", "It stands")
        .unwrap()
        .id
        .to_string();
    let began = reader.session.began;
    let (_, after) = use_cases::changes_after(reader.call(), began).unwrap();
    cursor
        .write_with(WriteInput {
            id: Some(id.clone()),
            topic: Some("new/place".into()),
            ..WriteInput::default()
        })
        .unwrap();
    let (rows, newest) = use_cases::changes_after(reader.call(), after).unwrap();
    let topic = |text| Some(Topic::parse(text).unwrap());
    assert_eq!(rows[0].topic, topic("new/place"));
    assert_eq!(rows[0].was, topic("old/place"));
    assert_eq!(
        use_cases::newest_change(reader.call(), &id).unwrap(),
        newest
    );
    cursor.write("new/place", "It still stands").unwrap();
    let (rows, _) = use_cases::changes_after(reader.call(), newest).unwrap();
    assert_eq!(rows[0].was, None);
}

#[test]
fn a_grant_is_told_to_whom_it_concerns() {
    let world = World::new();
    let person = world.agent("cli");
    let (reader, other) = (world.agent("Reader"), world.agent("Other"));
    for grant in [Grant::None, Grant::Read] {
        let began = use_cases::changes_after(reader.call(), 0).unwrap().1;
        use_cases::grant(person.call(), "team", "Reader", grant, None).unwrap();
        let (rows, _) = use_cases::changes_after(reader.call(), began).unwrap();
        assert_eq!(rows.len(), 1, "{grant:?}");
        assert_eq!(rows[0].kind, EventKind::Granted);
        assert_eq!(rows[0].brain.is_none(), grant == Grant::None);
    }
    use_cases::grant(person.call(), "team", "Other", Grant::None, None).unwrap();
    let began = use_cases::changes_after(other.call(), 0).unwrap().1;
    use_cases::grant(person.call(), "team", "Reader", Grant::None, None).unwrap();
    let (rows, _) = use_cases::changes_after(other.call(), began).unwrap();
    assert_eq!(rows, []);
}

#[test]
fn a_brain_that_one_may_not_read_is_made_and_erased_untold() {
    let world = World::new();
    let you = world.agent("you");
    let (reader, other) = (world.agent("Reader"), world.agent("Other"));
    use_cases::create_brain(
        you.call(),
        "secret",
        None,
        BrainKind::Shared,
        WritePolicy::Open,
    )
    .unwrap();
    use_cases::grant(you.call(), "secret", "Other", Grant::None, None).unwrap();
    let kinds = |actor: &Actor<'_>| -> Vec<&'static str> {
        let (rows, _) = use_cases::changes_after(actor.call(), 0).unwrap();
        rows.iter().map(|row| row.kind.as_str()).collect()
    };
    let before = (kinds(&reader), kinds(&other));
    assert_eq!(
        before
            .0
            .iter()
            .filter(|kind| **kind == "brain_created")
            .count(),
        3
    );
    // `personal` and `team`, and that something was taken away.
    assert_eq!(before.1, ["brain_created", "brain_created", "granted"]);
    let erase = |brain: &str| {
        let brain = brain.into();
        use_cases::erase(you.call(), EraseInput::Brain { brain }).unwrap();
    };
    erase("secret");
    assert_eq!(kinds(&other), ["brain_created", "brain_created"]);
    assert_eq!(kinds(&reader), ["brain_created", "brain_created", "erased"]);
    // Whoever comes later could never read it.
    assert_eq!(
        kinds(&world.agent("Newcomer")),
        ["brain_created", "brain_created"]
    );
    erase("team");
    assert_eq!(kinds(&other), ["brain_created", "erased"]);
    assert_eq!(
        kinds(&you).iter().filter(|kind| **kind == "erased").count(),
        2
    );
    let activity = use_cases::activity(you.call(), ActivityInput::default()).unwrap();
    let row = &activity.events[0];
    assert_eq!((row.kind.as_str(), &row.decision), ("erased", &None));
}
