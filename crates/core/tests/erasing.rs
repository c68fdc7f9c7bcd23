//! What the person erased stands in no file: through the use cases, on a real
//! store, by the bytes of its folder.

use ozbrain_core::Code;
use ozbrain_core::shapes::{Choice, ConfirmInput, ResolveInput, Verdict, WriteInput};
use ozbrain_core::use_cases::{self, erase, join, undo, undoable};
use ozbrain_core::views::acts::{EraseInput, EraseOutcome, EraseReply, UndoOutcome};
use ozbrain_core::views::proposals::RejectInput;
use ozbrain_core::words::{BrainKind, EventKind, UnitId, WritePolicy};
use ozbrain_testkit::{Actor, World, titled};
use std::path::Path;

/// Words that the analysis leaves as they are, so that the index holds them.
const BODY: &str = "zyxwombat";
const TITLE: &str = "qwixaffle";
const TAG: &str = "vexodrome";
const SOURCE: &str = "jubtranik";
const TOPIC: &str = "kelfaduke";
const DECISION: &str = "plomizark";
const ALL: [&str; 6] = [BODY, TITLE, TAG, SOURCE, TOPIC, DECISION];

/// Which of the words stand in any file of the folder, in any case.
#[expect(clippy::unwrap_used, reason = "a test ends where it cannot look")]
fn found(folder: &Path) -> Vec<&'static str> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let read = std::fs::read(entry.unwrap().path());
        // The engine's own file of a write that is over by now holds nothing.
        let gone = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
        if read.as_ref().is_err_and(gone) {
            continue;
        }
        all.extend(read.unwrap().to_ascii_lowercase());
        all.push(0);
    }
    // A keyword index shares beginnings between neighbours and holds stems, so
    // the middle is what it surely has.
    ALL.into_iter()
        .filter(|word| {
            let middle = &word.as_bytes()[2..word.len() - 2];
            all.windows(middle.len()).any(|bytes| bytes == middle)
        })
        .collect()
}

fn secret() -> WriteInput {
    WriteInput {
        topic: Some(TOPIC.into()),
        title: Some(TITLE.into()),
        body: Some(format!(
            "The key is {BODY}. {}",
            "And more is said. ".repeat(300)
        )),
        tags: Some(vec![TAG.into()]),
        source: Some(SOURCE.into()),
        ..WriteInput::default()
    }
}

fn fill(actor: &Actor<'_>, count: usize) {
    for number in 0..count {
        let body = format!("Word{number} stands here. {}", "It is long. ".repeat(20));
        let wrote = actor.write(&format!("plain/at-{number}"), &body);
        assert!(wrote.is_ok());
    }
}

fn unit(id: &UnitId) -> EraseInput {
    EraseInput::Unit { id: id.to_string() }
}

fn revision(id: &UnitId, revision: u32) -> EraseInput {
    EraseInput::Revision {
        id: id.to_string(),
        revision,
    }
}

#[expect(clippy::panic, reason = "a test ends where its erase is refused")]
fn erased(world: &World, what: EraseInput) -> EraseReply {
    match erase(world.agent("you").call(), what) {
        Ok(reply) => reply,
        Err(refused) => panic!("{refused}"),
    }
}

/// A unit with a past: a clash, a decision, confirms, reads, an undo.
#[expect(clippy::unwrap_used, reason = "a test ends where an act is refused")]
fn with_a_past(world: &World) -> UnitId {
    let cursor = world.agent("Cursor");
    let id = cursor.write_with(secret()).unwrap().id;
    let clash = world.agent("Claude").write_with(WriteInput {
        body: Some(format!("{BODY} was changed")),
        ..secret()
    });
    let version = clash.unwrap().conflict.unwrap().version;
    let settled = cursor.resolve(ResolveInput {
        id: id.to_string(),
        version,
        choice: Choice::KeepHead,
        revision: None,
        body: None,
        title: None,
        tags: None,
        source: None,
        decision: format!("They said {DECISION}"),
    });
    undo(world.agent("you").call(), settled.unwrap().event.unwrap()).unwrap();
    id
}

