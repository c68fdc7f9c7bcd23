//! Clients found in a home folder, connected from the command line, and proved
//! by a call of exactly what was written.

use ozbrain_tests::{Agent, Events, Home, Ran, Server};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Client, its file beneath the home folder, what stands in it, the path to
/// its servers.
const CLIENTS: [(&str, &str, &str, &str); 13] = [
    (
        "claude-desktop",
        ".config/Claude/claude_desktop_config.json",
        "{\"globalShortcut\": \"\"}",
        "mcpServers",
    ),
    (
        "claude-code",
        ".claude.json",
        "{\"numStartups\":3,\"projects\":{}}",
        "mcpServers",
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        "{\n\t// mine\n\t\"mcpServers\": {}\n}\n",
        "mcpServers",
    ),
    (
        "vscode",
        ".config/Code/User/mcp.json",
        "{\n  \"servers\": {\n    \"a\": {\"url\": \"https://x//y\"}, // why\n  },\n}\n",
        "servers",
    ),
    (
        "codex",
        ".codex/config.toml",
        "model = \"x\" # mine\n\n[tui]\na = 1\n",
        "mcp_servers",
    ),
    (
        "windsurf",
        ".codeium/windsurf/mcp_config.json",
        "",
        "mcpServers",
    ),
    (
        "gemini",
        ".gemini/settings.json",
        "{\r\n  \"theme\": \"x\" // mine\r\n}\r\n",
        "mcpServers",
    ),
    (
        "zed",
        ".config/zed/settings.json",
        "// Zed\n{\n  \"theme\": \"One\",\n}\n",
        "context_servers",
    ),
    (
        "goose",
        ".config/goose/config.yaml",
        "GOOSE_MODEL: x # mine\nextensions:\n  a:\n    enabled: false\n",
        "extensions",
    ),
    (
        "cline",
        ".cline/data/settings/cline_mcp_settings.json",
        "{\"mcpServers\":{}}",
        "mcpServers",
    ),
    ("junie", ".junie/mcp/mcp.json", "{}", "mcpServers"),
    (
        "opencode",
        ".config/opencode/opencode.json",
        "{\"$schema\": \"https://opencode.ai/config.json\"}",
        "mcp",
    ),
    (
        "lmstudio",
        ".lmstudio/mcp.json",
        "{\n  \"mcpServers\": {}\n}",
        "mcpServers",
    ),
];

fn put(home: &Home, path: &str, text: &str) -> PathBuf {
    let path = home.user().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// `ozbrain …` without the commands of whoever runs the tests.
fn run(home: &Home, args: &[&str]) -> Ran {
    let mut command = home.command();
    command.args(args).env("PATH", home.user());
    Ran::of(command)
}

/// How a client stands.
#[track_caller]
fn client(home: &Home, name: &str) -> Value {
    let listed = run(home, &["connect", "--json"]).json();
    let clients = listed["clients"].as_array().unwrap();
    let found = clients.iter().find(|it| it["client"] == name);
    found.unwrap_or_else(|| panic!("{name}: {listed}")).clone()
}

/// The command that a client would start, read from its file.
fn written(file: &Path, servers: &str) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    // Without the comments and trailing commas that the files above have.
    let field = |name: &str, sign: &str| -> Value {
        let line = text.lines().find_map(|line| {
            let line = line.trim().strip_prefix(name)?.trim_start();
            line.strip_prefix(sign)
        });
        serde_json::from_str(line.unwrap().trim().trim_end_matches(',')).unwrap()
    };
    let (program, arguments) = match file.extension().and_then(|it| it.to_str()) {
        Some("toml") => (field("command", "="), field("args", "=")),
        Some("yaml") => (field("cmd", ":"), field("args", ":")),
        _ if servers == "mcp" => {
            let json: Value = serde_json::from_str(&text).unwrap();
            (Value::Null, json["mcp"]["ozbrain"]["command"].clone())
        }
        _ if text.contains("//") && !text.contains("\"args\":") => panic!("{text}"),
        _ => match serde_json::from_str::<Value>(&text) {
            Ok(json) => {
                let entry = &json[servers]["ozbrain"];
                (entry["command"].clone(), entry["args"].clone())
            }
            Err(_) => (field("\"command\"", ":"), field("\"args\"", ":")),
        },
    };
    let words = program.as_str().into_iter().map(str::to_owned);
    let arguments = arguments.as_array().unwrap().clone();
    let arguments = arguments.iter().map(|it| it.as_str().unwrap().to_owned());
    words.chain(arguments).collect()
}

