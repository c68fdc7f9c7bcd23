//! One act taken back: through the use cases, on a real store.

use ozbrain_core::Code;
use ozbrain_core::shapes::{
    Choice, ConfirmInput, ConfirmOutcome, ResolveInput, Verdict, WriteInput, WriteOutcome,
};
use ozbrain_core::use_cases::{self, later, return_unit, undo, undoable};
use ozbrain_core::views::acts::{Hinders, ReturnOutcome, UndoOutcome};
use ozbrain_core::views::brains::UpdateBrainInput;
use ozbrain_core::views::history::UnitHistoryInput;
use ozbrain_core::views::proposals::{AcceptInput, ProposalView, RejectInput};
use ozbrain_core::words::{
    Ages, Confirmed, Content, EventId, EventKind, Field, Freshness, Outcome, Timestamp, Unit,
    UnitId, WritePolicy,
};
use ozbrain_testkit::{Actor, World};
use proptest::prelude::*;

/// What an undo must give back.
#[derive(Debug, Clone, PartialEq)]
struct Stand {
    content: Content,
    retired: bool,
    sides: Vec<(u32, Vec<Field>)>,
    anchor: Timestamp,
    ages: Ages,
    confirmed: Option<Confirmed>,
    later_until: Option<Timestamp>,
}

fn stand(unit: &Unit) -> Stand {
    Stand {
        content: unit.head.content.clone(),
        retired: unit.head.retired,
        sides: unit
            .sides
            .iter()
            .map(|side| (side.revision.number, side.disputed.clone()))
            .collect(),
        anchor: unit.anchor,
        ages: unit.ages,
        confirmed: unit.confirmed.clone(),
        later_until: unit.later_until,
    }
}

/// The newest event of a unit.
#[expect(clippy::panic, reason = "a test ends where nothing happened")]
fn newest(world: &World, id: &UnitId) -> (EventId, EventKind) {
    let events = world.store().read(|records| records.unit_events(id, 1));
    match events.as_deref() {
        Ok([event]) => (event.id, event.kind),
        other => panic!("no event: {other:?}"),
    }
}

fn resolve(
    actor: &Actor<'_>,
    id: &UnitId,
    version: u32,
    choice: Choice,
    side: u32,
) -> Option<EventId> {
    let reply = actor.resolve(ResolveInput {
        id: id.to_string(),
        version,
        choice,
        revision: (choice == Choice::Restore).then_some(side),
        body: (choice == Choice::Merged).then(|| "Merged".into()),
        title: None,
        tags: None,
        source: None,
        decision: "So".into(),
    });
    reply.ok()?.event
}

fn still_true(actor: &Actor<'_>, id: &UnitId, revision: u32) -> Option<EventId> {
    let reply = actor.confirm(ConfirmInput {
        id: id.to_string(),
        revision: Some(revision),
        verdict: Some(Verdict::StillTrue),
        body: None,
    });
    reply.ok()?.event
}

#[derive(Debug, Clone)]
enum Act {
    Write(u8),
    Append,
    Tag(u8),
    Move(u8),
    Check(i64),
    Retire,
    Return,
    Confirm,
    Change(u8),
    Resolve(u8),
    Later,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0..4u8).prop_map(Act::Write),
        1 => Just(Act::Append),
        2 => (0..3u8).prop_map(Act::Tag),
        1 => (0..3u8).prop_map(Act::Move),
        1 => (0..40i64).prop_map(Act::Check),
        2 => Just(Act::Retire),
        1 => Just(Act::Return),
        2 => Just(Act::Confirm),
        1 => (0..4u8).prop_map(Act::Change),
        2 => (0..3u8).prop_map(Act::Resolve),
        1 => Just(Act::Later),
    ]
}

