//! The section on OzBrain in clients' rules files: put there by the person's
//! yes, taken out to the byte, and never in the way of connecting.

use crate::home::{Home, PLATFORMS, as_connection, moved, now};
use ozbrain_connect::Platform::{self, Linux, MacOs, Windows};
use ozbrain_core::ports::{ClientWish, Clients as _};
use ozbrain_core::views::clients::{ClientProblemCode, DiffKind, FileEffect, RulesPlan};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Client, platform, its rules file beneath the home folder.
const FILES: [(&str, Platform, &str); 17] = [
    ("claude-code", Linux, ".claude/CLAUDE.md"),
    ("claude-code", MacOs, ".claude/CLAUDE.md"),
    ("claude-code", Windows, ".claude/CLAUDE.md"),
    ("codex", Linux, ".codex/AGENTS.md"),
    ("codex", Windows, ".codex/AGENTS.md"),
    (
        "windsurf",
        Linux,
        ".codeium/windsurf/memories/global_rules.md",
    ),
    ("gemini", Linux, ".gemini/GEMINI.md"),
    ("zed", Linux, ".config/zed/AGENTS.md"),
    ("zed", MacOs, ".config/zed/AGENTS.md"),
    ("zed", Windows, "AppData/Roaming/Zed/AGENTS.md"),
    ("goose", MacOs, ".config/goose/.goosehints"),
    (
        "goose",
        Windows,
        "AppData/Roaming/Block/goose/config/.goosehints",
    ),
    ("cline", Linux, ".cline/rules/ozbrain.md"),
    ("opencode", Linux, ".config/opencode/AGENTS.md"),
    (
        "vscode",
        Linux,
        ".config/Code/User/prompts/ozbrain.instructions.md",
    ),
    (
        "vscode",
        MacOs,
        "Library/Application Support/Code/User/prompts/ozbrain.instructions.md",
    ),
    (
        "vscode",
        Windows,
        "AppData/Roaming/Code/User/prompts/ozbrain.instructions.md",
    ),
];

/// The same, of those that keep it in one place everywhere.
const EVERYWHERE: [(&str, Platform, &str); 10] = [
    ("codex", MacOs, ".codex/AGENTS.md"),
    (
        "windsurf",
        MacOs,
        ".codeium/windsurf/memories/global_rules.md",
    ),
    (
        "windsurf",
        Windows,
        ".codeium/windsurf/memories/global_rules.md",
    ),
    ("gemini", MacOs, ".gemini/GEMINI.md"),
    ("gemini", Windows, ".gemini/GEMINI.md"),
    ("goose", Linux, ".config/goose/.goosehints"),
    ("cline", MacOs, ".cline/rules/ozbrain.md"),
    ("cline", Windows, ".cline/rules/ozbrain.md"),
    ("opencode", MacOs, ".config/opencode/AGENTS.md"),
    ("opencode", Windows, ".config/opencode/AGENTS.md"),
];

const NONE: [&str; 4] = ["claude-desktop", "cursor", "junie", "lmstudio"];

/// Kinds of texts.
const TEXTS: [(&str, &str); 12] = [
    ("empty", ""),
    ("blank", "\n\n"),
    ("one line", "Be brief."),
    ("with its line end", "# Mine\n\nBe brief.\n"),
    ("an empty line at its end", "# Mine\n\nBe brief.\n\n"),
    ("many empty lines at its end", "Be brief.\n\n\n\n"),
    ("CRLF", "# Mine\r\n\r\nBe brief.\r\n"),
    ("CRLF without its last", "# Mine\r\nBe brief."),
    ("a byte-order mark", "\u{feff}# Mine\r\n"),
    ("tabs and blanks", "\t- a\n   \n"),
    (
        "comments and sections of others",
        "<!-- other: begin -->\nUse tool x.\n<!-- other: end -->\n@import.md\n```\n<!-- not OzBrain: begin. -->\n```\n",
    ),
    ("other letters", "Sei höflich 😀\n"),
];

fn rules(plan: Option<RulesPlan>) -> RulesPlan {
    plan.expect("a rules file")
}

