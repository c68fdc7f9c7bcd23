//! Clients on this computer: how they stand, connected, disconnected, lost.

use super::connections::{expect_anew, expect_call, granted_brains, grants_of, unrevoked};
use super::{Call, access, bare_event, keepers_alone};
use crate::ports::{CarriedOut, Change, ClientWish, Clients, FoundClient, Records, Store};
use crate::refusal::{Refusal, Result};
use crate::rules::clients::{KnownConnection, client_state, connection_for, loss, owner};
use crate::shapes::Moment;
use crate::views::clients::{
    ClientAct, ClientOutcome, ClientPlan, ClientProof, ClientReply, ClientState, ClientView,
    ClientsView, FileEffect, HowToConnect, HttpSnippet, SnippetsView,
};
use crate::words::{
    Agent, Client, ClientDetail, ClientLoss, Connection, ConnectionName, Event, EventKind,
    Timestamp,
};
use std::sync::Arc;

/// What stands where a key for HTTP belongs.
const KEY: &str = "OZBRAIN_KEY";

/// The clients that OzBrain knows, and how each stands. For the person and the
/// command line, as all that keeps connections.
///
/// # Errors
/// `not_allowed` for an agent.
pub fn clients(call: Call<'_>, clients: &dyn Clients) -> Result<ClientsView> {
    allowed(call)?;
    let found = clients.all();
    call.store.read(|records| {
        let views = found.iter().map(|it| view(records, it, &found));
        Ok(ClientsView {
            clients: views.collect::<Result<_>>()?,
        })
    })
}

/// What connecting or disconnecting a client would change, and what its
/// connection may do then. `how` is of connecting alone: disconnected, a client
/// has no section in its rules file, and its connection keeps its grants.
///
/// # Errors
/// `not_allowed` for an agent; `invalid` for a name that is no client's;
/// `unknown_brain` in what is to be granted.
pub fn client_plan(
    call: Call<'_>,
    clients: &dyn Clients,
    client: &str,
    act: ClientAct,
    how: &HowToConnect,
) -> Result<ClientPlan> {
    allowed(call)?;
    let found = clients.one(client)?;
    let wish = wish(call, clients, &found, act, how)?;
    let plan = clients.plan(client, &wish)?;
    with_grants(call, plan, how)
}

/// Connects a client: it gets an entry, and its connection is known before its
/// first call, with what `how` grants. `planned` is the plan that the person
/// saw, as it was asked for. A client that is connected as it should be stays
/// as it is, but for grants.
///
/// # Errors
/// `not_allowed` for an agent; `invalid` for a name that is no client's;
/// `unknown_brain` in what is to be granted; `unavailable` where its
/// configuration cannot be changed.
pub fn connect(
    call: Call<'_>,
    clients: &dyn Clients,
    client: &str,
    planned: Option<&str>,
    how: &HowToConnect,
) -> Result<ClientReply> {
    allowed(call)?;
    let found = clients.one(client)?;
    let wish = wish(call, clients, &found, ClientAct::Connect, how)?;
    let ClientWish::Connect { connection, .. } = &wish else {
        return Err(Refusal::invalid("Name a client to connect."));
    };
    let plan = with_grants(call, clients.plan(client, &wish)?, how)?;
    if planned.is_some_and(|planned| planned != plan.plan || plan.problem.is_some()) {
        return reply(call, clients, ClientOutcome::Moved, plan);
    }
    if let Some(problem) = plan.problem {
        return Err(Refusal::unavailable(problem.message));
    }
    // It is known, granted and waited for before anybody can start it.
    let starts = plan.effect != FileEffect::Same;
    let before = expect_call(call, connection, starts, &how.grants)?;
    let carried_out = clients.carry_out(client, &wish, planned, call.now);
    if !matches!(&carried_out, Ok(CarriedOut::Done(_))) {
        before.restore(call)?;
    }
    let done = match carried_out? {
        CarriedOut::Moved(plan) => return reply(call, clients, ClientOutcome::Moved, plan),
        CarriedOut::Done(plan) => plan,
    };
    let lost = is_lost(call.store, client)?;
    if !done.changes && !lost {
        return reply(call, clients, ClientOutcome::Unchanged, done);
    }
    tell(
        call,
        EventKind::ClientConnected,
        &done,
        Some(connection.to_string()),
    )?;
    let outcome = if done.changes {
        ClientOutcome::Connected
    } else {
        ClientOutcome::Unchanged
    };
    reply(call, clients, outcome, done)
}

