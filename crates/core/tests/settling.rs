//! Conflicts settled, facts confirmed, units retired: through the use cases,
//! on a real store.

use ozbrain_core::Code;
use ozbrain_core::shapes::{
    Choice, ConfirmInput, ConfirmOutcome, ResolveInput, ResolveOutcome, RetireOutcome, Verdict,
    WriteInput, WriteOutcome, WriteReply,
};
use ozbrain_core::use_cases::resolve_as_person;
use ozbrain_core::views::acts::PersonResolveInput;
use ozbrain_core::words::{Freshness, UnitId};
use ozbrain_testkit::World;

fn choose(id: &UnitId, version: u32, choice: Choice) -> ResolveInput {
    ResolveInput {
        id: id.to_string(),
        version,
        choice,
        revision: None,
        body: None,
        title: None,
        tags: None,
        source: None,
        decision: "The person said so".into(),
    }
}

/// A unit in conflict: revision 1 by Cursor, head 2 by Claude. Its id and
/// version.
#[expect(clippy::panic, reason = "a test ends where nothing clashed")]
fn clash(world: &World) -> (UnitId, u32) {
    let wrote = world.agent("Cursor").write("status", "Delayed");
    assert!(wrote.is_ok());
    match world.agent("Claude").write("status", "On track") {
        Ok(WriteReply {
            id,
            conflict: Some(conflict),
            ..
        }) => (id, conflict.version),
        other => panic!("no conflict: {other:?}"),
    }
}

#[test]
fn each_choice_closes_the_conflict_and_leaves_its_text() {
    let merged = |input: ResolveInput| ResolveInput {
        body: Some("Both".into()),
        ..input
    };
    let restored = |input: ResolveInput| ResolveInput {
        revision: Some(1),
        ..input
    };
    type Fill = fn(ResolveInput) -> ResolveInput;
    let cases: [(Choice, Fill, &str); 3] = [
        (Choice::KeepHead, |input| input, "On track"),
        (Choice::Restore, restored, "Delayed"),
        (Choice::Merged, merged, "Both"),
    ];
    for (choice, fill, text) in cases {
        let world = World::new();
        let (id, version) = clash(&world);
        world.pass(30);
        let reply = world
            .agent("cli")
            .resolve(fill(choose(&id, version, choice)))
            .unwrap();
        assert_eq!(
            (reply.outcome, reply.revision),
            (ResolveOutcome::Resolved, 3)
        );
        let reader = world.agent("Reader");
        let fetched = reader.fetch(id.as_str()).unwrap();
        assert_eq!(fetched.text, text);
        assert!(!fetched.metadata.conflicted);
        assert_eq!(
            fetched.metadata.freshness,
            Freshness::Fresh,
            "a resolve counts as a confirm"
        );
        assert!(!reader.search("status").unwrap().results[0].conflicted);
        let history = reader.history(id.as_str()).unwrap();
        let kinds: Vec<_> = history
            .events
            .iter()
            .map(|event| event.kind.as_str())
            .collect();
        assert_eq!(kinds, ["resolved", "conflicted", "created"]);
        assert_eq!(
            history.events[0].decision.as_deref(),
            Some("The person said so")
        );
    }
}

#[test]
fn a_choice_is_never_applied_to_a_state_that_was_not_seen() {
    let world = World::new();
    let (id, version) = clash(&world);
    world.agent("Codex").write("status", "Cancelled").unwrap();
    let cli = world.agent("cli");
    let moved = cli.resolve(choose(&id, version, Choice::KeepHead)).unwrap();
    assert_eq!(moved.outcome, ResolveOutcome::Moved);
    let now = moved.conflict.unwrap();
    assert_eq!(now.sides.len(), 2);
    assert_eq!(moved.text.as_deref(), Some("Cancelled"));
    // A clean write moves it too.
    let codex = world.agent("Codex");
    codex.fetch(id.as_str()).unwrap();
    codex.write("status", "Cancelled for good").unwrap();
    let again = cli
        .resolve(choose(&id, now.version, Choice::KeepHead))
        .unwrap();
    assert_eq!(again.outcome, ResolveOutcome::Moved);
    let version = again.conflict.unwrap().version;
    let done = cli.resolve(choose(&id, version, Choice::KeepHead)).unwrap();
    assert_eq!(done.outcome, ResolveOutcome::Resolved);
    // Once closed, it is not closed again.
    let closed = cli.resolve(choose(&id, version, Choice::KeepHead)).unwrap();
    assert_eq!(closed.outcome, ResolveOutcome::Moved);
    assert!(!closed.conflicted);
}

