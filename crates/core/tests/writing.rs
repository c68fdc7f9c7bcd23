//! The rules of writing, through the use cases, on a real store.

use ozbrain_core::Code;
use ozbrain_core::shapes::{BrainsInput, WriteInput, WriteOutcome};
use ozbrain_core::use_cases;
use ozbrain_core::words::{Field, Freshness, Grant};
use ozbrain_testkit::World;

use WriteOutcome::{Conflicted, Created, Unchanged, Updated};

fn input(topic: &str) -> WriteInput {
    WriteInput {
        topic: Some(topic.into()),
        ..WriteInput::default()
    }
}

fn body(text: &str) -> Option<String> {
    Some(text.into())
}

#[test]
fn what_a_writer_had_not_seen_is_displaced_into_a_conflict() {
    let world = World::new();
    let (cursor, claude, reader) = (
        world.agent("Cursor"),
        world.agent("Claude"),
        world.agent("R"),
    );
    let first = cursor
        .write("projects/q3-launch", "Status: delayed")
        .unwrap();
    assert_eq!((first.outcome, first.revision), (Created, 1));

    let second = claude
        .write("projects/q3-launch", "Status: on track")
        .unwrap();
    assert_eq!((second.outcome, second.revision), (Conflicted, 2));
    let displaced = second.displaced.unwrap();
    assert_eq!(displaced.text.as_deref(), Some("Status: delayed"));
    assert!(displaced.agent.0.to_string().contains("Cursor"));
    assert_eq!(displaced.disputed, [Field::Body]);

    let found = reader.search("q3 launch status").unwrap();
    assert!(found.results[0].conflicted);
    let fetched = reader.fetch(second.id.as_str()).unwrap();
    assert_eq!(fetched.text, "Status: on track");
    let sides = fetched.metadata.conflict.unwrap().sides;
    assert_eq!(sides.len(), 1);
    assert_eq!(sides[0].text.as_deref(), Some("Status: delayed"));
}

#[test]
fn what_was_seen_is_updated_and_shown_in_the_reply() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let unit = cursor.write("voice", "Short sentences").unwrap().id;
    claude.fetch(unit.as_str()).unwrap();
    let reply = claude.write("voice", "Short, warm sentences").unwrap();
    assert_eq!(reply.outcome, Updated);
    assert_eq!(
        reply.displaced.unwrap().text.as_deref(),
        Some("Short sentences")
    );
    assert!(reply.conflict.is_none());
}

#[test]
fn a_pointer_is_not_enough_to_have_seen_a_unit() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    cursor.write("voice", "Short sentences").unwrap();
    assert_eq!(claude.search("short sentences").unwrap().results.len(), 1);
    assert_eq!(
        claude.write("voice", "Long sentences").unwrap().outcome,
        Conflicted
    );
}

#[test]
fn the_displaced_text_in_a_reply_counts_as_seen() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    cursor.write("voice", "One").unwrap();
    claude.write("voice", "Two").unwrap();
    let third = claude.write("voice", "Three").unwrap();
    assert_eq!(third.outcome, Updated);
    assert!(third.notice.unwrap().contains("still open"));
}

#[test]
fn the_same_text_again_is_unchanged_and_moves_no_clock() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let unit = cursor.write("voice", "Caf\u{e9} style\r\n").unwrap().id;
    world.pass(20);
    let again = world
        .agent("Claude")
        .write("voice", "  Cafe\u{301} style")
        .unwrap();
    assert_eq!((again.outcome, again.revision), (Unchanged, 1));
    assert_eq!(
        cursor.fetch(unit.as_str()).unwrap().metadata.freshness,
        Freshness::Aging
    );
}

#[test]
fn a_fact_checked_at_its_source_grows_as_old_as_the_check() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let write = |observed_at: Option<&str>| {
        cursor
            .write_with(WriteInput {
                body: body("Price: 40"),
                source: Some("https://example.org/prices".into()),
                observed_at: observed_at.map(Into::into),
                ..input("prices")
            })
            .unwrap()
    };
    let unit = write(None).id;
    world.pass(50);
    let freshness = || cursor.fetch(unit.as_str()).unwrap().metadata.freshness;
    assert_eq!(freshness(), Freshness::Stale);
    // Observed 30 days ago: aging, no longer stale.
    assert_eq!(write(Some("2026-12-20T00:00:00Z")).outcome, Unchanged);
    assert_eq!(freshness(), Freshness::Aging);
    // A moment to come counts as now.
    assert_eq!(write(Some("2030-01-01T00:00:00Z")).outcome, Unchanged);
    assert_eq!(freshness(), Freshness::Fresh);
    let kinds: Vec<_> = cursor
        .history(unit.as_str())
        .unwrap()
        .events
        .iter()
        .map(|e| e.kind.as_str())
        .collect();
    assert_eq!(kinds, ["checked", "checked", "created"]);
}

