//! How units and pages are shown to people: what several screens share.

use crate::ports::{Listed, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::access::Access;
use crate::rules::freshness::freshness;
use crate::shapes::Moment;
use crate::text::{EXCERPT, Piece, plain, shorten_chars};
use crate::views::units::{ConfirmedView, UnitRow};
use crate::views::{Who, unless_never};
use crate::words::{Brain, Confirmed, Timestamp, UnitId};

/// Checks a limit of a page.
pub(super) fn limit(given: Option<u32>, unless_told: u32, most: u32) -> Result<usize> {
    match given.unwrap_or(unless_told) {
        limit if (1..=most).contains(&limit) => Ok(limit as usize),
        _ => Err(Refusal::invalid(format!("limit is 1 to {most}."))),
    }
}

/// Until when the person put a unit off, while that holds.
pub(super) fn later_until(listed: &Listed, now: Timestamp) -> Option<Moment> {
    let until = listed.card.later_until?;
    (until > now).then_some(Moment(until))
}

/// A unit as lists show it.
pub(super) fn row(listed: &Listed, brain: &Brain, now: Timestamp) -> UnitRow {
    let card = &listed.card;
    UnitRow {
        id: card.id.clone(),
        brain: brain.name.clone(),
        topic: card.topic.clone(),
        title: card.title.clone(),
        snippet: opening(&card.pieces),
        revision: card.revision,
        freshness: freshness(card.ages, now),
        conflicted: card.conflicted,
        retired: card.retired,
        tokens: card.tokens,
        updated_at: Moment(listed.updated_at),
        agent: Who::from(&listed.agent),
        anchor: Moment(card.anchor),
        aging_at: unless_never(card.ages.aging_at),
        stale_at: unless_never(card.ages.stale_at),
        confirmed: listed.confirmed.as_ref().map(confirmed),
        later_until: later_until(listed, now),
    }
}

/// The row of a unit that the caller may read.
pub(super) fn row_of(
    records: &dyn Records,
    access: &Access,
    id: &UnitId,
    now: Timestamp,
) -> Result<Option<UnitRow>> {
    let brains = access.keys(None)?;
    let Some(listed) = records.listed(&brains, id)? else {
        return Ok(None);
    };
    Ok(access
        .by_key(listed.card.brain)
        .map(|brain| row(&listed, brain, now)))
}

/// A confirm as it is shown.
pub(super) fn confirmed(confirmed: &Confirmed) -> ConfirmedView {
    ConfirmedView {
        at: Moment(confirmed.at),
        by: Who::from(&confirmed.by),
    }
}

/// The beginning of a body, as plain text on one line.
fn opening(pieces: &[Piece]) -> String {
    let mut line = String::new();
    for piece in pieces {
        if line.chars().count() > EXCERPT {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&piece.text);
    }
    shorten_chars(&plain(&line), EXCERPT)
}

/// One piece of a body, as plain text on one line.
pub(super) fn snippet(piece: &Piece) -> String {
    shorten_chars(&plain(&piece.text), EXCERPT)
}
