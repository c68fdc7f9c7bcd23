//! A client that installs a server itself: it may run, none of its files is
//! touched, and no file says how it stands.

use crate::home::{Home, as_itself, by_bundle, done, moved, now};
use ozbrain_connect::Platform::{self, Linux, MacOs, Windows};
use ozbrain_core::Code;
use ozbrain_core::ports::Clients as _;
use ozbrain_core::rules::clients::{KnownConnection, client_state, loss};
use ozbrain_core::views::clients::{
    AfterChange, ClientProblemCode, ClientState, ClientWay, ConnectBy, FileEffect,
};
use std::fs;
use std::io::{Cursor, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::process::Command;

const DESKTOP: &str = "claude-desktop";

/// Platform, its configuration, where it keeps what it installed.
const PLACES: [(Platform, &str, &str); 3] = [
    (
        MacOs,
        "Library/Application Support/Claude/claude_desktop_config.json",
        "Library/Application Support/Claude/Claude Extensions",
    ),
    (
        Windows,
        "AppData/Roaming/Claude/claude_desktop_config.json",
        "AppData/Roaming/Claude/Claude Extensions",
    ),
    (
        Windows,
        "AppData/Local/Packages/Claude_x/LocalCache/Roaming/Claude/claude_desktop_config.json",
        "AppData/Local/Packages/Claude_x/LocalCache/Roaming/Claude/Claude Extensions",
    ),
];

const TEXT: &str = "{\"globalShortcut\": \"\"}";

/// A home whose Claude Desktop runs.
fn running(platform: Platform, config: &str) -> (Home, PathBuf) {
    let home = Home::on(platform);
    let file = home.put(config, TEXT);
    home.computer.runs(match platform {
        Windows => r"C:\Program Files\WindowsApps\Claude_1.1.381.0_x64__x\app\claude.exe",
        _ => "Claude",
    });
    (home, file)
}

fn bundle(home: &Home) -> PathBuf {
    home.data.join("bundles").join(DESKTOP).join("ozbrain.mcpb")
}

/// What a bundle holds, by name.
fn read(file: &Path, name: &str) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(fs::read(file).unwrap())).unwrap();
    let mut bytes = Vec::new();
    archive
        .by_name(name)
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

fn state(home: &Home) -> (ClientState, AfterChange) {
    let found = home.found(DESKTOP);
    (
        client_state(&found, KnownConnection::default()),
        found.after,
    )
}

#[cfg(unix)]
#[test]
fn a_bundle_that_starts_the_same_program_by_another_link_is_current() {
    let (platform, config, _) = PLACES[0];
    let (mut home, _) = running(platform, config);
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    let bin = home.root().join("sbin");
    std::os::unix::fs::symlink(home.program.parent().unwrap(), &bin).unwrap();
    home.program = bin.join("ozbrain");
    assert!(home.found(DESKTOP).entry.unwrap().current);
    home.program = home.root().join("opt").join("ozbrain");
    assert!(!home.found(DESKTOP).entry.unwrap().current);
}

