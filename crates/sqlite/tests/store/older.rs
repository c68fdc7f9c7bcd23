//! Stores that older programs made.

use crate::fixture::*;
use ozbrain_core::ports::{Change, Narrow, TellingSoFar};
use ozbrain_core::words::{Asks, EventKind, Grant, Granted, Settings};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// What a program of schema 1 left: `team` with a unit in conflict and a
/// retired one, `personal` with a unit, three connections, one of them revoked.
const VERSION_1: &[u8] = include_bytes!("version-1.db");

/// What a program of schema 2 left: `team` with a unit in conflict, a retired
/// one and a stale one, `personal` with a unit.
const VERSION_2: &[u8] = include_bytes!("version-2.db");

/// What a program of schema 3 left: `team` with a unit in conflict, `desk`
/// under review with a proposal that waits and a rejected one, `personal` with
/// a unit whose last change was undone.
const VERSION_3: &[u8] = include_bytes!("version-3.db");

#[test]
fn a_store_of_version_1_is_brought_up_and_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ozbrain.db");
    fs::write(&file, VERSION_1).unwrap();
    let version = |wanted: i64| {
        let raw = Connection::open(&file).unwrap();
        let found: i64 = raw
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .unwrap();
        assert_eq!(found, wanted);
    };
    version(1);
    let store = open(folder.path());
    version(5);
    ask(&store, |records| {
        records.check()?;
        let names: Vec<String> = records
            .brains()?
            .into_iter()
            .map(|it| it.name.to_string())
            .collect();
        assert_eq!(names, ["personal", "team"]);
        Ok(())
    });
    let (team, personal) = (brain(&store, "team"), brain(&store, "personal"));
    ask(&store, |records| {
        let clash = records
            .unit_at(team, &topic("projects/q3-launch"), None)?
            .unwrap();
        assert_eq!(clash.head.content.body, "Status: on track");
        assert_eq!(clash.sides[0].revision.content.body, "Status: delayed");
        let tone = records
            .unit_at(team, &topic("voice"), Some("tone"))?
            .unwrap();
        assert!(tone.head.retired);
        let terms = ozbrain_core::text::question_terms("green tea");
        let found = records.by_keywords(&[personal], &terms, Narrow::default(), 5)?;
        assert_eq!(found.len(), 1);
        let granted = |grant| Granted {
            grant,
            owner: false,
        };
        assert_eq!(
            records.grants(&name("Cursor"))?[&team],
            granted(Grant::Write)
        );
        assert_eq!(
            records.grants(&name("Claude"))?[&team],
            granted(Grant::Read)
        );
        let revoked = records.connection(&name("Claude"))?.unwrap().revoked_at;
        assert!(revoked.is_some());
        assert_eq!(records.open_proposal_count(&[team, personal])?, 0);
        assert_eq!(
            records.unit_events(&tone.id, 1)?[0].detail.as_deref(),
            Some("old")
        );
        Ok(())
    });
    // It takes what the new schema is for.
    let it = put(&store, &unit(id(7), team, content("p", None, "x")));
    apply(&store, crate::proposals::waits_for(team, &it, "Cursor")).unwrap();
    drop(store);
    let store = open(folder.path());
    ask(&store, |records| {
        records.check()?;
        assert_eq!(records.unit_proposals(&it.id)?.len(), 1);
        let last = records.unit_events(&it.id, 1)?;
        assert_eq!(last[0].kind, EventKind::Proposed);
        Ok(())
    });
}

/// That a store has no settings yet, and what was open before is found by what
/// opened it; then it takes a setting and keeps it.
fn learns_settings(folder: &Path, head: &str) {
    let store = open(folder);
    let team = brain(&store, "team");
    ask(&store, |records| {
        records.check()?;
        assert_eq!(records.settings()?, Settings::default());
        assert_eq!(records.telling()?, TellingSoFar::default());
        let opened = records.opened_after(team, 0)?;
        assert_eq!(opened.len(), 1);
        let unit = records.unit(&[team], &opened[0].unit)?.unwrap();
        assert_eq!(unit.head.content.body, head);
        assert!(records.opened_after(team, opened[0].event)?.is_empty());
        Ok(())
    });
    let chosen = Settings {
        digest_at: None,
        muted: [team].into(),
        ..Settings::default()
    };
    apply(&store, vec![Change::PutSettings(Box::new(chosen.clone()))]).unwrap();
    drop(store);
    ask(&open(folder), |records| {
        assert_eq!(records.settings()?, chosen);
        Ok(())
    });
}

#[test]
fn a_store_of_version_2_is_brought_up_and_learns_settings() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ozbrain.db"), VERSION_2).unwrap();
    let store = open(folder.path());
    let team = brain(&store, "team");
    ask(&store, |records| {
        assert_eq!(records.opened_after(team, 0)?[0].by, name("Claude"));
        Ok(())
    });
    drop(store);
    learns_settings(folder.path(), "17 September");
}

#[test]
fn a_store_of_version_3_is_brought_up_learns_settings_and_keeps_what_was_rejected() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ozbrain.db"), VERSION_3).unwrap();
    learns_settings(folder.path(), "24 September");
    let store = open(folder.path());
    let (desk, personal) = (brain(&store, "desk"), brain(&store, "personal"));
    ask(&store, |records| {
        assert_eq!(records.open_proposal_count(&[desk])?, 1);
        let rejected = &records.rejected_proposals(desk)?[0];
        let Asks::Write(wanted) = &rejected.asks else {
            panic!("{rejected:?}");
        };
        assert_eq!(wanted.body.as_deref(), Some("This was rejected."));
        let tone = records.unit_at(personal, &topic("voice"), Some("tone"))?;
        assert_eq!(tone.unwrap().head.content.body, "Plain words.");
        Ok(())
    });
}
