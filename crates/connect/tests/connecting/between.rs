//! Other programs that write the same file at the same moment lose nothing.

use crate::home::{Home, as_itself, done, moved, now};
use ozbrain_connect::Platform::{self, Linux, MacOs, Windows};
use ozbrain_core::ports::{ClientWish, Clients as _};
use ozbrain_core::views::clients::ClientWay;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const OTHERS: &str = "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}}";

#[test]
fn a_change_between_reading_and_writing_is_kept_and_ours_is_made_on_top() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    let times = AtomicUsize::new(0);
    home.computer.before_write(move |path| {
        if times.fetch_add(1, Ordering::SeqCst) == 0 {
            fs::write(path, OTHERS).unwrap();
        }
    });
    home.connected("cursor");
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("\"other\"") && text.contains("ozbrain"),
        "{text}"
    );
    home.disconnected("cursor");
    assert_eq!(fs::read_to_string(&file).unwrap(), OTHERS);
}

#[test]
fn a_file_that_appears_or_goes_meanwhile_is_seen() {
    let home = Home::on(Linux);
    fs::create_dir_all(home.path(".cursor")).unwrap();
    let times = AtomicUsize::new(0);
    home.computer
        .before_write(move |path| match times.fetch_add(1, Ordering::SeqCst) {
            0 => fs::write(path, OTHERS).unwrap(),
            1 => fs::remove_file(path).unwrap(),
            _ => {}
        });
    home.connected("cursor");
    let text = fs::read_to_string(home.path(".cursor/mcp.json")).unwrap();
    assert!(
        text.contains("ozbrain") && !text.contains("other"),
        "{text}"
    );
}

#[test]
fn a_program_that_writes_all_the_time_is_given_way_to() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    let times = AtomicUsize::new(0);
    home.computer.before_write(move |path| {
        let turn = times.fetch_add(1, Ordering::SeqCst);
        fs::write(path, format!("{{\"turn\": {turn}}}")).unwrap();
    });
    let refusal = home.refused("cursor");
    assert!(refusal.message.contains("keeps writing"), "{refusal}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("{\"turn\": "), "{text}");
}

#[test]
fn a_program_that_writes_over_ours_at_once_is_noticed() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    home.computer
        .after_write(|path| fs::write(path, OTHERS).unwrap());
    let refusal = home.refused("cursor");
    assert!(refusal.message.contains("keeps writing"), "{refusal}");
    assert_eq!(fs::read_to_string(&file).unwrap(), OTHERS);
    assert_eq!(home.found("cursor").made, None);
}

#[test]
fn what_could_not_be_given_back_is_named() {
    let home = Home::on(Linux);
    let file = home.put(".gemini/settings.json", "{}");
    let kept = home.path(".gemini/.ozbrain-x.tmp");
    *home.computer.apart.lock().unwrap() = Some(kept.clone());
    let refusal = home.refused("gemini");
    for path in [&file, &kept] {
        assert!(
            refusal.message.contains(path.to_str().unwrap()),
            "{refusal}"
        );
    }
    assert!(!refusal.message.contains("is as it was"), "{refusal}");
}

#[test]
fn what_was_shown_is_done_only_while_it_stands() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    let wish = as_itself("cursor");
    let plan = home.plan("cursor").plan;
    fs::write(&file, OTHERS).unwrap();
    let clients = home.clients();
    let now_stands = moved(clients.carry_out("cursor", &wish, Some(&plan), now()));
    assert_eq!(now_stands, home.plan("cursor"));
    assert_ne!(now_stands.plan, plan);
    assert_eq!(fs::read_to_string(&file).unwrap(), OTHERS);
    let plan = home.plan("cursor").plan;
    done(clients.carry_out("cursor", &wish, Some(&plan), now())).unwrap();
    // A plan to connect is none to disconnect.
    moved(clients.carry_out("cursor", &ClientWish::Disconnect, Some(&plan), now()));
    // Changed between the look and the write: it moved too.
    let plan = home.plan_disconnect("cursor").plan;
    home.computer.before_write(|path| {
        let text = fs::read_to_string(path).unwrap();
        fs::write(path, format!("{text}\n")).unwrap();
    });
    moved(clients.carry_out("cursor", &ClientWish::Disconnect, Some(&plan), now()));
    assert!(home.found("cursor").entry.is_some());
}

#[test]
fn the_lock_of_claude_code_is_waited_for_and_given_back() {
    let home = Home::on(Linux);
    let file = home.put(".claude.json", "{\"numStartups\": 3}");
    let lock = home.path(".claude.json.lock");
    fs::create_dir(&lock).unwrap();
    let held = lock.clone();
    let path = file.clone();
    let other = std::thread::spawn(move || {
        // Another session that holds the lock writes, and lets go.
        fs::write(path, "{\"numStartups\": 4}").unwrap();
        fs::remove_dir(held).unwrap();
    });
    home.connected("claude-code");
    other.join().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("\"numStartups\": 4") && text.contains("ozbrain"),
        "{text}"
    );
    assert!(!lock.exists());
}

