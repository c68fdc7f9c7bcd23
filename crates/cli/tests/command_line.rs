//! The program as scripts see it: what it prints and how it ends.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails where a step does"
)]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

struct Home(TempDir);

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ozbrain"));
        command
            .args(args)
            .env("OZBRAIN_DATA_DIR", self.0.path().join("data"))
            .env_remove("OZBRAIN_PORT")
            .env_remove("OZBRAIN_LOG")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        let output = self.command(args).output().unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What a command that must do its work prints.
    fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.ends_with('\n'), "{args:?}: {}", ran.stdout);
        ran.stdout
    }

    fn json(&self, args: &[&str]) -> Value {
        let mut all = args.to_vec();
        all.push("--json");
        serde_json::from_str(&self.ok(&all)).unwrap()
    }

    fn with_unit() -> (Self, String) {
        let home = Self::new();
        home.ok(&["brain", "create", "team", "--shared"]);
        let write = ["write", "--brain", "team", "--topic", "Q3 Launch"];
        let written = home.json(&[&write[..], &["--body", "Status: delayed"]].concat());
        assert_eq!(written["outcome"], "created");
        assert_eq!(written["topic"], "q3-launch");
        let id = written["id"].as_str().unwrap().to_owned();
        (home, id)
    }
}

/// A server, with the lines it has printed up to its address.
fn serve(home: &Home, args: &[&str], port: Option<u16>) -> (Child, Vec<String>) {
    let mut command = home.command(&[&["serve"], args].concat());
    if let Some(port) = port {
        command.env("OZBRAIN_PORT", port.to_string());
    }
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = Vec::new();
    for line in BufReader::new(child.stdout.as_mut().unwrap()).lines() {
        lines.push(line.unwrap());
        if lines.last().unwrap().contains("/mcp") {
            break;
        }
    }
    (child, lines)
}

fn port_of(lines: &[String]) -> u16 {
    let line = lines.last().unwrap();
    let rest = line.split_once("http://127.0.0.1:").unwrap().1;
    rest.split_once('/').unwrap().0.parse().unwrap()
}

#[cfg(unix)]
fn terminate(mut child: Child) -> Option<i32> {
    let kill = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    child.wait().unwrap().code()
}

