//! Each table: what is written reads back, and nothing else.

use crate::fixture::*;
use ozbrain_core::ports::{Change, Counts, HttpSession, Narrow, SignIn, Store, Tab};
use ozbrain_core::rules::routing::analyse;
use ozbrain_core::shapes::Freshnesses;
use ozbrain_core::text::{Piece, fingerprint, fold, question_terms};
use ozbrain_core::words::{
    Ages, Base, Client, Confirmed, Content, EventKind, Field, Grant, Granted, Outcome, Side,
    Timestamp,
};
use proptest::prelude::*;

#[test]
fn a_brain_is_listed_by_name_with_what_it_was_made_with() {
    let (_folder, store, team) = team();
    brain(&store, "personal");
    let brains = ask(&store, |records| records.brains());
    let names: Vec<&str> = brains.iter().map(|brain| brain.name.as_str()).collect();
    assert_eq!(names, ["personal", "team"]);
    assert_eq!(brains[1].key, team);
    assert!(brains[1].freshness_rules.is_empty());
}

fn granted(grant: Grant, owner: bool) -> Granted {
    Granted { grant, owner }
}

#[test]
fn connections_keep_keys_and_grants() {
    let (_folder, store, team) = team();
    let mut cursor = connection("Cursor");
    cursor.key_hash = Some([7; 32]);
    apply(
        &store,
        vec![
            Change::PutConnection(connection("cli")),
            Change::PutConnection(cursor.clone()),
            Change::PutGrant {
                connection: cursor.name.clone(),
                brain: team,
                granted: granted(Grant::Write, true),
            },
            Change::PutGrant {
                connection: cursor.name.clone(),
                brain: team,
                granted: granted(Grant::Read, false),
            },
        ],
    )
    .unwrap();
    ask(&store, |records| {
        assert_eq!(records.connection(&cursor.name)?, Some(cursor.clone()));
        assert_eq!(records.connection_with_key(&[7; 32])?, Some(cursor.clone()));
        assert_eq!(records.connection_with_key(&[8; 32])?, None);
        assert_eq!(records.connections()?.len(), 2);
        let grants = records.grants(&cursor.name)?;
        assert_eq!(
            grants.into_iter().collect::<Vec<_>>(),
            [(team, granted(Grant::Read, false))]
        );
        assert!(records.grants(&name("cli"))?.is_empty());
        Ok(())
    });
    apply(
        &store,
        vec![
            Change::PutGrant {
                connection: name("cli"),
                brain: team,
                granted: granted(Grant::None, false),
            },
            Change::DropGrant {
                connection: name("cli"),
                brain: team,
            },
        ],
    )
    .unwrap();
    ask(&store, |records| {
        assert!(records.grants(&name("cli"))?.is_empty());
        assert_eq!(records.grants(&cursor.name)?.len(), 1, "another's stays");
        Ok(())
    });
    cursor.revoked_at = Some(at(9));
    cursor.key_hash = None;
    apply(&store, vec![Change::PutConnection(cursor.clone())]).unwrap();
    ask(&store, |records| {
        assert_eq!(records.connection(&cursor.name)?, Some(cursor.clone()));
        assert_eq!(records.connection_with_key(&[7; 32])?, None);
        assert_eq!(records.grants(&cursor.name)?.len(), 1);
        Ok(())
    });
}

#[test]
fn a_unit_is_found_by_id_only_in_the_given_brains() {
    let (_folder, store, team) = team();
    let other = brain(&store, "other");
    let unit = put(
        &store,
        &unit(id(1), team, content("voice", None, "Plain words.")),
    );
    ask(&store, |records| {
        assert_eq!(records.unit(&[other, team], &unit.id)?, Some(unit.clone()));
        assert_eq!(records.unit(&[other], &unit.id)?, None);
        assert_eq!(records.unit(&[], &unit.id)?, None);
        assert_eq!(records.unit(&[team], &id(2))?, None);
        assert!(records.id_taken(&unit.id)?);
        assert!(!records.id_taken(&id(2))?);
        Ok(())
    });
}

