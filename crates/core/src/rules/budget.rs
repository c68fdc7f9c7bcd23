//! Budget: what a reply may cost, in o200k tokens of its JSON text.
//!
//! Stored counts of ids, topics, titles, bodies and snippets are added to the
//! measured frame around them. Joined texts can part into tokens differently
//! than alone, so each frame includes a margin; properties below prove that a
//! reply never costs more than it was priced at. Nothing here loads the
//! tokeniser.

use super::freshness::freshness;
use crate::ports::Card;
use crate::refusal::{Refusal, Result};
use crate::shapes::{LeftOut, Pointer, UnitUrl};
use crate::text::{best_piece, most_tokens, shorten_within};
use crate::words::{Brain, Timestamp};

/// A reply's budget unless told.
pub const DEFAULT: u32 = 1500;
/// The least budget that may be asked for.
pub const LEAST: u32 = 120;

/// `{"results":[],"left_out":{"count":…,"tokens":…,"reasons":["limit","budget"]}}`
/// with its numbers; `brief`'s, with two lists, is the same or less.
const ENVELOPE: u32 = 34;
/// A pointer without id, texts and numbers, with the comma behind it.
const POINTER_FRAME: u32 = 37;
/// `"snippet":…,`
const SNIPPET_FRAME: u32 = 4;
/// A whole unit in a brief, likewise.
const UNIT_FRAME: u32 = 36;
/// `"nearest_topics":[],`
const NEAREST_FRAME: u32 = 8;
/// `{"brain":…,"topic":…},`
const NEAREST_ROW_FRAME: u32 = 10;
/// The fewest tokens that a cut title or topic gets.
const CUT_TEXT: u32 = 8;

/// Checks a budget.
///
/// # Errors
/// `invalid` below [`LEAST`].
pub fn checked(budget: Option<u32>) -> Result<u32> {
    match budget {
        None => Ok(DEFAULT),
        Some(budget) if budget >= LEAST => Ok(budget),
        Some(_) => Err(Refusal::invalid(format!(
            "budget is below {LEAST} tokens: not even one pointer fits. Ask for {LEAST} or more."
        ))),
    }
}

/// Tokens of a number: o200k parts digits by threes.
pub fn number_tokens(number: u64) -> u32 {
    number.checked_ilog10().unwrap_or(0) / 3 + 1
}

/// What a pointer costs without its snippet.
pub fn pointer_price(card: &Card, brain: &Brain) -> u32 {
    fixed_price(card, brain) + title_tokens(card) + card.topic_tokens
}

/// What cannot be cut from a pointer.
fn fixed_price(card: &Card, brain: &Brain) -> u32 {
    POINTER_FRAME
        + 2 * card.id_tokens
        + brain.name_tokens
        + number_tokens(u64::from(card.revision))
        + number_tokens(u64::from(card.tokens))
}

/// What a whole unit costs in a brief.
pub fn unit_price(card: &Card, brain: &Brain) -> u32 {
    UNIT_FRAME
        + card.id_tokens
        + title_tokens(card)
        + card.topic_tokens
        + brain.name_tokens
        + card.tokens
        + number_tokens(u64::from(card.revision))
        + number_tokens(u64::from(card.tokens))
}

fn title_tokens(card: &Card) -> u32 {
    if card.title.is_some() {
        card.title_tokens
    } else {
        card.topic_tokens
    }
}

/// A pointer without its snippet.
pub fn pointer(card: &Card, brain: &Brain, now: Timestamp) -> Pointer {
    Pointer {
        title: card.title.clone().unwrap_or_else(|| card.topic.to_string()),
        url: UnitUrl(card.id.clone()),
        id: card.id.clone(),
        brain: brain.name.clone(),
        topic: card.topic.to_string(),
        snippet: None,
        revision: card.revision,
        freshness: freshness(card.ages, now),
        conflicted: card.conflicted,
        tokens: card.tokens,
        why: None,
    }
}

/// A budget being spent on a reply.
#[derive(Debug)]
pub struct Purse {
    left: u32,
}

impl Purse {
    /// A budget with the reply's envelope paid.
    pub fn new(budget: u32) -> Self {
        Self {
            left: budget.saturating_sub(ENVELOPE),
        }
    }

