//! Searching, briefing, access: through the use cases, on a real store.

use ozbrain_core::Code;
use ozbrain_core::shapes::{
    BrainsInput, BriefInput, FreshnessFilter, Need, SearchInput, TopicsInput, WriteInput,
};
use ozbrain_core::text::count;
use ozbrain_core::use_cases;
use ozbrain_core::words::{BrainKind, Freshness, Grant, WritePolicy};
use ozbrain_testkit::{Actor, World, titled};
use proptest::prelude::*;

#[test]
fn a_topic_boosts_a_question_and_alone_selects() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    cursor
        .write("clients/meridian", "Renewal is due in May")
        .unwrap();
    cursor
        .write("clients/acme", "Renewal is due in June")
        .unwrap();
    cursor.write("voice", "Short sentences").unwrap();
    let asked = |query: Option<&str>, topic: Option<&str>| {
        cursor
            .search_with(SearchInput {
                query: query.map(Into::into),
                topic: topic.map(Into::into),
                ..SearchInput::default()
            })
            .unwrap()
    };
    let topics = |reply: &ozbrain_core::shapes::SearchReply| {
        reply
            .results
            .iter()
            .map(|pointer| pointer.topic.clone())
            .collect::<Vec<_>>()
    };
    let both = asked(Some("when is the renewal due?"), Some("clients/acme"));
    assert_eq!(topics(&both), ["clients/acme", "clients/meridian"]);
    assert_eq!(topics(&asked(None, Some("clients/acme"))), ["clients/acme"]);
    assert_eq!(asked(None, Some("clients")).results.len(), 2);
    let nobody = asked(None, Some("client/meridien"));
    assert!(nobody.results.is_empty());
    assert_eq!(
        nobody.nearest_topics.unwrap()[0].topic.as_str(),
        "clients/meridian"
    );
    let refused = cursor.search_with(SearchInput::default()).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
}

#[test]
fn a_question_is_data_and_never_query_syntax() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    cursor
        .write(
            "a",
            "The don't-panic rule: state-of-the-art NEAR misses AND 50% OR so",
        )
        .unwrap();
    for query in [
        "don't-panic",
        "\"don't panic\"",
        "state-of-the-art",
        "NEAR(misses)",
        "misses AND",
        "body:misses",
        "misses*",
        "(misses",
        "misses OR OR",
        "-misses",
        "50%",
        "NOT misses",
        "'); DROP TABLE units; -- misses",
        "{misses}",
        "misses^2",
        "rule\u{0}misses",
    ] {
        let reply = cursor.search(query).unwrap();
        assert_eq!(reply.results.len(), 1, "{query}");
    }
    assert!(cursor.search("***").unwrap().results.is_empty());
    assert_eq!(
        cursor.search("the and so").unwrap().results.len(),
        1,
        "filler alone still finds"
    );
}

#[test]
fn other_scripts_and_spellings_are_found() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    cursor.write("a", "会議は東京で開かれる").unwrap();
    cursor
        .write("b", "Das Cafe\u{301} Zo\u{eb} in der Stra\u{df}e")
        .unwrap();
    cursor.write("c", "Version 1.5 of userAccountId").unwrap();
    for (query, topic) in [
        ("東京", "a"),
        ("caf\u{e9}", "b"),
        ("CAFE", "b"),
        ("ZOE", "b"),
        ("strasse", "b"),
        ("1.5", "c"),
        ("account", "c"),
        ("useraccountid", "c"),
    ] {
        let reply = cursor.search(query).unwrap();
        assert_eq!(
            reply.results.first().map(|p| p.topic.as_str()),
            Some(topic),
            "{query}"
        );
    }
    assert!(cursor.search("15").unwrap().results.is_empty());
}

#[test]
fn needs_and_freshness_narrow_a_search() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    let aged = |topic: &str, at: &str| {
        cursor
            .write_with(WriteInput {
                topic: Some(topic.into()),
                body: Some(format!("The fact of {topic}")),
                observed_at: Some(at.into()),
                ..WriteInput::default()
            })
            .unwrap();
    };
    aged("old", "2026-01-01T00:00:00Z");
    aged("older", "2026-11-05T00:00:00Z");
    aged("new", "2026-11-29T00:00:00Z");
    cursor.write("clash", "The fact of one").unwrap();
    claude.write("clash", "The fact of two").unwrap();
    let found = |input: SearchInput| {
        let mut topics: Vec<_> = cursor
            .search_with(input)
            .unwrap()
            .results
            .into_iter()
            .map(|p| p.topic)
            .collect();
        topics.sort();
        topics
    };
    let need = |needs| SearchInput {
        needs: Some(needs),
        ..SearchInput::default()
    };
    assert_eq!(found(need(Need::Conflicted)), ["clash"]);
    assert_eq!(found(need(Need::Aging)), ["older"]);
    assert_eq!(found(need(Need::Stale)), ["old"]);
    let fact = |freshness| SearchInput {
        query: Some("fact".into()),
        freshness: Some(freshness),
        ..SearchInput::default()
    };
    assert_eq!(found(fact(FreshnessFilter::Any)).len(), 4);
    assert_eq!(
        found(fact(FreshnessFilter::NotStale)),
        ["clash", "new", "older"]
    );
    assert_eq!(found(fact(FreshnessFilter::Fresh)), ["clash", "new"]);
    let first = &cursor.search("fact").unwrap().results;
    assert_eq!(first.last().unwrap().freshness, Freshness::Stale);

    let brains = use_cases::brains(cursor.call(), BrainsInput::default())
        .unwrap()
        .brains;
    let team = brains
        .iter()
        .find(|row| row.brain.as_str() == "team")
        .unwrap();
    assert_eq!(
        (team.units, team.aging, team.stale, team.conflicted),
        (4, 1, 1, 1)
    );
}

