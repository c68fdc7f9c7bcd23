//! The [`Records`] of one transaction, a reader's or the writer's.

mod notices;
mod screens;

use crate::error::Result;
use crate::read_log::ReadLog;
use crate::tables::{
    brains, connections, events, http_sessions, keywords, meta, proposals, revisions, sign_ins,
    units,
};
use ozbrain_core::Refusal;
use ozbrain_core::ports::{
    Candidate, Card, Counts, HttpSession, Identity, Narrow, ProposedFor, Records, SignIn, Tab,
};
use ozbrain_core::words::{
    Act, Brain, BrainKey, Connection as Caller, ConnectionName, Event, EventId, Granted, Proposal,
    ProposalId, Revision, Timestamp, Topic, Unit, UnitId,
};
use rusqlite::Connection;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

/// One moment of the store: it lives inside a transaction of `connection`.
pub(crate) struct View<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) file: &'a Path,
    pub(crate) log: &'a ReadLog,
}

type Answer<T> = std::result::Result<T, Refusal>;

impl View<'_> {
    fn ask<T>(&self, ask: impl FnOnce(&Connection) -> Result<T>) -> Answer<T> {
        ask(self.connection).map_err(|error| error.refusal(self.file))
    }

    fn best(
        &self,
        brains: &[BrainKey],
        terms: &[String],
        beginning: Option<&str>,
        narrow: Narrow<'_>,
        limit: usize,
    ) -> Answer<Vec<Candidate>> {
        self.ask(|it| {
            let mut best = Vec::new();
            for &brain in brains {
                best.extend(keywords::best(it, brain, terms, beginning, narrow, limit)?);
            }
            // Of several brains the best overall; a stable sort keeps equals
            // in the order that each brain gave them.
            best.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            best.truncate(limit);
            best.into_iter()
                .map(|(key, keywords)| {
                    Ok(Candidate {
                        card: units::card(it, key)?,
                        keywords,
                    })
                })
                .collect()
        })
    }
}