#[test]
fn nothing_but_a_resolve_clears_the_flag() {
    let world = World::new();
    let (id, _) = clash(&world);
    let claude = world.agent("Claude");
    claude.fetch(id.as_str()).unwrap();
    assert_eq!(
        claude.write("status", "On track, truly").unwrap().outcome,
        WriteOutcome::Updated
    );
    let confirm = ConfirmInput {
        id: id.to_string(),
        revision: Some(3),
        verdict: Some(Verdict::StillTrue),
        body: None,
    };
    assert_eq!(claude.confirm(confirm).unwrap_err().code, Code::Conflicted);
    let asked = ConfirmInput {
        id: id.to_string(),
        ..ConfirmInput::default()
    };
    assert_eq!(claude.confirm(asked).unwrap_err().code, Code::Conflicted);
    assert!(claude.fetch(id.as_str()).unwrap().metadata.conflicted);
}

#[test]
fn a_resolve_needs_what_its_choice_needs() {
    let world = World::new();
    let (id, version) = clash(&world);
    let cli = world.agent("cli");
    let refused = [
        ResolveInput {
            decision: "  ".into(),
            ..choose(&id, version, Choice::KeepHead)
        },
        choose(&id, version, Choice::Restore),
        ResolveInput {
            revision: Some(7),
            ..choose(&id, version, Choice::Restore)
        },
        choose(&id, version, Choice::Merged),
        ResolveInput {
            body: Some("x".into()),
            ..choose(&id, version, Choice::KeepHead)
        },
    ];
    for input in refused {
        assert_eq!(
            cli.resolve(input.clone()).unwrap_err().code,
            Code::Invalid,
            "{input:?}"
        );
    }
    assert!(cli.fetch(id.as_str()).unwrap().metadata.conflicted);
}

#[test]
fn restoring_brings_back_the_disputed_fields_alone() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let write = |agent: &ozbrain_testkit::Actor<'_>, text: &str, tag: Option<&str>| {
        agent
            .write_with(WriteInput {
                topic: Some("status".into()),
                body: Some(text.into()),
                tags: tag.map(|tag| vec![tag.into()]),
                ..WriteInput::default()
            })
            .unwrap()
    };
    write(&cursor, "Delayed", None);
    let reply = write(&claude, "On track", Some("launch"));
    let version = reply.conflict.unwrap().version;
    let restore = ResolveInput {
        revision: Some(1),
        ..choose(&reply.id, version, Choice::Restore)
    };
    claude.resolve(restore).unwrap();
    let fetched = claude.fetch(reply.id.as_str()).unwrap();
    assert_eq!(fetched.text, "Delayed");
    assert_eq!(fetched.metadata.tags, ["launch"]);
}

