//! A database file that is damaged, or of another program: it is named, and
//! left as it is.

use std::fs;
use std::path::PathBuf;

use ozbrain_tests::{Agent, Home};
use serde_json::json;

/// A home whose database was stored well, closed, and then replaced.
fn home_with(bytes: impl Fn(Vec<u8>) -> Vec<u8>) -> (Home, PathBuf, Vec<u8>) {
    let home = Home::with_team();
    for unit in 0..20 {
        let topic = format!("notes/{unit}");
        let body = format!("Note {unit}: {}", "the harbour opens at six. ".repeat(40));
        home.run(&[
            "write", "--brain", "team", "--topic", &topic, "--body", &body,
        ])
        .ok();
    }
    let database = home.database();
    for side in ["-wal", "-shm"] {
        let mut path = database.clone().into_os_string();
        path.push(side);
        if fs::exists(&path).unwrap() {
            fs::remove_file(path).unwrap();
        }
    }
    let replaced = bytes(fs::read(&database).unwrap());
    fs::write(&database, &replaced).unwrap();
    (home, database, replaced)
}

/// Each way in refuses, names the file, and changes nothing in it.
fn is_refused_and_kept(home: &Home, database: &PathBuf, bytes: &[u8]) {
    let name = database.file_name().unwrap().to_str().unwrap();
    let attempts: [&[&str]; 3] = [
        &["brain", "list"],
        &[
            "write", "--brain", "team", "--topic", "new", "--body", "Text",
        ],
        &["serve", "--port", "0"],
    ];
    for args in attempts {
        let said = home.run(args).refused();
        assert!(said.contains(name), "{args:?} names {name}: {said}");
        assert_eq!(
            fs::read(database).unwrap(),
            bytes,
            "{args:?} left the file as it is"
        );
    }
    let mut command = home.command();
    command.args(["mcp", "--connection", "agent"]);
    refuses_over_stdio(Agent::spawn(command, "agent"));
    assert_eq!(
        fs::read(database).unwrap(),
        bytes,
        "an agent left the file as it is"
    );
}

/// Either the process ends with an error, or it lives and refuses each call.
fn refuses_over_stdio(mut agent: Agent) {
    let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        agent.shake_hands();
        agent.refusal("brains", json!({})).code
    }));
    match told {
        Ok(code) => assert_eq!(code, "unavailable"),
        Err(_) => assert!(
            !agent.close().success(),
            "a process that cannot work does not end well"
        ),
    }
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let (home, database, bytes) = home_with(|_| b"Dear diary, this is no database. ".repeat(300));
    is_refused_and_kept(&home, &database, &bytes);
}

#[test]
fn a_damaged_header_is_left_alone() {
    let (home, database, bytes) = home_with(|mut bytes| {
        bytes[16..100].fill(0xA5);
        bytes
    });
    is_refused_and_kept(&home, &database, &bytes);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let (home, database, bytes) = home_with(|_| foreign_database());
    is_refused_and_kept(&home, &database, &bytes);
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let (home, database, bytes) = home_with(|mut bytes| {
        // The schema's version, `user_version` in the header.
        bytes[60..64].copy_from_slice(&1_000_000_u32.to_be_bytes());
        bytes
    });
    is_refused_and_kept(&home, &database, &bytes);
}

#[test]
fn pages_damaged_inside_end_no_process_and_no_other_answer() {
    let (home, _, _) = home_with(|mut bytes| {
        let page = 4096;
        assert!(bytes.len() > 12 * page, "there are pages to damage");
        // From the middle on, every other page.
        for start in (bytes.len() / 2 / page * page..bytes.len()).step_by(2 * page) {
            bytes[start..start + page].fill(0x5A);
        }
        bytes
    });
    let mut agent = home.agent("reader");
    for unit in 0..20 {
        let args = json!({ "name": "fetch", "arguments": { "id": format!("team:notes/{unit}") } });
        let result = agent.request("tools/call", args);
        if result["isError"] == true {
            let code = &result["structuredContent"]["code"];
            assert!(code == "unavailable" || code == "unknown_unit", "{result}");
        } else {
            let text = result["structuredContent"]["text"].as_str().unwrap();
            assert!(
                text.starts_with(&format!("Note {unit}: the harbour")),
                "{text}"
            );
        }
    }
    let said = home.run(&["doctor"]);
    assert_ne!(
        said.code,
        Some(0),
        "the health report sees the damage: {}",
        said.stdout
    );
}

/// A valid, empty SQLite database that carries another program's mark.
fn foreign_database() -> Vec<u8> {
    let mut page = vec![0_u8; 4096];
    page[..16].copy_from_slice(b"SQLite format 3\0");
    page[16..18].copy_from_slice(&4096_u16.to_be_bytes());
    page[18..24].copy_from_slice(&[1, 1, 0, 64, 32, 32]);
    let mut put = |at: usize, value: u32| page[at..at + 4].copy_from_slice(&value.to_be_bytes());
    put(24, 1); // changes so far
    put(28, 1); // pages
    put(44, 4); // schema format
    put(56, 1); // UTF-8
    put(68, 0x4750_4B47); // whose file it is: a map's
    put(92, 1); // for which change the next holds
    put(96, 3_040_000); // written by this version of SQLite
    page[100] = 0x0D; // an empty table leaf,
    page[105..107].copy_from_slice(&4096_u16.to_be_bytes()); // its content at the page's end
    page
}
