//! Revision: one, whole.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::units::RevisionView;

/// Gives a revision of a unit whole. It counts as delivered to the session,
/// unless it is a retirement.
///
/// # Errors
/// `unknown_unit`; `invalid` for a number that the unit does not have.
pub fn revision(call: Call<'_>, id: &str, number: u32) -> Result<RevisionView> {
    let _ = (call, id, number);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
