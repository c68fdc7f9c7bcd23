//! Two units joined: through the use cases, on a real store.

use ozbrain_core::Code;
use ozbrain_core::shapes::{
    Choice, ConfirmInput, ConfirmOutcome, ResolveInput, TopicsInput, Verdict, WriteInput,
};
use ozbrain_core::use_cases::{self, join, undo, undoable};
use ozbrain_core::views::acts::{JoinOutcome, JoinReply, UndoOutcome};
use ozbrain_core::views::proposals::{AcceptInput, ProposalView, RejectInput};
use ozbrain_core::words::{BrainKind, Field, Freshness, Outcome, UnitId, WritePolicy};
use ozbrain_testkit::{Actor, World, titled};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[expect(clippy::panic, reason = "a test ends where its write is refused")]
fn make(actor: &Actor<'_>, topic: &str, title: &str, body: &str) -> UnitId {
    match actor.write_with(titled(topic, title, body)) {
        Ok(reply) => reply.id,
        Err(refused) => panic!("{refused}"),
    }
}

#[expect(clippy::panic, reason = "a test ends where its join is refused")]
fn joined(world: &World, id: &UnitId, other: &UnitId) -> JoinReply {
    let (one, two) = (world.unit(id), world.unit(other));
    let person = world.agent("you");
    let reply = join(
        person.call(),
        id.as_str(),
        one.head.number,
        other.as_str(),
        two.head.number,
    );
    match reply {
        Ok(reply) => reply,
        Err(refused) => panic!("{refused}"),
    }
}

fn decide(world: &World, id: &UnitId, choice: Choice) {
    let reply = world.agent("you").resolve(ResolveInput {
        id: id.to_string(),
        version: world.unit(id).version,
        choice,
        revision: (choice == Choice::Restore).then_some(1),
        body: None,
        title: None,
        tags: None,
        source: None,
        decision: "So".into(),
    });
    assert!(reply.is_ok(), "{reply:?}");
}

/// Every address by which the two were known.
fn addresses(id: &UnitId, other: &UnitId) -> [String; 6] {
    [
        id.to_string(),
        other.to_string(),
        format!("ozbrain:{other}"),
        "team:deal#Price".into(),
        "team:deal#Cost".into(),
        // Where the other stood before it moved.
        "team:old#Cost".into(),
    ]
}

/// Two units about one fact; the other moved once.
fn two(world: &World) -> (UnitId, UnitId) {
    let cursor = world.agent("Cursor");
    let id = make(&cursor, "deal", "Price", "It costs 100");
    let other = make(&cursor, "old", "Cost", "It costs 120");
    let moved = cursor.write_with(WriteInput {
        id: Some(other.to_string()),
        topic: Some("deal".into()),
        ..WriteInput::default()
    });
    assert!(moved.is_ok());
    (id, other)
}

#[test]
fn every_address_leads_to_the_survivor() {
    let world = World::new();
    let (id, other) = two(&world);
    let reply = joined(&world, &id, &other);
    assert_eq!((reply.outcome, reply.revision), (JoinOutcome::Joined, 2));
    let agent = world.agent("Claude");
    for address in addresses(&id, &other) {
        let fetched = agent.fetch(&address).unwrap();
        assert_eq!(
            (&fetched.id, fetched.text.as_str()),
            (&id, "It costs 120"),
            "{address}"
        );
        assert!(fetched.metadata.conflicted);
    }
    // Writing, confirming and retiring by the other id reach it too.
    decide(&world, &id, Choice::KeepHead);
    let input = WriteInput {
        id: Some(other.to_string()),
        body: Some("It costs 130".into()),
        ..WriteInput::default()
    };
    let wrote = agent.write_with(input).unwrap();
    assert_eq!((&wrote.id, wrote.revision), (&id, 4));
    let by_title = agent
        .write_with(titled("deal", "Cost", "It costs 140"))
        .unwrap();
    assert_eq!((&by_title.id, by_title.revision), (&id, 5));
    let confirmed = agent.confirm(ConfirmInput {
        id: other.to_string(),
        revision: Some(5),
        verdict: Some(Verdict::StillTrue),
        body: None,
    });
    assert_eq!(confirmed.unwrap().id, id);
    assert_eq!(agent.retire(other.as_str(), None).unwrap().id, id);
}

