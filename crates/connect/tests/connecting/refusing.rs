//! What cannot be done is refused, with the place and the way out, and the
//! file is as it was.

use crate::home::{Home, as_itself, done, now};
use ozbrain_connect::Platform::{Linux, MacOs, Windows};
use ozbrain_core::ports::Clients as _;
use ozbrain_core::views::clients::{ClientProblemCode, Place};
use std::fs;
use std::io::ErrorKind;
#[cfg(unix)]
use std::path::Path;

/// Client, file, bytes, code, place.
type Case = (
    &'static str,
    &'static str,
    &'static [u8],
    ClientProblemCode,
    Option<(u32, u32)>,
);

const DESKTOP: &str = ".config/Claude/claude_desktop_config.json";

const CASES: [Case; 14] = [
    (
        "cursor",
        ".cursor/mcp.json",
        b"{\n  \"mcpServers\": {,}\n}",
        ClientProblemCode::Syntax,
        Some((2, 18)),
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        b"{\"a\": 1,}",
        ClientProblemCode::Syntax,
        Some((1, 8)),
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        b"{\"mcpServers\": {}",
        ClientProblemCode::Syntax,
        Some((1, 1)),
    ),
    (
        "claude-desktop",
        DESKTOP,
        b"{\n  // mine\n}",
        ClientProblemCode::Syntax,
        Some((2, 3)),
    ),
    (
        "claude-desktop",
        DESKTOP,
        b"{\"mcpServers\": {}}\n{}",
        ClientProblemCode::Syntax,
        Some((2, 1)),
    ),
    (
        "claude-desktop",
        DESKTOP,
        b"\xff\xfe{\0}\0",
        ClientProblemCode::Syntax,
        Some((1, 1)),
    ),
    (
        "claude-desktop",
        DESKTOP,
        b"{\"\xc3\xa4\": \"\xff\"}",
        ClientProblemCode::Syntax,
        Some((1, 8)),
    ),
    (
        "claude-desktop",
        DESKTOP,
        b"[]",
        ClientProblemCode::Shape,
        Some((1, 1)),
    ),
    (
        "claude-desktop",
        DESKTOP,
        b"{\"mcpServers\": null}",
        ClientProblemCode::Shape,
        Some((1, 16)),
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        b"{\"mcpServers\": {}, \"mcpServers\": {}}",
        ClientProblemCode::Ambiguous,
        Some((1, 20)),
    ),
    (
        "codex",
        ".codex/config.toml",
        b"model = \"x\"\nmodel = \"y\"\n",
        ClientProblemCode::Syntax,
        Some((2, 1)),
    ),
    (
        "codex",
        ".codex/config.toml",
        b"mcp_servers = [1]\n",
        ClientProblemCode::Shape,
        Some((1, 15)),
    ),
    (
        "goose",
        ".config/goose/config.yaml",
        b"a: 1\n b: 2\n",
        ClientProblemCode::Syntax,
        Some((2, 3)),
    ),
    (
        "goose",
        ".config/goose/config.yaml",
        b"extensions: []\n",
        ClientProblemCode::Shape,
        Some((1, 13)),
    ),
];

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_never_written() {
    for (client, path, bytes, code, place) in CASES {
        let home = Home::on(Linux);
        let file = home.put(path, bytes);
        let what = format!("{client}: {}", String::from_utf8_lossy(bytes));
        let plan = home.plan(client);
        let problem = plan.problem.expect(&what);
        assert_eq!(problem.code, code, "{what}: {}", problem.message);
        let at = place.map(|(line, column)| Place { line, column });
        assert_eq!(problem.place, at, "{what}: {}", problem.message);
        assert!(
            problem.message.contains(file.to_str().unwrap()),
            "{}",
            problem.message
        );
        // What to add by hand is there all the same.
        assert!(plan.snippet.contains("ozbrain") && plan.snippet.contains("--data-dir"));
        assert!(!plan.changes && plan.diff.is_empty());
        let refusal = home.refused(client);
        assert_eq!(refusal.message, problem.message);
        assert_eq!(fs::read(&file).unwrap(), bytes, "{what}");
        assert!(
            !home.data.join("clients").exists(),
            "{what}: nothing is written down"
        );
    }
}

