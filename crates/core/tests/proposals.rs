//! Write policies and proposals, through the use cases, on a real store.

use ozbrain_core::ports::Change;
use ozbrain_core::rules::wanted::Wanted;
use ozbrain_core::shapes::{
    BrainsInput, BriefInput, Choice, ConfirmInput, ConfirmOutcome, ResolveInput, ResolveOutcome,
    RetireInput, RetireOutcome, Verdict, WriteInput, WriteOutcome, WriteReply,
};
use ozbrain_core::use_cases;
use ozbrain_core::views::activity::ActivityInput;
use ozbrain_core::views::history::UnitHistoryInput;
use ozbrain_core::views::inbox::InboxInput;
use ozbrain_core::views::proposals::{
    AcceptInput, AcceptOutcome, AcceptReply, ProposalView, RejectInput,
};
use ozbrain_core::words::{
    Asks, BrainKind, EventKind, Field, Freshness, Grant, Outcome, Proposal, ProposalReason,
    ProposalState, Target, Topic, UnitId, WritePolicy,
};
use ozbrain_core::{Code, Result};
use ozbrain_testkit::{Actor, World};
use proptest::prelude::*;

use WriteOutcome::{Conflicted, Created, Proposed, Unchanged, Updated};

fn review() -> World {
    World::with(WritePolicy::Review)
}

fn input(topic: &str) -> WriteInput {
    WriteInput {
        topic: Some(topic.into()),
        ..WriteInput::default()
    }
}

fn body(text: &str) -> Option<String> {
    Some(text.into())
}

/// What waits, newest first.
#[expect(
    clippy::unwrap_used,
    reason = "a test ends where its store cannot be read"
)]
fn waiting(world: &World) -> Vec<Proposal> {
    world
        .store()
        .read(|records| {
            let brains: Vec<_> = records.brains()?.iter().map(|brain| brain.key).collect();
            let open = records.open_proposals(&brains, 0, 100)?;
            assert_eq!(records.open_proposal_count(&brains)? as usize, open.len());
            Ok(open)
        })
        .unwrap()
}

fn view(person: &Actor<'_>, id: u64) -> Result<ProposalView> {
    use_cases::proposal(person.call(), id)
}

fn accept(person: &Actor<'_>, id: u64, revision: Option<u32>) -> Result<AcceptReply> {
    let input = AcceptInput {
        id,
        revision,
        ..AcceptInput::default()
    };
    use_cases::accept(person.call(), input)
}

/// The person's unit `voice`, revision 1, and what Cursor proposes for it after
/// reading it.
#[expect(
    clippy::unwrap_used,
    reason = "a test ends where its scene cannot be set"
)]
fn proposed_over_voice<'w>(world: &'w World, text: &str) -> (Actor<'w>, Actor<'w>, WriteReply) {
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    let written = person.write("voice", "Short sentences").unwrap();
    assert_eq!(written.outcome, Created);
    cursor.fetch(written.id.as_str()).unwrap();
    let reply = cursor.write("voice", text).unwrap();
    assert_eq!(reply.outcome, Proposed);
    (person, cursor, reply)
}

#[test]
fn in_a_review_brain_the_person_writes_and_agents_propose() {
    let world = review();
    let (_, cursor, reply) = proposed_over_voice(&world, "Long sentences");
    assert_eq!(reply.revision, 1);
    let notice = reply.notice.unwrap();
    assert!(notice.contains("waits"), "{notice}");
    assert!(notice.contains("revision 1 still stands"), "{notice}");
    for reader in [cursor, world.agent("R"), world.agent("cli")] {
        assert_eq!(reader.fetch("team:voice").unwrap().text, "Short sentences");
        assert!(reader.search("long").unwrap().results.is_empty());
        let brief = BriefInput {
            topic: Some("voice".into()),
            ..BriefInput::default()
        };
        let text = format!("{:?}", reader.brief(brief).unwrap());
        assert!(!text.contains("Long"), "{text}");
        let history = reader.history(reply.id.as_str()).unwrap();
        assert_eq!(history.revisions.len(), 1);
        assert_eq!(history.events[0].kind, EventKind::Proposed);
        assert_eq!(history.events[0].revision, Some(1));
        assert!(!format!("{history:?}").contains("Long"));
    }
    let cli = world.agent("cli");
    assert_eq!(cli.write("voice", "Cli").unwrap().outcome, Proposed);
}

#[test]
fn an_accepted_proposal_is_its_authors_head() {
    let world = review();
    let (person, cursor, reply) = proposed_over_voice(&world, "Long sentences");
    world.pass(3);
    let id = waiting(&world)[0].id;
    let seen = view(&person, id).unwrap();
    assert_eq!(seen.content.body, "Long sentences");
    assert_eq!(seen.changed, [Field::Body]);
    assert_eq!(seen.agent.name, "Cursor");
    assert!(!seen.agent.you);
    assert_eq!(seen.base.unwrap().revision, 1);
    let head = seen.head.unwrap();
    assert_eq!(
        (head.revision, head.content.body.as_str()),
        (1, "Short sentences")
    );
    assert!(head.agent.you);
    assert!(!seen.moved);

    let accepted = accept(&person, id, Some(1)).unwrap();
    assert_eq!(accepted.outcome, AcceptOutcome::Accepted);
    assert_eq!(accepted.id.as_deref(), Some(reply.id.as_str()));
    assert_eq!(accepted.revision, Some(2));
    assert!(accepted.event.is_some());
    assert!(waiting(&world).is_empty());
    let unit = world.agent("R").fetch("team:voice").unwrap();
    assert_eq!(unit.text, "Long sentences");
    assert!(unit.metadata.agent.0.to_string().contains("Cursor"));
    assert!(!unit.metadata.conflicted);
    assert_eq!(unit.metadata.updated_at.0, world.now());
    let history = cursor.history(reply.id.as_str()).unwrap();
    assert_eq!(history.revisions[0].outcome, Outcome::Accepted);
    assert_eq!(history.revisions[0].base_revision, Some(1));
    assert_eq!(history.events[0].kind, EventKind::Accepted);
    assert_eq!(history.events[0].agent.0.to_string(), "you (test 1)");
}

