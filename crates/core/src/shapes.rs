//! The shapes of the contract: what tools, routes and commands take and give.

use crate::words::{
    Agent, BrainKind, BrainName, EventId, EventKind, Field, Freshness, Grant, Outcome, Timestamp,
    Topic, UnitId, WritePolicy,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Input of `brains`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrainsInput {}

/// Input of `topics`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopicsInput {
    /// Only this brain.
    #[serde(default)]
    pub brain: Option<String>,
    /// Only this topic and those below.
    #[serde(default)]
    pub prefix: Option<String>,
    /// Levels to tell apart, counted below prefix. Unset: all.
    #[serde(default)]
    pub depth: Option<u32>,
}

/// What freshness a search accepts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum FreshnessFilter {
    /// All.
    #[default]
    Any,
    /// Fresh and aging.
    NotStale,
    /// Fresh alone.
    Fresh,
}

/// What a unit may need of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Need {
    /// A conflict is open.
    Conflicted,
    /// It is aging.
    Aging,
    /// It is stale.
    Stale,
}

/// A set of freshnesses; all by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshnesses {
    /// Fresh units.
    pub fresh: bool,
    /// Aging units.
    pub aging: bool,
    /// Stale units.
    pub stale: bool,
}

impl Default for Freshnesses {
    fn default() -> Self {
        Self {
            fresh: true,
            aging: true,
            stale: true,
        }
    }
}

/// Input of `search`: at least one of `query`, `topic`, `needs`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchInput {
    /// Keywords or a question.
    #[serde(default)]
    pub query: Option<String>,
    /// A topic path: boosts with query, selects without.
    #[serde(default)]
    pub topic: Option<String>,
    /// Only this brain.
    #[serde(default)]
    pub brain: Option<String>,
    /// 1-50, default 10.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Most tokens of the reply, default 1500, at least 120.
    #[serde(default)]
    pub budget: Option<u32>,
    /// Default any.
    #[serde(default)]
    pub freshness: Option<FreshnessFilter>,
    /// Only units that wait for the person.
    #[serde(default)]
    pub needs: Option<Need>,
}

/// Input of `fetch`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FetchInput {
    /// Unit id, brain:topic or brain:topic#title.
    pub id: String,
}

/// Input of `brief`: at least one of `query`, `topic`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BriefInput {
    /// Keywords or a question.
    #[serde(default)]
    pub query: Option<String>,
    /// A topic path.
    #[serde(default)]
    pub topic: Option<String>,
    /// Only this brain.
    #[serde(default)]
    pub brain: Option<String>,
    /// Most tokens of the reply, default 1500, at least 120.
    #[serde(default)]
    pub budget: Option<u32>,
}

/// Input of `write`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteInput {
    /// The brain to write to.
    pub brain: String,
    /// Path such as clients/meridian. Needed without id.
    #[serde(default)]
    pub topic: Option<String>,
    /// Names one fact within the topic.
    #[serde(default)]
    pub title: Option<String>,
    /// The whole text, Markdown. Replaces what stands.
    #[serde(default)]
    pub body: Option<String>,
    /// A paragraph to add instead of body.
    #[serde(default)]
    pub append: Option<String>,
    /// Labels, and words someone may ask with.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// Where to ask again: URL, file, person.
    #[serde(default)]
    pub source: Option<String>,
    /// The unit to change; with another topic or title it moves.
    #[serde(default)]
    pub id: Option<String>,
    /// The revision you read.
    #[serde(default)]
    pub base_revision: Option<u32>,
    /// When the fact was seen to hold (RFC 3339).
    #[serde(default)]
    pub observed_at: Option<String>,
    /// Days until it ages, 1-3650.
    #[serde(default)]
    pub fresh_for_days: Option<u32>,
}

/// What a person answers when asked whether a unit still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Verdict {
    /// It holds.
    StillTrue,
    /// It changed: the new text is in `body`.
    Changed,
    /// The person does not know.
    Unknown,
}

/// Input of `confirm`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmInput {
    /// Unit id.
    pub id: String,
    /// The revision the verdict speaks of. Needed with verdict.
    #[serde(default)]
    pub revision: Option<u32>,
    /// What the person said. Without it the person is asked.
    #[serde(default)]
    pub verdict: Option<Verdict>,
    /// With changed: the new text.
    #[serde(default)]
    pub body: Option<String>,
}

