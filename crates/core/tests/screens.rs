//! What the screens show, through the use cases, on a real store.

use ozbrain_core::Code;
use ozbrain_core::shapes::{
    Choice, ConfirmInput, Need, ResolveInput, TopicsInput, Verdict, WriteInput, WriteReply,
};
use ozbrain_core::use_cases;
use ozbrain_core::views::activity::{ActivityInput, ActivityView, StateView};
use ozbrain_core::views::acts::{EraseInput, UndoOutcome};
use ozbrain_core::views::brains::{BrainView, BrainsView, FreshnessRuleView, UpdateBrainInput};
use ozbrain_core::views::history::{ErasedText, HistoryView, UnitHistoryInput};
use ozbrain_core::views::inbox::{
    Decided, DismissInput, DismissReply, InboxInput, InboxItem, InboxKind, InboxView, ReviewInput,
    ReviewView,
};
use ozbrain_core::views::proposals::{AcceptInput, RejectInput};
use ozbrain_core::views::units::{
    FindInput, FoundView, ReadersView, RevisionView, TrailAct, UnitOrder, UnitView, UnitsInput,
    UnitsView, Vouched,
};
use ozbrain_core::words::{
    BrainKind, EventKind, Field, Freshness, Grant, Timestamp, UnitId, WritePolicy,
};
use ozbrain_testkit::{Actor, World};
use proptest::prelude::*;

fn titled(brain: &str, topic: &str, title: &str, body: &str) -> WriteInput {
    WriteInput {
        brain: brain.into(),
        topic: Some(topic.into()),
        title: Some(title.into()),
        body: Some(body.into()),
        ..WriteInput::default()
    }
}

#[expect(clippy::panic, reason = "a test ends where its unit is not written")]
fn write(actor: &Actor<'_>, input: WriteInput) -> WriteReply {
    match actor.write_with(input) {
        Ok(reply) => reply,
        Err(refusal) => panic!("{refusal}"),
    }
}

/// The last midnight of a world whose days begin at 00:00 UTC.
fn midnight(world: &World) -> Timestamp {
    let day = 24 * 60 * 60 * 1000;
    Timestamp::from_millis(world.now().millis() / day * day)
}

fn list(actor: &Actor<'_>, input: UnitsInput) -> UnitsView {
    use_cases::units(actor.call(), input).unwrap_or(UnitsView {
        units: Vec::new(),
        total: u32::MAX,
        nearest_topics: None,
    })
}

fn titles(view: &UnitsView) -> Vec<&str> {
    view.units
        .iter()
        .map(|row| row.title.as_deref().unwrap_or_default())
        .collect()
}

#[expect(clippy::panic, reason = "a test ends where the Inbox is refused")]
fn inbox(world: &World, actor: &Actor<'_>, input: InboxInput) -> InboxView {
    match use_cases::inbox(actor.call(), input, midnight(world)) {
        Ok(view) => view,
        Err(refusal) => panic!("{refusal}"),
    }
}

/// An item in a word: its kind and what it is about.
fn about(item: &InboxItem) -> String {
    match item {
        InboxItem::Conflict { unit, .. } => format!("conflict {}", unit.topic),
        InboxItem::Proposal { topic, .. } => format!("proposal {topic}"),
        InboxItem::Decision { unit, .. } => format!("decision {}", unit.topic),
        InboxItem::Problem { connection, .. } => {
            format!("problem {}", connection.as_deref().unwrap_or_default())
        }
        InboxItem::Aging { unit, reads, .. } => format!("aging {} {reads}", unit.topic),
    }
}

fn abouts(view: &InboxView) -> Vec<String> {
    view.items.iter().map(about).collect()
}

/// A conflict that `displacer` made on what `writer` wrote.
fn clash(world: &World, topic: &str, writer: &str, displacer: &str) -> (UnitId, u32) {
    let first = write(
        &world.agent(writer),
        titled("team", topic, topic, "Delayed"),
    );
    let then = write(
        &world.agent(displacer),
        titled("team", topic, topic, "On track"),
    );
    let version = then.conflict.map_or(0, |conflict| conflict.version);
    (first.id, version)
}

fn keep(id: &UnitId, version: u32) -> ResolveInput {
    ResolveInput {
        id: id.to_string(),
        version,
        choice: Choice::KeepHead,
        revision: None,
        body: None,
        title: None,
        tags: None,
        source: None,
        decision: "The person said so".into(),
    }
}

fn still_true(id: &UnitId, revision: u32) -> ConfirmInput {
    ConfirmInput {
        id: id.to_string(),
        revision: Some(revision),
        verdict: Some(Verdict::StillTrue),
        body: None,
    }
}

#[test]
fn a_list_begins_with_what_needs_the_person() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    write(&cursor, titled("team", "a", "Old", "x"));
    world.pass(40);
    write(&cursor, titled("team", "a/b", "Aging", "x"));
    world.pass(20);
    write(&cursor, titled("team", "a-c", "Fresh", "x"));
    clash(&world, "d", "Cursor", "Claude");
    let gone = write(&cursor, titled("team", "a", "Gone", "x"));
    cursor.retire(gone.id.as_str(), Some(1)).unwrap();
    let you = world.agent("you");

    let all = list(&you, UnitsInput::default());
    assert_eq!(titles(&all), ["d", "Old", "Aging", "Fresh"]);
    assert_eq!(all.total, 4);
    assert_eq!(all.units[1].freshness, Freshness::Stale);
    let latest = UnitsInput {
        order: UnitOrder::Latest,
        ..UnitsInput::default()
    };
    assert_eq!(titles(&list(&you, latest)), ["d", "Fresh", "Aging", "Old"]);
    let by_title = UnitsInput {
        order: UnitOrder::Title,
        ..UnitsInput::default()
    };
    assert_eq!(
        titles(&list(&you, by_title)),
        ["Aging", "d", "Fresh", "Old"]
    );
    let within = UnitsInput {
        topic: Some("a".into()),
        ..UnitsInput::default()
    };
    assert_eq!(titles(&list(&you, within.clone())), ["Old", "Aging"]);
    let exact = UnitsInput {
        exact: true,
        ..within.clone()
    };
    assert_eq!(titles(&list(&you, exact)), ["Old"]);
    for (needs, what) in [
        (Need::Conflicted, "d"),
        (Need::Aging, "Aging"),
        (Need::Stale, "Old"),
    ] {
        let needs = UnitsInput {
            needs: Some(needs),
            ..UnitsInput::default()
        };
        let view = list(&you, needs);
        assert_eq!((titles(&view), view.total), (vec![what], 1));
    }
    let retired = UnitsInput {
        retired: true,
        ..within
    };
    let view = list(&you, retired);
    assert_eq!((titles(&view), view.total), (vec!["Gone"], 1));
    assert!(view.units[0].retired);
    let too_many = UnitsInput {
        limit: Some(201),
        ..UnitsInput::default()
    };
    let refused = use_cases::units(you.call(), too_many).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
}