/// Disconnects a client: its entry goes, and its file is what it was, wherever
/// nothing else changed in it. The connection stays known, with its grants; only
/// a session that begins from now on proves an entry with its name.
///
/// # Errors
/// Those of [`connect`].
pub fn disconnect(
    call: Call<'_>,
    clients: &dyn Clients,
    client: &str,
    planned: Option<&str>,
) -> Result<ClientReply> {
    allowed(call)?;
    let wish = ClientWish::Disconnect;
    let plan = clients.plan(client, &wish)?;
    if planned.is_some_and(|planned| planned != plan.plan || plan.problem.is_some()) {
        return reply(call, clients, ClientOutcome::Moved, plan);
    }
    let known = clients.one(client)?;
    let all = clients.all();
    let done = match clients.carry_out(client, &wish, planned, call.now)? {
        CarriedOut::Moved(plan) => return reply(call, clients, ClientOutcome::Moved, plan),
        CarriedOut::Done(plan) => plan,
    };
    let connection = done.connection.clone();
    let made = known.made.as_ref().map(|made| made.connection.to_string());
    let connection = connection.or(made);
    // Nothing that it called before proves an entry that comes back by hand.
    if let Some(name) = connection
        .as_deref()
        .map(ConnectionName::parse)
        .transpose()?
        && !is_anothers(&all, &known, &name)
    {
        expect_anew(call, &name)?;
    }
    let lost = is_lost(call.store, client)?;
    if done.changes || lost {
        tell(call, EventKind::ClientDisconnected, &done, connection)?;
    }
    let outcome = if done.changes {
        ClientOutcome::Disconnected
    } else {
        ClientOutcome::Unchanged
    };
    reply(call, clients, outcome, done)
}

/// What a client that OzBrain does not know can be told by hand, as a
/// connection of this name. `port`: where agents are served over HTTP.
///
/// # Errors
/// `not_allowed` for an agent and for a revoked name; `invalid` for a name that
/// is no connection's.
pub fn snippets(
    call: Call<'_>,
    clients: &dyn Clients,
    connection: &str,
    port: Option<u16>,
) -> Result<SnippetsView> {
    allowed(call)?;
    let name = ConnectionName::parse(connection)?;
    not_reserved(&name)?;
    let known = call.store.read(|records| records.connection(&name))?;
    unrevoked(known.as_ref(), &name)?;
    let (stdio, stdio_problem) = match clients.snippet(&name) {
        Ok(snippet) => (Some(snippet), None),
        Err(refusal) => (None, Some(refusal.message)),
    };
    let http = port.map(|port| {
        let url = format!("http://127.0.0.1:{port}/mcp");
        // Nothing in it needs escaping: the address is ours.
        let text = format!(
            r#"{{
  "mcpServers": {{
    "ozbrain": {{
      "type": "http",
      "url": "{url}",
      "headers": {{ "Authorization": "Bearer {KEY}" }}
    }}
  }}
}}
"#
        );
        HttpSnippet {
            header: format!("Authorization: Bearer {KEY}"),
            text,
            url,
        }
    });
    Ok(SnippetsView {
        connection: name.to_string(),
        known: known.is_some(),
        key: known.is_some_and(|known| known.key_hash.is_some()),
        stdio,
        stdio_problem,
        http,
    })
}

/// Refuses a name that is kept for the person and the command line.
pub(super) fn not_reserved(name: &ConnectionName) -> Result<()> {
    if name.is_reserved() {
        return Err(Refusal::invalid(format!(
            "`{name}` is no client's name: it is kept for the person and the command line. Give \
             the client another."
        )));
    }
    Ok(())
}

