//! What a tool is told wrongly: refused with the contract's code, named, and
//! nothing stored.

use ozbrain_tests::{Agent, Home};
use serde_json::{Value, json};

fn agent() -> (Home, Agent) {
    let home = Home::with_team();
    let agent = home.agent("agent");
    (home, agent)
}

#[track_caller]
fn refuses(agent: &mut Agent, tool: &str, args: Value, code: &str, named: &str) {
    let refusal = agent.refusal(tool, args.clone());
    let short: String = args.to_string().chars().take(200).collect();
    assert_eq!(refusal.code, code, "{tool} {short}: {}", refusal.message);
    assert!(
        refusal.text.contains(named),
        "{tool} {short} names {named}: {}",
        refusal.text
    );
}

fn units(agent: &mut Agent) -> u64 {
    let brains = agent.call("brains", json!({}));
    brains["brains"]
        .as_array()
        .unwrap()
        .iter()
        .map(|brain| brain["units"].as_u64().unwrap())
        .sum()
}

#[test]
fn an_unknown_brain_or_unit_is_named() {
    let (_home, mut agent) = agent();
    let agent = &mut agent;
    let nobody = "0123456789AB";
    refuses(
        agent,
        "write",
        json!({ "brain": "nope", "topic": "a", "body": "b" }),
        "unknown_brain",
        "nope",
    );
    refuses(
        agent,
        "topics",
        json!({ "brain": "nope" }),
        "unknown_brain",
        "nope",
    );
    refuses(
        agent,
        "search",
        json!({ "brain": "nope", "query": "x" }),
        "unknown_brain",
        "nope",
    );
    refuses(
        agent,
        "brief",
        json!({ "brain": "nope", "query": "x" }),
        "unknown_brain",
        "nope",
    );
    refuses(
        agent,
        "fetch",
        json!({ "id": nobody }),
        "unknown_unit",
        nobody,
    );
    refuses(
        agent,
        "fetch",
        json!({ "id": "team:no/such" }),
        "unknown_unit",
        "no/such",
    );
    refuses(
        agent,
        "fetch",
        json!({ "id": "nope:no/such" }),
        "unknown_brain",
        "nope",
    );
    refuses(
        agent,
        "history",
        json!({ "id": nobody }),
        "unknown_unit",
        nobody,
    );
    refuses(
        agent,
        "confirm",
        json!({ "id": nobody }),
        "unknown_unit",
        nobody,
    );
    refuses(
        agent,
        "retire",
        json!({ "id": nobody }),
        "unknown_unit",
        nobody,
    );
    let settle = json!({ "id": nobody, "version": 1, "choice": "keep_head", "decision": "d" });
    refuses(agent, "resolve", settle, "unknown_unit", nobody);
    let elsewhere = agent.call(
        "write",
        json!({ "brain": "personal", "topic": "mine", "body": "b" }),
    );
    let moved = json!({ "brain": "team", "id": elsewhere["id"], "body": "c" });
    refuses(
        agent,
        "write",
        moved,
        "unknown_unit",
        elsewhere["id"].as_str().unwrap(),
    );
    assert_eq!(units(agent), 1);
}

#[test]
fn missing_and_mistaken_arguments_are_named() {
    let (_home, mut agent) = agent();
    let agent = &mut agent;
    let cases = [
        ("fetch", json!({}), "id"),
        ("fetch", json!({ "id": 7 }), "id"),
        ("fetch", json!({ "id": null }), "id"),
        ("fetch", json!({ "id": "" }), "id"),
        ("history", json!({}), "id"),
        ("confirm", json!({}), "id"),
        ("retire", json!({}), "id"),
        ("write", json!({ "topic": "a", "body": "b" }), "brain"),
        ("write", json!({ "brain": "team", "body": "b" }), "topic"),
        ("write", json!({ "brain": "team", "topic": "a" }), "body"),
        (
            "write",
            json!({ "brain": "team", "topic": "", "body": "b" }),
            "topic",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": " / / ", "body": "b" }),
            "topic",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "" }),
            "body",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "  \n " }),
            "body",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "b", "append": "c" }),
            "append",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": ["b"] }),
            "body",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "b", "tags": "c" }),
            "tags",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "b", "observed_at": "yesterday" }),
            "observed_at",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "b", "fresh_for_days": 0 }),
            "fresh_for_days",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "b", "fresh_for_days": 3651 }),
            "fresh_for_days",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "b", "fresh_for_days": 1.5 }),
            "fresh_for_days",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "b", "base_revision": 1 }),
            "base_revision",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "body": "b", "base_revision": -1 }),
            "base_revision",
        ),
        (
            "write",
            json!({ "brain": "team", "topic": "a", "append": "no unit here yet" , "base_revision": 3 }),
            "base_revision",
        ),
        ("search", json!({}), "query"),
        ("search", json!({ "query": "" }), "query"),
        ("search", json!({ "query": "x", "limit": 0 }), "limit"),
        ("search", json!({ "query": "x", "limit": 51 }), "limit"),
        ("search", json!({ "query": "x", "limit": "ten" }), "limit"),
        ("search", json!({ "query": "x", "budget": -5 }), "budget"),
        (
            "search",
            json!({ "query": "x", "freshness": "crisp" }),
            "freshness",
        ),
        ("search", json!({ "needs": "love" }), "needs"),
        ("brief", json!({}), "query"),
        ("topics", json!({ "depth": 0 }), "depth"),
        ("topics", json!({ "brain": 5 }), "brain"),
        ("history", json!({ "id": "team:a", "limit": 0 }), "limit"),
        (
            "confirm",
            json!({ "id": "team:a", "verdict": "maybe" }),
            "verdict",
        ),
        ("resolve", json!({ "id": "team:a" }), "version"),
        (
            "resolve",
            json!({ "id": "team:a", "version": 1, "choice": "coin", "decision": "d" }),
            "choice",
        ),
    ];
    for (tool, args, named) in cases {
        refuses(agent, tool, args, "invalid", named);
    }
    assert_eq!(units(agent), 0, "nothing was stored");
}

