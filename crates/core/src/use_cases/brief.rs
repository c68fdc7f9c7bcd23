//! Brief: the best units whole, as many as a budget holds.

use super::search::{Question, refuse_nothing};
use super::{Call, access};
use crate::refusal::{Refusal, Result};
use crate::rules::budget::{self, Purse};
use crate::rules::routing::Ranked;
use crate::rules::wanted::given;
use crate::shapes::{BriefInput, BriefReply, BriefUnit, LeftOut, SearchInput};

/// The most units that a brief considers.
const MOST: usize = 40;
/// The share of the best match below which a unit does not answer a question:
/// a brief spends its budget on whole texts, so it is choosier than a list of
/// pointers. Only where nothing better fits whole does such a unit come.
const ANSWERS: f64 = 0.25;

/// Packs a topic's or a question's best units whole under a budget, and
/// pointers for those that do not fit. A unit that does not fit is skipped,
/// not a stop. `left_out` counts as `search`'s does; with the reason
/// `match`, what answers a question far worse than the best.
///
/// # Errors
/// `invalid` without `query` and `topic`, or for a budget out of range;
/// `unknown_brain`.
pub fn brief(call: Call<'_>, input: BriefInput) -> Result<BriefReply> {
    let budget = budget::checked(input.budget)?;
    if given(input.query.as_deref()).is_none() && given(input.topic.as_deref()).is_none() {
        return Err(Refusal::invalid("query is missing: give query or topic."));
    }
    let brain = input.brain.clone();
    let asked = SearchInput {
        query: input.query,
        topic: input.topic,
        ..SearchInput::default()
    };
    let question = Question::new(&asked, MOST)?;
    let reply = call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(given(brain.as_deref()))?;
        let found = question.ask(records, &brains, call.now)?;
        let best = found
            .ranked
            .iter()
            .map(|ranked| ranked.matched)
            .fold(0.0, f64::max);
        let mut reply = BriefReply {
            units: Vec::new(),
            pointers: Vec::new(),
            left_out: LeftOut::default(),
        };
        reply
            .left_out
            .note_all(found.further.0, found.further.1, "limit");
        let mut purse = Purse::new(budget);
        let mut pointed = Vec::new();
        let mut skipped = Vec::new();
        for Ranked { card, matched, .. } in &found.ranked {
            let Some(brain) = access.by_key(card.brain) else {
                continue;
            };
            if *matched < ANSWERS * best && !reply.units.is_empty() {
                reply.left_out.note(card.tokens, "match");
                continue;
            }
            // A retired unit's text is told to nobody; its clash is.
            if !card.retired && purse.pay(budget::unit_price(card, brain)) {
                let Some(unit) = records.unit(&[card.brain], &card.id)? else {
                    continue;
                };
                let pointer = budget::pointer(card, brain, call.now);
                reply.units.push(BriefUnit {
                    id: pointer.id,
                    title: pointer.title,
                    brain: pointer.brain,
                    topic: card.topic.clone(),
                    text: unit.head.content.body,
                    revision: pointer.revision,
                    freshness: pointer.freshness,
                    conflicted: pointer.conflicted,
                    tokens: pointer.tokens,
                });
            } else if pointed.is_empty() {
                // The best that does not fit is pointed at for certain; for
                // the others whole texts come first.
                let pointer = purse.point(card, brain, call.now, &mut reply.left_out);
                pointed.extend(pointer.map(|pointer| (pointer, card)));
            } else {
                skipped.push((card, brain));
            }
        }
        for (card, brain) in skipped {
            let pointer = purse.point(card, brain, call.now, &mut reply.left_out);
            pointed.extend(pointer.map(|pointer| (pointer, card)));
        }
        refuse_nothing(
            reply.units.is_empty() && pointed.is_empty(),
            &found.ranked,
            &access,
        )?;
        for (mut pointer, card) in pointed {
            purse.buy_snippet(&mut pointer, card, &question.terms);
            reply.pointers.push(pointer);
        }
        Ok(reply)
    })?;
    call.delivered(
        reply
            .units
            .iter()
            .map(|unit| (unit.id.clone(), unit.revision)),
    );
    Ok(reply)
}
