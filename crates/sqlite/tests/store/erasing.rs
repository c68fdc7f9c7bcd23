//! What is erased while another process has the store open.

use crate::fixture::*;
use ozbrain_core::ports::{Change, Store};
use ozbrain_core::words::EventKind;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const FOLDER: &str = "OZBRAIN_TEST_HELD";
const SECRET: &str = "zyxwombat";

/// Not a test: what the other process runs. It holds one moment of the store
/// until a line comes, and keeps the store open until the next.
#[test]
#[ignore = "run by the test below"]
fn holder() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let store = open(Path::new(&folder));
    let mut lines = std::io::stdin().lines();
    ask(&store, |records| {
        records.last_event()?;
        println!("\nholds");
        lines.next();
        Ok(())
    });
    println!("\nlets go");
    lines.next();
}

/// Whether the secret stands in a file. Another process looks: closing a file
/// gives up every lock that this one has on it.
fn stands(folder: &Path) -> bool {
    let mut all = Command::new("cat");
    for entry in std::fs::read_dir(folder).unwrap() {
        all.arg(entry.unwrap().path());
    }
    let bytes = all.output().unwrap().stdout;
    assert!(!bytes.is_empty());
    let middle = &SECRET.as_bytes()[2..];
    bytes.windows(middle.len()).any(|some| some == middle)
}

#[cfg(unix)]
#[test]
fn what_a_reader_kept_goes_soon_after_it_lets_go_by_itself() {
    let (folder, store, team) = team();
    let it = put(
        &store,
        &unit(id(1), team, content("p", Some(SECRET), SECRET)),
    );
    let erase = vec![
        Change::EraseUnit(it.id),
        Change::Event(event(EventKind::Erased, Some(team), None)),
    ];
    ask(&store, |records| {
        records.last_event()?;
        apply(&store, erase)?;
        assert!(!store.scrub()?);
        Ok(())
    });
    assert!(stands(folder.path()));
    // Nobody writes, and nobody asks for it.
    let began = std::time::Instant::now();
    while stands(folder.path()) {
        assert!(began.elapsed().as_secs() < 30, "it stands still");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[cfg(unix)]
#[test]
fn another_process_keeps_it_no_longer_than_it_reads() {
    let (folder, store, team) = team();
    let it = put(
        &store,
        &unit(id(1), team, content("p", Some(SECRET), SECRET)),
    );
    put(&store, &unit(id(2), team, content("q", None, "plain")));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "erasing::holder", "--ignored", "--nocapture"])
        .env(FOLDER, folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(std::result::Result::ok);
    let mut hear = |what: &str| assert!(said.any(|line| line == what), "{what}");
    hear("holds");
    let erase = vec![
        Change::EraseUnit(it.id.clone()),
        Change::Event(event(EventKind::Erased, Some(team), None)),
    ];
    apply(&store, erase).unwrap();
    assert!(!store.scrub().unwrap());
    assert!(stands(folder.path()));
    writeln!(to).unwrap();
    hear("lets go");
    // It has the store open still, and reads no more of what was there.
    assert!(store.scrub().unwrap());
    assert!(!stands(folder.path()));
    ask(&store, |records| {
        assert!(records.unit(&[team], &it.id)?.is_none());
        assert!(records.id_taken(&it.id)?);
        assert_eq!(records.counts(team, at(0))?.units, 1);
        records.check()
    });
    writeln!(to).unwrap();
    assert!(child.wait().unwrap().success());
}
