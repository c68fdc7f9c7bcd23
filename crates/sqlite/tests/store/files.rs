//! What lies in the folder, and what does not belong there.

use crate::fixture::*;
use ozbrain_core::Code;
use ozbrain_core::ports::Store;
use ozbrain_core::words::EventKind;
use ozbrain_sqlite::SqliteStore;
use rusqlite::Connection;
use std::fs;
use std::path::Path;

#[cfg(unix)]
#[test]
fn only_this_user_reads_what_is_made() {
    use std::os::unix::fs::PermissionsExt;
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("deep/data");
    let store = open(&folder);
    let team = brain(&store, "team");
    let it = put(&store, &unit(id(1), team, content("p", None, "x")));
    store.delivered(vec![crate::log::delivery("Cursor", &it.id, 1, 1)]);
    drop(store);
    let store = open(&folder);
    put(&store, &unit(id(2), team, content("q", None, "x")));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        files.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    files.sort();
    assert_eq!(
        files,
        [
            "doorbell",
            "ozbrain.db",
            "ozbrain.db-shm",
            "ozbrain.db-wal",
            "reads.db"
        ]
    );
}

#[test]
fn a_file_that_is_no_store_is_left_alone() {
    for bytes in [
        b"Dear diary".to_vec(),
        b"SQLite format 3\0 and then nothing".to_vec(),
        vec![0; 5_000],
        vec![0x5A; 50_000],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ozbrain.db");
        fs::write(&file, &bytes).unwrap();
        let refusal = refused(folder.path());
        assert_eq!(refusal.code, Code::Unavailable);
        assert!(refusal.message.contains("ozbrain.db"), "{refusal}");
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
}

#[test]
fn another_programs_database_is_left_alone() {
    for setup in [
        "PRAGMA application_id = 77; CREATE TABLE t (x);",
        "PRAGMA application_id = 77;",
        "CREATE TABLE t (x);",
        "PRAGMA user_version = 1;",
        "PRAGMA journal_mode = WAL; CREATE TABLE t (x);",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ozbrain.db");
        let other = Connection::open(&file).unwrap();
        other.execute_batch(setup).unwrap();
        drop(other);
        let before = fs::read(&file).unwrap();
        let refusal = refused(folder.path());
        assert_eq!(refusal.code, Code::Unavailable);
        assert!(refusal.message.contains("ozbrain.db"), "{refusal}");
        assert_eq!(fs::read(&file).unwrap(), before, "{setup}");
    }
}

#[test]
fn damage_is_told_and_nothing_is_thrown_away() {
    let (folder, store, team) = team();
    for number in 0..300 {
        put(
            &store,
            &unit(
                id(number),
                team,
                content(&format!("t/{number}"), None, "some body"),
            ),
        );
    }
    drop(store);
    let file = folder.path().join("ozbrain.db");
    let mut bytes = fs::read(&file).unwrap();
    let length = bytes.len();
    bytes[8_192..length].fill(0xA5);
    fs::write(&file, &bytes).unwrap();
    let told = match SqliteStore::open(folder.path()) {
        Err(refusal) => refusal,
        Ok(store) => {
            let refusal = (&store as &dyn Store)
                .read(|records| {
                    records.brains()?;
                    records.unit(&[team], &id(5))?;
                    records.counts(team, at(0))
                })
                .unwrap_err();
            let write = apply(
                &store,
                new_head(
                    &unit(id(999), team, content("new", None, "x")),
                    ozbrain_core::words::EventKind::Created,
                ),
            );
            assert_eq!(write.unwrap_err().code, Code::Unavailable);
            refusal
        }
    };
    assert_eq!(told.code, Code::Unavailable);
    assert!(told.message.contains("damaged"), "{told}");
    assert!(told.message.contains("ozbrain.db"), "{told}");
    assert_eq!(fs::read(&file).unwrap().len(), length);
}

#[test]
fn a_file_cut_short_is_told() {
    let (folder, store, team) = team();
    for number in 0..100 {
        put(
            &store,
            &unit(
                id(number),
                team,
                content(&format!("t/{number}"), None, "some body"),
            ),
        );
    }
    drop(store);
    let file = folder.path().join("ozbrain.db");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 3]).unwrap();
    let told = SqliteStore::open(folder.path()).and_then(|store| {
        (&store as &dyn Store).read(|records| {
            for number in 0..100 {
                records.unit(&[team], &id(number))?;
            }
            records.revisions(&id(1), 9)
        })
    });
    assert_eq!(told.unwrap_err().code, Code::Unavailable);
}

