//! Every kind of file, for every client on every platform: connected and
//! disconnected it is the same to the byte, and what else stands in it keeps
//! its bytes while it is connected.

use crate::home::{Home, PLATFORMS};
use ozbrain_connect::Platform;
use ozbrain_core::views::clients::FileEffect;
use std::fs;
use std::path::PathBuf;

/// What a client reads.
#[derive(Clone, Copy, PartialEq)]
enum Reads {
    Json,
    /// With comments.
    Commented,
    /// And trailing commas.
    Lenient,
    Toml,
    Yaml,
}

/// Client, what it reads, where its servers stand, whether a byte-order mark
/// stays.
const CLIENTS: [(&str, Reads, &str, bool); 13] = [
    ("claude-desktop", Reads::Json, "mcpServers", false),
    ("claude-code", Reads::Json, "mcpServers", false),
    ("cursor", Reads::Commented, "mcpServers", false),
    ("vscode", Reads::Lenient, "servers", true),
    ("codex", Reads::Toml, "mcp_servers", true),
    ("windsurf", Reads::Json, "mcpServers", false),
    ("gemini", Reads::Commented, "mcpServers", false),
    ("zed", Reads::Lenient, "context_servers", false),
    ("goose", Reads::Yaml, "extensions", true),
    ("cline", Reads::Json, "mcpServers", false),
    ("junie", Reads::Json, "mcpServers", false),
    ("opencode", Reads::Lenient, "mcp", false),
    ("lmstudio", Reads::Json, "mcpServers", false),
];

const JSON: [(&str, &str); 14] = [
    ("empty", ""),
    ("blank", "\n\n"),
    ("minimal", "{}"),
    ("minimal with its line end", "{}\n"),
    ("an empty container", "{\n  \"SERVERS\": {}\n}\n"),
    (
        "one line",
        "{\"SERVERS\":{\"other\":{\"command\":\"npx\",\"args\":[\"-y\",\"x\"]}},\"theme\":\"dark\"}",
    ),
    ("no line end", "{\n  \"theme\": \"dark\"\n}"),
    (
        "tabs",
        "{\n\t\"SERVERS\": {\n\t\t\"other\": {\n\t\t\t\"url\": \"https://x.y//z\"\n\t\t}\n\t}\n}\n",
    ),
    (
        "four blanks",
        "{\n    \"theme\": \"dark\",\n    \"SERVERS\": {\n        \"other\": { \"command\": \"x\" }\n    }\n}\n",
    ),
    (
        "CRLF",
        "{\r\n  \"SERVERS\": {\r\n    \"other\": {\r\n      \"command\": \"C:\\\\x y\\\\z.exe\"\r\n    }\r\n  },\r\n  \"a\": 1\r\n}\r\n",
    ),
    (
        "a key twice elsewhere",
        "{\n  \"a\": 1,\n  \"a\": 2,\n  \"SERVERS\": {\n    \"other\": {}\n  }\n}\n",
    ),
    (
        "escapes",
        "{\n  \"\\u0061\": \"\\ud83d\\ude00 ü 😀 \\\" \\\\ // /* \",\n  \"n\": -1.50e+3\n}\n",
    ),
    ("large", LARGE),
    (
        "our name in other places",
        "{\n  \"ozbrain\": 1,\n  \"projects\": {\n    \"/x\": {\n      \"SERVERS\": {\n        \"ozbrain\": {}\n      }\n    }\n  }\n}\n",
    ),
];

const COMMENTED: [(&str, &str); 3] = [
    (
        "comments",
        "// head\n{\n  // before\n  \"SERVERS\": {\n    \"other\": { \"url\": \"https://x.y//z\" } // see https://x.y/*z*/\n    // after\n  } /* \"SERVERS\": { */\n}\n// tail",
    ),
    ("a comment alone", "// nothing yet\n"),
    ("an object with a comment alone", "{\n  // nothing yet\n}\n"),
];

const LENIENT: [(&str, &str); 2] = [
    (
        "trailing commas",
        "{\n  \"SERVERS\": {\n    \"other\": {\n      \"args\": [\"x\",],\n    },\n  },\n}\n",
    ),
    (
        "trailing commas and comments on one line",
        "{ \"SERVERS\": { \"other\": {}, /* x */ }, }",
    ),
];

const LARGE: &str = include_str!("large.json");

