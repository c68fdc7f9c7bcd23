//! Resolve: the person's decision closes a conflict.

use super::unit::{
    conflict_shape, delivered_at, find, free_address, leads, new_head, of_joined, shown_sides,
    shown_title,
};
use super::{Call, access, event};
use crate::ports::{Change, Records};
use crate::refusal::{Code, Refusal, Result};
use crate::rules::resolve::{Merged, settled};
use crate::rules::wanted::{self, given};
use crate::rules::write::{Making, age, put_head};
use crate::shapes::{Choice, ResolveInput, ResolveOutcome, ResolveReply};
use crate::text::shorten_chars;
use crate::views::acts::PersonResolveInput;
use crate::words::{Base, Confirmed, EventKind, Field, Outcome, Revision, Session, Topic, Unit};
use std::sync::Arc;

/// The most characters that a question quotes of each text.
const QUOTE: usize = 300;

/// Settles a conflict by the person's decision: keeps the head, restores a
/// side, or writes a merged text; closes it whole, and confirms. If the
/// conflict's version has moved on, or none is open, nothing changes and the
/// answer is `moved`, with the state as it is.
///
/// # Errors
/// `unknown_unit`, `not_allowed`; `invalid` without the decision, or without
/// what the choice needs; `ambiguous` if a restored address is taken.
pub fn resolve(call: Call<'_>, input: ResolveInput) -> Result<ResolveReply> {
    settle(call, Order::new(input)?)
}

/// As [`resolve`], by the person themselves: nobody has to be quoted, and a
/// merged text may stand at another topic.
///
/// # Errors
/// Those of [`resolve`]; `not_allowed` for an agent.
pub fn resolve_as_person(call: Call<'_>, input: PersonResolveInput) -> Result<ResolveReply> {
    if !call.session.agent.is_person() {
        return Err(Refusal::new(
            Code::NotAllowed,
            "Only the person settles a conflict without a word. Call `resolve`, and quote them.",
        ));
    }
    settle(call, Order::of_person(input)?)
}

fn settle(call: Call<'_>, order: Order) -> Result<ResolveReply> {
    let session = Arc::clone(call.session);
    let now = call.now;
    let ((mut reply, made, seen), event) = call.store.act(move |records| {
        let access = access(records, &session)?;
        let mut unit = find(records, &access, &order.id, now)?;
        // A quoted decision chooses between what stands; a text that nobody has
        // reviewed does not come in by it.
        let brain = match order.choice {
            Choice::Merged => access.lands(unit.brain)?,
            Choice::KeepHead | Choice::Restore => access.writable_key(unit.brain)?,
        };
        let rules = brain.freshness_rules.clone();
        // What `moved` shows: a retired head has no text.
        let mut seen = Vec::new();
        if !unit.head.retired {
            seen.push(unit.head.number);
        }
        seen.extend(shown_sides(&unit).into_iter().map(|(_, revision)| revision));
        let of_joined = of_joined(records, &session, &order.id, &unit, unit.head.number)?;
        if of_joined || order.moved(&unit) {
            return Ok((Vec::new(), (moved(&unit), None, seen)));
        }
        let (content, retired) = order.settled(&unit)?;
        free_address(records, &access, &unit, &content, now)?;
        let whole = knows_text(records, &session, &unit, &order)?;
        let before = unit.head.clone();
        let sides = std::mem::take(&mut unit.sides);
        let making = Making {
            agent: &session.agent,
            now,
            base: session
                .seen(&unit.id, before.number)
                .map(|delivered_at| Base {
                    revision: before.number,
                    delivered_at,
                }),
            whole,
            observed_at: None,
            outcome: Outcome::Resolved,
            retired,
        };
        put_head(&mut unit, content, &[], making, &rules);
        unit.head.parents = sides
            .iter()
            .map(|side| side.revision.number)
            .chain([before.number])
            .collect();
        unit.anchor = unit.anchor.max(now);
        unit.later_until = None;
        unit.confirmed = Some(Confirmed {
            at: now,
            by: session.agent.clone(),
        });
        age(&mut unit, &rules);
        let mut resolved = event(&session, EventKind::Resolved, &unit, now);
        resolved.detail = Some(order.decision.clone()).filter(|said| !said.is_empty());
        let mut changes: Vec<Change> = leads(&unit, &before.content).into_iter().collect();
        changes.extend(new_head(unit.clone(), Some(&before), None, resolved));
        let reply = ResolveReply {
            outcome: ResolveOutcome::Resolved,
            id: unit.id,
            revision: unit.head.number,
            conflicted: false,
            conflict: None,
            text: None,
            event: None,
        };
        let made = whole.then_some(reply.revision);
        Ok((changes, (reply, made, Vec::new())))
    })?;
    reply.event = event;
    call.made(&reply.id, made);
    call.delivered(
        seen.into_iter()
            .map(|revision| (reply.id.clone(), revision)),
    );
    Ok(reply)
}

