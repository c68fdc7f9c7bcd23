//! No query of a view walks through a table that grows.

use rusqlite::Connection;
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static NOTED: RefCell<BTreeMap<String, Vec<String>>> = RefCell::default();
}

/// Notes the plan of a statement that this thread runs.
pub(crate) fn note(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    if sql.starts_with("PRAGMA") {
        return Ok(());
    }
    let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let steps = explain
        .raw_query()
        .mapped(|row| row.get(3))
        .collect::<rusqlite::Result<_>>()?;
    NOTED.with_borrow_mut(|noted| noted.insert(sql.to_owned(), steps));
    Ok(())
}

mod tests {
    use super::NOTED;
    use crate::SqliteStore;
    use ozbrain_core::ports::{Change, HttpSession, Narrow, NewBrain, Records, Store};
    use ozbrain_core::rules::routing::analyse;
    use ozbrain_core::shapes::Freshnesses;
    use ozbrain_core::text::Piece;
    use ozbrain_core::words::{
        Agent, Ages, BrainKey, BrainKind, BrainName, Confirmed, Connection, ConnectionName,
        Content, Event, EventKind, Field, Grant, Measures, Outcome, Revision, Side, Timestamp,
        Topic, Unit, UnitId, WritePolicy,
    };

    const BRAIN: BrainKey = BrainKey(1);

    fn agent() -> Agent {
        Agent {
            connection: ConnectionName::cli(),
            client: None,
            session: "s".into(),
        }
    }

    fn unit() -> Unit {
        let at = Timestamp::from_millis(1);
        let head = Revision {
            number: 1,
            content: Content {
                topic: Topic::parse("a").unwrap(),
                title: None,
                body: "walrus".into(),
                tags: vec![],
                source: None,
                fresh_for_days: None,
            },
            tokens: 1,
            retired: false,
            outcome: Outcome::Created,
            agent: agent(),
            at,
            event: 0,
            base: None,
            whole: true,
            parents: vec![],
            observed_at: None,
            erased: false,
        };
        Unit {
            id: UnitId::from_bits(1),
            brain: BRAIN,
            created_at: at,
            version: 1,
            sides: vec![],
            anchor: at,
            ages: Ages {
                aging_at: at,
                stale_at: at,
            },
            confirmed: None,
            later_until: None,
            measures: Measures {
                pieces: vec![Piece {
                    text: "walrus".into(),
                    tokens: 1,
                }],
                ..Measures::default()
            },
            head,
        }
    }

    fn event(unit: &Unit) -> Change {
        Change::Event(bare(unit))
    }

    fn bare(unit: &Unit) -> Event {
        Event {
            id: 0,
            kind: EventKind::Created,
            brain: Some(BRAIN),
            unit: Some(unit.id.clone()),
            revision: Some(1),
            agent: agent(),
            at: unit.created_at,
            detail: None,
        }
    }

    /// Every change there is.
    fn changes() -> Vec<Change> {
        let first = unit();
        let mut moved = first.clone();
        moved.head.number = 2;
        moved.head.content.topic = Topic::parse("b").unwrap();
        moved.confirmed = Some(Confirmed {
            at: first.created_at,
            by: agent(),
        });
        moved.sides = vec![Side {
            revision: first.head.clone(),
            disputed: vec![Field::Body],
        }];
        let mut retired = moved.clone();
        retired.head.number = 3;
        retired.head.retired = true;
        retired.sides.clear();
        let mut returned = retired.clone();
        returned.sides = moved.sides.clone();
        let mut other = first.clone();
        other.id = UnitId::from_bits(2);
        other.head.content.topic = Topic::parse("other").unwrap();
        let mut third = other.clone();
        third.id = UnitId::from_bits(3);
        third.head.content.topic = Topic::parse("third").unwrap();
        let mut third_again = third.clone();
        third_again.head.number = 2;
        let head = |unit: &Unit| Change::NewHead {
            unit: Box::new(unit.clone()),
            keywords: Box::new(analyse(&unit.head.content)),
        };
        let session = HttpSession {
            id: "s".into(),
            connection: ConnectionName::cli(),
            began: 0,
            at: first.created_at,
            greeting: "{}".into(),
        };
        vec![
            Change::NewBrain(NewBrain {
                name: BrainName::personal(),
                name_tokens: 1,
                title: "Personal".into(),
                kind: BrainKind::Personal,
                write_policy: WritePolicy::Open,
            }),
            Change::PutConnection(Connection {
                name: ConnectionName::cli(),
                key_hash: Some([1; 32]),
                created_at: first.created_at,
                revoked_at: None,
            }),
            Change::PutGrant {
                connection: ConnectionName::cli(),
                brain: BRAIN,
                grant: Grant::Write,
            },
            head(&first),
            event(&first),
            head(&moved),
            event(&moved),
            Change::LeadsTo {
                brain: BRAIN,
                topic: first.head.content.topic.clone(),
                title: None,
                unit: first.id.clone(),
            },
            head(&retired),
            event(&retired),
            Change::SameHead(Box::new(returned)),
            Change::Undo(
                Event {
                    kind: EventKind::Undone,
                    ..bare(&first)
                },
                1,
            ),
            head(&other),
            event(&other),
            Change::Lead {
                unit: other.id.clone(),
                to: Some(first.id.clone()),
            },
            head(&third),
            event(&third),
            head(&third_again),
            event(&third_again),
            Change::EraseRevision {
                unit: third.id.clone(),
                number: 1,
            },
            Change::EraseUnit(third.id.clone()),
            Change::PutHttpSession(session),
            Change::DropHttpSession("s".into()),
            Change::Heartbeat(first.created_at),
        ]
    }