#[test]
fn the_sides_are_what_differs_and_the_age_is_the_others() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let other = make(&cursor, "deal", "Cost", "It costs 120");
    let input = WriteInput {
        tags: Some(vec!["money".into()]),
        ..titled("deal", "Price", "It costs 100")
    };
    world.pass(20);
    let id = cursor.write_with(input).unwrap().id;
    let reply = joined(&world, &id, &other);
    let now = world.unit(&id);
    assert_eq!(now.head.outcome, Outcome::Joined);
    assert!(now.head.agent.is_person());
    assert_eq!(now.sides[0].revision.number, 1);
    assert_eq!(
        now.sides[0].disputed,
        [Field::Title, Field::Body, Field::Tags]
    );
    let fetched = cursor.fetch(id.as_str()).unwrap();
    assert_eq!(fetched.metadata.freshness, Freshness::Aging);
    // The displaced text can be had back.
    decide(&world, &id, Choice::Restore);
    let fetched = cursor.fetch(other.as_str()).unwrap();
    assert_eq!(
        (fetched.title.as_str(), fetched.text.as_str()),
        ("Price", "It costs 100")
    );
    assert!(reply.event.is_some());
}

#[test]
fn the_other_is_in_no_list_count_or_index_and_its_past_stays() {
    let world = World::new();
    let (id, other) = two(&world);
    joined(&world, &id, &other);
    let agent = world.agent("Claude");
    let found = agent.search("costs").unwrap().results;
    assert_eq!(found.iter().map(|it| &it.id).collect::<Vec<_>>(), [&id]);
    let topics = use_cases::topics(agent.call(), TopicsInput::default())
        .unwrap()
        .topics;
    assert_eq!(topics.iter().map(|row| row.units).sum::<u32>(), 1);
    let brains = use_cases::brains(agent.call(), ozbrain_core::shapes::BrainsInput {}).unwrap();
    let team = brains
        .brains
        .iter()
        .find(|row| row.brain.as_str() == "team")
        .unwrap();
    assert_eq!((team.units, team.conflicted), (1, 1));
    let past = world.store().read(|records| {
        assert!(records.id_taken(&other)?);
        records.revisions(&other, 9)
    });
    let bodies: Vec<String> = past
        .unwrap()
        .into_iter()
        .map(|it| it.content.body)
        .collect();
    assert_eq!(bodies, ["It costs 120", "It costs 120"]);
}

/// A number that was read of the other must not vouch for another text that
/// came to have it here.
#[test]
fn a_revision_of_the_other_is_none_of_the_survivor() {
    let world = World::new();
    let (id, other) = two(&world);
    let claude = world.agent("Claude");
    claude
        .write_with(titled("deal", "Cost", "It costs 120"))
        .unwrap();
    let tagged = WriteInput {
        id: Some(other.to_string()),
        tags: Some(vec!["money".into()]),
        ..WriteInput::default()
    };
    world.agent("Cursor").write_with(tagged).unwrap();
    assert_eq!(claude.fetch(other.as_str()).unwrap().metadata.revision, 3);
    joined(&world, &id, &other);
    decide(&world, &id, Choice::Restore);
    assert_eq!(world.unit(&id).head.number, 3);
    let still_true = || {
        let input = ConfirmInput {
            id: other.to_string(),
            revision: Some(3),
            verdict: Some(Verdict::StillTrue),
            body: None,
        };
        claude.confirm(input).unwrap().outcome
    };
    assert_eq!(still_true(), ConfirmOutcome::Moved);
    assert_eq!(claude.fetch(other.as_str()).unwrap().text, "It costs 100");
    assert_eq!(still_true(), ConfirmOutcome::Confirmed);
}