#[test]
fn a_topic_has_room_for_one_untitled_unit_and_one_of_each_folded_title() {
    let (_folder, store, team) = team();
    let whole = put(&store, &unit(id(1), team, content("a/b", None, "one")));
    let titled = put(
        &store,
        &unit(id(2), team, content("a/b", Some("The  Plan"), "two")),
    );
    ask(&store, |records| {
        assert_eq!(records.unit_at(team, &topic("a/b"), None)?, Some(whole));
        let plan = fold("the plan");
        assert_eq!(
            records.unit_at(team, &topic("a/b"), Some(&plan))?,
            Some(titled)
        );
        assert_eq!(records.unit_at(team, &topic("a"), None)?, None);
        Ok(())
    });
    for (number, title) in [(3, None), (4, Some("THE PLAN"))] {
        let twin = unit(id(number), team, content("a/b", title, "three"));
        apply(&store, new_head(&twin, EventKind::Created)).unwrap_err();
        assert_eq!(ask(&store, |records| records.unit(&[team], &twin.id)), None);
    }
}

#[test]
fn a_left_address_leads_to_who_stood_there_last_unless_someone_stands_there() {
    let (_folder, store, team) = team();
    let from = topic("old");
    let mut moved = put(&store, &unit(id(1), team, content("old", None, "one")));
    let leads = |to: &ozbrain_core::words::Unit| Change::LeadsTo {
        brain: team,
        topic: topic("old"),
        title: None,
        unit: to.id.clone(),
    };
    moved.head = revision(2, content("new", None, "one"));
    let mut changes = new_head(&moved, EventKind::Updated);
    changes.push(leads(&moved));
    apply(&store, changes).unwrap();
    let moved = get(&store, &moved);
    assert_eq!(
        ask(&store, |r| r.unit_at(team, &from, None)),
        Some(moved.clone())
    );

    let mut second = put(&store, &unit(id(2), team, content("old", None, "two")));
    assert_eq!(
        ask(&store, |r| r.unit_at(team, &from, None)),
        Some(second.clone())
    );
    second.head = revision(2, content("newer", None, "two"));
    let mut changes = new_head(&second, EventKind::Updated);
    changes.push(leads(&second));
    apply(&store, changes).unwrap();
    assert_eq!(
        ask(&store, |r| r.unit_at(team, &from, None)),
        Some(get(&store, &second))
    );
    assert_eq!(
        ask(&store, |r| r.unit_at(team, &topic("new"), None)),
        Some(moved)
    );
}

#[test]
fn a_conflict_keeps_its_sides_in_order_until_they_go() {
    let (_folder, store, team) = team();
    let first = put(&store, &unit(id(1), team, content("p", None, "delayed")));
    let mut second = first.clone();
    second.head = revision(2, content("p", None, "on track"));
    second.sides = vec![Side {
        revision: first.head.clone(),
        disputed: vec![Field::Body, Field::Tags],
    }];
    second.version = 2;
    let second = put(&store, &second);
    assert!(second.conflicted());
    let mut third = second.clone();
    third.head = revision(3, content("p", None, "dead"));
    third.sides.push(Side {
        revision: second.head.clone(),
        disputed: vec![Field::Body],
    });
    third.version = 3;
    let third = put(&store, &third);
    let sides: Vec<u32> = third
        .sides
        .iter()
        .map(|side| side.revision.number)
        .collect();
    assert_eq!(sides, [1, 2]);
    assert_eq!(third.sides[0].revision, first.head);
    assert_eq!(third.sides[0].disputed, [Field::Body, Field::Tags]);
    let mut settled = third.clone();
    settled.head = revision(4, content("p", None, "delayed"));
    settled.head.parents = vec![1, 2, 3];
    settled.sides.clear();
    let settled = put(&store, &settled);
    assert!(!settled.conflicted());
    assert_eq!(settled.head.parents, [1, 2, 3]);
}