/// Looks whether a client lost the entry that was made from here, or has it
/// again, and tells the person of it. `sure` is asked again a moment later of
/// those that seem lost: a file that is just being written says nothing. For
/// the server itself; it asks for no access.
///
/// # Errors
/// The store's.
pub fn look_after_clients(
    store: &dyn Store,
    clients: &dyn Clients,
    version: &str,
    now: Timestamp,
    sure: impl FnOnce(),
) -> Result<()> {
    let known = store.read(|records| records.lost_clients())?;
    let mut seen = losses(store, &clients.all())?;
    if seen
        .iter()
        .any(|(client, loss)| loss.is_some() && !known.contains(&client.client))
    {
        sure();
        let again = losses(store, &clients.all())?;
        seen.retain(|(client, loss)| {
            again
                .iter()
                .any(|(it, same)| it.client == client.client && same == loss)
        });
    }
    let moved = seen
        .iter()
        .any(|(client, loss)| loss.is_some() != known.contains(&client.client));
    if !moved {
        return Ok(());
    }
    let agent = Agent {
        connection: ConnectionName::cli(),
        client: Some(Client {
            name: "ozbrain".into(),
            version: version.into(),
        }),
        session: "clients".into(),
    };
    store.write(move |records| {
        // Another process may have told it meanwhile.
        let known = records.lost_clients()?;
        let mut changes = Vec::new();
        for (found, loss) in &seen {
            let lost = known.contains(&found.client);
            let event = |kind| Event {
                detail: Some(
                    ClientDetail {
                        client: found.client.clone(),
                        name: found.name.clone(),
                        connection: found.made.as_ref().map(|it| it.connection.to_string()),
                        loss: *loss,
                    }
                    .to_text(),
                ),
                ..bare_event(&agent, kind, now)
            };
            match (loss, lost) {
                (Some(_), false) => changes.push(Change::LostClient {
                    client: found.client.clone(),
                    event: event(EventKind::ClientLost),
                }),
                (None, true) => {
                    changes.push(Change::FoundClient(found.client.clone()));
                    let kind = match found.entry {
                        Some(_) => EventKind::ClientConnected,
                        None => EventKind::ClientDisconnected,
                    };
                    changes.push(Change::Event(event(kind)));
                }
                _ => {}
            }
        }
        Ok((changes, ()))
    })
}

/// How each client lost its entry, if it did. Of one whose file cannot be read
/// nothing is known.
fn losses(
    store: &dyn Store,
    all: &[FoundClient],
) -> Result<Vec<(FoundClient, Option<ClientLoss>)>> {
    store.read(|records| {
        let mut losses = Vec::new();
        for found in all {
            let state = client_state(found, known_connection(records, found, all)?);
            if state != ClientState::Blocked {
                losses.push((found.clone(), loss(found, state)));
            }
        }
        Ok(losses)
    })
}

fn is_lost(store: &dyn Store, client: &str) -> Result<bool> {
    store.read(|records| Ok(records.lost_clients()?.iter().any(|it| it == client)))
}

/// Stores what was done to a client.
fn tell(
    call: Call<'_>,
    kind: EventKind,
    done: &ClientPlan,
    connection: Option<String>,
) -> Result<()> {
    let session = Arc::clone(call.session);
    let detail = ClientDetail {
        client: done.client.clone(),
        name: done.name.clone(),
        connection,
        loss: None,
    };
    let now = call.now;
    call.store.write(move |_| {
        let event = Event {
            detail: Some(detail.to_text()),
            ..bare_event(&session.agent, kind, now)
        };
        let found = Change::FoundClient(detail.client.clone());
        Ok((vec![found, Change::Event(event)], ()))
    })
}

fn reply(
    call: Call<'_>,
    clients: &dyn Clients,
    outcome: ClientOutcome,
    plan: ClientPlan,
) -> Result<ClientReply> {
    let found = clients.one(&plan.client)?;
    let plan = with_grants(call, plan, &HowToConnect::default())?;
    let all = clients.all();
    let client = call.store.read(|records| view(records, &found, &all))?;
    Ok(ClientReply {
        outcome,
        plan,
        client,
    })
}

/// Says in a plan what the connection may do then.
fn with_grants(call: Call<'_>, plan: ClientPlan, how: &HowToConnect) -> Result<ClientPlan> {
    if plan.act != ClientAct::Connect {
        return Ok(plan);
    }
    let named = plan.connection.as_deref();
    let Some(name) = named.and_then(|it| ConnectionName::parse(it).ok()) else {
        return Ok(plan);
    };
    let grants = call.store.read(|records| {
        granted_brains(&records.brains()?, &how.grants)?;
        let mut grants = grants_of(records, &name)?;
        for (brain, grant) in &mut grants {
            if let Some(wanted) = how.grants.get(brain.as_str()) {
                *grant = *wanted;
            }
        }
        Ok(grants)
    })?;
    Ok(ClientPlan {
        grants: Some(grants),
        ..plan
    })
}