#[test]
fn a_newer_schema_is_not_touched_and_an_older_program_stops_writing() {
    let (folder, running, team) = team();
    let file = folder.path().join("ozbrain.db");
    let newer = Connection::open(&file).unwrap();
    newer.execute_batch("PRAGMA user_version = 999").unwrap();
    let it = unit(id(1), team, content("p", None, "x"));
    let refusal = apply(
        &running,
        new_head(&it, ozbrain_core::words::EventKind::Created),
    )
    .unwrap_err();
    assert_eq!(refusal.code, Code::Unavailable);
    assert!(refusal.message.contains("restart this client"), "{refusal}");
    assert!(!ask(&running, |records| records.id_taken(&it.id)));
    let refusal = refused(folder.path());
    assert_eq!(refusal.code, Code::Unavailable);
    assert!(
        refusal.message.contains("update or restart this client"),
        "{refusal}"
    );
}

#[test]
fn an_index_of_a_newer_analysis_is_not_written() {
    let (folder, running, team) = team();
    let file = folder.path().join("ozbrain.db");
    let newer = Connection::open(&file).unwrap();
    newer
        .execute_batch("UPDATE brains SET analysis = 999")
        .unwrap();
    let it = unit(id(1), team, content("p", None, "x"));
    let refusal = apply(
        &running,
        new_head(&it, ozbrain_core::words::EventKind::Created),
    )
    .unwrap_err();
    assert!(refusal.message.contains("restart this client"), "{refusal}");
}

#[test]
fn a_folder_that_cannot_be_is_told() {
    let outer = tempfile::tempdir().unwrap();
    let blocked = outer.path().join("file");
    fs::write(&blocked, "x").unwrap();
    for folder in [blocked.clone(), blocked.join("below")] {
        let refusal = refused(&folder);
        assert_eq!(refusal.code, Code::Unavailable);
        assert!(refusal.message.contains("file"), "{refusal}");
    }
    let folder = outer.path().join("data");
    fs::create_dir_all(folder.join("ozbrain.db")).unwrap();
    assert_eq!(refused(&folder).code, Code::Unavailable);
}

#[test]
fn an_index_of_an_older_analysis_is_written_anew() {
    let (folder, store, team) = team();
    let it = put(&store, &unit(id(1), team, content("p", None, "walrus")));
    drop(store);
    let raw = Connection::open(folder.path().join("ozbrain.db")).unwrap();
    raw.execute_batch(
        "UPDATE brains SET analysis = 0; UPDATE units SET fingerprint = 1;
         DELETE FROM keywords_1;",
    )
    .unwrap();
    drop(raw);
    let store = open(folder.path());
    ask(&store, |records| {
        let terms = ozbrain_core::text::question_terms("walrus");
        let found = records.by_keywords(&[team], &terms, Default::default(), 5)?;
        assert_eq!(found.len(), 1);
        let print = ozbrain_core::text::fingerprint("walrus");
        assert_eq!(records.same_fingerprint(team, &topic("p"), print)?, [it]);
        Ok(())
    });
}

#[cfg(unix)]
#[test]
fn a_write_into_a_file_that_lost_its_name_is_refused_and_not_stored() {
    type Lose = fn(&Path);
    let ways: [Lose; 3] = [
        |folder| fs::remove_dir_all(folder).unwrap(),
        |folder| fs::rename(folder, folder.with_extension("moved")).unwrap(),
        |folder| {
            fs::rename(folder, folder.with_extension("moved")).unwrap();
            drop(open(folder));
        },
    ];
    for lose in ways {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("data");
        let store = open(&folder);
        let team = brain(&store, "team");
        put(&store, &unit(id(1), team, content("p", None, "x")));
        lose(&folder);
        let late = unit(id(2), team, content("q", None, "y"));
        let refusal = apply(&store, new_head(&late, EventKind::Created)).unwrap_err();
        assert_eq!(refusal.code, Code::Unavailable);
        assert!(refusal.message.contains("Nothing was written"), "{refusal}");
        drop(store);
        let moved = folder.with_extension("moved");
        if moved.exists() {
            let there = open(&moved);
            let kept = |wanted| ask(&there, |it| it.unit(&[team], &id(wanted))).is_some();
            assert!(kept(1));
            assert!(!kept(2));
        }
    }
}
