//! A store of an older schema.

use super::*;
use crate::{SqliteStore, open};
use ozbrain_core::Code;
use ozbrain_core::ports::NewBrain;
use ozbrain_core::ports::Store;
use ozbrain_core::shapes::WriteInput;
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{
    Agent, BrainKey, BrainKind, BrainName, ConnectionName, Session, Timestamp, WritePolicy,
};
use std::sync::Arc;

/// A store as the first schema had it, with one unit by the person.
fn of_the_first_schema(folder: &std::path::Path) {
    let connection = Connection::open(folder.join("ozbrain.db")).unwrap();
    for table in FIRST_SCHEMA {
        connection.execute_batch(table).unwrap();
    }
    meta::create(&connection).unwrap();
    let brain = NewBrain {
        name: BrainName::personal(),
        name_tokens: 1,
        title: "Personal".into(),
        kind: BrainKind::Personal,
        write_policy: WritePolicy::Open,
    };
    brains::create(&connection, &brain).unwrap();
    connection
        .execute_batch(&format!(
            "INSERT INTO agents VALUES (1, 'you', NULL, NULL, 's');
             INSERT INTO units VALUES (1, '000000000001', 1, 'status', NULL, '', 1, 1, 0, 0, 1, 5,
                 5, 6, 7, NULL, NULL, 0, 3, 8, 2, 0, '[]');
             INSERT INTO events VALUES (1, 1, 1, 1, 1, 'created', 1, 5, NULL);
             INSERT INTO revisions VALUES (1, 1, 1, 1, 1, 5, 'created', 0, 1, NULL, NULL, '[]',
                 NULL, 3, 'status', NULL, '[]', NULL, NULL, 'Old text');
             INSERT INTO keywords_1 (rowid, title, topic, tags, body)
                 VALUES (1, '', 'status', '', 'old text');
             PRAGMA application_id = {}; PRAGMA user_version = 1;",
            open::APPLICATION_ID
        ))
        .unwrap();
}

#[test]
fn a_store_of_the_first_schema_goes_on_and_its_old_acts_are_not_undone() {
    let folder = tempfile::tempdir().unwrap();
    of_the_first_schema(folder.path());
    let store = SqliteStore::open(folder.path()).unwrap();
    let agent = Agent {
        connection: ConnectionName::you(),
        client: None,
        session: "t".into(),
    };
    let session = Arc::new(Session::new(agent, 1));
    let call = Call {
        store: &store,
        session: &session,
        now: Timestamp::from_millis(9),
    };
    let store: &dyn Store = &store;
    let id = UnitId::from_bits(1);
    let unit = store.read(|records| records.unit(&[BrainKey(1)], &id));
    let unit = unit.unwrap().unwrap();
    assert_eq!(unit.head.content.body, "Old text");
    assert!(unit.later_until.is_none() && !unit.head.erased);
    let refused = use_cases::undo(call, 1).unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    assert!(refused.message.contains("before OzBrain kept"), "{refused}");
    // What is done from now on can be undone.
    let write = WriteInput {
        brain: "personal".into(),
        topic: Some("status".into()),
        body: Some("New text".into()),
        ..WriteInput::default()
    };
    let wrote = use_cases::write(call, write).unwrap();
    use_cases::undo(call, wrote.event.unwrap()).unwrap();
    let unit = store.read(|records| records.unit(&[BrainKey(1)], &id));
    assert_eq!(unit.unwrap().unwrap().head.content.body, "Old text");
}

#[test]
fn what_was_rejected_before_its_text_was_kept_has_none() {
    let folder = tempfile::tempdir().unwrap();
    of_the_first_schema(folder.path());
    let connection = Connection::open(folder.path().join("ozbrain.db")).unwrap();
    for step in SECOND_SCHEMA {
        connection.execute_batch(step).unwrap();
    }
    connection
        .execute_batch(
            "INSERT INTO proposals (brain, unit, kind, reason, state, author, agent, at,
                     title_folded)
                 VALUES (1, 1, 'write', 'review', 'rejected', 'Cursor', 1, 5, '');
             PRAGMA user_version = 2;",
        )
        .unwrap();
    drop(connection);
    let store = SqliteStore::open(folder.path()).unwrap();
    let store: &dyn Store = &store;
    let found = store.read(|records| {
        records.check()?;
        assert!(records.rejected_proposals(BrainKey(1))?.is_empty());
        records.proposal(&[BrainKey(1)], 1)
    });
    assert_eq!(found.unwrap().unwrap().state, ProposalState::Erased);
}
