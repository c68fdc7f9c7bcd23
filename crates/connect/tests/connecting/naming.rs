//! What our entry is called, how it is told from others', and how it is kept
//! right.

use crate::home::{Home, PLATFORMS, as_connection, program_at};
use ozbrain_connect::Platform::{Linux, MacOs, Windows};
use ozbrain_connect::{Environment, ThisComputer, lasting_command};
use ozbrain_core::ports::Clients as _;
use ozbrain_core::views::clients::FileEffect;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[test]
fn anothers_server_of_our_name_stays_and_ours_takes_a_free_one() {
    for (text, name) in [
        (
            "{\"mcpServers\": {\"ozbrain\": {\"command\": \"npx\", \"args\": [\"mcp\"]}}}",
            "ozbrain-memory",
        ),
        (
            "{\"mcpServers\": {\"OzBrain\": {\"url\": \"http://x\"}}}",
            "ozbrain-memory",
        ),
        (
            "{\"mcpServers\": {\"ozbrain\": 1, \"ozbrain-memory\": 2}}",
            "ozbrain-memory-2",
        ),
    ] {
        let home = Home::on(Linux);
        let file = home.put(".cursor/mcp.json", text);
        let plan = home.connected("cursor");
        assert_eq!(plan.entry, name);
        assert!(plan.notes[0].contains(name), "{:?}", plan.notes);
        let made = fs::read_to_string(&file).unwrap();
        assert!(made.starts_with(&text[..text.len() - 2]), "{made}");
        assert!(!home.connected("cursor").changes);
        home.disconnected("cursor");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn an_entry_of_another_data_folder_is_anothers() {
    let home = Home::on(Linux);
    let other = home.path("other data");
    fs::create_dir(&other).unwrap();
    let entry = |folder: &Path| {
        format!(
            "{{\"mcpServers\": {{\"ozbrain\": {{\"command\": \"/usr/bin/ozbrain\", \"args\": [\"mcp\", \"--data-dir\", \"{}\"]}}}}}}",
            folder.display()
        )
    };
    let file = home.put(".cursor/mcp.json", entry(&other));
    assert_eq!(home.found("cursor").entry, None);
    assert_eq!(home.plan("cursor").entry, "ozbrain-memory");
    // Also one that cannot be reached now, or that only the client can tell.
    for folder in ["/media/away/brain", "~/work", "${userHome}/work", "work"] {
        let text = entry(Path::new(folder));
        fs::write(&file, &text).unwrap();
        let found = home.found("cursor");
        assert_eq!(found.entry, None, "{folder}");
        assert_eq!(found.other_store.as_deref(), Some(folder));
        assert_eq!(home.connected("cursor").entry, "ozbrain-memory", "{folder}");
        assert!(fs::read_to_string(&file).unwrap().contains(folder));
        home.disconnected("cursor");
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "{folder}");
    }
}

#[test]
fn an_entry_is_ours_still_after_our_data_folder_moved() {
    let mut home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    home.connected("cursor");
    let made = fs::read_to_string(&file).unwrap();
    let moved = home.path("elsewhere");
    fs::rename(&home.data, &moved).unwrap();
    home.data = moved;
    let found = home.found("cursor");
    let entry = found.entry.unwrap();
    assert!(!entry.current && !entry.altered, "{entry:?}");
    // Somebody else's that names the folder we had.
    fs::write(&file, made.replace("\"mcp\"", "\"-v\", \"mcp\"")).unwrap();
    assert_eq!(home.found("cursor").entry, None);
    fs::write(&file, made).unwrap();
    assert_eq!(home.connected("cursor").entry, "ozbrain");
    assert!(home.found("cursor").entry.unwrap().current);
    home.disconnected("cursor");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

#[test]
fn an_entry_that_names_no_data_folder_is_about_the_usual_one() {
    let other = |home: &Home, env: &str| {
        let entry =
            format!("{{\"command\": \"ozbrain\", \"args\": [\"mcp\"], \"env\": {{{env}}}}}");
        home.put(
            ".cursor/mcp.json",
            format!("{{\"mcpServers\": {{\"ozbrain\": {entry}}}}}"),
        );
    };
    let mut home = Home::on(Linux);
    other(&home, "");
    assert_eq!(home.plan("cursor").entry, "ozbrain-memory");
    home.usual = true;
    assert_eq!(home.plan("cursor").entry, "ozbrain");
    // A variable names it as well.
    let variable = |folder: &Path| format!("\"OZBRAIN_DATA_DIR\": \"{}\"", folder.display());
    other(&home, &variable(&home.environment.home));
    assert_eq!(home.plan("cursor").entry, "ozbrain-memory");
    other(&home, &variable(&home.data));
    home.usual = false;
    assert_eq!(home.plan("cursor").entry, "ozbrain");
}

#[test]
fn what_the_person_pasted_is_made_right_and_what_they_added_stays() {
    let mut home = Home::on(Linux);
    home.usual = true;
    let text = "{\"mcpServers\": {\"memory\": {\"command\": \"/old/ozbrain\", \"args\": [\"mcp\"], \"disabled\": true}}}";
    let file = home.put(".cursor/mcp.json", text);
    let entry = home.found("cursor").entry.unwrap();
    assert_eq!(
        (entry.name.as_str(), entry.connection, entry.current),
        ("memory", None, false)
    );
    home.connected("cursor");
    let made: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let entry = &made["mcpServers"]["memory"];
    assert_eq!(entry["command"], home.program.to_str().unwrap());
    assert_eq!(entry["args"][2], "cursor");
    assert_eq!(entry["disabled"], true);
    // It was there before we came: it goes alone.
    home.disconnected("cursor");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"mcpServers\": {}}");
}

#[test]
fn a_program_that_moved_is_followed_in_every_format() {
    for (client, path, extra) in [
        (
            "cursor",
            ".cursor/mcp.json",
            "{\n  // mine\n  \"a\": 1\n}\n",
        ),
        ("codex", ".codex/config.toml", "# mine\na = 1\n"),
        ("goose", ".config/goose/config.yaml", "# mine\na: 1\n"),
        (
            "opencode",
            ".config/opencode/opencode.json",
            "{\n  // mine\n  \"a\": 1,\n}\n",
        ),
    ] {
        let mut home = Home::on(Linux);
        let file = home.put(path, extra);
        home.connected(client);
        home.program = home.root().join("opt").join("ozbrain");
        assert!(!home.found(client).entry.unwrap().current, "{client}");
        let plan = home.connected(client);
        assert!(plan.changes);
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.contains("/opt/ozbrain") && !text.contains("/usr/bin/ozbrain"),
            "{text}"
        );
        assert!(home.found(client).entry.unwrap().current);
        // Nobody else touched it: it is still what it was before.
        home.disconnected(client);
        assert_eq!(fs::read_to_string(&file).unwrap(), extra, "{client}");
    }
}

