//! The command line: help, exit codes, and the same JSON as the tools.

use ozbrain_tests::{Agent, Home};
use serde_json::json;

const COMMANDS: [&[&str]; 22] = [
    &["mcp"],
    &["serve"],
    &["brain"],
    &["brain", "list"],
    &["brain", "create"],
    &["brain", "grant"],
    &["connect"],
    &["disconnect"],
    &["connection"],
    &["connection", "list"],
    &["connection", "create"],
    &["connection", "revoke"],
    &["search"],
    &["fetch"],
    &["brief"],
    &["write"],
    &["confirm"],
    &["resolve"],
    &["history"],
    &["retire"],
    &["topics"],
    &["doctor"],
];

#[test]
fn each_command_has_help() {
    let home = Home::new();
    for command in COMMANDS {
        let help = home.run(&[command, &["--help"]].concat()).ok();
        assert!(help.stdout.contains("Usage:"), "{command:?}");
        assert!(help.stdout.len() > 80, "{command:?}: {}", help.stdout);
        assert_eq!(help.stderr, "");
    }
    let all = home.run(&["--help"]).ok().stdout;
    for command in COMMANDS.map(|words| words[0]) {
        assert!(all.contains(command), "{command} is listed");
    }
    let version = home.run(&["--version"]).ok().stdout;
    assert_eq!(
        version.trim(),
        format!("ozbrain {}", env!("CARGO_PKG_VERSION"))
    );
    assert!(
        !home.data().exists(),
        "asking for help makes no data folder"
    );
}

#[test]
fn wrong_usage_is_two_and_stores_nothing() {
    let home = Home::new();
    let wrong: [&[&str]; 10] = [
        &[],
        &["nonesuch"],
        &["search", "--nonesuch"],
        &["fetch"],
        &["write"],
        &["serve", "--port", "many"],
        &["serve", "--port", "70000"],
        &["brain", "grant", "team", "agent", "everything"],
        &[
            "resolve",
            "0123456789AB",
            "--version",
            "1",
            "--choice",
            "coin",
            "--decision",
            "d",
        ],
        &["connection", "create"],
    ];
    for args in wrong {
        let ran = home.run(args).exits(2);
        assert!(
            ran.stderr.len() > 10 || ran.stdout.len() > 10,
            "{args:?} says how it is used"
        );
    }
    assert!(!home.data().exists(), "wrong usage makes no data folder");
}

#[test]
fn a_refusal_is_one_with_its_reason() {
    let home = Home::with_team();
    let nobody = "0123456789AB";
    assert!(home.run(&["fetch", nobody]).refused().contains(nobody));
    assert!(home.run(&["history", nobody]).refused().contains(nobody));
    let said = home
        .run(&["write", "--brain", "nope", "--topic", "t", "--body", "b"])
        .refused();
    assert!(said.contains("nope"), "{said}");
    assert!(
        home.run(&["brain", "create", "team", "--shared"])
            .refused()
            .contains("team")
    );
    home.run(&["brain", "create", "Not A Name", "--shared"])
        .refused();
    assert!(
        home.run(&["brain", "grant", "team", "nobody", "read"])
            .refused()
            .contains("nobody")
    );
    assert!(
        home.run(&["connection", "revoke", "nobody"])
            .refused()
            .contains("nobody")
    );
    home.run(&["search", "x", "--budget", "5"]).refused();
    let json = home.run(&["fetch", nobody, "--json"]).exits(1);
    assert!(
        json.stdout.is_empty() || json.stdout.contains("unknown_unit"),
        "{json:?}"
    );
}

#[test]
fn a_first_start_makes_the_folder_and_the_personal_brain() {
    let home = Home::new();
    let list = home.run(&["brain", "list", "--json"]).json();
    let brains = list["brains"].as_array().unwrap();
    assert_eq!(brains.len(), 1);
    assert_eq!(brains[0]["brain"], "personal");
    assert_eq!(brains[0]["kind"], "personal");
    home.run(&["brain", "create", "team", "--shared"]).ok();
    let list = home.run(&["brain", "list", "--json"]).json();
    let team = list["brains"]
        .as_array()
        .unwrap()
        .iter()
        .find(|b| b["brain"] == "team")
        .unwrap();
    assert_eq!(team["kind"], "shared");
    assert_eq!(team["write_policy"], "open");
}