/// Plays an act on a unit. Gives its event, if something happened.
fn play(
    actor: &Actor<'_>,
    person: &Actor<'_>,
    world: &World,
    id: &UnitId,
    act: &Act,
) -> Option<EventId> {
    let now = world.unit(id);
    let write = |input: WriteInput| {
        let input = WriteInput {
            id: Some(id.to_string()),
            ..input
        };
        actor.write_with(input).ok()?.event
    };
    match act {
        Act::Write(text) => write(WriteInput {
            body: Some(format!("Text {text}")),
            ..WriteInput::default()
        }),
        Act::Append => write(WriteInput {
            append: Some("More".into()),
            ..WriteInput::default()
        }),
        Act::Tag(tag) => write(WriteInput {
            tags: Some(vec![format!("tag {tag}")]),
            ..WriteInput::default()
        }),
        Act::Move(title) => write(WriteInput {
            title: Some(format!("Title {title}")),
            ..WriteInput::default()
        }),
        Act::Check(days) => write(WriteInput {
            body: Some(now.head.content.body.clone()),
            source: Some("file".into()),
            observed_at: Some(world.now().plus_days(-days).to_string()),
            ..WriteInput::default()
        }),
        Act::Retire => actor.retire(id.as_str(), None).ok()?.event,
        Act::Return => {
            return_unit(actor.call(), id.as_str(), now.head.number)
                .ok()?
                .event
        }
        Act::Confirm => still_true(actor, id, now.head.number),
        Act::Change(text) => {
            actor.fetch(id.as_str()).ok()?;
            let reply = actor.confirm(ConfirmInput {
                id: id.to_string(),
                revision: Some(now.head.number),
                verdict: Some(Verdict::Changed),
                body: Some(format!("Text {text}")),
            });
            reply.ok()?.event
        }
        Act::Resolve(how) => {
            let side = now.sides.first()?.revision.number;
            let choice = [Choice::KeepHead, Choice::Restore, Choice::Merged][usize::from(*how)];
            resolve(actor, id, now.version, choice, side)
        }
        Act::Later => later(person.call(), id.as_str(), Some(3)).ok()?.event,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 300, ..ProptestConfig::default() })]

    /// Each act, undone at once, leaves what stood before; undone again, what
    /// it had made; and so on.
    #[test]
    fn what_is_undone_is_as_it_was(acts in proptest::collection::vec((0..3usize, act(), 0..3u8, 0..20i64), 1..10)) {
        let world = World::new();
        let person = world.agent("you");
        let agents = [world.agent("Cursor"), world.agent("Claude"), world.agent("you")];
        let id = agents[0].write("status", "Text 0").unwrap().id;
        for (agent, act, undos, days) in acts {
            world.pass(days);
            let before = stand(&world.unit(&id));
            let Some(mut event) = play(&agents[agent], &person, &world, &id, &act) else {
                prop_assert_eq!(stand(&world.unit(&id)), before);
                continue;
            };
            let after = stand(&world.unit(&id));
            if after == before {
                // A moment that was seen before moves nothing.
                let refused = undo(person.call(), event).unwrap_err();
                prop_assert_eq!(refused.code, Code::Invalid);
                continue;
            }
            for turn in 0..undos {
                world.pass(1);
                let version = world.unit(&id).version;
                prop_assert_eq!(undoable(person.call(), &[event]).unwrap(), vec![event]);
                let reply = undo(person.call(), event).unwrap();
                prop_assert_eq!(reply.outcome, UndoOutcome::Undone, "{:?}", reply.message);
                let now = world.unit(&id);
                let wanted = if turn % 2 == 0 { &before } else { &after };
                prop_assert_eq!(&stand(&now), wanted, "{:?}, turn {}", act, turn);
                prop_assert_eq!(reply.revision, Some(now.head.number));
                prop_assert!(now.version >= version);
                prop_assert_eq!(newest(&world, &id), (reply.event.unwrap(), EventKind::Undone));
                prop_assert!(undoable(person.call(), &[event]).unwrap().is_empty());
                event = reply.event.unwrap();
            }
        }
    }

    /// All that was done, undone from the newest on, leaves what stood first;
    /// and no text ever leaves the revisions.
    #[test]
    fn all_of_it_can_be_undone_backwards(acts in proptest::collection::vec((0..3usize, act(), 0..9i64), 1..9)) {
        let world = World::new();
        let person = world.agent("you");
        let agents = [world.agent("Cursor"), world.agent("Claude"), world.agent("you")];
        let id = agents[0].write("status", "Text 0").unwrap().id;
        let mut stood = Vec::new();
        let mut texts = Vec::new();
        for (agent, act, days) in acts {
            world.pass(days);
            let before = stand(&world.unit(&id));
            let event = play(&agents[agent], &person, &world, &id, &act);
            let after = world.unit(&id);
            if let Some(event) = event.filter(|_| stand(&after) != before) {
                stood.push((event, before));
            }
            texts.push(after.head.content.body);
        }
        while let Some((event, before)) = stood.pop() {
            let reply = undo(person.call(), event).unwrap();
            prop_assert_eq!(reply.outcome, UndoOutcome::Undone, "{:?}", reply.message);
            prop_assert_eq!(stand(&world.unit(&id)), before);
        }
        let kept: Vec<String> = world.store().read(|records| records.revisions(&id, 999)).unwrap()
            .into_iter().map(|revision| revision.content.body).collect();
        for text in texts {
            prop_assert!(kept.contains(&text), "{text} is gone");
        }
    }

    /// What is undone out of order either changes nothing, or exactly what the
    /// act had changed; it never opens a conflict.
    #[test]
    fn an_undo_touches_only_what_the_act_did(
        acts in proptest::collection::vec((0..3usize, act(), 0..9i64), 2..9),
        which in 0..9usize,
    ) {
        let world = World::new();
        let person = world.agent("you");
        let agents = [world.agent("Cursor"), world.agent("Claude"), world.agent("you")];
        let id = agents[0].write("status", "Text 0").unwrap().id;
        let mut done = Vec::new();
        for (agent, act, days) in acts {
            world.pass(days);
            let before = stand(&world.unit(&id));
            if let Some(event) = play(&agents[agent], &person, &world, &id, &act) {
                done.push((event, before, stand(&world.unit(&id))));
            }
        }
        prop_assume!(!done.is_empty());
        let (event, before, after) = &done[which % done.len()];
        let now = stand(&world.unit(&id));
        let could = !undoable(person.call(), &[*event]).unwrap().is_empty();
        match undo(person.call(), *event) {
            Ok(reply) if reply.outcome == UndoOutcome::Undone => {
                prop_assert!(could);
                let then = stand(&world.unit(&id));
                let field = |get: fn(&Stand) -> String| {
                    let (before, after, now, then) = (get(before), get(after), get(&now), get(&then));
                    if before == after { then == now } else { now == after && then == before }
                };
                prop_assert!(field(|it| it.content.body.clone()));
                let same = field(|it| format!("{:?}", it.content.tags)); prop_assert!(same);
                let same = field(|it| format!("{:?}", it.content.title)); prop_assert!(same);
                let same = field(|it| format!("{:?}", it.content.source)); prop_assert!(same);
                prop_assert!(field(|it| it.retired.to_string()));
                let same = field(|it| format!("{:?}", it.sides)); prop_assert!(same);
                // Nothing grows younger by an undo.
                prop_assert!(then.anchor <= now.anchor.max(before.anchor));
            }
            Ok(reply) => {
                prop_assert!(!could);
                prop_assert!(reply.message.is_some() && reply.event.is_none());
                prop_assert!(reply.hindrance.is_some());
                prop_assert_eq!(stand(&world.unit(&id)), now);
            }
            Err(refused) => {
                prop_assert!(!could);
                prop_assert_eq!(refused.code, Code::Invalid);
                prop_assert_eq!(stand(&world.unit(&id)), now);
            }
        }
    }
}

