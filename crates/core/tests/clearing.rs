//! The person empties fields: through the use cases, on a real store.

use ozbrain_core::shapes::{Choice, WriteInput, WriteOutcome, WriteReply};
use ozbrain_core::use_cases;
use ozbrain_core::views::acts::{PersonResolveInput, PersonWriteInput};
use ozbrain_core::views::proposals::AcceptInput;
use ozbrain_core::words::{Content, Field, UnitId, WritePolicy};
use ozbrain_core::{Code, Result};
use ozbrain_testkit::{Actor, World};

/// A unit with every field.
fn full(topic: &str) -> WriteInput {
    WriteInput {
        topic: Some(topic.into()),
        title: Some("Launch".into()),
        body: Some("It ships".into()),
        tags: Some(vec!["q3".into()]),
        source: Some("the minutes".into()),
        fresh_for_days: Some(3),
        ..WriteInput::default()
    }
}

/// What a unit says, without anyone having seen it.
#[expect(clippy::panic, reason = "a test ends where its unit is not")]
fn content(world: &World, id: &UnitId) -> Content {
    let found = world.store().read(|records| {
        let brains: Vec<_> = records.brains()?.iter().map(|brain| brain.key).collect();
        records.unit(&brains, id)
    });
    match found {
        Ok(Some(unit)) => unit.head.content,
        other => panic!("no unit {id}: {other:?}"),
    }
}

fn clearing(id: &UnitId, revision: u32, clear: &[Field]) -> PersonWriteInput {
    PersonWriteInput {
        brain: "team".into(),
        id: Some(id.to_string()),
        base_revision: Some(revision),
        clear: Some(clear.to_vec()),
        ..PersonWriteInput::default()
    }
}

fn write(person: &Actor<'_>, input: PersonWriteInput) -> Result<WriteReply> {
    use_cases::write_as_person(person.call(), input)
}

#[test]
fn what_the_person_empties_is_empty_and_the_rest_stays() {
    let world = World::new();
    let you = world.agent("you");
    let id = you.write_with(full("status")).unwrap().id;
    let before = content(&world, &id);
    let aging_at = |id: &UnitId| {
        let view = use_cases::unit_view(you.call(), id.as_str(), false);
        view.unwrap().aging_at.map(|at| at.0)
    };
    assert_eq!(aging_at(&id), Some(world.now().plus_days(3)));
    let emptied = [
        (
            Field::Source,
            Content {
                source: None,
                ..before.clone()
            },
        ),
        (
            Field::FreshForDays,
            Content {
                source: None,
                fresh_for_days: None,
                ..before.clone()
            },
        ),
        (
            Field::Title,
            Content {
                source: None,
                fresh_for_days: None,
                title: None,
                ..before.clone()
            },
        ),
    ];
    for (revision, (field, after)) in (1..).zip(emptied) {
        let reply = write(&you, clearing(&id, revision, &[field])).unwrap();
        assert_eq!(reply.outcome, WriteOutcome::Updated, "{field:?}");
        assert_eq!(content(&world, &id), after);
    }
    // The days of its own are gone: it ages as the rest does.
    assert_eq!(aging_at(&id), Some(world.now().plus_days(14)));
    // Its old address leads to it.
    assert_eq!(you.fetch("team:status#Launch").unwrap().id, id);
    assert_eq!(you.fetch("team:status").unwrap().id, id);
    // Empty is empty: once more says nothing new.
    let again = write(&you, clearing(&id, 4, &[Field::Title, Field::Source])).unwrap();
    assert_eq!(
        (again.outcome, again.revision),
        (WriteOutcome::Unchanged, 4)
    );
    // With another text at once, and the undo gives all of it back.
    let anew = PersonWriteInput {
        title: Some("Launch".into()),
        source: Some("a call".into()),
        ..clearing(&id, 4, &[])
    };
    write(&you, anew).unwrap();
    let both = PersonWriteInput {
        body: Some("It sails".into()),
        ..clearing(&id, 5, &[Field::Source])
    };
    let wrote = write(&you, both).unwrap();
    let now = content(&world, &id);
    assert_eq!((now.body.as_str(), now.source), ("It sails", None));
    use_cases::undo(you.call(), wrote.event.unwrap()).unwrap();
    let back = content(&world, &id);
    assert_eq!(
        (back.body.as_str(), back.source.as_deref()),
        ("It ships", Some("a call"))
    );
}

