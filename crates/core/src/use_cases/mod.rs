//! The use cases, one function each. Whoever asks is in [`Call`]; tools,
//! routes, commands and screens call these and add no rule of their own.

use crate::ports::{HttpSession, Identity, Store};
use crate::refusal::{Refusal, Result};
use crate::shapes::*;
use crate::words::{
    Agent, BrainKind, ConnectionName, EventId, EventKind, Grant, Session, Timestamp, Topic, UnitId,
    WritePolicy,
};
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

fn later<T>() -> Result<T> {
    Err(Refusal::unavailable("placeholder"))
}

/// Lists the brains that the caller may read.
///
/// # Errors
/// `not_allowed` for a revoked connection, as everywhere here.
pub fn brains(_call: Call<'_>, _input: BrainsInput) -> Result<BrainsReply> {
    later()
}

/// Lists topics.
pub fn topics(_call: Call<'_>, _input: TopicsInput) -> Result<TopicsReply> {
    later()
}

/// Ranks pointers for a question, a topic or a need, within a budget.
pub fn search(_call: Call<'_>, _input: SearchInput) -> Result<SearchReply> {
    later()
}

/// Gives a unit whole.
pub fn fetch(_call: Call<'_>, _input: FetchInput) -> Result<FetchReply> {
    later()
}

/// Packs a topic's or a question's best units under a budget.
pub fn brief(_call: Call<'_>, _input: BriefInput) -> Result<BriefReply> {
    later()
}

/// Writes a unit.
pub fn write(_call: Call<'_>, _input: WriteInput) -> Result<WriteReply> {
    later()
}

/// What to ask the person about a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmQuestion {
    /// The unit.
    pub id: UnitId,
    /// The revision that the question speaks of: what a verdict must name.
    pub revision: u32,
    /// The question, for the person to read.
    pub question: String,
}

/// The question that a confirm without a verdict puts to the person. Refuses
/// what [`confirm`] would refuse.
pub fn confirm_question(_call: Call<'_>, _id: &str) -> Result<ConfirmQuestion> {
    later()
}

/// Confirms a unit, or answers `ask_person` with the question where no verdict
/// is given.
pub fn confirm(_call: Call<'_>, _input: ConfirmInput) -> Result<ConfirmReply> {
    later()
}

/// The person closed the question of [`confirm_question`]: `declined`.
pub fn confirm_declined(_call: Call<'_>, _id: &str) -> Result<ConfirmReply> {
    later()
}

/// The question that puts an agent's resolve to the person where its client
/// can ask; `None` where the conflict has moved (then [`resolve`] says so).
/// Refuses what [`resolve`] would refuse.
pub fn resolve_question(_call: Call<'_>, _input: &ResolveInput) -> Result<Option<String>> {
    later()
}

/// Settles a conflict.
pub fn resolve(_call: Call<'_>, _input: ResolveInput) -> Result<ResolveReply> {
    later()
}

/// The person said no to [`resolve_question`].
pub fn resolve_declined() -> Refusal {
    Refusal::new(
        crate::Code::NotAllowed,
        "The person did not agree, so nothing was changed. Ask them what they want instead.",
    )
}

/// A unit's revisions and events.
pub fn history(_call: Call<'_>, _input: HistoryInput) -> Result<HistoryReply> {
    later()
}

/// Takes a unit out of routing.
pub fn retire(_call: Call<'_>, _input: RetireInput) -> Result<RetireReply> {
    later()
}

/// Makes a brain. `title` is the name people read; the short name unless given.
pub fn create_brain(
    _call: Call<'_>,
    _name: &str,
    _title: Option<&str>,
    _kind: BrainKind,
    _write_policy: WritePolicy,
) -> Result<BrainRow> {
    later()
}

/// Sets what a connection may do in a brain.
pub fn grant(_call: Call<'_>, _brain: &str, _connection: &str, _grant: Grant) -> Result<()> {
    later()
}

/// Lists connections with their grants.
pub fn connections(_call: Call<'_>) -> Result<Vec<ConnectionRow>> {
    later()
}

/// Makes a connection with an HTTP key, or gives an existing one a new key.
pub fn create_connection(
    _call: Call<'_>,
    _name: &str,
    _key_hash: [u8; 32],
) -> Result<ConnectionName> {
    later()
}

/// Revokes a connection: each of its calls is refused from now on.
pub fn revoke_connection(_call: Call<'_>, _name: &str) -> Result<()> {
    later()
}

/// A connection calls for the first time in a session: an unknown name becomes
/// a new connection with the default grants, and a store without a brain gets
/// `personal`. Gives the newest event, where the new session begins. Every
/// session starts with it.
///
/// # Errors
/// `not_allowed` if the name is revoked.
pub fn meet(_store: &dyn Store, _agent: &Agent, _now: Timestamp) -> Result<EventId> {
    later()
}

/// The connection that an HTTP key belongs to; `None` for an unknown key or a
/// revoked connection.
pub fn connection_with_key(
    _store: &dyn Store,
    _key_hash: &[u8; 32],
) -> Result<Option<ConnectionName>> {
    later()
}

/// A change that the caller may know of.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeRow {
    /// Its place in the store's order.
    pub event: EventId,
    /// What happened.
    pub kind: EventKind,
    /// The brain's short name, if it happened in one.
    pub brain: Option<crate::words::BrainName>,
    /// The unit.
    pub unit: Option<UnitId>,
    /// The topics that show it: where the unit stands now.
    pub topic: Option<Topic>,
    /// Whether the session that asks did it.
    pub own: bool,
}

/// Changes after an event, oldest first, in brains that the caller may read;
/// with the newest event looked at, where the next call goes on.
pub fn changes_after(_call: Call<'_>, _after: EventId) -> Result<(Vec<ChangeRow>, EventId)> {
    later()
}

/// Opens, renews or reads an HTTP session kept over restarts.
pub fn keep_http_session(_store: &dyn Store, _session: HttpSession) -> Result<()> {
    later()
}

/// The kept HTTP session of this id.
pub fn http_session(_store: &dyn Store, _id: &str) -> Result<Option<HttpSession>> {
    later()
}

/// Ends a kept HTTP session.
pub fn end_http_session(_store: &dyn Store, _id: &str) -> Result<()> {
    later()
}

/// Proves that the store can write, and says which it is.
pub fn health(_store: &dyn Store, _now: Timestamp) -> Result<Identity> {
    later()
}