#[test]
fn joins_lead_on_through_each_other() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let [a, b, c] = ["A", "B", "C"].map(|title| make(&cursor, "deal", title, title));
    joined(&world, &b, &a);
    decide(&world, &b, Choice::KeepHead);
    joined(&world, &c, &b);
    for address in [
        a.as_str(),
        b.as_str(),
        "team:deal#A",
        "team:deal#B",
        "team:deal#C",
    ] {
        assert_eq!(cursor.fetch(address).unwrap().id, c, "{address}");
    }
}

#[test]
fn an_undone_join_restores_both() {
    let world = World::new();
    let (id, other) = two(&world);
    let (one, two) = (world.unit(&id), world.unit(&other));
    world.pass(3);
    let you = world.agent("you");
    let event = joined(&world, &id, &other).event.unwrap();
    let of_other = world
        .store()
        .read(|records| records.unit_events(&other, 1))
        .unwrap();
    assert_eq!(
        undoable(you.call(), &[event, of_other[0].id])
            .unwrap()
            .len(),
        2
    );
    world.pass(3);
    let undone = undo(you.call(), event).unwrap();
    assert_eq!(
        (undone.outcome, undone.revision),
        (UndoOutcome::Undone, Some(3))
    );
    let back = world.unit(&id);
    assert_eq!(back.head.content, one.head.content);
    assert_eq!((back.anchor, back.sides.len()), (one.anchor, 0));
    assert_eq!(world.unit(&other), two);
    let cursor = world.agent("Cursor");
    for (address, unit) in [
        ("team:deal#Price", &id),
        ("team:deal#Cost", &other),
        ("team:old#Cost", &other),
    ] {
        assert_eq!(cursor.fetch(address).unwrap().id, *unit, "{address}");
    }
    assert_eq!(cursor.search("costs").unwrap().results.len(), 2);
    // And again, and back again.
    let again = undo(you.call(), undone.event.unwrap()).unwrap();
    assert_eq!(again.outcome, UndoOutcome::Undone);
    for address in addresses(&id, &other) {
        assert_eq!(
            cursor.fetch(&address).unwrap().text,
            "It costs 120",
            "{address}"
        );
        assert_eq!(cursor.fetch(&address).unwrap().id, id, "{address}");
    }
    assert_eq!(world.unit(&id).sides.len(), 1);
    assert_eq!(
        undo(you.call(), again.event.unwrap()).unwrap().outcome,
        UndoOutcome::Undone
    );
    assert_eq!(world.unit(&other), two);
}

#[test]
fn whoever_went_on_keeps_a_join_from_being_undone() {
    let world = World::new();
    let (id, other) = two(&world);
    let you = world.agent("you");
    let before = world
        .store()
        .read(|records| records.unit_events(&other, 1))
        .unwrap()[0]
        .id;
    let event = joined(&world, &id, &other).event.unwrap();
    // What was done to the other before waits for the join.
    let moved = undo(you.call(), before).unwrap();
    assert_eq!(
        (moved.outcome, moved.id.as_ref()),
        (UndoOutcome::Moved, Some(&id))
    );
    assert!(moved.message.unwrap().contains("was joined into"));
    decide(&world, &id, Choice::KeepHead);
    assert_eq!(undo(you.call(), event).unwrap().outcome, UndoOutcome::Moved);
    assert!(undoable(you.call(), &[event, before]).unwrap().is_empty());
    // The decision undone, so can the join be; and then the move before it.
    let settled = world
        .store()
        .read(|records| records.unit_events(&id, 1))
        .unwrap()[0]
        .id;
    undo(you.call(), settled).unwrap();
    assert_eq!(
        undo(you.call(), event).unwrap().outcome,
        UndoOutcome::Undone
    );
    assert_eq!(
        undo(you.call(), before).unwrap().outcome,
        UndoOutcome::Undone
    );
    assert_eq!(world.unit(&other).head.content.topic.as_str(), "old");
}