#[test]
fn an_aging_fact_is_asked_about_and_confirmed() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let unit = cursor
        .write_with(WriteInput {
            topic: Some("clients/meridian".into()),
            body: Some("Ana decides".into()),
            observed_at: Some("2026-11-09T09:00:00Z".into()),
            ..WriteInput::default()
        })
        .unwrap();
    let id = unit.id.to_string();
    for _ in 0..100 {
        assert_eq!(
            cursor.fetch(&id).unwrap().metadata.freshness,
            Freshness::Aging
        );
    }
    assert_eq!(
        cursor.search("Ana").unwrap().results[0].freshness,
        Freshness::Aging
    );
    let asked = cursor
        .confirm(ConfirmInput {
            id: id.clone(),
            ..ConfirmInput::default()
        })
        .unwrap();
    assert_eq!(asked.outcome, ConfirmOutcome::AskPerson);
    assert!(asked.question.unwrap().contains("Ana decides"));
    let verdict = |verdict, body: Option<&str>| ConfirmInput {
        id: id.clone(),
        revision: Some(1),
        verdict: Some(verdict),
        body: body.map(Into::into),
    };
    let noted = cursor.confirm(verdict(Verdict::Unknown, None)).unwrap();
    assert_eq!(
        (noted.outcome, noted.freshness),
        (ConfirmOutcome::Noted, Freshness::Aging)
    );
    let confirmed = cursor.confirm(verdict(Verdict::StillTrue, None)).unwrap();
    assert_eq!(confirmed.outcome, ConfirmOutcome::Confirmed);
    assert_eq!(confirmed.freshness, Freshness::Fresh);
    let fetched = cursor.fetch(&id).unwrap();
    assert!(
        fetched
            .metadata
            .confirmed_by
            .unwrap()
            .0
            .to_string()
            .contains("Cursor")
    );
    assert_eq!(fetched.metadata.revision, 1);
    let changed = cursor
        .confirm(verdict(Verdict::Changed, Some("Bo decides")))
        .unwrap();
    assert_eq!(
        (changed.outcome, changed.revision),
        (ConfirmOutcome::Updated, 2)
    );
    assert_eq!(cursor.fetch(&id).unwrap().text, "Bo decides");
    // The verdict spoke of revision 1; the head is 2.
    let moved = cursor.confirm(verdict(Verdict::StillTrue, None)).unwrap();
    assert_eq!((moved.outcome, moved.revision), (ConfirmOutcome::Moved, 2));
    let refused = ConfirmInput {
        revision: None,
        ..verdict(Verdict::StillTrue, None)
    };
    assert_eq!(cursor.confirm(refused).unwrap_err().code, Code::Invalid);
    assert_eq!(
        cursor
            .confirm(verdict(Verdict::Changed, None))
            .unwrap_err()
            .code,
        Code::Invalid
    );
}

#[test]
fn a_retired_unit_is_out_of_routing_and_comes_back_with_a_write() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let unit = cursor.write("status", "Delayed").unwrap();
    let id = unit.id.to_string();
    assert_eq!(
        cursor.retire(&id, None).unwrap().outcome,
        RetireOutcome::Retired
    );
    assert_eq!(
        cursor.retire(&id, None).unwrap().outcome,
        RetireOutcome::Unchanged
    );
    assert!(cursor.search("status delayed").unwrap().results.is_empty());
    let fetched = cursor.fetch(&id).unwrap();
    assert_eq!(
        (fetched.text.as_str(), fetched.metadata.retired),
        ("", Some(true))
    );
    let asked = ConfirmInput {
        id: id.clone(),
        ..ConfirmInput::default()
    };
    assert_eq!(cursor.confirm(asked).unwrap_err().code, Code::Invalid);
    world.pass(20);
    // A later session of the retiring connection knows the retirement.
    let back = world.agent("Cursor").write("status", "Delayed").unwrap();
    assert_eq!((back.outcome, back.id), (WriteOutcome::Updated, unit.id));
    let fetched = cursor.fetch(&id).unwrap();
    assert_eq!(fetched.text, "Delayed");
    assert_eq!(
        fetched.metadata.freshness,
        Freshness::Aging,
        "a return keeps the anchor"
    );
}

#[test]
fn a_late_write_over_a_retirement_is_a_conflict() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let id = cursor.write("status", "Delayed").unwrap().id;
    claude.fetch(id.as_str()).unwrap();
    cursor.retire(id.as_str(), None).unwrap();
    let late = claude.write("status", "Delayed again").unwrap();
    assert_eq!(late.outcome, WriteOutcome::Conflicted);
    assert_eq!(late.displaced.unwrap().text, None);
    let conflict = late.conflict.unwrap();
    let restore = ResolveInput {
        revision: Some(2),
        ..choose(&id, conflict.version, Choice::Restore)
    };
    claude.resolve(restore).unwrap();
    let fetched = claude.fetch(id.as_str()).unwrap();
    assert_eq!(fetched.metadata.retired, Some(true));
    assert!(!fetched.metadata.conflicted);
    assert!(claude.search("delayed").unwrap().results.is_empty());
}