    /// Every question there is.
    fn ask(records: &dyn Records) -> ozbrain_core::Result<()> {
        let unit = unit();
        let (now, id, brains) = (unit.created_at, &unit.id, &[BRAIN]);
        let topic = &unit.head.content.topic;
        records.brains()?;
        records.connection(&ConnectionName::cli())?.unwrap();
        records.connection_with_key(&[1; 32])?.unwrap();
        records.connections()?;
        assert_eq!(records.grants(&ConnectionName::cli())?.len(), 1);
        assert_eq!(records.counts(BRAIN, now)?.conflicted, 1);
        records.topics(brains, None, now)?;
        records.topics(brains, Some(topic), now)?;
        records.unit(brains, id)?.unwrap();
        records.unit_at(BRAIN, topic, None)?.unwrap();
        records.same_fingerprint(BRAIN, topic, 5)?;
        records.id_taken(id)?;
        records.joined(&UnitId::from_bits(2))?.unwrap();
        assert_eq!(records.joined_to(id)?.len(), 1);
        assert!(records.unit(brains, &UnitId::from_bits(3))?.is_none());
        records.act(2)?.unwrap().before.unwrap();
        assert!(!records.acts_after(id, 0)?.is_empty());
        records.revision(id, 1)?.unwrap();
        assert_eq!(records.revisions(id, 9)?.len(), 3);
        records.revision_totals(id)?;
        assert_eq!(records.unit_events(id, 9)?.len(), 4);
        records.events_after(0, 9)?;
        records.last_event()?;
        records.identity()?;
        records.http_session("s")?;
        records.delivered_to(&ConnectionName::cli(), id, 1)?;
        let stale = Freshnesses {
            fresh: false,
            aging: false,
            stale: true,
        };
        for topic in [None, Some(topic)] {
            for exact in [false, true] {
                for freshness in [Freshnesses::default(), stale] {
                    for conflicted in [false, true] {
                        let narrow = Narrow {
                            topic,
                            exact,
                            freshness,
                            conflicted,
                            now,
                        };
                        records.cards(brains, narrow, 9)?;
                        records.card_totals(brains, narrow)?;
                        records.by_keywords(brains, &["walrus".into()], narrow, 9)?;
                    }
                }
            }
        }
        Ok(())
    }

    #[test]
    fn no_query_walks_through_a_table_that_grows() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        store.writing(Box::new(|_| Ok(changes()))).unwrap();
        store.reading(&mut |records| ask(records)).unwrap();
        NOTED.with_borrow(|noted| {
            assert!(noted.len() > 50, "{}", noted.len());
            for (sql, steps) in noted {
                for step in steps {
                    // Brains and connections are few and listed whole; the
                    // newest event is the first that a walk from the end meets;
                    // a keyword index is asked for words or a row.
                    let fine = !step.starts_with("SCAN")
                        || step.starts_with("SCAN brains")
                        || step.starts_with("SCAN connections")
                        || (step == "SCAN events" && sql.ends_with("LIMIT 1"))
                        || step.contains("VIRTUAL TABLE INDEX 0:M")
                        || step.contains("VIRTUAL TABLE INDEX 0:=");
                    assert!(fine, "{step}\n{sql}");
                    // What may be sorted is only what a narrow listing or the
                    // keywords found.
                    let sorts = step.contains("TEMP B-TREE");
                    assert!(
                        !sorts || sql.contains("units_by_topic") || sql.contains("bm25"),
                        "{step}\n{sql}"
                    );
                }
            }
        });
    }
}
