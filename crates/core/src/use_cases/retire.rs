//! Retire: takes a unit out of routing, reversibly.

use super::proposals::{Offer, propose};
use super::unit::{conflict_shape, find, new_head, shown_sides, writer};
use super::{Call, access, event};
use crate::refusal::Result;
use crate::rules::access::Writing;
use crate::rules::retire::judge;
use crate::rules::wanted::{self, given};
use crate::rules::write::{Making, put_head};
use crate::shapes::{RetireInput, RetireOutcome, RetireReply};
use crate::words::{Asks, EventKind, Outcome};
use std::sync::Arc;

/// Takes a unit out of routing. It obeys the rule of a write that disputes the
/// body: what the caller had not seen stays on a conflict, where the next
/// reader and the person find it. Where the brain's write policy is `review`,
/// an agent's retire waits as a proposal instead.
///
/// # Errors
/// `unknown_unit`, `not_allowed`, `invalid`, `too_large`.
pub fn retire(call: Call<'_>, input: RetireInput) -> Result<RetireReply> {
    let reason = given(input.reason.as_deref())
        .map(|text| wanted::note("reason", text))
        .transpose()?;
    let session = Arc::clone(call.session);
    let now = call.now;
    let ((mut reply, made, seen), event) = call.store.act(move |records| {
        let access = access(records, &session)?;
        let mut unit = find(records, &access, &input.id, now)?;
        let brain = access.writable_key(unit.brain)?;
        let writer = writer(records, &session, &unit, input.base_revision, now)?;
        let Some(disputed) = judge(&unit, &writer) else {
            let reply = RetireReply {
                outcome: RetireOutcome::Unchanged,
                id: unit.id.clone(),
                revision: unit.head.number,
                conflict: conflict_shape(&unit),
                event: None,
                notice: None,
            };
            let seen: Vec<u32> = shown_sides(&unit)
                .into_iter()
                .map(|(_, seen)| seen)
                .collect();
            return Ok((Vec::new(), (reply, None, seen)));
        };
        if let Writing::Waits(why) = access.writing(brain)? {
            let offer = Offer {
                brain,
                unit: Some(&unit),
                asks: Asks::Retire {
                    why: reason.clone(),
                },
                base: writer.knew(&unit.head),
                reason: why,
            };
            let waiting = propose(records, &session, now, offer, unit.id.clone())?;
            let reply = RetireReply {
                outcome: RetireOutcome::Proposed,
                id: waiting.id,
                revision: unit.head.number,
                conflict: conflict_shape(&unit),
                event: None,
                notice: Some(waiting.notice),
            };
            let seen = shown_sides(&unit).into_iter().map(|(_, seen)| seen);
            return Ok((waiting.changes, (reply, None, seen.collect())));
        }
        let before = unit.head.clone();
        let conflicted = !disputed.is_empty();
        let whole = writer.seen.head() || (writer.own && before.whole);
        let making = Making {
            agent: &session.agent,
            now,
            base: writer.seen.base(),
            whole,
            observed_at: None,
            outcome: if conflicted {
                Outcome::Conflicted
            } else {
                Outcome::Retired
            },
            retired: true,
        };
        put_head(
            &mut unit,
            before.content.clone(),
            &disputed,
            making,
            &brain.freshness_rules,
        );
        let kind = if conflicted {
            EventKind::Conflicted
        } else {
            EventKind::Retired
        };
        let mut happened = event(&session, kind, &unit, now);
        happened.detail.clone_from(&reason);
        // The retiring session knows the retirement it made.
        let made = Some(unit.head.number);
        let seen: Vec<u32> = shown_sides(&unit)
            .into_iter()
            .map(|(_, revision)| revision)
            .collect();
        let reply = RetireReply {
            outcome: if conflicted {
                RetireOutcome::Conflicted
            } else {
                RetireOutcome::Retired
            },
            id: unit.id.clone(),
            revision: unit.head.number,
            conflict: conflict_shape(&unit),
            event: None,
            notice: None,
        };
        let changes = new_head(unit, Some(&before), None, happened);
        Ok((changes, (reply, made, seen)))
    })?;
    reply.event = event;
    call.made(&reply.id, made);
    call.delivered(
        seen.into_iter()
            .map(|revision| (reply.id.clone(), revision)),
    );
    Ok(reply)
}
