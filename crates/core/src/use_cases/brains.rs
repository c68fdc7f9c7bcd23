//! Brains: list, make, grant.

use super::connections::unrevoked;
use super::{Call, access, bare_event, keepers_alone};
use crate::ports::{Change, Counts, NewBrain};
use crate::refusal::{Refusal, Result};
use crate::rules::access::policy_for;
use crate::shapes::{BrainRow, BrainsInput, BrainsReply};
use crate::text::count;
use crate::words::{
    Agent, BrainKey, BrainKind, BrainName, ConnectionName, Event, EventKind, Grant, Granted,
    Timestamp, WritePolicy,
};
use std::sync::Arc;

/// Lists the brains that the caller may read.
///
/// # Errors
/// Those of every use case.
pub fn brains(call: Call<'_>, _input: BrainsInput) -> Result<BrainsReply> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access
            .brains()
            .iter()
            .map(|(brain, grant)| {
                let Counts {
                    units,
                    aging,
                    stale,
                    conflicted,
                    ..
                } = records.counts(brain.key, call.now)?;
                Ok(BrainRow {
                    brain: brain.name.clone(),
                    name: brain.title.clone(),
                    kind: brain.kind,
                    grant: *grant,
                    write_policy: brain.write_policy,
                    units,
                    aging,
                    stale,
                    conflicted,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(BrainsReply { brains })
    })
}

/// Makes a brain. `title` is the name that people read; the short name unless
/// given. For the person and the command line.
///
/// # Errors
/// `not_allowed` for an agent; `invalid` for a bad or taken name, and for a write policy that a personal
/// brain cannot have.
pub fn create_brain(
    call: Call<'_>,
    name: &str,
    title: Option<&str>,
    kind: BrainKind,
    write_policy: WritePolicy,
) -> Result<BrainRow> {
    let name = BrainName::parse(name)?;
    policy_for(kind, write_policy)?;
    let title = match crate::rules::wanted::given(title) {
        Some(title) => crate::rules::wanted::title(title)?,
        None => name.to_string(),
    };
    let brain = NewBrain {
        name_tokens: count(name.as_str()),
        name,
        title,
        kind,
        write_policy,
    };
    let session = Arc::clone(call.session);
    let now = call.now;
    call.store.write(move |records| {
        access(records, &session)?;
        keepers_alone(&session, "make a brain")?;
        if records
            .brains()?
            .iter()
            .any(|other| other.name == brain.name)
        {
            return Err(Refusal::invalid(format!(
                "A brain `{}` exists already.",
                brain.name
            )));
        }
        let row = BrainRow {
            brain: brain.name.clone(),
            name: brain.title.clone(),
            kind: brain.kind,
            grant: Grant::Write,
            write_policy: brain.write_policy,
            units: 0,
            aging: 0,
            stale: 0,
            conflicted: 0,
        };
        let event = Event {
            detail: Some(brain.name.to_string()),
            ..bare_event(&session.agent, EventKind::BrainCreated, now)
        };
        Ok((
            vec![Change::NewBrain(brain.clone()), Change::Event(event)],
            row,
        ))
    })
}

/// Sets what a connection may do in a brain, and with `owner` whether it is
/// marked as the brain's owner: it writes where the write policy is `owners`.
/// Not told, the mark stays for as long as the grant is `write`. For the person
/// and the command line.
///
/// # Errors
/// `not_allowed` for an agent; `unknown_brain`; `invalid` for a connection that does not exist, or an
/// owner that may not write; `not_allowed` for one that is revoked.
pub fn grant(
    call: Call<'_>,
    brain: &str,
    connection: &str,
    grant: Grant,
    owner: Option<bool>,
) -> Result<()> {
    if owner == Some(true) && grant < Grant::Write {
        return Err(Refusal::invalid(format!(
            "An owner writes, so the mark goes with the grant `write`, not `{}`.",
            grant.as_str()
        )));
    }
    let connection = ConnectionName::parse(connection)?;
    let brain = brain.to_owned();
    let session = Arc::clone(call.session);
    let now = call.now;
    call.store.write(move |records| {
        access(records, &session)?;
        keepers_alone(&session, "set what a connection may do")?;
        let all = records.brains()?;
        let brain = all
            .iter()
            .find(|other| other.name.as_str() == brain)
            .ok_or_else(|| Refusal::unknown_brain(&brain))?;
        let known = records.connection(&connection)?;
        unrevoked(known.as_ref(), &connection)?;
        if known.is_none() {
            return Err(Refusal::invalid(format!(
                "There is no connection `{connection}`. `ozbrain connection list` names them."
            )));
        }
        let before = records.grants(&connection)?.remove(&brain.key);
        let marked = owner.unwrap_or_else(|| before.is_some_and(|before| before.owner));
        let granted = Granted {
            grant,
            owner: marked && grant == Grant::Write,
        };
        let changes = granting(&session.agent, &connection, brain.key, granted, now);
        Ok((changes.into(), ()))
    })
}

/// Sets what a connection may do in a brain, and tells it.
pub(super) fn granting(
    agent: &Agent,
    connection: &ConnectionName,
    brain: BrainKey,
    granted: Granted,
    now: Timestamp,
) -> [Change; 2] {
    let change = Change::PutGrant {
        connection: connection.clone(),
        brain,
        granted,
    };
    [
        change,
        granted_event(agent, connection, brain, granted, now),
    ]
}

/// Tells what a connection may do in a brain from now on.
pub(super) fn granted_event(
    agent: &Agent,
    connection: &ConnectionName,
    brain: BrainKey,
    granted: Granted,
    now: Timestamp,
) -> Change {
    let mark = if granted.owner { " as owner" } else { "" };
    Change::Event(Event {
        brain: Some(brain),
        detail: Some(format!("{}{mark}: {connection}", granted.grant.as_str())),
        ..bare_event(agent, EventKind::Granted, now)
    })
}