/// How a conflict is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Choice {
    /// The head stays.
    KeepHead,
    /// A displaced revision comes back in its disputed fields.
    Restore,
    /// A new text.
    Merged,
}

/// Input of `resolve`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveInput {
    /// Unit id.
    pub id: String,
    /// The conflict's version, from fetch.
    pub version: u32,
    /// keep_head, restore (a side, with revision) or merged (with body).
    pub choice: Choice,
    /// With restore: the side.
    #[serde(default)]
    pub revision: Option<u32>,
    /// With merged: the text.
    #[serde(default)]
    pub body: Option<String>,
    /// With merged: the title, if in dispute.
    #[serde(default)]
    pub title: Option<String>,
    /// With merged: the tags, if in dispute.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// With merged: the source, if in dispute.
    #[serde(default)]
    pub source: Option<String>,
    /// What the person said, quoted.
    pub decision: String,
}

/// Input of `history`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryInput {
    /// Unit id.
    pub id: String,
    /// Most revisions, default 20.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Input of `retire`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RetireInput {
    /// Unit id.
    pub id: String,
    /// The revision you read.
    #[serde(default)]
    pub base_revision: Option<u32>,
    /// Why it no longer holds.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A moment in a reply: RFC 3339, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(pub Timestamp);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// A unit's web address: `ozbrain:ID` for a local brain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitUrl(pub UnitId);

impl Serialize for UnitUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("ozbrain:{}", self.0))
    }
}

impl JsonSchema for UnitUrl {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "UnitUrl".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

/// What was left out of a reply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// How many units.
    pub count: u32,
    /// What they would have cost whole, in tokens.
    pub tokens: u64,
    /// Why: `limit`, `budget`.
    pub reasons: Vec<&'static str>,
}

/// Reply of `brains`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BrainsReply {
    /// The brains that the caller may read.
    pub brains: Vec<BrainRow>,
}

/// A brain in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BrainRow {
    /// The short name: the argument.
    pub brain: BrainName,
    /// The name that people read.
    pub name: String,
    /// Personal or shared.
    pub kind: BrainKind,
    /// What the caller may do.
    pub grant: Grant,
    /// Who may write.
    pub write_policy: WritePolicy,
    /// Units.
    pub units: u32,
    /// Of these, aging.
    pub aging: u32,
    /// Of these, stale.
    pub stale: u32,
    /// Units with an open conflict.
    pub conflicted: u32,
}

/// Reply of `topics`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TopicsReply {
    /// The topics, by brain and path.
    pub topics: Vec<TopicRow>,
    /// Topics beyond the most that a reply lists.
    pub left_out: LeftOut,
}

/// A topic in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TopicRow {
    /// Its brain.
    pub brain: BrainName,
    /// The path.
    pub topic: Topic,
    /// Units in it (and below, where `depth` cut).
    pub units: u32,
    /// Of these, fresh.
    pub fresh: u32,
    /// Of these, aging.
    pub aging: u32,
    /// Of these, stale.
    pub stale: u32,
    /// Units with an open conflict.
    pub conflicted: u32,
}

/// A brain and a topic in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TopicAddress {
    /// The brain.
    pub brain: BrainName,
    /// The path.
    pub topic: Topic,
}

/// What an agent needs to decide whether to fetch a unit.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Pointer {
    /// The unit.
    pub id: UnitId,
    /// Its title, else its topic; cut with `…` where the budget is tight.
    pub title: String,
    /// `ozbrain:ID`.
    pub url: UnitUrl,
    /// Its brain.
    pub brain: BrainName,
    /// Its topic; cut with `…` where the budget is tight.
    pub topic: String,
    /// The piece of its body that answers best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// Its head.
    pub revision: u32,
    /// Its freshness.
    pub freshness: Freshness,
    /// Whether a conflict is open.
    pub conflicted: bool,
    /// What its body costs, in tokens.
    pub tokens: u32,
    /// Why it stands where it stands: for the command line and the app, never
    /// in a tool's reply.
    #[serde(skip)]
    pub why: Option<Why>,
}

/// How a pointer came to its rank.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Why {
    /// The joined score.
    pub score: f64,
    /// Keywords' part, 0 to 1 of the best match.
    pub keywords: f64,
    /// Topic evidence, 0 to 1.
    pub topic: f64,
    /// Freshness's factor.
    pub freshness: f64,
    /// Recency's factor.
    pub recency: f64,
    /// From when its age counts.
    pub anchor: Moment,
}