#[cfg(unix)]
#[test]
fn the_same_program_by_another_link_is_the_same() {
    for (client, path, text) in [
        ("cursor", ".cursor/mcp.json", "{}"),
        (
            "vscode",
            ".var/app/com.visualstudio.code/config/Code/User/mcp.json",
            "{}",
        ),
        ("opencode", ".config/opencode/opencode.json", "{}"),
        ("goose", ".config/goose/config.yaml", "a: 1\n"),
        ("codex", ".codex/config.toml", "a = 1\n"),
    ] {
        let mut home = Home::on(Linux);
        let file = home.put(path, text);
        home.connected(client);
        let made = fs::read_to_string(&file).unwrap();
        // The app's own path, and the command's that leads there.
        let bin = home.root().join("sbin");
        std::os::unix::fs::symlink(home.program.parent().unwrap(), &bin).unwrap();
        home.program = bin.join("ozbrain");
        let entry = home.found(client).entry.unwrap();
        assert!(entry.current && !entry.altered, "{client}: {entry:?}");
        let plan = home.connected(client);
        assert_eq!(plan.effect, FileEffect::Same, "{client}");
        assert_eq!(fs::read_to_string(&file).unwrap(), made, "{client}");
        // As another connection it is started otherwise.
        let other = as_connection("other", None);
        assert!(home.carry_out(client, &other).unwrap().changes, "{client}");
        // What is behind the link is gone: it starts nothing.
        fs::remove_file(&bin).unwrap();
        home.program = home.root().join("opt").join("ozbrain");
        assert!(!home.found(client).entry.unwrap().current, "{client}");
    }
}