#[test]
fn each_client_has_its_own_rules_file_or_none() {
    for (client, platform, path) in FILES.into_iter().chain(EVERYWHERE) {
        let home = Home::on(platform);
        let found = home.found(client).rules.unwrap();
        assert_eq!(PathBuf::from(found.file), home.path(path), "{client}");
        assert!(!found.there);
        let made = rules(home.connected(client).rules);
        assert_eq!(made.effect, FileEffect::Made, "{client}");
        assert!(home.path(path).exists(), "{client}");
        home.disconnected(client);
        assert!(!home.path(path).exists(), "{client}");
    }
    for client in NONE {
        for platform in PLATFORMS {
            let home = Home::on(platform);
            assert_eq!(home.found(client).rules, None, "{client}");
            assert_eq!(home.plan(client).rules, None, "{client}");
        }
    }
}

#[test]
fn every_text_is_the_same_to_the_byte_once_the_client_is_disconnected() {
    for (client, platform, path) in FILES {
        for (kind, text) in TEXTS {
            let what = format!("{client} on {platform:?}, {kind}");
            let home = Home::on(platform);
            let file = home.put(path, text);
            let planned = rules(home.plan(client).rules);
            assert!(planned.changes && planned.wanted, "{what}");
            let done = rules(home.connected(client).rules);
            assert_eq!(done, planned, "{what}: done as it was shown");
            let made = fs::read_to_string(&file).unwrap();
            assert!(made.starts_with(text), "{what}: {made}");
            assert!(made.contains("call OzBrain's `search`"), "{what}: {made}");
            if kind.starts_with("CRLF") {
                let all = made.matches('\n').count();
                assert_eq!(all, made.matches("\r\n").count(), "{what}");
            }
            assert!(home.found(client).rules.unwrap().there, "{what}");
            assert!(!home.connected(client).changes, "{what}: a second time");

            let done = rules(home.disconnected(client).rules);
            assert!(done.changes && !done.wanted, "{what}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text, "{what}");
            assert!(!home.found(client).rules.unwrap().there, "{what}");
        }
    }
}

#[test]
fn what_was_written_around_it_meanwhile_stays() {
    let home = Home::on(Linux);
    let file = home.put(".claude/CLAUDE.md", "# Mine\n\nBe brief.");
    home.connected("claude-code");
    let made = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("Top.\n{made}\nBottom.\n")).unwrap();
    home.disconnected("claude-code");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "Top.\n# Mine\n\nBe brief.\nBottom.\n"
    );
}

#[test]
fn a_file_that_was_made_goes_again_unless_something_was_written_there() {
    let home = Home::on(Linux);
    let plan = rules(home.plan("claude-code").rules);
    assert_eq!(plan.effect, FileEffect::Made);
    home.connected("claude-code");
    let done = rules(home.disconnected("claude-code").rules);
    assert_eq!(done.effect, FileEffect::Removed);
    assert!(!home.path(".claude").exists());

    home.connected("claude-code");
    let file = home.path(".claude/CLAUDE.md");
    let made = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{made}Be brief.\n")).unwrap();
    home.disconnected("claude-code");
    assert_eq!(fs::read_to_string(&file).unwrap(), "Be brief.\n");
}

#[test]
fn instructions_of_vs_code_apply_everywhere() {
    let home = Home::on(Linux);
    home.connected("vscode");
    let file = home.path(".config/Code/User/prompts/ozbrain.instructions.md");
    let made = fs::read_to_string(&file).unwrap();
    assert!(
        made.starts_with("---\napplyTo: \"**\"\n---\n\n<!--"),
        "{made}"
    );
    home.disconnected("vscode");
    assert!(!file.exists());
}

#[test]
fn the_persons_no_is_kept() {
    let home = Home::on(Linux);
    let file = home.put(".claude/CLAUDE.md", "# Mine\n");
    let no = as_connection("claude-code", Some(false));
    let plan = home.clients().plan("claude-code", &no).unwrap();
    assert!(plan.changes && !rules(plan.rules).changes);
    home.carry_out("claude-code", &no).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Mine\n");
    // Unless told it stays as it is, also where the entry has to be mended.
    fs::write(home.path(".claude.json"), "{}").unwrap();
    home.connected("claude-code");
    assert!(home.found("claude-code").entry.is_some());
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Mine\n");
    // And the other way round.
    let yes = as_connection("claude-code", Some(true));
    let done = home.carry_out("claude-code", &yes).unwrap();
    assert!(done.changes && done.effect == FileEffect::Same);
    fs::write(home.path(".claude.json"), "{}").unwrap();
    home.connected("claude-code");
    assert!(home.found("claude-code").rules.unwrap().there);
    // A later no takes it out.
    home.carry_out("claude-code", &no).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Mine\n");
    assert!(home.found("claude-code").entry.is_some());
}

