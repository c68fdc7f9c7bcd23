//! Review: aging and stale units as a deck.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::inbox::{ReviewInput, ReviewView};

/// The units that are aging or stale and not put off.
///
/// # Errors
/// `invalid` for a limit out of range.
pub fn review(call: Call<'_>, input: ReviewInput) -> Result<ReviewView> {
    let _ = (call, input);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