#[test]
fn a_row_opens_with_plain_text_and_says_who_and_when() {
    let world = World::new();
    let body = format!("# Tone\n\nThe **voice** is {}", "calm ".repeat(60));
    write(
        &world.agent("Cursor"),
        titled("team", "voice", "Tone", &body),
    );
    let view = list(&world.agent("you"), UnitsInput::default());
    let row = &view.units[0];
    assert!(row.snippet.starts_with("Tone The voice is calm calm"));
    assert!(row.snippet.chars().count() <= 160);
    assert_eq!(row.agent.name, "Cursor");
    assert_eq!(row.agent.client.as_deref(), Some("test 1"));
    assert!(!row.agent.you);
    assert_eq!(row.updated_at.0, world.now());
    assert!(row.confirmed.is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn pages_put_together_are_the_whole_list(
        units in proptest::collection::vec((0_usize..3, 0_usize..4, 0_u32..5, 0_u32..60), 1..25),
        limit in 1_u32..8,
        scope in 0_usize..3,
    ) {
        let world = World::new();
        let cursor = world.agent("Cursor");
        let other = world.agent("Claude");
        for (number, (brain, topic, title, days)) in units.iter().enumerate() {
            let brain = ["team", "personal", "team"][*brain];
            let topic = ["a", "a/b", "a-b", "c"][*topic];
            // Some meet at one address and clash.
            let actor = if number % 3 == 0 { &other } else { &cursor };
            let input = titled(brain, topic, &format!("T{title}"), &format!("text {number}"));
            prop_assert!(actor.write_with(input).is_ok());
            world.pass(i64::from(*days % 20));
        }
        let you = world.agent("you");
        for order in [UnitOrder::Needs, UnitOrder::Latest, UnitOrder::Title] {
            let input = UnitsInput {
                order,
                brain: (scope == 1).then(|| "team".into()),
                topic: (scope == 2).then(|| "a".into()),
                ..UnitsInput::default()
            };
            let whole = list(&you, UnitsInput { limit: Some(200), ..input.clone() });
            prop_assert_eq!(whole.units.len(), whole.total as usize);
            let mut pages = Vec::new();
            let mut offset = 0;
            while offset < whole.total {
                let page = list(&you, UnitsInput { offset, limit: Some(limit), ..input.clone() });
                prop_assert_eq!(page.total, whole.total);
                pages.extend(page.units);
                offset += limit;
            }
            prop_assert_eq!(pages, whole.units);
        }
        // The Inbox and the deck alike.
        let part = |offset, limit| inbox(&world, &you, InboxInput { kind: None, offset, limit: Some(limit) });
        let whole = part(0, 200);
        let mut pages = Vec::new();
        for offset in (0..whole.total).step_by(limit as usize) {
            pages.extend(part(offset, limit).items);
        }
        prop_assert_eq!(pages, whole.items);
        let part = |offset, limit| {
            use_cases::review(you.call(), ReviewInput { offset, limit: Some(limit) }).unwrap_or(
                ReviewView { cards: Vec::new(), total: 0 })
        };
        let whole = part(0, 200);
        prop_assert_eq!(whole.cards.len(), whole.total as usize);
        let mut pages = Vec::new();
        for offset in (0..whole.total).step_by(limit as usize) {
            pages.extend(part(offset, limit).cards);
        }
        prop_assert_eq!(pages, whole.cards);
    }
}

#[test]
fn a_conflict_shows_its_sides_and_how_they_came_to_be() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let first = write(
        &cursor,
        titled("team", "status", "Launch", "Planned for May"),
    );
    world.pass(1);
    claude.fetch(first.id.as_str()).unwrap();
    world.pass(1);
    let source = WriteInput {
        source: Some("the tracker".into()),
        ..titled("team", "status", "Launch", "Delayed to June")
    };
    write(&cursor, source);
    world.pass(1);
    let clashed = write(&claude, titled("team", "status", "Launch", "Cancelled"));
    assert!(clashed.conflict.is_some());
    world.pass(1);
    world.agent("Codex").fetch(first.id.as_str()).unwrap();

    let you = world.agent("you");
    let view = use_cases::unit_view(you.call(), "team:status#launch", false).unwrap();
    assert_eq!((view.revision, view.conflicted), (3, true));
    let conflict = view.conflict.unwrap();
    assert_eq!(conflict.version, view.version);
    assert_eq!(conflict.head.agent.name, "Claude");
    assert_eq!(conflict.head.base.map(|base| base.revision), Some(1));
    assert_eq!(conflict.sides.len(), 1);
    assert_eq!(conflict.sides[0].content.body, "Delayed to June");
    assert_eq!(conflict.sides[0].disputed, conflict.head.disputed);
    let trail: Vec<_> = conflict
        .trail
        .iter()
        .map(|step| {
            (
                step.agent.name.as_str(),
                step.what,
                step.revision,
                step.told,
            )
        })
        .collect();
    let told = Some(true);
    assert_eq!(
        trail,
        [
            ("Cursor", TrailAct::Wrote, 1, None),
            ("Claude", TrailAct::Read, 1, None),
            ("Cursor", TrailAct::Wrote, 2, None),
            // Its reply gave it revision 2 as well, and told of the conflict.
            ("Claude", TrailAct::Wrote, 3, told),
            ("Codex", TrailAct::Read, 3, told),
        ]
    );
    assert_eq!(conflict.trail[2].source.as_deref(), Some("the tracker"));
    // What was shown was delivered: the person's next write fights nothing.
    let edit = WriteInput {
        id: Some(first.id.to_string()),
        ..titled("team", "status", "Launch", "Cancelled for good")
    };
    let edited = write(&you, edit);
    assert!(edited.conflict.is_none());
}

#[test]
fn a_history_says_what_each_revision_changed() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let first = write(&cursor, titled("team", "a", "T", "Launch in May"));
    let moved = WriteInput {
        id: Some(first.id.to_string()),
        brain: "team".into(),
        tags: Some(vec!["launch".into()]),
        body: Some("Launch in June".into()),
        ..WriteInput::default()
    };
    write(&cursor, moved);
    cursor.confirm(still_true(&first.id, 2)).unwrap();
    cursor.retire(first.id.as_str(), Some(2)).unwrap();
    let you = world.agent("you");
    let page = |before, limit| {
        let limit = Some(limit);
        use_cases::unit_history(
            you.call(),
            first.id.as_str(),
            UnitHistoryInput { before, limit },
        )
        .unwrap_or(HistoryView {
            entries: Vec::new(),
            more: true,
        })
    };
    let whole = page(None, 100);
    assert!(!whole.more);
    let kinds: Vec<_> = whole
        .entries
        .iter()
        .map(|entry| entry.kind.as_str())
        .collect();
    assert_eq!(kinds, ["retired", "confirmed", "updated", "created"]);
    let changed: Vec<Vec<_>> = whole
        .entries
        .iter()
        .map(|entry| entry.changed.iter().map(|field| field.as_str()).collect())
        .collect();
    assert_eq!(
        changed,
        [
            vec![],
            vec![],
            vec!["body", "tags"],
            vec!["topic", "title", "body"]
        ]
    );
    let updated = &whole.entries[2];
    assert_eq!(updated.before.as_deref(), Some("Launch in May"));
    assert_eq!(updated.after.as_deref(), Some("Launch in June"));
    assert_eq!(
        (&updated.tags_added, &updated.tags_removed),
        (&vec!["launch".to_owned()], &vec![])
    );
    assert!(whole.entries[3].before.is_none());
    // Pages put together are the whole.
    let (mut entries, mut before) = (Vec::new(), None);
    loop {
        let page = page(before, 1);
        before = page.entries.last().map(|entry| entry.event);
        entries.extend(page.entries);
        if !page.more {
            break;
        }
    }
    assert_eq!(entries, whole.entries);

    let old = use_cases::revision(you.call(), first.id.as_str(), 1).unwrap();
    assert_eq!(old.content.body, "Launch in May");
    let none = use_cases::revision(you.call(), first.id.as_str(), 9).unwrap_err();
    assert_eq!(none.code, Code::Invalid);
}

#[test]
fn readers_are_counted_with_what_they_read_last() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let first = write(&cursor, titled("team", "a", "T", "one"));
    let id = first.id.as_str();
    let claude = world.agent("Claude");
    claude.fetch(id).unwrap();
    world.agent("Claude").fetch(id).unwrap();
    world.pass(1);
    write(&cursor, titled("team", "a", "T", "two"));
    world.pass(1);
    claude.fetch(id).unwrap();
    let view = use_cases::readers(world.agent("you").call(), id).unwrap();
    let reader = &view.readers[0];
    assert_eq!(
        (reader.name.as_str(), reader.revision, reader.times),
        ("Claude", 2, 3)
    );
    assert_eq!(reader.last_at.0, world.now());
    // Who writes reads nothing.
    assert_eq!(view.readers.len(), 1);
    assert_eq!(
        cursor.session.seen(&first.id, 2),
        Some(world.now().plus_days(-1))
    );
}

#[test]
fn who_writes_a_fact_that_is_aging_has_not_read_it() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    world.pass(30);
    let weeks_ago = world.now().plus_days(-21).to_string();
    let old = |body: &str| WriteInput {
        observed_at: Some(weeks_ago.clone()),
        ..titled("team", "a", "T", body)
    };
    let id = write(&cursor, old("one")).id;
    write(&cursor, old("two"));
    let you = world.agent("you");
    let aging = || inbox(&world, &you, InboxInput::default()).counts.aging;
    assert_eq!(aging(), 0);
    // It is given the text for the first time: that is a read.
    cursor.fetch(id.as_str()).unwrap();
    assert_eq!(aging(), 1);
}

/// Who vouched for a unit, and how, wherever a screen says so.
#[allow(clippy::unwrap_used)]
fn vouchers(world: &World, id: &UnitId) -> (Vouched, String) {
    let you = world.agent("you");
    let view = use_cases::unit_view(you.call(), id.as_str(), true).unwrap();
    let vouched = view.vouched.unwrap();
    assert_eq!(vouched.at, view.anchor);
    for item in inbox(world, &you, InboxInput::default()).items {
        if let InboxItem::Aging {
            unit, vouched: of, ..
        } = item
            && unit.id == *id
        {
            assert_eq!(of.as_ref(), Some(&vouched));
        }
    }
    (vouched.how, vouched.by.name)
}

