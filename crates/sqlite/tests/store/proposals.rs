//! Proposals are kept, found and settled.

use crate::fixture::*;
use ozbrain_core::ports::{Change, ProposedFor, Records, Store};
use ozbrain_core::rules::wanted::Wanted;
use ozbrain_core::text::fold;
use ozbrain_core::words::{
    Asks, Base, BrainKey, EventKind, Proposal, ProposalReason, ProposalState, Target, Unit,
};
use proptest::prelude::*;
use rusqlite::Connection;

fn proposal(brain: BrainKey, target: Target, asks: Asks, author: &str) -> Proposal {
    Proposal {
        id: 0,
        brain,
        target,
        asks,
        base: None,
        agent: agent(author),
        at: at(5),
        reason: ProposalReason::Review,
        state: ProposalState::Open,
        became: None,
    }
}

fn says(body: &str) -> Asks {
    Asks::Write(Wanted {
        body: Some(body.into()),
        ..Wanted::default()
    })
}

fn at_address(path: &str, title: Option<&str>, body: &str) -> Asks {
    Asks::Write(Wanted {
        topic: Some(topic(path)),
        title: title.map(Into::into),
        body: Some(body.into()),
        ..Wanted::default()
    })
}

/// The changes by which a connection proposes something for a unit.
pub fn waits_for(brain: BrainKey, unit: &Unit, author: &str) -> Vec<Change> {
    let target = Target::Unit(unit.id.clone());
    vec![
        Change::NewProposal(Box::new(proposal(brain, target, says("New"), author))),
        Change::Event(event(EventKind::Proposed, Some(brain), Some(unit))),
    ]
}

fn add(proposal: Proposal) -> Vec<Change> {
    let brain = Some(proposal.brain);
    vec![
        Change::NewProposal(Box::new(proposal)),
        Change::Event(event(EventKind::Proposed, brain, None)),
    ]
}

fn ids(proposals: &[Proposal]) -> Vec<u64> {
    proposals.iter().map(|proposal| proposal.id).collect()
}

#[test]
fn open_ones_are_listed_newest_first_by_brain_unit_and_author() {
    let (_folder, store, team) = team();
    let other = brain(&store, "other");
    let it = put(&store, &unit(id(1), team, content("p", None, "x")));
    let elsewhere = put(&store, &unit(id(2), other, content("p", None, "x")));
    apply(&store, waits_for(team, &it, "Cursor")).unwrap();
    apply(&store, waits_for(other, &elsewhere, "Cursor")).unwrap();
    apply(&store, waits_for(team, &it, "Claude")).unwrap();
    let asks = at_address("new", Some("The Title"), "text");
    apply(
        &store,
        add(proposal(team, Target::New(id(9)), asks, "Cursor")),
    )
    .unwrap();
    ask(&store, |records| {
        let list = |brains: &[BrainKey], offset, limit| {
            records
                .open_proposals(brains, offset, limit)
                .map(|it| ids(&it))
        };
        assert_eq!(list(&[team], 0, 9)?, [4, 3, 1]);
        assert_eq!(list(&[other, team], 0, 9)?, [4, 3, 2, 1]);
        assert_eq!(list(&[other, team], 1, 2)?, [3, 2]);
        assert_eq!(list(&[other, team], 9, 2)?, [] as [u64; 0]);
        assert_eq!(records.open_proposal_count(&[team])?, 3);
        assert_eq!(records.open_proposal_count(&[other, team])?, 4);
        assert_eq!(records.open_proposal_count(&[])?, 0);
        assert_eq!(ids(&records.unit_proposals(&it.id)?), [3, 1]);
        let own = |author: &str, about| {
            records
                .own_proposals(&name(author), about)
                .map(|found| ids(&found))
        };
        assert_eq!(own("Cursor", ProposedFor::Unit(&it.id))?, [1]);
        assert_eq!(own("Claude", ProposedFor::Unit(&it.id))?, [3]);
        assert_eq!(own("Codex", ProposedFor::Unit(&it.id))?, [0_u64; 0]);
        let new = topic("new");
        let folded = fold("the  TITLE");
        let address = |title| ProposedFor::New {
            brain: team,
            topic: &new,
            title,
        };
        assert_eq!(own("Cursor", address(Some(&folded)))?, [4]);
        assert_eq!(own("Cursor", address(None))?, [0_u64; 0]);
        assert!(records.id_taken(&id(9))?);
        assert!(records.proposal(&[other], 1)?.is_none());
        assert!(records.proposal(&[team], 99)?.is_none());
        Ok(())
    });
}