#[test]
fn a_proposed_unit_gets_the_id_that_its_author_was_told() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    let there = WriteInput {
        title: Some("Length".into()),
        body: body("Short"),
        ..input("voice")
    };
    person.write_with(there).unwrap();
    let reply = cursor
        .write_with(WriteInput {
            title: Some("Tone".into()),
            body: body("Warm"),
            tags: Some(vec!["style".into()]),
            ..input("voice")
        })
        .unwrap();
    assert_eq!((reply.outcome, reply.revision), (Proposed, 0));
    assert_eq!(reply.title, "Tone");
    assert!(reply.notice.unwrap().contains("nothing stands there"));
    assert_eq!(reply.similar[0].title, "Length");
    let id = reply.id.as_str();
    assert_eq!(cursor.fetch(id).unwrap_err().code, Code::UnknownUnit);
    assert_eq!(
        cursor.fetch("team:voice#Tone").unwrap_err().code,
        Code::UnknownUnit
    );
    assert!(cursor.search("warm tone").unwrap().results.is_empty());
    let proposal = waiting(&world)[0].id;
    let seen = view(&person, proposal).unwrap();
    assert!(seen.unit.is_none() && seen.head.is_none() && seen.base.is_none());
    assert_eq!(
        seen.changed,
        [Field::Topic, Field::Title, Field::Body, Field::Tags]
    );
    assert!(!seen.moved);
    let accepted = accept(&person, proposal, None).unwrap();
    assert_eq!(accepted.revision, Some(1));
    let unit = cursor.fetch(id).unwrap();
    assert_eq!(unit.text, "Warm");
    assert_eq!(unit.metadata.tags, ["style"]);
    assert!(unit.metadata.agent.0.to_string().contains("Cursor"));
    assert_eq!(cursor.search("warm tone").unwrap().results.len(), 1);
    let history = cursor.history(id).unwrap();
    assert_eq!(history.events[0].kind, EventKind::Accepted);
}

#[test]
fn accepting_against_a_moved_head_shows_both_and_makes_no_conflict() {
    let world = review();
    let (person, _, reply) = proposed_over_voice(&world, "Long sentences");
    let id = waiting(&world)[0].id;
    person.write("voice", "Warm sentences").unwrap();
    let stale = accept(&person, id, Some(1)).unwrap();
    assert_eq!(stale.outcome, AcceptOutcome::Moved);
    assert_eq!(stale.revision, Some(2));
    assert!(stale.event.is_none());
    assert_eq!(waiting(&world).len(), 1);
    let seen = view(&person, id).unwrap();
    assert!(seen.moved);
    assert_eq!(seen.base.unwrap().revision, 1);
    assert_eq!(seen.head.unwrap().content.body, "Warm sentences");
    assert_eq!(seen.content.body, "Long sentences");
    let accepted = accept(&person, id, Some(2)).unwrap();
    assert_eq!(accepted.outcome, AcceptOutcome::Accepted);
    let unit = person.fetch(reply.id.as_str()).unwrap();
    assert_eq!(unit.text, "Long sentences");
    assert!(!unit.metadata.conflicted);
    // Its author had read no more than when it proposed: the person alone saw both.
    let history = person.history(reply.id.as_str()).unwrap();
    assert_eq!(history.revisions[0].base_revision, Some(1));
    let shown = use_cases::revision(person.call(), reply.id.as_str(), 3).unwrap();
    assert_eq!(shown.base.unwrap().revision, 1);
}

#[test]
fn fields_that_were_not_proposed_stay_as_they_are_now() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = person.write("voice", "Short").unwrap().id;
    cursor.fetch(id.as_str()).unwrap();
    let tags = Some(vec!["style".into()]);
    cursor
        .write_with(WriteInput {
            tags,
            append: body("And warm"),
            ..input("voice")
        })
        .unwrap();
    person.write("voice", "Shorter").unwrap();
    let proposal = waiting(&world)[0].id;
    let seen = view(&person, proposal).unwrap();
    assert_eq!(seen.content.body, "Shorter\n\nAnd warm");
    assert_eq!(seen.changed, [Field::Body, Field::Tags]);
    accept(&person, proposal, Some(2)).unwrap();
    assert_eq!(
        cursor.fetch("team:voice").unwrap().text,
        "Shorter\n\nAnd warm"
    );
}

#[test]
fn the_person_edits_what_they_accept() {
    let world = review();
    let (person, cursor, reply) = proposed_over_voice(&world, "Long sentences");
    let id = waiting(&world)[0].id;
    let refused = AcceptInput {
        id,
        revision: Some(1),
        body: body("  "),
        ..AcceptInput::default()
    };
    let refused = use_cases::accept(person.call(), refused).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    let edited = AcceptInput {
        id,
        revision: Some(1),
        topic: Some("style/voice".into()),
        title: Some("Length".into()),
        body: body("Rather long sentences"),
        tags: Some(vec!["edited".into()]),
        source: Some("me".into()),
        clear: None,
    };
    use_cases::accept(person.call(), edited).unwrap();
    let unit = cursor.fetch("team:voice").unwrap();
    assert_eq!(unit.id, reply.id);
    assert_eq!(unit.metadata.topic.as_str(), "style/voice");
    assert_eq!(unit.title, "Length");
    assert_eq!(unit.text, "Rather long sentences");
    assert_eq!(unit.metadata.tags, ["edited"]);
    assert_eq!(unit.metadata.source.as_deref(), Some("me"));
    assert!(unit.metadata.agent.0.to_string().contains("Cursor"));
}

