//! MCP clients on this computer: how each stands, and what connecting or
//! disconnecting it would change.

use crate::shapes::Moment;
use crate::words::{BrainName, Grant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The clients that OzBrain knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClientsView {
    /// In the order in which they are shown.
    pub clients: Vec<ClientView>,
}

/// A client and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClientView {
    /// Its short name: the argument.
    pub client: String,
    /// Its name for people.
    pub name: String,
    /// How it stands.
    pub state: ClientState,
    /// The configuration that it reads; by a bundle, that.
    pub file: String,
    /// The connection that its entry names, or named before it was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
    /// By what it was connected from here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<ConnectBy>,
    /// When it was connected from here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connected_at: Option<Moment>,
    /// When it last called this store; while it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_call: Option<Moment>,
    /// Its first call since it was connected from here; while it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ClientProof>,
    /// What has to be done before it reads its configuration again.
    pub after: AfterChange,
    /// Whether it runs now, where that matters for its configuration.
    pub running: bool,
    /// The file in which it reads what its agents shall do, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<ClientRules>,
    /// The data folder that OzBrain is started on by an entry in its
    /// configuration, where none is about this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_store: Option<String>,
    /// Why its configuration cannot be read or changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ClientProblem>,
}

/// The first call of a client that was connected from here: the proof that its
/// entry works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClientProof {
    /// When it came.
    pub at: Moment,
    /// What the client calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// Its version, as it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A client's rules file: text that it gives to its agents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClientRules {
    /// The file.
    pub file: String,
    /// Whether the section on OzBrain stands in it.
    pub there: bool,
}

/// How a client stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientState {
    /// It is not on this computer.
    Absent,
    /// It is here, and not connected.
    Found,
    /// It is connected, and no session of it has called since.
    Waiting,
    /// It is connected, and has called since.
    Works,
    /// Its entry names another program or another way to start it: connecting
    /// again mends it.
    Outdated,
    /// Its connection was revoked: connecting again makes another.
    Revoked,
    /// It was connected from here, and its entry is gone: connecting again
    /// mends it.
    Gone,
    /// Its configuration cannot be read.
    Blocked,
}

/// What has to be done before a client reads its configuration again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AfterChange {
    /// Nothing: it reads it by itself.
    Nothing,
    /// Its next session reads it.
    NewSession,
    /// It has to be quit whole and started again.
    Restart,
    /// It asks the person, who has to say that it shall install it.
    Install,
}

/// By what a client learns of OzBrain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConnectBy {
    /// An entry in its own configuration.
    #[default]
    File,
    /// A bundle, which it installs itself after it asked the person: an
    /// extension. Its own files are not touched, and it may run.
    Bundle,
}

/// Why a configuration cannot be read or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClientProblem {
    /// The kind of problem.
    pub code: ClientProblemCode,
    /// What is wrong and what to do.
    pub message: String,
    /// Where in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// Kinds of problems with a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientProblemCode {
    /// The file does not follow its format, or is no UTF-8.
    Syntax,
    /// A key stands twice: which one the client takes is unknown.
    Ambiguous,
    /// The place for servers holds something else.
    Shape,
    /// It is no file, or one that this user may not read.
    Unreadable,
    /// It may not be written.
    ReadOnly,
    /// It is too large for a configuration.
    TooLarge,
    /// Another program keeps writing it.
    Busy,
    /// The client runs, and would undo the change.
    Running,
    /// Several files may be the one that the client reads.
    SeveralFiles,
    /// OzBrain has no command that stays where it is.
    NoCommand,
    /// An entry for OzBrain stands in its configuration: with a bundle it
    /// would be started twice.
    EntryThere,
}

/// A place in a file, as editors count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The character in it, from 1.
    pub column: u32,
}

/// How a client shall be connected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HowToConnect {
    /// Whether its rules file shall have a section on OzBrain. `None`: as it is
    /// for a client that is connected, else yes.
    pub rules: Option<bool>,
    /// What its connection may do, by the short names of brains. In the others
    /// it may do what it might before, or what a new connection may.
    pub grants: BTreeMap<String, Grant>,
    /// By what. `None`: as it was connected last, else by its file.
    pub by: Option<ConnectBy>,
}