#[test]
fn an_older_section_is_brought_up_where_it_stands() {
    let home = Home::on(Linux);
    let text =
        "Top.\n<!-- OzBrain: begin. As it once was. -->\nOld.\n<!-- OzBrain: end. -->\nBottom.\n";
    let file = home.put(".gemini/GEMINI.md", text);
    let plan = rules(home.plan("gemini").rules);
    let gone: Vec<&str> = plan
        .diff
        .iter()
        .filter(|line| line.kind == DiffKind::Removed)
        .map(|line| line.text.as_str())
        .collect();
    assert_eq!(gone, ["<!-- OzBrain: begin. As it once was. -->", "Old."]);
    home.connected("gemini");
    let made = fs::read_to_string(&file).unwrap();
    assert!(made.starts_with("Top.\n<!--") && made.ends_with("-->\nBottom.\n"));
    home.disconnected("gemini");
    assert_eq!(fs::read_to_string(&file).unwrap(), "Top.\nBottom.\n");
}

#[test]
fn the_file_that_the_client_really_reads_is_taken() {
    // Codex reads the override alone, where it says anything.
    let home = Home::on(Linux);
    home.put(".codex/AGENTS.override.md", " \n");
    home.put(".codex/AGENTS.md", "Mine.\n");
    let file = |home: &Home| PathBuf::from(home.found("codex").rules.unwrap().file);
    assert_eq!(file(&home), home.path(".codex/AGENTS.md"));
    home.put(".codex/AGENTS.override.md", "For now.\n");
    assert_eq!(file(&home), home.path(".codex/AGENTS.override.md"));
    // What was written there is taken out of there, whatever is read then.
    home.connected("codex");
    fs::remove_file(home.path(".codex/AGENTS.md")).unwrap();
    home.disconnected("codex");
    let text = fs::read_to_string(home.path(".codex/AGENTS.override.md")).unwrap();
    assert_eq!(text, "For now.\n");

    // A file of its own would hide from opencode what it reads instead.
    let home = Home::on(Linux);
    home.put(".claude/CLAUDE.md", "Mine.\n");
    assert_eq!(home.plan("opencode").rules, None);
    home.connected("opencode");
    assert!(!home.path(".config/opencode/AGENTS.md").exists());
    home.put(".config/opencode/AGENTS.md", "Mine too.\n");
    assert!(home.plan("opencode").rules.is_some());

    // Older versions of Cline have their rules elsewhere. What was shown is
    // done, although connecting makes the folder of newer ones.
    let home = Home::on(Linux);
    fs::create_dir_all(home.path("Documents/Cline/Rules")).unwrap();
    home.connected("cline");
    assert!(home.path(".cline/data").exists());
    assert!(home.path("Documents/Cline/Rules/ozbrain.md").is_file());
    assert!(!home.path(".cline/rules").exists());
    home.disconnected("cline");
    assert!(!home.path("Documents/Cline/Rules/ozbrain.md").exists());

    let mut home = Home::on(Linux);
    let elsewhere = home.path("elsewhere");
    let folder = elsewhere.display().to_string();
    home.environment
        .variables
        .insert("CLAUDE_CONFIG_DIR".into(), folder);
    let rules = home.found("claude-code").rules.unwrap();
    assert_eq!(PathBuf::from(rules.file), elsewhere.join("CLAUDE.md"));
}

/// Connects a client whose rules file cannot be used, and gives why.
fn unusable(home: &Home, client: &str) -> RulesPlan {
    let planned = rules(home.plan(client).rules);
    let done = home.connected(client);
    assert!(home.found(client).entry.is_some(), "connected all the same");
    let done = rules(done.rules);
    assert_eq!(done, planned);
    assert!(!done.changes);
    done
}