#[test]
fn of_an_edited_text_its_author_knows_nothing() {
    for edit in [None, body("Edited by the person")] {
        let world = review();
        let (person, _, reply) = proposed_over_voice(&world, "Long sentences");
        let edited = edit.is_some();
        let input = AcceptInput {
            id: waiting(&world)[0].id,
            revision: Some(1),
            body: edit,
            ..AcceptInput::default()
        };
        use_cases::accept(person.call(), input).unwrap();
        let head = world.store().read(|records| {
            let brains: Vec<_> = records.brains()?.iter().map(|brain| brain.key).collect();
            Ok(records.unit(&brains, &reply.id)?.map(|unit| unit.head))
        });
        let head = head.unwrap().unwrap();
        assert_eq!(head.agent.connection.as_str(), "Cursor");
        assert_eq!(head.whole, !edited);
    }
}

#[test]
fn a_new_unit_is_accepted_under_an_edited_address_and_found_under_both() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    let told = cursor.write("drafts", "Warm").unwrap();
    let taken = person.write("taken", "There").unwrap();
    let proposal = waiting(&world)[0].id;
    let edit = |topic: &str| AcceptInput {
        id: proposal,
        revision: None,
        topic: Some(topic.into()),
        ..AcceptInput::default()
    };
    let refused = use_cases::accept(person.call(), edit("taken")).unwrap_err();
    assert_eq!(refused.code, Code::Ambiguous);
    assert_eq!(refused.pointers[0].id, taken.id);
    assert_eq!(waiting(&world).len(), 1);
    use_cases::accept(person.call(), edit("voice")).unwrap();
    assert_eq!(cursor.fetch("team:voice").unwrap().id, told.id);
    assert_eq!(cursor.fetch("team:drafts").unwrap().id, told.id);
}

#[test]
fn a_new_unit_whose_address_was_taken_meanwhile_is_moved() {
    let world = review();
    let (person, cursor, claude) = (
        world.agent("you"),
        world.agent("Cursor"),
        world.agent("Claude"),
    );
    cursor.write("voice", "From Cursor").unwrap();
    claude.write("voice", "From Claude").unwrap();
    let open = waiting(&world);
    assert_eq!(open.len(), 2);
    let (of_claude, of_cursor) = (open[0].id, open[1].id);
    let first = accept(&person, of_cursor, None).unwrap();
    assert_eq!(first.outcome, AcceptOutcome::Accepted);
    let second = accept(&person, of_claude, None).unwrap();
    assert_eq!(second.outcome, AcceptOutcome::Moved);
    assert_eq!((second.id, second.revision), (first.id.clone(), Some(1)));
    let seen = view(&person, of_claude).unwrap();
    assert!(seen.moved);
    assert_eq!(seen.unit.as_ref().map(ToString::to_string), first.id);
    assert_eq!(seen.head.unwrap().content.body, "From Cursor");
    assert_eq!(seen.changed, [Field::Body]);
    let accepted = accept(&person, of_claude, Some(1)).unwrap();
    assert_eq!((accepted.id, accepted.revision), (first.id, Some(2)));
    let unit = cursor.fetch("team:voice").unwrap();
    assert_eq!(unit.text, "From Claude");
    assert!(!unit.metadata.conflicted);
    assert!(unit.metadata.agent.0.to_string().contains("Claude"));
}

#[test]
fn a_taken_address_is_no_move_of_the_unit_there() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    cursor.write("drafts", "From Cursor").unwrap();
    let there = person.write("drafts", "From you").unwrap();
    person
        .write_with(WriteInput {
            id: Some(there.id.to_string()),
            ..input("final")
        })
        .unwrap();
    let proposal = waiting(&world)[0].id;
    let seen = view(&person, proposal).unwrap();
    assert_eq!(seen.content.topic.as_str(), "final");
    accept(&person, proposal, Some(2)).unwrap();
    let unit = cursor.fetch(there.id.as_str()).unwrap();
    assert_eq!(unit.metadata.topic.as_str(), "final");
    assert_eq!(unit.text, "From Cursor");
}

#[test]
fn a_rejected_proposal_changes_nothing_and_waits_no_longer() {
    let world = review();
    let (person, cursor, reply) = proposed_over_voice(&world, "Long sentences");
    let id = waiting(&world)[0].id;
    let input = RejectInput {
        id,
        reason: Some("We keep them short".into()),
    };
    let rejected = use_cases::reject(person.call(), input).unwrap();
    assert!(rejected.event.is_some());
    assert!(waiting(&world).is_empty());
    assert_eq!(cursor.fetch("team:voice").unwrap().text, "Short sentences");
    let history = cursor.history(reply.id.as_str()).unwrap();
    assert_eq!(history.revisions.len(), 1);
    assert_eq!(history.events[0].kind, EventKind::Rejected);
    assert_eq!(
        history.events[0].decision.as_deref(),
        Some("We keep them short")
    );
    for again in [
        view(&person, id).map(|_| ()),
        accept(&person, id, Some(1)).map(|_| ()),
        use_cases::reject(person.call(), RejectInput { id, reason: None }).map(|_| ()),
    ] {
        let refused = again.unwrap_err();
        assert_eq!(refused.code, Code::Invalid);
        assert!(refused.message.contains("was rejected"), "{refused}");
    }
    assert_eq!(view(&person, 99).unwrap_err().code, Code::UnknownUnit);
}

#[test]
fn an_agents_next_proposal_replaces_its_own_alone() {
    let world = review();
    let (person, cursor, _) = proposed_over_voice(&world, "Long sentences");
    let claude = world.agent("Claude");
    claude.write("voice", "Claude's sentences").unwrap();
    let second = cursor.write("voice", "Longer sentences").unwrap();
    assert!(second.notice.unwrap().contains("replaces"));
    let open = waiting(&world);
    assert_eq!(open.len(), 2);
    let texts: Vec<_> = open
        .iter()
        .map(|it| view(&person, it.id).unwrap().content.body)
        .collect();
    assert_eq!(texts, ["Longer sentences", "Claude's sentences"]);
    let old = open[1].id - 1;
    let refused = accept(&person, old, Some(1)).unwrap_err();
    assert!(refused.message.contains("replaced"), "{refused}");
    // Another session of the connection is the same author.
    let next = world.agent("Cursor");
    next.write("voice", "Longest sentences").unwrap();
    assert_eq!(waiting(&world).len(), 2);
    // Nobody read it there, so the base is not known.
    assert!(view(&person, waiting(&world)[0].id).unwrap().moved);
}

