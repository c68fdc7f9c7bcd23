//! A client that reads another file than it did: an entry in the old one is no
//! help to it, and what was put there is not forgotten.

use crate::home::Home;
use ozbrain_connect::Platform::{self, Linux, Windows};
use ozbrain_core::views::clients::FileEffect;
use std::fs;
use std::path::PathBuf;

const MSIX: &str = "AppData/Local/Packages/Claude_pzs8sxrjxfjjc";

/// What moves a client.
type Moves = fn(&mut Home);

/// Client, platform, the file before, what it holds, what moves it, the file
/// then.
type Case = (
    &'static str,
    Platform,
    &'static str,
    &'static str,
    Moves,
    &'static str,
);

const CASES: [Case; 3] = [
    (
        "claude-desktop",
        Windows,
        "AppData/Roaming/Claude/claude_desktop_config.json",
        "{\"theme\": \"dark\"}\n",
        |home| fs::create_dir_all(home.path(MSIX)).unwrap(),
        "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
    ),
    (
        "codex",
        Linux,
        ".codex/config.toml",
        "model = \"x\" # mine\n",
        |home| {
            let folder = home.path("elsewhere").display().to_string();
            let variables = &mut home.environment.variables;
            variables.insert("CODEX_HOME".into(), folder);
        },
        "elsewhere/config.toml",
    ),
    (
        "vscode",
        Linux,
        ".var/app/com.visualstudio.code/config/Code/User/mcp.json",
        "{\n  // mine\n}\n",
        |home| fs::create_dir_all(home.path(".config/Code/User")).unwrap(),
        ".config/Code/User/mcp.json",
    ),
];

/// A home whose client was connected and reads another file now: with the file
/// before and what stands in it, and the file now.
fn moved((client, platform, old, text, moves, new): Case) -> (Home, PathBuf, String, PathBuf) {
    let mut home = Home::on(platform);
    let old = home.put(old, text);
    assert_eq!(home.connected(client).file, old.display().to_string());
    let made = fs::read_to_string(&old).unwrap();
    moves(&mut home);
    let new = home.path(new);
    (home, old, made, new)
}

#[test]
fn an_entry_in_the_old_file_connects_nobody() {
    for case in CASES {
        let client = case.0;
        let (home, old, made, new) = moved(case);
        let found = home.found(client);
        assert_eq!(found.file, new.display().to_string(), "{client}");
        assert!(found.entry.is_none(), "{client}: {found:?}");
        assert!(found.made.is_some(), "{client}: it was connected");

        let plan = home.connected(client);
        assert_eq!(plan.file, new.display().to_string(), "{client}");
        let told = |note: &String| note.contains(old.to_str().unwrap());
        assert!(plan.notes.iter().any(told), "{client}: {:?}", plan.notes);
        assert!(home.found(client).entry.unwrap().current, "{client}");
        let text = fs::read_to_string(&new).unwrap();
        assert!(!text.contains("flatpak-spawn"), "{client}: {text}");
        // Whoever reads the old one still is as well off as before.
        assert_eq!(fs::read_to_string(&old).unwrap(), made, "{client}");
        assert!(!home.connected(client).changes, "{client}: a second time");
    }
}

#[test]
fn disconnecting_takes_out_what_was_put_into_either() {
    for case in CASES {
        let (client, text) = (case.0, case.3);
        let (home, old, _, new) = moved(case);
        home.connected(client);
        let plan = home.plan_disconnect(client);
        assert_eq!(plan.file, new.display().to_string(), "{client}");
        let told = |note: &String| note.contains(old.to_str().unwrap());
        assert!(plan.notes.iter().any(told), "{client}: {:?}", plan.notes);
        // What is done to the old one is part of what was shown.
        fs::write(&old, fs::read_to_string(&old).unwrap() + "\n").unwrap();
        assert_ne!(home.plan_disconnect(client).plan, plan.plan, "{client}");

        assert_eq!(home.disconnected(client).effect, FileEffect::Removed);
        assert!(!new.exists(), "{client}");
        let left = fs::read_to_string(&old).unwrap();
        assert_eq!(left, format!("{text}\n"), "{client}");
        let found = home.found(client);
        assert!(found.made.is_none() && found.entry.is_none(), "{client}");
    }
}

#[test]
fn a_client_that_moved_and_was_not_connected_again_is_disconnected_where_it_was() {
    for case in CASES {
        let (client, text) = (case.0, case.3);
        let (home, old, _, new) = moved(case);
        let plan = home.plan_disconnect(client);
        assert_eq!(plan.file, old.display().to_string(), "{client}");
        home.disconnected(client);
        assert_eq!(fs::read_to_string(&old).unwrap(), text, "{client}");
        assert!(!new.exists(), "{client}");
        assert!(home.found(client).made.is_none(), "{client}");

        // Also where the file of now cannot be read, and never was ours.
        let (home, old, _, new) = moved(case);
        fs::create_dir_all(new.join("x")).unwrap();
        assert!(home.found(client).problem.is_some(), "{client}");
        home.disconnected(client);
        assert_eq!(fs::read_to_string(&old).unwrap(), text, "{client}");
    }
}

#[test]
fn a_client_that_moves_back_finds_its_entry_as_it_was() {
    let case = CASES[2];
    let (home, old, made, _) = moved(case);
    home.connected("vscode");
    fs::remove_dir_all(home.path(".config/Code")).unwrap();
    let found = home.found("vscode");
    assert_eq!(found.file, old.display().to_string());
    let entry = found.entry.unwrap();
    assert!(entry.current && !entry.altered, "{entry:?}");
    assert!(!home.connected("vscode").changes);
    assert_eq!(fs::read_to_string(&old).unwrap(), made);
    home.disconnected("vscode");
    assert_eq!(fs::read_to_string(&old).unwrap(), case.3);
    assert!(home.found("vscode").made.is_none());
}