#[test]
fn an_entry_is_altered_once_someone_changed_it_or_its_program_is_gone() {
    let mut home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    home.connected("cursor");
    let altered = |home: &Home| home.found("cursor").entry.unwrap().altered;
    assert!(!altered(&home));
    // Another OzBrain would start it otherwise: nobody changed this one.
    let made = home.program.clone();
    home.program = home.root().join("opt").join("ozbrain");
    assert!(!home.found("cursor").entry.unwrap().current);
    assert!(!altered(&home));
    fs::remove_file(made).unwrap();
    assert!(altered(&home));
    let text = fs::read_to_string(&file).unwrap();
    program_at(&home.root().join("usr").join("bin").join("ozbrain"));
    assert!(!altered(&home));
    fs::write(&file, text.replace("\"mcp\"", "\"-v\", \"mcp\"")).unwrap();
    assert!(altered(&home));
}

#[test]
fn an_entry_on_another_data_folder_is_told() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    home.connected("cursor");
    let text = fs::read_to_string(&file).unwrap();
    let other = home.environment.home.display().to_string();
    let data = home.data.display().to_string();
    fs::write(&file, text.replace(&data, &other)).unwrap();
    let found = home.found("cursor");
    assert!(found.entry.is_none() && found.made.is_some());
    assert_eq!(found.other_store, Some(other));
    // Connected again it has its own beside it.
    home.connected("cursor");
    assert_eq!(home.found("cursor").other_store, None);
}

#[test]
fn what_the_person_adds_to_our_entry_survives_a_repair() {
    let mut home = Home::on(Linux);
    let file = home.put(".codex/config.toml", "model = \"x\"\n");
    home.connected("codex");
    let mut text = fs::read_to_string(&file).unwrap();
    text.push_str("startup_timeout_sec = 30 # slow disk\n\n[mcp_servers.ozbrain.tools.search]\napproval_mode = \"auto\"\n");
    fs::write(&file, &text).unwrap();
    home.program = home.root().join("opt").join("ozbrain");
    home.connected("codex");
    let made = fs::read_to_string(&file).unwrap();
    assert!(made.contains("startup_timeout_sec = 30 # slow disk\n") && made.contains("auto"));
    home.disconnected("codex");
    assert_eq!(fs::read_to_string(&file).unwrap(), "model = \"x\"\n");
}

#[test]
fn a_dropped_entry_is_noticed_and_made_again() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{\"a\": 1}");
    home.connected("cursor");
    fs::write(&file, "{\"a\": 2}").unwrap();
    let found = home.found("cursor");
    assert!(found.entry.is_none() && found.made.is_some());
    home.connected("cursor");
    home.disconnected("cursor");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"a\": 2}");
    assert!(home.found("cursor").made.is_none());
}

#[test]
fn an_entry_takes_another_connection() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    home.connected("cursor");
    home.carry_out("cursor", &as_connection("cursor-2", None))
        .unwrap();
    let found = home.found("cursor");
    assert_eq!(
        found.entry.unwrap().connection.unwrap().as_str(),
        "cursor-2"
    );
    assert_eq!(found.made.unwrap().connection.as_str(), "cursor-2");
    home.disconnected("cursor");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

#[test]
fn each_client_gets_an_entry_of_its_own_shape() {
    let home = Home::on(Linux);
    let found = home.clients().all();
    let snippets: Vec<String> = found
        .iter()
        .map(|found| format!("── {}\n{}", found.name, home.plan(&found.client).snippet))
        .collect();
    let all = snippets.join("\n");
    insta::assert_snapshot!(all.replace(home.root().to_str().unwrap(), "ROOT"));
}

#[test]
fn a_link_carries_the_whole_entry() {
    let home = Home::on(Linux);
    let link = home.plan("cursor").link.unwrap();
    let config = link
        .strip_prefix("cursor://anysphere.cursor-deeplink/mcp/install?name=ozbrain&config=")
        .unwrap();
    assert!(
        config
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'%'),
        "{config}"
    );
    let link = home.plan("vscode").link.unwrap();
    assert!(link.starts_with(
        "vscode:mcp/install?%7B%22name%22%3A%22ozbrain%22%2C%22type%22%3A%22stdio%22"
    ));
}

