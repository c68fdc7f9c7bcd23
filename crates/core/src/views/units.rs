//! Units, in lists and whole.

use super::{BaseView, ContentView, Who};
use crate::shapes::{FreshnessFilter, Moment, Need, TopicAddress, TopicRow};
use crate::words::{BrainName, Field, Freshness, Outcome, Topic, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The last confirm of a unit's head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Confirmed")]
pub struct ConfirmedView {
    /// When.
    pub at: Moment,
    /// By whom.
    pub by: Who,
}

/// A unit in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct UnitRow {
    /// The unit.
    pub id: UnitId,
    /// Its brain.
    pub brain: BrainName,
    /// Its topic.
    pub topic: Topic,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The beginning of the body as plain text, at most 160 characters; of a
    /// search, the piece that answers best.
    pub snippet: String,
    /// Its head.
    pub revision: u32,
    /// Its freshness.
    pub freshness: Freshness,
    /// Whether a conflict is open.
    pub conflicted: bool,
    /// Whether it is retired.
    pub retired: bool,
    /// What its body costs, in tokens.
    pub tokens: u32,
    /// When its head was written.
    pub updated_at: Moment,
    /// Who wrote the head.
    pub agent: Who,
    /// From when its age counts.
    pub anchor: Moment,
    /// When it turns aging; absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aging_at: Option<Moment>,
    /// When it turns stale; absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_at: Option<Moment>,
    /// The last confirm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<ConfirmedView>,
    /// Until when "ask later" holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub later_until: Option<Moment>,
}

/// How a list of units is ordered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum UnitOrder {
    /// What needs the person first: conflicted, stale, aging, fresh; within
    /// each the latest change first.
    #[default]
    Needs,
    /// The latest change first.
    Latest,
    /// By title, and by topic where there is none.
    Title,
}

/// Input of the list of units.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitsInput {
    /// Only this brain.
    #[serde(default)]
    pub brain: Option<String>,
    /// Only this topic and what lies below it.
    #[serde(default)]
    pub topic: Option<String>,
    /// Only the topic itself.
    #[serde(default)]
    pub exact: bool,
    /// Only units that wait for the person.
    #[serde(default)]
    pub needs: Option<Need>,
    /// The retired ones instead.
    #[serde(default)]
    pub retired: bool,
    /// `needs` unless told.
    #[serde(default)]
    pub order: UnitOrder,
    /// How many to pass over.
    #[serde(default)]
    pub offset: u32,
    /// 1-200, 100 unless told.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A page of units.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct UnitsView {
    /// The page.
    pub units: Vec<UnitRow>,
    /// How many there are without paging.
    pub total: u32,
    /// Where nobody has the asked topic: the nearest there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_topics: Option<Vec<TopicAddress>>,
}

/// A unit, whole.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct UnitView {
    /// The unit.
    pub id: UnitId,
    /// Its brain.
    pub brain: BrainName,
    /// What its head says; of a retired unit, what was retired.
    pub content: ContentView,
    /// Its head.
    pub revision: u32,
    /// What `resolve` must name.
    pub version: u32,
    /// Its freshness.
    pub freshness: Freshness,
    /// Whether a conflict is open.
    pub conflicted: bool,
    /// Whether it is retired.
    pub retired: bool,
    /// From when its age counts.
    pub anchor: Moment,
    /// When it turns aging; absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aging_at: Option<Moment>,
    /// When it turns stale; absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_at: Option<Moment>,
    /// When its first revision was written.
    pub created_at: Moment,
    /// When its head was written.
    pub updated_at: Moment,
    /// Who wrote the head.
    pub agent: Who,
    /// When the fact was seen to hold, if its writer said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Moment>,
    /// The last confirm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<ConfirmedView>,
    /// Until when "ask later" holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub later_until: Option<Moment>,
    /// What its body costs, in tokens.
    pub tokens: u32,
    /// Present and true if the id asked for was joined into this unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<bool>,
    /// The open conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictView>,
    /// Open proposals about it.
    pub proposals: u32,
}