#[test]
fn the_same_proposal_again_is_the_one_that_waits() {
    let world = review();
    let (_, cursor, first) = proposed_over_voice(&world, "Long sentences");
    let before = waiting(&world);
    let again = cursor.write("voice", "Long sentences").unwrap();
    assert_eq!((again.outcome, again.id), (Proposed, first.id));
    assert!(again.notice.unwrap().contains("before"));
    assert_eq!(waiting(&world), before);
    let new = cursor.write("new", "Text").unwrap();
    let again = cursor.write("new", "Text").unwrap();
    assert_eq!((new.id, new.revision), (again.id, again.revision));
    assert_eq!(waiting(&world).len(), 2);
}

#[test]
fn what_only_the_earlier_proposal_supplied_waits_on() {
    let world = review();
    let (person, cursor, _) = proposed_over_voice(&world, "Long sentences");
    let tags = || Some(vec!["style".into()]);
    let tag = WriteInput {
        tags: tags(),
        ..input("voice")
    };
    let reply = cursor.write_with(tag).unwrap();
    assert!(reply.notice.unwrap().contains("waits with it"));
    let more = WriteInput {
        append: body("And warm ones"),
        ..input("voice")
    };
    cursor.write_with(more).unwrap();
    let open = waiting(&world);
    assert_eq!(open.len(), 1);
    accept(&person, open[0].id, Some(1)).unwrap();
    let unit = cursor.fetch("team:voice").unwrap();
    assert_eq!(unit.text, "Long sentences\n\nAnd warm ones");
    assert_eq!(unit.metadata.tags, ["style"]);

    // Of a unit that is not there yet too.
    let tag = |topic: &str| WriteInput {
        tags: tags(),
        ..input(topic)
    };
    let alone = cursor.write_with(tag("nowhere")).unwrap_err();
    assert_eq!(alone.code, Code::Invalid);
    let new = cursor.write("new", "Text").unwrap();
    assert_eq!(cursor.write_with(tag("new")).unwrap().id, new.id);
    accept(&person, waiting(&world)[0].id, None).unwrap();
    assert_eq!(cursor.fetch("team:new").unwrap().metadata.tags, ["style"]);
}

#[test]
fn a_proposal_made_before_the_unit_was_there_is_replaced_too() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    cursor.write("voice", "From Cursor").unwrap();
    let unit = person.write("voice", "From you").unwrap();
    cursor.fetch(unit.id.as_str()).unwrap();
    let tags = Some(vec!["style".into()]);
    cursor
        .write_with(WriteInput {
            tags,
            ..input("voice")
        })
        .unwrap();
    let open = waiting(&world);
    assert_eq!(open.len(), 1);
    let seen = view(&person, open[0].id).unwrap();
    assert_eq!(seen.changed, [Field::Body, Field::Tags]);
    // Its text was written before the unit was seen.
    assert!(seen.moved);
}

#[test]
fn a_retire_waits_too() {
    let world = review();
    let (person, cursor, reply) = proposed_over_voice(&world, "Long sentences");
    let id = reply.id.as_str();
    let retire = RetireInput {
        id: id.into(),
        base_revision: None,
        reason: Some("Nobody writes".into()),
    };
    let retired = use_cases::retire(cursor.call(), retire).unwrap();
    assert_eq!(retired.outcome, RetireOutcome::Proposed);
    assert_eq!(retired.revision, 1);
    assert!(retired.notice.unwrap().contains("revision 1 still stands"));
    assert_eq!(cursor.fetch(id).unwrap().text, "Short sentences");
    let open = waiting(&world);
    assert_eq!(open.len(), 1);
    let seen = view(&person, open[0].id).unwrap();
    assert_eq!(seen.why.as_deref(), Some("Nobody writes"));
    assert_eq!(seen.content.body, "Short sentences");
    assert!(seen.changed.is_empty());
    // Why is for the person to read: other readers see only that something waits.
    for reader in ["Claude", "cli", "Cursor"] {
        let reader = world.agent(reader);
        let history = reader.history(id).unwrap();
        let entries = use_cases::unit_history(reader.call(), id, UnitHistoryInput::default());
        let activity = use_cases::activity(reader.call(), ActivityInput::default());
        let told = format!("{history:?} {:?} {:?}", entries.unwrap(), activity.unwrap());
        assert_eq!(history.events[0].kind, EventKind::Proposed);
        assert!(!told.contains("Nobody writes"), "{told}");
    }
    let edited = AcceptInput {
        id: open[0].id,
        revision: Some(1),
        body: body("x"),
        ..AcceptInput::default()
    };
    let refused = use_cases::accept(person.call(), edited).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    accept(&person, open[0].id, Some(1)).unwrap();
    let unit = cursor.fetch(id).unwrap();
    assert_eq!(unit.metadata.retired, Some(true));
    assert!(unit.metadata.agent.0.to_string().contains("Cursor"));
    assert_eq!(
        cursor.retire(id, None).unwrap().outcome,
        RetireOutcome::Unchanged
    );
    // Bringing it back waits as well.
    let back = cursor.write("voice", "Back again").unwrap();
    assert_eq!(back.outcome, Proposed);
    assert!(back.notice.unwrap().contains("stays retired"));
    accept(&person, waiting(&world)[0].id, Some(2)).unwrap();
    assert_eq!(cursor.fetch(id).unwrap().text, "Back again");
}

