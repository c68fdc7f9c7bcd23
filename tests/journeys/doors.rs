//! The HTTP door: who gets in, what it says to those who do not, and ports.

use std::net::TcpListener;

use ozbrain_tests::{Home, Http, Server};
use serde_json::{Value, json};

fn body() -> Vec<u8> {
    Http::tools_list().to_string().into_bytes()
}

fn door() -> (Home, Server, String) {
    let home = Home::with_team();
    let key = home.key("agent");
    let server = home.serve();
    (home, server, key)
}

#[track_caller]
fn still_serves(server: &Server, key: &str) {
    let answer = server.http().key(key).post("/mcp", &body());
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.body.contains("base_revision"), "{answer:?}");
}

#[test]
fn a_missing_or_wrong_key_stays_out() {
    let (_home, server, key) = door();
    still_serves(&server, &key);
    let almost = format!("{}x", &key[..key.len() - 1]);
    let longer = format!("{key}x");
    let wrong = [
        "",
        "wrong",
        almost.as_str(),
        longer.as_str(),
        "é",
        &"k".repeat(4_000),
    ];
    for key in wrong {
        let answer = server.http().key(key).post("/mcp", &body());
        assert_eq!(answer.status, 401, "{key}: {answer:?}");
    }
    let keyless = server.http().post("/mcp", &body());
    assert_eq!(keyless.status, 401);
    assert!(
        keyless.head.to_lowercase().contains("www-authenticate"),
        "{}",
        keyless.head
    );
    let basic = server
        .http()
        .with("Authorization", &format!("Basic {key}"))
        .post("/mcp", &body());
    assert_eq!(basic.status, 401);
    // A key in the address would end up in histories and logs.
    let inline = server
        .http()
        .post(&format!("/mcp?key={key}&access_token={key}"), &body());
    assert_eq!(inline.status, 401);
    still_serves(&server, &key);
}

#[test]
fn a_key_is_stored_hashed() {
    let (home, server, key) = door();
    still_serves(&server, &key);
    for entry in std::fs::read_dir(home.data()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let found = bytes
            .windows(key.len())
            .any(|window| window == key.as_bytes());
        assert!(!found, "{} holds the key", path.display());
    }
}

#[test]
fn a_foreign_origin_stays_out() {
    let (_home, server, key) = door();
    let foreign = [
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "http://localhost.evil.example:4747",
        "vscode-file://vscode-app",
        "file://",
    ];
    for path in ["/mcp", "/api/brains"] {
        for origin in foreign {
            let answer = server
                .http()
                .key(&key)
                .with("Origin", origin)
                .post(path, &body());
            assert_eq!(answer.status, 403, "{path} {origin}: {answer:?}");
            let allowed = answer
                .head
                .to_lowercase()
                .contains("access-control-allow-origin");
            assert!(!allowed, "{path} {origin}: {}", answer.head);
        }
    }
    still_serves(&server, &key);
}

#[test]
fn a_foreign_host_stays_out() {
    let (_home, server, key) = door();
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "0.0.0.0",
        "localhost.evil.example",
    ] {
        for path in ["/mcp", "/health"] {
            let answer = server
                .http()
                .key(&key)
                .with("Host", host)
                .post(path, &body());
            assert_eq!(answer.status, 403, "{path} {host}: {answer:?}");
        }
    }
    for host in ["127.0.0.1", "localhost"] {
        let own = format!("{host}:{}", server.port);
        let answer = server
            .http()
            .key(&key)
            .with("Host", &own)
            .post("/mcp", &body());
        assert_eq!(answer.status, 200, "{own}: {answer:?}");
    }
}