#[test]
fn a_shared_brain_may_be_written_by_its_owners_or_under_review() {
    let home = Home::new();
    for policy in ["owners", "review"] {
        let create = ["brain", "create", policy, "--write-policy", policy];
        let said = home.run(&create).refused();
        assert!(said.contains("personal"), "{said}");
        let made = home.run(&[&create[..], &["--shared", "--json"]].concat());
        assert_eq!(made.json()["write_policy"], policy);
    }
    home.run(&["connection", "create", "agent"]).ok();
    let mark = ["brain", "grant", "owners", "agent"];
    let said = home.run(&[&mark[..], &["read", "--owner"]].concat());
    assert!(said.refused().contains("write"));
    let owners = |grant: &[&str]| {
        home.run(&[&mark[..], grant].concat()).ok();
        let list = home.run(&["connection", "list", "--json"]).json();
        let connections = list["connections"].as_array().unwrap();
        let agent = connections.iter().find(|it| it["connection"] == "agent");
        agent.unwrap()["owner"].clone()
    };
    assert_eq!(owners(&["write", "--owner"]), serde_json::json!(["owners"]));
    let list = home.run(&["connection", "list"]).ok().stdout;
    assert!(list.contains("owners: write (owner)"), "{list}");
    assert_eq!(owners(&["write"]), serde_json::json!(["owners"]));
    assert_eq!(owners(&["write", "--owner=false"]), serde_json::json!([]));
    // The command line itself is a connection like any other.
    let write = ["write", "--brain", "owners", "--topic", "x", "--body", "y"];
    assert!(home.run(&write).refused().contains("not_allowed"));
    home.run(&["brain", "grant", "owners", "cli", "write", "--owner"])
        .ok();
    home.run(&write).ok();
}

/// Asks an agent and the command line the same, and expects the same JSON.
#[track_caller]
fn same(home: &Home, agent: &mut Agent, tool: &str, args: serde_json::Value, line: &[&str]) {
    let printed = home.run(&[line, &["--json"]].concat()).json();
    assert_eq!(printed, agent.call(tool, args), "{line:?}");
}

#[test]
fn json_is_the_tools_json() {
    let home = Home::with_team();
    let mut agent = home.agent("agent");
    let agent = &mut agent;
    let told = json!({ "brain": "team", "topic": "clients/nova", "title": "Plan", "body": "Nova pays monthly", "tags": ["billing"] });
    let id = agent.call("write", told)["id"].as_str().unwrap().to_owned();
    agent.call(
        "write",
        json!({ "brain": "team", "topic": "clients/orbit", "body": "Orbit pays yearly" }),
    );

    let id = id.as_str();
    same(&home, agent, "fetch", json!({ "id": id }), &["fetch", id]);
    same(
        &home,
        agent,
        "history",
        json!({ "id": id }),
        &["history", id],
    );
    same(
        &home,
        agent,
        "search",
        json!({ "query": "who pays monthly" }),
        &["search", "who", "pays", "monthly"],
    );
    let one = json!({ "topic": "clients", "brain": "team", "limit": 1, "budget": 300, "freshness": "fresh" });
    let line = [
        "search",
        "--topic",
        "clients",
        "--brain",
        "team",
        "--limit",
        "1",
        "--budget",
        "300",
        "--freshness",
        "fresh",
    ];
    same(&home, agent, "search", one, &line);
    same(
        &home,
        agent,
        "brief",
        json!({ "query": "payments", "topic": "clients" }),
        &["brief", "payments", "--topic", "clients"],
    );
    same(
        &home,
        agent,
        "topics",
        json!({ "brain": "team" }),
        &["topics", "--brain", "team"],
    );
}