#[test]
fn revisions_and_events_tell_the_story_newest_first() {
    let (_folder, store, team) = team();
    let mut unit = unit(id(1), team, content("p", None, "v1"));
    for number in 1..=5 {
        unit.head = revision(number, content("p", None, &format!("v{number}")));
        put(&store, &unit);
    }
    apply(
        &store,
        vec![
            Change::SameHead(Box::new(unit.clone())),
            Change::Event(event(EventKind::Confirmed, Some(team), Some(&unit))),
        ],
    )
    .unwrap();
    ask(&store, |records| {
        let numbers = |limit| -> Vec<u32> {
            let revisions = records.revisions(&unit.id, limit).unwrap();
            revisions.iter().map(|revision| revision.number).collect()
        };
        assert_eq!(numbers(usize::MAX), [5, 4, 3, 2, 1]);
        assert_eq!(numbers(2), [5, 4]);
        assert_eq!(records.revision_totals(&unit.id)?, (5, 10));
        assert_eq!(records.revision_totals(&id(9))?, (0, 0));
        let third = records.revision(&unit.id, 3)?.unwrap();
        assert_eq!(third.content.body, "v3");
        assert_eq!(records.revision(&unit.id, 6)?, None);
        let events = records.unit_events(&unit.id, 10)?;
        assert_eq!(events.len(), 6);
        assert_eq!(events[0].kind, EventKind::Confirmed);
        assert_eq!(third.event, events[3].id);
        assert_eq!(events[0].id, records.last_event()?);
        let after: Vec<u64> = records
            .events_after(third.event, 2)?
            .iter()
            .map(|event| event.id)
            .collect();
        assert_eq!(after, [third.event + 1, third.event + 2]);
        assert!(records.events_after(records.last_event()?, 10)?.is_empty());
        assert!(records.events_after(u64::MAX, 10)?.is_empty());
        Ok(())
    });
}

#[test]
fn an_empty_store_has_no_event() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    assert_eq!(ask(&store, |records| records.last_event()), 0);
    assert!(ask(&store, |records| records.brains()).is_empty());
}

#[test]
fn the_identity_is_made_once_and_differs_between_stores() {
    let (folder, store, _) = team();
    let identity = ask(&store, |records| records.identity());
    assert_eq!(identity.id.len(), 32);
    drop(store);
    let again = ask(&open(folder.path()), |records| records.identity());
    assert_eq!(identity, again);
    let (_folder, other, _) = team_named("x");
    let other = ask(&other, |records| records.identity());
    assert_ne!(identity.id, other.id);
    assert_ne!(identity.secret, other.secret);
}

fn team_named(
    _: &str,
) -> (
    tempfile::TempDir,
    ozbrain_sqlite::SqliteStore,
    ozbrain_core::words::BrainKey,
) {
    team()
}

#[test]
fn http_sessions_are_kept_for_thirty_days_after_their_last_use() {
    let (_folder, store, _) = team();
    let session = |id: &str, days| HttpSession {
        id: id.into(),
        connection: name("Cursor"),
        began: 3,
        at: at(0).plus_days(days),
        greeting: "{}".into(),
    };
    let get = |id: &str| ask(&store, |records| records.http_session(id));
    apply(&store, vec![Change::PutHttpSession(session("old", 0))]).unwrap();
    apply(&store, vec![Change::PutHttpSession(session("used", 0))]).unwrap();
    apply(&store, vec![Change::PutHttpSession(session("used", 29))]).unwrap();
    assert_eq!(get("old"), Some(session("old", 0)));
    apply(&store, vec![Change::PutHttpSession(session("new", 31))]).unwrap();
    assert_eq!(get("old"), None);
    assert_eq!(get("used"), Some(session("used", 29)));
    apply(&store, vec![Change::DropHttpSession("used".into())]).unwrap();
    assert_eq!(get("used"), None);
    assert_eq!(get("new"), Some(session("new", 31)));
}