#[test]
fn what_would_cost_somebody_elses_words_is_refused_with_the_line() {
    let home = Home::on(Linux);
    let file = home.put(".config/goose/config.yaml", "extensions: {}\n");
    home.connected("goose");
    let made = fs::read_to_string(&file).unwrap();
    // Another server is told to be as ours is: without ours it would be nothing.
    let shared = made.replace("ozbrain:\n", "ozbrain: &as\n") + "  other: *as\n";
    fs::write(&file, &shared).unwrap();
    let problem = home.plan_disconnect("goose").problem.unwrap();
    assert_eq!(problem.code, ClientProblemCode::Shape);
    assert!(
        problem.message.contains("line 2, column 3 is written"),
        "{}",
        problem.message
    );
    assert!(problem.message.contains(file.to_str().unwrap()));
    home.disconnect("goose").unwrap_err();
    assert_eq!(fs::read_to_string(&file).unwrap(), shared);
}

#[test]
fn a_folder_in_the_files_place_is_refused() {
    let home = Home::on(Linux);
    fs::create_dir_all(home.path(".cursor/mcp.json/x")).unwrap();
    assert_eq!(
        home.plan("cursor").problem.unwrap().code,
        ClientProblemCode::Unreadable
    );
    home.refused("cursor");
    assert!(home.path(".cursor/mcp.json/x").is_dir());
    home.disconnect("cursor").unwrap_err();
}