#[test]
fn an_erased_unit_leaves_no_byte() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    fill(&cursor, 40);
    let id = with_a_past(&world);
    // It stood elsewhere, was read, and the index has several parts.
    let moved = WriteInput {
        id: Some(id.to_string()),
        topic: Some("elsewhere".into()),
        title: Some("Now".into()),
        ..WriteInput::default()
    };
    cursor.write_with(moved).unwrap();
    fill(&world.agent("Claude"), 40);
    cursor.fetch(id.as_str()).unwrap();
    assert_eq!(found(world.folder()), ALL);
    let reply = erased(&world, unit(&id));
    assert_eq!(
        (reply.outcome, reply.pending),
        (EraseOutcome::Erased, false)
    );
    assert_eq!(found(world.folder()), [""; 0]);
    // Nobody finds it, under no address, and its session does not stumble.
    for address in [
        id.to_string(),
        format!("team:{TOPIC}#{TITLE}"),
        "team:elsewhere#Now".into(),
    ] {
        assert_eq!(
            cursor.fetch(&address).unwrap_err().code,
            Code::UnknownUnit,
            "{address}"
        );
        assert_eq!(
            cursor.history(&address).unwrap_err().code,
            Code::UnknownUnit
        );
    }
    let write = WriteInput {
        id: Some(id.to_string()),
        body: Some("Again".into()),
        base_revision: Some(1),
        ..WriteInput::default()
    };
    assert_eq!(
        cursor.write_with(write).unwrap_err().code,
        Code::UnknownUnit
    );
    assert!(cursor.search(BODY).unwrap().results.is_empty());
    let again = cursor
        .write_with(titled("elsewhere", "Now", "Another fact"))
        .unwrap();
    assert_ne!(again.id, id);
    // Who erased it and when stays on record; that cannot be undone.
    let events = world.store().read(|records| {
        assert!(records.id_taken(&id)?);
        assert_eq!(
            records.delivered_to(&cursor.session.agent.connection, &id, 1)?,
            None
        );
        records.unit_events(&id, 99)
    });
    let events = events.unwrap();
    assert_eq!(events[0].kind, EventKind::Erased);
    assert!(events[0].agent.is_person());
    assert!(events.iter().all(|event| event.detail.is_none()));
    let you = world.agent("you");
    for event in &events {
        assert_eq!(undo(you.call(), event.id).unwrap_err().code, Code::Invalid);
    }
    assert!(
        undo(you.call(), events[0].id)
            .unwrap_err()
            .message
            .contains("cannot be undone")
    );
    assert!(undoable(you.call(), &[events[1].id]).unwrap().is_empty());
    world.store().read(|records| records.check()).unwrap();
    assert_eq!(
        cursor.search("word7 stands").unwrap().results[0].topic,
        "plain/at-7"
    );
}