#[test]
fn who_vouched_for_a_fact_is_who_wrote_it_or_saw_it_hold_not_who_tagged_it() {
    use Vouched::{Confirmed, Saw, Wrote};
    let world = World::new();
    let (claude, cursor) = (world.agent("Claude"), world.agent("Cursor"));
    world.pass(30);
    let weeks_ago = world.now().plus_days(-21).to_string();
    let old = WriteInput {
        observed_at: Some(weeks_ago.clone()),
        source: Some("mail".into()),
        ..titled("team", "a", "T", "Priya approves")
    };
    let id = write(&claude, old).id;
    let who = || vouchers(&world, &id);
    let said = |how, name: &str| (how, name.to_owned());
    assert_eq!(who(), said(Saw, "Claude"));
    // A re-tag says nothing about the fact, be it by someone who names the same day.
    cursor.fetch(id.as_str()).unwrap();
    let tagged = WriteInput {
        id: Some(id.to_string()),
        brain: "team".into(),
        tags: Some(vec!["people".into()]),
        observed_at: Some(weeks_ago),
        ..WriteInput::default()
    };
    write(&cursor, tagged);
    cursor.fetch(id.as_str()).unwrap();
    assert_eq!(who(), said(Saw, "Claude"));
    // Seen again at its source.
    let again = WriteInput {
        observed_at: Some(world.now().plus_days(-16).to_string()),
        source: Some("mail".into()),
        ..titled("team", "a", "T", "Priya approves")
    };
    assert_eq!(write(&cursor, again).revision, 2);
    assert_eq!(who(), said(Saw, "Cursor"));
    let you = world.agent("you");
    let confirmed = you.confirm(ConfirmInput {
        id: id.to_string(),
        revision: Some(2),
        verdict: Some(Verdict::StillTrue),
        body: None,
    });
    assert_eq!(who(), said(Confirmed, "you"));
    // Another text is its writer's alone; undone, what was said before holds again.
    let other = write(&cursor, titled("team", "a", "T", "Ana approves"));
    assert_eq!(who(), said(Wrote, "Cursor"));
    for event in [other.event, confirmed.unwrap().event] {
        use_cases::undo(you.call(), event.unwrap()).unwrap();
    }
    assert_eq!(who(), said(Saw, "Cursor"));
}

#[test]
fn what_a_join_brought_is_vouched_for_by_whom_it_was_before() {
    let world = World::new();
    let (claude, you) = (world.agent("Claude"), world.agent("you"));
    let one = write(
        &world.agent("Cursor"),
        titled("team", "a", "One", "Ana approves"),
    );
    world.pass(1);
    let other = write(&claude, titled("team", "a", "Other", "Priya approves"));
    world.pass(20);
    use_cases::join(you.call(), one.id.as_str(), 1, other.id.as_str(), 1).unwrap();
    assert_eq!(vouchers(&world, &one.id), (Vouched::Wrote, "Claude".into()));
}

fn found(view: &FoundView) -> Vec<&str> {
    view.results
        .iter()
        .filter_map(|row| row.unit.title.as_deref())
        .collect()
}

fn find(actor: &Actor<'_>, query: &str) -> FoundView {
    let input = FindInput {
        query: Some(query.into()),
        ..FindInput::default()
    };
    use_cases::find(actor.call(), input).unwrap_or(FoundView {
        results: Vec::new(),
        total: u32::MAX,
    })
}

#[test]
fn the_last_word_of_a_search_matches_as_a_beginning() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    write(
        &cursor,
        titled("team", "a", "Launch", "The quickly written plan"),
    );
    write(&cursor, titled("team", "b", "Lunch", "Sandwiches"));
    let you = world.agent("you");
    for begun in [
        "lau", "laun", "launc", "launch", "plan la", "quickl", "writ",
    ] {
        assert_eq!(found(&find(&you, begun)), ["Launch"], "{begun}");
    }
    assert!(found(&find(&you, "la plan")).contains(&"Launch"));
    assert!(find(&you, "aunch").results.is_empty());
    // What is typed is data, never syntax.
    for text in [
        "\"", "lau*", "lau\"", "NEAR(", "a OR", "-", "(", "title:", "lau\0",
    ] {
        assert_ne!(find(&you, text).total, u32::MAX, "{text}");
    }
    assert_eq!(find(&you, "lau").total, 1);
    assert!(find(&you, "lau").results[0].score > 0.0);
    let nothing = use_cases::find(you.call(), FindInput::default()).unwrap_err();
    assert_eq!(nothing.code, Code::Invalid);
}

#[test]
fn the_inbox_goes_by_kinds_and_each_item_leaves_when_it_is_settled() {
    let world = World::new();
    let you = world.agent("you");
    let cursor = world.agent("Cursor");
    let read = write(&cursor, titled("team", "read", "R", "Ages"));
    let more = write(&cursor, titled("team", "more", "M", "Ages too"));
    write(&cursor, titled("team", "unread", "U", "Nobody asks"));
    let before = write(&cursor, titled("team", "before", "B", "Read while fresh"));
    world.agent("Claude").fetch(before.id.as_str()).unwrap();
    world.pass(15);
    for _ in 0..2 {
        world.agent("Claude").fetch(more.id.as_str()).unwrap();
    }
    world.agent("Claude").fetch(read.id.as_str()).unwrap();
    // The person's own reads ask for nothing.
    use_cases::unit_view(you.call(), before.id.as_str(), false).unwrap();
    let (settled, version) = clash(&world, "settled", "Cursor", "Claude");
    cursor.resolve(keep(&settled, version)).unwrap();
    let (first, first_version) = clash(&world, "first", "Cursor", "Claude");
    clash(&world, "second", "Cursor", "Newcomer");

    let view = inbox(&world, &you, InboxInput::default());
    assert_eq!(
        abouts(&view),
        [
            "conflict second",
            "conflict first",
            "decision settled",
            "problem Newcomer",
            "problem Claude",
            "problem Cursor",
            "aging more 2",
            "aging read 1",
        ]
    );
    assert_eq!(view.total, 8);
    let counts = view.counts;
    assert_eq!(
        (counts.conflicts, counts.proposals, counts.decisions),
        (2, 0, 1)
    );
    assert_eq!((counts.problems, counts.aging, counts.review), (3, 2, 4));
    let state = use_cases::state(you.call(), "1", midnight(&world)).unwrap();
    assert_eq!(state.counts, counts);
    // At a glance, the newest of all kinds.
    let mut by_time = view.items.clone();
    by_time.sort_by_key(|item| std::cmp::Reverse(item.at()));
    for most in [0, 1, 3, 5, 50] {
        let glance = use_cases::newest(you.call(), most, midnight(&world)).unwrap();
        assert_eq!(glance.counts, counts);
        let wanted: Vec<_> = by_time.iter().take(most).map(InboxItem::at).collect();
        let times: Vec<_> = glance.items.iter().map(InboxItem::at).collect();
        assert_eq!(times, wanted);
        assert!(glance.items.iter().all(|item| by_time.contains(item)));
    }
    match &view.items[1] {
        InboxItem::Conflict {
            head,
            displaced,
            head_text,
            displaced_text,
            sides,
            ..
        } => {
            assert_eq!(
                (head.name.as_str(), displaced.name.as_str()),
                ("Claude", "Cursor")
            );
            assert_eq!(
                (head_text.as_str(), displaced_text.as_str(), *sides),
                ("On track", "Delayed", 1)
            );
        }
        other => unreachable!("{other:?}"),
    }
    let only = InboxInput {
        kind: Some(InboxKind::Aging),
        ..InboxInput::default()
    };
    let view = inbox(&world, &you, only);
    assert_eq!((view.items.len(), view.total), (2, 2));
    match &view.items[0] {
        InboxItem::Aging { readers, .. } => assert_eq!(readers, &["Claude"]),
        other => unreachable!("{other:?}"),
    }

    // Put away, and settled.
    let event = |kind: &str| {
        let view = inbox(&world, &you, InboxInput::default());
        let mut events = view.items.iter().filter_map(|item| match item {
            InboxItem::Decision { event, .. } if kind == "decision" => Some(*event),
            InboxItem::Problem { event, .. } if kind == "problem" => Some(*event),
            _ => None,
        });
        events.next_back()
    };
    for kind in ["decision", "problem", "problem", "problem"] {
        let event = event(kind).unwrap();
        let refused = use_cases::dismiss(cursor.call(), DismissInput { event }).unwrap_err();
        assert_eq!(refused.code, Code::NotAllowed);
        let done = use_cases::dismiss(you.call(), DismissInput { event }).unwrap();
        assert!(done.event.is_some_and(|by| by > event));
        // Twice does no harm, and is no second act.
        let again = use_cases::dismiss(you.call(), DismissInput { event }).unwrap();
        assert_eq!(again.event, None);
    }
    let strange = DismissInput { event: 1 };
    let refused = use_cases::dismiss(you.call(), strange).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    you.resolve(keep(&first, first_version)).unwrap();
    you.confirm(still_true(&more.id, 1)).unwrap();
    let view = inbox(&world, &you, InboxInput::default());
    assert_eq!(abouts(&view), ["conflict second", "aging read 1"]);
    let done: Vec<_> = view
        .settled
        .iter()
        .map(|settled| {
            let about = match &settled.unit {
                Some(unit) => unit.topic.to_string(),
                None => settled.connection.clone().unwrap_or_default(),
            };
            (settled.kind.as_str(), about)
        })
        .collect();
    let done: Vec<_> = done.iter().map(|(kind, of)| (*kind, of.as_str())).collect();
    assert_eq!(
        done,
        [
            ("confirmed", "more"),
            ("resolved", "first"),
            ("dismissed", "Newcomer"),
            ("dismissed", "Claude"),
            ("dismissed", "Cursor"),
            ("dismissed", "settled")
        ]
    );
    world.pass(1);
    assert!(
        inbox(&world, &you, InboxInput::default())
            .settled
            .is_empty()
    );
}

