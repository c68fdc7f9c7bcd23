//! Activity: what happened, newest first.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::activity::{ActivityInput, ActivityView};

/// What happened in brains that the caller may read; for the person, what
/// happened to connections too.
///
/// # Errors
/// `unknown_brain`; `invalid` for a limit out of range or a bad name.
pub fn activity(call: Call<'_>, input: ActivityInput) -> Result<ActivityView> {
    let _ = (call, input);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