#[test]
fn a_retag_never_fights_a_body_edit() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let unit = cursor.write("voice", "One").unwrap().id;
    claude.fetch(unit.as_str()).unwrap();
    cursor.write("voice", "Two").unwrap();
    let tags = claude
        .write_with(WriteInput {
            tags: Some(vec!["style".into()]),
            ..input("voice")
        })
        .unwrap();
    assert_eq!(tags.outcome, Updated);
    assert!(tags.displaced.is_none());
    assert_eq!(claude.fetch(unit.as_str()).unwrap().text, "Two");
}

#[test]
fn a_retag_of_an_unread_unit_makes_its_text_no_more_known() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    cursor.write("voice", "One").unwrap();
    let tag = |tag: &str| WriteInput {
        tags: Some(vec![tag.into()]),
        ..input("voice")
    };
    assert_eq!(claude.write_with(tag("style")).unwrap().outcome, Updated);
    assert_eq!(claude.write("voice", "Two").unwrap().outcome, Conflicted);

    // Nor for a later session of the same connection.
    cursor.write("tone", "One").unwrap();
    let tone = WriteInput {
        topic: Some("tone".into()),
        ..tag("style")
    };
    world.agent("Codex").write_with(tone).unwrap();
    assert_eq!(
        world.agent("Codex").write("tone", "Two").unwrap().outcome,
        Conflicted
    );
}

#[test]
fn appending_disputes_nothing_and_repeats_nothing() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let unit = cursor.write("log", "Monday").unwrap().id;
    let append = || WriteInput {
        append: Some("Tuesday".into()),
        ..input("log")
    };
    let reply = claude.write_with(append()).unwrap();
    assert_eq!(reply.outcome, Updated);
    assert!(reply.displaced.is_none());
    assert_eq!(claude.write_with(append()).unwrap().outcome, Unchanged);
    assert_eq!(
        cursor.fetch(unit.as_str()).unwrap().text,
        "Monday\n\nTuesday"
    );
}

#[test]
fn case_and_space_alone_are_stored_and_dispute_nothing() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let unit = cursor.write("voice", "short sentences").unwrap().id;
    world.pass(20);
    let reply = claude.write("voice", "Short  Sentences").unwrap();
    assert_eq!((reply.outcome, reply.revision), (Updated, 2));
    let fetched = cursor.fetch(unit.as_str()).unwrap();
    assert_eq!(fetched.text, "Short  Sentences");
    assert_eq!(fetched.metadata.freshness, Freshness::Aging);
}

#[test]
fn an_older_base_disputes_only_what_changed_since() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let unit = cursor
        .write_with(WriteInput {
            body: body("One"),
            source: Some("a".into()),
            ..input("voice")
        })
        .unwrap()
        .id;
    claude.fetch(unit.as_str()).unwrap();
    cursor
        .write_with(WriteInput {
            source: Some("b".into()),
            ..input("voice")
        })
        .unwrap();
    // Body did not change since; source did, and is written otherwise.
    let reply = claude
        .write_with(WriteInput {
            body: body("Two"),
            source: Some("c".into()),
            base_revision: Some(1),
            ..input("voice")
        })
        .unwrap();
    assert_eq!(reply.outcome, Conflicted);
    let displaced = reply.displaced.unwrap();
    assert_eq!(displaced.disputed, [Field::Source]);
    assert_eq!(displaced.source.as_deref(), Some("b"));
}

#[test]
fn a_base_that_was_never_delivered_is_unknown() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    cursor.write("voice", "One").unwrap();
    let with_base = |base| WriteInput {
        body: body("Two"),
        base_revision: Some(base),
        ..input("voice")
    };
    assert_eq!(claude.write_with(with_base(1)).unwrap().outcome, Conflicted);
    assert_eq!(
        claude.write_with(with_base(9)).unwrap_err().code,
        Code::Invalid
    );
    assert_eq!(
        claude.write_with(with_base(0)).unwrap_err().code,
        Code::Invalid
    );
    let nowhere = WriteInput {
        topic: Some("new".into()),
        ..with_base(1)
    };
    assert_eq!(claude.write_with(nowhere).unwrap_err().code, Code::Invalid);
}