#[test]
fn a_client_that_runs_installs_a_bundle_itself() {
    for (platform, config, extensions) in PLACES {
        let (home, file) = running(platform, config);
        let by_file = home.plan(DESKTOP);
        assert_eq!(by_file.problem.unwrap().code, ClientProblemCode::Running);
        assert_eq!(by_file.other, Some(ConnectBy::Bundle), "another way");

        let wish = by_bundle(DESKTOP);
        let shown = home.clients().plan(DESKTOP, &wish).unwrap();
        assert_eq!((shown.problem.as_ref(), shown.changes), (None, true));
        assert_eq!(
            (shown.effect, shown.after, shown.other),
            (
                FileEffect::Made,
                AfterChange::Install,
                Some(ConnectBy::File)
            )
        );
        assert_eq!(shown.file, bundle(&home).display().to_string());
        assert!(!bundle(&home).exists(), "it is shown, and nothing done");

        let clients = home.clients();
        done(clients.carry_out(DESKTOP, &wish, Some(&shown.plan), now())).unwrap();
        assert_eq!(*home.computer.opened.lock().unwrap(), [bundle(&home)]);
        assert_eq!(fs::read_to_string(&file).unwrap(), TEXT, "its file stays");
        let manifest = String::from_utf8(read(&bundle(&home), "manifest.json")).unwrap();
        let ClientWay::Bundle { manifest: said } = shown.way else {
            panic!("{:?}", shown.way);
        };
        assert_eq!(manifest, said, "what was shown is what is in it");
        assert!(read(&bundle(&home), "icon.png").starts_with(b"\x89PNG"));
        let about = String::from_utf8(read(&bundle(&home), "server/ozbrain.txt")).unwrap();
        assert!(about.contains(home.program.to_str().unwrap()), "{about}");

        // Without an entry anywhere it is connected, and nothing is lost.
        assert_eq!(state(&home), (ClientState::Waiting, AfterChange::Install));
        let found = home.found(DESKTOP);
        assert_eq!(found.by, Some(ConnectBy::Bundle));
        assert_eq!(loss(&found, ClientState::Waiting), None);
        let called = KnownConnection {
            last_call: Some(now()),
            ..KnownConnection::default()
        };
        assert_eq!(client_state(&found, called), ClientState::Works);

        // Where it keeps it shows that the person said yes.
        let unpacked = format!("{extensions}/local.mcpb.ozbrain.ozbrain/manifest.json");
        home.put(&unpacked, manifest.replace("\"mcp\"", "\"other\""));
        assert_eq!(state(&home).1, AfterChange::Install, "that is another");
        let unpacked = home.put(&unpacked, &manifest);
        assert_eq!(state(&home), (ClientState::Waiting, AfterChange::Nothing));
        fs::remove_file(unpacked).unwrap();
        assert_eq!(state(&home), (ClientState::Waiting, AfterChange::Install));
        let said = client_state(&home.found(DESKTOP), called);
        assert_eq!(said, ClientState::Works, "a call proves, and no file");
    }
}

#[test]
fn a_manifest_says_what_is_started_and_where() {
    for (platform, config, _) in PLACES.into_iter().take(2) {
        let (home, _) = running(platform, config);
        let shown = home.clients().plan(DESKTOP, &by_bundle("Ann's Claude"));
        let ClientWay::Bundle { manifest } = shown.unwrap().way else {
            panic!("no bundle");
        };
        let json: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        let started = &json["server"]["mcp_config"];
        assert_eq!(started["command"], home.program.to_str().unwrap());
        let data = home.data.to_str().unwrap();
        assert_eq!(
            started["args"],
            serde_json::json!(["mcp", "--connection", "Ann's Claude", "--data-dir", data])
        );
        let root = home.root().display().to_string();
        let version = json["version"].as_str().unwrap();
        let told = manifest.replace(&root, "/ROOT").replace(version, "VERSION");
        insta::assert_snapshot!(format!("a_manifest_on_{platform:?}"), told);
    }
}

#[cfg(unix)]
#[test]
fn a_bundle_is_the_persons_alone_and_the_same_each_time() {
    use std::os::unix::fs::PermissionsExt;
    let (home, _) = running(MacOs, PLACES[0].1);
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&bundle(&home)), 0o600);
    assert_eq!(mode(bundle(&home).parent().unwrap()), 0o700);
    let first = fs::read(bundle(&home)).unwrap();
    home.disconnect(DESKTOP).unwrap();
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    assert_eq!(fs::read(bundle(&home)).unwrap(), first);
}

