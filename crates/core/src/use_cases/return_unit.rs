//! Return: a retired unit comes back as it was.

use super::unit::{find, new_head, seen};
use super::{Call, access, event};
use crate::refusal::{Refusal, Result};
use crate::rules::write::{Making, put_head};
use crate::views::acts::{ReturnOutcome, ReturnReply};
use crate::words::{EventKind, Outcome};
use std::sync::Arc;

/// Brings a retired unit back as it was, as old as it was. `revision` is the
/// retirement that the caller was shown; if the head is another by now, nothing
/// changes and the answer is `moved`.
///
/// # Errors
/// `unknown_unit`; `not_allowed`, also where what an agent writes waits for the
/// person; `invalid` for a unit that is not retired.
pub fn return_unit(call: Call<'_>, id: &str, revision: u32) -> Result<ReturnReply> {
    let id = id.to_owned();
    let session = Arc::clone(call.session);
    let now = call.now;
    let (mut reply, made) = call.store.act(move |records| {
        let access = access(records, &session)?;
        let mut unit = find(records, &access, &id, now)?;
        let brain = access.lands(unit.brain)?;
        let seen = seen(records, &session, &unit, Some(revision))?;
        if unit.head.number != revision {
            let moved = ReturnReply {
                outcome: ReturnOutcome::Moved,
                id: unit.id,
                revision: unit.head.number,
                event: None,
            };
            return Ok((Vec::new(), moved));
        }
        if !unit.head.retired {
            return Err(Refusal::invalid("This unit is not retired."));
        }
        let before = unit.head.clone();
        let making = Making {
            agent: &session.agent,
            now,
            base: seen.base(),
            // A retirement shows no text.
            whole: before.whole && before.agent.connection == session.agent.connection,
            observed_at: before.observed_at,
            outcome: Outcome::Updated,
            retired: false,
        };
        put_head(
            &mut unit,
            before.content.clone(),
            &[],
            making,
            &brain.freshness_rules,
        );
        let returned = event(&session, EventKind::Returned, &unit, now);
        let reply = ReturnReply {
            outcome: ReturnOutcome::Returned,
            id: unit.id.clone(),
            revision: unit.head.number,
            event: None,
        };
        Ok((new_head(unit, Some(&before), None, returned), reply))
    })?;
    reply.event = made;
    Ok(reply)
}