#[test]
fn an_emptied_field_displaces_what_was_not_seen() {
    let world = World::new();
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = you.write_with(full("status")).unwrap().id;
    let other = |source: &str| WriteInput {
        id: Some(id.to_string()),
        source: Some(source.into()),
        ..WriteInput::default()
    };
    cursor.fetch(id.as_str()).unwrap();
    cursor.write_with(other("a later call")).unwrap();
    // What is in the way is the source alone, and it can come back.
    let untouched = write(&you, clearing(&id, 1, &[Field::FreshForDays])).unwrap();
    assert_eq!(untouched.outcome, WriteOutcome::Updated);
    let clash = write(&you, clearing(&id, 1, &[Field::Source])).unwrap();
    assert_eq!(clash.outcome, WriteOutcome::Conflicted);
    assert_eq!(clash.displaced.unwrap().disputed, [Field::Source]);
    let restore = PersonResolveInput {
        choice: Choice::Restore,
        revision: Some(3),
        body: None,
        clear: None,
        ..merged(&id, clash.conflict.unwrap().version)
    };
    use_cases::resolve_as_person(you.call(), restore).unwrap();
    let source = content(&world, &id).source;
    assert_eq!(source.as_deref(), Some("a later call"));
}

fn merged(id: &UnitId, version: u32) -> PersonResolveInput {
    PersonResolveInput {
        id: id.to_string(),
        version,
        choice: Choice::Merged,
        revision: None,
        body: Some("Both".into()),
        title: None,
        tags: None,
        source: None,
        topic: None,
        fresh_for_days: None,
        clear: Some(vec![Field::Title, Field::Source, Field::FreshForDays]),
        decision: None,
    }
}

#[test]
fn a_merge_can_leave_fields_empty() {
    let world = World::new();
    let you = world.agent("you");
    let id = world.agent("Cursor").write_with(full("status")).unwrap().id;
    let clash = WriteInput {
        body: Some("It sails".into()),
        ..full("status")
    };
    let clash = world.agent("Claude").write_with(clash).unwrap();
    let version = clash.conflict.unwrap().version;
    let not_merged = PersonResolveInput {
        choice: Choice::KeepHead,
        body: None,
        ..merged(&id, version)
    };
    let twice = PersonResolveInput {
        source: Some("a call".into()),
        ..merged(&id, version)
    };
    for input in [not_merged, twice] {
        let refusal = use_cases::resolve_as_person(you.call(), input).unwrap_err();
        assert_eq!(refusal.code, Code::Invalid);
        assert!(refusal.message.contains("clear"), "{refusal}");
    }
    use_cases::resolve_as_person(you.call(), merged(&id, version)).unwrap();
    let Content {
        topic: _,
        title,
        body,
        tags,
        source,
        fresh_for_days,
    } = content(&world, &id);
    assert_eq!((title, source, fresh_for_days), (None, None, None));
    assert_eq!((body.as_str(), tags.len()), ("Both", 1));
}

