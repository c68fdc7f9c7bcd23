//! The routes: each names its use case.

use super::answer::{Refused, json};
use super::events::events;
use super::{Api, Caller, Routes, written};
use crate::Result;
use crate::app::zone;
use crate::keys;
use crate::sign_in::{self, SignedInReply, sign_in_link};
use axum::http::{Method, StatusCode, header};
use ozbrain_core::shapes::{ConnectionRow, FetchInput};
use ozbrain_core::use_cases::{self, Call, ChangeRow};
use ozbrain_core::views::brains::BrainView;
use ozbrain_core::views::clients::{
    ClientAct, ConnectBy, HowToConnect, SnippetsInput, SnippetsView,
};
use ozbrain_core::words::{
    BrainKind, BrainName, ConnectionName, EventId, Grant, ProposalId, Timestamp, WritePolicy,
};
use ozbrain_core::{Code, Refusal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where nothing is asked.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Where nothing is answered.
#[derive(Serialize, JsonSchema)]
struct Done {}

/// A unit and what is asked of it.
#[derive(Deserialize, JsonSchema)]
struct OfUnit<I> {
    /// Unit id, brain:topic or brain:topic#title.
    id: String,
    #[serde(flatten)]
    input: I,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnitInput {
    /// Unit id, brain:topic or brain:topic#title.
    id: String,
    /// Loads ahead: the unit does not count as shown to the person.
    #[serde(default)]
    peek: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SignInInput {
    /// The token of a link, from its fragment.
    token: String,
}

/// A link for another tab.
#[derive(Serialize, JsonSchema)]
struct Link {
    /// It works once, for two minutes.
    url: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RevisionInput {
    /// Unit id, brain:topic or brain:topic#title.
    id: String,
    /// The revision's number.
    revision: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateBrainInput {
    /// The short name.
    brain: String,
    /// The name that people read; the short name unless told.
    #[serde(default)]
    name: Option<String>,
    /// Personal or shared.
    kind: BrainKind,
    /// Who may write; open unless told.
    #[serde(default)]
    write_policy: Option<WritePolicy>,
}

/// A brain and what of it changes.
#[derive(Deserialize, JsonSchema)]
struct OfBrain<I> {
    /// The short name.
    brain: String,
    #[serde(flatten)]
    input: I,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConnectionInput {
    /// The connection's name.
    connection: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewConnectionInput {
    /// The connection's name.
    connection: String,
    /// Whether it gets a key for HTTP; it does unless told.
    #[serde(default)]
    key: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanInput {
    /// The client's short name.
    client: String,
    /// Connect or disconnect.
    act: ClientAct,
    /// Whether its rules file shall have a section on OzBrain. Unless told: as
    /// it is for a client that is connected, else yes.
    #[serde(default)]
    rules: Option<bool>,
    /// By its file or by a bundle. Unless told: as it was connected last, else
    /// by its file.
    #[serde(default)]
    by: Option<ConnectBy>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConnectInput {
    /// The client's short name.
    client: String,
    /// The plan that was shown.
    plan: String,
    /// As the plan was asked for.
    #[serde(default)]
    rules: Option<bool>,
    /// What its connection may do, by brain, from before its first call on. In
    /// the others it is as the plan says.
    #[serde(default)]
    grants: BTreeMap<String, Grant>,
    /// As the plan was asked for.
    #[serde(default)]
    by: Option<ConnectBy>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DisconnectInput {
    /// The client's short name.
    client: String,
    /// The plan that was shown.
    plan: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GrantInput {
    /// The brain's short name.
    brain: String,
    /// The connection's name.
    connection: String,
    /// What it may do.
    grant: Grant,
    /// Whether it is an owner of the brain; as it was unless told.
    #[serde(default)]
    owner: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProposalInput {
    /// The proposal.
    id: ProposalId,
}

/// A connection that was made.
#[derive(Serialize, JsonSchema)]
struct CreatedConnection {
    /// Its name.
    connection: String,
    /// Its key for HTTP. It is told this once. Absent where none was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// A tool's reply, with its act.
#[derive(Serialize, JsonSchema)]
struct Acted<R> {
    #[serde(flatten)]
    reply: R,
    /// What `undo` takes; absent where nothing happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<EventId>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReturnInput {
    /// Unit id.
    id: String,
    /// Its head, as it was shown.
    revision: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LaterInput {
    /// Unit id.
    id: String,
    /// 7 unless told.
    #[serde(default)]
    days: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JoinInput {
    /// The unit that stays.
    id: String,
    /// Its head, as it was shown.
    revision: u32,
    /// The unit whose text comes in.
    other: String,
    /// Its head, as it was shown.
    other_revision: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UndoInput {
    /// The act.
    event: EventId,
}

/// This installation.
#[derive(Serialize, JsonSchema)]
struct AboutView {
    /// The program's version.
    version: String,
    /// Where the memory lies.
    data_folder: String,
    /// Where agents and browsers find the server; absent: no port is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// Why no port is open, where something keeps it from being.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_address: Option<String>,
}

/// Connections, with what each may do.
#[derive(Serialize, JsonSchema)]
struct ConnectionsView {
    /// By name.
    connections: Vec<ConnectionRow>,
}

/// Every route.
pub(super) fn all() -> Routes {
    connecting(acting(reading(signing_in(Routes::new()))))
}

fn signing_in(routes: Routes) -> Routes {
    routes
        .open::<SignInInput, SignedInReply, _, _>(
            "/api/sign-in",
            "signIn",
            "Exchanges a link's token for a bearer, once",
            |api: Api, input: SignInInput| async move {
                let reply = sign_in::sign_in(&api.app, &input.token).await;
                let reply = reply.map_err(|refusal| match refusal.code {
                    Code::NotAllowed => Refused::new(StatusCode::UNAUTHORIZED, refusal),
                    _ => refusal.into(),
                })?;
                Ok(json(written(&reply)?))
            },
        )
        .signed_in::<Nothing, Done, _, _>(
            Method::POST,
            "/api/sign-out",
            "signOut",
            "Ends this tab's bearer",
            |api: Api, caller: Caller, _: Nothing| async move {
                sign_in::sign_out(&api.app, &caller.tab).await?;
                Ok(json(written(&Done {})?))
            },
        )
        .signed_in::<Nothing, Link, _, _>(
            Method::POST,
            "/api/sign-in-links",
            "createSignInLink",
            "Makes a link for another tab",
            |api: Api, caller: Caller, _: Nothing| async move {
                // Where the caller's own page is: the doors have checked it.
                let host = caller.headers.get(header::HOST);
                let Some(host) = host.and_then(|host| host.to_str().ok()) else {
                    return Err(Refusal::unavailable(
                        "No port is open for browsers. Try again in a moment.",
                    )
                    .into());
                };
                let host = host.to_owned();
                let link = api.app.blocking(move |store| sign_in_link(store, &host));
                Ok(json(written(&Link { url: link.await? })?))
            },
        )
}

fn reading(routes: Routes) -> Routes {
    routes
        .get(
            "/api/state",
            "state",
            "How the store stands",
            |call, _: Nothing| {
                use_cases::state(call, env!("CARGO_PKG_VERSION"), day_start(call.now))
            },
        )
        .streams::<_, ChangeRow, _, _>("/api/events", "events", "Streams what happens", events)
        .get(
            "/api/brains",
            "brains",
            "Lists the brains",
            |call, _: Nothing| use_cases::brain_views(call),
        )
        .get(
            "/api/topics",
            "topics",
            "Lists all topics",
            use_cases::all_topics,
        )
        .get("/api/units", "units", "Lists units", use_cases::units)
        .get(
            "/api/units/{id}",
            "unit",
            "Shows a unit",
            |call, UnitInput { id, peek }| use_cases::unit_view(call, &id, peek),
        )
        .get(
            "/api/units/{id}/history",
            "unitHistory",
            "Shows what happened to a unit",
            |call, OfUnit { id, input }| use_cases::unit_history(call, &id, input),
        )
        .get(
            "/api/units/{id}/revisions/{revision}",
            "revision",
            "Shows a revision",
            |call, RevisionInput { id, revision }| use_cases::revision(call, &id, revision),
        )
        .get(
            "/api/units/{id}/readers",
            "readers",
            "Shows who read a unit",
            |call, input: FetchInput| use_cases::readers(call, &input.id),
        )
        .get(
            "/api/search",
            "search",
            "Finds units as the person types",
            use_cases::find,
        )
        .get(
            "/api/brief",
            "brief",
            "Briefs as the tool does",
            use_cases::brief,
        )
        .get(
            "/api/fetch",
            "fetch",
            "Fetches as the tool does",
            use_cases::fetch,
        )
        .get(
            "/api/inbox",
            "inbox",
            "Lists what waits for the person",
            |call, input| use_cases::inbox(call, input, day_start(call.now)),
        )
        .get(
            "/api/review",
            "review",
            "Lists what aged",
            use_cases::review,
        )
        .get(
            "/api/proposals/{id}",
            "proposal",
            "Shows a proposal",
            |call, input: ProposalInput| use_cases::proposal(call, input.id),
        )
        .get(
            "/api/connections",
            "connections",
            "Lists connections and what each may do",
            |call, _: Nothing| {
                let connections = use_cases::connections(call)?;
                Ok(ConnectionsView { connections })
            },
        )
        .get(
            "/api/activity",
            "activity",
            "Lists what happened",
            use_cases::activity,
        )
        .get(
            "/api/settings",
            "settings",
            "Shows what the person chose",
            |call, _: Nothing| use_cases::settings(call),
        )
        .signed_in::<Nothing, AboutView, _, _>(
            Method::GET,
            "/api/about",
            "about",
            "Shows where the memory lies and where the server listens",
            |api: Api, caller: Caller, _: Nothing| async move {
                // Where the caller's own page is: the doors have checked it.
                let host = caller.headers.get(header::HOST);
                let host = host.and_then(|host| host.to_str().ok());
                let address = host.map(|host| format!("http://{host}"));
                let data_folder = api.app.blocking(|store| Ok(store.place())).await?;
                let about = AboutView {
                    version: env!("CARGO_PKG_VERSION").into(),
                    data_folder,
                    no_address: api.app.unserved().filter(|_| address.is_none()),
                    address,
                };
                Ok(json(written(&about)?))
            },
        )
}

/// Adds an act that a tool has too: its reply, with the event.
macro_rules! acted {
    ($use_case:path) => {
        |call, input| {
            let reply = $use_case(call, input)?;
            let event = reply.event;
            Ok(Acted { reply, event })
        }
    };
}

fn acting(routes: Routes) -> Routes {
    routes
        .post(
            "/api/write",
            "write",
            "Stores or changes a unit",
            acted!(use_cases::write_as_person),
        )
        .post(
            "/api/confirm",
            "confirm",
            "Says whether a unit holds",
            acted!(use_cases::confirm),
        )
        .post(
            "/api/resolve",
            "resolve",
            "Settles a conflict",
            acted!(use_cases::resolve_as_person),
        )
        .post(
            "/api/retire",
            "retire",
            "Takes a unit out of routing",
            acted!(use_cases::retire),
        )
        .post(
            "/api/return",
            "return",
            "Brings a retired unit back",
            |call, input: ReturnInput| use_cases::return_unit(call, &input.id, input.revision),
        )
        .post(
            "/api/later",
            "later",
            "Puts a unit off",
            |call, input: LaterInput| use_cases::later(call, &input.id, input.days),
        )
        .post(
            "/api/join",
            "join",
            "Joins two units about one fact",
            |call, input: JoinInput| {
                let JoinInput {
                    id,
                    revision,
                    other,
                    other_revision,
                } = input;
                use_cases::join(call, &id, revision, &other, other_revision)
            },
        )
        .post("/api/erase", "erase", "Erases for good", use_cases::erase)
        .post(
            "/api/undo",
            "undo",
            "Takes an act back",
            |call, input: UndoInput| use_cases::undo(call, input.event),
        )
        .post(
            "/api/accept",
            "accept",
            "Accepts a proposal",
            use_cases::accept,
        )
        .post(
            "/api/reject",
            "reject",
            "Rejects a proposal",
            use_cases::reject,
        )
        .post(
            "/api/dismiss",
            "dismiss",
            "Puts a decision or problem away",
            use_cases::dismiss,
        )
        .post(
            "/api/brains",
            "createBrain",
            "Makes a brain",
            |call, input: CreateBrainInput| {
                let policy = input.write_policy.unwrap_or(WritePolicy::Open);
                let name = input.name.as_deref();
                let made = use_cases::create_brain(call, &input.brain, name, input.kind, policy)?;
                brain(call, &made.brain)
            },
        )
        .calls(
            Method::PATCH,
            "/api/brains/{brain}",
            "updateBrain",
            "Changes a brain's settings",
            |call, OfBrain { brain, input }| use_cases::update_brain(call, &brain, input),
        )
        .calls(
            Method::PATCH,
            "/api/settings",
            "changeSettings",
            "Changes what the person chose",
            |call, input| use_cases::change_settings(call, input, &zone()),
        )
        .calls(
            Method::PUT,
            "/api/brains/{brain}/grants/{connection}",
            "grant",
            "Sets what a connection may do in a brain",
            |call, input: GrantInput| {
                let GrantInput {
                    brain,
                    connection: name,
                    grant,
                    owner,
                } = input;
                use_cases::grant(call, &brain, &name, grant, owner)?;
                connection(call, &name)
            },
        )
        .post(
            "/api/connections",
            "createConnection",
            "Makes a connection, with a key unless told",
            |call, input: NewConnectionInput| {
                let (name, key) = if input.key == Some(false) {
                    (
                        use_cases::introduce_connection(call, &input.connection)?,
                        None,
                    )
                } else {
                    let key = keys::new_key()?;
                    let hash = keys::hash(&key);
                    let name = use_cases::create_connection(call, &input.connection, hash)?;
                    (name, Some(key))
                };
                Ok(CreatedConnection {
                    connection: name.to_string(),
                    key,
                })
            },
        )
        .post(
            "/api/connections/{connection}/revoke",
            "revokeConnection",
            "Revokes a connection for good",
            |call, input: ConnectionInput| {
                use_cases::revoke_connection(call, &input.connection)?;
                connection(call, &input.connection)
            },
        )
}

fn connecting(routes: Routes) -> Routes {
    routes
        .clients(
            Method::GET,
            "/api/clients",
            "clients",
            "Lists the clients on this computer and how each stands",
            |call, clients, _: Nothing| use_cases::clients(call, clients),
        )
        .clients(
            Method::GET,
            "/api/clients/{client}/plan",
            "clientPlan",
            "Shows what connecting or disconnecting a client changes",
            |call, clients, input: PlanInput| {
                let how = HowToConnect {
                    rules: input.rules,
                    by: input.by,
                    ..HowToConnect::default()
                };
                use_cases::client_plan(call, clients, &input.client, input.act, &how)
            },
        )
        .clients(
            Method::POST,
            "/api/clients/{client}/connect",
            "connect",
            "Connects a client as it was shown",
            |call, clients, input: ConnectInput| {
                let plan = Some(input.plan.as_str());
                let how = HowToConnect {
                    rules: input.rules,
                    grants: input.grants,
                    by: input.by,
                };
                use_cases::connect(call, clients, &input.client, plan, &how)
            },
        )
        .clients(
            Method::POST,
            "/api/clients/{client}/disconnect",
            "disconnect",
            "Disconnects a client as it was shown",
            |call, clients, input: DisconnectInput| {
                use_cases::disconnect(call, clients, &input.client, Some(&input.plan))
            },
        )
        .signed_in::<SnippetsInput, SnippetsView, _, _>(
            Method::GET,
            "/api/snippets",
            "snippets",
            "Shows what an unknown client can be told by hand",
            |api: Api, caller: Caller, input: SnippetsInput| async move {
                let clients = api.app.clients()?;
                let port = *api.app.served().borrow();
                let call = move |call: Call<'_>| {
                    written(&use_cases::snippets(
                        call,
                        &*clients,
                        &input.connection,
                        port,
                    )?)
                };
                Ok(json(api.app.read(&caller.tab.session, call).await?))
            },
        )
}

/// A brain's row.
fn brain(call: Call<'_>, name: &BrainName) -> Result<BrainView> {
    let brains = use_cases::brain_views(call)?.brains;
    let brain = brains.into_iter().find(|brain| brain.brain == *name);
    brain.ok_or_else(|| Refusal::unknown_brain(name.as_str()))
}

/// A connection's row.
fn connection(call: Call<'_>, name: &str) -> Result<ConnectionRow> {
    let name = ConnectionName::parse(name)?;
    let connections = use_cases::connections(call)?;
    let connection = connections
        .into_iter()
        .find(|connection| connection.connection == name.as_str());
    connection.ok_or_else(|| Refusal::invalid(format!("There is no connection `{name}`.")))
}

/// The last midnight where this computer is.
pub fn day_start(now: Timestamp) -> Timestamp {
    let midnight = jiff::Timestamp::from_millisecond(now.millis())
        .and_then(|now| now.to_zoned_datetime(zone()).start_of_day());
    midnight.map_or(now, |midnight| {
        Timestamp::from_millis(midnight.timestamp().as_millisecond())
    })
}