#[test]
fn what_says_nothing_new_is_no_proposal() {
    let world = review();
    let (person, cursor, _) = proposed_over_voice(&world, "Long sentences");
    let same = cursor.write("voice", " Short sentences\r\n").unwrap();
    assert_eq!((same.outcome, same.revision), (Unchanged, 1));
    assert!(same.notice.unwrap().contains("still waits"));
    assert_eq!(waiting(&world).len(), 1);
    let other = world.agent("Claude").write("voice", "Short sentences");
    assert!(other.unwrap().notice.is_none());
    // An accept of what stands by now makes no revision.
    person.write("voice", "Long sentences").unwrap();
    let done = accept(&person, waiting(&world)[0].id, Some(2)).unwrap();
    assert_eq!(
        (done.outcome, done.revision),
        (AcceptOutcome::Accepted, Some(2))
    );
    assert!(waiting(&world).is_empty());
}

#[test]
fn what_a_landing_write_is_refused_for_is_refused_up_front() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    let titled = |topic: &str, title: &str| WriteInput {
        title: Some(title.into()),
        body: body("Text"),
        ..input(topic)
    };
    let one = person.write_with(titled("voice", "One")).unwrap();
    person.write_with(titled("voice", "Two")).unwrap();
    let by_id = |change: WriteInput| WriteInput {
        id: Some(one.id.to_string()),
        ..change
    };
    let cases: [(WriteInput, Code); 8] = [
        (
            WriteInput {
                body: body("Another text"),
                ..input("voice")
            },
            Code::Ambiguous,
        ),
        (by_id(titled("voice", "Two")), Code::Ambiguous),
        (
            by_id(WriteInput {
                append: Some("x".repeat(262_144)),
                ..WriteInput::default()
            }),
            Code::TooLarge,
        ),
        (
            WriteInput {
                base_revision: Some(7),
                ..titled("voice", "One")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                base_revision: Some(1),
                ..titled("voice", "Three")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                tags: Some(vec!["x".into()]),
                ..input("new")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                id: Some("0".repeat(12)),
                body: body("x"),
                ..WriteInput::default()
            },
            Code::UnknownUnit,
        ),
        (
            WriteInput {
                brain: "nowhere".into(),
                ..titled("voice", "One")
            },
            Code::UnknownBrain,
        ),
    ];
    for (input, code) in cases {
        let refused = cursor.write_with(input.clone()).unwrap_err();
        assert_eq!(refused.code, code, "{input:?}: {refused}");
    }
    let gone = cursor.retire(&"0".repeat(12), None).unwrap_err();
    assert_eq!(gone.code, Code::UnknownUnit);
    assert!(waiting(&world).is_empty());
}

fn confirm(id: &str, revision: u32, verdict: Verdict, text: Option<&str>) -> ConfirmInput {
    ConfirmInput {
        id: id.into(),
        revision: Some(revision),
        verdict: Some(verdict),
        body: text.map(Into::into),
    }
}

#[test]
fn a_confirm_carries_the_persons_word_but_its_new_text_waits() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    let unit = person.write("voice", "Short sentences").unwrap().id;
    let id = unit.as_str();
    world.pass(20);
    cursor.fetch(id).unwrap();
    let changed = confirm(id, 1, Verdict::Changed, Some("Long sentences"));
    let reply = cursor.confirm(changed.clone()).unwrap();
    assert_eq!(reply.outcome, ConfirmOutcome::Proposed);
    assert_eq!(reply.revision, 1);
    assert_eq!(reply.freshness, Freshness::Aging);
    assert!(reply.notice.unwrap().contains("revision 1 still stands"));
    assert_eq!(cursor.fetch(id).unwrap().text, "Short sentences");
    let noted = cursor.confirm(confirm(id, 1, Verdict::Unknown, None));
    assert_eq!(noted.unwrap().outcome, ConfirmOutcome::Noted);
    let holds = cursor.confirm(confirm(id, 1, Verdict::StillTrue, None));
    assert_eq!(holds.unwrap().outcome, ConfirmOutcome::Confirmed);
    // That the text that stands is the new one says that it holds.
    let same = confirm(id, 1, Verdict::Changed, Some("Short sentences"));
    let same = cursor.confirm(same).unwrap();
    assert_eq!(
        (same.outcome, same.revision),
        (ConfirmOutcome::Confirmed, 1)
    );
    accept(&person, waiting(&world)[0].id, Some(1)).unwrap();
    assert_eq!(cursor.fetch(id).unwrap().text, "Long sentences");
    // The person's own word lands.
    let own = confirm(id, 2, Verdict::Changed, Some("No sentences"));
    person.fetch(id).unwrap();
    assert_eq!(
        person.confirm(own).unwrap().outcome,
        ConfirmOutcome::Updated
    );
}

#[test]
fn an_accept_neither_closes_nor_grows_an_open_conflict() {
    let world = review();
    // Two windows of the person's.
    let (person, other, cursor) = (
        world.agent("you"),
        world.agent("you"),
        world.agent("Cursor"),
    );
    other.write("voice", "One").unwrap();
    let clash = person.write("voice", "Two").unwrap();
    assert_eq!(clash.outcome, Conflicted);
    let id = clash.id.as_str();
    let proposed = world.agent("Codex").write("voice", "Three").unwrap();
    assert_eq!(proposed.outcome, Proposed);
    assert_eq!(proposed.conflict.unwrap().sides.len(), 1);
    accept(&person, waiting(&world)[0].id, Some(2)).unwrap();
    let unit = person.fetch(id).unwrap();
    assert_eq!(unit.text, "Three");
    let conflict = unit.metadata.conflict.unwrap();
    assert_eq!(conflict.sides.len(), 1);
    assert_eq!(conflict.sides[0].text.as_deref(), Some("One"));
    // A resolve carries the person's word, so it does not wait.
    let resolve = ResolveInput {
        id: id.into(),
        version: conflict.version,
        choice: Choice::KeepHead,
        revision: None,
        body: None,
        title: None,
        tags: None,
        source: None,
        decision: "Three it is".into(),
    };
    let resolved = cursor.resolve(resolve).unwrap();
    assert_eq!(resolved.outcome, ResolveOutcome::Resolved);
}