#[test]
fn a_created_unit_is_retired_and_comes_back() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let wrote = cursor.write("status", "Delayed").unwrap();
    let undone = undo(cursor.call(), wrote.event.unwrap()).unwrap();
    assert_eq!(
        (undone.outcome, undone.revision),
        (UndoOutcome::Undone, Some(2))
    );
    assert_eq!(cursor.text_quietly("team:status"), None);
    assert!(cursor.search("delayed").unwrap().results.is_empty());
    let history = cursor.history(wrote.id.as_str()).unwrap();
    assert_eq!(history.revisions[0].outcome, Outcome::Undone);
    assert_eq!(history.events[0].kind, EventKind::Undone);
    assert_eq!(Some(history.events[0].event), undone.event);
    let redone = undo(cursor.call(), undone.event.unwrap()).unwrap();
    assert_eq!(redone.outcome, UndoOutcome::Undone);
    assert_eq!(cursor.text_quietly("team:status").unwrap(), "Delayed");
    assert_eq!(cursor.search("delayed").unwrap().results.len(), 1);
}

#[test]
fn an_undone_clash_leaves_the_displaced_text_and_no_conflict() {
    let world = World::new();
    world.agent("Cursor").write("status", "Delayed").unwrap();
    let clash = world.agent("Claude").write("status", "On track").unwrap();
    assert_eq!(clash.outcome, WriteOutcome::Conflicted);
    let reply = undo(world.agent("you").call(), clash.event.unwrap()).unwrap();
    assert_eq!(
        (reply.outcome, reply.revision),
        (UndoOutcome::Undone, Some(3))
    );
    let now = world.unit(&clash.id);
    assert_eq!(now.head.content.body, "Delayed");
    // It is its author's again; the event tells who took the act back.
    assert!(!now.conflicted());
    assert_eq!(now.head.agent.connection.as_str(), "Cursor");
}

#[test]
fn an_undone_resolve_opens_the_conflict_again_under_a_new_version() {
    let world = World::new();
    world.agent("Cursor").write("status", "Delayed").unwrap();
    let claude = world.agent("Claude");
    let id = claude.write("status", "On track").unwrap().id;
    let before = world.unit(&id);
    world.pass(3);
    let settled = resolve(&claude, &id, before.version, Choice::Restore, 1).unwrap();
    assert_eq!(world.unit(&id).head.content.body, "Delayed");
    world.pass(3);
    undo(world.agent("you").call(), settled).unwrap();
    let now = world.unit(&id);
    assert_eq!(stand(&now), stand(&before));
    assert!(now.version > before.version + 1);
    // Whoever still names the old version is told that it moved.
    assert_eq!(
        resolve(&claude, &id, before.version, Choice::KeepHead, 0),
        None
    );
    assert!(resolve(&claude, &id, now.version, Choice::KeepHead, 0).is_some());
}

#[test]
fn what_stands_again_is_still_its_authors_with_what_they_knew() {
    let world = World::new();
    world.agent("Cursor").write("status", "Delayed").unwrap();
    let claude = world.agent("Claude");
    let id = claude.write("status", "On track").unwrap().id;
    let before = world.unit(&id);
    let you = world.agent("you");
    use_cases::unit_view(you.call(), id.as_str(), false).unwrap();
    let settled = resolve(&you, &id, before.version, Choice::KeepHead, 0).unwrap();
    undo(you.call(), settled).unwrap();
    // Nobody reads that the person displaced what they had just settled.
    let head = world.unit(&id).head;
    assert_eq!(head.agent, before.head.agent);
    assert_eq!(
        (head.base, head.whole),
        (before.head.base, before.head.whole)
    );
    assert_eq!(head.outcome, Outcome::Undone);
    let view = use_cases::unit_view(you.call(), id.as_str(), false).unwrap();
    assert_eq!(view.conflict.unwrap().head.agent.name, "Claude");
    let history =
        use_cases::unit_history(you.call(), id.as_str(), UnitHistoryInput::default()).unwrap();
    assert_eq!(history.entries[0].agent.name, "you");
}

#[test]
fn a_quoted_decision_brings_no_text_past_review() {
    let world = World::new();
    world.agent("Cursor").write("status", "Delayed").unwrap();
    let claude = world.agent("Claude");
    let id = claude.write("status", "On track").unwrap().id;
    let review = UpdateBrainInput {
        write_policy: Some(WritePolicy::Review),
        ..UpdateBrainInput::default()
    };
    use_cases::update_brain(world.agent("you").call(), "team", review).unwrap();
    let version = world.unit(&id).version;
    let input = ResolveInput {
        id: id.to_string(),
        version,
        choice: Choice::Merged,
        revision: None,
        body: Some("A text that nobody reviewed".into()),
        title: None,
        tags: None,
        source: None,
        decision: "The person said so".into(),
    };
    let refused = claude.resolve(input).unwrap_err();
    assert_eq!(refused.code, Code::NotAllowed);
    assert!(world.unit(&id).conflicted());
    assert!(resolve(&claude, &id, version, Choice::KeepHead, 0).is_some());
}