#[test]
fn a_settled_one_says_what_became_of_it_and_keeps_no_text() {
    let (folder, store, team) = team();
    let asks = at_address("secret-topic", Some("secret title"), "secret body");
    let new = proposal(team, Target::New(id(9)), asks, "Cursor");
    apply(&store, add(new)).unwrap();
    let settle = |state, became| Change::SettleProposal {
        id: 1,
        state,
        became,
    };
    let it = unit(id(9), team, content("p", None, "x"));
    let mut changes = new_head(&it, EventKind::Accepted);
    changes.push(settle(ProposalState::Accepted, Some((it.id.clone(), 1))));
    apply(&store, changes).unwrap();
    ask(&store, |records| {
        let found = records.proposal(&[team], 1)?.unwrap();
        assert_eq!(found.state, ProposalState::Accepted);
        assert_eq!(found.became, Some(1));
        assert_eq!(found.target, Target::Unit(it.id.clone()));
        assert_eq!(found.asks, Asks::Write(Wanted::default()));
        assert_eq!(found.agent, agent("Cursor"));
        assert!(records.open_proposals(&[team], 0, 9)?.is_empty());
        assert!(records.unit_proposals(&it.id)?.is_empty());
        Ok(())
    });
    // Settled once is settled.
    apply(&store, vec![settle(ProposalState::Rejected, None)]).unwrap_err();
    apply(&store, vec![Change::ReopenProposal(1)]).unwrap_err();
    apply(&store, vec![Change::EraseProposal(1)]).unwrap_err();
    drop(store);
    let raw = Connection::open(folder.path().join("ozbrain.db")).unwrap();
    let row: String = raw
        .query_row(
            "SELECT concat_ws('|', topic, title, title_folded, tags, source, append, body)
             FROM proposals",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert!(!row.contains("secret"), "{row}");
}

#[test]
fn a_rejected_one_keeps_its_text_until_it_is_erased() {
    let (folder, store, team) = team();
    let asks = at_address("secret-topic", Some("Secret Title"), "secret body");
    let new = proposal(team, Target::New(id(9)), asks, "Cursor");
    apply(&store, add(new.clone())).unwrap();
    let rejection = move || {
        let settled = Change::SettleProposal {
            id: 1,
            state: ProposalState::Rejected,
            became: None,
        };
        let mut rejected = event(EventKind::Rejected, Some(team), None);
        rejected.detail = Some("secret reason".into());
        vec![settled, Change::Event(rejected)]
    };
    let first = store.writing(Box::new(move |_| Ok(rejection()))).unwrap();
    let first = first.unwrap();
    let state = |event| {
        ask(&store, |records| {
            let open = records.open_proposals(&[team], 0, 9)?.len();
            let rejected = records.rejected_proposals(team)?;
            let by = records.proposal_rejected_by(event)?;
            assert_eq!(
                by.is_some(),
                records.proposal(&[team], 1)?.is_some() && event == first
            );
            Ok((open, rejected.into_iter().next()))
        })
    };
    let kept = Proposal {
        id: 1,
        state: ProposalState::Rejected,
        ..new
    };
    assert_eq!(state(first), (0, Some(kept.clone())));
    let secret = topic("secret-topic");
    let newer = |than| {
        ask(&store, |records| {
            let folded = fold("secret  title");
            let about = ProposedFor::New {
                brain: team,
                topic: &secret,
                title: Some(&folded),
            };
            let found = records.newer_proposal(&name("Cursor"), about, than)?;
            assert!(records.newer_proposal(&name("Claude"), about, 0)?.is_none());
            Ok(found.map(|it| it.id))
        })
    };
    assert_eq!((newer(0), newer(1)), (Some(1), None));
    // It waits again, and not again.
    apply(&store, vec![Change::RejectAgain(1)]).unwrap_err();
    apply(&store, vec![Change::ReopenProposal(1)]).unwrap();
    assert_eq!(state(first), (1, None));
    apply(&store, vec![Change::ReopenProposal(1)]).unwrap_err();
    apply(&store, vec![Change::EraseProposal(1)]).unwrap_err();
    apply(&store, vec![Change::RejectAgain(1)]).unwrap();
    assert_eq!(state(first), (0, Some(kept)));
    apply(&store, vec![Change::EraseProposal(1)]).unwrap();
    apply(&store, vec![Change::ReopenProposal(1)]).unwrap_err();
    assert_eq!(state(first), (0, None));
    let gone = ask(&store, |records| records.proposal(&[team], 1)).unwrap();
    assert_eq!(gone.state, ProposalState::Erased);
    assert_eq!(gone.asks, Asks::Write(Wanted::default()));
    assert!(store.scrub().unwrap());
    drop(store);
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for said in [
            "secret title",
            "secret body",
            "secret reason",
            "secret-topic",
        ] {
            assert!(!text.contains(said), "{said}");
        }
    }
}