#[test]
fn links_and_tabs_are_kept_as_long_as_they_hold() {
    let (_folder, store, _) = team();
    let link = |hash, minutes: i64| SignIn {
        token_hash: [hash; 32],
        at: at(minutes * 60_000),
    };
    let tab = |hash: u8, days| Tab {
        id: hash.to_string(),
        bearer_hash: [hash; 32],
        began: 3,
        created_at: at(0),
        used_at: at(0).plus_days(days),
    };
    let sign_in = |hash| ask(&store, |records| records.sign_in(&[hash; 32]));
    let get = |hash| ask(&store, |records| records.tab(&[hash; 32]));
    apply(&store, vec![Change::PutSignIn(link(1, 0))]).unwrap();
    apply(&store, vec![Change::PutSignIn(link(2, 1))]).unwrap();
    assert_eq!(sign_in(1), Some(link(1, 0)));
    apply(&store, vec![Change::PutSignIn(link(3, 2))]).unwrap();
    assert_eq!(sign_in(1), None);
    assert_eq!(sign_in(2), Some(link(2, 1)));
    apply(&store, vec![Change::DropSignIn([2; 32])]).unwrap();
    assert_eq!(sign_in(2), None);

    apply(&store, vec![Change::PutTab(tab(1, 0))]).unwrap();
    apply(&store, vec![Change::PutTab(tab(2, 0))]).unwrap();
    apply(&store, vec![Change::PutTab(tab(2, 29))]).unwrap();
    assert_eq!(get(1), Some(tab(1, 0)));
    apply(&store, vec![Change::PutTab(tab(3, 31))]).unwrap();
    assert_eq!(get(1), None);
    assert_eq!(get(2), Some(tab(2, 29)));
    apply(&store, vec![Change::DropTab([2; 32])]).unwrap();
    assert_eq!(get(2), None);
    assert_eq!(get(3), Some(tab(3, 31)));
}

#[test]
fn a_fingerprint_finds_unretired_units_of_its_topic_oldest_first() {
    let (_folder, store, team) = team();
    let first = put(
        &store,
        &unit(id(1), team, content("p", Some("a"), "It ships.")),
    );
    let second = put(
        &store,
        &unit(id(2), team, content("p", Some("b"), "it ships")),
    );
    put(&store, &unit(id(3), team, content("q", None, "It ships.")));
    let mut gone = put(&store, &unit(id(4), team, content("p", None, "It ships.")));
    gone.head.number = 2;
    gone.head.retired = true;
    put(&store, &gone);
    let same = |body: &str| {
        ask(&store, |r| {
            r.same_fingerprint(team, &topic("p"), fingerprint(body))
        })
    };
    assert_eq!(same("IT SHIPS"), [first, second]);
    assert!(same("It sinks.").is_empty());
}

/// Five units of a brain: two fresh at 5,000, one aging, one stale, one
/// retired, one retired in conflict.
fn varied(store: &dyn Store, brain: ozbrain_core::words::BrainKey) {
    let make = |number: u64, topic: &str, aging_at, stale_at| {
        let mut unit = unit(id(number), brain, content(topic, None, "the common word"));
        unit.ages = Ages { aging_at, stale_at };
        unit.anchor = at(i64::try_from(number).unwrap());
        unit
    };
    let never = Timestamp::NEVER;
    put(store, &make(1, "clients", at(9_000), at(9_900)));
    put(store, &make(2, "clients/x", never, never));
    put(store, &make(3, "clients-old", at(1_000), at(9_000)));
    put(store, &make(4, "clients/y/z", at(1_000), at(5_000)));
    let mut retired = make(5, "clients/gone", never, never);
    retired.head.retired = true;
    put(store, &retired);
    let mut clash = make(6, "clients/clash", never, never);
    let first = put(store, &clash);
    clash.head.number = 2;
    clash.head.retired = true;
    clash.sides = vec![Side {
        revision: first.head,
        disputed: vec![Field::Body],
    }];
    put(store, &clash);
}

const NOW: i64 = 5_000;

fn freshnesses(fresh: bool, aging: bool, stale: bool) -> Freshnesses {
    Freshnesses {
        fresh,
        aging,
        stale,
    }
}