#[test]
fn what_an_agent_settled_counts_while_it_stands() {
    let world = World::new();
    let you = world.agent("you");
    let cursor = world.agent("Cursor");
    let (id, version) = clash(&world, "status", "Cursor", "Claude");
    cursor.resolve(keep(&id, version)).unwrap();
    let confirmed = write(&cursor, titled("team", "fact", "F", "Holds"));
    cursor.confirm(still_true(&confirmed.id, 1)).unwrap();
    let decisions = || {
        let only = InboxInput {
            kind: Some(InboxKind::Decision),
            ..InboxInput::default()
        };
        abouts(&inbox(&world, &you, only))
    };
    assert_eq!(decisions(), ["decision fact", "decision status"]);
    // The person's own word takes the place of what was said in their name.
    you.confirm(still_true(&confirmed.id, 1)).unwrap();
    assert_eq!(decisions(), ["decision status"]);
    let body = "Something else";
    let clashed = write(
        &world.agent("Codex"),
        titled("team", "status", "status", body),
    );
    let version = clashed.conflict.unwrap().version;
    you.resolve(keep(&id, version)).unwrap();
    assert!(decisions().is_empty());
    // What the person has not looked at waits for them, however long.
    let other = write(&cursor, titled("team", "other", "O", "Holds"));
    cursor.confirm(still_true(&other.id, 1)).unwrap();
    world.pass(90);
    assert_eq!(decisions(), ["decision other"]);
}

#[test]
fn what_an_agent_settled_stands_until_that_very_act_is_undone() {
    let world = World::new();
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let (id, version) = clash(&world, "status", "Cursor", "Claude");
    let resolved = cursor.resolve(keep(&id, version)).unwrap().event.unwrap();
    let decided = || inbox(&world, &you, InboxInput::default()).counts.decisions;
    let undo = |event| {
        let reply = use_cases::undo(you.call(), event).unwrap();
        assert_eq!(reply.outcome, UndoOutcome::Undone);
        reply.event.unwrap()
    };
    assert_eq!(decided(), 1);
    // Another act on the unit is undone.
    let tags = WriteInput {
        id: Some(id.to_string()),
        tags: Some(vec!["a".into()]),
        ..WriteInput::default()
    };
    let tagged = write(&cursor, tags).event.unwrap();
    let untagged = undo(tagged);
    assert_eq!(decided(), 1);
    undo(untagged);
    assert_eq!(decided(), 1);
    // The act itself is, and again it is not, and is.
    let mut undoing = undo(resolved);
    for stands in [1, 0, 1] {
        undoing = undo(undoing);
        assert_eq!(decided(), stands);
    }
    undo(resolved);
    assert_eq!(decided(), 0);
}

#[test]
fn an_act_of_the_person_is_one_line() {
    let world = World::new();
    let you = world.agent("you");
    let id = write(&you, titled("team", "status", "Status", "It ships")).id;
    let other = write(&you, titled("team", "other", "Other", "It sails")).id;
    let changed = ConfirmInput {
        verdict: Some(Verdict::Changed),
        body: Some("It flies".into()),
        ..still_true(&id, 1)
    };
    you.confirm(changed).unwrap();
    let joined = use_cases::join(you.call(), id.as_str(), 2, other.as_str(), 1).unwrap();
    let undone = use_cases::undo(you.call(), joined.event.unwrap()).unwrap();
    use_cases::undo(you.call(), undone.event.unwrap()).unwrap();
    let view = inbox(&world, &you, InboxInput::default());
    let lines: Vec<_> = view
        .settled
        .iter()
        .map(|line| {
            assert_eq!((line.undid, line.undone_at), (None, None));
            let unit = line.unit.as_ref().unwrap();
            (line.kind.as_str(), unit.id == id)
        })
        .collect();
    // The join, undone and done again, is one of them.
    assert_eq!(
        lines,
        [
            ("joined", true),
            ("updated", true),
            ("created", true),
            ("created", true)
        ]
    );
}

#[test]
fn no_more_than_twenty_aging_facts_are_asked_about_in_a_day() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let ids: Vec<UnitId> = (0..25)
        .map(|n| {
            write(
                &cursor,
                titled("team", "t", &format!("{n}"), &format!("fact {n}")),
            )
            .id
        })
        .collect();
    world.pass(20);
    let claude = world.agent("Claude");
    for id in &ids {
        claude.fetch(id.as_str()).unwrap();
    }
    let you = world.agent("you");
    let counts = |now: &World| inbox(now, &you, InboxInput::default()).counts;
    assert_eq!((counts(&world).aging, counts(&world).review), (20, 25));
    for id in &ids[..3] {
        you.confirm(still_true(id, 1)).unwrap();
    }
    assert_eq!((counts(&world).aging, counts(&world).review), (17, 22));
    world.pass(1);
    assert_eq!(counts(&world).aging, 20);
}

#[test]
fn of_the_twenty_a_day_only_what_was_asked_about_is_gone() {
    let world = World::new();
    let (cursor, you) = (world.agent("Cursor"), world.agent("you"));
    let fact = |n: usize| titled("team", "t", &format!("{n}"), &format!("fact {n}"));
    let ids: Vec<UnitId> = (0..25).map(|n| write(&cursor, fact(n)).id).collect();
    world.pass(20);
    let claude = world.agent("Claude");
    for id in &ids {
        claude.fetch(id.as_str()).unwrap();
    }
    let aging = || inbox(&world, &you, InboxInput::default()).counts.aging;
    assert_eq!(aging(), 20);
    // What is fresh answers nothing that was asked.
    for n in 30..33 {
        let fresh = write(&you, fact(n)).id;
        write(&you, titled("team", "t", &format!("{n}"), "said better"));
        you.confirm(still_true(&fresh, 2)).unwrap();
        use_cases::later(you.call(), fresh.as_str(), None).unwrap();
        you.retire(fresh.as_str(), Some(2)).unwrap();
    }
    assert_eq!(aging(), 20);
    // Each answer to an aging one does, once.
    you.confirm(still_true(&ids[0], 1)).unwrap();
    you.confirm(still_true(&ids[0], 1)).unwrap();
    let changed = ConfirmInput {
        verdict: Some(Verdict::Changed),
        body: Some("another fact".into()),
        ..still_true(&ids[1], 1)
    };
    for id in &ids[1..5] {
        use_cases::unit_view(you.call(), id.as_str(), false).unwrap();
    }
    you.confirm(changed).unwrap();
    use_cases::later(you.call(), ids[2].as_str(), None).unwrap();
    you.retire(ids[3].as_str(), Some(1)).unwrap();
    write(&you, titled("team", "t", "4", "fact four"));
    assert_eq!(aging(), 15);
    // One that has its own days may be aging where others are fresh.
    let short = WriteInput {
        fresh_for_days: Some(1),
        ..fact(40)
    };
    let short = write(&cursor, short).id;
    world.pass(1);
    assert_eq!(aging(), 20);
    you.confirm(still_true(&short, 1)).unwrap();
    assert_eq!(aging(), 19);
}