/// Starts exactly that, with nothing of our environment, as a client may.
fn call_as(words: &[String], client: &str) {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env_clear().current_dir("/");
    let mut agent = Agent::start(command, client);
    assert!(agent.call("brains", json!({}))["brains"].is_array());
    assert!(agent.close().success());
}

#[test]
fn each_client_is_connected_proved_and_left_as_it_was() {
    let home = Home::new();
    let files: Vec<PathBuf> = CLIENTS
        .iter()
        .map(|(_, path, text, _)| put(&home, path, text))
        .collect();
    // A command shows it, and a file that another client shares does not.
    for ((name, _, text, servers), file) in CLIENTS.iter().zip(&files) {
        let before = client(&home, name);
        assert_eq!(before["state"], "found", "{before}");
        assert_eq!(before["file"], file.to_str().unwrap());
        let shown = run(&home, &["connect", name, "--dry-run"]).ok().stdout;
        assert!(
            shown.contains("--connection") && shown.contains(file.to_str().unwrap()),
            "{shown}"
        );
        assert_eq!(
            &fs::read_to_string(file).unwrap(),
            text,
            "a dry run does nothing"
        );

        let said = run(&home, &["connect", name]).ok().stdout;
        assert!(said.contains("waits for its first call"), "{said}");
        assert_eq!(client(&home, name)["state"], "waiting");
        let words = written(file, servers);
        assert!(Path::new(&words[0]).is_absolute() && words.contains(&"--data-dir".to_owned()));
        call_as(&words, name);
        let works = client(&home, name);
        assert_eq!(
            (&works["state"], &works["connection"]),
            (&json!("works"), &json!(name))
        );
        assert!(works["last_call"].is_string(), "{works}");
        let again = run(&home, &["connect", name, "--json"]).json();
        assert_eq!(again["changes"], false, "{again}");
        assert_eq!(client(&home, name)["state"], "works");
    }
    let report = run(&home, &["doctor", "--json"]).json();
    assert_eq!(report["clients"].as_array().unwrap().len(), CLIENTS.len());
    for ((name, _, text, _), file) in CLIENTS.iter().zip(&files) {
        run(&home, &["disconnect", name]).ok();
        assert_eq!(&fs::read_to_string(file).unwrap(), text, "{name}");
        assert_eq!(client(&home, name)["state"], "found");
    }
}