#[test]
fn a_third_unit_at_the_others_place_keeps_a_join_from_being_undone() {
    let world = World::new();
    let (id, other) = two(&world);
    let you = world.agent("you");
    let event = joined(&world, &id, &other).event.unwrap();
    let move_to = |unit: &UnitId, title: &str| {
        let input = WriteInput {
            id: Some(unit.to_string()),
            title: Some(title.into()),
            ..WriteInput::default()
        };
        you.write_with(input).unwrap().event.unwrap()
    };
    let renamed = move_to(&id, "New");
    let third = make(&you, "deal", "Third", "Else");
    let taken = move_to(&third, "Cost");
    assert_eq!(undo(you.call(), event).unwrap().outcome, UndoOutcome::Moved);
    undo(you.call(), taken).unwrap();
    undo(you.call(), renamed).unwrap();
    assert_eq!(
        undo(you.call(), event).unwrap().outcome,
        UndoOutcome::Undone
    );
}

#[test]
fn what_cannot_be_joined_is_refused_and_nothing_changes() {
    let world = World::new();
    let (id, other) = two(&world);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let refused = |id: &UnitId, other: &UnitId| {
        let (one, two) = (world.unit(id).head.number, world.unit(other).head.number);
        join(you.call(), id.as_str(), one, other.as_str(), two)
            .unwrap_err()
            .code
    };
    for agent in [&cursor, &world.agent("cli")] {
        let only = join(agent.call(), id.as_str(), 1, other.as_str(), 2).unwrap_err();
        assert_eq!(only.code, Code::NotAllowed);
    }
    assert_eq!(refused(&id, &id), Code::Invalid);
    use_cases::create_brain(
        you.call(),
        "second",
        None,
        BrainKind::Shared,
        WritePolicy::Open,
    )
    .unwrap();
    let there = WriteInput {
        brain: "second".into(),
        ..titled("deal", "Price", "It costs 90")
    };
    let there = cursor.write_with(there).unwrap().id;
    assert_eq!(refused(&id, &there), Code::Invalid);
    let moved = join(you.call(), id.as_str(), 1, other.as_str(), 1).unwrap();
    assert_eq!((moved.outcome, moved.event), (JoinOutcome::Moved, None));
    let clash = world
        .agent("Claude")
        .write_with(titled("deal", "Cost", "It costs 150"))
        .unwrap();
    assert!(clash.conflict.is_some());
    assert_eq!(refused(&id, &other), Code::Conflicted);
    decide(&world, &other, Choice::KeepHead);
    you.retire(other.as_str(), None).unwrap();
    assert_eq!(refused(&id, &other), Code::Invalid);
    assert_eq!(refused(&other, &id), Code::Invalid);
    assert_eq!(world.unit(&id).head.number, 1);
}

