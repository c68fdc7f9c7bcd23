//! Fetch: a unit whole.

use super::unit::{conflict_shape, find_to_read, shown_sides, shown_title};
use super::{Call, access};
use crate::refusal::{Refusal, Result};
use crate::rules::freshness::freshness;
use crate::shapes::{AgentText, FetchInput, FetchReply, Metadata, Moment, UnitUrl};
use crate::words::{Brain, Timestamp, Unit};

/// Gives a unit whole, with every side of its conflict. Its price was on its
/// pointer, so there is no budget. A retired unit gives no text, and that is
/// what is seen of it.
///
/// # Errors
/// `unknown_unit`; `ambiguous` for a topic that holds only titled units.
pub fn fetch(call: Call<'_>, input: FetchInput) -> Result<FetchReply> {
    let (unit, brain) = call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = find_to_read(records, &access, &input.id, call.now)?;
        let brain = access
            .by_key(unit.brain)
            .ok_or_else(|| Refusal::unknown_unit(&input.id))?
            .clone();
        Ok((unit, brain))
    })?;
    let mut bodies = vec![(unit.id.clone(), unit.head.number)];
    bodies.extend(shown_sides(&unit));
    call.delivered(bodies);
    Ok(shape(&unit, &brain, call.now))
}

fn shape(unit: &Unit, brain: &Brain, now: Timestamp) -> FetchReply {
    let head = &unit.head;
    let content = &head.content;
    FetchReply {
        id: unit.id.clone(),
        title: shown_title(content),
        text: if head.retired {
            String::new()
        } else {
            content.body.clone()
        },
        url: UnitUrl(unit.id.clone()),
        metadata: Metadata {
            brain: brain.name.clone(),
            topic: content.topic.clone(),
            revision: head.number,
            freshness: freshness(unit.ages, now),
            conflicted: unit.conflicted(),
            conflict: conflict_shape(unit),
            retired: head.retired.then_some(true),
            agent: AgentText(head.agent.clone()),
            created_at: Moment(unit.created_at),
            updated_at: Moment(head.at),
            confirmed_at: unit
                .confirmed
                .as_ref()
                .map(|confirmed| Moment(confirmed.at)),
            confirmed_by: unit.confirmed.as_ref().map(|c| AgentText(c.by.clone())),
            observed_at: head.observed_at.map(Moment),
            source: content.source.clone(),
            tags: content.tags.clone(),
            tokens: if head.retired { 0 } else { head.tokens },
        },
    }
}
