//! Proposals: what one comes to over the unit as it stands.

use crate::refusal::{Refusal, Result};
use crate::words::{Asks, Base, Content, Field, Proposal, Target, Unit};

use super::wanted::Wanted;

/// What the person changes in a proposal when they accept it; each replaces
/// what was proposed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// Another topic.
    pub topic: Option<crate::words::Topic>,
    /// Another title.
    pub title: Option<String>,
    /// Another text.
    pub body: Option<String>,
    /// Other tags.
    pub tags: Option<Vec<String>>,
    /// Another source.
    pub source: Option<String>,
}

impl Edits {
    /// Whether there is any.
    pub fn any(&self) -> bool {
        *self != Self::default()
    }

    fn over(self, wanted: Wanted) -> Wanted {
        Wanted {
            topic: self.topic.or(wanted.topic),
            title: self.title.or(wanted.title),
            append: wanted.append.filter(|_| self.body.is_none()),
            body: self.body.or(wanted.body),
            tags: self.tags.or(wanted.tags),
            source: self.source.or(wanted.source),
            fresh_for_days: wanted.fresh_for_days,
            observed_at: wanted.observed_at,
        }
    }
}

/// What an accepted proposal makes a unit say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// What it says.
    pub content: Content,
    /// Whether it leaves the unit retired.
    pub retired: bool,
}

/// What a proposal comes to over a unit that is there. The address of a
/// proposed new unit that was taken meanwhile is no move: it led here.
///
/// # Errors
/// `invalid` for edits to a retirement.
pub fn over(unit: &Unit, proposal: &Proposal, edits: Edits) -> Result<Accepted> {
    let head = &unit.head;
    Ok(match &proposal.asks {
        Asks::Retire { .. } if edits.any() => {
            return Err(Refusal::invalid(
                "This proposal retires the unit, so it has no fields to edit. Accept it as it \
                 is, or reject it.",
            ));
        }
        Asks::Retire { .. } => Accepted {
            content: head.content.clone(),
            retired: true,
        },
        Asks::Write(wanted) => {
            let mut wanted = wanted.clone();
            if matches!(proposal.target, Target::New(_)) {
                wanted.topic = None;
                wanted.title = None;
            }
            Accepted {
                content: edits.over(wanted).over(&head.content),
                retired: false,
            }
        }
    })
}

/// What the new unit of a proposal says. `None` if it proposes none.
pub fn new_content(proposal: &Proposal, edits: Edits) -> Option<Content> {
    let Asks::Write(wanted) = &proposal.asks else {
        return None;
    };
    let wanted = edits.over(wanted.clone());
    Some(Content {
        topic: wanted.topic?,
        title: wanted.title,
        body: wanted.body.or(wanted.append)?,
        tags: wanted.tags.unwrap_or_default(),
        source: wanted.source,
        fresh_for_days: wanted.fresh_for_days,
    })
}

/// The fields that differ; of a new unit (`before` is `None`) those that say
/// something.
pub fn changed(before: Option<&Content>, after: &Content) -> Vec<Field> {
    Field::ALL
        .into_iter()
        .filter(|field| match (field, before) {
            (Field::Topic, Some(before)) => before.topic != after.topic,
            (Field::Title, Some(before)) => before.title != after.title,
            (Field::Body, Some(before)) => before.body != after.body,
            (Field::Tags, Some(before)) => before.tags != after.tags,
            (Field::Source, Some(before)) => before.source != after.source,
            (Field::FreshForDays, Some(before)) => before.fresh_for_days != after.fresh_for_days,
            (Field::Topic | Field::Body, None) => true,
            (Field::Title, None) => after.title.is_some(),
            (Field::Tags, None) => !after.tags.is_empty(),
            (Field::Source, None) => after.source.is_some(),
            (Field::FreshForDays, None) => after.fresh_for_days.is_some(),
        })
        .collect()
}

/// Whether the unit as it stands (`None`: there is none) is not what the author
/// had seen.
pub fn moved(proposal: &Proposal, unit: Option<&Unit>) -> bool {
    let seen = proposal.base.map(|base| base.revision);
    seen != unit.map(|unit| unit.head.number)
        || (unit.is_none() && proposal.target.unit().is_some())
}

/// What an agent's next proposal for a unit asks for, which replaces its
/// `earlier` one: fields that only the earlier one supplied are carried on, as
/// they would have stayed had it landed.
pub fn next(earlier: &Asks, asks: Asks) -> Asks {
    match (earlier, asks) {
        (Asks::Write(earlier), Asks::Write(wanted)) => Asks::Write(wanted.after(earlier)),
        (_, asks) => asks,
    }
}

/// What the author of such a next proposal had seen: where it carries on what
/// the earlier one supplied, no more than when it wrote that.
pub fn next_base(earlier: Option<Base>, base: Option<Base>, carries: bool) -> Option<Base> {
    match (earlier, base) {
        (Some(earlier), Some(base)) if carries && earlier.revision < base.revision => Some(earlier),
        (None, _) if carries => None,
        (_, base) => base,
    }
}
