//! Dismiss: puts a decision or a problem away.

use super::{Call, access, bare_event, keepers_alone};
use crate::ports::Change;
use crate::refusal::{Refusal, Result};
use crate::views::inbox::{DismissInput, DismissOutcome, DismissReply};
use crate::words::{Event, EventKind};
use std::sync::Arc;

/// Puts a decision or a problem of the Inbox away. For the person and the
/// command line.
///
/// # Errors
/// `not_allowed` for an agent; `invalid` for an event that is neither.
pub fn dismiss(call: Call<'_>, input: DismissInput) -> Result<DismissReply> {
    let session = Arc::clone(call.session);
    let now = call.now;
    let ((), event) = call.store.act(move |records| {
        let access = access(records, &session)?;
        keepers_alone(&session, "put away what waits for them")?;
        let nothing = || Refusal::invalid("There is no decision or problem of this event.");
        let about = records.event(input.event)?.ok_or_else(nothing)?;
        let waits = matches!(
            about.kind,
            EventKind::Resolved
                | EventKind::Confirmed
                | EventKind::ConnectionCreated
                | EventKind::ClientLost
        );
        let readable = about.brain.is_none_or(|key| access.by_key(key).is_some());
        if !waits || !readable || about.agent.is_person() {
            return Err(nothing());
        }
        if !records.waits_for_person(input.event)? {
            return Ok((Vec::new(), ()));
        }
        let event = Event {
            brain: about.brain,
            detail: Some(input.event.to_string()),
            ..bare_event(&session.agent, EventKind::Dismissed, now)
        };
        let away = Change::PutAway {
            event: input.event,
            away: true,
        };
        Ok((vec![away, Change::Event(event)], ()))
    })?;
    Ok(DismissReply {
        outcome: DismissOutcome::Dismissed,
        event,
    })
}
