//! Join: two units about one fact become one.

use super::unit::{delivered_at, find, leads, living, new_head, settled};
use super::{Call, access, event, persons_alone};
use crate::ports::Change;
use crate::refusal::{Refusal, Result};
use crate::rules::conflict::same;
use crate::rules::write::{Making, age, put_head};
use crate::views::acts::{JoinOutcome, JoinReply};
use crate::words::{Event, EventKind, Field, Outcome};
use std::sync::Arc;

/// Joins `other` into the unit `id`: what `other` says becomes the unit's next
/// revision, as old as it was there, in conflict with what the unit said, until
/// the person settles it. From then on the other's id and addresses lead to the
/// unit. Both heads are named as they were shown; if one has moved on, nothing
/// changes and the answer is `moved`.
///
/// # Errors
/// `unknown_unit`; `not_allowed` for anyone but the person; `invalid` for one
/// unit, two brains, or a retired one; `conflicted` where the other is.
pub fn join(
    call: Call<'_>,
    id: &str,
    revision: u32,
    other: &str,
    other_revision: u32,
) -> Result<JoinReply> {
    let (id, other) = (id.to_owned(), other.to_owned());
    let session = Arc::clone(call.session);
    let now = call.now;
    let ((mut reply, whole), made) = call.store.act(move |records| {
        let access = access(records, &session)?;
        persons_alone(&session, "join units")?;
        let mut unit = find(records, &access, &id, now)?;
        let other = find(records, &access, &other, now)?;
        let brain = access.writable_key(unit.brain)?;
        if unit.id == other.id {
            return Err(Refusal::invalid("Both name the same unit."));
        }
        if unit.brain != other.brain {
            return Err(Refusal::invalid(
                "The units stand in two brains. Write what shall stay into one, and retire the \
                 other.",
            ));
        }
        if unit.head.number != revision || other.head.number != other_revision {
            let moved = JoinReply {
                outcome: JoinOutcome::Moved,
                id: unit.id,
                revision: unit.head.number,
                event: None,
            };
            return Ok((Vec::new(), (moved, false)));
        }
        living(&unit)?;
        living(&other)?;
        settled(&other)?;
        let before = unit.head.clone();
        let content = other.head.content.clone();
        let disputed: Vec<Field> = Field::ALL
            .into_iter()
            .filter(|field| !same(*field, &before.content, &content))
            .collect();
        let vouched = (unit.anchor, unit.confirmed.clone());
        let says_the_same = !disputed.contains(&Field::Body) && !disputed.contains(&Field::Title);
        let whole = delivered_at(records, &session, &other.id, other.head.number)?.is_some();
        let making = Making {
            agent: &session.agent,
            now,
            base: None,
            whole,
            observed_at: other.head.observed_at,
            outcome: Outcome::Joined,
            retired: false,
        };
        put_head(
            &mut unit,
            content,
            &disputed,
            making,
            &brain.freshness_rules,
        );
        // A join makes nothing younger than it was.
        (unit.anchor, unit.confirmed) = if says_the_same && vouched.0 > other.anchor {
            vouched
        } else {
            (other.anchor, other.confirmed.clone())
        };
        age(&mut unit, &brain.freshness_rules);
        let joined = Event {
            detail: Some(other.id.to_string()),
            ..event(&session, EventKind::Joined, &unit, now)
        };
        let of_other = Event {
            detail: Some(unit.id.to_string()),
            ..event(&session, EventKind::Joined, &other, now)
        };
        // The other leaves its address before the unit takes it.
        let mut changes = vec![Change::Lead {
            unit: other.id,
            to: Some(unit.id.clone()),
        }];
        changes.extend(leads(&unit, &before.content));
        let reply = JoinReply {
            outcome: JoinOutcome::Joined,
            id: unit.id.clone(),
            revision: unit.head.number,
            event: None,
        };
        changes.extend(new_head(unit, Some(&before), None, joined));
        changes.push(Change::Event(of_other));
        Ok((changes, (reply, whole)))
    })?;
    reply.event = made;
    call.made(&reply.id, whole.then_some(reply.revision));
    Ok(reply)
}