const TOML: [(&str, &str); 12] = [
    ("empty", ""),
    ("minimal", "model = \"gpt-5\"\n"),
    ("no line end", "model = \"gpt-5\" # fast"),
    (
        "CRLF",
        "model = \"gpt-5\"\r\n\r\n[SERVERS.other]\r\ncommand = \"npx\"\r\n\r\n[tui]\r\nnotifications = true\r\n",
    ),
    (
        "tabs",
        "[SERVERS.other]\n\tcommand = \"npx\"\n\targs = [\n\t\t\"-y\", # yes\n\t]\n",
    ),
    ("inline", "SERVERS = { other = { command = \"npx\" } }\n"),
    (
        "inline with comments",
        "SERVERS = {\n\tother = { command = \"npx\" }, # why\n\t# more\n} # all\n",
    ),
    ("inline with a comment alone", "SERVERS = { # none yet\n}\n"),
    (
        "a comment below",
        "[SERVERS.other]\ncommand = \"npx\"\n# args = [\"-y\"]\n\n# screen\n[tui]\nx = 1\n",
    ),
    ("one line", "SERVERS.other.command = 'npx'"),
    ("comments only", "# nothing yet\n"),
    ("large", include_str!("large.toml")),
];

const YAML: [(&str, &str); 14] = [
    ("empty", ""),
    ("minimal", "GOOSE_PROVIDER: openai\n"),
    ("no line end", "GOOSE_PROVIDER: openai"),
    ("an empty container", "SERVERS: {}\n"),
    ("an empty container with a comment", "SERVERS: {} # none\n"),
    (
        "a comment alone in the container",
        "SERVERS: { # none\n  }\nGOOSE_MODEL: x\n",
    ),
    (
        "blanks in braces",
        "SERVERS: { other: { cmd: npx } } # all\n",
    ),
    (
        "comments in braces",
        "SERVERS: {\n  other: { cmd: npx }, # why\n  # more\n  more: { cmd: 'it''s # {' } # all\n}\n",
    ),
    (
        "comments below",
        "SERVERS:\n  other:\n    cmd: npx\n    # args: [-y]\n  # more:\n  #   cmd: x\n# tail\n",
    ),
    (
        "nothing in the container",
        "SERVERS:\nGOOSE_PROVIDER: openai\n",
    ),
    (
        "CRLF",
        "SERVERS:\r\n  other:\r\n    cmd: npx # why\r\n    args:\r\n    - -y\r\nGOOSE_MODEL: x\r\n",
    ),
    (
        "four blanks",
        "SERVERS:\n    other:\n        cmd: npx\n# tail\n",
    ),
    ("one line", "{SERVERS: {other: {cmd: npx}}, GOOSE_MODEL: x}"),
    ("large", include_str!("large.yaml")),
];

fn samples(reads: Reads) -> Vec<(&'static str, &'static str)> {
    let mut samples = match reads {
        Reads::Toml => TOML.to_vec(),
        Reads::Yaml => YAML.to_vec(),
        _ => JSON.to_vec(),
    };
    if matches!(reads, Reads::Commented | Reads::Lenient) {
        samples.extend(COMMENTED);
    }
    if reads == Reads::Lenient {
        samples.extend(LENIENT);
    }
    samples
}

/// A home with a client's file.
fn home_with(platform: Platform, client: &str, bytes: &[u8]) -> (Home, PathBuf) {
    let home = Home::on(platform);
    let file = PathBuf::from(home.found(client).file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, bytes).unwrap();
    (home, file)
}

#[test]
fn connected_and_disconnected_every_file_is_the_same_to_the_byte() {
    for (client, reads, servers, _) in CLIENTS {
        for platform in PLATFORMS {
            // What a text is like is the same everywhere: elsewhere a few do.
            let all = samples(reads).into_iter();
            let kinds = all.filter(|(kind, _)| {
                platform == Platform::Linux || matches!(*kind, "CRLF" | "large" | "minimal")
            });
            for (kind, text) in kinds {
                let what = format!("{client} on {platform:?}, {kind}");
                let text = text.replace("SERVERS", servers);
                let (home, file) = home_with(platform, client, text.as_bytes());
                let plan = home.connected(client);
                assert_eq!(plan.effect, FileEffect::Changed, "{what}");
                let made = fs::read(&file).unwrap();
                let entry = home.found(client).entry.unwrap();
                assert!(
                    entry.current && entry.name == "ozbrain",
                    "{what}: {entry:?}"
                );
                assert_eq!(entry.connection.unwrap().as_str(), client, "{what}");

                assert!(!home.connected(client).changes, "{what}: a second time");
                assert_eq!(fs::read(&file).unwrap(), made, "{what}");

                assert_eq!(
                    home.disconnected(client).effect,
                    FileEffect::Restored,
                    "{what}"
                );
                assert_eq!(fs::read_to_string(&file).unwrap(), text, "{what}");
                assert_eq!(home.found(client).entry, None, "{what}");
                assert!(!home.disconnected(client).changes, "{what}: a second time");
            }
        }
    }
}