#[test]
fn what_was_done_in_the_persons_name_is_told_by_the_act_and_quoted_only_where_it_was() {
    let world = World::new();
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let (id, version) = clash(&world, "status", "Cursor", "Claude");
    cursor.resolve(keep(&id, version)).unwrap();
    let fact = write(&cursor, titled("team", "fact", "F", "Holds")).id;
    cursor.confirm(still_true(&fact, 1)).unwrap();
    let other = write(&cursor, titled("team", "other", "O", "Held")).id;
    let changed = ConfirmInput {
        verdict: Some(Verdict::Changed),
        body: Some("Holds no more".into()),
        ..still_true(&other, 1)
    };
    cursor.confirm(changed).unwrap();
    let acts: Vec<_> = inbox(&world, &you, InboxInput::default())
        .items
        .into_iter()
        .filter_map(|item| match item {
            InboxItem::Decision { act, decision, .. } => Some((act, decision)),
            _ => None,
        })
        .collect();
    let said = Some("The person said so".to_owned());
    assert_eq!(
        acts,
        [
            (Decided::Changed, None),
            (Decided::Confirmed, None),
            (Decided::Resolved, said)
        ]
    );
}

#[test]
fn an_accepted_change_is_told_of_its_author_and_of_who_accepted_it() {
    let world = World::with(WritePolicy::Review);
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = write(&you, titled("team", "status", "S", "It ships")).id;
    cursor.fetch(id.as_str()).unwrap();
    write(&cursor, titled("team", "status", "S", "It sails"));
    let accept = AcceptInput {
        id: use_cases::proposals(you.call(), 0, 1).unwrap().0[0].id,
        revision: Some(1),
        ..AcceptInput::default()
    };
    use_cases::accept(you.call(), accept).unwrap();
    let view = use_cases::unit_history(you.call(), id.as_str(), UnitHistoryInput::default());
    let lines: Vec<_> = view
        .unwrap()
        .entries
        .into_iter()
        .map(|entry| {
            let author = entry.author.map(|author| author.name);
            (entry.kind.as_str(), entry.agent.name, author)
        })
        .collect();
    let line =
        |kind, agent: &str, author: Option<&str>| (kind, agent.into(), author.map(Into::into));
    assert_eq!(
        lines,
        [
            line("accepted", "you", Some("Cursor")),
            line("proposed", "Cursor", None),
            line("created", "you", None),
        ]
    );
}

#[test]
fn what_is_loaded_ahead_is_shown_to_nobody_and_a_second_look_is_no_second_read() {
    let world = World::new();
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let id = write(&cursor, titled("team", "a", "T", "x")).id;
    let times = |name: &str| {
        let view = use_cases::readers(you.call(), id.as_str()).unwrap();
        let reader = view.readers.iter().find(|reader| reader.name == name);
        reader.map_or(0, |reader| reader.times)
    };
    let peeked = use_cases::unit_view(you.call(), id.as_str(), true).unwrap();
    assert_eq!((times("you"), you.session.seen(&id, 1)), (0, None));
    for _ in 0..3 {
        let shown = use_cases::unit_view(you.call(), id.as_str(), false).unwrap();
        assert_eq!(shown, peeked);
        world.agent("Claude").fetch(id.as_str()).unwrap();
    }
    // Three sessions of one client read three times, one tab once.
    assert_eq!((times("you"), times("Claude")), (1, 3));
    let claude = world.agent("Claude");
    for _ in 0..2 {
        claude.fetch(id.as_str()).unwrap();
        claude.history(id.as_str()).unwrap();
    }
    assert_eq!(times("Claude"), 4);
    // A session that lives on reads anew another day: what it asks of a fact
    // that has aged by then is a question of then.
    world.pass(15);
    claude.fetch(id.as_str()).unwrap();
    assert_eq!(times("Claude"), 5);
    let aging = InboxInput {
        kind: Some(InboxKind::Aging),
        ..InboxInput::default()
    };
    assert_eq!(abouts(&inbox(&world, &you, aging)), ["aging a 1"]);
    // Another revision is another text.
    write(&cursor, titled("team", "a", "T", "y"));
    claude.fetch(id.as_str()).unwrap();
    let view = use_cases::readers(you.call(), id.as_str()).unwrap();
    let newest = view.readers.iter().find(|reader| reader.name == "Claude");
    assert_eq!(newest.map(|reader| reader.revision), Some(2));
}

#[test]
fn the_deck_begins_with_what_is_read_most() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let oldest = write(&cursor, titled("team", "a", "Oldest", "x"));
    world.pass(1);
    write(&cursor, titled("team", "a", "Older", "xx"));
    world.pass(1);
    let read = write(&cursor, titled("team", "a", "Read", "xxx"));
    world.pass(50);
    let fresh = write(&cursor, titled("team", "a", "Fresh", "xxxx"));
    for id in [&read.id, &fresh.id] {
        world.agent("Claude").fetch(id.as_str()).unwrap();
    }
    let deck = use_cases::review(world.agent("you").call(), ReviewInput::default()).unwrap();
    let titles: Vec<_> = deck
        .cards
        .iter()
        .filter_map(|card| card.unit.title.as_deref())
        .collect();
    assert_eq!((titles, deck.total), (vec!["Read", "Oldest", "Older"], 3));
    assert_eq!(
        (deck.cards[0].reads, &deck.cards[0].readers),
        (1, &vec!["Claude".to_owned()])
    );
    assert_eq!(deck.cards[1].unit.id, oldest.id);
}

#[test]
fn activity_goes_back_by_brain_and_connection() {
    let world = World::new();
    let (cursor, you) = (world.agent("Cursor"), world.agent("you"));
    write(&cursor, titled("team", "a", "T", "x"));
    write(&you, titled("personal", "b", "P", "y"));
    let look = |input: ActivityInput| {
        let view = use_cases::activity(you.call(), input).unwrap_or(ActivityView {
            events: Vec::new(),
            more: true,
        });
        let events: Vec<String> = view
            .events
            .iter()
            .map(|row| format!("{} {}", row.kind.as_str(), row.agent.name))
            .collect();
        (events, view)
    };
    let (events, whole) = look(ActivityInput::default());
    assert_eq!(
        events,
        [
            "created you",
            "created Cursor",
            "connection_created Cursor",
            "brain_created cli",
            "connection_created cli",
            "brain_created cli"
        ]
    );
    assert_eq!(whole.events[0].title.as_deref(), Some("P"));
    assert_eq!(whole.events[0].topic.as_ref().unwrap().as_str(), "b");
    let (events, _) = look(ActivityInput {
        brain: Some("team".into()),
        ..ActivityInput::default()
    });
    assert_eq!(events, ["created Cursor"]);
    let (events, _) = look(ActivityInput {
        connection: Some("Cursor".into()),
        ..ActivityInput::default()
    });
    assert_eq!(events, ["created Cursor", "connection_created Cursor"]);
    let (mut events, mut before) = (Vec::new(), None);
    loop {
        let (_, page) = look(ActivityInput {
            before,
            limit: Some(2),
            ..ActivityInput::default()
        });
        before = page.events.last().map(|row| row.event);
        events.extend(page.events);
        if !page.more {
            break;
        }
    }
    assert_eq!(events, whole.events);
}

