//! Find: the search for people.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::units::{FindInput, FoundView};

/// Ranks units for a question, a topic or a need, as `search` does, without a
/// budget; the last word also matches as a beginning.
///
/// # Errors
/// `invalid` without `query`, `topic` and `needs`, and for a limit out of
/// range; `unknown_brain`.
pub fn find(call: Call<'_>, input: FindInput) -> Result<FoundView> {
    let _ = (call, input);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
