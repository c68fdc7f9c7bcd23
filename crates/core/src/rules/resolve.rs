//! Resolve: a person's decision closes the whole conflict.

use super::wanted::emptied;
use crate::refusal::{Refusal, Result};
use crate::shapes::Choice;
use crate::words::{Content, Field, Topic, Unit};

/// A merged text and what else was in dispute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// The text.
    pub body: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// The tags.
    pub tags: Option<Vec<String>>,
    /// Where to ask again.
    pub source: Option<String>,
    /// The topic.
    pub topic: Option<Topic>,
    /// Days until it ages.
    pub fresh_for_days: Option<u32>,
    /// The fields that are emptied: see [`super::wanted::clear`].
    pub clear: Vec<Field>,
}

/// What a resolve makes the unit say, and whether it leaves it retired.
///
/// # Errors
/// `invalid` if the choice lacks its revision or body, or names no side.
pub fn settled(
    unit: &Unit,
    choice: Choice,
    revision: Option<u32>,
    merged: Merged,
) -> Result<(Content, bool)> {
    let head = &unit.head;
    match choice {
        Choice::KeepHead => Ok((head.content.clone(), head.retired)),
        Choice::Restore => {
            let number = revision.ok_or_else(|| {
                Refusal::invalid("revision is missing: choice `restore` names the side to restore.")
            })?;
            let side = unit
                .sides
                .iter()
                .find(|side| side.revision.number == number)
                .ok_or_else(|| {
                    let sides: Vec<String> = unit
                        .sides
                        .iter()
                        .map(|side| side.revision.number.to_string())
                        .collect();
                    Refusal::invalid(format!(
                        "revision {number} is no side of this conflict. Its sides are {}.",
                        sides.join(", ")
                    ))
                })?;
            let mut content = head.content.clone();
            for field in &side.disputed {
                take(*field, &side.revision.content, &mut content);
            }
            // A side whose body is in dispute also says whether the unit is in
            // routing; one that disputes a tag leaves that as the head has it.
            let retired = if side.disputed.contains(&Field::Body) {
                side.revision.retired
            } else {
                head.retired
            };
            Ok((content, retired))
        }
        Choice::Merged => {
            let body = merged.body.ok_or_else(|| {
                Refusal::invalid("body is missing: choice `merged` writes a new text.")
            })?;
            let mut content = head.content.clone();
            content.body = body;
            if merged.title.is_some() {
                content.title = merged.title;
            }
            if let Some(tags) = merged.tags {
                content.tags = tags;
            }
            if merged.source.is_some() {
                content.source = merged.source;
            }
            if let Some(topic) = merged.topic {
                content.topic = topic;
            }
            if merged.fresh_for_days.is_some() {
                content.fresh_for_days = merged.fresh_for_days;
            }
            emptied(&mut content, &merged.clear);
            Ok((content, false))
        }
    }
}

/// Gives a field of one content to another.
pub fn take(field: Field, from: &Content, to: &mut Content) {
    match field {
        Field::Topic => to.topic = from.topic.clone(),
        Field::Title => to.title = from.title.clone(),
        Field::Body => to.body = from.body.clone(),
        Field::Tags => to.tags = from.tags.clone(),
        Field::Source => to.source = from.source.clone(),
        Field::FreshForDays => to.fresh_for_days = from.fresh_for_days,
    }
}