#[test]
fn what_may_not_be_read_is_nowhere() {
    let world = World::new();
    let (cli, agent) = (world.agent("cli"), world.agent("Cursor"));
    use_cases::create_brain(
        cli.call(),
        "secret",
        None,
        BrainKind::Shared,
        WritePolicy::Open,
    )
    .unwrap();
    let unit = cli
        .write_with(WriteInput {
            brain: "secret".into(),
            ..titled("hidden/place", "T", "Treasure")
        })
        .unwrap();
    assert_eq!(
        agent.search("treasure").unwrap().results.len(),
        1,
        "open by default"
    );
    use_cases::grant(cli.call(), "secret", "Cursor", Grant::None, None).unwrap();

    assert!(agent.search("treasure").unwrap().results.is_empty());
    let by_topic = SearchInput {
        topic: Some("hidden/plac".into()),
        ..SearchInput::default()
    };
    let nearest = agent.search_with(by_topic).unwrap().nearest_topics;
    assert_eq!(nearest.unwrap_or_default(), []);
    let named = SearchInput {
        query: Some("treasure".into()),
        brain: Some("secret".into()),
        ..SearchInput::default()
    };
    let hidden = agent.search_with(named.clone()).unwrap_err();
    let missing = agent
        .search_with(SearchInput {
            brain: Some("secrex".into()),
            ..named
        })
        .unwrap_err();
    assert_eq!(hidden.code, Code::UnknownBrain);
    assert_eq!(hidden.message.replace("secret", "secrex"), missing.message);
    for address in [
        unit.id.as_str(),
        "secret:hidden/place#T",
        "secret:hidden/place",
    ] {
        // Word for word what is said of a brain or a unit that never was.
        let absent = match address.strip_prefix("secret") {
            Some(rest) => format!("absent{rest}"),
            None => "000000000000".into(),
        };
        let told = |refusal: ozbrain_core::Refusal| {
            let message = refusal.message.replace("absent", "secret");
            (refusal.code, message.replace("000000000000", address))
        };
        for ask in [
            |agent: &Actor<'_>, address: &str| agent.fetch(address).err(),
            |agent: &Actor<'_>, address: &str| agent.history(address).err(),
            |agent: &Actor<'_>, address: &str| agent.retire(address, None).err(),
        ] {
            assert_eq!(
                told(ask(&agent, address).unwrap()),
                told(ask(&agent, &absent).unwrap()),
                "{address}"
            );
        }
    }
    let write = WriteInput {
        brain: "secret".into(),
        ..titled("x", "y", "z")
    };
    assert_eq!(
        agent.write_with(write).unwrap_err().code,
        Code::UnknownBrain
    );
    let topics = use_cases::topics(agent.call(), TopicsInput::default()).unwrap();
    assert!(topics.topics.is_empty());
    let brains = use_cases::brains(agent.call(), BrainsInput::default())
        .unwrap()
        .brains;
    assert!(brains.iter().all(|row| row.brain.as_str() != "secret"));
    let (changes, _) = use_cases::changes_after(agent.call(), 0).unwrap();
    assert!(changes.iter().all(|row| row.unit.is_none()));

    use_cases::grant(cli.call(), "secret", "Cursor", Grant::Read, None).unwrap();
    assert!(agent.fetch(unit.id.as_str()).is_ok());
    let write = WriteInput {
        brain: "secret".into(),
        ..titled("x", "y", "z")
    };
    assert_eq!(agent.write_with(write).unwrap_err().code, Code::NotAllowed);
}

#[test]
fn a_revoke_works_at_once_and_the_name_stays_revoked() {
    let world = World::new();
    let agent = world.agent("Cursor");
    use_cases::revoke_connection(world.agent("cli").call(), "Cursor").unwrap();
    assert_eq!(agent.write("a", "b").unwrap_err().code, Code::NotAllowed);
    assert_eq!(agent.search("b").unwrap_err().code, Code::NotAllowed);
    let met = use_cases::meet(world.store(), &agent.session.agent, world.now());
    assert_eq!(met.unwrap_err().code, Code::NotAllowed);
    let made = use_cases::create_connection(world.agent("cli").call(), "Cursor", [1; 32]);
    assert_eq!(made.unwrap_err().code, Code::NotAllowed);
}

