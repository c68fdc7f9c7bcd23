//! The use cases, one function each. Who asks is in [`Call`]; tools, routes,
//! commands and screens call these and add no rule of their own.
//!
//! Every use case refuses with `not_allowed` for a revoked connection, and
//! with `busy` or `unavailable` where the store cannot serve.

mod activity;
mod brain_settings;
mod brains;
mod brief;
mod changes;
mod clients;
mod confirm;
mod connections;
mod dismiss;
mod erase;
mod fetch;
mod find;
mod health;
mod history;
mod http_sessions;
mod inbox;
mod join;
mod later;
mod listed;
mod notices;
mod proposals;
mod readers;
mod resolve;
mod retire;
mod return_unit;
mod review;
mod revision;
mod search;
mod settings;
mod sign_in;
mod state;
mod topics;
mod undo;
mod undo_waiting;
mod unit;
mod unit_history;
mod unit_view;
mod units;
mod write;

pub use activity::activity;
pub use brain_settings::{brain_views, update_brain};
pub use brains::{brains, create_brain, grant};
pub use brief::brief;
pub use changes::{ChangeRow, changes_after, newest_change};
pub use clients::{client_plan, clients, connect, disconnect, look_after_clients, snippets};
pub use confirm::{ConfirmQuestion, confirm, confirm_declined, confirm_question};
pub use connections::{
    called, connection_with_key, connections, create_connection, introduce_connection, meet,
    revoke_connection, withdraw_key,
};
pub use dismiss::dismiss;
pub use erase::erase;
pub use fetch::fetch;
pub use find::find;
pub use health::{check, health};
pub use history::history;
pub use http_sessions::{end_http_session, http_session, keep_http_session};
pub use inbox::{inbox, newest};
pub use join::join;
pub use later::later;
pub use notices::{Conflicts, Notices, TellingMark, notices, told};
pub use proposals::{accept, proposal, proposals, reject};
pub use readers::readers;
pub use resolve::{resolve, resolve_as_person, resolve_declined, resolve_question};
pub use retire::retire;
pub use return_unit::return_unit;
pub use review::review;
pub use revision::revision;
pub use search::search;
pub use settings::{change_settings, settings};
pub use sign_in::{allow_sign_in, sign_in, sign_out, tab_with_bearer};
pub use state::state;
pub use topics::{all_topics, topics, topics_after};
pub use undo::{undo, undoable};
pub use unit_history::unit_history;
pub use unit_view::unit_view;
pub use units::units;
pub use write::{write, write_as_person};

use crate::ports::{Delivery, Records, Store};
use crate::refusal::{Code, Refusal, Result};
use crate::rules::access::Access;
use crate::words::{Agent, ConnectionName, Event, EventKind, Session, Timestamp, Unit, UnitId};
use std::sync::Arc;

/// Who asks, when, and of which store.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The store.
    pub store: &'a dyn Store,
    /// Who asks.
    pub session: &'a Arc<Session>,
    /// Now.
    pub now: Timestamp,
}

impl Call<'_> {
    /// Notes that whole bodies were delivered: in the session's ledger, and in
    /// the read log as far as they count there.
    fn delivered(&self, bodies: impl IntoIterator<Item = (UnitId, u32)>) {
        let deliveries: Vec<Delivery> = bodies
            .into_iter()
            .filter(|(unit, revision)| self.session.saw(unit, *revision, self.now))
            .map(|(unit, revision)| Delivery {
                agent: self.session.agent.clone(),
                unit,
                revision,
                at: self.now,
            })
            .collect();
        if !deliveries.is_empty() {
            self.store.delivered(deliveries);
        }
    }
}

/// What the session's connection may do, read in the same transaction as what
/// it asks for, so that a revoke works at once.
fn access(records: &dyn Records, session: &Session) -> Result<Access> {
    if session.agent.is_person() {
        return Ok(Access::of_person(records.brains()?));
    }
    let name = &session.agent.connection;
    let connection = records.connection(name)?;
    let grants = records.grants(name)?;
    Access::of(connection.as_ref(), &grants, records.brains()?)
}

/// Whether a session is the person's or the command line's: who keeps
/// connections and settings.
fn keeps_connections(session: &Session) -> bool {
    session.agent.is_person() || session.agent.connection == ConnectionName::cli()
}

/// Refuses what keeps brains and connections to anyone but the person and the
/// command line.
fn keepers_alone(session: &Session, what: &str) -> Result<()> {
    if keeps_connections(session) {
        return Ok(());
    }
    Err(Refusal::new(
        Code::NotAllowed,
        format!("Only the person can {what}, in the app or on the command line."),
    ))
}

/// Refuses what the person alone may do.
fn persons_alone(session: &Session, what: &str) -> Result<()> {
    if session.agent.is_person() {
        return Ok(());
    }
    Err(Refusal::new(
        Code::NotAllowed,
        format!("Only the person can {what}, in the app."),
    ))
}

/// An event of this session about a unit's head.
fn event(session: &Session, kind: EventKind, unit: &Unit, now: Timestamp) -> Event {
    Event {
        brain: Some(unit.brain),
        unit: Some(unit.id.clone()),
        revision: Some(unit.head.number),
        ..bare_event(&session.agent, kind, now)
    }
}

/// An event about no unit: the caller says what it is about.
fn bare_event(agent: &Agent, kind: EventKind, now: Timestamp) -> Event {
    Event {
        id: 0,
        kind,
        brain: None,
        unit: None,
        revision: None,
        agent: agent.clone(),
        at: now,
        detail: None,
    }
}

/// 64 random bits.
fn random() -> Result<u64> {
    getrandom::u64()
        .map_err(|_| Refusal::unavailable("The system gives no random numbers. Try again."))
}
