//! State: how the store stands.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::activity::StateView;
use crate::words::Timestamp;

/// How the store stands: its identity, its newest event, what waits for the
/// caller. `version` is the program's; `day_start` is the person's last
/// midnight, which limits what the Inbox shows today.
///
/// # Errors
/// Those of every use case.
pub fn state(call: Call<'_>, version: &str, day_start: Timestamp) -> Result<StateView> {
    let _ = (call, version, day_start);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
