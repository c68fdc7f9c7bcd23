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
    use ozbrain_core::ports::{
        Change, Delivery, Happened, HttpSession, Listing, Narrow, NewBrain, ProposedFor, Records,
        SignIn, Store, Tab,
    };
    use ozbrain_core::rules::routing::analyse;
    use ozbrain_core::shapes::{Freshnesses, Need};
    use ozbrain_core::text::Piece;
    use ozbrain_core::views::units::UnitOrder;
    use ozbrain_core::words::{
        Agent, Ages, Asks, Brain, BrainKey, BrainKind, BrainName, Confirmed, Connection,
        ConnectionName, Content, Event, EventKind, Field, FreshnessRule, Grant, Granted, Measures,
        Outcome, Proposal, ProposalReason, ProposalState, Revision, Settings, Side, Target,
        Thresholds, Timestamp, Topic, Unit, UnitId, WritePolicy,
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

    fn proposal(target: Target) -> Change {
        Change::NewProposal(Box::new(Proposal {
            id: 0,
            brain: BRAIN,
            target,
            asks: Asks::Retire { why: None },
            base: None,
            agent: agent(),
            at: Timestamp::from_millis(1),
            reason: ProposalReason::Review,
            state: ProposalState::Open,
            became: None,
        }))
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
        let brain = Brain {
            key: BRAIN,
            name: BrainName::personal(),
            name_tokens: 1,
            title: "Mine".into(),
            kind: BrainKind::Personal,
            write_policy: WritePolicy::Open,
            freshness_rules: vec![FreshnessRule {
                topic: None,
                thresholds: Thresholds::Never,
            }],
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
                waits_since: None,
            }),
            Change::PutGrant {
                connection: ConnectionName::cli(),
                brain: BRAIN,
                granted: Granted {
                    grant: Grant::Write,
                    owner: false,
                },
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
            Change::PutAway {
                event: 1,
                away: true,
            },
            Change::PutAway {
                event: 1,
                away: false,
            },
            Change::LostClient {
                client: "c".into(),
                event: Event {
                    kind: EventKind::ClientLost,
                    brain: None,
                    unit: None,
                    revision: None,
                    ..bare(&first)
                },
            },
            Change::FoundClient("c".into()),
            Change::PutBrain(Box::new(brain)),
            proposal(Target::Unit(first.id.clone())),
            proposal(Target::New(UnitId::from_bits(2))),
            Change::SettleProposal {
                id: 1,
                state: ProposalState::Accepted,
                became: Some((first.id.clone(), 3)),
            },
            proposal(Target::New(UnitId::from_bits(5))),
            Change::SettleProposal {
                id: 3,
                state: ProposalState::Rejected,
                became: None,
            },
            event(&first),
            Change::ReopenProposal(3),
            Change::RejectAgain(3),
            Change::EraseProposal(3),
            Change::PutHttpSession(session),
            Change::DropHttpSession("s".into()),
            Change::PutSignIn(SignIn {
                token_hash: [2; 32],
                at: first.created_at,
            }),
            Change::DropSignIn([2; 32]),
            Change::PutTab(Tab {
                id: "t".into(),
                bearer_hash: [3; 32],
                began: 0,
                created_at: first.created_at,
                used_at: first.created_at,
            }),
            Change::DropTab([3; 32]),
            Change::Heartbeat(first.created_at),
            Change::PutSettings(Box::new(Settings {
                muted: [BRAIN].into(),
                ..Settings::default()
            })),
            Change::Told {
                brain: BRAIN,
                event: 1,
            },
            Change::Digested(first.created_at),
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
        assert_eq!(records.unit_events(id, 9)?.len(), 5);
        records.proposal(brains, 1)?.unwrap();
        assert_eq!(records.open_proposals(brains, 0, 9)?.len(), 1);
        assert_eq!(records.open_proposal_count(brains)?, 1);
        records.unit_proposals(id)?;
        let author = ConnectionName::cli();
        records.own_proposals(&author, ProposedFor::Unit(id))?;
        let address = ProposedFor::New {
            brain: BRAIN,
            topic,
            title: None,
        };
        records.own_proposals(&author, address)?;
        for about in [ProposedFor::Unit(id), address] {
            records.newer_proposal(&author, about, 0)?;
        }
        records.rejected_proposals(BRAIN)?;
        records.proposal_rejected_by(1)?;
        records.undo_of(1)?.unwrap();
        records.events_after(0, 9)?;
        records.last_event()?;
        records.identity()?;
        records.http_session("s")?;
        records.sign_in(&[2; 32])?;
        records.tab(&[3; 32])?;
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
        screens(records, brains, id, now)
    }

    /// What the screens ask.
    fn screens(
        records: &dyn Records,
        brains: &[BrainKey],
        id: &UnitId,
        now: Timestamp,
    ) -> ozbrain_core::Result<()> {
        let topic = &Topic::parse("a").unwrap();
        let you = &ConnectionName::you();
        records.wrote_at()?.unwrap();
        records.listed(brains, id)?.unwrap();
        records.retired(BRAIN)?;
        records.by_beginning(brains, &["walrus".into()], "wal", Narrow::default(), 9)?;
        records.conflicts(brains, 0, 9)?;
        records.aging(brains, now, std::slice::from_ref(id), 0, 9)?;
        records.aging_count(brains, now)?;
        records.aging_read(brains, now)?;
        records.reads_of(id)?;
        records.last_seen(you)?;
        records.event(1)?.unwrap();
        for connection in [None, Some(you)] {
            let happened = Happened {
                brains,
                elsewhere: true,
                connection,
                before: None,
            };
            records.happened(happened, 9)?;
        }
        records.unit_events_before(id, Some(3), 9)?;
        records.done_since(brains, you, now)?;
        records.decisions(brains, 0, 9)?;
        records.problems(0, 9)?;
        records.lost_clients()?;
        records.last_read(&ConnectionName::cli())?;
        records.last_written(&ConnectionName::cli())?;
        records.first_call(&ConnectionName::cli())?;
        records.waits_for_person(1)?;
        assert_eq!(records.settings()?.muted, [BRAIN].into());
        assert_eq!(records.telling()?.told[&BRAIN], 1);
        records.opened_after(BRAIN, 0)?;
        records.became_stale(brains, Timestamp::default(), now, 9)?;
        records.stands_for_person(brains, 1)?;
        for topic in [None, Some(topic)] {
            for exact in [false, true] {
                for needs in [
                    None,
                    Some(Need::Conflicted),
                    Some(Need::Aging),
                    Some(Need::Stale),
                ] {
                    for retired in [false, true] {
                        for order in [UnitOrder::Needs, UnitOrder::Latest, UnitOrder::Title] {
                            let listing = Listing {
                                topic,
                                exact,
                                needs,
                                retired,
                                order,
                                now,
                            };
                            records.list(brains, listing, 0, 9)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    #[test]
    fn a_unit_that_was_read_before_it_aged_costs_no_later_look_anything() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        let aged = unit();
        let head = Change::NewHead {
            unit: Box::new(aged.clone()),
            keywords: Box::new(analyse(&aged.head.content)),
        };
        let brain = changes().swap_remove(0);
        let new = vec![brain, head, event(&aged)];
        store.writing(Box::new(move |_| Ok(new.clone()))).unwrap();
        let read = |unit: u64, at: i64| Delivery {
            agent: agent(),
            unit: UnitId::from_bits(unit),
            revision: 1,
            at: Timestamp::from_millis(at),
        };
        // It ages at 1.
        store.delivered((1..100).map(|unit| read(unit, 0)).collect());
        let look = || {
            let now = Timestamp::from_millis(9);
            let all: &dyn Store = &store;
            let found = all.read(|records| records.aging_read(&[BRAIN], now));
            found.unwrap().len()
        };
        assert_eq!(look(), 0);
        assert_eq!(crate::aged::kept(&store.reading.log), 0);
        store.delivered(vec![read(1, 5)]);
        assert_eq!(look(), 1);
        assert_eq!(crate::aged::kept(&store.reading.log), 1);
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
                    // Brains, with what was told of each, notices that nobody saw
                    // to, connections and clients are few and listed whole; the
                    // newest event is the first that a walk from the end meets;
                    // a keyword index is asked for words or a row; an event is
                    // undone and brought back but a few times.
                    let fine = !step.starts_with("SCAN")
                        || step.starts_with("SCAN brains")
                        || step.starts_with("SCAN notices")
                        || step.starts_with("SCAN unread")
                        || step.starts_with("SCAN connections")
                        || step.starts_with("SCAN lost_clients")
                        || step == "SCAN CONSTANT ROW"
                        || step == "SCAN undoing"
                        || (step == "SCAN events" && sql.ends_with("LIMIT 1"))
                        || step.contains("VIRTUAL TABLE INDEX 0:M")
                        || step.contains("VIRTUAL TABLE INDEX 0:=");
                    assert!(fine, "{step}\n{sql}");
                    // What may be sorted is only what a narrow listing (of
                    // aging units, at most a thousand) or the keywords found.
                    let sorts = step.contains("TEMP B-TREE");
                    let narrow = [
                        "units_by_topic",
                        "units_by_age",
                        "conflicts_by_change",
                        "retired_by_change",
                    ];
                    assert!(
                        !sorts
                            || narrow.iter().any(|index| sql.contains(index))
                            || sql.contains("bm25"),
                        "{step}\n{sql}"
                    );
                }
            }
        });
    }
}
