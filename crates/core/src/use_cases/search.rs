//! Search: ranked pointers within a budget.

use super::{Call, access, topics};
use crate::ports::{Candidate, Card, Narrow, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::access::Access;
use crate::rules::budget::{self, Purse};
use crate::rules::routing::{Asked, Ranked, rank};
use crate::rules::wanted::given;
use crate::shapes::{
    FreshnessFilter, Freshnesses, LeftOut, Need, SearchInput, SearchReply, TopicAddress,
};
use crate::text::{last_word, question_terms};
use crate::words::{Brain, BrainKey, Timestamp, Topic};

/// The most pointers of a reply.
const MOST: u32 = 50;
/// The fewest candidates that are ranked.
const CANDIDATES: usize = 30;
/// The most cards of an asked topic that join the candidates of a question.
const TOPIC_CARDS: usize = 10;
/// The most topics that are named where nobody has the one asked for.
const NEAREST: usize = 5;

/// Ranks pointers for a question, a topic or a need, within a budget. Of what
/// matched a question, the reply's `left_out` counts the candidates that were
/// ranked; of a topic or a need, everything.
///
/// # Errors
/// `invalid` without `query`, `topic` and `needs`, and for a `limit` or
/// `budget` out of range; `unknown_brain`.
pub fn search(call: Call<'_>, input: SearchInput) -> Result<SearchReply> {
    let limit = match input.limit {
        None => 10,
        Some(limit) if (1..=MOST).contains(&limit) => limit,
        Some(_) => return Err(Refusal::invalid("limit is 1 to 50.")),
    } as usize;
    let budget = budget::checked(input.budget)?;
    let question = Question::new(&input, (3 * limit).max(CANDIDATES))?;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(given(input.brain.as_deref()))?;
        let found = question.ask(records, &brains, call.now)?;
        let mut left_out = LeftOut::default();
        left_out.note_all(found.further.0, found.further.1, "limit");
        let mut purse = Purse::new(budget);
        let mut bought = Vec::new();
        for Ranked { card, why, .. } in &found.ranked {
            let Some(brain) = access.by_key(card.brain) else {
                continue;
            };
            if bought.len() == limit {
                left_out.note(card.tokens, "limit");
                continue;
            }
            if let Some(mut pointer) = purse.point(card, brain, call.now, &mut left_out) {
                pointer.why = Some(why.clone());
                bought.push((pointer, card));
            }
        }
        refuse_nothing(bought.is_empty(), &found.ranked, &access)?;
        for (pointer, card) in &mut bought {
            purse.buy_snippet(pointer, card, &question.terms);
        }
        let nearest_topics = match &question.topic {
            Some(topic) => nearest(records, &access, &brains, topic, &mut purse, call.now)?,
            None => None,
        };
        let results = bought.into_iter().map(|(pointer, _)| pointer).collect();
        Ok(SearchReply {
            results,
            left_out,
            nearest_topics,
        })
    })
}

/// What is asked of the routing index: shared by `search` and `brief`.
pub(super) struct Question {
    pub(super) terms: Vec<String>,
    /// A word that is being typed.
    beginning: Option<String>,
    topic: Option<Topic>,
    freshness: Freshnesses,
    conflicted: bool,
    /// A question was put, be it without words to look for.
    asked: bool,
    most: usize,
}

/// What was found, best first, and how much more there was of a listing.
pub(super) struct Found {
    pub(super) ranked: Vec<Ranked>,
    pub(super) further: (u32, u64),
}

impl Question {
    /// A question that considers at most `most` candidates.
    pub(super) fn new(input: &SearchInput, most: usize) -> Result<Self> {
        let query = given(input.query.as_deref());
        let topic = given(input.topic.as_deref())
            .map(Topic::parse)
            .transpose()?;
        if query.is_none() && topic.is_none() && input.needs.is_none() {
            return Err(Refusal::invalid(
                "query is missing: give query, topic or needs. To see what there is, call \
                 `topics`.",
            ));
        }
        let mut freshness = match input.freshness.unwrap_or_default() {
            FreshnessFilter::Any => Freshnesses::default(),
            FreshnessFilter::NotStale => Freshnesses {
                stale: false,
                ..Freshnesses::default()
            },
            FreshnessFilter::Fresh => Freshnesses {
                fresh: true,
                aging: false,
                stale: false,
            },
        };
        let mut conflicted = false;
        match input.needs {
            Some(Need::Conflicted) => conflicted = true,
            Some(Need::Aging) => {
                freshness = Freshnesses {
                    aging: freshness.aging,
                    fresh: false,
                    stale: false,
                };
            }
            Some(Need::Stale) => {
                freshness = Freshnesses {
                    stale: freshness.stale,
                    fresh: false,
                    aging: false,
                };
            }
            None => {}
        }
        Ok(Self {
            terms: query.map(question_terms).unwrap_or_default(),
            beginning: None,
            topic,
            freshness,
            conflicted,
            asked: query.is_some(),
            most,
        })
    }