#[test]
fn broken_bodies_get_json_rpcs_own_errors() {
    let (_home, server, key) = door();
    let broken: [&[u8]; 6] = [
        b"",
        b"{",
        b"hello",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"x\":\"\xff\xfe\"}}",
        b"[]",
        b"{\"jsonrpc\":\"2.0\"}",
    ];
    for bytes in broken {
        let answer = server.http().key(&key).post("/mcp", bytes);
        assert!((400..=422).contains(&answer.status), "{answer:?}");
        assert!(!answer.body.contains("panicked"), "{answer:?}");
        still_serves(&server, &key);
    }
    let unknown = json!({ "jsonrpc": "2.0", "id": 1, "method": "no/such", "params": Http::tools_list()["params"] });
    let answer = server
        .http()
        .key(&key)
        .with("Mcp-Method", "no/such")
        .post("/mcp", unknown.to_string().as_bytes());
    assert_eq!(answer.status, 404, "{answer:?}");
    assert!(answer.body.contains("-32601"), "{answer:?}");
    let mut other = Http::tools_list();
    other["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1999-01-01");
    let http = server
        .http()
        .key(&key)
        .with("MCP-Protocol-Version", "1999-01-01");
    let answer = http.post("/mcp", other.to_string().as_bytes());
    assert_eq!(answer.status, 400, "{answer:?}");
}

#[test]
fn a_huge_body_is_refused_and_the_server_lives_on() {
    let (_home, server, key) = door();
    let huge = vec![b'a'; 32 << 20];
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        server.http().key(&key).post("/mcp", &huge).status
    }));
    // A refusal by the head alone may also close the connection at once.
    if let Ok(status) = outcome {
        assert_eq!(status, 413);
    }
    still_serves(&server, &key);
}

#[test]
fn health_says_whose_server_it_is() {
    let (_home, server, _) = door();
    let answer = server.http().get("/health");
    assert_eq!(answer.status, 200);
    let body = answer.body.trim().trim_start_matches(|c| c != '{');
    let health: Value = serde_json::from_str(&body[..=body.rfind('}').unwrap()]).unwrap();
    assert_eq!(health["status"], "ok");
    assert_eq!(health["app"], "ozbrain");
    assert_eq!(server.http().get("/no-such-place.txt").status, 404);
}

#[test]
fn it_listens_on_this_computer_alone() {
    let (_home, server, _) = door();
    let listening = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let port = format!(":{:04X}", server.port);
    let addresses: Vec<_> = listening
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut fields = line.split_whitespace().skip(1);
            let (local, _, state) = (fields.next()?, fields.next()?, fields.next()?);
            (state == "0A" && local.ends_with(&port)).then(|| local.to_owned())
        })
        .collect();
    assert_eq!(addresses, [format!("0100007F{port}")]);
}

#[test]
fn a_port_that_a_stranger_holds_is_passed_by() {
    let home = Home::with_team();
    let stranger = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let taken = stranger.local_addr().unwrap().port();
    // The stranger takes calls and never answers.
    let server = home.serve_near(taken);
    assert_ne!(server.port, taken);
    let key = home.key("agent");
    still_serves(&server, &key);
}

#[test]
fn a_port_that_was_asked_for_and_is_taken_is_refused_by_name() {
    let home = Home::with_team();
    let stranger = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let taken = stranger.local_addr().unwrap().port().to_string();
    let said = home.run(&["serve", "--port", &taken]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains(&taken), "{}", said.stderr);
}

#[test]
fn a_port_that_our_own_server_holds_is_used_as_it_is() {
    let (home, mut first, key) = door();
    let mut command = home.command();
    command.args(["serve", "--port", &first.port.to_string()]);
    let (code, printed) = Server::start(command).ended();
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.contains(&format!("http://127.0.0.1:{}/mcp", first.port)),
        "{printed}"
    );
    assert!(first.alive());
    still_serves(&first, &key);
}

#[test]
fn a_killed_server_leaves_its_port_and_its_data_to_the_next() {
    let (home, server, key) = door();
    home.run(&[
        "write", "--brain", "team", "--topic", "kept", "--body", "Kept",
    ])
    .ok();
    let port = server.port;
    server.kill();
    let next = home.serve_on(port);
    assert_eq!(next.port, port);
    still_serves(&next, &key);
    assert_eq!(
        home.run(&["fetch", "team:kept", "--json"]).json()["text"],
        "Kept"
    );
}

#[test]
fn what_a_person_needs_is_printed() {
    let (_home, server, _) = door();
    let first = server
        .printed
        .lines()
        .find(|line| line.contains("/mcp"))
        .unwrap();
    assert!(
        first.contains(&format!("http://127.0.0.1:{}/mcp", server.port)),
        "{first}"
    );
}