#[test]
fn what_is_added_by_hand_is_what_would_have_been_written() {
    // In a sandbox, where the file cannot be read.
    let home = Home::on(Linux);
    home.put(
        ".var/app/com.visualstudio.code/config/Code/User/mcp.json",
        "{\"servers\": 1}",
    );
    let plan = home.plan("vscode");
    assert!(plan.problem.is_some());
    assert!(plan.snippet.contains("flatpak-spawn"), "{}", plan.snippet);
    assert!(plan.link.unwrap().contains("flatpak-spawn"));

    // Beside another's server of our name, where the file may not be written.
    let home = Home::on(Linux);
    let others = "{\"mcpServers\": {\"ozbrain\": {\"command\": \"npx\"}}}";
    let file = home.put(".cursor/mcp.json", others);
    let mut mode = fs::metadata(&file).unwrap().permissions();
    mode.set_readonly(true);
    fs::set_permissions(&file, mode).unwrap();
    let plan = home.plan("cursor");
    assert!(plan.problem.is_some());
    assert!(
        plan.snippet.contains("\"ozbrain-memory\""),
        "{}",
        plan.snippet
    );
    assert!(plan.link.unwrap().contains("?name=ozbrain-memory&"));

    // The edition that is there.
    for (folder, scheme) in [
        ("Code", "vscode:"),
        ("Code - Insiders", "vscode-insiders:"),
        ("VSCodium", "vscodium:"),
    ] {
        for platform in PLATFORMS {
            let home = Home::on(platform);
            let app = &home.environment.app_config;
            fs::create_dir_all(app.join(folder).join("User")).unwrap();
            let link = home.plan("vscode").link.unwrap();
            assert!(link.starts_with(&format!("{scheme}mcp/install?")), "{link}");
        }
    }
}

#[test]
fn a_command_that_goes_away_is_never_written() {
    let home = Home::on(Linux);
    let at = |environment: &Environment, path: &Path| {
        lasting_command(path, environment, &ThisComputer::alone())
    };
    let plain = &home.environment;
    assert_eq!(at(plain, &home.program).unwrap(), home.program);
    at(plain, Path::new("/tmp/.mount_OzBraiX1/usr/bin/ozbrain")).unwrap_err();
    // The image that is mounted is what stays.
    let image = home.root().join("OzBrain.AppImage");
    let variables = BTreeMap::from([
        ("APPIMAGE".to_owned(), image.to_str().unwrap().to_owned()),
        ("APPDIR".to_owned(), "/tmp/.mount_OzBraiX1".to_owned()),
    ]);
    let inside = Environment::at(Linux, &home.environment.home, variables);
    let mounted = Path::new("/tmp/.mount_OzBraiX1/usr/bin/ozbrain");
    assert_eq!(at(&inside, mounted).unwrap(), image);
    // An `ozbrain` that was installed besides is itself.
    assert_eq!(at(&inside, &home.program).unwrap(), home.program);

    let mut mac = Environment::at(MacOs, &home.environment.home, BTreeMap::new());
    mac.root = home.root();
    at(
        &mac,
        &home
            .root()
            .join("Volumes/OzBrain/OzBrain.app/Contents/MacOS/ozbrain"),
    )
    .unwrap_err();
    at(
        &mac,
        Path::new("/private/var/folders/x/AppTranslocation/y/d/OzBrain.app/Contents/MacOS/ozbrain"),
    )
    .unwrap_err();
    let flatpak = Environment::at(
        Linux,
        &home.environment.home,
        BTreeMap::from([("FLATPAK_ID".to_owned(), "app.ozbrain".to_owned())]),
    );
    at(&flatpak, Path::new("/app/bin/ozbrain")).unwrap_err();
    let windows = Environment::at(Windows, &home.environment.home, BTreeMap::new());
    assert_eq!(at(&windows, &home.program).unwrap(), home.program);
}

#[cfg(unix)]
#[test]
fn a_link_on_the_search_path_is_kept_as_it_is() {
    let home = Home::on(Linux);
    let versioned = home.root().join("Cellar").join("1.2").join("ozbrain");
    fs::create_dir_all(versioned.parent().unwrap()).unwrap();
    program_at(&versioned);
    let bin = home.root().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(&versioned, bin.join("ozbrain")).unwrap();
    let path = format!("relative:{}", bin.display());
    let variables = BTreeMap::from([("PATH".to_owned(), path)]);
    let environment = Environment::at(Linux, &home.environment.home, variables);
    let command = lasting_command(&versioned, &environment, &ThisComputer::alone()).unwrap();
    assert_eq!(command, bin.join("ozbrain"));
    // A program that an update replaced while it ran.
    let replaced = format!("{} (deleted)", versioned.display());
    let command =
        lasting_command(Path::new(&replaced), &environment, &ThisComputer::alone()).unwrap();
    assert_eq!(command, bin.join("ozbrain"));
}