#[test]
fn asked_again_it_is_opened_again_and_nothing_else_changes() {
    let (home, _) = running(MacOs, PLACES[0].1);
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    let made = home.found(DESKTOP).made;
    let again = home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    assert_eq!((again.changes, again.effect), (false, FileEffect::Same));
    assert_eq!(home.computer.opened.lock().unwrap().len(), 2);
    assert_eq!(home.found(DESKTOP).made, made, "it waits since then");
    // As another connection it is another bundle.
    let other = home
        .carry_out(DESKTOP, &by_bundle("claude-desktop-2"))
        .unwrap();
    assert_eq!(other.effect, FileEffect::Changed);
    assert!(!other.diff.is_empty());
}

#[test]
fn what_cannot_be_opened_was_not_done() {
    let (home, _) = running(MacOs, PLACES[0].1);
    *home.computer.opens_nothing.lock().unwrap() = Some(ErrorKind::NotFound);
    let refused = home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap_err();
    assert_eq!(refused.code, Code::Unavailable);
    assert!(refused.message.contains("Quit Claude Desktop"), "{refused}");
    assert!(!bundle(&home).exists());
    assert_eq!(state(&home).0, ClientState::Found);
    // One that was connected already stays so, by what it had.
    *home.computer.opens_nothing.lock().unwrap() = None;
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    let (found, bytes) = (home.found(DESKTOP), fs::read(bundle(&home)).unwrap());
    *home.computer.opens_nothing.lock().unwrap() = Some(ErrorKind::NotFound);
    home.carry_out(DESKTOP, &by_bundle("claude-desktop-2"))
        .unwrap_err();
    assert_eq!(home.found(DESKTOP), found);
    assert_eq!(fs::read(bundle(&home)).unwrap(), bytes);
}

#[test]
fn disconnected_the_bundle_goes_and_what_is_left_is_said() {
    let (home, file) = running(MacOs, PLACES[0].1);
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    let shown = home.plan_disconnect(DESKTOP);
    assert_eq!((shown.effect, shown.changes), (FileEffect::Removed, true));
    assert_eq!(shown.problem, None, "it may run");
    assert!(
        shown.notes[0].contains("Settings > Extensions"),
        "{shown:?}"
    );
    let clients = home.clients();
    let wish = ozbrain_core::ports::ClientWish::Disconnect;
    done(clients.carry_out(DESKTOP, &wish, Some(&shown.plan), now())).unwrap();
    assert!(!home.data.join("bundles").exists());
    assert_eq!(fs::read_to_string(file).unwrap(), TEXT);
    assert_eq!(state(&home).0, ClientState::Found);
}