impl Records for View<'_> {
    fn brains(&self) -> Answer<Vec<Brain>> {
        self.ask(brains::all)
    }

    fn connection(&self, name: &ConnectionName) -> Answer<Option<Caller>> {
        self.ask(|it| connections::get(it, name))
    }

    fn connection_with_key(&self, key_hash: &[u8; 32]) -> Answer<Option<Caller>> {
        self.ask(|it| connections::with_key(it, key_hash))
    }

    fn connections(&self) -> Answer<Vec<Caller>> {
        self.ask(connections::all)
    }

    fn grants(&self, connection: &ConnectionName) -> Answer<HashMap<BrainKey, Granted>> {
        self.ask(|it| connections::grants(it, connection))
    }

    fn counts(&self, brain: BrainKey, now: Timestamp) -> Answer<Counts> {
        self.ask(|it| units::counts(it, brain, now))
    }

    fn topics(
        &self,
        brains: &[BrainKey],
        prefix: Option<&Topic>,
        now: Timestamp,
    ) -> Answer<Vec<(BrainKey, Topic, Counts)>> {
        self.ask(|it| {
            let mut all = Vec::new();
            for &brain in brains {
                let topics = units::topics(it, brain, prefix, now)?;
                all.extend(
                    topics
                        .into_iter()
                        .map(|(topic, counts)| (brain, topic, counts)),
                );
            }
            Ok(all)
        })
    }

    fn unit(&self, brains: &[BrainKey], id: &UnitId) -> Answer<Option<Unit>> {
        let unit = self.ask(|it| units::get(it, id))?;
        Ok(unit.filter(|unit| brains.contains(&unit.brain)))
    }

    fn unit_at(&self, brain: BrainKey, topic: &Topic, title: Option<&str>) -> Answer<Option<Unit>> {
        self.ask(|it| units::at(it, brain, topic, title))
    }

    fn same_fingerprint(
        &self,
        brain: BrainKey,
        topic: &Topic,
        fingerprint: i64,
    ) -> Answer<Vec<Unit>> {
        self.ask(|it| units::same_fingerprint(it, brain, topic, fingerprint))
    }

    fn joined(&self, id: &UnitId) -> Answer<Option<(Unit, UnitId)>> {
        self.ask(|it| units::joined(it, id))
    }

    fn joined_to(&self, id: &UnitId) -> Answer<Vec<UnitId>> {
        self.ask(|it| units::joined_to(it, id))
    }

    fn id_taken(&self, id: &UnitId) -> Answer<bool> {
        self.ask(|it| Ok(units::id_taken(it, id)? || proposals::promised(it, id)?))
    }

    fn revision(&self, unit: &UnitId, number: u32) -> Answer<Option<Revision>> {
        self.ask(|it| revisions::get(it, unit, number))
    }

    fn revisions(&self, unit: &UnitId, limit: usize) -> Answer<Vec<Revision>> {
        self.ask(|it| revisions::of_unit(it, unit, limit))
    }

    fn revision_totals(&self, unit: &UnitId) -> Answer<(u32, u64)> {
        self.ask(|it| revisions::totals(it, unit))
    }

    fn unit_events(&self, unit: &UnitId, limit: usize) -> Answer<Vec<Event>> {
        self.ask(|it| events::of_unit(it, unit, limit))
    }

    fn act(&self, event: EventId) -> Answer<Option<Act>> {
        self.ask(|it| events::act(it, event))
    }

    fn acts_after(&self, unit: &UnitId, after: EventId) -> Answer<Vec<Act>> {
        self.ask(|it| events::acts_after(it, unit, after))
    }

    fn undo_of(&self, event: EventId) -> Answer<Option<Event>> {
        self.ask(|it| events::undo_of(it, event))
    }

    fn proposal(&self, brains: &[BrainKey], id: ProposalId) -> Answer<Option<Proposal>> {
        let proposal = self.ask(|it| proposals::get(it, id))?;
        Ok(proposal.filter(|proposal| brains.contains(&proposal.brain)))
    }

    fn open_proposals(
        &self,
        brains: &[BrainKey],
        offset: usize,
        limit: usize,
    ) -> Answer<Vec<Proposal>> {
        self.ask(|it| {
            let mut newest = Vec::new();
            for &brain in brains {
                newest.extend(proposals::open(it, brain, offset.saturating_add(limit))?);
            }
            newest.sort_unstable_by_key(|proposal| Reverse(proposal.id));
            Ok(newest.into_iter().skip(offset).take(limit).collect())
        })
    }

    fn open_proposal_count(&self, brains: &[BrainKey]) -> Answer<u32> {
        self.ask(|it| {
            let mut all = 0_u32;
            for &brain in brains {
                all = all.saturating_add(proposals::open_count(it, brain)?);
            }
            Ok(all)
        })
    }

    fn unit_proposals(&self, unit: &UnitId) -> Answer<Vec<Proposal>> {
        self.ask(|it| proposals::of_unit(it, unit))
    }

    fn own_proposals(
        &self,
        author: &ConnectionName,
        about: ProposedFor<'_>,
    ) -> Answer<Vec<Proposal>> {
        self.ask(|it| proposals::own(it, author, about))
    }

    fn newer_proposal(
        &self,
        author: &ConnectionName,
        about: ProposedFor<'_>,
        than: ProposalId,
    ) -> Answer<Option<Proposal>> {
        self.ask(|it| proposals::newer(it, author, about, than))
    }

    fn rejected_proposals(&self, brain: BrainKey) -> Answer<Vec<Proposal>> {
        self.ask(|it| proposals::rejected(it, brain))
    }

    fn proposal_rejected_by(&self, event: EventId) -> Answer<Option<Proposal>> {
        self.ask(|it| proposals::rejected_by(it, event))
    }

    fn events_after(&self, after: EventId, limit: usize) -> Answer<Vec<Event>> {
        self.ask(|it| events::after(it, after, limit))
    }

    fn last_event(&self) -> Answer<EventId> {
        self.ask(events::last)
    }

    fn identity(&self) -> Answer<Identity> {
        self.ask(meta::identity)
    }

    fn check(&self) -> Answer<()> {
        self.ask(meta::check)
    }

    fn http_session(&self, id: &str) -> Answer<Option<HttpSession>> {
        self.ask(|it| http_sessions::get(it, id))
    }

    fn sign_in(&self, token_hash: &[u8; 32]) -> Answer<Option<SignIn>> {
        self.ask(|it| sign_ins::get(it, token_hash))
    }

    fn tab(&self, bearer_hash: &[u8; 32]) -> Answer<Option<Tab>> {
        self.ask(|it| sign_ins::tab(it, bearer_hash))
    }

    fn by_keywords(
        &self,
        brains: &[BrainKey],
        terms: &[String],
        narrow: Narrow<'_>,
        limit: usize,
    ) -> Answer<Vec<Candidate>> {
        self.best(brains, terms, None, narrow, limit)
    }

    fn cards(&self, brains: &[BrainKey], narrow: Narrow<'_>, limit: usize) -> Answer<Vec<Card>> {
        self.ask(|it| {
            let mut latest = Vec::new();
            for &brain in brains {
                latest.extend(units::latest(it, brain, narrow, limit)?);
            }
            latest.sort_unstable_by(|a, b| b.cmp(a));
            latest.truncate(limit);
            latest
                .into_iter()
                .map(|(_, key)| units::card(it, key))
                .collect()
        })
    }

    fn card_totals(&self, brains: &[BrainKey], narrow: Narrow<'_>) -> Answer<(u32, u64)> {
        self.ask(|it| {
            let mut all = (0_u32, 0_u64);
            for &brain in brains {
                let (units, tokens) = units::totals(it, brain, narrow)?;
                all = (all.0.saturating_add(units), all.1.saturating_add(tokens));
            }
            Ok(all)
        })
    }

    fn delivered_to(
        &self,
        connection: &ConnectionName,
        unit: &UnitId,
        revision: u32,
    ) -> Answer<Option<Timestamp>> {
        Ok(self.log.first(connection, unit, revision))
    }
}