#[test]
fn an_erased_revision_leaves_no_byte_and_its_place() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let id = cursor.write_with(secret()).unwrap().id;
    fill(&cursor, 30);
    let clean = WriteInput {
        id: Some(id.to_string()),
        tags: Some(vec!["clean".into()]),
        source: Some("nowhere".into()),
        ..titled("elsewhere", "Now", "Nothing to see")
    };
    let written = cursor.write_with(clean).unwrap();
    let here = ALL.map(|word| (word, word != DECISION));
    let here: Vec<&str> = here.iter().filter(|it| it.1).map(|it| it.0).collect();
    assert_eq!(found(world.folder()), here);
    let reply = erased(&world, revision(&id, 1));
    assert_eq!((reply.pending, &reply.also_in[..]), (false, &[][..]));
    assert_eq!(found(world.folder()), [""; 0]);
    assert_eq!(cursor.text_quietly(id.as_str()).unwrap(), "Nothing to see");
    let history = cursor.history(id.as_str()).unwrap();
    assert_eq!(history.revisions.len(), 2);
    assert_eq!(history.revisions[1].text, None);
    assert_eq!(history.events[0].kind, EventKind::Erased);
    let old = cursor.fetch(&format!("team:{TOPIC}#{TITLE}")).unwrap_err();
    assert_eq!(old.code, Code::UnknownUnit);
    // What stood before is gone, so the write over it cannot be undone.
    let refused = undo(world.agent("you").call(), written.event.unwrap()).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    assert!(refused.message.contains("was erased"), "{refused}");
    // Erased twice is erased.
    assert_eq!(
        erased(&world, revision(&id, 1)).outcome,
        EraseOutcome::Erased
    );
    // A session that saw it goes on.
    let wrote = cursor.write_with(WriteInput {
        id: Some(id.to_string()),
        body: Some("More".into()),
        base_revision: Some(1),
        ..WriteInput::default()
    });
    assert!(wrote.is_ok());
}

#[test]
fn an_erased_side_leaves_the_conflict() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let id = cursor.write("status", &format!("It is {BODY}")).unwrap().id;
    world.agent("Claude").write("status", "On track").unwrap();
    world.agent("Codex").write("status", "Cancelled").unwrap();
    let conflict = cursor
        .fetch(id.as_str())
        .unwrap()
        .metadata
        .conflict
        .unwrap();
    assert_eq!(conflict.sides.len(), 2);
    erased(&world, revision(&id, 1));
    let left = cursor
        .fetch(id.as_str())
        .unwrap()
        .metadata
        .conflict
        .unwrap();
    assert_eq!(
        left.sides
            .iter()
            .map(|side| side.revision)
            .collect::<Vec<_>>(),
        [2]
    );
    assert!(left.version > conflict.version);
    erased(&world, revision(&id, 2));
    assert!(
        cursor
            .fetch(id.as_str())
            .unwrap()
            .metadata
            .conflict
            .is_none()
    );
    assert_eq!(found(world.folder()), [""; 0]);
}

#[test]
fn an_erased_brain_leaves_no_byte() {
    let world = World::new();
    let you = world.agent("you");
    let created = use_cases::create_brain(
        you.call(),
        "plomizark",
        None,
        BrainKind::Shared,
        WritePolicy::Open,
    );
    created.unwrap();
    let wrote = you
        .write_with(WriteInput {
            brain: "plomizark".into(),
            ..secret()
        })
        .unwrap();
    use_cases::grant(
        you.call(),
        "plomizark",
        "cli",
        ozbrain_core::words::Grant::Read,
        None,
    )
    .unwrap();
    fill(&you, 5);
    let other = WriteInput {
        brain: "plomizark".into(),
        ..titled("other", "Other", "Plain")
    };
    let other = you.write_with(other).unwrap();
    join(you.call(), wrote.id.as_str(), 1, other.id.as_str(), 1).unwrap();
    assert_eq!(found(world.folder()), ALL);
    let reply = erased(
        &world,
        EraseInput::Brain {
            brain: "plomizark".into(),
        },
    );
    assert!(!reply.pending);
    assert_eq!(found(world.folder()), [""; 0]);
    assert_eq!(
        you.fetch(wrote.id.as_str()).unwrap_err().code,
        Code::UnknownUnit
    );
    assert_eq!(
        undo(you.call(), wrote.event.unwrap()).unwrap_err().code,
        Code::Invalid
    );
    world
        .store()
        .read(|records| {
            assert!(records.id_taken(&wrote.id)?);
            let last = records.events_after(records.last_event()? - 1, 1)?;
            assert_eq!((last[0].kind, last[0].brain), (EventKind::Erased, None));
            records.check()
        })
        .unwrap();
    assert!(you.text_quietly("team:plain/at-1").is_some());
    // The name is free, and even the last brain can go: whoever comes next
    // finds a new one.
    use_cases::create_brain(
        you.call(),
        "plomizark",
        None,
        BrainKind::Personal,
        WritePolicy::Open,
    )
    .unwrap();
    for brain in ["plomizark", "team", "personal"] {
        erased(
            &world,
            EraseInput::Brain {
                brain: brain.into(),
            },
        );
    }
    let brains = world.agent("Claude");
    let brains = use_cases::brains(brains.call(), ozbrain_core::shapes::BrainsInput {})
        .unwrap()
        .brains;
    assert_eq!(brains.len(), 1);
    assert_eq!((brains[0].brain.as_str(), brains[0].units), ("personal", 0));
}