#[test]
fn the_tools_work_from_a_script() {
    let home = Home::with_team();
    let line = [
        "write",
        "--brain",
        "team",
        "--topic",
        "Servers / Mail",
        "--title",
        "Host",
        "--body",
        "mail runs on alpha",
        "--tags",
        "smtp,imap",
        "--source",
        "runbook",
        "--fresh-for-days",
        "30",
        "--json",
    ];
    let written = home.run(&line).json();
    assert_eq!(written["outcome"], "created");
    assert_eq!(written["topic"], "servers/mail");
    let id = written["id"].as_str().unwrap();

    let file = home.dir().join("body.md");
    std::fs::write(&file, "# Mail\n\nmail runs on beta\n").unwrap();
    let from_file = [
        "write",
        "--brain",
        "team",
        "--id",
        id,
        "--body-file",
        file.to_str().unwrap(),
        "--json",
    ];
    let updated = home.run(&from_file).json();
    assert_eq!(updated["outcome"], "updated");
    assert_eq!(updated["displaced"]["text"], "mail runs on alpha");

    let mut command = home.command();
    command.args([
        "write",
        "--brain",
        "team",
        "--id",
        id,
        "--json",
        "--body-file",
        "-",
    ]);
    let piped = with_input(command, "mail runs on gamma\n");
    assert_eq!(piped["outcome"], "updated");

    let unit = home.run(&["fetch", id, "--json"]).json();
    assert_eq!(unit["text"], "mail runs on gamma");
    assert_eq!(unit["metadata"]["tags"], json!(["smtp", "imap"]));
    assert_eq!(unit["metadata"]["source"], "runbook");
    assert!(unit["metadata"]["agent"].as_str().unwrap().contains("cli"));
    assert!(
        home.run(&["fetch", id])
            .ok()
            .stdout
            .contains("mail runs on gamma")
    );
    assert!(home.run(&["search", "mail"]).ok().stdout.contains(id));
    assert!(
        home.run(&["search", "mail", "--explain"])
            .ok()
            .stdout
            .contains(id)
    );

    let confirmed = home
        .run(&[
            "confirm",
            id,
            "--revision",
            "3",
            "--verdict",
            "still_true",
            "--json",
        ])
        .json();
    assert_eq!(confirmed["outcome"], "confirmed");
    let retired = home.run(&["retire", id, "--json"]).json();
    assert_eq!(retired["outcome"], "retired");
    assert!(!home.run(&["search", "mail"]).ok().stdout.contains(id));
    let history = home.run(&["history", id, "--json"]).json();
    assert_eq!(history["revisions"].as_array().unwrap().len(), 4);
}

fn with_input(mut command: std::process::Command, input: &str) -> serde_json::Value {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success());
    serde_json::from_slice(&done.stdout).unwrap()
}

#[test]
fn connections_come_and_go() {
    let home = Home::with_team();
    let printed = home.run(&["connection", "create", "laptop"]).ok().stdout;
    let key = printed.lines().last().unwrap();
    assert!(
        key.len() >= 20 && !key.contains(' '),
        "the key stands alone on the last line: {printed}"
    );
    assert!(
        home.run(&["connection", "create", "laptop"])
            .refused()
            .contains("laptop")
    );
    drop(home.agent("desk"));
    let list = home.run(&["connection", "list", "--json"]).json();
    let text = list.to_string();
    assert!(text.contains("laptop") && text.contains("desk"), "{text}");
    assert!(!text.contains(key), "a key is shown once");
    home.run(&["connection", "revoke", "laptop"]).ok();
    let human = home.run(&["connection", "list"]).ok().stdout;
    assert!(
        human.contains("laptop") && human.contains("revoked"),
        "{human}"
    );
}

#[test]
fn output_that_nobody_reads_ends_quietly() {
    let home = Home::with_team();
    for unit in 0..40 {
        let topic = format!("long/{unit}");
        home.run(&[
            "write",
            "--brain",
            "team",
            "--topic",
            &topic,
            "--body",
            &"words ".repeat(3_000),
        ])
        .ok();
    }
    let mut shell = home.adopt(std::process::Command::new("bash"));
    shell.args([
        "-c",
        "\"$OZBRAIN\" brief words --budget 100000 | head -c 1; exit ${PIPESTATUS[0]}",
    ]);
    let ran = ozbrain_tests::Ran::of(shell);
    assert_eq!(ran.stdout.len(), 1, "something was printed");
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}