#[test]
fn connected_by_its_file_later_it_is_connected_by_that_alone() {
    let (home, file) = running(MacOs, PLACES[0].1);
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    home.computer.running.lock().unwrap().clear();
    let plan = home.connected(DESKTOP);
    assert_eq!(plan.effect, FileEffect::Changed);
    assert!(!bundle(&home).exists());
    let found = home.found(DESKTOP);
    assert_eq!(found.by, Some(ConnectBy::File));
    assert_eq!(found.file, file.display().to_string());
    assert_eq!(found.after, AfterChange::Restart);
    // By both it would be started twice.
    let shown = home.clients().plan(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    assert_eq!(shown.problem.unwrap().code, ClientProblemCode::EntryThere);
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap_err();
    assert_eq!(home.plan(DESKTOP).other, None);
    home.disconnected(DESKTOP);
    assert_eq!(fs::read_to_string(&file).unwrap(), TEXT, "to the byte");
    // An entry that someone put there by hand is enough, too.
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    let entry = home.plan(DESKTOP).snippet;
    fs::write(&file, entry).unwrap();
    home.connected(DESKTOP);
    assert_eq!(home.found(DESKTOP).by, None);
    assert!(!bundle(&home).exists());
}

#[test]
fn an_entry_that_its_maker_dropped_is_mended_by_a_bundle() {
    let home = Home::on(MacOs);
    let file = home.put(PLACES[0].1, TEXT);
    home.connected(DESKTOP);
    home.computer.runs("Claude");
    fs::write(&file, TEXT).unwrap();
    assert_eq!(state(&home).0, ClientState::Gone);
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    assert_eq!(state(&home).0, ClientState::Waiting);
    // A file that cannot be read says nothing of it.
    fs::write(&file, "{").unwrap();
    assert_eq!(state(&home).0, ClientState::Waiting);
}

#[test]
fn a_bundle_whose_program_is_gone_starts_nothing_and_is_made_anew() {
    let (mut home, _) = running(MacOs, PLACES[0].1);
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    fs::remove_file(&home.program).unwrap();
    let moved = home.root().join("ozbrain");
    fs::write(&moved, "").unwrap();
    home.program = moved;
    let found = home.found(DESKTOP);
    assert_eq!(state(&home).0, ClientState::Outdated);
    assert!(loss(&found, ClientState::Outdated).is_some());
    home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
    assert_eq!(state(&home).0, ClientState::Waiting);
}

#[test]
fn where_no_such_file_is_opened_there_is_one_way() {
    let home = Home::on(Linux);
    home.put(".config/Claude/claude_desktop_config.json", TEXT);
    home.computer.runs("claude-desktop");
    assert_eq!(home.plan(DESKTOP).other, None);
    for client in [DESKTOP, "cursor"] {
        let refused = home.clients().plan(client, &by_bundle(client)).unwrap_err();
        assert_eq!(refused.code, Code::Invalid);
    }
    let mac = Home::on(MacOs);
    mac.put(".cursor/mcp.json", "{}");
    assert_eq!(mac.plan("cursor").other, None);
}

#[test]
fn what_was_shown_is_done_or_nothing_is() {
    let (home, _) = running(MacOs, PLACES[0].1);
    let wish = by_bundle(DESKTOP);
    let shown = home.clients().plan(DESKTOP, &wish).unwrap().plan;
    home.carry_out(DESKTOP, &by_bundle("claude-desktop-2"))
        .unwrap();
    let opened = home.computer.opened.lock().unwrap().len();
    moved(
        home.clients()
            .carry_out(DESKTOP, &wish, Some(&shown), now()),
    );
    assert_eq!(home.computer.opened.lock().unwrap().len(), opened);
    let by_file = as_itself(DESKTOP);
    moved(
        home.clients()
            .carry_out(DESKTOP, &by_file, Some(&shown), now()),
    );
}

/// Needs the vendor's own tool: OZBRAIN_MCPB is its program's file, which the
/// Node of OZBRAIN_NODE runs. `npm test -- --only clients` brings both.
#[test]
#[ignore = "needs the vendor's own tool"]
fn the_vendors_own_tool_takes_a_bundle() {
    let tool = std::env::var("OZBRAIN_MCPB").expect("OZBRAIN_MCPB");
    let node = std::env::var("OZBRAIN_NODE").unwrap_or_else(|_| "node".into());
    for (platform, config, _) in PLACES.into_iter().take(2) {
        let (home, _) = running(platform, config);
        home.carry_out(DESKTOP, &by_bundle(DESKTOP)).unwrap();
        let folder = home.root().join("unpacked");
        let run = |arguments: &[&Path]| {
            let done = Command::new(&node)
                .arg(&tool)
                .args(arguments)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&done.stdout).into_owned();
            let failed = String::from_utf8_lossy(&done.stderr);
            assert!(done.status.success(), "{said}{failed}");
            said
        };
        run(&[Path::new("unpack"), &bundle(&home), &folder]);
        let manifest = folder.join("manifest.json");
        assert_eq!(
            fs::read(&manifest).unwrap(),
            read(&bundle(&home), "manifest.json")
        );
        let said = run(&[Path::new("validate"), &manifest]);
        assert!(said.contains("Manifest schema validation passes"), "{said}");
        assert!(said.contains("Icon validation passed"), "{said}");
        let told = run(&[Path::new("info"), &bundle(&home)]);
        assert!(told.contains("ozbrain.mcpb"), "{told}");
    }
}