#[derive(Debug, Clone)]
enum Step {
    Write(u8, u8),
    Move(u8, u8, u8),
    Join(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (0..3u8, 0..3u8).prop_map(|(topic, title)| Step::Write(topic, title)),
        2 => (0..9u8, 0..3u8, 0..3u8).prop_map(|(unit, topic, title)| Step::Move(unit, topic, title)),
        3 => (0..9usize, 0..9usize).prop_map(|(id, other)| Step::Join(id, other)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 300, ..ProptestConfig::default() })]

    /// What led to the other leads to the survivor, all else where it led; and
    /// once the join is undone, everything leads where it did.
    #[test]
    fn a_join_leads_all_that_led_to_the_other(steps in proptest::collection::vec(step(), 3..14)) {
        let world = World::new();
        let (cursor, you) = (world.agent("Cursor"), world.agent("you"));
        let mut ids: Vec<UnitId> = Vec::new();
        let mut addresses: BTreeSet<String> = BTreeSet::new();
        let lead = |addresses: &BTreeSet<String>| -> BTreeMap<String, Option<UnitId>> {
            let onlooker = world.agent("Onlooker");
            let id = |address: &String| onlooker.fetch(address).ok().map(|found| found.id);
            addresses.iter().map(|address| (address.clone(), id(address))).collect()
        };
        for step in steps {
            match step {
                Step::Write(topic, title) => {
                    let (topic, title) = (format!("at-{topic}"), format!("T{title}"));
                    let reply = cursor.write_with(titled(&topic, &title, &format!("Text {}", ids.len())));
                    let id = reply.unwrap().id;
                    addresses.extend([id.to_string(), format!("team:{topic}#{title}")]);
                    if !ids.contains(&id) {
                        ids.push(id);
                    }
                }
                Step::Move(unit, topic, title) => {
                    let Some(id) = ids.get(usize::from(unit)) else { continue };
                    let (topic, title) = (format!("at-{topic}"), format!("T{title}"));
                    addresses.insert(format!("team:{topic}#{title}"));
                    // A place may be taken.
                    let _ = cursor.write_with(WriteInput {
                        id: Some(id.to_string()),
                        topic: Some(topic),
                        title: Some(title),
                        ..WriteInput::default()
                    });
                }
                Step::Join(id, other) => {
                    let (Some(id), Some(other)) = (ids.get(id), ids.get(other)) else { continue };
                    let (one, two) = (world.unit(id), world.unit(other));
                    let before = lead(&addresses);
                    let reply = join(
                        you.call(), id.as_str(), one.head.number, other.as_str(), two.head.number,
                    );
                    let Ok(reply) = reply else {
                        prop_assert_eq!(lead(&addresses), before);
                        continue;
                    };
                    let after = lead(&addresses);
                    for (address, led) in &before {
                        let wanted = if *led == Some(two.id.clone()) { Some(one.id.clone()) } else { led.clone() };
                        prop_assert_eq!(&after[address], &wanted, "{}", address);
                    }
                    let undone = undo(you.call(), reply.event.unwrap()).unwrap();
                    prop_assert_eq!(undone.outcome, UndoOutcome::Undone, "{:?}", undone.message);
                    prop_assert_eq!(lead(&addresses), before);
                    prop_assert_eq!(world.unit(&two.id), two);
                    undo(you.call(), undone.event.unwrap()).unwrap();
                    prop_assert_eq!(lead(&addresses), after);
                    decide(&world, &one.id, Choice::KeepHead);
                }
            }
        }
        world.store().read(|records| records.check()).unwrap();
    }
}

/// A brain of review with two units about one fact, and what Cursor proposes
/// for the second after reading it.
#[expect(clippy::unwrap_used, reason = "a test ends where its scene is not set")]
fn proposed(world: &World) -> (UnitId, UnitId) {
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = make(&you, "deal", "Price", "It costs 100");
    let other = make(&you, "deal", "Cost", "It costs 120");
    cursor.fetch(other.as_str()).unwrap();
    cursor
        .write_with(titled("deal", "Cost", "It costs 130"))
        .unwrap();
    (id, other)
}

/// How many proposals wait about a unit, and the newest of the store's.
#[expect(clippy::unwrap_used, reason = "a test ends where it cannot look")]
fn waiting(world: &World, id: &UnitId) -> (u32, Option<ProposalView>, u32) {
    let you = world.agent("you");
    let (mut all, total) = use_cases::proposals(you.call(), 0, 9).unwrap();
    let about = use_cases::unit_view(you.call(), id.as_str(), false).unwrap();
    let newest = (!all.is_empty()).then(|| all.remove(0));
    (about.proposals, newest, total)
}