#[test]
fn one_erase_after_the_other_leaves_no_byte() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    // The first leaves an index of one part, from which the second is taken.
    let first = cursor.write("status", &format!("It is {TAG}")).unwrap().id;
    fill(&cursor, 3);
    let second = cursor.write("budget", &format!("It is {BODY}")).unwrap().id;
    fill(&cursor, 30);
    erased(&world, unit(&first));
    assert_eq!(found(world.folder()), [BODY]);
    erased(&world, unit(&second));
    assert_eq!(found(world.folder()), [""; 0]);
}

#[test]
fn what_was_joined_goes_with_its_survivor() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let other = cursor.write_with(secret()).unwrap().id;
    let id = cursor.write("status", "Plain").unwrap().id;
    join(world.agent("you").call(), id.as_str(), 1, other.as_str(), 1).unwrap();
    erased(&world, unit(&id));
    assert_eq!(found(world.folder()), [""; 0]);
    for id in [id, other] {
        assert_eq!(
            cursor.fetch(id.as_str()).unwrap_err().code,
            Code::UnknownUnit
        );
    }
}

#[test]
fn an_erased_text_of_a_joined_unit_is_gone_there_too() {
    let world = World::new();
    let (cursor, you) = (world.agent("Cursor"), world.agent("you"));
    let other = cursor.write_with(secret()).unwrap().id;
    let id = cursor.write("status", "Plain").unwrap().id;
    let joined = join(you.call(), id.as_str(), 1, other.as_str(), 1).unwrap();
    let clean = you.resolve(ResolveInput {
        id: id.to_string(),
        version: you
            .fetch(id.as_str())
            .unwrap()
            .metadata
            .conflict
            .unwrap()
            .version,
        choice: Choice::Restore,
        revision: Some(1),
        body: None,
        title: None,
        tags: None,
        source: None,
        decision: "So".into(),
    });
    erased(&world, revision(&id, 2));
    assert_eq!(found(world.folder()), [""; 0]);
    // Both ids lead where they led; the join cannot be undone any more.
    assert_eq!(cursor.fetch(other.as_str()).unwrap().text, "Plain");
    assert_eq!(clean.unwrap().revision, 3);
    let kept = undo(you.call(), joined.event.unwrap()).unwrap();
    assert_eq!(kept.outcome, UndoOutcome::Moved);
    world.store().read(|records| records.check()).unwrap();
}

#[test]
fn what_another_process_reads_goes_when_it_lets_go() {
    let world = World::new();
    let id = with_a_past(&world);
    let other = world.elsewhere();
    let mut pending = false;
    other
        .read(|records| {
            records.last_event()?;
            pending = erased(&world, unit(&id)).pending;
            // The moment that is held open still tells it.
            assert_eq!(records.revisions(&id, 9)?.len(), 4);
            Ok(())
        })
        .unwrap();
    assert!(pending);
    assert!(!found(world.folder()).is_empty());
    assert!(world.store().scrub().unwrap());
    assert_eq!(found(world.folder()), [""; 0]);
    other.read(|records| records.check()).unwrap();
}