#[test]
fn counts_and_topics_leave_out_the_retired() {
    let (_folder, store, team) = team();
    let other = brain(&store, "other");
    varied(&store, team);
    ask(&store, |records| {
        assert_eq!(
            records.counts(team, at(NOW))?,
            Counts {
                units: 4,
                fresh: 2,
                aging: 1,
                stale: 1,
                conflicted: 1,
                tokens: 4 * "the common word".len() as u64,
            }
        );
        assert_eq!(records.counts(other, at(NOW))?, Counts::default());
        let names = |prefix: Option<&str>| -> Vec<String> {
            let prefix = prefix.map(topic);
            records
                .topics(&[other, team], prefix.as_ref(), at(NOW))
                .unwrap()
                .into_iter()
                .map(|(brain, topic, _)| {
                    assert_eq!(brain, team);
                    topic.to_string()
                })
                .collect()
        };
        assert_eq!(
            names(None),
            [
                "clients",
                "clients-old",
                "clients/clash",
                "clients/x",
                "clients/y/z"
            ]
        );
        assert_eq!(
            names(Some("clients")),
            ["clients", "clients/clash", "clients/x", "clients/y/z"]
        );
        assert_eq!(names(Some("clients/y")), ["clients/y/z"]);
        let counts = records.topics(&[team], Some(&topic("clients/clash")), at(NOW))?;
        assert_eq!(
            counts[0].2,
            Counts {
                conflicted: 1,
                ..Counts::default()
            }
        );
        Ok(())
    });
}

#[test]
fn listings_and_searches_narrow_alike() {
    let (_folder, store, team) = team();
    let other = brain(&store, "other");
    varied(&store, team);
    put(
        &store,
        &unit(id(7), other, content("clients", None, "the common word")),
    );
    let clients = topic("clients");
    let all = Narrow {
        now: at(NOW),
        ..Narrow::default()
    };
    let within = Narrow {
        topic: Some(&clients),
        ..all
    };
    let cases: Vec<(Narrow<'_>, Vec<u64>)> = vec![
        (all, vec![6, 4, 3, 2, 1]),
        (within, vec![6, 4, 2, 1]),
        (
            Narrow {
                exact: true,
                ..within
            },
            vec![1],
        ),
        (
            Narrow {
                conflicted: true,
                ..all
            },
            vec![6],
        ),
        (
            Narrow {
                conflicted: true,
                ..within
            },
            vec![6],
        ),
        (
            Narrow {
                freshness: freshnesses(true, false, false),
                ..all
            },
            vec![6, 2, 1],
        ),
        (
            Narrow {
                freshness: freshnesses(false, true, false),
                ..all
            },
            vec![3],
        ),
        (
            Narrow {
                freshness: freshnesses(false, false, true),
                ..within
            },
            vec![4],
        ),
        (
            Narrow {
                freshness: freshnesses(true, true, false),
                ..within
            },
            vec![6, 2, 1],
        ),
        (
            Narrow {
                freshness: freshnesses(false, false, false),
                ..all
            },
            vec![],
        ),
    ];
    let terms = question_terms("common word");
    ask(&store, |records| {
        for (narrow, wanted) in cases {
            let wanted: Vec<_> = wanted.into_iter().map(id).collect();
            let listed = records.cards(&[team], narrow, 50)?;
            let listed: Vec<_> = listed.into_iter().map(|card| card.id).collect();
            assert_eq!(listed, wanted, "{narrow:?}");
            let (units, tokens) = records.card_totals(&[team], narrow)?;
            assert_eq!(units as usize, wanted.len(), "{narrow:?}");
            assert_eq!(tokens, 15 * u64::from(units));
            let mut found: Vec<_> = records
                .by_keywords(&[team], &terms, narrow, 50)?
                .into_iter()
                .map(|candidate| candidate.card.id)
                .collect();
            found.sort();
            found.reverse();
            assert_eq!(found, wanted, "{narrow:?}");
        }
        assert_eq!(records.cards(&[team, other], all, 3)?.len(), 3);
        assert_eq!(records.cards(&[team, other], all, 3)?[0].brain, other);
        assert_eq!(records.card_totals(&[team, other], all)?.0, 6);
        assert_eq!(
            records.by_keywords(&[other, team], &terms, all, 50)?.len(),
            6
        );
        assert_eq!(
            records.by_keywords(&[other, team], &terms, all, 2)?.len(),
            2
        );
        assert!(records.by_keywords(&[], &terms, all, 50)?.is_empty());
        Ok(())
    });
}

