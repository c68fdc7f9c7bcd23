//! Readers: who read a unit.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::units::ReadersView;

/// Who read a unit, by the read log: latest first.
///
/// # Errors
/// `unknown_unit`.
pub fn readers(call: Call<'_>, id: &str) -> Result<ReadersView> {
    let _ = (call, id);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