#[test]
fn a_lock_that_is_held_on_is_told_as_such_and_where_no_folder_is_none_is_needed() {
    let mut home = Home::on(Linux);
    let file = home.put(".claude.json", "{}");
    home.computer.locked.store(true, Ordering::SeqCst);
    let refusal = home.refused("claude-code");
    assert_eq!(
        refusal.message,
        format!(
            "Claude Code is writing {} and has locked it. It is as it was. Try again in a moment.",
            file.display()
        )
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    home.computer.locked.store(false, Ordering::SeqCst);
    let folder = home.path("not yet/there").display().to_string();
    let variables = &mut home.environment.variables;
    variables.insert("CLAUDE_CONFIG_DIR".into(), folder);
    home.connected("claude-code");
    assert!(home.path("not yet/there/.claude.json").is_file());
    home.disconnected("claude-code");
    assert!(!home.path("not yet").exists());
}

/// What `claude mcp` does to its file, as far as it matters here.
fn claude(file: &Path, arguments: &[String]) {
    let text = fs::read_to_string(file).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let servers = &mut json["mcpServers"];
    match arguments[1].as_str() {
        "add-json" => servers[&arguments[4]] = serde_json::from_str(&arguments[5]).unwrap(),
        "remove" => {
            servers.as_object_mut().unwrap().remove(&arguments[4]);
        }
        other => panic!("{other}"),
    }
    fs::write(file, serde_json::to_string(&json).unwrap()).unwrap();
}

#[test]
fn while_claude_code_runs_its_own_command_makes_the_change() {
    for (platform, program, running) in [
        (Linux, "claude", "claude"),
        (
            Linux,
            "claude",
            "/home/ann/.local/share/claude/versions/2.1.37",
        ),
        // Its file's name on macOS.
        (
            MacOs,
            "claude",
            "/Users/ann/.local/share/claude/versions/2.1.37",
        ),
        (MacOs, "claude", "claude"),
        (Windows, "claude.exe", r"C:\Users\Ann\.local\bin\claude.exe"),
    ] {
        its_own_command_makes_the_change(platform, program, running);
    }
}

fn its_own_command_makes_the_change(platform: Platform, program: &str, running: &str) {
    let mut home = Home::on(platform);
    let before = "{\"mcpServers\": {\"other\": {}}}";
    let file = home.put(".claude.json", before);
    let bin = home.root().join("bin");
    fs::create_dir(&bin).unwrap();
    crate::home::program_at(&bin.join(program));
    let path = bin.to_str().unwrap().to_owned();
    home.environment.variables.insert("PATH".into(), path);
    assert_eq!(
        home.plan("claude-code").way,
        ClientWay::Edit,
        "it does not run"
    );
    home.computer.runs(running);
    let own = file.clone();
    *home.computer.command.lock().unwrap() = Some(Box::new(move |_, arguments| {
        claude(&own, arguments);
        Ok(true)
    }));
    let plan = home.connected("claude-code");
    let ClientWay::Command { command, shell } = &plan.way else {
        panic!("{:?}", plan.way);
    };
    // To be copied as it is.
    let quote = if platform == Windows {
        "\"{\\\""
    } else {
        "'{\""
    };
    assert!(shell.contains(&format!("ozbrain {quote}type")), "{shell}");
    assert_eq!(command[0], bin.join(program).display().to_string());
    assert_eq!(command[1..6], ["mcp", "add-json", "-s", "user", "ozbrain"]);
    let entry = home.found("claude-code").entry.unwrap();
    assert!(entry.current);
    assert!(home.found("claude-code").made.is_some());
    // What it was before is kept, as of every change.
    let copies = home.data.join("backups/clients/claude-code");
    let copies: Vec<String> = fs::read_dir(&copies)
        .unwrap()
        .map(|copy| fs::read_to_string(copy.unwrap().path()).unwrap())
        .collect();
    assert!(copies.contains(&before.to_owned()), "{copies:?}");
    let plan = home.disconnected("claude-code");
    assert!(
        matches!(plan.way, ClientWay::Command { .. }),
        "{:?}",
        plan.way
    );
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "{\"mcpServers\":{\"other\":{}}}"
    );
    assert_eq!(home.computer.ran.lock().unwrap().len(), 2);
    assert_eq!(home.found("claude-code").made, None);
}

#[test]
fn a_command_that_does_nothing_leaves_the_edit_to_us() {
    let mut home = Home::on(Linux);
    let file = home.put(".claude.json", "{}");
    let bin = home.root().join("bin");
    fs::create_dir(&bin).unwrap();
    crate::home::program_at(&bin.join("claude"));
    let path = bin.to_str().unwrap().to_owned();
    home.environment.variables.insert("PATH".into(), path);
    home.computer.runs("claude");
    *home.computer.command.lock().unwrap() = Some(Box::new(|_, _| Ok(false)));
    home.connected("claude-code");
    assert!(fs::read_to_string(&file).unwrap().contains("ozbrain"));
    home.disconnected("claude-code");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

#[test]
fn a_command_that_hangs_leaves_the_edit_to_us_unless_it_was_done() {
    for does in [false, true] {
        let mut home = Home::on(Linux);
        let file = home.put(".claude.json", "{}");
        let bin = home.root().join("bin");
        fs::create_dir(&bin).unwrap();
        crate::home::program_at(&bin.join("claude"));
        let path = bin.to_str().unwrap().to_owned();
        home.environment.variables.insert("PATH".into(), path);
        home.computer.runs("claude");
        let own = file.clone();
        *home.computer.command.lock().unwrap() = Some(Box::new(move |_, arguments| {
            if does {
                claude(&own, arguments);
            }
            Err(std::io::ErrorKind::TimedOut.into())
        }));
        home.connected("claude-code");
        let made = fs::read_to_string(&file).unwrap();
        // As the command writes it, on one line.
        assert_eq!(made.lines().count() == 1, does, "{made}");
        assert!(home.found("claude-code").entry.unwrap().current);
    }
}