fn found(store: &dyn Store, brain: ozbrain_core::words::BrainKey, question: &str) -> Vec<u64> {
    let candidates = ask(store, |records| {
        records.by_keywords(&[brain], &question_terms(question), Narrow::default(), 10)
    });
    for pair in candidates.windows(2) {
        assert!(pair[0].keywords >= pair[1].keywords);
    }
    candidates
        .into_iter()
        .map(|candidate| {
            assert!(candidate.keywords > 0.0);
            (0..100)
                .find(|bits| id(*bits) == candidate.card.id)
                .unwrap()
        })
        .collect()
}

#[test]
fn keywords_follow_the_head() {
    let (_folder, store, team) = team();
    put(
        &store,
        &unit(id(2), team, content("noise", None, "nothing of interest")),
    );
    let mut it = put(
        &store,
        &unit(id(1), team, content("p", None, "The walrus sleeps.")),
    );
    assert_eq!(found(&store, team, "walrus"), [1]);
    it.head = revision(2, content("p", Some("Penguins"), "They march."));
    it.head.content.tags = vec!["antarctica".into()];
    let mut it = put(&store, &it);
    assert!(found(&store, team, "walrus").is_empty());
    for word in ["penguin", "antarctica", "marching"] {
        assert_eq!(found(&store, team, word), [1], "{word}");
    }
    it.head.number = 3;
    it.head.retired = true;
    let mut it = put(&store, &it);
    assert!(found(&store, team, "penguin").is_empty());
    it.head.number = 4;
    it.head.retired = false;
    put(&store, &it);
    assert_eq!(found(&store, team, "penguin"), [1]);
}

#[test]
fn a_retired_unit_leaves_routing_when_its_conflict_closes_and_returns_when_it_opens() {
    let (_folder, store, team) = team();
    let mut it = put(&store, &unit(id(1), team, content("p", None, "walrus")));
    let first = it.head.clone();
    it.head.number = 2;
    it.head.retired = true;
    it.sides = vec![Side {
        revision: first,
        disputed: vec![Field::Body],
    }];
    let mut it = put(&store, &it);
    assert_eq!(found(&store, team, "walrus"), [1]);
    let sides = std::mem::take(&mut it.sides);
    apply(&store, vec![Change::SameHead(Box::new(it.clone()))]).unwrap();
    assert!(found(&store, team, "walrus").is_empty());
    it.sides = sides;
    apply(&store, vec![Change::SameHead(Box::new(it.clone()))]).unwrap();
    assert_eq!(found(&store, team, "walrus"), [1]);
}

#[test]
fn words_in_title_and_tags_weigh_more_than_in_the_body() {
    let (_folder, store, team) = team();
    for number in 10..30 {
        put(
            &store,
            &unit(
                id(number),
                team,
                content(&format!("f/{number}"), None, "filler text here"),
            ),
        );
    }
    put(
        &store,
        &unit(id(1), team, content("a", None, "walrus and text")),
    );
    put(
        &store,
        &unit(id(2), team, content("b", Some("walrus"), "and some text")),
    );
    assert_eq!(found(&store, team, "walrus"), [2, 1]);
}

