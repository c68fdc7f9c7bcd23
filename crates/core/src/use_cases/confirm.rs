//! Confirm: a person, or an agent that asked the person, says that a unit
//! still holds.

use super::proposals::{Offer, propose};
use super::unit::{
    Measured, delivered_at, find, living, new_head, of_joined, settled, shown_title, side_shape,
};
use super::{Call, access, event};
use crate::ports::{Change, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::access::{Access, Writing};
use crate::rules::freshness::freshness;
use crate::rules::seen::own;
use crate::rules::wanted::{self, Wanted};
use crate::rules::write::{Making, age, put_head};
use crate::shapes::{ConfirmInput, ConfirmOutcome, ConfirmReply, Verdict};
use crate::text::shorten_chars;
use crate::words::{
    Asks, Base, Brain, Confirmed, EventKind, Outcome, ProposalReason, Session, Side, Timestamp,
    Unit, UnitId,
};
use std::sync::Arc;

/// The most characters of a body that a question quotes.
const QUOTE: usize = 600;

/// What to ask the person about a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmQuestion {
    /// The unit.
    pub id: UnitId,
    /// The revision that the question speaks of: what a verdict must name.
    pub revision: u32,
    /// The question, for the person to read.
    pub question: String,
}

/// The question that a confirm without a verdict puts to the person. Refuses
/// what [`confirm`] would refuse.
///
/// # Errors
/// `unknown_unit`, `not_allowed`; `conflicted` for a unit in conflict,
/// `invalid` for a retired one.
pub fn confirm_question(call: Call<'_>, id: &str) -> Result<ConfirmQuestion> {
    let (asked, whole) = call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = confirmable(records, &access, id, call.now)?;
        let brain = access.writable_key(unit.brain)?;
        let asked = ConfirmQuestion {
            id: unit.id.clone(),
            revision: unit.head.number,
            question: question(&unit, brain.name.as_str(), call.now),
        };
        Ok((asked, unit.head.content.body.chars().count() <= QUOTE))
    })?;
    // A question that quotes the whole body has delivered it.
    call.delivered(whole.then(|| (asked.id.clone(), asked.revision)));
    Ok(asked)
}

/// Confirms a unit by the person's verdict on one of its revisions. Without a
/// verdict the answer is `ask_person`, with the question. A new text of an
/// agent's waits as a proposal where the brain's write policy is `review`;
/// that a unit still holds needs no second look.
///
/// # Errors
/// As [`confirm_question`]; `invalid` for a verdict without its revision, or
/// `changed` without the new text.
pub fn confirm(call: Call<'_>, input: ConfirmInput) -> Result<ConfirmReply> {
    let ConfirmInput {
        id,
        revision,
        verdict,
        body,
    } = input;
    let Some(verdict) = verdict else {
        if body.is_some() {
            return Err(Refusal::invalid(
                "verdict is missing: a body goes with `changed`.",
            ));
        }
        let ConfirmQuestion { id, question, .. } = confirm_question(call, &id)?;
        let reply = look(call, id.as_str(), ConfirmOutcome::AskPerson)?;
        return Ok(ConfirmReply {
            question: Some(question),
            ..reply
        });
    };
    let revision = revision.ok_or_else(|| {
        Refusal::invalid("revision is missing: a verdict names the revision that it speaks of.")
    })?;
    let measured = match (verdict, body) {
        (Verdict::Changed, Some(body)) => Some(Measured::new(wanted::body("body", &body)?)),
        (Verdict::Changed, None) => {
            return Err(Refusal::invalid(
                "body is missing: `changed` comes with the text that holds now. Ask the person.",
            ));
        }
        (Verdict::StillTrue | Verdict::Unknown, Some(_)) => {
            return Err(Refusal::invalid(
                "body goes with the verdict `changed` alone.",
            ));
        }
        (Verdict::StillTrue | Verdict::Unknown, None) => None,
    };
    let session = Arc::clone(call.session);
    let now = call.now;
    let ((mut reply, wrote), event) = call.store.act(move |records| {
        let access = access(records, &session)?;
        let unit = confirmable(records, &access, &id, now)?;
        let brain = access.writable_key(unit.brain)?;
        let rules = &brain.freshness_rules;
        let moved = of_joined(records, &session, &id, &unit, unit.head.number)?;
        if moved || revision != unit.head.number {
            if !moved && (revision == 0 || revision > unit.head.number) {
                return Err(Refusal::invalid(format!(
                    "revision {revision} is no revision of this unit: its head is {}.",
                    unit.head.number
                )));
            }
            return Ok((Vec::new(), (reply(&unit, ConfirmOutcome::Moved, now), None)));
        }
        let writing = access.writing(brain)?;
        // The text that stands is nothing to look at twice: it holds.
        let holds = matches!(writing, Writing::Waits(_))
            && measured
                .as_ref()
                .is_some_and(|measured| measured.body == unit.head.content.body);
        Ok(match (verdict, &measured) {
            (Verdict::Changed, Some(measured)) if !holds => {
                read_before(records, &session, &unit)?;
                if let Writing::Waits(why) = writing {
                    let body = measured.body.clone();
                    let (changes, notice) =
                        suggest(records, &session, now, (brain, &unit), body, why)?;
                    let reply = ConfirmReply {
                        notice: Some(notice),
                        ..reply(&unit, ConfirmOutcome::Proposed, now)
                    };
                    return Ok((changes, (reply, None)));
                }
                let displaced = side_shape(&Side {
                    revision: unit.head.clone(),
                    disputed: Vec::new(),
                });
                let (changes, unit) = rewrite(unit, measured, rules, &session, now);
                let reply = ConfirmReply {
                    displaced: Some(displaced),
                    ..reply(&unit, ConfirmOutcome::Updated, now)
                };
                (changes, (reply, Some(unit.head.number)))
            }
            (Verdict::Unknown, _) => {
                let noted = Change::Event(event(&session, EventKind::Noted, &unit, now));
                (
                    vec![noted],
                    (reply(&unit, ConfirmOutcome::Noted, now), None),
                )
            }
            _ => {
                let mut unit = unit;
                unit.anchor = unit.anchor.max(now);
                unit.later_until = None;
                unit.confirmed = Some(Confirmed {
                    at: now,
                    by: session.agent.clone(),
                });
                age(&mut unit, rules);
                let confirmed = event(&session, EventKind::Confirmed, &unit, now);
                let reply = reply(&unit, ConfirmOutcome::Confirmed, now);
                (
                    vec![Change::SameHead(Box::new(unit)), Change::Event(confirmed)],
                    (reply, None),
                )
            }
        })
    })?;
    reply.event = event;
    call.made(&reply.id, wrote);
    Ok(reply)
}

