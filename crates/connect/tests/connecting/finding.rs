//! Where each client keeps its servers, on each platform, and what shows that
//! it is there.

use crate::home::{Home, PLATFORMS, as_itself, now};
use ozbrain_connect::Platform::{Linux, MacOs, Windows};
use ozbrain_core::ports::Clients as _;
use ozbrain_core::views::clients::{ClientProblemCode, ClientWay, FileEffect};
use std::fs;

const MSIX: &str = "AppData/Local/Packages/Claude_pzs8sxrjxfjjc";

/// Client, platform, the file beneath the home folder.
const FILES: &[(&str, [&str; 3])] = &[
    (
        "claude-desktop",
        [
            ".config/Claude/claude_desktop_config.json",
            "Library/Application Support/Claude/claude_desktop_config.json",
            "AppData/Roaming/Claude/claude_desktop_config.json",
        ],
    ),
    ("claude-code", [".claude.json"; 3]),
    ("cursor", [".cursor/mcp.json"; 3]),
    (
        "vscode",
        [
            ".config/Code/User/mcp.json",
            "Library/Application Support/Code/User/mcp.json",
            "AppData/Roaming/Code/User/mcp.json",
        ],
    ),
    ("codex", [".codex/config.toml"; 3]),
    ("windsurf", [".codeium/windsurf/mcp_config.json"; 3]),
    ("gemini", [".gemini/settings.json"; 3]),
    (
        "zed",
        [
            ".config/zed/settings.json",
            ".config/zed/settings.json",
            "AppData/Roaming/Zed/settings.json",
        ],
    ),
    (
        "goose",
        [
            ".config/goose/config.yaml",
            ".config/goose/config.yaml",
            "AppData/Roaming/Block/goose/config/config.yaml",
        ],
    ),
    ("cline", [".cline/data/settings/cline_mcp_settings.json"; 3]),
    ("junie", [".junie/mcp/mcp.json"; 3]),
    ("opencode", [".config/opencode/opencode.json"; 3]),
    ("lmstudio", [".lmstudio/mcp.json"; 3]),
];

#[test]
fn each_client_is_found_where_its_vendor_says() {
    for (client, files) in FILES {
        for (platform, file) in PLATFORMS.into_iter().zip(files) {
            let home = Home::on(platform);
            let none = home.found(client);
            assert!(!none.installed, "{client} is not on {platform:?} yet");
            assert_eq!(none.file, home.path(file).display().to_string());
            home.put(file, "");
            let found = home.found(client);
            assert!(found.installed, "{client} on {platform:?}");
            assert_eq!(found.file, home.path(file).display().to_string());
        }
    }
    let known: Vec<String> = Home::on(Linux)
        .clients()
        .all()
        .into_iter()
        .map(|it| it.client)
        .collect();
    let told: Vec<&str> = FILES.iter().map(|(client, _)| *client).collect();
    assert_eq!(known, told);
}

#[test]
fn a_client_without_its_file_is_found_by_its_folder_or_its_program() {
    for (client, platform, sign) in [
        ("cursor", Linux, ".cursor/extensions"),
        ("claude-desktop", Windows, &*format!("{MSIX}/LocalCache")),
        ("claude-desktop", MacOs, "Applications/Claude.app"),
        ("codex", Linux, ".codex/sessions"),
        (
            "codex",
            Windows,
            "AppData/Local/Packages/OpenAI.ChatGPT-Desktop_2p2nqsd0c76g0/x",
        ),
        (
            "vscode",
            Linux,
            ".var/app/com.visualstudio.code/config/Code/User",
        ),
        ("zed", Linux, ".var/app/dev.zed.Zed/config/zed"),
        (
            "cline",
            MacOs,
            ".vscode/extensions/saoudrizwan.claude-dev-3.4.0",
        ),
    ] {
        let home = Home::on(platform);
        fs::create_dir_all(home.path(sign)).unwrap();
        assert!(home.found(client).installed, "{client} by {sign}");
    }
    // Antigravity has the folder too.
    let home = Home::on(Linux);
    fs::create_dir_all(home.path(".gemini/config")).unwrap();
    assert!(!home.found("gemini").installed);
    for (client, program) in [
        ("gemini", "gemini"),
        ("goose", "goose"),
        ("claude-code", "claude"),
    ] {
        let mut home = Home::on(Linux);
        let bin = home.root().join("bin");
        fs::create_dir(&bin).unwrap();
        let path = bin.to_str().unwrap().to_owned();
        home.environment.variables.insert("PATH".into(), path);
        assert!(!home.found(client).installed);
        crate::home::program_at(&bin.join(program));
        assert!(home.found(client).installed, "{client} by its command");
    }
}

