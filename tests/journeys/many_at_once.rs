//! Four agents, four processes, one data folder, at the same moment.

use std::collections::BTreeMap;
use std::sync::{Arc, Barrier};
use std::thread;

use ozbrain_tests::{Agent, Home};
use serde_json::{Value, json};

const AGENTS: usize = 4;
const UNITS: usize = 100;

fn agents(home: &Home) -> Vec<Agent> {
    (0..AGENTS)
        .map(|agent| home.agent(&format!("agent-{agent}")))
        .collect()
}

/// Runs the same work for each agent, all beginning together.
fn together<T: Send + 'static>(
    agents: Vec<Agent>,
    work: impl Fn(usize, &mut Agent) -> T + Send + Sync + 'static,
) -> Vec<(Agent, T)> {
    let start = Arc::new(Barrier::new(agents.len()));
    let work = Arc::new(work);
    let threads: Vec<_> = agents
        .into_iter()
        .enumerate()
        .map(|(number, mut agent)| {
            let (start, work) = (Arc::clone(&start), Arc::clone(&work));
            thread::spawn(move || {
                start.wait();
                let result = work(number, &mut agent);
                (agent, result)
            })
        })
        .collect();
    threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .collect()
}

#[test]
fn four_processes_write_a_hundred_units_each_and_none_is_lost() {
    let home = Home::with_team();
    let done = together(agents(&home), |number, agent| {
        for unit in 0..UNITS {
            let written = agent.call(
                "write",
                json!({
                    "brain": "team",
                    "topic": format!("load/agent-{number}"),
                    "title": format!("Unit {unit}"),
                    "body": format!("Agent {number} found fact {unit} in the archive."),
                }),
            );
            assert_eq!(written["outcome"], "created");
        }
    });

    let (mut agent, ()) = done.into_iter().next().unwrap();
    let brains = agent.call("brains", json!({}));
    let team = brains["brains"]
        .as_array()
        .unwrap()
        .iter()
        .find(|b| b["brain"] == "team")
        .unwrap();
    assert_eq!(team["units"], AGENTS * UNITS);
    assert_eq!(team["conflicted"], 0);
    let topics = agent.call("topics", json!({ "brain": "team", "prefix": "load" }));
    let counts: Vec<_> = topics["topics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| &t["units"])
        .collect();
    assert_eq!(counts, vec![&json!(UNITS); AGENTS]);
    for number in 0..AGENTS {
        let id = format!("team:load/agent-{number}#Unit {}", UNITS - 1);
        let text = format!("Agent {number} found fact {} in the archive.", UNITS - 1);
        assert_eq!(
            agent.call("fetch", json!({ "id": id }))["text"],
            text.as_str()
        );
        let asked = json!({ "query": format!("fact {number} archive"), "topic": format!("load/agent-{number}") });
        assert!(
            !agent.call("search", asked)["results"]
                .as_array()
                .unwrap()
                .is_empty()
        );
    }
}

#[test]
fn four_processes_write_one_address_and_every_side_is_kept() {
    let home = Home::with_team();
    for round in 0..5 {
        let topic = format!("race/round-{round}");
        let at = topic.clone();
        let done = together(agents(&home), move |number, agent| {
            let body = format!("Agent {number} says the answer is {number}");
            agent.call(
                "write",
                json!({ "brain": "team", "topic": at, "body": body }),
            )
        });

        let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
        for (_, reply) in &done {
            *outcomes
                .entry(reply["outcome"].as_str().unwrap().to_owned())
                .or_default() += 1;
        }
        let expected = [
            ("conflicted".to_owned(), AGENTS - 1),
            ("created".to_owned(), 1),
        ];
        assert_eq!(outcomes, BTreeMap::from(expected));

        let (mut agent, reply) = done.into_iter().next().unwrap();
        let unit = agent.call("fetch", json!({ "id": reply["id"] }));
        assert_eq!(unit["metadata"]["revision"], AGENTS);
        assert_eq!(unit["metadata"]["conflicted"], true);
        let sides = unit["metadata"]["conflict"]["sides"].as_array().unwrap();
        assert_eq!(sides.len(), AGENTS - 1);
        let mut texts: Vec<&str> = sides
            .iter()
            .map(|side| side["text"].as_str().unwrap())
            .collect();
        texts.push(unit["text"].as_str().unwrap());
        texts.sort_unstable();
        let written: Vec<_> = (0..AGENTS)
            .map(|n| format!("Agent {n} says the answer is {n}"))
            .collect();
        assert_eq!(
            texts, written,
            "every text that was written is the head or a side"
        );
        let mut numbers: Vec<_> = sides
            .iter()
            .filter_map(|side| side["revision"].as_u64())
            .collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [1, 2, 3]);
    }
}

#[test]
fn a_brain_made_twice_at_once_is_made_once() {
    let home = Home::new();
    let threads: Vec<_> = (0..AGENTS)
        .map(|_| {
            let mut command = home.command();
            command.args(["brain", "create", "team", "--shared"]);
            thread::spawn(move || ozbrain_tests::Ran::of(command))
        })
        .collect();
    let codes: Vec<_> = threads
        .into_iter()
        .map(|thread| thread.join().unwrap().code)
        .collect();
    assert_eq!(
        codes.iter().filter(|code| **code == Some(0)).count(),
        1,
        "{codes:?}"
    );
    assert_eq!(
        codes.iter().filter(|code| **code == Some(1)).count(),
        AGENTS - 1,
        "{codes:?}"
    );
    let list = home.run(&["brain", "list", "--json"]).json();
    let names: Vec<&Value> = list["brains"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| &b["brain"])
        .collect();
    assert_eq!(names.len(), 2, "{list}");
}