#[test]
fn an_author_has_one_open_proposal_for_a_unit() {
    let (_folder, store, team) = team();
    let it = put(&store, &unit(id(1), team, content("p", None, "x")));
    apply(&store, waits_for(team, &it, "Cursor")).unwrap();
    apply(&store, waits_for(team, &it, "Cursor")).unwrap_err();
    let mut next = vec![Change::SettleProposal {
        id: 1,
        state: ProposalState::Replaced,
        became: None,
    }];
    next.extend(waits_for(team, &it, "Cursor"));
    apply(&store, next).unwrap();
    let open = ask(&store, |records| records.unit_proposals(&it.id));
    assert_eq!(ids(&open), [2]);
}

#[test]
fn a_proposal_goes_with_its_unit() {
    let (folder, store, team) = team();
    let it = put(&store, &unit(id(1), team, content("p", None, "x")));
    apply(&store, waits_for(team, &it, "Cursor")).unwrap();
    drop(store);
    let raw = Connection::open(folder.path().join("ozbrain.db")).unwrap();
    raw.execute_batch(
        "PRAGMA foreign_keys = ON;
         BEGIN; DELETE FROM sides; DELETE FROM revisions; DELETE FROM events; DELETE FROM units;
         COMMIT;",
    )
    .unwrap();
    drop(raw);
    let store = open(folder.path());
    ask(&store, |records| {
        assert_eq!(records.open_proposal_count(&[team])?, 0);
        assert!(records.proposal(&[team], 1)?.is_none());
        Ok(())
    });
}

fn text() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(any::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]
    #[test]
    fn any_proposal_reads_back_whole(
        path in "[a-z/]{1,12}", title in text(), body in text(), append in text(),
        tags in proptest::option::of(proptest::collection::vec(any::<String>(), 0..3)),
        source in text(), why in text(), numbers: (i64, i64, u32), known: bool, retire: bool,
        new: bool,
    ) {
        let Ok(path) = ozbrain_core::words::Topic::parse(&path) else { return Ok(()) };
        let (_folder, store, team) = team();
        let it = put(&store, &unit(id(1), team, content("p", None, "x")));
        let asks = if retire {
            Asks::Retire { why }
        } else {
            Asks::Write(Wanted {
                clear: Vec::new(),
                topic: known.then_some(path), title, body, append, tags, source,
                fresh_for_days: known.then_some(numbers.2),
                observed_at: known.then_some(at(numbers.0)),
            })
        };
        let target = if new { Target::New(id(2)) } else { Target::Unit(it.id.clone()) };
        let mut wanted = proposal(team, target, asks, "Cursor");
        wanted.at = at(numbers.1);
        wanted.base = known.then_some(Base { revision: numbers.2, delivered_at: at(numbers.0) });
        apply(&store, add(wanted.clone())).unwrap();
        wanted.id = 1;
        let found = ask(&store, |records: &dyn Records| records.proposal(&[team], 1));
        prop_assert_eq!(found, Some(wanted));
    }
}