    /// Pays, if there is enough.
    pub fn pay(&mut self, price: u32) -> bool {
        match self.left.checked_sub(price) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Buys a pointer without its snippet: whole if there is enough, else with
    /// title and topic cut, else not at all.
    pub fn buy_pointer(&mut self, card: &Card, brain: &Brain, now: Timestamp) -> Option<Pointer> {
        let mut pointer = pointer(card, brain, now);
        if self.pay(pointer_price(card, brain)) {
            return Some(pointer);
        }
        let for_texts = self.left.checked_sub(fixed_price(card, brain))?;
        if for_texts < 2 * CUT_TEXT {
            return None;
        }
        // The cheaper text stays whole where it leaves the other enough.
        let half = for_texts / 2;
        let (title, topic) = (title_tokens(card), card.topic_tokens);
        if topic <= half {
            pointer.title = shorten_within(&pointer.title, for_texts - topic);
        } else if title <= half {
            pointer.topic = shorten_within(&pointer.topic, for_texts - title);
        } else {
            pointer.title = shorten_within(&pointer.title, half);
            pointer.topic = shorten_within(&pointer.topic, half);
        }
        self.left = 0;
        Some(pointer)
    }

    /// Buys a pointer without its snippet, or notes that it is left out.
    pub fn point(
        &mut self,
        card: &Card,
        brain: &Brain,
        now: Timestamp,
        left_out: &mut LeftOut,
    ) -> Option<Pointer> {
        let pointer = self.buy_pointer(card, brain, now);
        if pointer.is_none() {
            left_out.note(card.tokens, "budget");
        }
        pointer
    }

    /// Buys a pointer its snippet, if there is enough.
    pub fn buy_snippet(&mut self, pointer: &mut Pointer, card: &Card, terms: &[String]) {
        if card.retired {
            return;
        }
        if let Some(piece) = best_piece(&card.pieces, terms)
            && self.pay(SNIPPET_FRAME + piece.tokens)
        {
            pointer.snippet = Some(piece.text.clone());
        }
    }

    /// Buys the list of nearest topics as far as it fits.
    pub fn buy_nearest<'a, T>(
        &mut self,
        rows: impl IntoIterator<Item = (&'a Brain, T)>,
    ) -> Vec<(&'a Brain, T)>
    where
        T: AsRef<str>,
    {
        let mut bought = Vec::new();
        for (brain, topic) in rows {
            let frame = if bought.is_empty() { NEAREST_FRAME } else { 0 };
            let row = NEAREST_ROW_FRAME + brain.name_tokens + most_tokens(topic.as_ref());
            if self.pay(frame + row) {
                bought.push((brain, topic));
            }
        }
        bought
    }
}

/// What one pointer without a snippet would need: for the refusal of a budget
/// in which not even the best fits.
pub fn least_for(card: &Card, brain: &Brain) -> u32 {
    ENVELOPE + fixed_price(card, brain) + 2 * CUT_TEXT
}

impl LeftOut {
    /// Notes one unit that is not in the reply.
    pub fn note(&mut self, tokens: u32, reason: &'static str) {
        self.note_all(1, u64::from(tokens), reason);
    }

    /// Notes several.
    pub fn note_all(&mut self, count: u32, tokens: u64, reason: &'static str) {
        if count > 0 {
            self.count += count;
            self.tokens += tokens;
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{BriefReply, BriefUnit, SearchReply, TopicAddress};
    use crate::text::{count, count_json, pieces};
    use crate::words::{BrainKey, BrainKind, BrainName, Thresholds, Topic, UnitId, WritePolicy};
    use proptest::prelude::*;

    fn brain(name: &str) -> Brain {
        Brain {
            key: BrainKey(1),
            name_tokens: count(name),
            name: BrainName::parse(name).unwrap(),
            title: name.into(),
            kind: BrainKind::Shared,
            write_policy: WritePolicy::Open,
            freshness_rules: Vec::new(),
        }
    }

    fn card(bits: u64, topic: &str, title: Option<String>, body: &str, revision: u32) -> Card {
        let id = UnitId::from_bits(bits);
        let topic = Topic::parse(topic).unwrap_or_else(|_| Topic::parse("x").unwrap());
        let ages = super::super::freshness::ages(Timestamp::from_millis(0), Thresholds::DEFAULT);
        Card {
            id_tokens: count(id.as_str()),
            topic_tokens: count_json(topic.as_str()),
            title_tokens: title.as_deref().map_or(0, count_json),
            tokens: count_json(body),
            pieces: pieces(body),
            id,
            brain: BrainKey(1),
            topic,
            title,
            revision,
            retired: false,
            conflicted: revision.is_multiple_of(2),
            anchor: Timestamp::from_millis(0),
            ages,
            later_until: None,
        }
    }

    fn cards() -> impl Strategy<Value = Vec<(Card, String)>> {
        let text = prop_oneof![
            "[a-z]{1,9}(/[a-z-]{1,12}){0,3}",
            "\\PC{1,60}",
            "[\\[\\]{}\",:;.!?'/\\\\#-]{1,30}",
            "[0-9.,:-]{1,20}",
            "[\\u{4e00}-\\u{4eff} ]{1,40}",
        ];
        let card = (
            any::<u64>(),
            text.clone(),
            proptest::option::of(text.clone()),
            text,
            any::<u32>(),
        )
            .prop_map(|(bits, topic, title, body, revision)| {
                (card(bits, &topic, title, &body, revision), body)
            });
        proptest::collection::vec(card, 1..12)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn a_search_reply_never_costs_more_than_its_budget(
            cards in cards(), budget in LEAST..900, name in "[a-z0-9][a-z0-9-]{0,39}", days in 0i64..90,
        ) {
            let brain = brain(&name);
            let now = Timestamp::from_millis(0).plus_days(days);
            let mut purse = Purse::new(budget);
            let mut left_out = LeftOut::default();
            let mut bought = Vec::new();
            let cards: Vec<Card> = cards.into_iter().map(|(card, _)| card).collect();
            for card in &cards {
                match purse.buy_pointer(card, &brain, now) {
                    Some(pointer) => bought.push((pointer, card)),
                    None => left_out.note(card.tokens, "budget"),
                }
            }
            left_out.note_all(7, 123_456_789, "limit");
            for (pointer, card) in &mut bought {
                purse.buy_snippet(pointer, card, &[]);
            }
            let nearest = purse
                .buy_nearest(cards.iter().map(|card| (&brain, card.topic.as_str())))
                .into_iter()
                .map(|(brain, topic)| TopicAddress {
                    brain: brain.name.clone(),
                    topic: Topic::parse(topic).unwrap(),
                })
                .collect::<Vec<_>>();
            let reply = SearchReply {
                results: bought.into_iter().map(|(pointer, _)| pointer).collect(),
                left_out,
                nearest_topics: (!nearest.is_empty()).then_some(nearest),
            };
            let text = serde_json::to_string(&reply).unwrap();
            prop_assert!(count(&text) <= budget, "{} > {budget}: {text}", count(&text));
            prop_assert!(
                !reply.results.is_empty() || budget < cards.iter().map(|c| least_for(c, &brain)).min().unwrap(),
                "nothing in {budget}"
            );
        }

        #[test]
        fn a_brief_never_costs_more_than_its_budget(cards in cards(), budget in LEAST..900) {
            let brain = brain("team");
            let now = Timestamp::from_millis(0);
            let mut purse = Purse::new(budget);
            let mut reply = BriefReply { units: vec![], pointers: vec![], left_out: LeftOut::default() };
            for (card, body) in &cards {
                if purse.pay(unit_price(card, &brain)) {
                    let pointer = pointer(card, &brain, now);
                    reply.units.push(BriefUnit {
                        id: pointer.id,
                        title: pointer.title,
                        brain: pointer.brain,
                        topic: card.topic.clone(),
                        text: body.clone(),
                        revision: pointer.revision,
                        freshness: pointer.freshness,
                        conflicted: pointer.conflicted,
                        tokens: pointer.tokens,
                    });
                } else if let Some(pointer) = purse.buy_pointer(card, &brain, now) {
                    reply.pointers.push(pointer);
                } else {
                    reply.left_out.note(card.tokens, "budget");
                }
            }
            let text = serde_json::to_string(&reply).unwrap();
            prop_assert!(count(&text) <= budget, "{} > {budget}: {text}", count(&text));
        }
    }

    #[test]
    fn a_short_pointer_costs_at_most_70_tokens() {
        for bits in 0..200u64 {
            let bits = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let card = card(
                bits,
                "projects/q3-launch",
                Some("Status".into()),
                "Delayed",
                3,
            );
            let text = serde_json::to_string(&pointer(&card, &brain("team"), Timestamp::default()))
                .unwrap();
            assert!(count(&text) <= 70, "{}: {text}", count(&text));
        }
    }

    #[test]
    fn the_frames_are_what_they_were_measured_as() {
        let card = card(1, "x", Some("x".into()), "x", 1);
        let brain = brain("x");
        let one =
            count(&serde_json::to_string(&pointer(&card, &brain, Timestamp::default())).unwrap());
        let priced = pointer_price(&card, &brain);
        assert!(
            (one..=one + 8).contains(&priced),
            "priced {priced}, costs {one}"
        );
        let empty = SearchReply {
            results: vec![],
            left_out: LeftOut {
                count: 999_999,
                tokens: 999_999_999,
                reasons: vec!["limit", "budget"],
            },
            nearest_topics: None,
        };
        let empty = count(&serde_json::to_string(&empty).unwrap());
        assert!(
            (empty..=empty + 10).contains(&ENVELOPE),
            "{ENVELOPE}, costs {empty}"
        );
    }

    #[test]
    fn a_budget_below_one_pointer_is_refused() {
        assert_eq!(checked(None).unwrap(), DEFAULT);
        assert_eq!(checked(Some(LEAST)).unwrap(), LEAST);
        assert!(checked(Some(LEAST - 1)).is_err());
    }
}