#[test]
fn what_is_left_goes_with_the_next_write_or_the_next_start() {
    for restarted in [false, true] {
        let world = World::new();
        let id = with_a_past(&world);
        let other = world.elsewhere();
        other
            .read(|records| {
                records.last_event()?;
                assert!(erased(&world, unit(&id)).pending);
                Ok(())
            })
            .unwrap();
        if restarted {
            let _next = world.elsewhere();
            assert_eq!(found(world.folder()), [""; 0]);
        } else {
            fill(&world.agent("Cursor"), 1);
            assert_eq!(found(world.folder()), [""; 0]);
        }
    }
}

#[test]
fn only_the_person_erases_and_no_head() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let id = cursor.write("status", "One").unwrap().id;
    cursor
        .write_with(WriteInput {
            id: Some(id.to_string()),
            tags: Some(vec!["a".into()]),
            ..WriteInput::default()
        })
        .unwrap();
    for what in [
        unit(&id),
        revision(&id, 1),
        EraseInput::Brain {
            brain: "team".into(),
        },
    ] {
        for agent in [&cursor, &world.agent("cli")] {
            let refused = erase(agent.call(), what.clone()).unwrap_err();
            assert_eq!(refused.code, Code::NotAllowed);
        }
    }
    let you = world.agent("you");
    let head = erase(you.call(), revision(&id, 2)).unwrap_err();
    assert_eq!(head.code, Code::Invalid);
    assert!(
        head.message.contains("Write what shall stand instead"),
        "{head}"
    );
    assert_eq!(
        erase(you.call(), revision(&id, 3)).unwrap_err().code,
        Code::Invalid
    );
    let unknown = EraseInput::Brain {
        brain: "nobody".into(),
    };
    assert_eq!(
        erase(you.call(), unknown).unwrap_err().code,
        Code::UnknownBrain
    );
    // Who says the same elsewhere in the unit is named.
    let reply = erased(&world, revision(&id, 1));
    assert_eq!(reply.also_in, [2]);
    let confirmed = you.confirm(ConfirmInput {
        id: id.to_string(),
        revision: Some(2),
        verdict: Some(Verdict::StillTrue),
        body: None,
    });
    assert!(confirmed.is_ok());
}

/// Proposals that wait, by id.
#[expect(clippy::unwrap_used, reason = "a test ends where it cannot look")]
fn waiting(world: &World) -> Vec<u64> {
    let (all, _) = use_cases::proposals(world.agent("you").call(), 0, 9).unwrap();
    all.into_iter().map(|proposal| proposal.id).collect()
}

#[test]
fn an_erased_text_waits_in_no_proposal() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let text = format!("The key is {BODY}");
    let id = you.write("status", &text).unwrap().id;
    you.write("status", "Nothing to see").unwrap();
    // One says the same, one a part of it, one something else; one is about
    // another unit.
    cursor
        .write("status", &format!("the key  is {BODY}"))
        .unwrap();
    let claude = world.agent("Claude");
    claude
        .write("status", &format!("{text}, and more"))
        .unwrap();
    world.agent("Codex").write("other", "Plain").unwrap();
    let all = waiting(&world);
    assert_eq!(all.len(), 3);
    let reply = erased(&world, revision(&id, 1));
    assert_eq!((reply.pending, &reply.also_in[..]), (false, &[][..]));
    // What may hold a part is named: the person looks at it.
    assert_eq!(reply.also_proposed, [all[1]]);
    assert_eq!(waiting(&world), [all[0], all[1]]);
    let history = cursor.history(id.as_str()).unwrap();
    let kinds = history.events.iter().take(2).map(|event| event.kind);
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        [EventKind::Rejected, EventKind::Erased]
    );
    assert_eq!(found(world.folder()), [BODY]);
    let reject = RejectInput {
        id: all[1],
        reason: None,
    };
    use_cases::reject(you.call(), reject).unwrap();
    assert_eq!(found(world.folder()), [BODY]);
    erased(&world, EraseInput::Proposal { proposal: all[1] });
    assert_eq!(found(world.folder()), [""; 0]);
}

