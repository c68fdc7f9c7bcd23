//! Unit: one, whole, with the trail of its conflict.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::units::UnitView;

/// Gives a unit whole, with the sides of its conflict and how they came to be.
/// What is shown counts as delivered to the session. `id` is as in `fetch`.
///
/// # Errors
/// `unknown_unit`; `ambiguous` for a topic that holds only titled units.
pub fn unit_view(call: Call<'_>, id: &str) -> Result<UnitView> {
    let _ = (call, id);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