#[test]
fn whoever_went_on_is_in_the_way_and_is_named() {
    let world = World::new();
    let (cursor, you) = (world.agent("Cursor"), world.agent("you"));
    let id = cursor.write("status", "One").unwrap().id;
    let second = cursor.write("status", "Two").unwrap().event.unwrap();
    let claude = world.agent("Claude");
    claude.fetch(id.as_str()).unwrap();
    let third = claude.write("status", "Three").unwrap().event.unwrap();
    let reply = undo(you.call(), second).unwrap();
    assert_eq!(
        (reply.outcome, reply.revision, reply.event),
        (UndoOutcome::Moved, Some(3), None)
    );
    let message = reply.message.unwrap();
    assert!(
        message.contains("Claude (test 1) wrote it (revision 3)"),
        "{message}"
    );
    assert_eq!(cursor.text_quietly("team:status").unwrap(), "Three");
    // Once that is undone, nobody is in the way any more.
    undo(you.call(), third).unwrap();
    assert_eq!(
        undo(you.call(), second).unwrap().outcome,
        UndoOutcome::Undone
    );
    assert_eq!(cursor.text_quietly("team:status").unwrap(), "One");
    let again = undo(you.call(), second).unwrap();
    assert_eq!(again.outcome, UndoOutcome::Moved);
    assert!(
        again
            .message
            .unwrap()
            .contains("undone already: you (test 1)")
    );
}

#[test]
fn a_later_tag_is_not_in_the_way_of_a_body_and_stays() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let id = cursor.write("status", "One").unwrap().id;
    let edit = cursor.write("status", "Two").unwrap().event.unwrap();
    let tags = WriteInput {
        id: Some(id.to_string()),
        tags: Some(vec!["q3".into()]),
        ..WriteInput::default()
    };
    world.agent("Claude").write_with(tags).unwrap();
    assert_eq!(
        undo(cursor.call(), edit).unwrap().outcome,
        UndoOutcome::Undone
    );
    let now = world.unit(&id).head.content;
    assert_eq!(
        (now.body.as_str(), &now.tags[..]),
        ("One", &["q3".to_owned()][..])
    );
}

#[test]
fn a_later_confirm_is_in_the_way_of_a_body_and_not_of_a_tag() {
    let world = World::new();
    let (cursor, you) = (world.agent("Cursor"), world.agent("you"));
    let id = cursor.write("status", "One").unwrap().id;
    let edit = cursor.write("status", "Two").unwrap().event.unwrap();
    let tags = WriteInput {
        id: Some(id.to_string()),
        tags: Some(vec!["q3".into()]),
        ..WriteInput::default()
    };
    let tagged = cursor.write_with(tags).unwrap().event.unwrap();
    world.pass(20);
    still_true(&you, &id, 3).unwrap();
    let reply = undo(you.call(), edit).unwrap();
    assert_eq!(reply.outcome, UndoOutcome::Moved);
    assert!(reply.message.unwrap().contains("you (test 1) confirmed it"));
    let hindrance = reply.hindrance.unwrap();
    assert_eq!(hindrance.what, Hinders::Since);
    assert_eq!(hindrance.kind, Some(EventKind::Confirmed));
    assert!(hindrance.by.unwrap().you && hindrance.at.is_some());
    let confirmed = world.unit(&id).confirmed;
    assert!(confirmed.is_some());
    assert_eq!(
        undo(you.call(), tagged).unwrap().outcome,
        UndoOutcome::Undone
    );
    assert_eq!(world.unit(&id).confirmed, confirmed);
}

#[test]
fn an_undone_confirm_is_aging_again_and_makes_no_revision() {
    let world = World::new();
    let (cursor, you) = (world.agent("Cursor"), world.agent("you"));
    let id = cursor.write("status", "One").unwrap().id;
    world.pass(20);
    let confirmed = still_true(&you, &id, 1).unwrap();
    assert_eq!(
        cursor.fetch(id.as_str()).unwrap().metadata.freshness,
        Freshness::Fresh
    );
    let reply = undo(you.call(), confirmed).unwrap();
    assert_eq!(
        (reply.outcome, reply.revision),
        (UndoOutcome::Undone, Some(1))
    );
    let fetched = cursor.fetch(id.as_str()).unwrap().metadata;
    assert_eq!(
        (fetched.freshness, fetched.confirmed_by),
        (Freshness::Aging, None)
    );
}

#[test]
fn each_event_of_an_act_undoes_the_whole_act() {
    let world = World::new();
    let you = world.agent("you");
    let id = you.write("status", "One").unwrap().id;
    let reply = you.confirm(ConfirmInput {
        id: id.to_string(),
        revision: Some(1),
        verdict: Some(Verdict::Changed),
        body: Some("Two".into()),
    });
    let reply = reply.unwrap();
    assert_eq!(reply.outcome, ConfirmOutcome::Updated);
    let (last, kind) = newest(&world, &id);
    assert_eq!(kind, EventKind::Confirmed);
    assert_ne!(Some(last), reply.event);
    let both = [reply.event.unwrap(), last];
    assert_eq!(undoable(you.call(), &both).unwrap(), both);
    assert_eq!(undo(you.call(), last).unwrap().outcome, UndoOutcome::Undone);
    let now = world.unit(&id);
    assert_eq!(
        (now.head.content.body.as_str(), now.confirmed),
        ("One", None)
    );
}