#[test]
fn where_something_else_changed_our_entry_alone_goes() {
    for (client, reads, servers, stays) in CLIENTS {
        let all = samples(reads).into_iter();
        for ((kind, text), mark) in all.flat_map(|it| [(it, ""), (it, "\u{feff}")]) {
            let what = format!("{client}, {kind}, {} bytes before it", mark.len());
            let text = text.replace("SERVERS", servers);
            let bytes = format!("{mark}{text}");
            let (home, file) = home_with(Platform::Linux, client, bytes.as_bytes());
            home.connected(client);
            let mut made = fs::read_to_string(&file).unwrap();
            made.push('\n');
            fs::write(&file, &made).unwrap();
            let plan = home.disconnected(client);
            assert_eq!(plan.effect, FileEffect::Changed, "{what}");
            let left = fs::read_to_string(&file).unwrap();
            // How an empty file, object or container was written is not in the
            // text any more: it is empty again.
            let json = !matches!(reads, Reads::Toml | Reads::Yaml);
            let want = match kind {
                "empty" | "blank" | "minimal" if json => "{}".to_owned(),
                "a comment alone" => format!("{}\n{{}}", text.trim_end()),
                "nothing in the container" => {
                    text.replace(&format!("{servers}:"), &format!("{servers}: {{}}"))
                }
                _ => text.clone(),
            };
            let mark = if stays { mark } else { "" };
            assert_eq!(
                left.trim_end_matches('\n'),
                format!("{mark}{}", want.trim_end_matches('\n')),
                "{what}"
            );
        }
    }
}

#[test]
fn a_file_that_was_not_there_goes_again_with_its_folders() {
    for (client, ..) in CLIENTS {
        for platform in PLATFORMS {
            let home = Home::on(platform);
            let before = tree(&home);
            let plan = home.connected(client);
            assert_eq!(plan.effect, FileEffect::Made, "{client}");
            let file = PathBuf::from(&plan.file);
            assert!(file.is_file(), "{client}");
            assert!(fs::read_to_string(&file).unwrap().ends_with('\n'));
            private(&file);
            assert_eq!(home.disconnected(client).effect, FileEffect::Removed);
            assert_eq!(tree(&home), before, "{client} on {platform:?}");
        }
    }
}

/// All folders and files in a home, its data folder not counted.
fn tree(home: &Home) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![home.environment.home.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path == home.data {
                continue;
            }
            if path.is_dir() {
                folders.push(path.clone());
            }
            all.push(path);
        }
    }
    all.sort();
    all
}

#[cfg(unix)]
#[track_caller]
fn private(file: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{}", file.display());
}

#[cfg(not(unix))]
fn private(_: &std::path::Path) {}