#[test]
fn a_file_that_is_read_only_is_refused_to_whoever_asks() {
    // By its mode, so that it holds for the superuser too.
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    let mut mode = fs::metadata(&file).unwrap().permissions();
    mode.set_readonly(true);
    fs::set_permissions(&file, mode).unwrap();
    let problem = home.plan("cursor").problem.unwrap();
    assert_eq!(problem.code, ClientProblemCode::ReadOnly);
    home.refused("cursor");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    // Nothing to change: nothing to refuse.
    assert_eq!(home.plan_disconnect("cursor").problem, None);
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_read_only_is_told_before_anything_is_done() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::on(Linux);
    let real = home.put("dotfiles/mcp.json", "{}");
    let folder = real.parent().unwrap();
    fs::create_dir_all(home.path(".cursor")).unwrap();
    std::os::unix::fs::symlink(&real, home.path(".cursor/mcp.json")).unwrap();
    let mode = |folder: &Path, mode| {
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(folder, 0o555);
    let problem = home.plan("cursor").problem.unwrap();
    assert_eq!(problem.code, ClientProblemCode::ReadOnly);
    // As the client names it, and the folder that is meant.
    for path in [&home.path(".cursor/mcp.json"), &folder.to_owned()] {
        assert!(
            problem.message.contains(path.to_str().unwrap()),
            "{}",
            problem.message
        );
    }
    home.refused("cursor");
    mode(folder, 0o755);
    assert_eq!(home.plan("cursor").problem, None);
    // One that is not there yet.
    let closed = home.path(".gemini");
    fs::create_dir_all(&closed).unwrap();
    mode(&closed, 0o555);
    let plan = home.plan("gemini");
    assert_eq!(plan.problem.unwrap().code, ClientProblemCode::ReadOnly);
    mode(&closed, 0o755);
    // Its rules alone are elsewhere, and stay as they are.
    let home = Home::on(Linux);
    let memories = home.path(".codeium/windsurf/memories");
    fs::create_dir_all(&memories).unwrap();
    mode(&memories, 0o555);
    let plan = home.plan("windsurf");
    assert_eq!(plan.problem, None);
    let problem = plan.rules.unwrap().problem.unwrap();
    assert_eq!(problem.code, ClientProblemCode::ReadOnly);
    mode(&memories, 0o755);
}

#[test]
fn a_file_system_that_refuses_leaves_everything_as_it_was() {
    for kind in [
        ErrorKind::PermissionDenied,
        ErrorKind::ReadOnlyFilesystem,
        ErrorKind::StorageFull,
    ] {
        let home = Home::on(Linux);
        let file = home.put(".cursor/mcp.json", "{}");
        *home.computer.fails.lock().unwrap() = Some(kind);
        let refusal = home.refused("cursor");
        assert!(refusal.message.contains("is as it was"), "{refusal}");
        let to_do = match kind {
            ErrorKind::StorageFull => "Make room",
            _ => "Make its folder writable",
        };
        assert!(refusal.message.contains(to_do), "{refusal}");
        assert!(refusal.message.contains(file.to_str().unwrap()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
        assert_eq!(fs::read_dir(home.path(".cursor")).unwrap().count(), 1);
        assert_eq!(home.found("cursor").made, None);
    }
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    home.connected("cursor");
    let made = fs::read(&file).unwrap();
    *home.computer.fails.lock().unwrap() = Some(ErrorKind::PermissionDenied);
    home.disconnect("cursor").unwrap_err();
    assert_eq!(fs::read(&file).unwrap(), made);
    assert!(home.found("cursor").made.is_some());
}

#[test]
fn a_data_folder_that_cannot_be_written_leaves_the_file_as_it_was() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    fs::write(home.data.join("backups"), "in the way").unwrap();
    home.refused("cursor");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

#[test]
fn claude_desktop_has_to_be_quit_first() {
    // Their programs are called alike.
    for (platform, code, process) in [
        (MacOs, "claude", "Claude"),
        (
            MacOs,
            "/Users/ann/.local/share/claude/versions/2.1.37",
            "/Applications/Claude.app/Contents/MacOS/Claude",
        ),
        (Linux, "claude", "claude-desktop"),
        (
            Linux,
            "/usr/local/bin/claude",
            "/usr/lib/claude-desktop/claude-desktop",
        ),
        (
            Windows,
            r"C:\Users\Ann\.local\bin\claude.exe",
            r"C:\Program Files\WindowsApps\Claude_1.1.381.0_x64__pzs8sxrjxfjjc\app\claude.exe",
        ),
        (
            Windows,
            r"C:\Users\Ann\AppData\Roaming\Claude\claude-code\2.1.37\claude.exe",
            r"C:\Users\Ann\AppData\Local\AnthropicClaude\app-0.14.10\Claude.exe",
        ),
        // Of one whose path is not told.
        (
            Windows,
            "claude.exe",
            r"c:\users\ann\appdata\local\anthropicclaude\app-0.14.10\CLAUDE.EXE",
        ),
    ] {
        let home = Home::on(platform);
        home.computer.runs(code);
        assert_eq!(
            home.plan("claude-desktop").problem,
            None,
            "{code} is Claude Code"
        );
        fs::create_dir_all(home.path(".claude")).unwrap();
        fs::create_dir_all(home.environment.app_config.join("Claude")).unwrap();
        assert!(home.found("claude-code").running, "{code}");
        assert!(!home.found("claude-desktop").running, "{code}");
        home.computer.running.lock().unwrap().clear();
        home.computer.runs(process);
        assert!(!home.found("claude-code").running, "{process}");
        assert!(home.found("claude-desktop").running, "{process}");
        let problem = home.plan("claude-desktop").problem.unwrap();
        assert_eq!(problem.code, ClientProblemCode::Running);
        assert!(home.refused("claude-desktop").message.contains("Quit it"));
        let wish = as_itself("claude-desktop");
        let clients = home.clients().even_while_running(true);
        let outcome = clients.carry_out("claude-desktop", &wish, None, now());
        assert!(done(outcome).unwrap().changes);
        home.disconnect("claude-desktop").unwrap_err();
    }
}

#[test]
fn without_a_command_that_stays_nothing_is_written() {
    let home = Home::on(Linux);
    home.put(".cursor/mcp.json", "{}");
    let clients = ozbrain_connect::InstalledClients::new(
        home.environment.clone(),
        std::sync::Arc::new(ozbrain_connect::ThisComputer::alone()),
        Err(ozbrain_core::Refusal::unavailable("It goes away.")),
        ozbrain_connect::DataFolder {
            path: home.data.clone(),
            usual: true,
        },
    );
    let plan = clients.plan("cursor", &as_itself("cursor")).unwrap();
    assert_eq!(plan.problem.unwrap().code, ClientProblemCode::NoCommand);
    let refusal = clients
        .carry_out("cursor", &as_itself("cursor"), None, now())
        .unwrap_err();
    assert_eq!(refusal.message, "It goes away.");
}
