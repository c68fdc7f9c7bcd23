//! The person's browser: the link that signs it in, the bearer that its tab
//! holds, what hostile pages can send, and the stream of changes.

use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use ozbrain_tests::{Answer, Events, Home, Http, Ran, Server};
use serde_json::{Value, json};

/// The token of the link in what was printed.
#[track_caller]
fn token(printed: &str, port: u16) -> String {
    let start = format!("http://127.0.0.1:{port}/#token=");
    let (_, rest) = printed
        .split_once(&start)
        .unwrap_or_else(|| panic!("no link: {printed}"));
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

/// Runs `ozbrain serve` beside a server that runs; what it prints.
fn serve_again(home: &Home, server: &Server, args: &[&str]) -> Ran {
    let mut command = home.command();
    let port = server.port.to_string();
    command.args(["serve", "--port", &port]).args(args);
    Ran::of(command)
}

fn sign_in(server: &Server, token: &str) -> Answer {
    let body = json!({"token": token}).to_string();
    server.http().post("/api/sign-in", body.as_bytes())
}

#[track_caller]
fn bearer(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    json_of(answer)["bearer"].as_str().unwrap().to_owned()
}

#[track_caller]
fn json_of(answer: &Answer) -> Value {
    let body = &answer.body;
    let body = match (body.find('{'), body.rfind('}')) {
        (Some(first), Some(last)) => &body[first..=last],
        _ => panic!("no JSON: {answer:?}"),
    };
    serde_json::from_str(body).unwrap()
}

/// A server, and a tab that is signed in there.
fn tab() -> (Home, Server, String) {
    let home = Home::with_team();
    let server = home.serve();
    let link = serve_again(&home, &server, &["--json"]).json();
    let token = token(link["link"].as_str().unwrap(), server.port);
    let bearer = bearer(&sign_in(&server, &token));
    (home, server, bearer)
}

fn write(home: &Home, topic: &str) {
    home.run(&[
        "write", "--brain", "team", "--topic", topic, "--body", "Said",
    ])
    .ok();
}

#[test]
fn the_link_that_is_printed_signs_in_once() {
    let home = Home::with_team();
    let server = home.serve();
    let fresh = serve_again(&home, &server, &[]).ok().stdout;
    let token = token(&fresh, server.port);
    let bearer = bearer(&sign_in(&server, &token));
    assert_eq!(sign_in(&server, &token).status, 401);
    let topics = server.http().key(&bearer).get("/api/topics");
    assert_eq!(topics.status, 200, "{topics:?}");
    // The doctor makes one too.
    let mut doctor = home.command();
    doctor
        .args(["doctor", "--json"])
        .env("OZBRAIN_PORT", server.port.to_string());
    let report = Ran::of(doctor).json();
    let other = self::token(report["link"].as_str().unwrap(), server.port);
    assert_ne!(other, token);
    assert_eq!(sign_in(&server, &other).status, 200);
}

#[test]
fn the_link_of_the_first_start_works() {
    let home = Home::with_team();
    let server = home.serve();
    let mut printed = server.printed.clone();
    while !printed.contains("#token=") {
        printed.push_str(&server.line());
    }
    let token = token(&printed, server.port);
    assert_eq!(sign_in(&server, &token).status, 200);
}

#[test]
fn a_tab_stays_signed_in_over_a_crash_until_it_signs_out() {
    let (home, server, bearer) = tab();
    let link = serve_again(&home, &server, &["--json"]).json();
    let token = token(link["link"].as_str().unwrap(), server.port);
    let port = server.port;
    server.kill();
    let server = home.serve_on(port);
    let topics = server.http().key(&bearer).get("/api/topics");
    assert_eq!(topics.status, 200, "{topics:?}");
    // A link outlives its server too, and still works once.
    assert_eq!(sign_in(&server, &token).status, 200);
    assert_eq!(sign_in(&server, &token).status, 401);
    let out = server.http().key(&bearer).post("/api/sign-out", b"{}");
    assert_eq!(out.status, 200, "{out:?}");
    server.kill();
    let server = home.serve_on(port);
    let topics = server.http().key(&bearer).get("/api/topics");
    assert_eq!(topics.status, 401, "{topics:?}");
}

#[test]
fn what_a_person_writes_in_the_app_agents_read_as_theirs() {
    let (home, server, bearer) = tab();
    let body = json!({"brain": "team", "topic": "status", "body": "On track"}).to_string();
    let wrote = server
        .http()
        .key(&bearer)
        .post("/api/write", body.as_bytes());
    assert_eq!(wrote.status, 200, "{wrote:?}");
    assert!(json_of(&wrote)["event"].is_u64(), "{wrote:?}");
    let read = home.run(&["fetch", "team:status", "--json"]).json();
    assert_eq!(read["text"], "On track");
    let agent = read["metadata"]["agent"].as_str().unwrap();
    assert!(agent.starts_with("you"), "{agent}");
}

#[test]
fn hostile_pages_write_nothing() {
    let (home, server, bearer) = tab();
    let foreign_host = || Http::new(server.port).with("Host", "evil.example");
    let form = |kind: &str| server.http().with("Content-Type", kind);
    let body = br#"{"brain":"team","topic":"evil","body":"evil"}"#;
    let no_cors = server
        .http()
        .with("Sec-Fetch-Site", "cross-site")
        .with("Sec-Fetch-Mode", "no-cors")
        .with("Sec-Fetch-Dest", "empty");
    for (what, http) in [
        ("rebinding", foreign_host()),
        (
            "another origin",
            server.http().with("Origin", "https://evil.example"),
        ),
        ("no origin", server.http().with("Origin", "null")),
        (
            "another port",
            server.http().with("Origin", "http://127.0.0.1:1"),
        ),
        ("text", form("text/plain")),
        ("a form", form("application/x-www-form-urlencoded")),
        ("a form with files", form("multipart/form-data; boundary=b")),
        ("no-cors", no_cors),
        (
            "a socket",
            server
                .http()
                .with("Upgrade", "websocket")
                .with("Sec-WebSocket-Version", "13"),
        ),
    ] {
        // Even with a bearer, which a page of another origin cannot have.
        let answer = http.key(&bearer).post("/api/write", body);
        assert!((400..=415).contains(&answer.status), "{what}: {answer:?}");
        assert!(
            !answer.head.to_lowercase().contains("access-control"),
            "{what}"
        );
    }
    for path in [
        format!("/api/topics?bearer={bearer}"),
        format!("/api/events?access_token={bearer}"),
    ] {
        assert_eq!(server.http().get(&path).status, 401, "{path}");
    }
    for path in [
        "/assets/../../package.json",
        "/assets/..%2f..%2fpackage.json",
        "/assets/%2e%2e/%2e%2e/package.json",
        "/..%5c..%5cpackage.json",
        "/assets//etc/passwd",
        "//etc/passwd",
    ] {
        let answer = server.http().get(path);
        let told = answer.body.contains("devDependencies") || answer.body.contains("root:");
        assert!(!told, "{path}: {answer:?}");
    }
    let refused = home.run(&["fetch", "team:evil"]).refused();
    assert!(refused.contains("unknown_unit"), "{refused}");
}

#[test]
fn what_another_process_writes_is_told_at_once_and_after_a_restart_on() {
    let (home, server, bearer) = tab();
    let mut events = Events::open(&server, &bearer, None);
    let mut agent = home.agent("Cursor");
    let mut slowest = Duration::ZERO;
    let mut last = 0;
    for number in 0..10 {
        let topic = format!("t{number}");
        agent.call(
            "write",
            json!({"brain": "team", "topic": topic, "body": "Said"}),
        );
        let written = Instant::now();
        let event = events.about(&topic);
        slowest = slowest.max(written.elapsed());
        assert_eq!(event["agent"]["name"], "Cursor");
        assert_eq!(event["own"], false);
        last = event["event"].as_u64().unwrap();
    }
    println!("the slowest was told after {slowest:?}");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");

    let port = server.port;
    server.kill();
    assert_eq!(events.next_event(), None);
    write(&home, "while-away");
    let server = home.serve_on(port);
    let mut events = Events::open(&server, &bearer, Some(last));
    let missed = events.next_event().unwrap();
    assert!(missed["event"].as_u64().unwrap() > last);
    if missed["topic"] != "while-away" {
        events.about("while-away");
    }
    write(&home, "back");
    events.about("back");
}

#[test]
#[cfg(unix)]
fn a_stream_does_not_hold_up_the_end() {
    let (_home, server, bearer) = tab();
    let mut events = Events::open(&server, &bearer, None);
    let pid = server.pid().to_string();
    let told = Instant::now();
    Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    assert_eq!(events.next_event(), None);
    let (code, printed) = server.ended();
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        told.elapsed() < Duration::from_secs(5),
        "{:?}",
        told.elapsed()
    );
}

#[test]
fn no_secret_is_logged() {
    let home = Home::with_team();
    let log = home.dir().join("log");
    let port = TcpListener::bind(("127.0.0.1", 0)).and_then(|free| free.local_addr());
    let port = port.unwrap().port().to_string();
    let mut command = home.command();
    command
        .args(["serve", "--port", &port])
        .env("OZBRAIN_LOG", "trace");
    let server = Server::start_with_log(command, &log);
    let link = serve_again(&home, &server, &["--json"]).json();
    let token = token(link["link"].as_str().unwrap(), server.port);
    let bearer = bearer(&sign_in(&server, &token));
    server.http().key(&bearer).get("/api/topics");
    sign_in(&server, &token);
    server.kill();
    let told = std::fs::read_to_string(&log).unwrap();
    for secret in [&token, &bearer] {
        assert!(!told.contains(secret.as_str()), "{told}");
    }
}
