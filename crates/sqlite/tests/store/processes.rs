//! Several processes on one folder, and processes that are killed.

use crate::fixture::*;
use ozbrain_core::Code;
use ozbrain_core::ports::Store;
use ozbrain_core::words::EventKind;
use rusqlite::Connection;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const FOLDER: &str = "OZBRAIN_TEST_FOLDER";
const FIRST: &str = "OZBRAIN_TEST_FIRST";
const COUNT: &str = "OZBRAIN_TEST_COUNT";

/// Not a test: what the other processes of these tests run. It writes units
/// and says each one's number when the store has acknowledged it.
#[test]
#[ignore = "run by the tests below"]
fn writer() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let number = |name| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let store = open(Path::new(&folder));
    let team = brain(&store, "team");
    println!("\nopen");
    for bits in number(FIRST)..number(FIRST) + number(COUNT) {
        let body = "some body ".repeat(20);
        let it = unit(id(bits), team, content(&format!("t/{bits}"), None, &body));
        match apply(&store, new_head(&it, EventKind::Created)) {
            Ok(()) => println!("\nwrote {bits}"),
            Err(refusal) => {
                let read = store.reading(&mut |records| records.counts(team, at(0)).map(|_| ()));
                println!("\nrefused {} read {}", refusal.code, read.is_ok());
            }
        }
    }
}

fn start(mut command: Command, folder: &Path, first: u64, count: u64) -> Child {
    command
        .args(["--exact", "processes::writer", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(FIRST, first.to_string())
        .env(COUNT, count.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn this() -> Command {
    Command::new(std::env::current_exe().unwrap())
}

fn said(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
}

fn wrote(lines: impl Iterator<Item = String>) -> Vec<u64> {
    lines
        .filter_map(|line| line.strip_prefix("wrote ")?.parse().ok())
        .collect()
}

#[test]
fn four_processes_make_one_store_and_lose_nothing() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("data");
    let mut children: Vec<_> = (0..4)
        .map(|child| start(this(), &folder, child * 1_000, 100))
        .collect();
    let lines: Vec<_> = children.iter_mut().map(said).collect();
    for lines in lines {
        assert_eq!(wrote(lines).len(), 100);
    }
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = open(&folder);
    let team = brain(&store, "team");
    ask(&store, |records| {
        assert_eq!(records.brains()?.len(), 1);
        assert_eq!(records.counts(team, at(0))?.units, 400);
        let events = records.events_after(0, usize::MAX)?;
        let places: Vec<u64> = events.iter().map(|event| event.id).collect();
        assert_eq!(places, (1..=401).collect::<Vec<_>>());
        Ok(())
    });
    sound(&folder);
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("data");
    let mut acknowledged = Vec::new();
    for round in 0..8_u64 {
        let mut child = start(this(), &folder, round * 100_000, 50_000);
        let mut other = start(this(), &folder, round * 100_000 + 50_000, 50_000);
        let rest = said(&mut other);
        let mut lines = said(&mut child);
        let some = wrote(
            lines
                .by_ref()
                .take_while(|line| *line != format!("wrote {}", round * 100_000 + 7 * round)),
        );
        child.kill().unwrap();
        other.kill().unwrap();
        acknowledged.extend(some);
        acknowledged.extend(wrote(lines));
        acknowledged.extend(wrote(rest));
        child.wait().unwrap();
        other.wait().unwrap();
        if folder.join("ozbrain.db").exists() {
            sound(&folder);
        }
    }
    assert!(acknowledged.len() > 20);
    let store = open(&folder);
    let team = brain(&store, "team");
    ask(&store, |records| {
        for bits in &acknowledged {
            let unit = records.unit(&[team], &id(*bits))?.unwrap();
            assert_eq!(unit.head.content.body.len(), 200);
        }
        Ok(())
    });
}

/// The engine's own check, the keyword index's, and that every unit has what
/// belongs to it.
fn sound(folder: &Path) {
    let raw = Connection::open(folder.join("ozbrain.db")).unwrap();
    let check: String = raw
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
    let count = |sql: &str| -> i64 { raw.query_row(sql, [], |row| row.get(0)).unwrap() };
    let tables = count("SELECT count(*) FROM sqlite_schema WHERE name = 'keywords_1'");
    if tables == 0 {
        return;
    }
    let units = count("SELECT count(*) FROM units");
    assert_eq!(count("SELECT count(*) FROM revisions"), units);
    assert_eq!(count("SELECT count(*) FROM keywords_1"), units);
    assert_eq!(
        count("SELECT count(*) FROM events WHERE unit IS NOT NULL"),
        units
    );
}

/// A disk that takes no more, played by a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_more_refuses_writes_and_serves_reads() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("data");
    // `-f` counts blocks of 512 bytes or of 1,024: too few in either case.
    let mut limited = Command::new("sh");
    limited
        .args(["-c", r#"trap '' XFSZ; ulimit -f 4000; exec "$0" "$@""#])
        .arg(std::env::current_exe().unwrap());
    let mut child = start(limited, &folder, 0, 2_000);
    let lines: Vec<_> = said(&mut child).collect();
    assert!(child.wait().unwrap().success());
    let refusals: Vec<_> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("refused "))
        .collect();
    assert!(!refusals.is_empty());
    for refusal in refusals {
        assert_eq!(refusal, format!("{} read true", Code::Unavailable));
    }
    let written = wrote(lines.into_iter());
    assert!(written.len() > 10);
    sound(&folder);
    let store = open(&folder);
    let team = brain(&store, "team");
    ask(&store, |records| {
        for bits in &written {
            assert!(records.id_taken(&id(*bits))?);
        }
        Ok(())
    });
    put(
        &store,
        &unit(id(99_999), team, content("room", None, "again")),
    );
}
