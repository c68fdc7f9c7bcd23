//! The MCP clients on this computer.

use crate::refusal::Result;
use crate::views::clients::{
    AfterChange, ClientPlan, ClientProblem, ClientRules, ConnectBy, StdioSnippet,
};
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
    /// stands.
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
    ) -> Result<CarriedOut>;

    /// What a client that is not known can be told by hand: over stdio, as the
    /// connection of this name.
    ///
    /// # Errors
    /// `unavailable` where OzBrain has no command that stays where it is.
    fn snippet(&self, connection: &ConnectionName) -> Result<StdioSnippet>;

    /// Calls `changed` soon after a file changed that says how a client
    /// stands, whoever changed it, and now and then although none did, until
    /// what is given is dropped. Calls may be merged.
    fn watch(&self, changed: OnClients) -> Box<dyn Send>;
}

/// Called after clients' files changed.
pub type OnClients = Box<dyn Fn() + Send>;

/// What became of a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CarriedOut {
    /// It was done as this plan says, or there was nothing to do.
    Done(ClientPlan),
    /// What the person saw stands no longer, and nothing was done: this does.
    Moved(ClientPlan),
}

/// What shall become of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientWish {
    /// It calls.
    Connect {
        /// As this connection.
        connection: ConnectionName,
        /// Whether its rules file shall say how to use OzBrain. `None`: as it
        /// is for a client that is connected, else yes.
        rules: Option<bool>,
        /// By what it learns of OzBrain.
        by: ConnectBy,
    },
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
    /// The data folder that OzBrain is started on by an entry in it, where
    /// none is ours.
    pub other_store: Option<String>,
    /// The file in which it reads what its agents shall do, if it has one.
    pub rules: Option<ClientRules>,
    /// When its entry was last made from here, with what name, if nobody took
    /// it back from here since.
    pub made: Option<MadeEntry>,
    /// Why its configuration cannot be read.
    pub problem: Option<ClientProblem>,
    /// What has to be done after a change.
    pub after: AfterChange,
    /// Whether it runs, where that matters.
    pub running: bool,
    /// By what it was connected from here, if nobody took it back since. By a
    /// bundle, `file` is that, and `entry` what it starts.
    pub by: Option<ConnectBy>,
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
    /// Whether someone changed it since it was made from here, or what it
    /// starts is there no longer.
    pub altered: bool,
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
