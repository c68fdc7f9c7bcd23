//! A process that dies in the middle of a write loses nothing that it promised.

use std::sync::mpsc;
use std::thread;

use ozbrain_tests::Home;
use serde_json::json;

#[test]
fn what_was_acknowledged_survives_kill_minus_nine() {
    let home = Home::with_team();
    let mut acknowledged = 0;
    for round in 0..5 {
        let mut writer = home.agent("writer");
        let victim = writer.id();
        let (told, tellings) = mpsc::channel();
        let writing = thread::spawn(move || {
            let mut unit = 0;
            loop {
                let request = json!({
                    "jsonrpc": "2.0", "id": 1_000 + unit, "method": "tools/call",
                    "params": { "name": "write", "arguments": {
                        "brain": "team",
                        "topic": format!("crash/round-{round}"),
                        "title": format!("Unit {unit}"),
                        "body": format!("Round {round} wrote unit {unit} before the lights went out"),
                    } },
                });
                writer.send(format!("{request}\n").as_bytes());
                let reply = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    // Notices that a new topic makes may come in between.
                    loop {
                        let message = writer.receive();
                        if message.get("method").is_none() {
                            return message;
                        }
                    }
                }));
                let Ok(reply) = reply else { return unit };
                assert_eq!(
                    reply["result"]["structuredContent"]["outcome"], "created",
                    "{reply}"
                );
                unit += 1;
                // Nobody listens once the blow has fallen.
                let _ = told.send(unit);
            }
        });
        // The blow falls while the next write is under way.
        let enough = 7 + 5 * round;
        while tellings.recv().unwrap() < enough {}
        drop(tellings);
        kill(victim);
        // Standard input may break before the answer is missed: both end the thread.
        let survived = writing.join().unwrap_or(enough).max(enough);

        let mut reader = home.agent("reader");
        for unit in 0..survived {
            let id = format!("team:crash/round-{round}#Unit {unit}");
            let text = format!("Round {round} wrote unit {unit} before the lights went out");
            assert_eq!(
                reader.call("fetch", json!({ "id": id }))["text"],
                text.as_str()
            );
        }
        acknowledged += survived;
    }

    let mut reader = home.agent("reader");
    let brains = reader.call("brains", json!({}));
    let team = brains["brains"]
        .as_array()
        .unwrap()
        .iter()
        .find(|b| b["brain"] == "team")
        .unwrap();
    let units = team["units"].as_i64().unwrap();
    // A write whose answer never came may have been stored: one a round at most.
    let acknowledged = i64::from(acknowledged);
    assert!(
        (acknowledged..=acknowledged + 5).contains(&units),
        "{units} of {acknowledged}"
    );
    // What is stored can also be found: the keyword index is of the same moment.
    for round in 0..5 {
        let asked = json!({ "query": "lights went out", "topic": format!("crash/round-{round}"), "limit": 50, "budget": 20_000 });
        let results = &reader.call("search", asked)["results"];
        // A topic boosts; what it names comes first, and others may follow.
        let found = results
            .as_array()
            .unwrap()
            .iter()
            .filter(|pointer| pointer["topic"] == format!("crash/round-{round}"))
            .count();
        let asked = json!({ "brain": "team", "prefix": format!("crash/round-{round}") });
        let topics = reader.call("topics", asked);
        // A fast round writes more than one search names.
        let stored = topics["topics"][0]["units"].as_u64().unwrap();
        assert_eq!(stored.min(50), found as u64);
    }
    home.run(&["doctor"]).ok();
}

fn kill(process: u32) {
    let done = std::process::Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
    assert!(done.unwrap().success());
}

#[test]
fn a_client_that_goes_away_ends_its_process() {
    let home = Home::with_team();
    let mut agent = home.agent("leaver");
    agent.call(
        "write",
        json!({ "brain": "team", "topic": "desk", "body": "Desk 4" }),
    );
    assert!(agent.close().success());
    let mut next = home.agent("leaver");
    assert_eq!(
        next.call("fetch", json!({ "id": "team:desk" }))["text"],
        "Desk 4"
    );
}
