//! Dismiss: puts a decision or a problem away.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::inbox::{DismissInput, DismissReply};

/// Puts a decision or a problem of the Inbox away. For the person and the
/// command line.
///
/// # Errors
/// `not_allowed` for an agent; `invalid` for an event that is neither.
pub fn dismiss(call: Call<'_>, input: DismissInput) -> Result<DismissReply> {
    let _ = (call, input);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