#[test]
fn a_base_delivered_to_an_earlier_session_of_the_connection_is_known() {
    let world = World::new();
    let unit = world.agent("Cursor").write("voice", "One").unwrap().id;
    world.agent("cli").fetch(unit.as_str()).unwrap();
    let reply = world
        .agent("cli")
        .write_with(WriteInput {
            body: body("Two"),
            base_revision: Some(1),
            ..input("voice")
        })
        .unwrap();
    assert_eq!(reply.outcome, Updated);
}

#[test]
fn a_base_that_an_earlier_session_of_the_connection_wrote_is_known() {
    let world = World::new();
    let write = |name: &str, base: Option<u32>, text: &str| {
        let input = WriteInput {
            body: body(text),
            base_revision: base,
            ..input("voice")
        };
        world.agent(name).write_with(input).unwrap().outcome
    };
    assert_eq!(write("cli", None, "One"), Created);
    let tags = WriteInput {
        tags: Some(vec!["tone".into()]),
        ..input("voice")
    };
    world.agent("Cursor").write_with(tags).unwrap();
    // The text is as it wrote it: what another did since, it displaces nothing of.
    assert_eq!(write("cli", Some(1), "Two"), Updated);
}

#[test]
fn a_connection_knows_what_its_earlier_sessions_wrote() {
    let world = World::new();
    world.agent("Cursor").write("voice", "One").unwrap();
    assert_eq!(
        world.agent("Cursor").write("voice", "Two").unwrap().outcome,
        Updated
    );
    // Two sessions at once: neither knows what the other writes.
    let (a, b) = (world.agent("Cursor"), world.agent("Cursor"));
    a.write("voice", "Three").unwrap();
    assert_eq!(b.write("voice", "Four").unwrap().outcome, Conflicted);
}

#[test]
fn four_at_one_address_make_one_unit_and_three_sides() {
    let world = World::new();
    let agents: Vec<_> = (0..4).map(|_| world.agent("Cursor")).collect();
    let outcomes: Vec<_> = agents
        .iter()
        .enumerate()
        .map(|(at, agent)| {
            agent
                .write("status", &format!("Text {at}"))
                .unwrap()
                .outcome
        })
        .collect();
    assert_eq!(outcomes, [Created, Conflicted, Conflicted, Conflicted]);
    let fetched = agents[0].fetch("team:status").unwrap();
    let sides = fetched.metadata.conflict.unwrap().sides;
    let texts: Vec<_> = sides
        .iter()
        .map(|side| side.text.as_deref().unwrap())
        .collect();
    assert_eq!(texts, ["Text 0", "Text 1", "Text 2"]);
}

#[test]
fn titles_part_a_topic_and_a_missing_one_is_asked_for() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let titled = |title: &str, text: &str| {
        cursor.write_with(WriteInput {
            title: Some(title.into()),
            body: body(text),
            ..input("clients/meridian")
        })
    };
    assert_eq!(titled("Contact", "Ana").unwrap().outcome, Created);
    let other = titled("Budget", "40,000 in all").unwrap();
    assert_eq!(other.outcome, Created);
    assert_eq!(other.similar.len(), 1);
    // Titles compare folded.
    assert_eq!(titled(" CONTACT ", "Ana").unwrap().outcome, Unchanged);
    let refused = cursor
        .write("clients/meridian", "Something new")
        .unwrap_err();
    assert_eq!(refused.code, Code::Ambiguous);
    assert_eq!(refused.pointers.len(), 2);
    // The same text without a title is that unit, decided before `ambiguous`.
    let same = cursor.write("clients/meridian", "ana.").unwrap();
    assert_eq!((same.outcome, same.title.as_str()), (Unchanged, "Contact"));
    // Two titles for one text are two facts: named, never folded.
    let twin = titled("Caller", "Ana").unwrap();
    assert_eq!(twin.outcome, Created);
    assert!(
        twin.similar
            .iter()
            .any(|pointer| pointer.title == "Contact")
    );
}

#[test]
fn one_point_five_is_not_fifteen() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    cursor.write("rates", "The rate is 1.5").unwrap();
    let titled = WriteInput {
        title: Some("Rate".into()),
        body: body("The rate is 15"),
        ..input("rates")
    };
    assert_eq!(cursor.write_with(titled).unwrap().outcome, Created);
}