#[test]
fn an_agent_undoes_its_own_and_the_person_anything() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let wrote = cursor.write("status", "One").unwrap().event.unwrap();
    for other in [&claude, &world.agent("cli")] {
        let refused = undo(other.call(), wrote).unwrap_err();
        assert_eq!(refused.code, Code::NotAllowed);
        assert!(refused.message.contains("Cursor"), "{refused}");
        assert!(undoable(other.call(), &[wrote]).unwrap().is_empty());
    }
    // Another session of the connection may.
    let later = world.agent("Cursor");
    assert_eq!(
        undo(later.call(), wrote).unwrap().outcome,
        UndoOutcome::Undone
    );
    let undone = newest(&world, &cursor.history("team:status").unwrap().id).0;
    assert_eq!(
        undo(world.agent("you").call(), undone).unwrap().outcome,
        UndoOutcome::Undone
    );
}

#[test]
fn an_undo_needs_what_a_write_needs() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let wrote = cursor.write("status", "One").unwrap().event.unwrap();
    let grant =
        |grant| use_cases::grant(world.agent("cli").call(), "team", "Cursor", grant, None).unwrap();
    grant(ozbrain_core::words::Grant::Read);
    assert_eq!(
        undo(cursor.call(), wrote).unwrap_err().code,
        Code::NotAllowed
    );
    grant(ozbrain_core::words::Grant::None);
    let hidden = undo(cursor.call(), wrote).unwrap_err();
    let missing = undo(cursor.call(), 999).unwrap_err();
    assert_eq!(hidden.code, Code::Invalid);
    assert_eq!(
        hidden.message.replace(&wrote.to_string(), "999"),
        missing.message
    );
}

#[test]
fn what_is_no_act_on_a_unit_is_refused() {
    let world = World::new();
    let you = world.agent("you");
    let id = you.write("status", "One").unwrap().id;
    // The brain's own event, and an answer that changed nothing.
    let noted = you.confirm(ConfirmInput {
        id: id.to_string(),
        revision: Some(1),
        verdict: Some(Verdict::Unknown),
        body: None,
    });
    let noted = noted.unwrap().event.unwrap();
    for (event, said) in [(1, "changed no unit"), (noted, "changed nothing")] {
        let refused = undo(you.call(), event).unwrap_err();
        assert_eq!(refused.code, Code::Invalid);
        assert!(refused.message.contains(said), "{refused}");
        assert!(undoable(you.call(), &[event]).unwrap().is_empty());
    }
}

/// What waits for the person: the proposals, and how each would be accepted.
#[expect(clippy::unwrap_used, reason = "a test ends where nothing can wait")]
fn waiting(you: &Actor<'_>) -> Vec<AcceptInput> {
    let (views, _) = use_cases::proposals(you.call(), 0, 10).unwrap();
    let accept = |view: &ProposalView| AcceptInput {
        id: view.id,
        revision: view.head.as_ref().map(|head| head.revision),
        ..AcceptInput::default()
    };
    views.iter().map(accept).collect()
}

#[test]
fn a_proposal_is_not_undone_but_decided() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = you.write("status", "One").unwrap().id;
    cursor.fetch(id.as_str()).unwrap();
    for topic in ["status", "news"] {
        let proposed = cursor.write(topic, "Two").unwrap().event.unwrap();
        for actor in [&you, &cursor] {
            let refused = undo(actor.call(), proposed).unwrap_err();
            assert_eq!(refused.code, Code::Invalid);
            assert!(refused.message.contains("reject it"), "{refused}");
        }
        let reject = RejectInput {
            id: waiting(&you)[0].id,
            reason: None,
        };
        use_cases::reject(you.call(), reject).unwrap();
    }
}

/// Rejects what waits alone. Gives the act.
#[expect(clippy::unwrap_used, reason = "a test ends where nothing can wait")]
fn rejected(you: &Actor<'_>) -> EventId {
    let reject = RejectInput {
        id: waiting(you)[0].id,
        reason: Some("So".into()),
    };
    let reply = use_cases::reject(you.call(), reject).unwrap();
    assert!(waiting(you).is_empty());
    reply.event.unwrap()
}

#[test]
fn an_undone_rejection_waits_again_with_its_text_and_can_be_accepted() {
    for topic in ["status", "news"] {
        let world = World::with(WritePolicy::Review);
        let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
        let id = you.write("status", "One").unwrap().id;
        cursor.fetch(id.as_str()).unwrap();
        let retire = ozbrain_core::shapes::RetireInput {
            id: id.to_string(),
            base_revision: None,
            reason: Some("It is over".into()),
        };
        let tags = WriteInput {
            topic: Some(topic.into()),
            body: Some("Two".into()),
            tags: Some(vec!["q3".into()]),
            source: Some("file".into()),
            ..WriteInput::default()
        };
        let claude = world.agent("Claude");
        if topic == "status" {
            claude.fetch(id.as_str()).unwrap();
            use_cases::retire(claude.call(), retire).unwrap();
            let before = use_cases::proposals(you.call(), 0, 9).unwrap();
            undo(you.call(), rejected(&you)).unwrap();
            assert_eq!(use_cases::proposals(you.call(), 0, 9).unwrap(), before);
            rejected(&you);
        }
        cursor.write_with(tags).unwrap();
        let before = use_cases::proposals(you.call(), 0, 9).unwrap();
        let mut last = rejected(&you);
        let head = world.unit(&id).head.number;
        for waits in [true, false, true] {
            assert_eq!(undoable(you.call(), &[last]).unwrap(), [last]);
            let reply = undo(you.call(), last).unwrap();
            assert_eq!(reply.outcome, UndoOutcome::Undone);
            assert_eq!((reply.id, reply.revision), (None, None));
            let now = use_cases::proposals(you.call(), 0, 9).unwrap();
            if waits {
                assert_eq!(now, before);
            } else {
                assert_eq!(now.1, 0);
            }
            let again = undo(you.call(), last).unwrap();
            assert_eq!(again.outcome, UndoOutcome::Moved);
            assert!(again.message.unwrap().contains("undone already: you"));
            assert!(undoable(you.call(), &[last]).unwrap().is_empty());
            last = reply.event.unwrap();
        }
        // The unit is as it was, and nobody is told what was proposed.
        assert_eq!(world.unit(&id).head.number, head);
        assert!(cursor.search("Two").unwrap().results.is_empty());
        let accepted = use_cases::accept(you.call(), waiting(&you).remove(0)).unwrap();
        let unit = cursor.fetch(&accepted.id.unwrap()).unwrap();
        assert_eq!(
            (unit.text.as_str(), &unit.metadata.tags[..]),
            ("Two", &["q3".to_owned()][..])
        );
        // Accepted, neither the undo nor the rejection can be taken back.
        let reply = undo(you.call(), last).unwrap();
        assert_eq!(reply.outcome, UndoOutcome::Moved);
        assert!(reply.message.unwrap().contains("accepted since"));
    }
}