#[test]
fn a_brain_of_owners_is_written_by_the_person_and_whom_they_mark() {
    let world = World::with(WritePolicy::Owners);
    let (person, cursor, claude, cli) = (
        world.agent("you"),
        world.agent("Cursor"),
        world.agent("Claude"),
        world.agent("cli"),
    );
    let unit = person.write("voice", "Short sentences").unwrap().id;
    let id = unit.as_str();
    let mark = |grant, owner| use_cases::grant(cli.call(), "team", "Cursor", grant, owner);
    let refused = mark(Grant::Read, Some(true)).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    let may = |agent: &Actor<'_>, text: &str| agent.write("voice", text).map(|it| it.outcome);
    assert_eq!(may(&cursor, "x").unwrap_err().code, Code::NotAllowed);
    mark(Grant::Write, Some(true)).unwrap();
    assert_eq!(may(&cursor, "Marked").unwrap(), Conflicted);
    let row = |name: &str| {
        let rows = use_cases::connections(cli.call()).unwrap();
        rows.into_iter().find(|row| row.connection == name).unwrap()
    };
    assert_eq!(row("Cursor").owner[0].as_str(), "team");
    assert!(row("Claude").owner.is_empty());
    for agent in [&claude, &cli] {
        assert_eq!(agent.fetch(id).unwrap().text, "Marked");
        let refused = may(agent, "x").unwrap_err();
        assert_eq!(refused.code, Code::NotAllowed);
        assert!(refused.message.contains("owners"), "{refused}");
        for refused in [
            agent.retire(id, None).map(|_| ()),
            agent
                .confirm(confirm(id, 2, Verdict::StillTrue, None))
                .map(|_| ()),
            agent
                .confirm(ConfirmInput {
                    id: id.into(),
                    ..ConfirmInput::default()
                })
                .map(|_| ()),
        ] {
            assert_eq!(refused.unwrap_err().code, Code::NotAllowed);
        }
        let (_, conflict) = agent.conflict_quietly(id).unwrap();
        let resolve = ResolveInput {
            id: id.into(),
            version: conflict.version,
            choice: Choice::KeepHead,
            revision: None,
            body: None,
            title: None,
            tags: None,
            source: None,
            decision: "Keep it".into(),
        };
        assert_eq!(agent.resolve(resolve).unwrap_err().code, Code::NotAllowed);
    }
    // Granted anew, the mark stays; it goes with the grant, or when told.
    mark(Grant::Write, None).unwrap();
    assert_eq!(may(&cursor, "Still marked").unwrap(), Updated);
    mark(Grant::Write, Some(false)).unwrap();
    assert_eq!(may(&cursor, "x").unwrap_err().code, Code::NotAllowed);
    mark(Grant::Write, Some(true)).unwrap();
    mark(Grant::Read, None).unwrap();
    mark(Grant::Write, None).unwrap();
    assert_eq!(may(&cursor, "x").unwrap_err().code, Code::NotAllowed);
}

#[test]
fn a_read_grant_proposes_nothing() {
    let world = review();
    let (cursor, cli) = (world.agent("Cursor"), world.agent("cli"));
    use_cases::grant(cli.call(), "team", "Cursor", Grant::Read, None).unwrap();
    let refused = cursor.write("voice", "x").unwrap_err();
    assert_eq!(refused.code, Code::NotAllowed);
    assert!(waiting(&world).is_empty());
}

#[test]
fn policies_are_for_shared_brains() {
    let world = World::new();
    let cli = world.agent("cli");
    for policy in [WritePolicy::Owners, WritePolicy::Review] {
        let make = |name: &str, kind| use_cases::create_brain(cli.call(), name, None, kind, policy);
        let refused = make("diary", BrainKind::Personal).unwrap_err();
        assert_eq!(refused.code, Code::Invalid);
        let row = make(policy.as_str(), BrainKind::Shared).unwrap();
        assert_eq!(row.write_policy, policy);
    }
    let brains = use_cases::brains(cli.call(), BrainsInput {})
        .unwrap()
        .brains;
    assert_eq!(brains.len(), 4);
}

#[test]
fn only_the_person_looks_at_proposals_and_decides() {
    let world = review();
    let (_, cursor, _) = proposed_over_voice(&world, "Long sentences");
    let id = waiting(&world)[0].id;
    for agent in [&cursor, &world.agent("Claude"), &world.agent("cli")] {
        for refused in [
            view(agent, id).map(|_| ()),
            accept(agent, id, Some(1)).map(|_| ()),
            use_cases::reject(agent.call(), RejectInput { id, reason: None }).map(|_| ()),
        ] {
            assert_eq!(refused.unwrap_err().code, Code::NotAllowed);
        }
    }
    assert_eq!(waiting(&world).len(), 1);
    let person = world.agent("you");
    cursor.write("new", "Text").unwrap();
    let (listed, total) = use_cases::proposals(person.call(), 0, 1).unwrap();
    assert_eq!((listed.len(), total), (1, 2));
    assert_eq!(listed[0], view(&person, listed[0].id).unwrap());
    assert_eq!(listed[0].content.topic.as_str(), "new");
    let (listed, _) = use_cases::proposals(person.call(), 1, 9).unwrap();
    assert_eq!(listed[0], view(&person, id).unwrap());
    let refused = use_cases::proposals(cursor.call(), 0, 9).unwrap_err();
    assert_eq!(refused.code, Code::NotAllowed);
}

#[test]
fn what_a_revoked_author_proposed_can_still_be_accepted() {
    let world = review();
    let (person, cursor, reply) = proposed_over_voice(&world, "Long sentences");
    cursor.write("new", "Also new").unwrap();
    use_cases::revoke_connection(world.agent("cli").call(), "Cursor").unwrap();
    let open = waiting(&world);
    assert_eq!(open.len(), 2);
    accept(&person, open[0].id, None).unwrap();
    accept(&person, open[1].id, Some(1)).unwrap();
    let unit = person.fetch(reply.id.as_str()).unwrap();
    assert_eq!(unit.text, "Long sentences");
    assert!(unit.metadata.agent.0.to_string().contains("Cursor"));
}