#[test]
fn a_unit_moves_and_its_old_address_leads_to_it() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let unit = cursor.write("q3", "Launch in May").unwrap();
    world.pass(20);
    let moved = cursor
        .write_with(WriteInput {
            id: Some(unit.id.to_string()),
            ..input("projects/q3-launch")
        })
        .unwrap();
    assert_eq!(moved.outcome, Updated);
    assert_eq!(moved.topic.as_str(), "projects/q3-launch");
    let fetched = cursor.fetch("team:q3").unwrap();
    assert_eq!(fetched.id, unit.id);
    assert_eq!(
        fetched.metadata.freshness,
        Freshness::Aging,
        "a move keeps the anchor"
    );
    let again = cursor.write("q3", "Launch in June").unwrap();
    assert_eq!((again.outcome, again.id), (Updated, unit.id.clone()));

    // A taken address is refused, an old one is not taken.
    let other = cursor.write("other", "Other").unwrap();
    let to = |topic: &str| WriteInput {
        id: Some(other.id.to_string()),
        ..input(topic)
    };
    let refused = cursor.write_with(to("projects/q3-launch")).unwrap_err();
    assert_eq!(refused.code, Code::Ambiguous);
    assert_eq!(refused.pointers[0].id, unit.id);
    assert_eq!(cursor.write_with(to("q3")).unwrap().outcome, Updated);
    assert_eq!(cursor.fetch("team:q3").unwrap().id, other.id);
}

#[test]
fn a_unit_of_another_brain_is_unknown_in_this_one() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let unit = cursor.write("voice", "One").unwrap().id;
    let elsewhere = WriteInput {
        brain: "personal".into(),
        id: Some(unit.to_string()),
        body: body("Two"),
        ..WriteInput::default()
    };
    assert_eq!(
        cursor.write_with(elsewhere).unwrap_err().code,
        Code::UnknownUnit
    );
}

#[test]
fn what_is_past_a_limit_is_refused_and_nothing_is_stored() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let many = (0..33).map(|n| format!("tag {n}")).collect();
    let cases: Vec<(WriteInput, Code)> = vec![
        (
            WriteInput {
                body: body(&"x".repeat(256 * 1024 + 1)),
                ..input("a")
            },
            Code::TooLarge,
        ),
        (
            WriteInput {
                title: Some("x".repeat(201)),
                body: body("x"),
                ..input("a")
            },
            Code::TooLarge,
        ),
        (
            WriteInput {
                body: body("x"),
                ..input("1/2/3/4/5/6/7/8/9")
            },
            Code::TooLarge,
        ),
        (
            WriteInput {
                body: body("x"),
                tags: Some(many),
                ..input("a")
            },
            Code::TooLarge,
        ),
        (
            WriteInput {
                body: body(""),
                ..input("a")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                body: body(" \n "),
                ..input("a")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                body: body("a\u{0}b"),
                ..input("a")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                body: body("x"),
                ..input(" / ")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                body: body("x"),
                append: body("y"),
                ..input("a")
            },
            Code::Invalid,
        ),
        (WriteInput { ..input("a") }, Code::Invalid),
        (
            WriteInput {
                body: body("x"),
                fresh_for_days: Some(0),
                ..input("a")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                body: body("x"),
                observed_at: Some("yesterday".into()),
                ..input("a")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                tags: Some(vec!["t".into()]),
                ..input("a")
            },
            Code::Invalid,
        ),
        (
            WriteInput {
                brain: "nobody".into(),
                body: body("x"),
                ..input("a")
            },
            Code::UnknownBrain,
        ),
        (
            WriteInput {
                id: Some("nothing".into()),
                body: body("x"),
                ..input("a")
            },
            Code::UnknownUnit,
        ),
    ];
    for (input, code) in cases {
        let shown = format!("{input:?}").chars().take(120).collect::<String>();
        assert_eq!(cursor.write_with(input).unwrap_err().code, code, "{shown}");
    }
    assert_eq!(cursor.fetch("team:a").unwrap_err().code, Code::UnknownUnit);
}

#[test]
fn appending_past_the_limit_is_refused() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let unit = cursor.write("log", &"line\n".repeat(40_000)).unwrap();
    let more = WriteInput {
        append: Some("more ".repeat(20_000)),
        ..input("log")
    };
    assert_eq!(cursor.write_with(more).unwrap_err().code, Code::TooLarge);
    assert_eq!(cursor.fetch(unit.id.as_str()).unwrap().metadata.revision, 1);
}

