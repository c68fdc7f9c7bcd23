//! Clients' files are watched: whoever changes one is heard.

use crate::home::Home;
use ozbrain_connect::Platform::Linux;
use ozbrain_core::ports::Clients as _;
use std::fs;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Sooner than anyone looks by himself.
const SOON: Duration = Duration::from_secs(10);

/// Watches a home's clients, and waits for the first look.
fn watched(home: &Home) -> (Box<dyn Send>, Receiver<()>) {
    let (heard, hears) = channel();
    let watching = home.clients().watch(Box::new(move || {
        let _ = heard.send(());
    }));
    hears.recv_timeout(SOON).expect("a look at the start");
    (watching, hears)
}

#[test]
fn a_file_that_someone_writes_is_heard_of() {
    let home = Home::on(Linux);
    let file = home.put(".cursor/mcp.json", "{}");
    let (watching, hears) = watched(&home);
    fs::write(&file, "{ }").unwrap();
    hears.recv_timeout(SOON).expect("a change");
    // Replaced whole, as careful programs do.
    let other = home.put(".cursor/other", "{  }");
    fs::rename(other, &file).unwrap();
    hears.recv_timeout(SOON).expect("a replacement");
    fs::remove_file(&file).unwrap();
    hears.recv_timeout(SOON).expect("a removal");
    drop(watching);
    let end = hears.recv_timeout(SOON);
    assert_eq!(end, Err(RecvTimeoutError::Disconnected));
}

#[test]
fn a_client_that_was_not_there_is_heard_of_with_its_folder() {
    let home = Home::on(Linux);
    let (_watching, hears) = watched(&home);
    fs::create_dir_all(home.path(".codex")).unwrap();
    hears.recv_timeout(SOON).expect("its folder");
    home.put(".codex/config.toml", "model = \"x\"\n");
    hears.recv_timeout(SOON).expect("its file");
}

#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_watched() {
    let home = Home::on(Linux);
    let real = home.put("dotfiles/mcp.json", "{}");
    fs::create_dir_all(home.path(".cursor")).unwrap();
    std::os::unix::fs::symlink(&real, home.path(".cursor/mcp.json")).unwrap();
    let (_watching, hears) = watched(&home);
    fs::write(&real, "{ }").unwrap();
    hears.recv_timeout(SOON).expect("a change behind the link");
}

#[test]
fn what_is_no_clients_is_not_heard_of() {
    let home = Home::on(Linux);
    home.put(".cursor/mcp.json", "{}");
    let (_watching, hears) = watched(&home);
    fs::write(home.path(".cursor/other.json"), "{}").unwrap();
    fs::write(home.path("notes.txt"), "x").unwrap();
    // What is written after it is heard of alone.
    fs::write(home.path(".cursor/mcp.json"), "{ }").unwrap();
    hears.recv_timeout(SOON).expect("a change");
    let more = hears.recv_timeout(Duration::from_secs(1));
    assert_eq!(more, Err(RecvTimeoutError::Timeout));
}