#[test]
fn how_it_ends_says_how_it_went() {
    let home = Home::new();
    assert_eq!(home.run(&["brain", "list"]).code, Some(0));
    for usage in [
        &["fly"][..],
        &[],
        &["fetch"],
        &["write", "--body", "x"],
        &["search", "x", "--limit", "ten"],
        &[
            "resolve",
            "X",
            "--version",
            "1",
            "--choice",
            "coin",
            "--decision",
            "d",
        ],
        &["brain", "grant", "personal", "cli", "everything"],
        &["mcp", "--connection", "a\nb"],
    ] {
        let ran = home.run(usage);
        assert_eq!(ran.code, Some(2), "{usage:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.is_empty(), "{usage:?}: {}", ran.stdout);
        assert!(ran.stderr.len() > 10, "{usage:?}: {}", ran.stderr);
    }
    for (refused, code) in [
        (&["fetch", "000000000000"][..], "unknown_unit"),
        (&["search", "x", "--brain", "tema"], "unknown_brain"),
        (&["search", "x", "--budget", "5"], "invalid"),
        (&["write", "--brain", "personal", "--topic", "a"], "invalid"),
        (
            &[
                "write",
                "--brain",
                "personal",
                "--topic",
                "a",
                "--body-file",
                "/no/such/file",
            ],
            "invalid",
        ),
    ] {
        let ran = home.run(refused);
        assert_eq!(ran.code, Some(1), "{refused:?}: {}", ran.stderr);
        assert!(
            ran.stderr.starts_with(&format!("{code}: ")),
            "{}",
            ran.stderr
        );
        assert!(ran.stdout.is_empty(), "{refused:?}: {}", ran.stdout);
        let ran = home.run(&[refused, &["--json"]].concat());
        assert_eq!(ran.code, Some(1));
        let reason: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(reason["code"], code);
        assert!(ran.stderr.starts_with(&format!("{code}: ")));
    }
}

#[test]
fn what_is_asked_of_it_is_done_and_shown() {
    let (home, id) = Home::with_unit();
    for (shown, contains) in [
        (
            &["search", "when", "is", "the", "launch?"][..],
            "Status: delayed",
        ),
        (&["search", "launch", "--explain"], "score"),
        (&["fetch", &id], "Status: delayed"),
        (&["fetch", "team:q3-launch"], "written by cli"),
        (&["brief", "--topic", "q3-launch"], "Status: delayed"),
        (&["topics"], "q3-launch"),
        (&["brain", "list"], "team"),
        (&["connection", "list"], "cli"),
        (&["history", &id], "created"),
        (&["confirm", &id], "Status: delayed"),
        (
            &["confirm", &id, "--revision", "1", "--verdict", "still_true"],
            "confirmed",
        ),
        (&["search", "launch", "--needs", "aging"], "Nothing found"),
        (
            &["retire", &id, "--base-revision", "1", "--reason", "over"],
            "retired",
        ),
    ] {
        let text = home.ok(shown);
        assert!(text.contains(contains), "{shown:?}: {text}");
    }
    let history = home.json(&["history", &id]);
    assert_eq!(history["revisions"][0]["outcome"], "retired");
}

#[test]
fn an_act_is_undone_by_the_number_that_history_shows() {
    let (home, id) = Home::with_unit();
    let edit = ["write", "--brain", "team", "--id", &id];
    home.ok(&[&edit[..], &["--body", "Status: on track"]].concat());
    let history = home.ok(&["history", &id]);
    let (_, events) = history.split_once("Events:\n").unwrap();
    let line = events.lines().find(|line| line.contains("  updated  "));
    let event = line.unwrap().split_whitespace().next().unwrap();
    let undone = home.ok(&["undo", event]);
    assert!(undone.starts_with("undone\n"), "{undone}");
    assert!(home.ok(&["fetch", &id]).contains("Status: delayed"));
    // It was not carried out, so a script must not go on.
    let again = home.run(&["undo", event, "--json"]);
    assert_eq!(again.code, Some(1));
    let again: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again["outcome"], "moved");
    assert!(
        again["message"]
            .as_str()
            .unwrap()
            .contains("undone already")
    );
    let nothing = home.run(&["undo", "999"]);
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.stderr.starts_with("invalid: There is no event 999"));
    assert_eq!(home.run(&["undo", "x"]).code, Some(2));
}

#[test]
fn a_clash_is_settled() {
    let (home, id) = Home::with_unit();
    let again = [
        "write",
        "--brain",
        "team",
        "--id",
        &id,
        "--body",
        "Status: on track",
    ];
    assert_eq!(
        home.json(&again)["outcome"],
        "updated",
        "one connection, later session"
    );
    // Another connection that has not read it.
    let mut other = home
        .command(&["mcp", "--connection", "other"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let call = serde_json::json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "write", "arguments": {"brain": "team", "id": id, "body": "Status: lost"},
    }});
    let hello = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "other", "version": "1"},
    }});
    let mut input = other.stdin.take().unwrap();
    input
        .write_all(format!("{hello}\n{call}\n").as_bytes())
        .unwrap();
    drop(input);
    let mut said = String::new();
    other
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(other.wait().unwrap().code(), Some(0));
    assert!(said.contains("conflicted"), "{said}");

    let shown = home.ok(&["fetch", &id]);
    assert!(
        shown.contains("in conflict") && shown.contains("Status: on track"),
        "{shown}"
    );
    let unit = home.json(&["fetch", &id]);
    let version = unit["metadata"]["conflict"]["version"].to_string();
    let settle = ["resolve", &id, "--version", &version, "--choice"];
    let merged = [
        "merged",
        "--body",
        "Status: on track, late",
        "--decision",
        "Both",
    ];
    let settled = home.json(&[&settle[..], &merged].concat());
    assert_eq!(settled["outcome"], "resolved");
    let moved = home.run(&[&settle[..], &["keep_head", "--decision", "x"]].concat());
    assert_eq!(moved.code, Some(1));
    assert!(moved.stdout.starts_with("moved"), "{}", moved.stdout);
    assert!(moved.stderr.starts_with("moved: "), "{}", moved.stderr);
}