/// Reply of `search`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchReply {
    /// The best pointers, best first.
    pub results: Vec<Pointer>,
    /// What else matched.
    pub left_out: LeftOut,
    /// Where nobody has the asked topic: the nearest there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_topics: Option<Vec<TopicAddress>>,
}

/// Reply of `fetch`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FetchReply {
    /// The unit.
    pub id: UnitId,
    /// Its title, else its topic.
    pub title: String,
    /// Its whole body; empty if it is retired.
    pub text: String,
    /// `ozbrain:ID`.
    pub url: UnitUrl,
    /// The rest.
    pub metadata: Metadata,
}

/// What is known of a fetched unit.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Metadata {
    /// Its brain.
    pub brain: BrainName,
    /// Its topic.
    pub topic: Topic,
    /// Its head.
    pub revision: u32,
    /// Its freshness.
    pub freshness: Freshness,
    /// Whether a conflict is open.
    pub conflicted: bool,
    /// The open conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictShape>,
    /// Present and true if it is retired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retired: Option<bool>,
    /// Who wrote the head.
    pub agent: AgentText,
    /// When the unit was first written.
    pub created_at: Moment,
    /// When the head was written.
    pub updated_at: Moment,
    /// The last confirm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<Moment>,
    /// Who confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<AgentText>,
    /// When the fact was seen to hold, if its writer said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Moment>,
    /// Where to ask again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// What its body costs, in tokens.
    pub tokens: u32,
}

/// An agent as a readable string that contains the connection's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentText(pub Agent);

impl Serialize for AgentText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl JsonSchema for AgentText {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AgentText".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

/// An open conflict.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ConflictShape {
    /// What `resolve` must name.
    pub version: u32,
    /// The displaced revisions, oldest first.
    pub sides: Vec<SideShape>,
}

/// A displaced revision.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SideShape {
    /// The number it had as head.
    pub revision: u32,
    /// Its body; null for a retirement.
    pub text: Option<String>,
    /// Who wrote it.
    pub agent: AgentText,
    /// When.
    pub at: Moment,
    /// The fields in dispute; empty where it was displaced knowingly.
    pub disputed: Vec<Field>,
    /// Its topic, if in dispute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// Its title, if in dispute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its tags, if in dispute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Its source, if in dispute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its own aging threshold, if in dispute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh_for_days: Option<u32>,
}

/// Reply of `brief`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BriefReply {
    /// Whole units, best first.
    pub units: Vec<BriefUnit>,
    /// Those that did not fit whole.
    pub pointers: Vec<Pointer>,
    /// What else matched.
    pub left_out: LeftOut,
}

/// A whole unit in a brief.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BriefUnit {
    /// The unit.
    pub id: UnitId,
    /// Its title, else its topic.
    pub title: String,
    /// Its brain.
    pub brain: BrainName,
    /// Its topic.
    pub topic: Topic,
    /// Its whole body.
    pub text: String,
    /// Its head.
    pub revision: u32,
    /// Its freshness.
    pub freshness: Freshness,
    /// Whether a conflict is open.
    pub conflicted: bool,
    /// What its body costs, in tokens.
    pub tokens: u32,
}

/// What a write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteOutcome {
    /// A new unit.
    Created,
    /// A new head that displaced nothing unseen.
    Updated,
    /// Nothing new was said.
    Unchanged,
    /// A new head that displaced something unseen.
    Conflicted,
    /// Nothing yet: it waits for the person, and what stands still holds.
    Proposed,
}

/// Reply of `write`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WriteReply {
    /// What it did.
    pub outcome: WriteOutcome,
    /// The brain.
    pub brain: BrainName,
    /// The topic.
    pub topic: Topic,
    /// The unit's title, else its topic.
    pub title: String,
    /// The unit. Of a new one that is `proposed`: the id that it gets if the
    /// person accepts it.
    pub id: UnitId,
    /// Its head now; 0 where none stands yet (`proposed`).
    pub revision: u32,
    /// The body text that was replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displaced: Option<SideShape>,
    /// The open conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictShape>,
    /// A new title in a used topic: its nearest units.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<Pointer>,
    /// What the agent should tell the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// The act's event, where something happened: what undo names. Tools do not
    /// show it.
    #[serde(skip)]
    pub event: Option<EventId>,
}