/// The sides of an open conflict, and the head.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ConflictView {
    /// What `resolve` must name.
    pub version: u32,
    /// The head. In dispute is what any side disputes.
    pub head: SideView,
    /// The displaced revisions, oldest first.
    pub sides: Vec<SideView>,
    /// What displaced the newest of them.
    pub displacer: DisplacerView,
    /// What happened around it, oldest first, at most 50 steps.
    pub trail: Vec<TrailStep>,
}

/// A side of a conflict.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SideView {
    /// Its number.
    pub revision: u32,
    /// What it says; of a retirement, what it retired.
    pub content: ContentView,
    /// Whether it is a retirement.
    pub retired: bool,
    /// The fields in dispute.
    pub disputed: Vec<Field>,
    /// Who wrote it.
    pub agent: Who,
    /// When.
    pub at: Moment,
    /// How it came to be.
    pub outcome: Outcome,
    /// What its writer had seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseView>,
}

/// The write or retirement that displaced the newest side of a conflict: the
/// head, or a revision beneath it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DisplacerView {
    /// Its number.
    pub revision: u32,
    /// Whether it is a retirement.
    pub retired: bool,
    /// Who made it.
    pub agent: Who,
    /// When.
    pub at: Moment,
    /// What its writer had seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseView>,
}

/// What an agent did in a conflict's trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum TrailAct {
    /// It wrote the revision.
    Wrote,
    /// It retired the unit.
    Retired,
    /// It settled an earlier conflict.
    Resolved,
    /// The revision was delivered to it.
    Read,
}

/// A step of a conflict's trail.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrailStep {
    /// When.
    pub at: Moment,
    /// Who.
    pub agent: Who,
    /// What it did.
    pub what: TrailAct,
    /// The revision it made or was given.
    pub revision: u32,
    /// With a revision that it made: where to ask again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Present and true if it was told of the conflict by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<bool>,
}

/// A revision, whole.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RevisionView {
    /// Its unit.
    pub id: UnitId,
    /// Its number.
    pub revision: u32,
    /// What it says; of a retirement, what it retired.
    pub content: ContentView,
    /// Whether it is a retirement.
    pub retired: bool,
    /// Whether the person erased what it said.
    pub erased: bool,
    /// How it came to be.
    pub outcome: Outcome,
    /// Who wrote it.
    pub agent: Who,
    /// When.
    pub at: Moment,
    /// What its writer had seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseView>,
    /// The revisions it settles.
    pub parents: Vec<u32>,
    /// When the fact was seen to hold, if its writer said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Moment>,
    /// Where to ask again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Who read a unit.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReadersView {
    /// The readers, latest first.
    pub readers: Vec<ReaderRow>,
}

/// A reader of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReaderRow {
    /// The connection; `you` for the person in the app.
    pub name: String,
    /// Whether it is the person in the app.
    pub you: bool,
    /// The newest revision that it read.
    pub revision: u32,
    /// How often it read the unit, as far back as the log goes.
    pub times: u32,
    /// When it read last.
    pub last_at: Moment,
}

/// Input of the search for people: at least one of `query`, `topic`, `needs`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindInput {
    /// Words; the last also matches as a beginning.
    #[serde(default)]
    pub query: Option<String>,
    /// A topic path: boosts with query, selects without.
    #[serde(default)]
    pub topic: Option<String>,
    /// Only this brain.
    #[serde(default)]
    pub brain: Option<String>,
    /// 1-50, 50 unless told.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Only units that wait for the person.
    #[serde(default)]
    pub needs: Option<Need>,
    /// `any` unless told.
    #[serde(default)]
    pub freshness: Option<FreshnessFilter>,
}

/// What a search for people found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FoundView {
    /// The best, best first.
    pub results: Vec<FoundRow>,
    /// How many were ranked; of a topic or a need alone, how many there are.
    pub total: u32,
}

/// A unit that was found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FoundRow {
    /// The unit, with the piece that answers best.
    #[serde(flatten)]
    pub unit: UnitRow,
    /// Its score: more is better.
    pub score: f64,
}

/// All topics, without a cut.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TopicsView {
    /// The topics, by brain and path.
    pub topics: Vec<TopicRow>,
}
