//! Review: aging and stale units as a deck.

use super::listed::{limit, row_of};
use super::{Call, access};
use crate::ports::AgingRead;
use crate::refusal::Result;
use crate::views::inbox::{ReviewCard, ReviewInput, ReviewView};
use crate::words::UnitId;

/// The units that are aging or stale and not put off: those that agents read
/// since they turned aging first, most reads first; then the oldest anchor.
///
/// # Errors
/// `invalid` for a limit out of range.
pub fn review(call: Call<'_>, input: ReviewInput) -> Result<ReviewView> {
    let limit = limit(input.limit, 50, 200)?;
    let offset = input.offset as usize;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(None)?;
        let read = records.aging_read(&brains, call.now)?;
        let ids: Vec<UnitId> = read.iter().map(|read| read.unit.clone()).collect();
        let mut deck: Vec<AgingRead> = read.into_iter().skip(offset).take(limit).collect();
        if deck.len() < limit {
            let unread = records.aging(
                &brains,
                call.now,
                &ids,
                offset.saturating_sub(ids.len()),
                limit - deck.len(),
            )?;
            deck.extend(unread.into_iter().map(|unit| AgingRead {
                unit,
                reads: 0,
                readers: Vec::new(),
            }));
        }
        let mut cards = Vec::new();
        for read in deck {
            let Some(unit) = row_of(records, &access, &read.unit, call.now)? else {
                continue;
            };
            cards.push(ReviewCard {
                unit,
                reads: read.reads,
                readers: read.readers.iter().map(ToString::to_string).collect(),
            });
        }
        Ok(ReviewView {
            cards,
            total: records.aging_count(&brains, call.now)?,
        })
    })
}