#[test]
fn a_rejection_is_undone_by_the_person_alone() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    you.write("status", "One").unwrap();
    for topic in ["status", "news"] {
        cursor.write(topic, "Two").unwrap();
        let act = rejected(&you);
        for other in [&cursor, &world.agent("cli")] {
            let refused = undo(other.call(), act).unwrap_err();
            assert_eq!(refused.code, Code::NotAllowed);
            assert!(undoable(other.call(), &[act]).unwrap().is_empty());
            let history =
                use_cases::unit_history(other.call(), "team:status", UnitHistoryInput::default());
            assert!(
                history
                    .unwrap()
                    .entries
                    .iter()
                    .all(|it| it.proposal.is_none())
            );
        }
    }
    let history =
        use_cases::unit_history(you.call(), "team:status", UnitHistoryInput::default()).unwrap();
    let kept: Vec<_> = history
        .entries
        .iter()
        .filter_map(|it| it.proposal)
        .collect();
    assert_eq!(kept, [1]);
    assert!(history.entries[0].undoable);
}

#[test]
fn whoever_proposed_anew_is_in_the_way_of_an_undone_rejection() {
    // What waits, was rejected too, or was accepted: it took the first one's place.
    for then in ["waits", "rejected", "accepted"] {
        for topic in ["status", "news"] {
            let world = World::with(WritePolicy::Review);
            let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
            let id = you.write("status", "One").unwrap().id;
            cursor.fetch(id.as_str()).unwrap();
            cursor.write(topic, "Two").unwrap();
            let act = rejected(&you);
            let claude = world.agent("Claude");
            claude.write(topic, "Other").unwrap();
            // Another's is in nobody's way.
            assert_eq!(undoable(you.call(), &[act]).unwrap(), [act], "{topic}");
            use_cases::reject(
                you.call(),
                RejectInput {
                    id: waiting(&you)[0].id,
                    reason: None,
                },
            )
            .unwrap();
            cursor.write(topic, "Three").unwrap();
            match then {
                "rejected" => drop(rejected(&you)),
                "accepted" => drop(use_cases::accept(you.call(), waiting(&you).remove(0)).unwrap()),
                _ => {}
            }
            let before = waiting(&you).len();
            assert!(
                undoable(you.call(), &[act]).unwrap().is_empty(),
                "{then} {topic}"
            );
            let reply = undo(you.call(), act).unwrap();
            assert_eq!(reply.outcome, UndoOutcome::Moved, "{then} {topic}");
            let said = reply.message.unwrap();
            assert!(said.contains("Cursor (test 1) proposed anew"), "{said}");
            assert_eq!(waiting(&you).len(), before);
        }
    }
}

#[test]
fn what_is_reopened_is_replaced_and_rejected_as_any_other() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = you.write("status", "One").unwrap().id;
    cursor.fetch(id.as_str()).unwrap();
    cursor.write("status", "Two").unwrap();
    let first = rejected(&you);
    let reopened = undo(you.call(), first).unwrap().event.unwrap();
    let second = rejected(&you);
    // The newest rejection is the one to undo.
    for (act, why) in [(first, "undone already"), (reopened, "rejected anew")] {
        let reply = undo(you.call(), act).unwrap();
        assert_eq!(reply.outcome, UndoOutcome::Moved);
        assert!(reply.message.unwrap().contains(why));
    }
    let reopened = undo(you.call(), second).unwrap().event.unwrap();
    cursor.write("status", "Three").unwrap();
    assert_eq!(waiting(&you).len(), 1);
    let reply = undo(you.call(), reopened).unwrap();
    assert_eq!(reply.outcome, UndoOutcome::Moved);
    assert!(
        reply
            .message
            .unwrap()
            .contains("Cursor (test 1) proposed anew")
    );
}