#[test]
fn the_command_line_cannot_lock_itself_out() {
    let world = World::new();
    let cli = world.agent("cli");
    let refused = use_cases::revoke_connection(cli.call(), "cli").unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    let refused = use_cases::create_connection(cli.call(), "cli", [1; 32]).unwrap_err();
    assert_eq!(
        refused.code,
        Code::Invalid,
        "nor does an agent get its name"
    );
    assert!(cli.write("a", "b").is_ok());
}

#[test]
fn topics_are_folded_to_a_depth() {
    let world = World::new();
    let cursor = world.agent("Cursor");
    for topic in ["a/b/c", "a/b/d", "a/e", "f"] {
        cursor.write(topic, topic).unwrap();
    }
    let rows = |prefix: Option<&str>, depth| {
        let input = TopicsInput {
            brain: None,
            prefix: prefix.map(Into::into),
            depth,
        };
        use_cases::topics(cursor.call(), input)
            .unwrap()
            .topics
            .into_iter()
            .map(|row| (row.topic.to_string(), row.units))
            .collect::<Vec<_>>()
    };
    let own = |rows: &[(&str, u32)]| {
        rows.iter()
            .map(|(topic, units)| (topic.to_string(), *units))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        rows(None, None),
        own(&[("a/b/c", 1), ("a/b/d", 1), ("a/e", 1), ("f", 1)])
    );
    assert_eq!(rows(None, Some(1)), own(&[("a", 3), ("f", 1)]));
    assert_eq!(rows(Some("a"), Some(1)), own(&[("a/b", 2), ("a/e", 1)]));
}

#[test]
fn a_brief_gives_whole_units_and_they_count_as_read() {
    let world = World::new();
    let (cursor, claude) = (world.agent("Cursor"), world.agent("Claude"));
    cursor
        .write_with(titled("clients/meridian", "Contact", "Ana decides"))
        .unwrap();
    cursor
        .write_with(titled(
            "clients/meridian",
            "History",
            &"A long story. ".repeat(300),
        ))
        .unwrap();
    let input = BriefInput {
        topic: Some("clients/meridian".into()),
        ..BriefInput::default()
    };
    let brief = claude
        .brief(BriefInput {
            budget: Some(400),
            ..input.clone()
        })
        .unwrap();
    assert_eq!(brief.units.len(), 1);
    assert_eq!(brief.units[0].text, "Ana decides");
    assert_eq!(
        brief.pointers.len(),
        1,
        "a unit that does not fit stays as a pointer"
    );
    let seen = claude
        .write_with(titled("clients/meridian", "Contact", "Bo decides"))
        .unwrap();
    assert_eq!(
        seen.outcome.to_owned(),
        ozbrain_core::shapes::WriteOutcome::Updated
    );
    let whole = claude
        .brief(BriefInput {
            budget: Some(5000),
            ..input
        })
        .unwrap();
    assert_eq!((whole.units.len(), whole.pointers.len()), (2, 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn no_reply_costs_more_than_its_budget(
        bodies in proptest::collection::vec("[a-z]{1,8}( [a-z\\PC]{1,12}){0,60}", 1..14),
        budget in 120u32..1200,
    ) {
        let world = World::new();
        let cursor = world.agent("Cursor");
        for (at, body) in bodies.iter().enumerate() {
            let input = titled(&format!("things/of-{}", at % 3), &format!("Thing {at}"), &format!("common {body}"));
            prop_assume!(cursor.write_with(input).is_ok());
        }
        for query in [Some("common".to_owned()), bodies.first().cloned()] {
            for topic in [None, Some("things".to_owned()), Some("thing/of".to_owned())] {
                let search = cursor.search_with(SearchInput {
                    query: query.clone(),
                    topic: topic.clone(),
                    budget: Some(budget),
                    limit: Some(50),
                    ..SearchInput::default()
                }).unwrap();
                let text = serde_json::to_string(&search).unwrap();
                prop_assert!(count(&text) <= budget, "{} > {budget}: {text}", count(&text));
                prop_assert!(!search.results.is_empty());
                let known = search.results.len() as u32 + search.left_out.count;
                prop_assert!(known as usize <= bodies.len());
                let brief = cursor.brief(BriefInput {
                    query: query.clone(), topic, budget: Some(budget), ..BriefInput::default()
                }).unwrap();
                let text = serde_json::to_string(&brief).unwrap();
                prop_assert!(count(&text) <= budget, "{} > {budget}: {text}", count(&text));
            }
        }
    }
}
