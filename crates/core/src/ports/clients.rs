//! The MCP clients on this computer.

use crate::refusal::Result;
use crate::views::clients::{AfterChange, ClientPlan, ClientProblem};
use crate::words::{ConnectionName, Timestamp};

/// Finds clients and edits their configuration. Nothing here knows the store:
/// what a connection did is the use cases' to add.
pub trait Clients: Send + Sync {
    /// All known clients as they stand, in the order in which they are shown.
    fn all(&self) -> Vec<FoundClient>;

    /// One of them.
    ///
    /// # Errors
    /// `invalid` for a name that is no client's.
    fn one(&self, client: &str) -> Result<FoundClient>;

    /// What a wish would change. That it cannot be done is part of the answer.
    ///
    /// # Errors
    /// `invalid` for a name that is no client's.
    fn plan(&self, client: &str, wish: &ClientWish) -> Result<ClientPlan>;

    /// Does it, if it is still what was shown: `planned` is the
    /// [`ClientPlan::plan`] that the person saw. Without one it is done as it
    /// stands. Gives what was done.
    ///
    /// # Errors
    /// `invalid` for a name that is no client's, `unavailable` where it cannot
    /// be done; then the client's file is as it was.
    fn carry_out(
        &self,
        client: &str,
        wish: &ClientWish,
        planned: Option<&str>,
        now: Timestamp,
    ) -> Result<ClientPlan>;

    /// What a client that is not known can be told by hand: over stdio, as the
    /// connection of this name.
    ///
    /// # Errors
    /// `unavailable` where OzBrain has no command that stays where it is.
    fn snippet(&self, connection: &ConnectionName) -> Result<String>;
}

/// What shall become of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientWish {
    /// It calls as this connection.
    Connect(ConnectionName),
    /// It calls no longer.
    Disconnect,
}

/// A client, as its files show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundClient {
    /// Its short name.
    pub client: String,
    /// Its name for people.
    pub name: String,
    /// Whether it is on this computer.
    pub installed: bool,
    /// The configuration that it reads.
    pub file: String,
    /// Our entry in it.
    pub entry: Option<ClientEntry>,
    /// When its entry was last made from here, with what name, if nobody took
    /// it back from here since.
    pub made: Option<MadeEntry>,
    /// Why its configuration cannot be read.
    pub problem: Option<ClientProblem>,
    /// What has to be done after a change.
    pub after: AfterChange,
    /// Whether it runs, where that matters.
    pub running: bool,
}

/// Our entry in a client's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientEntry {
    /// What the entry is called.
    pub name: String,
    /// The connection that it names.
    pub connection: Option<ConnectionName>,
    /// Whether it starts this program on this data folder.
    pub current: bool,
}

/// An entry that was made from here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeEntry {
    /// What it was called.
    pub name: String,
    /// The connection that it named.
    pub connection: ConnectionName,
    /// When.
    pub at: Timestamp,
}