/// What a confirm did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmOutcome {
    /// The head holds.
    Confirmed,
    /// A new text was written.
    Updated,
    /// The person does not know; noted.
    Noted,
    /// The person must be asked: `question`.
    AskPerson,
    /// The person closed the question: nothing changed.
    Declined,
    /// The head is another revision by now.
    Moved,
    /// The new text waits for the person, and what stands still holds.
    Proposed,
}

/// Reply of `confirm`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ConfirmReply {
    /// What it did.
    pub outcome: ConfirmOutcome,
    /// The unit.
    pub id: UnitId,
    /// Its head now.
    pub revision: u32,
    /// Its freshness now.
    pub freshness: Freshness,
    /// What to ask the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// With `updated`: the text that was replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displaced: Option<SideShape>,
    /// The act's event, where something happened: what undo names. Tools do not
    /// show it.
    #[serde(skip)]
    pub event: Option<EventId>,
    /// With `proposed`: why it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// What a resolve did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResolveOutcome {
    /// The conflict is closed.
    Resolved,
    /// Head or sides changed, or no conflict is open: look again.
    Moved,
}

/// Reply of `resolve`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ResolveReply {
    /// What it did.
    pub outcome: ResolveOutcome,
    /// The unit.
    pub id: UnitId,
    /// Its head now.
    pub revision: u32,
    /// Whether a conflict is open now.
    pub conflicted: bool,
    /// With `moved`: the conflict as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictShape>,
    /// With `moved`: the head's text, so that a choice can be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The act's event, where something happened: what undo names. Tools do not
    /// show it.
    #[serde(skip)]
    pub event: Option<EventId>,
}

/// Reply of `history`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HistoryReply {
    /// The unit.
    pub id: UnitId,
    /// Its revisions, newest first.
    pub revisions: Vec<RevisionRow>,
    /// Its events, newest first.
    pub events: Vec<EventRow>,
    /// Revisions, or their texts, that are not here.
    pub left_out: LeftOut,
}

/// A revision in a history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RevisionRow {
    /// Its number.
    pub revision: u32,
    /// When it was written.
    pub at: Moment,
    /// By whom.
    pub agent: AgentText,
    /// How it came to be.
    pub outcome: Outcome,
    /// What its writer had seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_revision: Option<u32>,
    /// Its body, while the texts fit; absent for a retirement, and where it was
    /// erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where to ask again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// An event in a history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EventRow {
    /// What happened.
    pub kind: EventKind,
    /// The revision it made or spoke of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Who did it.
    pub agent: AgentText,
    /// When.
    pub at: Moment,
    /// What the person decided, or why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// Its number: what `ozbrain undo` names.
    pub event: EventId,
}

/// What a retire did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RetireOutcome {
    /// The unit is out of routing.
    Retired,
    /// It was already.
    Unchanged,
    /// It is out of routing, and that displaced something unseen.
    Conflicted,
    /// It waits for the person, and the unit still stands.
    Proposed,
}

/// Reply of `retire`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RetireReply {
    /// What it did.
    pub outcome: RetireOutcome,
    /// The unit.
    pub id: UnitId,
    /// Its head now.
    pub revision: u32,
    /// The open conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictShape>,
    /// The act's event, where something happened: what undo names. Tools do not
    /// show it.
    #[serde(skip)]
    pub event: Option<EventId>,
    /// With `proposed`: why it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// A connection in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ConnectionRow {
    /// Its name.
    pub connection: String,
    /// When it was first seen or made.
    pub created_at: Moment,
    /// When it last called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen: Option<Moment>,
    /// When it was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Moment>,
    /// Whether it has a key for HTTP.
    pub key: bool,
    /// What it may do, by brain.
    pub grants: BTreeMap<BrainName, Grant>,
    /// The brains whose owner it is: where the write policy is `owners`, it
    /// writes.
    pub owner: Vec<BrainName>,
    /// Whether the person made it or connected its client, and no session of
    /// it has called since.
    pub waits: bool,
    /// What it last read whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_read: Option<TouchedUnit>,
    /// What it last wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_write: Option<TouchedUnit>,
}

/// A unit that a connection read or wrote.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TouchedUnit {
    /// Unit id.
    pub unit: UnitId,
    /// Its brain.
    pub brain: BrainName,
    /// The topic in which it stands now.
    pub topic: Topic,
    /// The title that it has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When.
    pub at: Moment,
}