#[test]
fn a_byte_order_mark_goes_where_the_client_fails_at_it() {
    for (client, reads, servers, stays) in CLIENTS {
        let (_, text) = samples(reads)
            .into_iter()
            .find(|(kind, _)| *kind == "CRLF")
            .unwrap();
        let text = format!("\u{feff}{}", text.replace("SERVERS", servers));
        let (home, file) = home_with(Platform::Windows, client, text.as_bytes());
        let plan = home.connected(client);
        let made = fs::read_to_string(&file).unwrap();
        assert_eq!(made.starts_with('\u{feff}'), stays, "{client}");
        assert_eq!(
            plan.notes
                .iter()
                .any(|note| note.contains("byte-order mark")),
            !stays
        );
        assert!(!home.connected(client).changes, "{client}");
        home.disconnected(client);
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "{client}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_what_it_leads_to_is_written() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    for (client, reads, servers, _) in CLIENTS {
        let text = samples(reads)[2].1.replace("SERVERS", servers);
        let home = Home::on(Platform::Linux);
        let file = PathBuf::from(home.found(client).file);
        let real = home.put("dotfiles/deep/settings", &text);
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        // A relative link to a link.
        symlink("settings", real.with_file_name("link")).unwrap();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        symlink(real.with_file_name("link"), &file).unwrap();
        home.connected(client);
        assert!(
            fs::symlink_metadata(&file)
                .unwrap()
                .file_type()
                .is_symlink()
        );
        let link = fs::symlink_metadata(real.with_file_name("link")).unwrap();
        assert!(link.file_type().is_symlink());
        assert!(
            fs::read_to_string(&real).unwrap().contains("ozbrain"),
            "{client}"
        );
        let mode = fs::metadata(&real).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode, 0o640, "{client}: its mode is kept");
        let beside = fs::read_dir(real.parent().unwrap()).unwrap().count();
        assert_eq!(beside, 2, "no file of ours is left beside it");
        home.disconnected(client);
        assert_eq!(fs::read_to_string(&real).unwrap(), text, "{client}");
        assert!(
            fs::symlink_metadata(&file)
                .unwrap()
                .file_type()
                .is_symlink()
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_gets_what_it_leads_to() {
    use std::os::unix::fs::symlink;
    for (client, ..) in CLIENTS {
        let home = Home::on(Platform::Linux);
        let file = PathBuf::from(home.found(client).file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let target = home.path("dotfiles/not/yet");
        symlink(&target, &file).unwrap();
        assert!(home.found(client).installed);
        home.connected(client);
        assert!(target.is_file(), "{client}");
        assert!(
            fs::symlink_metadata(&file)
                .unwrap()
                .file_type()
                .is_symlink()
        );
        home.disconnected(client);
        assert!(!home.path("dotfiles").exists(), "{client}");
        assert!(
            fs::symlink_metadata(&file)
                .unwrap()
                .file_type()
                .is_symlink()
        );
    }
}

#[test]
fn the_files_as_they_were_are_kept_where_only_their_person_reads_them() {
    let text = "{\"mcpServers\": {\"x\": {\"env\": {\"KEY\": \"secret\"}}}}";
    let (home, file) = home_with(Platform::Linux, "cursor", text.as_bytes());
    let mut states = Vec::new();
    for turn in 0..9 {
        let now = format!("{{\"turn\": {turn}}}");
        fs::write(&file, &now).unwrap();
        states.push(now);
        home.connected("cursor");
        home.disconnected("cursor");
    }
    let folder = home.data.join("backups").join("clients").join("cursor");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(
        names.len() >= 5 && names.len() <= 6,
        "the last few: {names:?}"
    );
    for name in &names {
        assert!(
            name.starts_with("2026-12-01T08-00-00Z") && name.ends_with("mcp.json"),
            "{name}"
        );
        private(&folder.join(name));
    }
    assert_eq!(
        fs::read_dir(file.parent().unwrap()).unwrap().count(),
        1,
        "nothing beside the file"
    );
    assert_eq!(&fs::read_to_string(&file).unwrap(), states.last().unwrap());
}

#[test]
fn a_plan_shows_exactly_what_comes() {
    let text = "{\n  // mine\n  \"servers\": {\n    \"figma\": { \"url\": \"http://127.0.0.1:3845/mcp\" }\n  }\n}\n";
    let (home, file) = home_with(Platform::Linux, "vscode", text.as_bytes());
    let plan = home.plan("vscode");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        text,
        "a plan does nothing"
    );
    assert_eq!(shown(&plan, &home), "   1   {
   2     // mine
   3     \"servers\": {
   4 -     \"figma\": { \"url\": \"http://127.0.0.1:3845/mcp\" }
   4 +     \"figma\": { \"url\": \"http://127.0.0.1:3845/mcp\" },
   5 +     \"ozbrain\": {
   6 +       \"type\": \"stdio\",
   7 +       \"command\": \"ROOT/usr/bin/ozbrain\",
   8 +       \"args\": [\"mcp\", \"--connection\", \"vscode\", \"--data-dir\", \"ROOT/Ann O'Neil/ozbrain data\"]
   9 +     }
  10     }
  11   }
");
    home.connected("vscode");
    let plan = home.plan_disconnect("vscode");
    assert_eq!(plan.effect, FileEffect::Restored);
    assert!(shown(&plan, &home).contains("   9 -     }\n"));
}

fn shown(plan: &ozbrain_core::views::clients::ClientPlan, home: &Home) -> String {
    use ozbrain_core::views::clients::DiffKind;
    let line = |line: &ozbrain_core::views::clients::DiffLine| {
        let sign = match line.kind {
            DiffKind::Same => ' ',
            DiffKind::Added => '+',
            DiffKind::Removed => '-',
        };
        format!("{:4} {sign} {}\n", line.line, line.text)
    };
    let text: String = plan.diff.iter().map(line).collect();
    text.replace(home.root().to_str().unwrap(), "ROOT")
}