#[test]
fn user_text_is_never_query_syntax() {
    let (_folder, store, team) = team();
    put(
        &store,
        &unit(id(1), team, content("p", None, "a body of words")),
    );
    for terms in [
        vec!["\"".to_string()],
        vec!["a\" OR \"b".into()],
        vec![
            "NEAR(".into(),
            "*".into(),
            "title:".into(),
            "-".into(),
            "^".into(),
        ],
        vec![String::new()],
        vec![],
        vec!["\u{0}".into(), "x".into()],
        (0..3_000).map(|n| format!("word{n}")).collect(),
    ] {
        let found = ask(&store, |r| {
            r.by_keywords(&[team], &terms, Narrow::default(), 5)
        });
        assert!(found.is_empty(), "{terms:?}");
    }
    let mut terms: Vec<String> = (0..3_000).map(|n| format!("word{n}")).collect();
    terms.push("bodi".into());
    let found = ask(&store, |r| {
        r.by_keywords(&[team], &terms, Narrow::default(), 5)
    });
    assert_eq!(found.len(), 1);
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,40}", any::<String>(), "[a-z \"'*:()\\-]{0,30}"]
}

fn any_content() -> impl Strategy<Value = Content> {
    (
        "[a-zé漢/]{1,30}",
        proptest::option::of(any_text()),
        any_text(),
        proptest::collection::btree_set(any_text(), 0..4),
        proptest::option::of(any_text()),
        proptest::option::of(any::<u32>()),
    )
        .prop_filter_map("a topic", |(path, title, body, tags, source, days)| {
            Some(Content {
                topic: ozbrain_core::words::Topic::parse(&path).ok()?,
                title,
                body,
                tags: tags.into_iter().collect(),
                source,
                fresh_for_days: days,
            })
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]
    #[test]
    fn any_unit_reads_back_whole(contents in proptest::collection::vec(any_content(), 1..6),
        times: (i64, i64, i64), numbers: (u32, u32), client in any_text(), known: bool) {
        let (_folder, store, team) = team();
        let mut it = unit(id(1), team, contents[0].clone());
        for (index, content) in contents.iter().enumerate() {
            it.head = revision(u32::try_from(index).unwrap() + 1, content.clone());
            it.head.agent.client = Some(Client { name: client.clone(), version: client.clone() });
            it.head.outcome = Outcome::Resolved;
            it.head.base = known.then_some(Base { revision: numbers.0, delivered_at: at(times.0) });
            it.head.observed_at = known.then_some(at(times.1));
            it.head.whole = known;
            it.head.parents = if known { vec![numbers.0, numbers.1] } else { vec![] };
            it.head.tokens = numbers.1;
            it.anchor = at(times.0);
            it.ages = Ages { aging_at: at(times.1), stale_at: at(times.2) };
            it.confirmed = known.then(|| Confirmed { at: at(times.2), by: it.head.agent.clone() });
            it.measures.pieces = vec![Piece { text: content.body.clone(), tokens: numbers.0 }];
            it.version = numbers.0;
            let stored = put(&store, &it);
            it.head.event = stored.head.event;
            prop_assert!(it.head.event > 0);
            prop_assert_eq!(&stored, &it);
            let folded = content.title.as_deref().map(fold);
            let found = ask(&store, |r| r.unit_at(team, &content.topic, folded.as_deref()));
            prop_assert_eq!(found.as_ref(), Some(&it));
            let card = ask(&store, |r| r.cards(&[team], Narrow::default(), 1)).remove(0);
            prop_assert_eq!(&card.title, &content.title);
            prop_assert_eq!(&card.pieces, &it.measures.pieces);
            let terms = analyse(content);
            for term in terms.title.iter().chain(&terms.body).chain(&terms.tags).take(40) {
                let found = ask(&store, |r| {
                    r.by_keywords(&[team], std::slice::from_ref(term), Narrow::default(), 1)
                });
                prop_assert_eq!(found.len(), 1, "{}", term);
            }
        }
        let all = ask(&store, |r| r.revisions(&it.id, 100));
        let bodies: Vec<&str> = all.iter().rev().map(|it| it.content.body.as_str()).collect();
        let written: Vec<&str> = contents.iter().map(|it| it.body.as_str()).collect();
        prop_assert_eq!(bodies, written);
    }
}
