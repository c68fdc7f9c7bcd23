//! Clients on this computer: how they stand, connected, disconnected.

use super::connections::add_connection;
use super::{Call, access, keepers_alone};
use crate::ports::{ClientWish, Clients, FoundClient, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::clients::{KnownConnection, client_state, connection_for};
use crate::shapes::Moment;
use crate::views::clients::{ClientAct, ClientPlan, ClientState, ClientView, ClientsView};
use crate::words::ConnectionName;
use std::sync::Arc;

/// The clients that OzBrain knows, and how each stands. For the person and the
/// command line, as all that keeps connections.
///
/// # Errors
/// `not_allowed` for an agent.
pub fn clients(call: Call<'_>, clients: &dyn Clients) -> Result<ClientsView> {
    allowed(call)?;
    let found = clients.all();
    call.store.read(|records| {
        let views = found.iter().map(|found| view(records, found));
        Ok(ClientsView {
            clients: views.collect::<Result<_>>()?,
        })
    })
}

/// What connecting or disconnecting a client would change.
///
/// # Errors
/// `not_allowed` for an agent; `invalid` for a name that is no client's.
pub fn client_plan(
    call: Call<'_>,
    clients: &dyn Clients,
    client: &str,
    act: ClientAct,
) -> Result<ClientPlan> {
    allowed(call)?;
    clients.plan(client, &wish(call, clients, client, act)?)
}

/// Connects a client: it gets an entry, and its connection is known before its
/// first call, so that grants can be given. `planned` is the plan that the
/// person saw. A client that is connected as it should be stays as it is.
///
/// # Errors
/// `not_allowed` for an agent; `invalid` for a name that is no client's;
/// `unavailable` where its configuration cannot be changed, or changed since
/// the plan was made.
pub fn connect(
    call: Call<'_>,
    clients: &dyn Clients,
    client: &str,
    planned: Option<&str>,
) -> Result<ClientPlan> {
    allowed(call)?;
    let wish = wish(call, clients, client, ClientAct::Connect)?;
    let done = clients.carry_out(client, &wish, planned, call.now)?;
    if let ClientWish::Connect(name) = wish {
        add_connection(call, name)?;
    }
    Ok(done)
}

/// Disconnects a client: its entry goes, and its file is what it was, wherever
/// nothing else changed in it. The connection stays known, with its grants.
///
/// # Errors
/// Those of [`connect`].
pub fn disconnect(
    call: Call<'_>,
    clients: &dyn Clients,
    client: &str,
    planned: Option<&str>,
) -> Result<ClientPlan> {
    allowed(call)?;
    clients.carry_out(client, &ClientWish::Disconnect, planned, call.now)
}

fn allowed(call: Call<'_>) -> Result<()> {
    let session = Arc::clone(call.session);
    call.store.read(|records| {
        access(records, &session)?;
        keepers_alone(&session, "connect clients")
    })
}

fn wish(call: Call<'_>, clients: &dyn Clients, client: &str, act: ClientAct) -> Result<ClientWish> {
    if act == ClientAct::Disconnect {
        return Ok(ClientWish::Disconnect);
    }
    let found = clients.one(client)?;
    call.store.read(|records| {
        let known = records.connections()?;
        let revoked = |name: &ConnectionName| {
            known
                .iter()
                .any(|it| it.name == *name && it.revoked_at.is_some())
        };
        let name = connection_for(&found, revoked).ok_or_else(|| {
            Refusal::invalid(format!(
                "Every name that OzBrain would give {} was revoked. Add it by hand, with a name \
                 of your own.",
                found.name
            ))
        })?;
        Ok(ClientWish::Connect(name))
    })
}

fn view(records: &dyn Records, found: &FoundClient) -> Result<ClientView> {
    let entry = found.entry.as_ref();
    let connection = entry.and_then(|entry| entry.connection.clone());
    let known = match &connection {
        None => KnownConnection::default(),
        Some(name) => KnownConnection {
            last_call: records.last_seen(name)?,
            revoked: records
                .connection(name)?
                .is_some_and(|known| known.revoked_at.is_some()),
        },
    };
    let state = client_state(found, known);
    let works = state == ClientState::Works;
    Ok(ClientView {
        client: found.client.clone(),
        name: found.name.clone(),
        state,
        file: found.file.clone(),
        connection: connection.map(|name| name.to_string()),
        connected_at: found.made.as_ref().map(|made| Moment(made.at)),
        last_call: known.last_call.filter(|_| works).map(Moment),
        after: found.after,
        running: found.running,
        problem: found.problem.clone(),
    })
}