#[test]
fn what_was_granted_on_the_command_line_is_all_that_a_client_ever_sees() {
    let home = Home::new();
    run(&home, &["brain", "create", "team", "--shared"]).ok();
    let text = "{\"mcpServers\": {}}";
    let file = put(&home, ".cursor/mcp.json", text);
    let grants = ["--grant", "personal=none", "--grant", "team=read"];
    let with = |more: &[&str]| run(&home, &[&["connect", "cursor"], &grants[..], more].concat());
    let shown = with(&["--dry-run"]).ok().stdout;
    assert!(
        shown.contains("It might then read team; not see personal."),
        "{shown}"
    );
    let unknown = run(&home, &["connect", "cursor", "--grant", "tema=read"]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.stderr.contains("tema"), "{}", unknown.stderr);
    let wrong = run(&home, &["connect", "cursor", "--grant", "team=all"]);
    assert_eq!(wrong.code, Some(2));
    assert_eq!(
        run(&home, &["connect", "--grant", "team=read"]).code,
        Some(2)
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing was done");

    let said = with(&[]).ok().stdout;
    assert!(
        said.contains("It may read team; not see personal."),
        "{said}"
    );
    let words = written(&file, "mcpServers");
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env_clear().current_dir("/");
    let mut agent = Agent::start(command, "cursor");
    let seen = agent.call("brains", json!({}));
    assert_eq!(seen["brains"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&seen["brains"][0]["brain"], &seen["brains"][0]["grant"]),
        (&json!("team"), &json!("read"))
    );
    assert!(agent.close().success());
}

#[test]
fn a_client_that_installs_no_bundle_is_refused_one() {
    let home = Home::new();
    let file = put(&home, ".cursor/mcp.json", "{}");
    for more in [&["--dry-run"][..], &[]] {
        let refused = run(&home, &[&["connect", "cursor", "--bundle"], more].concat());
        assert_eq!(refused.code, Some(1));
        assert!(
            refused.stderr.contains("its own file"),
            "{}",
            refused.stderr
        );
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    run(&home, &["connect", "cursor", "--bundle=false"]).ok();
    assert_eq!(client(&home, "cursor")["by"], "file");
}

/// A server, and a tab that is signed in there.
struct Tab {
    home: Home,
    server: Server,
    bearer: String,
}

impl Tab {
    fn new(home: Home) -> Self {
        let server = home.serve();
        let mut command = home.command();
        command.args(["serve", "--json", "--port", &server.port.to_string()]);
        let link = Ran::of(command).json()["link"].as_str().unwrap().to_owned();
        let (_, token) = link.split_once("#token=").unwrap();
        let body = json!({"token": token}).to_string();
        let answer = server.http().post("/api/sign-in", body.as_bytes());
        let bearer = parsed(&answer.body)["bearer"].as_str().unwrap().to_owned();
        Self {
            home,
            server,
            bearer,
        }
    }

    fn events(&self) -> Events {
        Events::open(&self.server, &self.bearer, None)
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        let answer = self.server.http().key(&self.bearer).get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        parsed(&answer.body)
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        let http = self.server.http().key(&self.bearer);
        let answer = http.post(path, body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        parsed(&answer.body)
    }

    #[track_caller]
    fn client(&self, name: &str) -> Value {
        let view = self.get("/api/clients");
        let clients = view["clients"].as_array().unwrap();
        clients
            .iter()
            .find(|it| it["client"] == name)
            .unwrap()
            .clone()
    }

    /// Looks at what an act changes and does it.
    #[track_caller]
    fn act(&self, name: &str, act: &str) -> Value {
        let plan = self.get(&format!("/api/clients/{name}/plan?act={act}"));
        let body = json!({"plan": plan["plan"]});
        self.post(&format!("/api/clients/{name}/{act}"), &body)
    }

    fn problems(&self) -> Vec<Value> {
        let inbox = self.get("/api/inbox?kind=problem");
        inbox["items"].as_array().unwrap().clone()
    }
}

/// The JSON in an answer, be it sent in pieces or whole.
#[track_caller]
fn parsed(body: &str) -> Value {
    let whole = body.find('{').zip(body.rfind('}'));
    let (first, last) = whole.unwrap_or_else(|| panic!("no JSON: {body}"));
    serde_json::from_str(&body[first..=last]).unwrap()
}

#[test]
fn the_person_connects_a_client_sees_it_call_and_mends_what_it_drops() {
    let home = Home::new();
    let file = put(&home, ".codex/config.toml", "model = \"x\" # mine\n");
    let rules = put(&home, ".codex/AGENTS.md", "Be brief.\n");
    let tab = Tab::new(home);
    assert_eq!(tab.client("codex")["state"], "found");
    let mut events = tab.events();

    // What was shown is what is done: had the file changed, nothing would be.
    let plan = tab.get("/api/clients/codex/plan?act=connect");
    assert_eq!(plan["rules"]["changes"], true, "{plan}");
    fs::write(&file, "model = \"y\" # mine\n").unwrap();
    let body = json!({"plan": plan["plan"]});
    let moved = tab.post("/api/clients/codex/connect", &body);
    assert_eq!(moved["outcome"], "moved", "{moved}");
    assert_eq!(moved["client"]["state"], "found");
    let body = json!({"plan": moved["plan"]["plan"]});
    let done = tab.post("/api/clients/codex/connect", &body);
    assert_eq!(done["outcome"], "connected", "{done}");
    assert_eq!(done["client"]["state"], "waiting", "{done}");
    assert_eq!(done["client"]["rules"]["there"], true, "{done}");
    assert!(fs::read_to_string(&rules).unwrap().contains("OzBrain"));
    assert_eq!(events.kind("client_connected")["client"], "codex");

    // A real call, of exactly what was written.
    call_as(&written(&file, "mcp_servers"), "codex-mcp-client");
    let called = events.kind("client_called");
    assert_eq!(called["connection"], "codex");
    assert_eq!(called["agent"]["client"], "codex-mcp-client 1.0.0");
    let works = tab.client("codex");
    assert_eq!(works["state"], "works", "{works}");
    assert_eq!(works["proof"]["client"], "codex-mcp-client", "{works}");
    assert!(tab.problems().is_empty());

    // It drops the entry: the person is told, and mends it in one act.
    fs::write(&file, "model = \"y\" # mine\n").unwrap();
    assert_eq!(events.kind("client_lost")["client"], "codex");
    let problems = tab.problems();
    assert_eq!(problems[0]["code"], "client_gone", "{problems:?}");
    assert_eq!(problems[0]["name"], "Codex and ChatGPT");
    assert_eq!(problems[0]["client"], "codex", "{problems:?}");
    assert_eq!(tab.act("codex", "connect")["client"]["state"], "waiting");
    events.kind("client_connected");
    assert!(tab.problems().is_empty());

    // One that comes back by itself is a problem no more either.
    let mended = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    events.kind("client_lost");
    fs::write(&file, mended).unwrap();
    events.kind("client_connected");
    assert!(tab.problems().is_empty());

    let done = tab.act("codex", "disconnect");
    assert_eq!(done["outcome"], "disconnected", "{done}");
    events.kind("client_disconnected");
    assert_eq!(fs::read_to_string(&file).unwrap(), "model = \"y\" # mine\n");
    assert_eq!(fs::read_to_string(&rules).unwrap(), "Be brief.\n");
    assert_eq!(tab.client("codex")["state"], "found");
}

#[test]
fn what_was_dropped_while_nobody_looked_is_told_at_the_start() {
    let home = Home::new();
    let file = put(&home, ".cursor/mcp.json", "{}");
    run(&home, &["connect", "cursor"]).ok();
    fs::write(&file, "{}").unwrap();
    let tab = Tab::new(home);
    // From the beginning on, so that nothing is missed.
    let mut events = Events::open(&tab.server, &tab.bearer, Some(0));
    events.kind("client_lost");
    assert_eq!(tab.problems()[0]["code"], "client_gone");
    // On the command line it is mended as well.
    run(&tab.home, &["connect", "cursor"]).ok();
    events.kind("client_connected");
    assert!(tab.problems().is_empty());
}

#[test]
fn an_unknown_client_starts_by_its_snippet() {
    let tab = Tab::new(Home::new());
    let mut events = tab.events();
    tab.post(
        "/api/connections",
        &json!({"connection": "My agent", "key": false}),
    );
    let snippets = tab.get("/api/snippets?connection=My%20agent");
    let text: Value = serde_json::from_str(snippets["stdio"]["text"].as_str().unwrap()).unwrap();
    let entry = &text["mcpServers"]["ozbrain"];
    let word = |it: &Value| it.as_str().unwrap().to_owned();
    let arguments = entry["args"].as_array().unwrap().iter().map(word);
    let words: Vec<String> = std::iter::once(word(&entry["command"]))
        .chain(arguments)
        .collect();
    call_as(&words, "something-new");
    assert_eq!(events.kind("client_called")["connection"], "My agent");
    assert!(tab.problems().is_empty());

    // Over HTTP, with a key in its place.
    let made = tab.post("/api/connections", &json!({"connection": "Far"}));
    let key = made["key"].as_str().unwrap();
    let http = tab.get("/api/snippets?connection=Far")["http"].clone();
    let text = http["text"].as_str().unwrap().replace("OZBRAIN_KEY", key);
    let text: Value = serde_json::from_str(&text).unwrap();
    let entry = &text["mcpServers"]["ozbrain"];
    let url = format!("http://127.0.0.1:{}/mcp", tab.server.port);
    assert_eq!(entry["url"], url);
    let bearer = entry["headers"]["Authorization"].as_str().unwrap();
    let called = tab.server.http().with("Authorization", bearer).post(
        "/mcp",
        ozbrain_tests::Http::tools_list().to_string().as_bytes(),
    );
    assert_eq!(called.status, 200, "{called:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn at_a_terminal_the_person_is_asked_about_rules() {
    for (answer, there) in [
        ("\n", true),
        ("y\n", true),
        ("n\n", false),
        ("what\n", false),
    ] {
        let home = Home::new();
        put(&home, ".claude.json", "{}");
        let rules = put(&home, ".claude/CLAUDE.md", "Be brief.\n");
        let ozbrain = home.command();
        let program = ozbrain.get_program().to_str().unwrap();
        // It gives what it starts a terminal.
        let mut terminal = Command::new("script");
        terminal.args([
            "-qec",
            &format!("'{program}' connect claude-code"),
            "/dev/null",
        ]);
        for (name, value) in ozbrain.get_envs() {
            if let Some(value) = value {
                terminal.env(name, value);
            }
        }
        let ran = Ran::given(terminal, answer);
        assert!(ran.stdout.contains("CLAUDE.md"), "{ran:?}");
        let text = fs::read_to_string(&rules).unwrap();
        assert_eq!(text.contains("OzBrain"), there, "{answer:?}: {ran:?}");
    }
}

#[test]
fn who_cannot_be_disconnected_is_told_what_to_take_out() {
    let home = Home::new();
    let file = put(&home, ".cursor/mcp.json", "{}\n");
    run(&home, &["connect", "cursor"]).ok();
    let broken = format!("{}}}", fs::read_to_string(&file).unwrap());
    fs::write(&file, &broken).unwrap();
    let ran = run(&home, &["disconnect", "cursor"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stdout.contains("take the entry `ozbrain` out of"),
        "{ran:?}"
    );
    assert!(!ran.stdout.contains("add this"), "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), broken);
}

#[test]
fn the_persons_no_to_rules_is_kept() {
    let home = Home::new();
    put(&home, ".claude.json", "{}");
    let rules = put(&home, ".claude/CLAUDE.md", "Be brief.\n");
    let shown = run(&home, &["connect", "claude-code", "--dry-run"]).ok();
    assert!(shown.stdout.contains("CLAUDE.md"), "{}", shown.stdout);
    // Where nobody can be asked, nobody said yes.
    let said = run(&home, &["connect", "claude-code"]).ok();
    assert!(said.stderr.contains("--rules"), "{}", said.stderr);
    assert_eq!(fs::read_to_string(&rules).unwrap(), "Be brief.\n");
    run(&home, &["disconnect", "claude-code"]).ok();
    run(&home, &["connect", "claude-code", "--no-rules"]).ok();
    assert_eq!(fs::read_to_string(&rules).unwrap(), "Be brief.\n");
    let said = run(&home, &["connect", "claude-code", "--rules"])
        .ok()
        .stdout;
    assert!(said.contains("tells its agents"), "{said}");
    assert!(fs::read_to_string(&rules).unwrap().contains("OzBrain"));
    run(&home, &["disconnect", "claude-code"]).ok();
    assert_eq!(fs::read_to_string(&rules).unwrap(), "Be brief.\n");
}

#[test]
fn a_call_before_it_was_connected_proves_nothing() {
    let home = Home::new();
    home.agent("cursor").close();
    put(&home, ".cursor/mcp.json", "{}");
    run(&home, &["connect", "cursor"]).ok();
    assert_eq!(client(&home, "cursor")["state"], "waiting");
}

#[test]
fn a_dropped_entry_is_told_and_made_again() {
    let home = Home::new();
    let file = put(&home, ".cursor/mcp.json", "{}");
    run(&home, &["connect", "cursor"]).ok();
    run(&home, &["doctor"]).ok();
    fs::write(&file, "{\"rewritten\": true}").unwrap();
    assert_eq!(client(&home, "cursor")["state"], "gone");
    let doctor = run(&home, &["doctor"]).exits(1);
    assert!(doctor.stdout.contains("entry is gone"), "{}", doctor.stdout);
    assert!(doctor.stderr.contains("client cursor"), "{}", doctor.stderr);
    run(&home, &["connect", "cursor"]).ok();
    assert_eq!(client(&home, "cursor")["state"], "waiting");
    run(&home, &["disconnect", "cursor"]).ok();
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"rewritten\": true}");
}

#[test]
fn a_revoked_connection_is_told_and_another_is_made() {
    let home = Home::new();
    put(&home, ".cursor/mcp.json", "{}");
    run(&home, &["connect", "cursor"]).ok();
    run(&home, &["connection", "revoke", "cursor"]).ok();
    assert_eq!(client(&home, "cursor")["state"], "revoked");
    run(&home, &["connect", "cursor"]).ok();
    let now = client(&home, "cursor");
    assert_eq!(
        (&now["state"], &now["connection"]),
        (&json!("waiting"), &json!("cursor-2"))
    );
    let rows = run(&home, &["connection", "list", "--json"]).json();
    let names: Vec<&Value> = rows["connections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["connection"])
        .collect();
    assert!(
        names.contains(&&json!("cursor-2")),
        "it is known before its first call: {rows}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_told_with_its_place_and_left() {
    let home = Home::new();
    let broken = "{\n  \"mcpServers\": {\n    \"a\": {}}\n";
    let file = put(&home, ".cursor/mcp.json", broken);
    let ran = run(&home, &["connect", "cursor"]).exits(1);
    assert!(
        ran.stderr.contains("Line 1, column 1") && ran.stderr.contains("mcp.json"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("by hand") && ran.stdout.contains("\"ozbrain\""),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("cursor://"), "{}", ran.stdout);
    let json = run(&home, &["connect", "cursor", "--json"]).exits(1);
    let plan: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(plan["problem"]["code"], "syntax");
    assert_eq!(plan["problem"]["place"], json!({"line": 1, "column": 1}));
    assert_eq!(client(&home, "cursor")["state"], "blocked");
    assert_eq!(fs::read_to_string(&file).unwrap(), broken);
    // What others broke in their own files is not ours to mend.
    run(&home, &["doctor"]).ok();
}

#[test]
fn an_unknown_client_is_refused_with_those_there_are() {
    let home = Home::new();
    let said = run(&home, &["connect", "emacs"]).refused();
    assert!(
        said.contains("claude-desktop") && said.contains("lmstudio"),
        "{said}"
    );
    run(&home, &["disconnect", "emacs"]).refused();
    run(&home, &["disconnect"]).exits(2);
    // One that is not connected has nothing to lose.
    let said = run(&home, &["disconnect", "cursor"]).ok().stdout;
    assert!(said.contains("not connected"), "{said}");
}