#[test]
fn a_file_that_cannot_be_used_stays_and_the_client_is_connected_all_the_same() {
    type Make<'a> = &'a dyn Fn(&Path);
    let cases: [(&str, Make<'_>, ClientProblemCode); 4] = [
        (
            "a folder",
            &|path| fs::create_dir_all(path).unwrap(),
            ClientProblemCode::Unreadable,
        ),
        (
            "other encodings",
            &|path| fs::write(path, b"\xff\xfe#\0").unwrap(),
            ClientProblemCode::Unreadable,
        ),
        (
            "a mark without the other",
            &|path| fs::write(path, "<!-- OzBrain: begin. -->\nx\n").unwrap(),
            ClientProblemCode::Unreadable,
        ),
        (
            "read-only",
            &|path| {
                fs::write(path, "Mine.\n").unwrap();
                let mut mode = fs::metadata(path).unwrap().permissions();
                mode.set_readonly(true);
                fs::set_permissions(path, mode).unwrap();
            },
            ClientProblemCode::ReadOnly,
        ),
    ];
    for (what, make, code) in cases {
        let home = Home::on(Linux);
        let file = home.path(".gemini/GEMINI.md");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        make(&file);
        let before = fs::read(&file).ok();
        let problem = unusable(&home, "gemini").problem.expect(what);
        assert_eq!(problem.code, code, "{what}");
        assert!(problem.message.contains("GEMINI.md"), "{problem:?}");
        assert_eq!(fs::read(&file).ok(), before, "{what}");
        home.disconnected("gemini");
        assert_eq!(fs::read(&file).ok(), before, "{what}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_mode_stays() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = Home::on(Linux);
    let real = home.put("dotfiles/agents.md", "Mine.\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let file = home.path(".codex/AGENTS.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    symlink("../dotfiles/agents.md", &file).unwrap();
    home.connected("codex");
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("OzBrain"));
    let mode = fs::metadata(&real).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    home.disconnected("codex");
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "Mine.\n");

    // One that leads nowhere gets what it leads to, and keeps leading there.
    fs::remove_file(&real).unwrap();
    home.connected("codex");
    assert!(real.is_file());
    home.disconnected("codex");
    assert!(!real.exists() && fs::symlink_metadata(&file).unwrap().is_symlink());
}

#[test]
fn a_copy_is_kept_of_what_was_there() {
    let home = Home::on(Linux);
    home.put(".claude/CLAUDE.md", "Mine.\n");
    home.connected("claude-code");
    let folder = home
        .data
        .join("backups")
        .join("clients")
        .join("claude-code");
    let copies: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with("CLAUDE.md"))
        .collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
    assert!(copies[0].starts_with("2026-12-01T08-00-00"), "{copies:?}");
    let copy = fs::read_to_string(folder.join(&copies[0])).unwrap();
    assert_eq!(copy, "Mine.\n");
}

#[test]
fn a_change_at_the_last_moment_is_kept() {
    let home = Home::on(Linux);
    let file = home.put(".gemini/GEMINI.md", "Mine.\n");
    let times = AtomicUsize::new(0);
    home.computer.before_write(move |path| {
        if path.ends_with("GEMINI.md") && times.fetch_add(1, Ordering::SeqCst) == 0 {
            fs::write(path, "Others'.\n").unwrap();
        }
    });
    home.connected("gemini");
    let made = fs::read_to_string(&file).unwrap();
    assert!(made.starts_with("Others'.\n\n<!-- OzBrain"), "{made}");
    home.disconnected("gemini");
    assert_eq!(fs::read_to_string(&file).unwrap(), "Others'.\n");
}

#[test]
fn what_was_shown_of_the_rules_is_done_only_while_it_stands() {
    let home = Home::on(Linux);
    let file = home.put(".gemini/GEMINI.md", "Mine.\n");
    let yes = as_connection("gemini", Some(true));
    let no = as_connection("gemini", Some(false));
    let clients = home.clients();
    let with = clients.plan("gemini", &yes).unwrap();
    let without = clients.plan("gemini", &no).unwrap();
    assert_ne!(with.plan, without.plan);
    moved(clients.carry_out("gemini", &no, Some(&with.plan), now()));
    fs::write(&file, "Mine, now.\n").unwrap();
    let stands = moved(clients.carry_out("gemini", &yes, Some(&with.plan), now()));
    assert_eq!(fs::read_to_string(&file).unwrap(), "Mine, now.\n");
    assert!(home.found("gemini").entry.is_none(), "nothing was done");
    let outcome = clients.carry_out("gemini", &yes, Some(&stands.plan), now());
    crate::home::done(outcome).unwrap();
    // What takes it out again is shown too.
    let plan = home.plan_disconnect("gemini");
    fs::write(&file, "Mine again.\n").unwrap();
    let wish = ClientWish::Disconnect;
    let stands = moved(clients.carry_out("gemini", &wish, Some(&plan.plan), now()));
    assert!(!rules(stands.rules).changes);
}