/// The question that puts an agent's resolve to the person, where its client
/// can ask; `None` where the conflict has moved (then [`resolve`] says so).
///
/// # Errors
/// What [`resolve`] would refuse.
pub fn resolve_question(call: Call<'_>, input: &ResolveInput) -> Result<Option<String>> {
    let order = Order::new(input.clone())?;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = find(records, &access, &order.id, call.now)?;
        let brain = access.writable_key(unit.brain)?;
        if order.moved(&unit) {
            return Ok(None);
        }
        let (content, retired) = order.settled(&unit)?;
        let now = if retired {
            "It leaves the unit retired.".to_owned()
        } else {
            format!(
                "The unit will say:\n{}",
                shorten_chars(&content.body, QUOTE)
            )
        };
        let choice = match order.choice {
            Choice::KeepHead => format!("keep revision {}", unit.head.number),
            Choice::Restore => {
                format!("restore revision {}", order.revision.unwrap_or_default())
            }
            Choice::Merged => "write a merged text".to_owned(),
        };
        let mut texts = vec![quote(&unit.head)];
        texts.extend(unit.sides.iter().map(|side| quote(&side.revision)));
        Ok(Some(format!(
            "Agents disagree on {} ({}:{}):\n\n{}\n\nShall {} {choice}? You said: \
             “{}”. {now}",
            shown_title(&unit.head.content),
            brain.name,
            unit.head.content.topic,
            texts.join("\n\n"),
            call.session.agent.connection,
            shorten_chars(&order.decision, QUOTE),
        )))
    })
}

/// The person said no to [`resolve_question`].
pub fn resolve_declined() -> Refusal {
    Refusal::new(
        Code::NotAllowed,
        "The person did not agree, so nothing was changed. Ask them what they want instead.",
    )
}

fn quote(revision: &Revision) -> String {
    let text = if revision.retired {
        "(retired)".to_owned()
    } else {
        shorten_chars(&revision.content.body, QUOTE)
    };
    format!("Revision {}, {}:\n{text}", revision.number, revision.agent)
}

/// A resolve, checked and normalised.
struct Order {
    id: String,
    version: u32,
    choice: Choice,
    revision: Option<u32>,
    merged: Merged,
    decision: String,
}

impl Order {
    fn new(input: ResolveInput) -> Result<Self> {
        let order = Self::of_person(PersonResolveInput {
            id: input.id,
            version: input.version,
            choice: input.choice,
            revision: input.revision,
            body: input.body,
            title: input.title,
            tags: input.tags,
            source: input.source,
            topic: None,
            fresh_for_days: None,
            clear: None,
            decision: Some(input.decision),
        })?;
        if order.decision.is_empty() {
            return Err(Refusal::invalid(
                "decision is missing: ask the person which side holds, and quote what they said.",
            ));
        }
        Ok(order)
    }

    fn of_person(input: PersonResolveInput) -> Result<Self> {
        let merging = input.choice == Choice::Merged;
        let mut merged = Merged {
            clear: Vec::new(),
            body: input
                .body
                .as_deref()
                .map(|text| wanted::body("body", text))
                .transpose()?,
            title: given(input.title.as_deref())
                .map(wanted::title)
                .transpose()?,
            tags: input.tags.as_deref().map(wanted::tags).transpose()?,
            source: given(input.source.as_deref())
                .map(|text| wanted::note("source", text))
                .transpose()?,
            topic: given(input.topic.as_deref())
                .map(Topic::parse)
                .transpose()?,
            fresh_for_days: input
                .fresh_for_days
                .map(wanted::fresh_for_days)
                .transpose()?,
        };
        let given = [
            merged.title.as_ref().map(|_| Field::Title),
            merged.source.as_ref().map(|_| Field::Source),
            merged.fresh_for_days.map(|_| Field::FreshForDays),
        ];
        let given: Vec<Field> = given.into_iter().flatten().collect();
        merged.clear = wanted::clear(&input.clear.unwrap_or_default(), &given)?;
        if !merging && merged != Merged::default() {
            return Err(Refusal::invalid(
                "body, title, tags, source, topic, fresh_for_days and clear go with choice `merged` \
                 alone.",
            ));
        }
        let decision = wanted::note("decision", input.decision.as_deref().unwrap_or_default())?;
        Ok(Self {
            id: input.id,
            version: input.version,
            choice: input.choice,
            revision: input.revision,
            merged,
            decision,
        })
    }

    fn moved(&self, unit: &Unit) -> bool {
        !unit.conflicted() || self.version != unit.version
    }

    fn settled(&self, unit: &Unit) -> Result<(crate::words::Content, bool)> {
        settled(unit, self.choice, self.revision, self.merged.clone())
    }
}

/// Whether the session knows the whole text that its choice leaves: it wrote
/// it, or was shown the revision that it comes from.
fn knows_text(
    records: &dyn Records,
    session: &Session,
    unit: &Unit,
    order: &Order,
) -> Result<bool> {
    let restored = unit.sides.iter().find(|side| {
        order.choice == Choice::Restore
            && Some(side.revision.number) == order.revision
            && side.disputed.contains(&Field::Body)
    });
    let from = restored.map_or(unit.head.number, |side| side.revision.number);
    Ok(order.choice == Choice::Merged || delivered_at(records, session, &unit.id, from)?.is_some())
}

fn moved(unit: &Unit) -> ResolveReply {
    ResolveReply {
        outcome: ResolveOutcome::Moved,
        id: unit.id.clone(),
        revision: unit.head.number,
        conflicted: unit.conflicted(),
        conflict: conflict_shape(unit),
        text: (!unit.head.retired).then(|| unit.head.content.body.clone()),
        event: None,
    }
}