#[test]
fn new_policies_count_at_once_and_move_no_clock() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let own = WriteInput {
        fresh_for_days: Some(100),
        ..titled("team", "clients/meridian", "Own", "x")
    };
    write(&cursor, own);
    write(&cursor, titled("team", "clients/meridian", "Client", "xx"));
    write(&cursor, titled("team", "voice", "Voice", "xxx"));
    write(&cursor, titled("personal", "voice", "Mine", "xxxx"));
    world.pass(20);
    let you = world.agent("you");
    let freshness = || {
        let view = list(
            &you,
            UnitsInput {
                order: UnitOrder::Title,
                ..UnitsInput::default()
            },
        );
        view.units
            .iter()
            .map(|row| (row.freshness, row.anchor.0))
            .collect::<Vec<_>>()
    };
    use Freshness::{Aging, Fresh, Stale};
    let began = world.now().plus_days(-20);
    let at = |all: [Freshness; 4]| all.map(|it| (it, began)).to_vec();
    // By title: Client, Mine, Own, Voice.
    assert_eq!(freshness(), at([Aging, Aging, Fresh, Aging]));
    let rule = |topic: Option<&str>, days: Option<(u32, u32)>| FreshnessRuleView {
        topic: topic.map(Into::into),
        aging: days.map(|days| days.0),
        stale: days.map(|days| days.1),
        never: days.is_none().then_some(true),
    };
    let settings = |freshness| UpdateBrainInput {
        freshness: Some(freshness),
        ..UpdateBrainInput::default()
    };
    let rules = vec![rule(Some("clients"), Some((5, 10))), rule(None, None)];
    let refused = use_cases::update_brain(cursor.call(), "team", settings(rules.clone()));
    assert_eq!(refused.unwrap_err().code, Code::NotAllowed);
    // Where nothing is said, what holds is told all the same.
    let view = use_cases::update_brain(you.call(), "team", UpdateBrainInput::default()).unwrap();
    assert_eq!(
        (view.freshness.len(), view.ages),
        (0, rule(None, Some((14, 45))))
    );
    let view = use_cases::update_brain(you.call(), "team", settings(rules)).unwrap();
    assert_eq!(view.freshness[0], rule(None, None));
    assert_eq!(view.ages, rule(None, None));
    assert_eq!((view.units, view.aging, view.stale), (3, 0, 1));
    assert_eq!(freshness(), at([Stale, Aging, Fresh, Fresh]));
    // What comes later follows them too.
    write(&cursor, titled("team", "clients/x", "Aa", "new"));
    world.pass(6);
    let view = use_cases::brain_views(you.call()).unwrap();
    let team = view.brains.iter().find(|row| row.brain.as_str() == "team");
    assert_eq!(team.unwrap().aging, 1);
    let named = UpdateBrainInput {
        name: Some("The Team".into()),
        ..UpdateBrainInput::default()
    };
    let cli = world.agent("cli");
    let view = use_cases::update_brain(cli.call(), "team", named).unwrap();
    assert_eq!((view.name.as_str(), view.freshness.len()), ("The Team", 2));
    let event = use_cases::changes_after(you.call(), 0)
        .unwrap()
        .0
        .pop()
        .unwrap();
    assert_eq!(event.kind.as_str(), "brain_changed");
    let bad = settings(vec![rule(None, Some((9, 9)))]);
    let refused = use_cases::update_brain(you.call(), "team", bad).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    let none = use_cases::update_brain(you.call(), "none", UpdateBrainInput::default());
    assert_eq!(none.unwrap_err().code, Code::UnknownBrain);
}

#[test]
fn the_state_tells_where_the_changes_go_on() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    write(&cursor, titled("team", "a", "T", "x"));
    let you = world.agent("you");
    let state = use_cases::state(you.call(), "9.9", midnight(&world)).unwrap();
    assert_eq!((state.version.as_str(), state.connections), ("9.9", 1));
    assert!(state.wrote_at.is_none());
    use_cases::health(world.store(), world.now()).unwrap();
    let state = use_cases::state(you.call(), "9.9", midnight(&world)).unwrap();
    assert_eq!(state.wrote_at.map(|at| at.0), Some(world.now()));
    let (rows, newest) = use_cases::changes_after(you.call(), 0).unwrap();
    assert_eq!(newest, state.event);
    let kinds: Vec<_> = rows.iter().map(|row| row.kind.as_str()).collect();
    assert!(kinds.contains(&"connection_created"));
    let last = rows.last().unwrap();
    assert_eq!(
        (last.revision, last.agent.name.as_str()),
        (Some(1), "Cursor")
    );
    // Connections are the person's to know.
    let (rows, _) = use_cases::changes_after(cursor.call(), 0).unwrap();
    assert!(
        rows.iter()
            .all(|row| row.kind.as_str() != "connection_created")
    );
}

#[test]
fn a_connection_was_last_seen_when_it_wrote_or_read() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    let unit = write(&cursor, titled("team", "a", "T", "x"));
    let wrote = world.now();
    let seen = |name: &str| {
        let rows = use_cases::connections(world.agent("cli").call()).unwrap_or_default();
        let row = rows.into_iter().find(|row| row.connection == name);
        row.and_then(|row| row.last_seen).map(|at| at.0)
    };
    assert_eq!(seen("Cursor"), Some(wrote));
    world.pass(1);
    cursor.fetch(unit.id.as_str()).unwrap();
    assert_eq!(seen("Cursor"), Some(world.now()));
}

#[test]
fn what_an_agent_may_not_read_is_in_no_list_and_no_count() {
    let world = World::new();
    let cli = world.agent("cli");
    use_cases::create_brain(
        cli.call(),
        "secret",
        None,
        BrainKind::Shared,
        WritePolicy::Open,
    )
    .unwrap();
    let agent = world.agent("Cursor");
    use_cases::grant(cli.call(), "secret", "Cursor", Grant::None, None).unwrap();
    let insider = world.agent("Insider");
    let unit = write(&insider, titled("secret", "hidden", "H", "walrus"));
    insider.confirm(still_true(&unit.id, 1)).unwrap();
    world.pass(50);
    world.agent("Other").fetch(unit.id.as_str()).unwrap();
    let clashing = write(&insider, titled("secret", "clash", "C", "one"));
    write(&world.agent("Other"), titled("secret", "clash", "C", "two"));

    let view = list(&agent, UnitsInput::default());
    assert_eq!((view.units.len(), view.total), (0, 0));
    let named = UnitsInput {
        brain: Some("secret".into()),
        ..UnitsInput::default()
    };
    let refused = use_cases::units(agent.call(), named).unwrap_err();
    assert_eq!(refused.code, Code::UnknownBrain);
    assert_eq!(find(&agent, "walr").total, 0);
    let unknown = [
        use_cases::unit_view(agent.call(), unit.id.as_str(), false).map(drop::<UnitView>),
        use_cases::readers(agent.call(), unit.id.as_str()).map(drop::<ReadersView>),
        use_cases::revision(agent.call(), unit.id.as_str(), 1).map(drop::<RevisionView>),
        use_cases::unit_history(
            agent.call(),
            clashing.id.as_str(),
            UnitHistoryInput::default(),
        )
        .map(drop::<HistoryView>),
    ];
    for refused in unknown {
        assert_eq!(refused.unwrap_err().code, Code::UnknownUnit);
    }
    let view = inbox(&world, &agent, InboxInput::default());
    assert_eq!((view.total, view.items.len()), (0, 0));
    assert_eq!(view.counts, Default::default());
    let deck = use_cases::review(agent.call(), ReviewInput::default()).unwrap();
    assert_eq!((deck.total, deck.cards.len()), (0, 0));
    let activity = use_cases::activity(agent.call(), ActivityInput::default()).unwrap();
    assert!(activity.events.is_empty());
    let state: StateView = use_cases::state(agent.call(), "1", midnight(&world)).unwrap();
    assert_eq!(state.counts, Default::default());
    let brains: BrainsView = use_cases::brain_views(agent.call()).unwrap();
    assert!(
        brains
            .brains
            .iter()
            .all(|row: &BrainView| row.brain.as_str() != "secret")
    );
    let topics = use_cases::all_topics(agent.call(), TopicsInput::default()).unwrap();
    assert!(topics.topics.is_empty());
    let renamed = use_cases::update_brain(agent.call(), "secret", UpdateBrainInput::default());
    assert_eq!(renamed.unwrap_err().code, Code::UnknownBrain);

    // The person sees it all.
    let you = world.agent("you");
    assert_eq!(list(&you, UnitsInput::default()).total, 2);
    let view = inbox(&world, &you, InboxInput::default());
    assert!(abouts(&view).contains(&"conflict clash".to_owned()));
    assert!(abouts(&view).contains(&"aging hidden 1".to_owned()));
}

#[test]
fn the_shapes_are_named_as_the_interface_names_them() {
    let mut generator = schemars::SchemaGenerator::default();
    generator.subschema_for::<UnitView>();
    generator.subschema_for::<InboxView>();
    generator.subschema_for::<DismissReply>();
    generator.subschema_for::<BrainsView>();
    let names: Vec<&String> = generator.definitions().keys().collect();
    for name in [
        "UnitView",
        "Content",
        "Who",
        "ConflictView",
        "SideView",
        "TrailStep",
        "InboxItem",
        "Settled",
        "UnitRow",
        "FreshnessRule",
    ] {
        assert!(names.iter().any(|it| *it == name), "{name}: {names:?}");
    }
}

