//! Ask later: the person puts off being asked whether a unit holds.

use super::unit::{find, living};
use super::{Call, access, event, persons_alone};
use crate::ports::Change;
use crate::refusal::{Refusal, Result};
use crate::shapes::Moment;
use crate::views::acts::{LaterOutcome, LaterReply};
use crate::words::EventKind;
use std::sync::Arc;

/// Days unless told.
const DEFAULT: u32 = 7;
/// The most days.
const MOST: u32 = 365;

/// Puts off asking whether a unit still holds, for 7 days unless told. A
/// confirm, another body or title and a retirement end it. It makes nothing
/// younger.
///
/// # Errors
/// `unknown_unit`; `not_allowed` for anyone but the person; `invalid` for a
/// retired unit, and for days other than 1 to 365.
pub fn later(call: Call<'_>, id: &str, days: Option<u32>) -> Result<LaterReply> {
    let days = match days.unwrap_or(DEFAULT) {
        days if (1..=MOST).contains(&days) => i64::from(days),
        _ => return Err(Refusal::invalid(format!("days is 1 to {MOST}."))),
    };
    let id = id.to_owned();
    let session = Arc::clone(call.session);
    let now = call.now;
    let (mut reply, made) = call.store.act(move |records| {
        let access = access(records, &session)?;
        persons_alone(&session, "put off a question")?;
        let mut unit = find(records, &access, &id, now)?;
        access.writable_key(unit.brain)?;
        living(&unit)?;
        let until = now.plus_days(days);
        unit.later_until = Some(until);
        let put_off = event(&session, EventKind::Later, &unit, now);
        let reply = LaterReply {
            outcome: LaterOutcome::Later,
            id: unit.id.clone(),
            until: Moment(until),
            event: None,
        };
        let changes = vec![Change::SameHead(Box::new(unit)), Change::Event(put_off)];
        Ok((changes, reply))
    })?;
    reply.event = made;
    Ok(reply)
}