#[test]
fn tags_that_hold_all_others_displace_nothing() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let tags = |tags: &[&str]| WriteInput {
        tags: Some(tags.iter().map(|&tag| tag.into()).collect()),
        ..input("voice")
    };
    cursor
        .write_with(WriteInput {
            body: body("One"),
            ..tags(&["a", "b"])
        })
        .unwrap();
    assert_eq!(
        claude.write_with(tags(&["B", "c", "a"])).unwrap().outcome,
        Updated
    );
    let reply = world.agent("Codex").write_with(tags(&["d"])).unwrap();
    assert_eq!(reply.outcome, Conflicted);
    assert_eq!(reply.displaced.unwrap().disputed, [Field::Tags]);
}

#[test]
fn having_seen_a_retirement_is_not_having_read_the_text_beneath() {
    for retag in [false, true] {
        let world = World::new();
        let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
        let unit = cursor.write("voice", "One").unwrap().id;
        cursor.retire(unit.as_str(), None).unwrap();
        assert_eq!(claude.fetch(unit.as_str()).unwrap().text, "");
        let by = if retag { &claude } else { &cursor };
        by.write_with(WriteInput {
            tags: Some(vec!["style".into()]),
            ..input("voice")
        })
        .unwrap();
        let reply = claude.write("voice", "Two").unwrap();
        assert_eq!(reply.outcome, Conflicted, "retagged by the reader: {retag}");
        assert_eq!(reply.displaced.unwrap().text.as_deref(), Some("One"));
    }
}

#[test]
fn a_later_session_knows_its_retirement_whatever_it_read_since() {
    let world = World::new();
    let first = world.agent("Cursor");
    let unit = first.write("voice", "One").unwrap().id;
    first.retire(unit.as_str(), None).unwrap();
    let later = world.agent("Cursor");
    later.history(unit.as_str()).unwrap();
    assert_eq!(later.write("voice", "Two").unwrap().outcome, Updated);
}

#[test]
fn a_repeated_write_is_told_of_the_clash_again() {
    let world = World::new();
    world.agent("Cursor").write("voice", "One").unwrap();
    let claude = world.agent("Claude");
    claude.write("voice", "Two").unwrap();
    let again = claude.write("voice", "Two").unwrap();
    assert_eq!(again.outcome, Unchanged);
    assert_eq!(again.conflict.unwrap().sides.len(), 1);
    assert!(again.notice.unwrap().contains("still open"));
}

#[test]
fn the_topic_of_one_unit_names_it_to_a_reader_alone() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let titled = WriteInput {
        title: Some("Contact".into()),
        body: body("Ana"),
        ..input("clients/nova")
    };
    let unit = cursor.write_with(titled).unwrap().id;
    assert_eq!(cursor.fetch("team:clients/nova").unwrap().id, unit);
    let refused = cursor.retire("team:clients/nova", None).unwrap_err();
    assert_eq!(refused.code, Code::Ambiguous);
}

#[test]
fn tags_keep_their_order_and_another_order_says_nothing_new() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let tags = |tags: &[&str]| WriteInput {
        body: body("One"),
        tags: Some(tags.iter().map(|&tag| tag.into()).collect()),
        ..input("voice")
    };
    let unit = cursor.write_with(tags(&["tone", "style", "Tone"])).unwrap();
    assert_eq!(
        cursor.fetch(unit.id.as_str()).unwrap().metadata.tags,
        ["tone", "style"]
    );
    let again = cursor.write_with(tags(&["style", "tone"])).unwrap();
    assert_eq!(again.outcome, Unchanged);
}

#[test]
fn the_person_may_do_everything_and_no_client_takes_their_name() {
    let world = World::new();
    let person = world.agent("you");
    let cli = world.agent("cli");
    use_cases::grant(cli.call(), "team", "cli", Grant::None, None).unwrap();
    let brains = use_cases::brains(person.call(), BrainsInput {}).unwrap();
    assert!(brains.brains.iter().all(|row| row.grant == Grant::Write));
    assert!(brains.brains.len() >= 2);
    let listed = use_cases::connections(cli.call()).unwrap();
    assert!(listed.iter().all(|row| row.connection != "you"));
    for name in ["you", "You", "cli", "CLI", ".", " .. "] {
        let refused = use_cases::create_connection(cli.call(), name, [7; 32]).unwrap_err();
        assert_eq!(refused.code, Code::Invalid, "{name}");
    }
}