#[test]
fn a_proposal_follows_its_unit_when_that_moves() {
    let world = review();
    let (person, cursor, reply) = proposed_over_voice(&world, "Long sentences");
    let moved = WriteInput {
        id: Some(reply.id.to_string()),
        ..input("style/voice")
    };
    person.write_with(moved).unwrap();
    let open = waiting(&world);
    let seen = view(&person, open[0].id).unwrap();
    assert_eq!(seen.content.topic.as_str(), "style/voice");
    assert_eq!(seen.changed, [Field::Body]);
    accept(&person, open[0].id, Some(2)).unwrap();
    let unit = cursor.fetch("team:style/voice").unwrap();
    assert_eq!(unit.text, "Long sentences");
}

#[test]
fn a_move_waits_too_and_its_address_may_be_taken_by_then() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    let unit = person.write("drafts", "Text").unwrap().id;
    let to = |id: &str, topic: &str| WriteInput {
        id: Some(id.into()),
        ..input(topic)
    };
    let reply = cursor.write_with(to(unit.as_str(), "final")).unwrap();
    assert_eq!((reply.outcome, reply.topic.as_str()), (Proposed, "drafts"));
    person.write("final", "Another").unwrap();
    let open = waiting(&world)[0].id;
    assert_eq!(view(&person, open).unwrap().changed, [Field::Topic]);
    let taken = accept(&person, open, Some(1)).unwrap_err();
    assert_eq!(taken.code, Code::Ambiguous);
    let edited = AcceptInput {
        id: open,
        revision: Some(1),
        title: Some("Draft".into()),
        ..AcceptInput::default()
    };
    use_cases::accept(person.call(), edited).unwrap();
    assert_eq!(person.fetch("team:final#Draft").unwrap().id, unit);
    assert_eq!(person.fetch("team:drafts").unwrap().id, unit);
}

#[test]
fn an_accepted_text_is_as_old_as_it_was_seen_to_hold() {
    let world = review();
    let (person, cursor, _) = proposed_over_voice(&world, "Long sentences");
    let observed = WriteInput {
        body: body("Long sentences"),
        observed_at: Some("2026-11-01T00:00:00Z".into()),
        ..input("voice")
    };
    cursor.write_with(observed).unwrap();
    world.pass(2);
    accept(&person, waiting(&world)[0].id, Some(1)).unwrap();
    let metadata = cursor.fetch("team:voice").unwrap().metadata;
    assert_eq!(metadata.freshness, Freshness::Aging);
    assert_eq!(
        metadata.observed_at.unwrap().0.to_string(),
        "2026-11-01T00:00:00Z"
    );
    // Without a word of when, it holds from the accept on.
    cursor.write("voice", "Longer sentences").unwrap();
    world.pass(30);
    accept(&person, waiting(&world)[0].id, Some(2)).unwrap();
    let metadata = cursor.fetch("team:voice").unwrap().metadata;
    assert_eq!(metadata.freshness, Freshness::Fresh);
}

#[derive(Debug, Clone)]
enum Act {
    Write(Box<WriteInput>),
    Retire(u8),
    Fetch(u8),
    Changed(u8, u8),
    StillTrue(u8),
    NewSession,
}

fn topic(number: u8) -> String {
    format!("t/{number}")
}

fn writes() -> impl Strategy<Value = WriteInput> {
    (
        0..3u8,
        proptest::option::of(0..4u8),
        proptest::option::of(0..3u8),
        proptest::option::of(0..3u8),
        proptest::option::of(0..2u8),
        proptest::option::of(1..3u32),
    )
        .prop_map(|(at, text, added, tag, source, base)| WriteInput {
            body: text.map(|text| format!("Text {text}")),
            append: added
                .filter(|_| text.is_none())
                .map(|added| format!("More {added}")),
            tags: tag.map(|tag| vec![format!("tag {tag}")]),
            source: source.map(|source| format!("source {source}")),
            base_revision: base,
            ..input(&topic(at))
        })
}

fn acts() -> impl Strategy<Value = Vec<(usize, Act)>> {
    let act = prop_oneof![
        6 => writes().prop_map(|input| Act::Write(Box::new(input))),
        1 => (0..3u8).prop_map(Act::Retire),
        2 => (0..3u8).prop_map(Act::Fetch),
        1 => (0..3u8, 0..4u8).prop_map(|(at, text)| Act::Changed(at, text)),
        1 => (0..3u8).prop_map(Act::StillTrue),
        1 => Just(Act::NewSession),
    ];
    proptest::collection::vec((0..3usize, act), 1..14)
}

/// Every unit of `team`: its revision, text, tags, source and whether it is
/// retired, without anybody seeing it.
#[expect(
    clippy::unwrap_used,
    reason = "a test ends where its store cannot be read"
)]
fn heads(world: &World) -> Vec<String> {
    world
        .store()
        .read(|records| {
            let brains = records.brains()?;
            let team = brains.iter().find(|brain| brain.name.as_str() == "team");
            let team = team.unwrap().key;
            let mut heads = Vec::new();
            for at in 0..3 {
                let topic = ozbrain_core::words::Topic::parse(&topic(at))?;
                let unit = records.unit_at(team, &topic, None)?;
                heads.push(format!(
                    "{:?}",
                    unit.map(|unit| (unit.head, unit.sides, unit.version))
                ));
            }
            Ok(heads)
        })
        .unwrap()
}