#[test]
fn what_was_put_off_proposed_joined_or_done_shows_as_such() {
    let world = World::new();
    let person = world.agent("you");
    let call = || person.call();
    let id = person.write("status", "It ships.").unwrap().id;
    world.pass(20);
    let counts = || use_cases::state(call(), "1", call().now).unwrap().counts;
    assert_eq!(counts().review, 1);
    use_cases::later(call(), id.as_str(), None).unwrap();
    assert_eq!(counts().review, 0);
    let unit = use_cases::unit_view(call(), id.as_str(), false).unwrap();
    assert_eq!(unit.later_until.unwrap().0, world.now().plus_days(7));
    let cards = || use_cases::review(call(), ReviewInput::default()).unwrap();
    assert_eq!(cards().total, 0);
    let inbox = || use_cases::inbox(call(), InboxInput::default(), call().now).unwrap();
    let settled = inbox().settled;
    assert_eq!((settled.len(), settled[0].undoable), (1, true));
    assert_eq!(
        settled[0].unit.as_ref().unwrap().later_until.unwrap().0,
        world.now().plus_days(7)
    );
    world.pass(7);
    assert_eq!(counts().review, 1);
    let unit = use_cases::unit_view(call(), id.as_str(), false).unwrap();
    assert_eq!(unit.later_until, None);
    assert_eq!(cards().total, 1);

    // Of two acts on one field the later one stands in the way of the first.
    person.write("status", "It sails.").unwrap();
    let history = use_cases::unit_history(call(), id.as_str(), UnitHistoryInput::default());
    let acts: Vec<_> = history
        .unwrap()
        .entries
        .into_iter()
        .map(|entry| (entry.kind.as_str(), entry.undoable))
        .collect();
    assert_eq!(acts[0], ("updated", true));

    let other = person
        .write_with(WriteInput {
            title: Some("Also".into()),
            topic: Some("status".into()),
            body: Some("It sailed.".into()),
            ..WriteInput::default()
        })
        .unwrap()
        .id;
    use_cases::join(call(), id.as_str(), 2, other.as_str(), 1).unwrap();
    let unit = use_cases::unit_view(call(), other.as_str(), false).unwrap();
    assert_eq!((unit.id, unit.joined), (id.clone(), Some(true)));
    let unit = use_cases::unit_view(call(), id.as_str(), false).unwrap();
    assert_eq!(unit.joined, None);

    use_cases::erase(
        call(),
        EraseInput::Revision {
            id: id.to_string(),
            revision: 1,
        },
    )
    .unwrap();
    let revision = use_cases::revision(call(), id.as_str(), 1).unwrap();
    assert!(revision.erased);
    assert_eq!(revision.content.body, "");
}

#[test]
fn what_an_erased_text_changed_is_told_by_nobody() {
    let world = World::new();
    let you = world.agent("you");
    let id = you.write("status", "One").unwrap().id;
    for body in ["Two", "Three"] {
        you.write("status", body).unwrap();
    }
    let revision = |revision| EraseInput::Revision {
        id: id.to_string(),
        revision,
    };
    use_cases::erase(you.call(), revision(2)).unwrap();
    let history = use_cases::unit_history(you.call(), id.as_str(), UnitHistoryInput::default());
    let told: Vec<_> = history
        .unwrap()
        .entries
        .into_iter()
        .filter(|entry| entry.kind != EventKind::Erased)
        .map(|entry| (entry.changed, entry.before, entry.erased))
        .collect();
    assert_eq!(
        told,
        [
            (vec![], None, Some(ErasedText::Before)),
            (vec![], None, Some(ErasedText::Its)),
            (vec![Field::Topic, Field::Body], None, None),
        ]
    );
}

/// What the person did today: kind, what it was about, and whether it was
/// undone and can be.
fn settled(world: &World) -> Vec<(&'static str, String, bool, bool)> {
    let view = inbox(world, &world.agent("you"), InboxInput::default());
    view.settled
        .into_iter()
        .map(|line| {
            let topic = line.unit.map(|unit| unit.topic).or(line.topic);
            let topic = topic.map(|topic| topic.to_string());
            let about = topic.or(line.connection).unwrap_or_default();
            let kind = line.kind.as_str();
            (kind, about, line.undone_at.is_some(), line.undoable)
        })
        .collect()
}

#[test]
fn the_server_says_which_act_an_undo_took_back() {
    let world = World::new();
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let wrote = write(&cursor, titled("team", "status", "Status", "It ships"));
    let tags = |tags: &str| WriteInput {
        id: Some(wrote.id.to_string()),
        tags: Some(vec![tags.into()]),
        ..WriteInput::default()
    };
    let text = WriteInput {
        id: Some(wrote.id.to_string()),
        body: Some("It sails".into()),
        ..WriteInput::default()
    };
    let edit = write(&cursor, text).event;
    let first = write(&you, tags("one")).event.unwrap();
    write(&you, tags("two"));
    let undo = |event| use_cases::undo(you.call(), event).unwrap();
    // What another did is undone: a line of its own, that names it.
    let undone = undo(edit.unwrap());
    let line = |at: usize| {
        inbox(&world, &you, InboxInput::default())
            .settled
            .swap_remove(at)
    };
    assert_eq!(line(0).undid, edit);
    // Undone, and done again, it is still one line.
    for gone in [true, false, true] {
        let last = inbox(&world, &you, InboxInput::default()).settled.len();
        assert_eq!(last, 3);
        let newest = world.store().read(|records| records.last_event()).unwrap();
        undo(newest);
        assert_eq!(line(0).event, undone.event.unwrap());
        assert_eq!(line(0).undone_at.is_some(), gone);
    }
    // The later tag is in the way of the first one; undone, it is not.
    let told = settled(&world);
    assert_eq!((told[1].2, told[1].3), (false, true));
    assert_eq!((told[2].2, told[2].3), (false, false));
    let second = line(1).event;
    undo(second);
    undo(first);
    let told = settled(&world);
    assert_eq!((told[1].2, told[1].3), (true, false));
    assert_eq!((told[2].2, told[2].3), (true, false));
}

#[test]
fn what_is_put_away_comes_back_by_undo_and_goes_by_the_undo_of_that() {
    let world = World::new();
    let you = world.agent("you");
    let cursor = world.agent("Cursor");
    let (id, version) = clash(&world, "status", "Cursor", "Claude");
    let resolved = cursor.resolve(keep(&id, version)).unwrap().event.unwrap();
    let waits = || abouts(&inbox(&world, &you, InboxInput::default()));
    let newcomer = |name: &str| {
        let view = inbox(&world, &you, InboxInput::default());
        view.items.into_iter().find_map(|item| match item {
            InboxItem::Problem {
                event, connection, ..
            } if connection.as_deref() == Some(name) => Some(event),
            _ => None,
        })
    };
    let all = waits();
    for event in [resolved, newcomer("Cursor").unwrap()] {
        let away = use_cases::dismiss(you.call(), DismissInput { event }).unwrap();
        let mut last = away.event.unwrap();
        assert!(!waits().contains(&all[0]) || event != resolved);
        assert_eq!(waits().len(), all.len() - 1);
        for back in [true, false, true] {
            assert_eq!(use_cases::undoable(you.call(), &[last]).unwrap(), [last]);
            let reply = use_cases::undo(you.call(), last).unwrap();
            assert_eq!(reply.outcome, UndoOutcome::Undone);
            assert_eq!((reply.id, reply.revision), (None, None));
            assert_eq!(waits() == all, back);
            // Once is enough.
            let again = use_cases::undo(you.call(), last).unwrap();
            assert_eq!(again.outcome, UndoOutcome::Moved);
            let said = again.message.unwrap();
            assert!(said.contains("undone already: you"), "{said}");
            last = reply.event.unwrap();
        }
        let told = settled(&world);
        assert_eq!((told[0].0, told[0].2), ("dismissed", true), "{told:?}");
    }
    // Agents undo nothing of the person's, and learn nothing of connections.
    let events = world.store().read(|records| records.events_after(0, 99));
    let events = events.unwrap();
    let mut dismissed = events.iter().filter(|it| it.kind == EventKind::Dismissed);
    let of_unit = dismissed.next().unwrap();
    let refused = use_cases::undo(cursor.call(), of_unit.id).unwrap_err();
    assert_eq!(refused.code, Code::NotAllowed);
    let of_connection = dismissed.next().unwrap();
    let refused = use_cases::undo(cursor.call(), of_connection.id).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    assert!(refused.message.contains("changed no unit"), "{refused}");
}

