//! A disk that takes no more: writes are refused, reads go on, nothing is
//! lost, and once there is room again writing goes on.

use std::fs;
use std::path::Path;
use std::process::Command;

use ozbrain_tests::{Agent, Home};
use serde_json::json;

/// Sentences enough to fill a disk with, different for each unit.
fn body(unit: usize) -> String {
    (0..200)
        .map(|line| format!("Unit {unit} line {line} says {}.\n", unit * 7919 + line))
        .collect()
}

/// Writes until one is refused; returns how many were stored.
fn fill(agent: &mut Agent) -> usize {
    for unit in 0..2_000 {
        let args = json!({ "brain": "team", "topic": "archive", "title": format!("Unit {unit}"), "body": body(unit) });
        let result = agent.request("tools/call", json!({ "name": "write", "arguments": args }));
        if result["isError"] == true {
            assert_eq!(
                result["structuredContent"]["code"], "unavailable",
                "{result}"
            );
            return unit;
        }
    }
    panic!("a disk that is full takes no 2,000 units");
}

fn all_are_there(agent: &mut Agent, units: usize) {
    assert!(units > 0, "some units fit");
    for unit in 0..units {
        let id = format!("team:archive#Unit {unit}");
        assert_eq!(
            agent.call("fetch", json!({ "id": id }))["text"],
            body(unit).trim_end()
        );
    }
}

fn writes_again(agent: &mut Agent, home: &Home, units: usize) {
    let args = json!({ "brain": "team", "topic": "archive", "title": "After", "body": "There is room again" });
    assert_eq!(agent.call("write", args)["outcome"], "created");
    all_are_there(agent, units);
    let found = agent.call("search", json!({ "query": "room again" }));
    assert_eq!(found["results"][0]["title"], "After");
    home.run(&["doctor"]).ok();
}

#[test]
fn a_file_that_may_not_grow_refuses_writes_and_loses_nothing() {
    let home = Home::with_team();
    // The shell ignores the signal that a file at its limit sends, and the
    // program inherits that: writing past the limit then fails as an error.
    let mut shell = home.adopt(Command::new("bash"));
    shell.args([
        "-c",
        "trap '' XFSZ; ulimit -S -f 2048; exec \"$OZBRAIN\" mcp --connection filler",
    ]);
    let mut agent = Agent::start(shell, "filler");
    let units = fill(&mut agent);
    all_are_there(&mut agent, units);

    let process = agent.id().to_string();
    let lifted = Command::new("prlimit")
        .args(["--pid", &process, "--fsize=unlimited"])
        .status();
    assert!(lifted.unwrap().success());
    writes_again(&mut agent, &home, units);
}

/// Whether this machine lets us mount a small file system of our own.
fn can_mount() -> bool {
    let tried = Command::new("unshare").args(["-Urm", "true"]).output();
    tried.is_ok_and(|done| done.status.success())
}

#[test]
fn a_full_disk_refuses_writes_and_loses_nothing() {
    if !can_mount() {
        eprintln!("skipped: this machine allows no mount of our own, so no disk can be filled");
        return;
    }
    let home = Home::new();
    fs::create_dir(home.data()).unwrap();
    let mut shell = home.adopt(Command::new("unshare"));
    // The file system is the process's own: all that follows goes through it.
    let script = "mount -t tmpfs -o size=6m tmpfs \"$OZBRAIN_DATA_DIR\"
        head -c 1m /dev/zero > \"$OZBRAIN_DATA_DIR/ballast\"
        \"$OZBRAIN\" brain create team --shared >&2
        exec \"$OZBRAIN\" mcp --connection filler";
    shell.args(["-Urm", "bash", "-ec", script]);
    let mut agent = Agent::start(shell, "filler");
    let units = fill(&mut agent);
    all_are_there(&mut agent, units);

    let inside = Path::new("/proc").join(agent.id().to_string()).join("root");
    let ballast = inside
        .join(home.data().strip_prefix("/").unwrap())
        .join("ballast");
    fs::remove_file(ballast).unwrap();
    let args = json!({ "brain": "team", "topic": "archive", "title": "After", "body": "There is room again" });
    assert_eq!(agent.call("write", args)["outcome"], "created");
    all_are_there(&mut agent, units);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let home = Home::with_team();
    home.run(&[
        "write",
        "--brain",
        "team",
        "--topic",
        "kept",
        "--body",
        "Kept as it is",
    ])
    .ok();
    let before = fs::read(home.database()).unwrap();

    let attempt = |args: &[&str]| {
        let mut command = if can_mount() {
            let mut shell = home.adopt(Command::new("unshare"));
            let script = "mount --bind \"$OZBRAIN_DATA_DIR\" \"$OZBRAIN_DATA_DIR\"
                mount -o remount,ro,bind \"$OZBRAIN_DATA_DIR\"
                exec \"$OZBRAIN\" \"$@\"";
            shell.args(["-Urm", "bash", "-ec", script, "bash"]);
            shell
        } else {
            set_writable(home.data(), false);
            home.command()
        };
        command.args(args);
        let ran = ozbrain_tests::Ran::of(command);
        set_writable(home.data(), true);
        ran
    };
    let data = home.data().to_str().unwrap();
    let said = attempt(&[
        "write",
        "--brain",
        "team",
        "--topic",
        "new",
        "--body",
        "Not stored",
    ])
    .refused();
    assert!(said.contains(data), "the folder is named: {said}");

    assert_eq!(fs::read(home.database()).unwrap(), before);
    assert_eq!(
        home.run(&["fetch", "team:kept", "--json"]).json()["text"],
        "Kept as it is"
    );
    home.run(&["fetch", "team:new"]).refused();
}

/// Where no mount is possible, we are no administrator either: modes hold.
fn set_writable(folder: &Path, writable: bool) {
    use std::os::unix::fs::PermissionsExt;
    let mode = if writable { 0o700 } else { 0o500 };
    fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_data_folder_that_cannot_be_made_is_named() {
    let home = Home::new();
    let file = home.dir().join("a-file");
    fs::write(&file, "not a folder").unwrap();
    let place = file.join("data");
    let mut command = home.command();
    command
        .env("OZBRAIN_DATA_DIR", &place)
        .args(["brain", "list"]);
    let said = ozbrain_tests::Ran::of(command).refused();
    assert!(said.contains(place.to_str().unwrap()), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "not a folder");
}

#[test]
fn only_the_user_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::with_team();
    let mut agent = home.agent("writer");
    agent.call(
        "write",
        json!({ "brain": "team", "topic": "private", "body": "Between us" }),
    );
    agent.call("fetch", json!({ "id": "team:private" }));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o077;
    assert_eq!(mode(home.data()), 0);
    let files: Vec<_> = fs::read_dir(home.data())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(!files.is_empty());
    for file in files {
        assert_eq!(mode(&file), 0, "{}", file.display());
    }
}