#[test]
fn what_waits_for_a_joined_unit_waits_for_the_survivor_until_the_join_is_undone() {
    let world = World::with(WritePolicy::Review);
    let (id, other) = proposed(&world);
    // The numbers are alike: those of the other say nothing of the survivor.
    let before = waiting(&world, &other).1.unwrap();
    assert_eq!((before.moved, before.base.is_some()), (false, true));
    let joined = joined(&world, &id, &other);
    let (about, newest, _) = waiting(&world, &id);
    let newest = newest.unwrap();
    assert_eq!((about, newest.unit.as_ref()), (1, Some(&id)));
    assert_eq!((newest.moved, newest.base), (true, None));
    undo(world.agent("you").call(), joined.event.unwrap()).unwrap();
    assert_eq!(waiting(&world, &id).0, 0);
    let (about, newest, _) = waiting(&world, &other);
    assert_eq!((about, newest), (1, Some(before)));
}

#[test]
fn of_two_units_joined_at_one_number_no_proposal_looks_unmoved() {
    let world = World::with(WritePolicy::Review);
    let (id, other) = proposed(&world);
    // The other is at 2 when it is proposed for anew, the survivor will be too.
    let you = world.agent("you");
    you.write_with(titled("deal", "Cost", "It costs 125"))
        .unwrap();
    let cursor = world.agent("Cursor");
    cursor.fetch(other.as_str()).unwrap();
    cursor
        .write_with(titled("deal", "Cost", "It costs 131"))
        .unwrap();
    joined(&world, &id, &other);
    assert_eq!(world.unit(&id).head.number, 2);
    let newest = waiting(&world, &id).1.unwrap();
    assert!(newest.moved);
    let accepted = use_cases::accept(
        you.call(),
        AcceptInput {
            id: newest.id,
            revision: Some(2),
            ..AcceptInput::default()
        },
    );
    assert_eq!(accepted.unwrap().id.as_deref(), Some(id.as_str()));
    assert_eq!(waiting(&world, &id), (0, None, 0));
}

#[test]
fn an_agents_next_proposal_replaces_what_it_proposed_for_both() {
    let world = World::with(WritePolicy::Review);
    let (id, other) = proposed(&world);
    let cursor = world.agent("Cursor");
    let tags = WriteInput {
        id: Some(id.to_string()),
        tags: Some(vec!["price".into()]),
        ..WriteInput::default()
    };
    cursor.write_with(tags).unwrap();
    // Someone else's stays.
    world
        .agent("Claude")
        .write_with(titled("deal", "Cost", "It costs 150"))
        .unwrap();
    joined(&world, &id, &other);
    assert_eq!(waiting(&world, &id).0, 3);
    cursor.fetch(id.as_str()).unwrap();
    let next = WriteInput {
        id: Some(other.to_string()),
        source: Some("the price list".into()),
        ..WriteInput::default()
    };
    let notice = cursor.write_with(next).unwrap().notice.unwrap();
    assert!(notice.contains("before waits with it"), "{notice}");
    let (about, newest, total) = waiting(&world, &id);
    let newest = newest.unwrap();
    assert_eq!((about, total, newest.unit.as_ref()), (2, 2, Some(&id)));
    // What only an earlier one supplied waits on, and on no number of another.
    assert_eq!(newest.content.body, "It costs 130");
    assert_eq!(newest.content.tags, ["price"]);
    assert_eq!(newest.content.source.as_deref(), Some("the price list"));
    assert_eq!((newest.moved, newest.base), (true, None));
}

#[test]
fn a_rejection_stands_in_the_survivors_history() {
    let world = World::with(WritePolicy::Review);
    let (id, other) = proposed(&world);
    joined(&world, &id, &other);
    let you = world.agent("you");
    let reject = RejectInput {
        id: waiting(&world, &id).1.unwrap().id,
        reason: Some("It is 120".into()),
    };
    use_cases::reject(you.call(), reject).unwrap();
    let history = world.agent("Cursor").history(other.as_str()).unwrap();
    assert_eq!(history.events[0].decision.as_deref(), Some("It is 120"));
}
