//! What comes over stdio and is no good message: the process lives on.

use ozbrain_tests::{Agent, Home};
use serde_json::json;

fn still_answers(agent: &mut Agent) {
    let unit = agent.call("fetch", json!({ "id": "team:kept" }));
    assert_eq!(unit["text"], "Kept through it all");
}

fn agent() -> (Home, Agent) {
    let home = Home::with_team();
    let mut agent = home.agent("agent");
    agent.call(
        "write",
        json!({ "brain": "team", "topic": "kept", "body": "Kept through it all" }),
    );
    (home, agent)
}

#[test]
fn a_line_that_is_no_json_is_passed_over() {
    let (_home, mut agent) = agent();
    let lines: [&[u8]; 7] = [
        b"\n",
        b"hello\n",
        b"{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \n",
        b"{\"jsonrpc\": \"2.0\", \"id\": 8, \"method\": \"ping\"\n",
        b"\xff\xfe\x00\x01\n",
        b"\x00\x00\x00\x00\n",
        b"GET / HTTP/1.1\r\n\r\n",
    ];
    for line in lines {
        agent.send(line);
        still_answers(&mut agent);
    }
}

#[test]
fn a_request_that_cannot_be_read_is_answered() {
    let (_home, mut agent) = agent();
    let lines: [&[u8]; 3] = [
        b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\",\"params\":{\"x\":\"\xc3\x28\"}}\n",
        br#"{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"\ud800"}}"#,
        br#"{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":1e400}}"#,
    ];
    for line in lines {
        agent.send(line);
        agent.send(b"\n");
        let answer = agent.receive();
        assert_eq!(answer["id"], 9, "{answer}");
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
        still_answers(&mut agent);
    }
}

#[test]
fn json_that_is_no_message_ends_nothing() {
    let (_home, mut agent) = agent();
    let lines = [
        "null",
        "42",
        "[]",
        "{}",
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        r#"{"jsonrpc":"1.0","id":70,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":71}"#,
        r#"{"jsonrpc":"2.0","id":72,"method":42}"#,
        r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":73,"result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/nonesuch"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}"#,
    ];
    for line in lines {
        agent.send(format!("{line}\n").as_bytes());
        still_answers(&mut agent);
    }
}

#[test]
fn huge_and_deep_lines_end_nothing() {
    let (_home, mut agent) = agent();
    let mut huge = vec![b'a'; 6 << 20];
    huge.push(b'\n');
    agent.send(&huge);
    still_answers(&mut agent);

    let mut deep = vec![b'['; 200_000];
    deep.push(b'\n');
    agent.send(&deep);
    still_answers(&mut agent);

    let nested = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":500,"method":"tools/call","params":{{"name":"fetch","arguments":{{"id":{nested}}}}}}}"#
    );
    agent.send(format!("{call}\n").as_bytes());
    still_answers(&mut agent);
}

#[test]
fn protocol_errors_are_json_rpcs_own() {
    let (_home, mut agent) = agent();
    let unknown = agent.respond("no/such/method", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let tool = agent.respond(
        "tools/call",
        json!({ "name": "no_such_tool", "arguments": {} }),
    );
    assert_eq!(tool["error"]["code"], -32602, "{tool}");
    let nameless = agent.respond("tools/call", json!({ "arguments": {} }));
    assert!(nameless["error"]["code"].is_i64(), "{nameless}");
    still_answers(&mut agent);
}

#[test]
fn a_first_line_with_a_mark_and_a_carriage_return_is_read() {
    let home = Home::with_team();
    let mut command = home.command();
    command.args(["mcp", "--connection", "windows"]);
    let mut agent = Agent::spawn(command, "windows");
    let hello = json!({ "jsonrpc": "2.0", "id": 900, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "windows", "version": "1" },
    } });
    agent.send(format!("\u{feff}{hello}\r\n").as_bytes());
    let answer = agent.receive();
    assert_eq!(answer["id"], 900);
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
}

#[test]
fn the_newer_greeting_and_then_the_older_are_both_answered() {
    let home = Home::with_team();
    let mut command = home.command();
    command.args(["mcp", "--connection", "prober"]);
    let mut agent = Agent::spawn(command, "prober");
    let discovered = agent.request(
        "server/discover",
        json!({ "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "prober", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        } }),
    );
    let versions = discovered["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{discovered}");
    let hands = agent.shake_hands();
    assert_eq!(hands["protocolVersion"], "2025-11-25");
    agent.call("brains", json!({}));
    for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let mut command = home.command();
        command.args(["mcp", "--connection", "older"]);
        let mut agent = Agent::spawn(command, "older");
        let params = json!({ "protocolVersion": version, "capabilities": {},
            "clientInfo": { "name": "older", "version": "1" } });
        assert_eq!(
            agent.request("initialize", params)["protocolVersion"],
            version
        );
    }
}