#[test]
fn retiring_what_one_had_not_read_is_a_conflict_that_the_next_reader_sees() {
    let world = World::new();
    let id = world.agent("Cursor").write("status", "Delayed").unwrap().id;
    let claude = world.agent("Claude");
    let reply = claude.retire(id.as_str(), None).unwrap();
    assert_eq!(reply.outcome, RetireOutcome::Conflicted);
    let found = world.agent("Reader").search("delayed").unwrap();
    let pointer = &found.results[0];
    assert!(pointer.conflicted);
    assert_eq!(pointer.snippet, None);
    let version = reply.conflict.unwrap().version;
    claude
        .resolve(choose(&id, version, Choice::KeepHead))
        .unwrap();
    assert!(claude.search("delayed").unwrap().results.is_empty());
}

#[test]
fn a_change_by_the_persons_word_needs_the_old_text_read_and_gives_it_back() {
    let world = World::new();
    let long = format!("Delayed. {}", "Reasons follow. ".repeat(60));
    let id = world.agent("Cursor").write("status", &long).unwrap().id;
    let claude = world.agent("Claude");
    claude.search("status delayed").unwrap();
    let changed = ConfirmInput {
        id: id.to_string(),
        revision: Some(1),
        verdict: Some(Verdict::Changed),
        body: Some("On track".into()),
    };
    assert_eq!(
        claude.confirm(changed.clone()).unwrap_err().code,
        Code::Invalid
    );
    claude.fetch(id.as_str()).unwrap();
    let reply = claude.confirm(changed).unwrap();
    assert_eq!(reply.outcome, ConfirmOutcome::Updated);
    assert_eq!(reply.displaced.unwrap().text, Some(long.trim().to_owned()));
}

#[test]
fn a_moved_answer_shows_no_retirement_and_counts_as_none_seen() {
    let world = World::new();
    let (id, version) = clash(&world);
    let late = world.agent("Codex");
    late.fetch(id.as_str()).unwrap();
    let other = world.agent("Cursor");
    other
        .resolve(choose(&id, version, Choice::KeepHead))
        .unwrap();
    other.fetch(id.as_str()).unwrap();
    other.retire(id.as_str(), None).unwrap();
    let moved = late
        .resolve(choose(&id, version, Choice::KeepHead))
        .unwrap();
    assert_eq!(moved.outcome, ResolveOutcome::Moved);
    assert_eq!(
        late.write("status", "Anew").unwrap().outcome,
        WriteOutcome::Conflicted
    );
}

#[test]
fn the_person_settles_without_a_word_and_may_move_what_they_merged() {
    let world = World::new();
    let (id, version) = clash(&world);
    let merged = |decision: Option<&str>| PersonResolveInput {
        fresh_for_days: None,
        id: id.to_string(),
        version,
        choice: Choice::Merged,
        revision: None,
        body: Some("Delayed, and on track again".into()),
        title: None,
        tags: None,
        source: None,
        topic: Some("projects/status".into()),
        clear: None,
        decision: decision.map(Into::into),
    };
    let agent = world.agent("Claude");
    let refusal = resolve_as_person(agent.call(), merged(Some("Both"))).unwrap_err();
    assert_eq!(refusal.code, Code::NotAllowed);
    let person = world.agent("you");
    let reply = resolve_as_person(person.call(), merged(None)).unwrap();
    assert_eq!(reply.outcome, ResolveOutcome::Resolved);
    assert!(reply.event.is_some());
    let unit = person.fetch("team:projects/status").unwrap();
    assert_eq!(unit.id, id);
    assert_eq!(unit.text, "Delayed, and on track again");
    assert!(!unit.metadata.conflicted);
    // The old address leads on.
    assert_eq!(person.fetch("team:status").unwrap().id, id);
    let history = person.history(id.as_str()).unwrap();
    assert_eq!(history.events[0].decision, None);
    let again = resolve_as_person(person.call(), merged(None)).unwrap();
    assert_eq!(again.outcome, ResolveOutcome::Moved);
}