#[test]
fn a_rejection_over_a_moved_head_shows_both_once_it_is_undone() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = you.write("status", "One").unwrap().id;
    cursor.fetch(id.as_str()).unwrap();
    cursor.write("status", "Two").unwrap();
    let act = rejected(&you);
    you.write("status", "Three").unwrap();
    let open = UpdateBrainInput {
        write_policy: Some(WritePolicy::Open),
        ..UpdateBrainInput::default()
    };
    // A policy that opens the brain leaves what waits, and so what waits again.
    use_cases::update_brain(you.call(), "team", open).unwrap();
    undo(you.call(), act).unwrap();
    let (views, _) = use_cases::proposals(you.call(), 0, 9).unwrap();
    assert!(views[0].moved);
    assert_eq!(views[0].content.body, "Two");
    assert_eq!(views[0].head.as_ref().unwrap().content.body, "Three");
    // An erased unit takes what was rejected along.
    let act = rejected(&you);
    let erase = |id: &UnitId| {
        let unit = ozbrain_core::views::acts::EraseInput::Unit { id: id.to_string() };
        use_cases::erase(you.call(), unit).unwrap()
    };
    erase(&id);
    let reply = undo(you.call(), act).unwrap();
    assert_eq!(reply.outcome, UndoOutcome::Moved);
    assert!(reply.message.unwrap().contains("the unit was erased"));
    assert!(undoable(you.call(), &[act]).unwrap().is_empty());
}

#[derive(Debug, Clone)]
enum Step {
    Propose(usize, u8),
    Reject,
    Accept,
    Undo(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..2usize, 0..4u8).prop_map(|(agent, text)| Step::Propose(agent, text)),
        3 => Just(Step::Reject),
        1 => Just(Step::Accept),
        4 => (0..5u8).prop_map(Step::Undo),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    /// Whatever was proposed, rejected, undone and redone in whatever order: an
    /// author never has two that wait for one unit, an undo that says it was
    /// done changes what waits by just one, and one that could not changes
    /// nothing.
    #[test]
    fn what_waits_is_true_through_every_undo(steps in proptest::collection::vec(step(), 1..14)) {
        let world = World::with(WritePolicy::Review);
        let you = world.agent("you");
        let agents = [world.agent("Cursor"), world.agent("Claude")];
        let id = you.write("status", "Text").unwrap().id;
        let mut acts: Vec<EventId> = Vec::new();
        let ids = || -> Vec<u64> { waiting(&you).iter().map(|it| it.id).collect() };
        for step in steps {
            let before = ids();
            match step {
                Step::Propose(agent, text) => {
                    agents[agent].fetch(id.as_str()).unwrap();
                    agents[agent].write("status", &format!("Text {text}")).unwrap();
                }
                Step::Reject => if let Some(&id) = before.first() {
                    let reply = use_cases::reject(you.call(), RejectInput { id, reason: None });
                    acts.extend(reply.unwrap().event);
                },
                Step::Accept => if !before.is_empty() {
                    use_cases::accept(you.call(), waiting(&you).remove(0)).unwrap();
                },
                Step::Undo(back) => if let Some(&act) = acts.iter().rev().nth(usize::from(back)) {
                    let could = undoable(you.call(), &[act]).unwrap() == [act];
                    let reply = undo(you.call(), act).unwrap();
                    prop_assert_eq!(reply.outcome == UndoOutcome::Undone, could);
                    let after = ids();
                    let apart = before.iter().filter(|it| !after.contains(it)).count()
                        + after.iter().filter(|it| !before.contains(it)).count();
                    prop_assert_eq!(apart, usize::from(could));
                    acts.extend(reply.event);
                },
            }
            let (views, _) = use_cases::proposals(you.call(), 0, 9).unwrap();
            let mut authors: Vec<_> = views.iter().map(|it| it.agent.name.clone()).collect();
            authors.sort();
            authors.dedup();
            prop_assert_eq!(authors.len(), views.len());
        }
    }
}

#[test]
fn an_undone_accept_gives_the_head_back_and_the_proposal_stays_settled() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = you.write("status", "One").unwrap().id;
    cursor.fetch(id.as_str()).unwrap();
    cursor.write("status", "Two").unwrap();
    let accepted = use_cases::accept(you.call(), waiting(&you).remove(0)).unwrap();
    let text = || world.unit(&id).head.content.body;
    let undone = undo(you.call(), accepted.event.unwrap()).unwrap();
    assert_eq!(
        (undone.outcome, text()),
        (UndoOutcome::Undone, "One".into())
    );
    assert!(waiting(&you).is_empty());
    let redone = undo(you.call(), undone.event.unwrap()).unwrap();
    assert_eq!(
        (redone.outcome, text()),
        (UndoOutcome::Undone, "Two".into())
    );
    // Its author can propose it again.
    undo(you.call(), redone.event.unwrap()).unwrap();
    cursor.fetch(id.as_str()).unwrap();
    assert_eq!(
        cursor.write("status", "Two").unwrap().outcome,
        WriteOutcome::Proposed
    );
    assert_eq!(waiting(&you).len(), 1);
}