#[test]
fn a_text_comes_from_a_file_or_from_standard_input() {
    let (home, id) = Home::with_unit();
    let file = home.0.path().join("body.md");
    std::fs::write(&file, "From a file\n").unwrap();
    let write = ["write", "--brain", "team", "--id", &id, "--body-file"];
    home.ok(&[&write[..], &[file.to_str().unwrap()]].concat());
    assert_eq!(home.json(&["fetch", &id])["text"], "From a file");
    let mut child = home
        .command(&[&write[..], &["-", "--tags", "a,b", "--tags", "c"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all("From a pipe, caf\u{e9}".as_bytes())
        .unwrap();
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let unit = home.json(&["fetch", &id]);
    assert_eq!(unit["text"], "From a pipe, caf\u{e9}");
    assert_eq!(unit["metadata"]["tags"], serde_json::json!(["a", "b", "c"]));
}

#[test]
fn a_key_stands_alone_and_is_told_once() {
    let home = Home::new();
    let ran = home.run(&["connection", "create", "laptop"]);
    let key = ran.stdout.trim();
    assert!(
        key.starts_with("oz_") && !key.contains(char::is_whitespace),
        "{key}"
    );
    assert!(
        ran.stderr.contains("Authorization: Bearer"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains(key));
    let made = home.json(&["connection", "create", "desk"]);
    assert_eq!(made["connection"], "desk");
    assert!(made["key"].as_str().unwrap().starts_with("oz_"));
    for list in [home.ok(&["connection", "list"]), home.ok(&["doctor"])] {
        assert!(list.contains("laptop") && !list.contains("oz_"), "{list}");
    }
    home.ok(&["brain", "grant", "personal", "laptop", "read"]);
    home.ok(&["connection", "revoke", "laptop"]);
    assert!(home.ok(&["connection", "list"]).contains("revoked"));
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let home = Home::new();
    let mut child = home
        .command(&["--help"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait().unwrap();
    let mut child = home
        .command(&["brain", "list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    assert_eq!(said, "");
}

#[test]
fn what_was_stored_is_no_command_to_the_terminal() {
    let (home, id) = Home::with_unit();
    let body = "\u{1b}]0;gotcha\u{7}\u{1b}[2Jred";
    home.run(&["write", "--brain", "team", "--id", &id, "--body", body]);
    for shown in [&["fetch", &id][..], &["history", &id], &["search", "red"]] {
        let text = home.ok(shown);
        assert!(
            !text.contains('\u{1b}') && !text.contains('\u{7}'),
            "{text:?}"
        );
    }
}

#[test]
fn the_doctor_looks_and_makes_nothing() {
    let home = Home::new();
    assert!(home.ok(&["doctor"]).contains("the first use makes it"));
    assert!(!home.0.path().join("data").exists());
    home.ok(&["brain", "list"]);
    let report = home.json(&["doctor"]);
    assert_eq!(report["ok"], true, "{report}");
    let checks: Vec<_> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["check"].as_str().unwrap())
        .collect();
    assert_eq!(
        checks,
        [
            "data folder",
            "files",
            "store opens",
            "store writes",
            "store is whole",
            "connections",
            "server"
        ]
    );
}

#[cfg(unix)]
#[test]
fn the_doctor_sees_what_others_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.ok(&["brain", "list"]);
    let data = home.0.path().join("data");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&data, open).unwrap();
    let ran = home.run(&["doctor"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("chmod 700"), "{}", ran.stdout);
    assert!(ran.stderr.contains("data folder"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_server_says_where_it_is_and_stops_when_told() {
    let home = Home::new();
    let (child, lines) = serve(&home, &["--port", "0"], None);
    let port = port_of(&lines);
    // The same store's server is found, and used as it is.
    let again = home.ok(&["serve", "--port", &port.to_string()]);
    assert!(again.contains("running already"), "{again}");
    assert!(
        again.contains(&format!("http://127.0.0.1:{port}/mcp")),
        "{again}"
    );
    // Another store's server is a stranger.
    let stranger = Home::new().run(&["serve", "--port", &port.to_string()]);
    assert_eq!(stranger.code, Some(1), "{}", stranger.stdout);
    assert!(
        stranger.stderr.contains(&port.to_string()),
        "{}",
        stranger.stderr
    );
    assert_eq!(terminate(child), Some(0));
}

#[cfg(unix)]
#[test]
fn a_strangers_port_is_passed_by() {
    let home = Home::new();
    // It takes calls and never answers.
    let stranger = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let taken = stranger.local_addr().unwrap().port();
    let (child, lines) = serve(&home, &[], Some(taken));
    assert_ne!(port_of(&lines), taken);
    assert_eq!(terminate(child), Some(0));
}

#[cfg(unix)]
#[test]
fn an_agents_process_ends_when_told() {
    let home = Home::new();
    let mut child = home
        .command(&["mcp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let input = child.stdin.as_mut().unwrap();
    input.write_all(format!("{hello}\n").as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.contains("result"), "{line}");
    let began = std::time::Instant::now();
    assert_eq!(terminate(child), Some(0));
    assert!(began.elapsed() < std::time::Duration::from_secs(2));
}

#[test]
fn a_server_that_cannot_store_does_not_start() {
    let home = Home::new();
    std::fs::write(home.0.path().join("data"), "a file").unwrap();
    let ran = home.run(&["serve", "--port", "0"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("unavailable: "), "{}", ran.stderr);
    assert_eq!(home.run(&["doctor"]).code, Some(1));
}

#[test]
fn a_decision_on_what_has_moved_is_refused() {
    let (home, id) = Home::with_unit();
    let write = ["write", "--brain", "team", "--id", &id, "--body"];
    home.ok(&[&write[..], &["Status: on track"]].concat());
    let confirm = ["confirm", &id, "--revision", "1", "--verdict", "still_true"];
    for args in [&confirm[..], &[&confirm[..], &["--json"]].concat()] {
        let ran = home.run(args);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stdout.contains("moved"), "{}", ran.stdout);
        assert!(ran.stderr.starts_with("moved: "), "{}", ran.stderr);
    }
}

#[test]
fn an_empty_variable_is_as_good_as_none() {
    let home = Home::new();
    let run = |args: &[&str]| {
        let mut command = home.command(args);
        command
            .env("OZBRAIN_DATA_DIR", "")
            .env("HOME", home.0.path())
            .env("XDG_DATA_HOME", home.0.path().join("platform"))
            .env("APPDATA", home.0.path().join("platform"));
        command.output().unwrap()
    };
    let listed = run(&["brain", "list"]);
    assert_eq!(listed.status.code(), Some(0), "{listed:?}");
    // What usage shows does not hang on the variable.
    let ran = home.run(&["fetch"]);
    assert!(
        ran.stderr.contains("Usage: ozbrain fetch"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("--data-dir <DIR>"), "{}", ran.stderr);
}

#[test]
fn a_refusal_names_the_option() {
    let home = Home::new();
    let ran = home.run(&["write", "--brain", "personal", "--body", "x"]);
    assert!(
        ran.stderr.starts_with("invalid: --topic is"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_score_is_explained_in_json_too() {
    let (home, _) = Home::with_unit();
    let plain = home.json(&["search", "launch"]);
    assert!(plain["results"][0].get("why").is_none());
    let explained = home.json(&["search", "launch", "--explain"]);
    let why = &explained["results"][0]["why"];
    assert!(
        why["score"].is_number() && why["keywords"].is_number(),
        "{why}"
    );
}

#[test]
fn what_is_revoked_is_said_to_be() {
    let home = Home::new();
    home.ok(&["connection", "create", "laptop"]);
    home.ok(&["connection", "revoke", "laptop"]);
    let again = home.ok(&["connection", "revoke", "laptop"]);
    assert!(again.contains("was revoked already"), "{again}");
    let granted = home.run(&["brain", "grant", "personal", "laptop", "read"]);
    assert_eq!(granted.code, Some(1), "{}", granted.stdout);
    assert!(granted.stderr.contains("revoked"), "{}", granted.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_key_that_nobody_was_told_uses_no_name_up() {
    let home = Home::new();
    let create = || home.command(&["connection", "create", "laptop"]);
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let ran = create().stdout(full).output().unwrap();
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let mut child = create().stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(
        home.ok(&["connection", "create", "laptop"])
            .starts_with("oz_")
    );
}

#[cfg(unix)]
#[test]
fn a_server_beyond_the_first_port_is_found() {
    let home = Home::new();
    let stranger = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let taken = stranger.local_addr().unwrap().port();
    let (child, lines) = serve(&home, &[], Some(taken));
    let port = port_of(&lines);
    assert_ne!(port, taken);
    drop(stranger);
    let (mut again, lines) = serve(&home, &[], Some(taken));
    assert_eq!(port_of(&lines), port, "{lines:?}");
    assert!(lines.join(" ").contains("is running already"), "{lines:?}");
    assert_eq!(again.wait().unwrap().code(), Some(0));
    assert_eq!(terminate(child), Some(0));
}
