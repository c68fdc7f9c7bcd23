//! Inbox: what waits for the person.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::inbox::{InboxInput, InboxView};
use crate::words::Timestamp;

/// What waits for the person, in the order of kinds, and what they did since
/// `day_start`, their last midnight.
///
/// # Errors
/// `invalid` for a limit out of range.
pub fn inbox(call: Call<'_>, input: InboxInput, day_start: Timestamp) -> Result<InboxView> {
    let _ = (call, input, day_start);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
