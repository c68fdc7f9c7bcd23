//! Unit history: what happened to one, with what each revision changed.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::history::{HistoryView, UnitHistoryInput};

/// What happened to a unit, newest first, with what each revision changed.
///
/// # Errors
/// `unknown_unit`; `invalid` for a limit out of range.
pub fn unit_history(call: Call<'_>, id: &str, input: UnitHistoryInput) -> Result<HistoryView> {
    let _ = (call, id, input);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