/// What connecting or disconnecting a client changes, shown first and done
/// then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClientPlan {
    /// The client.
    pub client: String,
    /// Its name for people.
    pub name: String,
    /// Connect or disconnect.
    pub act: ClientAct,
    /// The configuration that changes, or the bundle that is made.
    pub file: String,
    /// What the file's entry is called.
    pub entry: String,
    /// The connection that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
    /// How it is done.
    pub way: ClientWay,
    /// By what else it could be connected here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<ConnectBy>,
    /// Whether anything changes at all, the rules file included.
    pub changes: bool,
    /// Whether the configuration is made, changed or taken away.
    pub effect: FileEffect,
    /// The change, with lines around it; of a bundle that of its manifest.
    pub diff: Vec<DiffLine>,
    /// How many further lines stay as they are.
    pub stay: u32,
    /// What becomes of the client's rules file, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesPlan>,
    /// What the connection may do in each brain then, unless something else is
    /// asked for: its own grants, or those of a new one. Of connecting alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grants: Option<BTreeMap<BrainName, Grant>>,
    /// Names this plan: it is done only where it still stands.
    pub plan: String,
    /// What the person should know of it, as sentences.
    pub notes: Vec<String>,
    /// What has to be done before the client reads it.
    pub after: AfterChange,
    /// Why it cannot be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ClientProblem>,
    /// What to add by hand, where OzBrain cannot.
    pub snippet: String,
    /// A link by which the client installs the entry itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// What is done to a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientAct {
    /// It gets an entry.
    Connect,
    /// Its entry goes.
    Disconnect,
}

/// How a change is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "way", rename_all = "snake_case")]
pub enum ClientWay {
    /// OzBrain edits the file.
    Edit,
    /// The client's own command does it, as it runs now and keeps the file.
    Command {
        /// The command and its arguments.
        command: Vec<String>,
        /// The same as one line of a shell.
        shell: String,
    },
    /// OzBrain makes a bundle and has it opened: the client asks the person
    /// whether to install it.
    Bundle {
        /// What it says of itself: the whole `manifest.json`.
        manifest: String,
    },
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileEffect {
    /// It stays as it is.
    Same,
    /// It is made.
    Made,
    /// It is changed.
    Changed,
    /// It becomes again what it was before it was connected.
    Restored,
    /// It goes, as it was made by connecting.
    Removed,
}

/// A line of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiffLine {
    /// Whether it stays, comes or goes.
    pub kind: DiffKind,
    /// The line, without its end.
    pub text: String,
    /// Its number in the file: as it will be, or as it was for one that goes.
    pub line: u32,
}

/// What happens to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffKind {
    /// It stays.
    Same,
    /// It comes.
    Added,
    /// It goes.
    Removed,
}

/// What becomes of the section on OzBrain in a client's rules file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesPlan {
    /// The file.
    pub file: String,
    /// Whether the section shall stand in it.
    pub wanted: bool,
    /// Whether anything changes.
    pub changes: bool,
    /// Whether the file is made, changed or taken away.
    pub effect: FileEffect,
    /// The change, with lines around it.
    pub diff: Vec<DiffLine>,
    /// How many further lines stay as they are.
    pub stay: u32,
    /// Why it stays as it is. The rest is done without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ClientProblem>,
}

/// What connecting or disconnecting a client came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClientReply {
    /// What it came to.
    pub outcome: ClientOutcome,
    /// What was done; with `moved`, what would be done now.
    pub plan: ClientPlan,
    /// The client as it stands now.
    pub client: ClientView,
}

/// What connecting or disconnecting a client came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientOutcome {
    /// It has its entry.
    Connected,
    /// Its entry is gone.
    Disconnected,
    /// It was so already.
    Unchanged,
    /// What was shown stands no longer. Nothing was done.
    Moved,
}

/// What a client that OzBrain does not know can be told by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SnippetsView {
    /// The connection that it would call as.
    pub connection: String,
    /// Whether this connection is known already.
    pub known: bool,
    /// Whether it has a key for HTTP already, which nobody can be told again.
    pub key: bool,
    /// For a client that starts servers itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdio: Option<StdioSnippet>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdio_problem: Option<String>,
    /// For a client that calls over HTTP, while OzBrain listens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpSnippet>,
}

/// How OzBrain is started over stdio.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StdioSnippet {
    /// The command, whole.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// As most clients take it, in JSON.
    pub text: String,
    /// As one line of a shell.
    pub shell: String,
}

/// How OzBrain is called over HTTP. `OZBRAIN_KEY` stands where the key belongs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HttpSnippet {
    /// The address.
    pub url: String,
    /// The header that names the connection.
    pub header: String,
    /// As most clients take it, in JSON.
    pub text: String,
}

/// Input of the snippets.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnippetsInput {
    /// The connection's name.
    pub connection: String,
}