const NAMES: [&str; 3] = ["Cursor", "Claude", "cli"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    #[test]
    fn whatever_agents_do_in_a_review_brain_no_head_changes(acts in acts()) {
        let world = review();
        let person = world.agent("you");
        person.write("t/0", "Text 0").unwrap();
        person.write("t/1", "Text 1").unwrap();
        let before = heads(&world);
        let mut agents: Vec<Actor<'_>> = NAMES.map(|name| world.agent(name)).into();
        for (who, act) in acts {
            match act {
                Act::Write(input) => {
                    if let Ok(reply) = agents[who].write_with(*input) {
                        prop_assert!(matches!(reply.outcome, Proposed | Unchanged));
                    }
                }
                Act::Retire(at) => {
                    let _ = agents[who].retire(&format!("team:{}", topic(at)), None);
                }
                Act::Fetch(at) => {
                    let _ = agents[who].fetch(&format!("team:{}", topic(at)));
                }
                Act::Changed(at, text) => {
                    let id = format!("team:{}", topic(at));
                    let text = format!("Text {text}");
                    let _ = agents[who].confirm(confirm(&id, 1, Verdict::Changed, Some(&text)));
                }
                Act::StillTrue(at) => {
                    let id = format!("team:{}", topic(at));
                    let _ = agents[who].confirm(confirm(&id, 1, Verdict::StillTrue, None));
                }
                Act::NewSession => agents[who] = world.agent(NAMES[who]),
            }
            prop_assert_eq!(&heads(&world), &before);
        }
        // Whatever waits can be looked at and decided, one way or the other.
        for (place, open) in waiting(&world).into_iter().enumerate() {
            let seen = view(&person, open.id).unwrap();
            let shown = seen.head.as_ref().map(|head| head.revision);
            if place % 2 == 0 {
                let reply = accept(&person, open.id, shown).unwrap();
                prop_assert_eq!(reply.outcome, AcceptOutcome::Accepted);
                let unit = person.fetch(reply.id.as_deref().unwrap()).unwrap();
                prop_assert!(!unit.metadata.conflicted);
                if unit.metadata.retired.is_none() {
                    prop_assert_eq!(unit.text, seen.content.body);
                }
            } else {
                use_cases::reject(person.call(), RejectInput { id: open.id, reason: None }).unwrap();
            }
        }
        prop_assert!(waiting(&world).is_empty());
    }

    #[test]
    fn accepting_what_an_agent_proposed_leaves_what_its_writes_would_have(
        steps in proptest::collection::vec(writes(), 1..5), there: bool,
    ) {
        // In the review brain first: what only repeats the head waits for nobody.
        let mut left = Vec::new();
        let mut told = vec![true; steps.len()];
        for world in [review(), World::new()] {
            let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
            if there {
                person.write("t/0", "Text 0").unwrap();
                cursor.fetch("team:t/0").unwrap();
            }
            for (step, told) in steps.iter().zip(&mut told).filter(|(_, told)| **told) {
                let step = WriteInput { base_revision: None, topic: Some("t/0".into()), ..step.clone() };
                let written = cursor.write_with(step);
                *told = written.is_ok_and(|reply| reply.outcome != Unchanged);
            }
            for open in waiting(&world) {
                let seen = view(&person, open.id).unwrap();
                prop_assert!(!seen.moved);
                accept(&person, open.id, seen.head.map(|head| head.revision)).unwrap();
            }
            left.push(person.fetch("team:t/0").ok().map(|unit| {
                (unit.text, unit.metadata.tags, unit.metadata.source, unit.metadata.conflicted)
            }));
        }
        prop_assert_eq!(&left[0], &left[1]);
    }
}

#[test]
fn a_proposal_that_lost_its_text_hides_no_other_and_can_be_rejected() {
    let world = review();
    let (person, cursor, _) = proposed_over_voice(&world, "Long sentences");
    let agent = cursor.session.agent.clone();
    let now = world.now();
    let lost = world.store().write(move |records| {
        let brains = records.brains()?;
        let team = brains.iter().find(|it| it.name.as_str() == "team");
        let proposal = Proposal {
            id: 0,
            brain: team.unwrap().key,
            target: Target::New(UnitId::parse("000000000009").unwrap()),
            asks: Asks::Write(Wanted {
                topic: Some(Topic::parse("news")?),
                ..Wanted::default()
            }),
            base: None,
            agent: agent.clone(),
            at: now,
            reason: ProposalReason::Review,
            state: ProposalState::Open,
            became: None,
        };
        Ok((vec![Change::NewProposal(Box::new(proposal))], ()))
    });
    lost.unwrap();
    let inbox = || use_cases::inbox(person.call(), InboxInput::default(), now).unwrap();
    let shown = inbox();
    assert_eq!(
        (shown.items.len(), shown.counts.proposals),
        (shown.total as usize, 2)
    );
    let (all, total) = use_cases::proposals(person.call(), 0, 9).unwrap();
    assert_eq!((all.len(), total), (2, 2));
    assert_eq!(
        (all[0].content.topic.as_str(), all[0].content.body.as_str()),
        ("news", "")
    );
    let id = all[0].id;
    let refused = accept(&person, id, None).unwrap_err();
    assert!(refused.message.contains("lost its text"), "{refused}");
    use_cases::reject(person.call(), RejectInput { id, reason: None }).unwrap();
    assert_eq!(inbox().counts.proposals, 1);
}

#[test]
fn why_a_new_unit_was_rejected_stands_in_the_activity() {
    let world = review();
    let (person, cursor) = (world.agent("you"), world.agent("Cursor"));
    let reply = cursor.write("news", "A new one").unwrap();
    let reject = RejectInput {
        id: waiting(&world)[0].id,
        reason: Some("No news".into()),
    };
    use_cases::reject(person.call(), reject).unwrap();
    assert_eq!(
        cursor.history(reply.id.as_str()).unwrap_err().code,
        Code::UnknownUnit
    );
    let activity = use_cases::activity(cursor.call(), ActivityInput::default()).unwrap();
    let row = &activity.events[0];
    assert_eq!((row.kind, row.unit.is_none()), (EventKind::Rejected, true));
    assert_eq!(row.decision.as_deref(), Some("No news"));
}