#[test]
fn what_no_longer_stands_does_not_come_back() {
    let world = World::new();
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let (id, version) = clash(&world, "status", "Cursor", "Claude");
    let resolved = cursor.resolve(keep(&id, version)).unwrap().event.unwrap();
    let sure = write(&cursor, titled("team", "sure", "S", "Holds"));
    let confirmed = cursor.confirm(still_true(&sure.id, 1)).unwrap();
    let view = inbox(&world, &you, InboxInput::default());
    let newcomer = view.items.iter().find_map(|item| match item {
        InboxItem::Problem {
            event, connection, ..
        } if connection.as_deref() == Some("Claude") => Some(*event),
        _ => None,
    });
    let away = |event| {
        let reply = use_cases::dismiss(you.call(), DismissInput { event });
        reply.unwrap().event.unwrap()
    };
    let acts = [
        away(resolved),
        away(confirmed.event.unwrap()),
        away(newcomer.unwrap()),
    ];
    assert_eq!(use_cases::undoable(you.call(), &acts).unwrap(), acts);
    use_cases::undo(you.call(), resolved).unwrap();
    world.pass(1);
    you.confirm(still_true(&sure.id, 1)).unwrap();
    use_cases::revoke_connection(you.call(), "Claude").unwrap();
    assert!(use_cases::undoable(you.call(), &acts).unwrap().is_empty());
    let before = abouts(&inbox(&world, &you, InboxInput::default()));
    for act in acts {
        let reply = use_cases::undo(you.call(), act).unwrap();
        assert_eq!(reply.outcome, UndoOutcome::Moved);
        let said = reply.message.unwrap();
        assert!(said.contains("does not wait any more"), "{said}");
    }
    let after = abouts(&inbox(&world, &you, InboxInput::default()));
    assert_eq!(before, after);
    // That it was revoked is told, and is for good.
    let told = settled(&world);
    assert_eq!(
        told[0],
        ("connection_revoked", "Claude".into(), false, false)
    );
    let revoked = world.store().read(|records| records.last_event()).unwrap();
    let refused = use_cases::undo(you.call(), revoked).unwrap_err();
    assert!(refused.message.contains("stays revoked"), "{refused}");
}

#[test]
fn the_nearest_topics_are_named_where_nobody_has_the_one_asked_for() {
    let world = World::new();
    let you = world.agent("you");
    you.write("clients/meridian", "It ships").unwrap();
    let of = |topic: &str| {
        let input = UnitsInput {
            brain: Some("team".into()),
            topic: Some(topic.into()),
            ..UnitsInput::default()
        };
        list(&you, input).nearest_topics
    };
    let nearest = of("client/meridien").unwrap();
    assert_eq!(nearest[0].topic.as_str(), "clients/meridian");
    assert_eq!(nearest[0].brain.as_str(), "team");
    assert_eq!(of("zzzz"), Some(Vec::new()));
    assert_eq!(of("clients"), None);
    assert_eq!(list(&you, UnitsInput::default()).nearest_topics, None);
}

#[test]
fn what_agents_propose_waits_in_the_inbox_and_is_counted() {
    let world = World::new();
    let person = world.agent("you");
    let call = || person.call();
    let id = person.write("status", "It ships.").unwrap().id;
    let review = UpdateBrainInput {
        write_policy: Some(WritePolicy::Review),
        ..UpdateBrainInput::default()
    };
    use_cases::update_brain(call(), "team", review).unwrap();
    let agent = world.agent("Cursor");
    agent.fetch(id.as_str()).unwrap();
    agent.write("status", "It **sails**.").unwrap();
    agent.write("news", "A new one").unwrap();
    let proposals = || InboxInput {
        kind: Some(InboxKind::Proposal),
        ..InboxInput::default()
    };
    let inbox = || use_cases::inbox(call(), proposals(), call().now).unwrap();
    let waiting = inbox();
    assert_eq!((waiting.total, waiting.counts.proposals), (2, 2));
    let [
        InboxItem::Proposal {
            unit: None,
            text: new,
            ..
        },
        InboxItem::Proposal {
            unit: Some(unit),
            text,
            moved: false,
            proposal,
            ..
        },
    ] = waiting.items.as_slice()
    else {
        panic!("two proposals: {:?}", waiting.items);
    };
    assert_eq!(new, "A new one");
    assert_eq!((unit, text.as_str()), (&id, "It sails."));
    let view = use_cases::unit_view(call(), id.as_str(), false).unwrap();
    assert_eq!(view.proposals, 1);
    let brains = use_cases::brain_views(call()).unwrap().brains;
    let team = brains.iter().find(|brain| brain.brain.as_str() == "team");
    assert_eq!(team.unwrap().proposals, 2);
    let reject = RejectInput {
        id: *proposal,
        reason: None,
    };
    use_cases::reject(call(), reject).unwrap();
    assert_eq!(inbox().counts.proposals, 1);
}

/// The Inbox, the activity and the state, which name units of any past.
#[expect(clippy::panic, reason = "a test ends where a screen is refused")]
fn looks(world: &World) -> (InboxView, ActivityView) {
    for name in ["you", "cli", "Cursor"] {
        let actor = world.agent(name);
        let screens = [
            use_cases::inbox(actor.call(), InboxInput::default(), midnight(world)).map(|_| ()),
            use_cases::activity(actor.call(), ActivityInput::default()).map(|_| ()),
            use_cases::state(actor.call(), "1", midnight(world)).map(|_| ()),
            use_cases::review(actor.call(), ReviewInput::default()).map(|_| ()),
            use_cases::changes_after(actor.call(), 0).map(|_| ()),
        ];
        if let Some(refused) = screens.into_iter().find_map(Result::err) {
            panic!("{name}: {refused}");
        }
    }
    let you = world.agent("you");
    let view = inbox(world, &you, InboxInput::default());
    assert_eq!(view.items.len(), view.total as usize);
    match use_cases::activity(you.call(), ActivityInput::default()) {
        Ok(activity) => (view, activity),
        Err(refused) => panic!("{refused}"),
    }
}

#[test]
fn no_screen_stumbles_over_what_was_erased() {
    let world = World::new();
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let erase = |what| use_cases::erase(you.call(), what).unwrap();
    // Decided, confirmed and read by agents, and put off by the person.
    let (settled, version) = clash(&world, "settled", "Cursor", "Claude");
    cursor.resolve(keep(&settled, version)).unwrap();
    let sure = write(&cursor, titled("team", "sure", "S", "Holds"));
    cursor.confirm(still_true(&sure.id, 1)).unwrap();
    world.pass(20);
    world.agent("Claude").fetch(sure.id.as_str()).unwrap();
    use_cases::later(you.call(), sure.id.as_str(), None).unwrap();
    let told = write(&cursor, titled("team", "told", "T", "Holds"));
    cursor.confirm(still_true(&told.id, 1)).unwrap();
    let (clashing, _) = clash(&world, "clashing", "Cursor", "Claude");
    erase(EraseInput::Revision {
        id: clashing.to_string(),
        revision: 1,
    });
    looks(&world);
    for id in [&settled, &sure.id, &told.id, &clashing] {
        erase(EraseInput::Unit { id: id.to_string() });
        let (view, activity) = looks(&world);
        assert!(
            view.settled
                .iter()
                .all(|line| line.unit.as_ref().is_some_and(|unit| unit.id != *id))
                && view
                    .items
                    .iter()
                    .all(|item| !about(item).contains(id.as_str()))
        );
        // That it was erased stays on record, and nothing that it said.
        let row = &activity.events[0];
        assert_eq!((row.kind.as_str(), row.unit.as_ref()), ("erased", Some(id)));
        assert!(row.topic.is_none() && row.title.is_none() && row.decision.is_none());
    }
    let (view, _) = looks(&world);
    assert_eq!((view.counts.decisions, view.counts.review), (0, 0));
    for brain in ["team", "personal"] {
        erase(EraseInput::Brain {
            brain: brain.into(),
        });
        looks(&world);
    }
}

#[test]
fn no_screen_stumbles_over_what_was_joined() {
    let world = World::new();
    let (you, cursor) = (world.agent("you"), world.agent("Cursor"));
    let (other, version) = clash(&world, "other", "Cursor", "Claude");
    cursor.resolve(keep(&other, version)).unwrap();
    let id = write(&cursor, titled("team", "status", "Status", "It ships")).id;
    use_cases::join(you.call(), id.as_str(), 1, other.as_str(), 3).unwrap();
    let (view, activity) = looks(&world);
    assert_eq!(view.counts.decisions, 0);
    assert!(!view.settled.is_empty());
    for line in &view.settled {
        let unit = line.unit.as_ref().unwrap();
        assert_eq!((&unit.id, unit.retired), (&id, false));
    }
    for row in activity.events.iter().filter(|row| row.unit.is_some()) {
        assert_eq!(row.topic.as_ref().unwrap().as_str(), "other");
    }
    use_cases::erase(you.call(), EraseInput::Unit { id: id.to_string() }).unwrap();
    let (view, _) = looks(&world);
    assert!(view.settled.is_empty());
}