fn allowed(call: Call<'_>) -> Result<()> {
    let session = Arc::clone(call.session);
    call.store.read(|records| {
        access(records, &session)?;
        keepers_alone(&session, "connect clients")
    })
}

fn wish(
    call: Call<'_>,
    clients: &dyn Clients,
    found: &FoundClient,
    act: ClientAct,
    how: &HowToConnect,
) -> Result<ClientWish> {
    if act == ClientAct::Disconnect {
        return Ok(ClientWish::Disconnect);
    }
    let all = clients.all();
    call.store.read(|records| {
        let known = records.connections()?;
        let taken = |name: &ConnectionName| {
            let revoked = |it: &Connection| it.name == *name && it.revoked_at.is_some();
            known.iter().any(revoked) || is_anothers(&all, found, name)
        };
        let connection = connection_for(found, taken).ok_or_else(|| {
            Refusal::invalid(format!(
                "Every name that OzBrain would give {} was revoked or is another's. Add it by hand, with a name \
                 of your own.",
                found.name
            ))
        })?;
        Ok(ClientWish::Connect {
            connection,
            rules: how.rules,
            by: how.by.or(found.by).unwrap_or_default(),
        })
    })
}

/// Whether a connection is another client's than this.
fn is_anothers(all: &[FoundClient], found: &FoundClient, name: &ConnectionName) -> bool {
    owner(all, name).is_some_and(|it| it != found.client)
}

fn known_connection(
    records: &dyn Records,
    found: &FoundClient,
    all: &[FoundClient],
) -> Result<KnownConnection> {
    let Some(name) = found.entry.as_ref().and_then(|it| it.connection.as_ref()) else {
        return Ok(KnownConnection::default());
    };
    let known = records.connection(name)?;
    Ok(KnownConnection {
        last_call: records.last_seen(name)?,
        waits: known.as_ref().is_some_and(|it| it.waits_since.is_some()),
        revoked: known.is_some_and(|it| it.revoked_at.is_some()),
        anothers: is_anothers(all, found, name),
    })
}

/// A client as it stands. `all`: it and the others.
fn view(records: &dyn Records, found: &FoundClient, all: &[FoundClient]) -> Result<ClientView> {
    let entry = found.entry.as_ref();
    let connection = entry.and_then(|entry| entry.connection.clone());
    let known = known_connection(records, found, all)?;
    let state = client_state(found, known);
    let works = state == ClientState::Works;
    let first = match &connection {
        Some(name) if works => records.first_call(name)?,
        _ => None,
    };
    let since = found.made.as_ref().map(|made| made.at);
    let proof = first
        .filter(|first| since.is_none_or(|since| first.at >= since))
        .map(|first| {
            let client = first.agent.client;
            ClientProof {
                at: Moment(first.at),
                version: client
                    .as_ref()
                    .map(|it| it.version.clone())
                    .filter(|it| !it.is_empty()),
                client: client.map(|it| it.name),
            }
        });
    Ok(ClientView {
        client: found.client.clone(),
        name: found.name.clone(),
        state,
        file: found.file.clone(),
        // One that lost its entry is the connection that it was.
        connection: connection
            .or_else(|| found.made.as_ref().map(|made| made.connection.clone()))
            .map(|name| name.to_string()),
        by: found.by,
        connected_at: found.made.as_ref().map(|made| Moment(made.at)),
        last_call: known.last_call.filter(|_| works).map(Moment),
        proof,
        after: found.after,
        running: found.running,
        rules: found.rules.clone(),
        other_store: found.other_store.clone(),
        problem: found.problem.clone(),
    })
}

/// What an event says of a client or a connection.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) client: Option<String>,
    pub(super) client_name: Option<String>,
    pub(super) connection: Option<String>,
    /// Whether its detail is about a client.
    pub(super) is_of_client: bool,
}

impl Told {
    pub(super) fn of(event: &Event) -> Self {
        match event.kind {
            EventKind::ConnectionCreated | EventKind::ConnectionRevoked => Self {
                connection: event.detail.clone(),
                ..Self::default()
            },
            EventKind::ClientCalled => Self {
                connection: event.detail.clone(),
                is_of_client: true,
                ..Self::default()
            },
            kind => match ClientDetail::of(kind, event.detail.as_deref()) {
                Some(detail) => Self {
                    client: Some(detail.client),
                    client_name: Some(detail.name),
                    connection: detail.connection,
                    is_of_client: true,
                },
                None => Self::default(),
            },
        }
    }
}
