//! Brain settings: name, write policy, freshness policies.

use super::Call;
use crate::refusal::{Refusal, Result};
use crate::views::brains::{BrainView, BrainsView, UpdateBrainInput};

/// Lists the brains that the caller may read, with their settings.
///
/// # Errors
/// Those of every use case.
pub fn brain_views(call: Call<'_>) -> Result<BrainsView> {
    let _ = call;
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}

/// Changes a brain's settings. New freshness policies count for every unit at
/// once; no anchor moves. For the person and the command line.
///
/// # Errors
/// `not_allowed` for an agent; `unknown_brain`; `invalid` for a bad name or
/// policy.
pub fn update_brain(call: Call<'_>, brain: &str, input: UpdateBrainInput) -> Result<BrainView> {
    let _ = (call, brain, input);
    Err(Refusal::unavailable(
        "This version does not serve this yet.",
    ))
}