/// The person closed the question of [`confirm_question`]: nothing changed.
///
/// # Errors
/// `unknown_unit`.
pub fn confirm_declined(call: Call<'_>, id: &str) -> Result<ConfirmReply> {
    look(call, id, ConfirmOutcome::Declined)
}

fn look(call: Call<'_>, id: &str, outcome: ConfirmOutcome) -> Result<ConfirmReply> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        Ok(reply(
            &find(records, &access, id, call.now)?,
            outcome,
            call.now,
        ))
    })
}

fn confirmable(records: &dyn Records, access: &Access, id: &str, now: Timestamp) -> Result<Unit> {
    let unit = find(records, access, id, now)?;
    access.writable_key(unit.brain)?;
    settled(&unit)?;
    living(&unit)?;
    Ok(unit)
}

/// Refuses a new text from an agent that was never shown the old one: whoever
/// says what changed must know what stood there.
fn read_before(records: &dyn Records, session: &Session, unit: &Unit) -> Result<()> {
    let head = &unit.head;
    let known = (own(head, &session.agent, session.began) && head.whole)
        || delivered_at(records, session, &unit.id, head.number)?.is_some();
    if known {
        return Ok(());
    }
    Err(Refusal::invalid(
        "The text that stands here was not read yet. Fetch the unit, show the person what it \
         says, then confirm `changed` with the whole text that holds now.",
    ))
}

fn reply(unit: &Unit, outcome: ConfirmOutcome, now: Timestamp) -> ConfirmReply {
    ConfirmReply {
        outcome,
        id: unit.id.clone(),
        revision: unit.head.number,
        freshness: freshness(unit.ages, now),
        question: None,
        displaced: None,
        event: None,
        notice: None,
    }
}

/// The text that holds now, as a proposal, and the notice about it.
fn suggest(
    records: &dyn Records,
    session: &Session,
    now: Timestamp,
    (brain, unit): (&Brain, &Unit),
    body: String,
    reason: ProposalReason,
) -> Result<(Vec<Change>, String)> {
    let revision = unit.head.number;
    let delivered_at = delivered_at(records, session, &unit.id, revision)?.unwrap_or(unit.head.at);
    let offer = Offer {
        brain,
        unit: Some(unit),
        asks: Asks::Write(Wanted {
            body: Some(body),
            ..Wanted::default()
        }),
        base: Some(Base {
            revision,
            delivered_at,
        }),
        reason,
    };
    let waiting = propose(records, session, now, offer, unit.id.clone())?;
    Ok((waiting.changes, waiting.notice))
}

/// The text that holds now, by the person's word: a new head over the one they
/// were asked about.
fn rewrite(
    mut unit: Unit,
    measured: &Measured,
    rules: &[crate::words::FreshnessRule],
    session: &Session,
    now: Timestamp,
) -> (Vec<Change>, Unit) {
    let before = unit.head.clone();
    let wanted = Wanted {
        body: Some(measured.body.clone()),
        ..Wanted::default()
    };
    let base = session
        .seen(&unit.id, before.number)
        .map(|delivered_at| Base {
            revision: before.number,
            delivered_at,
        });
    let making = Making {
        agent: &session.agent,
        now,
        base,
        whole: true,
        observed_at: None,
        outcome: Outcome::Updated,
        retired: false,
    };
    put_head(&mut unit, wanted.over(&before.content), &[], making, rules);
    // The person spoke now, be it only about a comma.
    unit.anchor = now.max(unit.anchor);
    unit.later_until = None;
    unit.confirmed = Some(Confirmed {
        at: now,
        by: session.agent.clone(),
    });
    age(&mut unit, rules);
    let updated = event(session, EventKind::Updated, &unit, now);
    let mut changes = new_head(unit.clone(), Some(&before), Some(measured), updated);
    changes.push(Change::Event(event(
        session,
        EventKind::Confirmed,
        &unit,
        now,
    )));
    (changes, unit)
}

fn question(unit: &Unit, brain: &str, now: Timestamp) -> String {
    let content = &unit.head.content;
    let days = now.days_since(unit.anchor).max(0.0) as u64;
    let age = match days {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    };
    let source = content.source.as_deref().map_or(String::new(), |source| {
        format!("\nSource: {}", shorten_chars(source, 200))
    });
    format!(
        "Is this still true? {} ({brain}:{}), last vouched for {age}:\n\n{}{source}",
        shown_title(content),
        content.topic,
        shorten_chars(&content.body, QUOTE),
    )
}
