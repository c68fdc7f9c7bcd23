//! Units: lists for people.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::units::{UnitsInput, UnitsView};

/// A page of the units that the caller may read.
///
/// # Errors
/// `unknown_brain`; `invalid` for a limit out of range or a bad topic.
pub fn units(call: Call<'_>, input: UnitsInput) -> Result<UnitsView> {
    let _ = (call, input);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