#[test]
fn more_than_the_limits_is_too_large_and_the_limits_themselves_fit() {
    let (_home, mut agent) = agent();
    let agent = &mut agent;
    let write = |more: Value| {
        let mut args = json!({ "brain": "team", "topic": "limits" });
        args.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        args
    };
    let segments = |count: usize| vec!["s"; count].join("/");
    let tags = |count: usize| {
        (0..count)
            .map(|tag| format!("tag-{tag}"))
            .collect::<Vec<_>>()
    };
    let fits = [
        write(json!({ "title": "t".repeat(200), "body": "title" })),
        write(json!({ "topic": "t".repeat(200), "body": "topic" })),
        write(json!({ "topic": segments(8), "body": "segments" })),
        write(json!({ "title": "tags", "body": "tags", "tags": tags(32) })),
        write(json!({ "title": "body", "body": "word ".repeat(256 * 1024 / 5) })),
    ];
    for args in fits {
        assert_eq!(agent.call("write", args)["outcome"], "created");
    }
    let stored = units(agent);
    assert_eq!(stored, 5);
    let over = [
        (
            write(json!({ "title": "t".repeat(201), "body": "b" })),
            "title",
        ),
        (
            write(json!({ "topic": "t".repeat(201), "body": "b" })),
            "topic",
        ),
        (write(json!({ "topic": segments(9), "body": "b" })), "topic"),
        (
            write(json!({ "title": "x", "body": "b", "tags": tags(33) })),
            "tags",
        ),
        (
            write(json!({ "title": "x", "body": "b".repeat(256 * 1024 + 1) })),
            "body",
        ),
        (
            write(json!({ "title": "x", "body": "é".repeat(128 * 1024 + 1) })),
            "body",
        ),
        (
            write(json!({ "title": "body", "append": "One word more than there is room for" })),
            "body",
        ),
    ];
    for (args, named) in over {
        refuses(agent, "write", args, "too_large", named);
    }
    assert_eq!(units(agent), stored, "nothing was stored");
    let kept = agent.call("fetch", json!({ "id": "team:limits#body" }));
    assert_eq!(kept["metadata"]["revision"], 1);
}

#[test]
fn control_characters_and_strange_text_neither_break_nor_vanish() {
    let (home, mut agent) = agent();
    let agent = &mut agent;
    let bodies = [
        "tab\tand\u{1b}[31mescape\u{7}",
        "null\u{0}inside",
        "\u{202e}right to left\u{202c} and \u{200b}zero width",
        "surrogates 😀 combining e\u{301} \u{1f469}\u{200d}\u{1f4bb}",
        "</script><b>${7*7}</b> {{x}} %s %n `rm -rf`",
    ];
    for (number, body) in bodies.into_iter().enumerate() {
        let topic = format!("strange/{number}");
        let args = json!({ "brain": "team", "topic": topic, "body": body });
        let result = agent.request("tools/call", json!({ "name": "write", "arguments": args }));
        let id = format!("team:{topic}");
        if result["isError"] == true {
            // Refusing is right too, where it says so and stores nothing.
            assert_eq!(result["structuredContent"]["code"], "invalid", "{result}");
            agent.refusal("fetch", json!({ "id": id }));
            continue;
        }
        let text = agent.call("fetch", json!({ "id": id }))["text"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(
            text.replace("e\u{301}", "é"),
            body.replace("e\u{301}", "é"),
            "stored as it came"
        );
        // On a person's terminal no stored byte may act as a command.
        let shown = home.run(&["fetch", &id]).ok().stdout;
        assert!(
            !shown.contains('\u{1b}') && !shown.contains('\u{7}'),
            "{shown:?}"
        );
    }
    for topic in ["a\u{0}b", "a\nb", "a\u{1b}[2Jb"] {
        let args = json!({ "brain": "team", "topic": topic, "body": "b" });
        refuses(agent, "write", args, "invalid", "topic");
    }
    for title in ["a\u{0}b", "a\nb"] {
        let args = json!({ "brain": "team", "topic": "t", "title": title, "body": "b" });
        refuses(agent, "write", args, "invalid", "title");
    }
    for query in ["\u{0}", "\u{1b}[31m", "😀", "\u{202e}", "é"] {
        agent.call("search", json!({ "query": format!("{query} words") }));
    }
}

#[test]
fn a_lone_surrogate_ends_nothing() {
    let (_home, mut agent) = agent();
    agent.send(
        b"{\"jsonrpc\":\"2.0\",\"id\":800,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"query\":\"\\ud800\"}}}\n",
    );
    agent.call("brains", json!({}));
}
