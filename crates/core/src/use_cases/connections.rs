//! Connections: made, listed, revoked, met.

use super::brains::{granted_event, granting};
use super::clients::not_reserved;
use super::{Call, access, bare_event, keepers_alone};
use crate::ports::{Change, NewBrain, Records, Store};
use crate::refusal::{Code, Refusal, Result};
use crate::rules::access::{Access, DEFAULT_GRANT};
use crate::shapes::{ConnectionRow, Moment, TouchedUnit};
use crate::text::count;
use crate::words::{
    Agent, Brain, BrainKey, BrainKind, BrainName, Connection, ConnectionName, Event, EventId,
    EventKind, Grant, Granted, Session, Timestamp, UnitId, WritePolicy,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Lists connections with what each may do. For the person and the command
/// line, as all that keeps connections.
///
/// # Errors
/// `not_allowed` for an agent.
pub fn connections(call: Call<'_>) -> Result<Vec<ConnectionRow>> {
    call.store.read(|records| {
        access(records, call.session)?;
        keepers_alone(call.session, "list connections")?;
        let brains = records.brains()?;
        let keys: Vec<BrainKey> = brains.iter().map(|brain| brain.key).collect();
        let touched = |unit: &UnitId, at: Timestamp| -> Result<Option<TouchedUnit>> {
            let Some(listed) = records.listed(&keys, unit)? else {
                return Ok(None);
            };
            let brain = brains.iter().find(|brain| brain.key == listed.card.brain);
            Ok(brain.map(|brain| TouchedUnit {
                unit: listed.card.id,
                brain: brain.name.clone(),
                topic: listed.card.topic,
                title: listed.card.title,
                at: Moment(at),
            }))
        };
        records
            .connections()?
            .into_iter()
            .map(|connection| {
                let express = records.grants(&connection.name)?;
                let granted = |brain: &Brain| express.get(&brain.key);
                let grants = grants_of(records, &connection.name)?;
                let owner = brains
                    .iter()
                    .filter(|brain| granted(brain).is_some_and(|it| it.owner))
                    .map(|brain| brain.name.clone())
                    .collect();
                let last_read = match records.last_read(&connection.name)? {
                    Some((unit, at)) => touched(&unit, at)?,
                    None => None,
                };
                let last_write = match records.last_written(&connection.name)? {
                    Some(Event {
                        unit: Some(unit),
                        at,
                        ..
                    }) => touched(&unit, at)?,
                    _ => None,
                };
                Ok(ConnectionRow {
                    connection: connection.name.to_string(),
                    created_at: Moment(connection.created_at),
                    last_seen: records.last_seen(&connection.name)?.map(Moment),
                    revoked_at: connection.revoked_at.map(Moment),
                    key: connection.key_hash.is_some(),
                    grants,
                    owner,
                    waits: connection.waits_since.is_some(),
                    last_read,
                    last_write,
                })
            })
            .collect()
    })
}

/// Makes a connection with an HTTP key, or gives one without a key its first.
/// `key_hash` is the key's SHA-256. One that was made waits for its first call.
///
/// # Errors
/// `invalid` for a bad name or one that has a key, `not_allowed` for an agent,
/// and for a revoked name.
pub fn create_connection(call: Call<'_>, name: &str, key_hash: [u8; 32]) -> Result<ConnectionName> {
    let name = ConnectionName::parse(name)?;
    not_reserved(&name)?;
    let session = Arc::clone(call.session);
    let now = call.now;
    call.store.write(move |records| {
        access(records, &session)?;
        keepers_alone(&session, "make a connection")?;
        let known = records.connection(&name)?;
        unrevoked(known.as_ref(), &name)?;
        if known.as_ref().is_some_and(|known| known.key_hash.is_some()) {
            return Err(Refusal::invalid(format!(
                "The connection `{name}` exists and has a key, which is shown only once. Revoke \
                 it and create one under another name."
            )));
        }
        let is_new = known.is_none();
        let connection = Connection {
            key_hash: Some(key_hash),
            ..known.unwrap_or_else(|| Connection {
                name: name.clone(),
                key_hash: None,
                created_at: now,
                revoked_at: None,
                waits_since: Some(now),
            })
        };
        let mut changes = vec![Change::PutConnection(connection)];
        if is_new {
            let kind = EventKind::ConnectionCreated;
            changes.push(Change::Event(about(&session.agent, kind, &name, now)));
        }
        Ok((changes, name.clone()))
    })
}

/// Makes a connection without a key, for a client that is told by hand how to
/// start OzBrain: it is known, and waited for, before its first call. One that
/// is there stays as it is.
///
/// # Errors
/// `invalid` for a bad name, `not_allowed` for an agent, and for a revoked name.
pub fn introduce_connection(call: Call<'_>, name: &str) -> Result<ConnectionName> {
    let name = ConnectionName::parse(name)?;
    not_reserved(&name)?;
    expect_call(call, &name, false, &BTreeMap::new())?;
    Ok(name)
}

/// What a connection was before its client was connected.
pub(super) struct Before {
    name: ConnectionName,
    /// `None`: it was not known.
    connection: Option<Connection>,
    /// What was set then, and what stood there: `None` where nothing was
    /// granted expressly.
    granted: Vec<(BrainKey, Granted, Option<Granted>)>,
}

impl Before {
    /// Makes it again what it was: its client was not connected after all. One
    /// that was not known stays known, waited for by nobody. What somebody else
    /// set meanwhile stays.
    pub(super) fn restore(self, call: Call<'_>) -> Result<()> {
        let Self {
            name,
            connection,
            granted,
        } = self;
        let waits_since = connection.as_ref().and_then(|it| it.waits_since);
        let session = Arc::clone(call.session);
        let now = call.now;
        call.store.write(move |records| {
            let known = records.connection(&name)?;
            let waited = known.filter(|known| known.waits_since != waits_since);
            let waited = waited.map(|known| {
                Change::PutConnection(Connection {
                    waits_since,
                    ..known
                })
            });
            let mut changes: Vec<Change> = waited.into_iter().collect();
            let stands = records.grants(&name)?;
            for (brain, set, was) in &granted {
                if stands.get(brain) != Some(set) {
                    continue;
                }
                if let Some(was) = was {
                    changes.extend(granting(&session.agent, &name, *brain, *was, now));
                    continue;
                }
                changes.push(Change::DropGrant {
                    connection: name.clone(),
                    brain: *brain,
                });
                let usual = Granted {
                    grant: DEFAULT_GRANT,
                    owner: false,
                };
                changes.push(granted_event(&session.agent, &name, *brain, usual, now));
            }
            Ok((changes, ()))
        })
    }
}

/// The connection that a client is about to be connected as: made, unless it is
/// there, and with `waits` waiting for a first call, whatever it called before.
/// `grants`, by the brains' short names, are set with it: nobody who calls as
/// this connection sees more.
///
/// # Errors
/// `not_allowed` for an agent, and for a revoked name; `unknown_brain`.
pub(super) fn expect_call(
    call: Call<'_>,
    name: &ConnectionName,
    waits: bool,
    grants: &BTreeMap<String, Grant>,
) -> Result<Before> {
    let session = Arc::clone(call.session);
    let (name, now) = (name.clone(), call.now);
    let grants = grants.clone();
    call.store.write(move |records| {
        access(records, &session)?;
        keepers_alone(&session, "make a connection")?;
        let known = records.connection(&name)?;
        unrevoked(known.as_ref(), &name)?;
        let wanted = granted_brains(&records.brains()?, &grants)?;
        let mut changes = Vec::new();
        match &known {
            Some(known) if waits => changes.push(Change::PutConnection(Connection {
                waits_since: Some(now),
                ..known.clone()
            })),
            Some(_) => {}
            None => {
                let kind = EventKind::ConnectionCreated;
                changes.push(Change::PutConnection(Connection {
                    name: name.clone(),
                    key_hash: None,
                    created_at: now,
                    revoked_at: None,
                    waits_since: Some(now),
                }));
                changes.push(Change::Event(about(&session.agent, kind, &name, now)));
            }
        }
        let express = records.grants(&name)?;
        let mut granted = Vec::new();
        for (brain, grant) in wanted {
            let was = express.get(&brain).copied();
            if was.map_or(DEFAULT_GRANT, |it| it.grant) == grant {
                continue;
            }
            let set = Granted {
                grant,
                owner: grant == Grant::Write && was.is_some_and(|it| it.owner),
            };
            changes.extend(granting(&session.agent, &name, brain, set, now));
            granted.push((brain, set, was));
        }
        let before = Before {
            name: name.clone(),
            connection: known,
            granted,
        };
        Ok((changes, before))
    })
}

/// Has a connection that is known wait for a session that begins from now on,
/// whatever it called before.
pub(super) fn expect_anew(call: Call<'_>, name: &ConnectionName) -> Result<()> {
    let (name, now) = (name.clone(), call.now);
    call.store.write(move |records| {
        let known = records.connection(&name)?;
        let waits = known
            .filter(|it| it.revoked_at.is_none() && !it.name.is_reserved())
            .map(|known| {
                Change::PutConnection(Connection {
                    waits_since: Some(now),
                    ..known
                })
            });
        Ok((waits.into_iter().collect(), ()))
    })
}

/// The brains that grants by short names are about.
///
/// # Errors
/// `unknown_brain`.
pub(super) fn granted_brains(
    brains: &[Brain],
    grants: &BTreeMap<String, Grant>,
) -> Result<Vec<(BrainKey, Grant)>> {
    grants
        .iter()
        .map(|(name, grant)| {
            let brain = brains.iter().find(|brain| brain.name.as_str() == name);
            let brain = brain.ok_or_else(|| Refusal::unknown_brain(name))?;
            Ok((brain.key, *grant))
        })
        .collect()
}

/// What a connection may do in each brain; what a new one may, where this one
/// is not known.
pub(super) fn grants_of(
    records: &dyn Records,
    name: &ConnectionName,
) -> Result<BTreeMap<BrainName, Grant>> {
    let express = records.grants(name)?;
    let brains = records.brains()?.into_iter();
    let grant = |key| express.get(&key).map_or(DEFAULT_GRANT, |it| it.grant);
    Ok(brains.map(|brain| (brain.name, grant(brain.key))).collect())
}

/// Takes back a key that could not be told to anyone, so that the connection
/// can be given another. Nothing happens where it has another key by now.
///
/// # Errors
/// `not_allowed` for an agent.
pub fn withdraw_key(call: Call<'_>, name: &str, key_hash: [u8; 32]) -> Result<()> {
    let name = ConnectionName::parse(name)?;
    let session = Arc::clone(call.session);
    call.store.write(move |records| {
        access(records, &session)?;
        keepers_alone(&session, "take a key back")?;
        let connection = records.connection(&name)?;
        let untold = connection.filter(|found| found.key_hash == Some(key_hash));
        let changes = untold.map(|connection| {
            Change::PutConnection(Connection {
                key_hash: None,
                ..connection
            })
        });
        Ok((changes.into_iter().collect(), ()))
    })
}

/// Revokes a connection: each of its calls is refused from now on, and its
/// name stays revoked.
///
/// # Errors
/// `not_allowed` for an agent; `invalid` if there is no such connection, and
/// for the command line's own.
pub fn revoke_connection(call: Call<'_>, name: &str) -> Result<()> {
    let name = ConnectionName::parse(name)?;
    if name == ConnectionName::cli() {
        return Err(Refusal::invalid(
            "`cli` is the command line itself: revoked, nobody could grant anything again.",
        ));
    }
    let session = Arc::clone(call.session);
    let now = call.now;
    call.store.write(move |records| {
        access(records, &session)?;
        keepers_alone(&session, "revoke a connection")?;
        let Some(connection) = records.connection(&name)? else {
            return Err(Refusal::invalid(format!(
                "There is no connection `{name}`. `ozbrain connection list` names them."
            )));
        };
        if connection.revoked_at.is_some() {
            return Ok((Vec::new(), ()));
        }
        let revoked = Connection {
            key_hash: None,
            revoked_at: Some(now),
            waits_since: None,
            ..connection
        };
        let event = about(&session.agent, EventKind::ConnectionRevoked, &name, now);
        Ok((
            vec![Change::PutConnection(revoked), Change::Event(event)],
            (),
        ))
    })
}

/// A connection calls for the first time in a session: an unknown name becomes
/// a new connection with the default grants, and a store without a brain gets
/// `personal`. Where the person waits for this connection, its first call has
/// come. Gives the newest event, where the new session begins. Every session
/// starts with it.
///
/// # Errors
/// `not_allowed` if the name is revoked.
pub fn meet(store: &dyn Store, agent: &Agent, now: Timestamp) -> Result<EventId> {
    let known = store.read(|records| {
        let known = records.connection(&agent.connection)?;
        unrevoked(known.as_ref(), &agent.connection)?;
        let awaited = known.as_ref().is_some_and(|it| it.waits_since.is_some());
        let settled =
            (known.is_some() || agent.is_person()) && !awaited && !records.brains()?.is_empty();
        Ok(if settled {
            Some(records.last_event()?)
        } else {
            None
        })
    })?;
    if let Some(began) = known {
        return Ok(began);
    }
    let newcomer = agent.clone();
    let person = agent.is_person();
    store.write(move |records| {
        let mut changes = Vec::new();
        if records.brains()?.is_empty() {
            changes.extend(personal(&newcomer, now));
        }
        let known = records.connection(&newcomer.connection)?;
        unrevoked(known.as_ref(), &newcomer.connection)?;
        if let Some(known) = known.as_ref().filter(|it| it.waits_since.is_some()) {
            changes.push(Change::PutConnection(Connection {
                waits_since: None,
                ..known.clone()
            }));
            let kind = EventKind::ClientCalled;
            changes.push(Change::Event(about(&newcomer, kind, &known.name, now)));
        }
        if known.is_none() && !person {
            changes.push(Change::PutConnection(Connection {
                name: newcomer.connection.clone(),
                key_hash: None,
                created_at: now,
                revoked_at: None,
                waits_since: None,
            }));
            let kind = EventKind::ConnectionCreated;
            changes.push(Change::Event(about(
                &newcomer,
                kind,
                &newcomer.connection,
                now,
            )));
        }
        Ok((changes, ()))
    })?;
    store.read(|records| records.last_event())
}

/// A connection calls, whatever it asks: the proof that its client reaches this
/// store.
pub fn called(store: &dyn Store, session: &Session, now: Timestamp) {
    store.called(&session.agent.connection, now);
}

/// The connection that an HTTP key belongs to; `None` for an unknown key.
/// `key_hash` is the key's SHA-256. A revoked connection has no key.
///
/// # Errors
/// Those of the store.
pub fn connection_with_key(
    store: &dyn Store,
    key_hash: &[u8; 32],
) -> Result<Option<ConnectionName>> {
    store.read(|records| {
        let connection = records.connection_with_key(key_hash)?;
        Ok(connection
            .filter(|found| found.revoked_at.is_none())
            .map(|found| found.name))
    })
}

/// Refuses a name that is revoked.
pub(super) fn unrevoked(connection: Option<&Connection>, name: &ConnectionName) -> Result<()> {
    match Access::of(connection, &HashMap::new(), Vec::new()) {
        Ok(_) => Ok(()),
        Err(refusal) if refusal.code == Code::NotAllowed => Err(Refusal::new(
            Code::NotAllowed,
            format!("The connection `{name}` was revoked, and a revoked name stays revoked."),
        )),
        Err(refusal) => Err(refusal),
    }
}

fn personal(agent: &Agent, now: Timestamp) -> [Change; 2] {
    let name = BrainName::personal();
    let brain = NewBrain {
        name_tokens: count(name.as_str()),
        title: "Personal".into(),
        kind: BrainKind::Personal,
        write_policy: WritePolicy::Open,
        name: name.clone(),
    };
    let mut event = about(agent, EventKind::BrainCreated, &agent.connection, now);
    event.detail = Some(name.to_string());
    [Change::NewBrain(brain), Change::Event(event)]
}

fn about(agent: &Agent, kind: EventKind, name: &ConnectionName, now: Timestamp) -> Event {
    Event {
        detail: Some(name.to_string()),
        ..bare_event(agent, kind, now)
    }
}