/// Rejects all that waits. Gives the ids and the acts.
#[expect(clippy::unwrap_used, reason = "a test ends where nothing can wait")]
fn reject_all(world: &World, reason: Option<&str>) -> Vec<(u64, u64)> {
    let reject = |id| {
        let reason = reason.map(Into::into);
        let reply = use_cases::reject(world.agent("you").call(), RejectInput { id, reason });
        (id, reply.unwrap().event.unwrap())
    };
    waiting(world).into_iter().map(reject).collect()
}

#[test]
fn a_rejected_text_stays_until_it_is_erased_and_leaves_no_byte() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    fill(&you, 5);
    cursor.write_with(secret()).unwrap();
    let retire = ozbrain_core::shapes::RetireInput {
        id: "team:plain/at-1".into(),
        base_revision: None,
        reason: Some(format!("It names {DECISION}")),
    };
    cursor.fetch("team:plain/at-1").unwrap();
    use_cases::retire(cursor.call(), retire).unwrap();
    fill(&you, 5);
    assert_eq!(found(world.folder()), ALL);
    let rejected = reject_all(&world, None);
    assert_eq!(found(world.folder()), ALL);
    // It is shown to nobody, by no word of it.
    for reader in [&cursor, &world.agent("Claude"), &you] {
        assert!(reader.search(BODY).unwrap().results.is_empty());
        assert!(reader.fetch(&format!("team:{TOPIC}#{TITLE}")).is_err());
    }
    for (proposal, act) in rejected {
        let what = EraseInput::Proposal { proposal };
        for agent in [&cursor, &world.agent("cli")] {
            let refused = erase(agent.call(), what.clone()).unwrap_err();
            assert_eq!(refused.code, Code::NotAllowed);
        }
        assert!(!erased(&world, what.clone()).pending);
        // Erased twice is erased; that cannot be undone, nor the rejection.
        erased(&world, what);
        let refused = undo(you.call(), act).unwrap_err();
        assert_eq!(refused.code, Code::Invalid);
        assert!(refused.message.contains("was erased"), "{refused}");
        assert!(undoable(you.call(), &[act]).unwrap().is_empty());
    }
    assert_eq!(found(world.folder()), [""; 0]);
    let last = world.store().read(|records| {
        let last = records.last_event()?;
        records.check()?;
        records.act(last)
    });
    let last = last.unwrap().unwrap().event;
    assert_eq!(last.kind, EventKind::Erased);
    let refused = undo(you.call(), last.id).unwrap_err();
    assert!(refused.message.contains("cannot be undone"), "{refused}");
}

#[test]
fn only_what_is_rejected_is_erased_alone() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = you.write("status", "Plain").unwrap().id;
    cursor.fetch(id.as_str()).unwrap();
    let erase = |proposal| erase(you.call(), EraseInput::Proposal { proposal });
    assert_eq!(erase(1).unwrap_err().code, Code::UnknownUnit);
    cursor.write("status", &format!("It is {BODY}")).unwrap();
    let refused = erase(1).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    assert!(refused.message.contains("Reject it"), "{refused}");
    // Why it was rejected may tell it too.
    let reason = format!("It names {DECISION}");
    let rejected = reject_all(&world, Some(&reason));
    assert_eq!(found(world.folder()), [BODY, DECISION]);
    // An undone rejection waits, and the undo of that is as it was.
    let reopened = undo(you.call(), rejected[0].1).unwrap();
    assert!(erase(1).is_err());
    undo(you.call(), reopened.event.unwrap()).unwrap();
    assert!(erase(1).is_ok());
    assert_eq!(found(world.folder()), [""; 0]);
    let history = cursor.history(id.as_str()).unwrap();
    assert_eq!(history.events[0].kind, EventKind::Erased);
    // What was accepted or replaced keeps nothing to erase.
    cursor.write("status", "Two").unwrap();
    cursor.write("status", "Three").unwrap();
    assert_eq!(erase(2).unwrap_err().code, Code::Invalid);
    let accept = ozbrain_core::views::proposals::AcceptInput {
        id: 3,
        revision: Some(1),
        ..ozbrain_core::views::proposals::AcceptInput::default()
    };
    use_cases::accept(you.call(), accept).unwrap();
    assert_eq!(erase(3).unwrap_err().code, Code::Invalid);
}