#[test]
fn what_waits_for_the_person_is_not_passed_round_by_undo_or_return() {
    let changed = |policy| UpdateBrainInput {
        write_policy: Some(policy),
        ..UpdateBrainInput::default()
    };
    for (policy, lands) in [
        (WritePolicy::Open, true),
        (WritePolicy::Review, false),
        (WritePolicy::Owners, false),
    ] {
        let world = World::new();
        let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
        let id = cursor.write("status", "One").unwrap().id;
        let wrote = cursor.write("status", "Two").unwrap().event.unwrap();
        let gone = cursor.write("gone", "Gone").unwrap().id;
        cursor.retire(gone.as_str(), Some(1)).unwrap();
        let (held, version) = {
            let held = cursor.write("held", "It holds").unwrap().id;
            let other = world.agent("Claude");
            let clash = other.write("held", "It does not").unwrap();
            (held, clash.conflict.unwrap().version)
        };
        let resolved = resolve(&cursor, &held, version, Choice::Restore, 1).unwrap();
        let fact = cursor.write("fact", "It is so").unwrap().id;
        let confirmed = still_true(&cursor, &fact, 1).unwrap();
        use_cases::update_brain(you.call(), "team", changed(policy)).unwrap();

        let heads = || [&id, &gone, &held].map(|id| world.unit(id).head.number);
        let before = heads();
        let told = undoable(cursor.call(), &[wrote, resolved]).unwrap();
        let outcomes = [
            return_unit(cursor.call(), gone.as_str(), 2).map(drop),
            undo(cursor.call(), resolved).map(drop),
            undo(cursor.call(), confirmed).map(drop),
            undo(cursor.call(), wrote).map(drop),
        ];
        let [returned, settled, vouched, written] = outcomes.map(|it| it.err());
        if lands {
            assert_eq!(told, [wrote, resolved]);
            assert_eq!([returned, settled, vouched, written], [const { None }; 4]);
            continue;
        }
        assert!(told.is_empty(), "{policy:?}: {told:?}");
        for refusal in [returned, settled, written] {
            let refusal = refusal.expect("a refusal");
            assert_eq!(refusal.code, Code::NotAllowed);
            if policy == WritePolicy::Review {
                assert!(refusal.message.contains("reviews"), "{refusal}");
            }
        }
        // Its own word that it holds makes no head, so that waits for nobody.
        assert_eq!(vouched.is_none(), policy == WritePolicy::Review);
        assert_eq!(heads(), before);
        assert_eq!(
            return_unit(you.call(), gone.as_str(), 2).unwrap().outcome,
            ReturnOutcome::Returned
        );
        assert_eq!(
            undo(you.call(), wrote).unwrap().outcome,
            UndoOutcome::Undone
        );
    }
}

#[test]
fn a_place_that_another_unit_took_is_in_the_way() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let at = |topic: &str, title: &str, body: &str| WriteInput {
        topic: Some(topic.into()),
        title: Some(title.into()),
        body: Some(body.into()),
        ..WriteInput::default()
    };
    let first = cursor.write_with(at("plan", "A", "First")).unwrap().id;
    let other = cursor.write_with(at("plan", "C", "Other")).unwrap().id;
    let to = |id: &UnitId, title: &str| WriteInput {
        id: Some(id.to_string()),
        title: Some(title.into()),
        ..WriteInput::default()
    };
    let moved = cursor.write_with(to(&first, "B")).unwrap().event.unwrap();
    cursor.write_with(to(&other, "A")).unwrap();
    let reply = undo(cursor.call(), moved).unwrap();
    assert_eq!(reply.outcome, UndoOutcome::Moved);
    assert!(reply.message.unwrap().contains("another unit stands"));
    assert!(undoable(cursor.call(), &[moved]).unwrap().is_empty());
}

#[test]
fn a_retired_unit_returns_as_it_was() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let id = cursor.write("status", "One").unwrap().id;
    world.pass(20);
    cursor.retire(id.as_str(), None).unwrap();
    let moved = return_unit(cursor.call(), id.as_str(), 1).unwrap();
    assert_eq!(
        (moved.outcome, moved.revision, moved.event),
        (ReturnOutcome::Moved, 2, None)
    );
    let reply = return_unit(cursor.call(), id.as_str(), 2).unwrap();
    assert_eq!(
        (reply.outcome, reply.revision),
        (ReturnOutcome::Returned, 3)
    );
    let fetched = cursor.fetch(id.as_str()).unwrap();
    assert_eq!(fetched.text, "One");
    assert_eq!(fetched.metadata.freshness, Freshness::Aging);
    assert_eq!(
        newest(&world, &id),
        (reply.event.unwrap(), EventKind::Returned)
    );
    let living = return_unit(cursor.call(), id.as_str(), 3).unwrap_err();
    assert_eq!(living.code, Code::Invalid);
    assert_eq!(
        return_unit(cursor.call(), id.as_str(), 9).unwrap_err().code,
        Code::Invalid
    );
    // Undone, it is retired again.
    undo(cursor.call(), reply.event.unwrap()).unwrap();
    assert!(world.unit(&id).head.retired);
}

#[test]
fn later_holds_until_someone_says_something_of_it() {
    let world = World::new();
    let (cursor, you) = (world.agent("Cursor"), world.agent("you"));
    let id = cursor.write("status", "One").unwrap().id;
    let put_off = |days| later(you.call(), id.as_str(), days);
    let until = || world.unit(&id).later_until;
    let reply = put_off(None).unwrap();
    assert_eq!(until(), Some(world.now().plus_days(7)));
    assert_eq!(Some(reply.until.0), until());
    assert_eq!(
        newest(&world, &id),
        (reply.event.unwrap(), EventKind::Later)
    );
    // A tag says nothing of it.
    let tags = |tags: &str| WriteInput {
        id: Some(id.to_string()),
        tags: Some(vec![tags.into()]),
        ..WriteInput::default()
    };
    cursor.write_with(tags("q3")).unwrap();
    assert!(until().is_some());
    still_true(&you, &id, 2).unwrap();
    assert_eq!(until(), None);
    put_off(Some(365)).unwrap();
    cursor.write("status", "Two").unwrap();
    assert_eq!(until(), None);
    put_off(Some(1)).unwrap();
    cursor.retire(id.as_str(), None).unwrap();
    assert_eq!(until(), None);
    assert_eq!(put_off(None).unwrap_err().code, Code::Invalid);
    for days in [0, 366] {
        assert_eq!(put_off(Some(days)).unwrap_err().code, Code::Invalid);
    }
    for other in [&cursor, &world.agent("cli")] {
        let refused = later(other.call(), id.as_str(), None).unwrap_err();
        assert_eq!(refused.code, Code::NotAllowed);
    }
}