    /// A question of someone who is still typing: its last word also matches
    /// as a beginning.
    pub(super) fn typed(input: &SearchInput, most: usize) -> Result<Self> {
        let mut question = Self::new(input, most)?;
        if let Some((beginning, terms)) = given(input.query.as_deref()).and_then(last_word) {
            for term in terms {
                if !question.terms.contains(&term) {
                    question.terms.push(term);
                }
            }
            question.beginning = Some(beginning);
        }
        Ok(question)
    }

    /// Asks it. A topic boosts a question; alone it selects.
    pub(super) fn ask(
        &self,
        records: &dyn Records,
        brains: &[BrainKey],
        now: Timestamp,
    ) -> Result<Found> {
        let narrow = Narrow {
            topic: None,
            exact: false,
            freshness: self.freshness,
            conflicted: self.conflicted,
            now,
        };
        let within = Narrow {
            topic: self.topic.as_ref(),
            ..narrow
        };
        let unfound = |card: Card| Candidate {
            card,
            keywords: 0.0,
        };
        let (candidates, further) = if self.asked {
            let mut candidates = match &self.beginning {
                Some(beginning) => {
                    records.by_beginning(brains, &self.terms, beginning, narrow, self.most)?
                }
                None if self.terms.is_empty() => Vec::new(),
                None => records.by_keywords(brains, &self.terms, narrow, self.most)?,
            };
            if self.topic.is_some() {
                for card in records.cards(brains, within, TOPIC_CARDS)? {
                    if !candidates.iter().any(|other| other.card.id == card.id) {
                        candidates.push(unfound(card));
                    }
                }
            }
            (candidates, (0, 0))
        } else {
            let cards = records.cards(brains, within, self.most)?;
            let (count, tokens) = records.card_totals(brains, within)?;
            let listed: u64 = cards.iter().map(|card| u64::from(card.tokens)).sum();
            let further = (
                count.saturating_sub(u32::try_from(cards.len()).unwrap_or(u32::MAX)),
                tokens.saturating_sub(listed),
            );
            (cards.into_iter().map(unfound).collect(), further)
        };
        let asked = Asked {
            terms: &self.terms,
            topic: self.topic.as_ref(),
            now,
        };
        Ok(Found {
            ranked: rank(candidates, asked),
            further,
        })
    }
}

/// Refuses a budget in which not even one pointer fits, though something was
/// found: an empty reply would say that nothing is known.
pub(super) fn refuse_nothing(nothing: bool, found: &[Ranked], access: &Access) -> Result<()> {
    let least = found
        .iter()
        .filter_map(|ranked| {
            Some(budget::least_for(
                &ranked.card,
                access.by_key(ranked.card.brain)?,
            ))
        })
        .min();
    match least {
        Some(least) if nothing => Err(Refusal::invalid(format!(
            "budget is below one pointer here: ask for {least} tokens or more."
        ))),
        _ => Ok(()),
    }
}

/// The nearest topics, where nobody has the one asked for.
fn nearest(
    records: &dyn Records,
    access: &Access,
    brains: &[BrainKey],
    topic: &Topic,
    purse: &mut Purse,
    now: Timestamp,
) -> Result<Option<Vec<TopicAddress>>> {
    let Some(nearest) = topics::nearest(records, brains, topic, NEAREST, now)? else {
        return Ok(None);
    };
    let rows: Vec<(&Brain, String)> = nearest
        .into_iter()
        .filter_map(|(brain, topic)| Some((access.by_key(brain)?, topic.to_string())))
        .collect();
    let bought = purse.buy_nearest(rows);
    Ok(Some(
        bought
            .into_iter()
            .map(|(brain, topic)| TopicAddress {
                brain: brain.name.clone(),
                topic: Topic::from_stored(topic),
            })
            .collect(),
    ))
}