#[test]
fn what_waits_again_and_says_what_is_erased_takes_along_why_it_was_rejected() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let text = format!("The key is {BODY}");
    let id = you.write("status", &text).unwrap().id;
    you.write("status", "Nothing to see").unwrap();
    cursor.write("status", &text).unwrap();
    let rejected = reject_all(&world, Some(DECISION));
    undo(you.call(), rejected[0].1).unwrap();
    assert_eq!(waiting(&world).len(), 1);
    assert_eq!(found(world.folder()), [BODY, DECISION]);
    erased(&world, revision(&id, 1));
    assert!(waiting(&world).is_empty());
    assert_eq!(found(world.folder()), [""; 0]);
}

#[test]
fn what_was_rejected_goes_with_its_revision_its_unit_or_its_brain() {
    for what in ["revision", "unit", "joined", "brain"] {
        let world = World::with(WritePolicy::Review);
        let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
        let text = format!("The key is {BODY}");
        // Proposed as new, for what the person then wrote themselves; and for
        // the unit once it was there. Neither says just what is erased.
        cursor
            .write("status", &format!("{text}, and {TAG}"))
            .unwrap();
        let new = reject_all(&world, None);
        let id = you.write("status", &text).unwrap().id;
        you.write("status", "Nothing to see").unwrap();
        let claude = world.agent("Claude");
        claude
            .write("status", &format!("{SOURCE} has {text}"))
            .unwrap();
        let later = reject_all(&world, Some(DECISION));
        let plain = you.write("other", "Plain").unwrap().id;
        cursor.write("other", "Simple").unwrap();
        reject_all(&world, None);
        let kept = |world: &World| {
            let rejected = world.store().read(|records| {
                let brains = records.brains()?;
                let team = brains.iter().find(|it| it.name.as_str() == "team");
                team.map_or(Ok(Vec::new()), |team| records.rejected_proposals(team.key))
            });
            rejected.map(|found| found.len())
        };
        assert_eq!(kept(&world), Ok(3));
        if what == "joined" {
            join(you.call(), plain.as_str(), 1, id.as_str(), 2).unwrap();
        }
        erased(
            &world,
            match what {
                "revision" => revision(&id, 1),
                "unit" => unit(&id),
                "joined" => unit(&plain),
                _ => EraseInput::Brain {
                    brain: "team".into(),
                },
            },
        );
        assert_eq!(found(world.folder()), [""; 0], "{what}");
        let left = usize::from(what == "revision" || what == "unit");
        assert_eq!(kept(&world), Ok(left), "{what}");
        for (_, act) in new.into_iter().chain(later) {
            assert!(undoable(you.call(), &[act]).unwrap().is_empty());
        }
        world.store().read(|records| records.check()).unwrap();
    }
}

#[test]
fn an_erased_unit_waits_in_no_proposal_of_a_new_one() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let text = format!("The key is {BODY}");
    // Both were proposed as new ones, and the person wrote it themselves.
    cursor.write("status", &text).unwrap();
    let claude = world.agent("Claude");
    claude.write("status", &format!("{text}, too")).unwrap();
    let id = you.write("status", &text).unwrap().id;
    let all = waiting(&world);
    let reply = erased(&world, unit(&id));
    assert_eq!(reply.also_proposed, [all[0]]);
    assert_eq!(waiting(&world), [all[0]]);
    let left = use_cases::proposal(you.call(), all[0]).unwrap();
    assert_eq!(left.unit, None);
}
