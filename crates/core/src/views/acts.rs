//! What the person does from a screen, and what comes back.

use super::Who;
use crate::rules::undo::Hindrance;
use crate::shapes::{Choice, Moment};
use crate::words::{Event, EventId, EventKind, Field, ProposalId, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Input of the person's write: as the tool's, and it can empty fields.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonWriteInput {
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
    /// The revision that was shown.
    #[serde(default)]
    pub base_revision: Option<u32>,
    /// When the fact was seen to hold (RFC 3339).
    #[serde(default)]
    pub observed_at: Option<String>,
    /// Days until it ages, 1-3650.
    #[serde(default)]
    pub fresh_for_days: Option<u32>,
    /// Fields that become empty: title, source, `fresh_for_days`.
    #[serde(default)]
    pub clear: Option<Vec<Field>>,
}

/// Input of the person's resolve.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonResolveInput {
    /// Unit id.
    pub id: String,
    /// The conflict's version, as it was shown.
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
    /// With merged: the topic, if in dispute.
    #[serde(default)]
    pub topic: Option<String>,
    /// With merged: days until it ages (1-3650), if in dispute.
    #[serde(default)]
    pub fresh_for_days: Option<u32>,
    /// With merged: fields that become empty: title, source, `fresh_for_days`.
    #[serde(default)]
    pub clear: Option<Vec<Field>>,
    /// Why, if the person says so.
    #[serde(default)]
    pub decision: Option<String>,
}

/// What an undo did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoOutcome {
    /// The act is taken back.
    Undone,
    /// Someone changed the same since: nothing changed.
    Moved,
}

/// What keeps an act from being undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Hinders {
    /// It is undone already: `kind`, `by` and `at` tell of that.
    Already,
    /// Something went on from it: `kind`, `by` and `at` tell of that.
    Since,
    /// The unit was joined into another since.
    Joined,
    /// Of a join: the other unit was changed since.
    OtherChanged,
    /// Of a join: what the other unit said was erased.
    OtherErased,
    /// Of a join: a third unit stands where the other stood.
    OtherTaken,
    /// Another unit stands at the address by now.
    Taken,
    /// What it was about waits no more.
    Settled,
    /// The unit was erased since.
    UnitErased,
    /// The proposal was rejected anew since.
    RejectedAnew,
    /// Its author, `by`, proposed anew since.
    ProposedAnew,
    /// The proposal was accepted since.
    Accepted,
    /// It stands as it was before.
    Stands,
}

/// What keeps an act from being undone, with who did it and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Hindrance")]
pub struct HindranceView {
    /// What.
    pub what: Hinders,
    /// What they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<EventKind>,
    /// The revision that it made or spoke of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Who>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
}

impl From<&Hindrance> for HindranceView {
    fn from(hindrance: &Hindrance) -> Self {
        let bare = |what| Self {
            what,
            kind: None,
            revision: None,
            by: None,
            at: None,
        };
        let of = |what, event: &Event| Self {
            kind: Some(event.kind),
            revision: event.revision,
            by: Some(Who::from(&event.agent)),
            at: Some(Moment(event.at)),
            ..bare(what)
        };
        match hindrance {
            Hindrance::Already(event) => of(Hinders::Already, event),
            Hindrance::Since(event) => of(Hinders::Since, event),
            Hindrance::Joined(_) => bare(Hinders::Joined),
            Hindrance::OtherChanged => bare(Hinders::OtherChanged),
            Hindrance::OtherErased => bare(Hinders::OtherErased),
            Hindrance::OtherTaken => bare(Hinders::OtherTaken),
            Hindrance::Taken => bare(Hinders::Taken),
            Hindrance::Settled => bare(Hinders::Settled),
            Hindrance::UnitErased => bare(Hinders::UnitErased),
            Hindrance::RejectedAnew => bare(Hinders::RejectedAnew),
            Hindrance::ProposedAnew { agent, at } => Self {
                by: Some(Who::from(agent)),
                at: at.map(Moment),
                ..bare(Hinders::ProposedAnew)
            },
            Hindrance::Accepted => bare(Hinders::Accepted),
            Hindrance::Stands => bare(Hinders::Stands),
        }
    }
}

/// Reply of undo.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct UndoReply {
    /// What it did.
    pub outcome: UndoOutcome,
    /// The unit; absent where the act changed none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub id: Option<UnitId>,
    /// Its head now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// The undo's own event, which can be undone too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<EventId>,
    /// With `moved`: who did what since, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// With `moved`: the same, in parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hindrance: Option<HindranceView>,
}

/// What a return did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReturnOutcome {
    /// The unit is back.
    Returned,
    /// The head is another revision by now: nothing changed.
    Moved,
}

/// Reply of return.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReturnReply {
    /// What it did.
    pub outcome: ReturnOutcome,
    /// The unit.
    #[schemars(with = "String")]
    pub id: UnitId,
    /// Its head now.
    pub revision: u32,
    /// The act's event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<EventId>,
}

/// What "ask later" did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LaterOutcome {
    /// The unit is put off.
    Later,
}

/// Reply of "ask later".
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LaterReply {
    /// What it did.
    pub outcome: LaterOutcome,
    /// The unit.
    #[schemars(with = "String")]
    pub id: UnitId,
    /// Until when nobody is asked.
    pub until: Moment,
    /// The act's event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<EventId>,
}

/// What a join did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JoinOutcome {
    /// The other leads to the unit, which is in conflict with what it said.
    Joined,
    /// One of the heads is another revision by now: nothing changed.
    Moved,
}

/// Reply of join.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct JoinReply {
    /// What it did.
    pub outcome: JoinOutcome,
    /// The unit that stays.
    #[schemars(with = "String")]
    pub id: UnitId,
    /// Its head now.
    pub revision: u32,
    /// The act's event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<EventId>,
}

/// What is erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum EraseInput {
    /// One revision, not the head.
    Revision {
        /// The unit.
        id: String,
        /// The revision.
        revision: u32,
    },
    /// A unit, with those that were joined into it.
    Unit {
        /// The unit.
        id: String,
    },
    /// A brain with all that is in it.
    Brain {
        /// Its short name.
        brain: String,
    },
    /// What a rejected proposal asked for, and why it was rejected.
    Proposal {
        /// The proposal.
        proposal: ProposalId,
    },
}

/// What an erase did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EraseOutcome {
    /// The text is gone.
    Erased,
}

/// Reply of erase.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EraseReply {
    /// What it did.
    pub outcome: EraseOutcome,
    /// The files still hold a part that another process reads; it goes when
    /// that process lets go of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pending: bool,
    /// Of a revision: the other revisions of the unit that say the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<u32>,
    /// The open proposals about the unit that are left: they may hold a part of
    /// what was erased. Those that said the same were rejected and erased.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_proposed: Vec<ProposalId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_erased_is_named_without_a_slip() {
        let read = serde_json::from_str::<EraseInput>;
        assert_eq!(
            read(r#"{"what":"revision","id":"x","revision":2}"#).unwrap(),
            EraseInput::Revision {
                id: "x".into(),
                revision: 2
            }
        );
        assert!(read(r#"{"what":"unit","id":"x"}"#).is_ok());
        assert!(read(r#"{"what":"brain","brain":"team"}"#).is_ok());
        assert!(read(r#"{"what":"proposal","proposal":3}"#).is_ok());
        for slip in [
            r#"{"what":"unit","id":"x","revision":2}"#,
            r#"{"what":"everything"}"#,
            r#"{"what":"revision","id":"x"}"#,
            r#"{"id":"x"}"#,
        ] {
            assert!(read(slip).is_err(), "{slip}");
        }
    }
}