#[test]
fn an_accept_can_leave_fields_empty() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = you.write_with(full("status")).unwrap().id;
    cursor.fetch(id.as_str()).unwrap();
    cursor
        .write_with(WriteInput {
            body: Some("It sails".into()),
            source: Some("hearsay".into()),
            ..full("status")
        })
        .unwrap();
    cursor.write_with(full("news")).unwrap();
    let accept = |clear: &[Field]| {
        let view = use_cases::proposals(you.call(), 0, 2).unwrap().0.remove(0);
        let input = AcceptInput {
            id: view.id,
            revision: view.head.map(|head| head.revision),
            clear: Some(clear.to_vec()),
            ..AcceptInput::default()
        };
        use_cases::accept(you.call(), input)
    };
    assert_eq!(accept(&[Field::Body]).unwrap_err().code, Code::Invalid);
    let new = accept(&[Field::FreshForDays, Field::Title]).unwrap();
    let new = content(&world, &UnitId::parse(&new.id.unwrap()).unwrap());
    assert_eq!((new.title, new.fresh_for_days), (None, None));
    assert_eq!(new.source.as_deref(), Some("the minutes"));
    accept(&[Field::Source]).unwrap();
    let now = content(&world, &id);
    assert_eq!((now.body.as_str(), now.source), ("It sails", None));
    assert_eq!(now.title.as_deref(), Some("Launch"));
}

#[test]
fn what_cannot_be_emptied_is_refused_and_nothing_is_stored() {
    let world = World::new();
    let you = world.agent("you");
    let id = you.write_with(full("status")).unwrap().id;
    let before = content(&world, &id);
    let mut refused = vec![
        PersonWriteInput {
            source: Some("a call".into()),
            ..clearing(&id, 1, &[Field::Source])
        },
        PersonWriteInput {
            title: Some("Start".into()),
            ..clearing(&id, 1, &[Field::Title])
        },
        PersonWriteInput {
            id: None,
            topic: Some("status".into()),
            body: Some("It sails".into()),
            ..clearing(&id, 1, &[Field::Title])
        },
        clearing(&id, 1, &[]),
    ];
    for field in [Field::Topic, Field::Body, Field::Tags] {
        refused.push(clearing(&id, 1, &[Field::Source, field]));
    }
    for input in refused {
        let refusal = write(&you, input).unwrap_err();
        assert_eq!(refusal.code, Code::Invalid, "{refusal}");
    }
    // The place without a title may be taken.
    you.write("status", "In short").unwrap_err();
    let short = WriteInput {
        title: Some("Short".into()),
        body: Some("In short".into()),
        ..full("status")
    };
    let short = you.write_with(short).unwrap().id;
    write(&you, clearing(&short, 1, &[Field::Title])).unwrap();
    let refusal = write(&you, clearing(&id, 1, &[Field::Title])).unwrap_err();
    assert_eq!(refusal.code, Code::Ambiguous);
    assert_eq!(content(&world, &id), before);
    // Tags have a value that is empty.
    let tags = PersonWriteInput {
        tags: Some(Vec::new()),
        ..clearing(&id, 1, &[])
    };
    write(&you, tags).unwrap();
    assert!(content(&world, &id).tags.is_empty());
    // An agent leaves out what it does not say.
    for name in ["Cursor", "cli"] {
        let refusal = write(&world.agent(name), clearing(&id, 2, &[Field::Source])).unwrap_err();
        assert_eq!(refusal.code, Code::NotAllowed);
    }
}

#[test]
fn a_merge_says_how_long_the_unit_stays_fresh() {
    let world = World::new();
    let you = world.agent("you");
    let id = world.agent("Cursor").write_with(full("status")).unwrap().id;
    let clash = WriteInput {
        body: Some("It sails".into()),
        fresh_for_days: Some(90),
        ..full("status")
    };
    let clash = world.agent("Claude").write_with(clash).unwrap();
    let merge = |days| PersonResolveInput {
        fresh_for_days: Some(days),
        clear: None,
        ..merged(&id, clash.conflict.as_ref().unwrap().version)
    };
    let refused = use_cases::resolve_as_person(you.call(), merge(3651)).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    use_cases::resolve_as_person(you.call(), merge(30)).unwrap();
    assert_eq!(content(&world, &id).fresh_for_days, Some(30));
}