#[test]
fn a_command_is_found_where_installers_put_it_whatever_the_search_path() {
    for (platform, client, program) in [
        (Linux, "gemini", "HOME/.npm-global/bin/gemini"),
        (Linux, "goose", "HOME/.local/bin/goose"),
        (Linux, "claude-code", "ROOT/usr/local/bin/claude"),
        (MacOs, "gemini", "ROOT/opt/homebrew/bin/gemini"),
        (MacOs, "claude-code", "HOME/.local/bin/claude"),
        (MacOs, "opencode", "HOME/.bun/bin/opencode"),
        (Windows, "claude-code", "HOME/.local/bin/claude.exe"),
        (Windows, "gemini", "HOME/AppData/Roaming/npm/gemini.cmd"),
    ] {
        let mut home = Home::on(platform);
        // As the Dock has it.
        let path = "/no/such/bin".to_owned();
        home.environment.variables.insert("PATH".into(), path);
        assert!(!home.found(client).installed, "{client}");
        let program = program.replace("HOME", home.environment.home.to_str().unwrap());
        let program = program.replace("ROOT", home.root().to_str().unwrap());
        let program = std::path::PathBuf::from(program);
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        crate::home::program_at(&program);
        assert!(home.found(client).installed, "{client} on {platform:?}");
    }
    // And so is that of a client that runs.
    let home = Home::on(MacOs);
    home.put(".claude.json", "{}");
    let program = home.root().join("opt/homebrew/bin/claude");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    crate::home::program_at(&program);
    home.computer.runs("claude");
    let ClientWay::Command { command, .. } = home.plan("claude-code").way else {
        panic!("it is edited");
    };
    assert_eq!(command[0], program.display().to_string());
}

#[test]
fn variables_that_move_a_client_are_followed() {
    for (client, variable, file) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        (
            "cline",
            "CLINE_DIR",
            "data/settings/cline_mcp_settings.json",
        ),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("goose", "GOOSE_PATH_ROOT", "config/config.yaml"),
        ("zed", "FLATPAK_XDG_CONFIG_HOME", "zed/settings.json"),
    ] {
        let mut home = Home::on(Linux);
        for old in FILES.iter().filter(|(name, _)| *name == client) {
            home.put(old.1[0], "");
        }
        let moved = home.path("elsewhere");
        let value = moved.to_str().unwrap().to_owned();
        home.environment.variables.insert(variable.into(), value);
        assert_eq!(
            home.found(client).file,
            moved.join(file).display().to_string()
        );
        // A folder that is none is not one.
        home.environment
            .variables
            .insert(variable.into(), "here".into());
        assert_ne!(
            home.found(client).file,
            moved.join(file).display().to_string()
        );
    }
}

#[test]
fn the_store_build_of_claude_desktop_goes_before_a_file_that_is_left_over() {
    let home = Home::on(Windows);
    let stale = home.put("AppData/Roaming/Claude/claude_desktop_config.json", "{}");
    fs::create_dir_all(home.path(MSIX)).unwrap();
    let plan = home.connected("claude-desktop");
    let real = home.path(&format!(
        "{MSIX}/LocalCache/Roaming/Claude/claude_desktop_config.json"
    ));
    assert_eq!(plan.file, real.display().to_string());
    assert_eq!(plan.effect, FileEffect::Made);
    assert_eq!(fs::read_to_string(&stale).unwrap(), "{}");
    home.disconnected("claude-desktop");
    // With the folders that were made for it.
    assert_eq!(fs::read_dir(home.path(MSIX)).unwrap().count(), 0);

    fs::create_dir_all(home.path("AppData/Local/Packages/Claude_other")).unwrap();
    let plan = home.plan("claude-desktop");
    assert_eq!(plan.problem.unwrap().code, ClientProblemCode::SeveralFiles);
    let refusal = home.refused("claude-desktop");
    assert!(refusal.message.contains("Claude_other"), "{refusal}");
}

#[test]
fn of_two_files_the_one_that_is_there_is_taken() {
    let home = Home::on(Linux);
    home.put(".config/opencode/opencode.jsonc", "{}");
    assert!(home.found("opencode").file.ends_with("opencode.jsonc"));
    let home = Home::on(Linux);
    home.put(".config/Code - Insiders/User/mcp.json", "{}");
    assert!(home.found("vscode").file.contains("Insiders"));
    fs::create_dir_all(home.path(".config/Code/User")).unwrap();
    assert!(!home.found("vscode").file.contains("Insiders"));
    let home = Home::on(Linux);
    let old = "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
    home.put(&format!(".config/{old}"), "{}");
    assert!(home.found("cline").file.ends_with(old));
    fs::create_dir_all(home.path(".cline/data")).unwrap();
    assert!(home.found("cline").file.contains(".cline"));
}

#[test]
fn a_client_in_a_sandbox_starts_the_command_outside_of_it() {
    let home = Home::on(Linux);
    let file = home.put(
        ".var/app/com.visualstudio.code/config/Code/User/mcp.json",
        "{}",
    );
    let plan = home.connected("vscode");
    assert!(
        plan.notes.iter().any(|note| note.contains("sandbox")),
        "{:?}",
        plan.notes
    );
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let entry = &json["servers"]["ozbrain"];
    assert_eq!(entry["command"], "flatpak-spawn");
    assert_eq!(entry["args"][0], "--host");
    assert_eq!(entry["args"][1], home.program.to_str().unwrap());
    let found = home.found("vscode").entry.unwrap();
    assert!(found.current);
    home.disconnected("vscode");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

#[test]
fn a_name_that_is_no_clients_is_refused_with_those_there_are() {
    let home = Home::on(Linux);
    let refusal = home
        .clients()
        .plan("emacs", &as_itself("emacs"))
        .unwrap_err();
    assert!(refusal.message.contains("claude-desktop"), "{refusal}");
    let refusal = home
        .clients()
        .carry_out("emacs", &as_itself("emacs"), None, now())
        .unwrap_err();
    assert!(refusal.message.contains("lmstudio"), "{refusal}");
}
