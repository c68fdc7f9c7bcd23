//! Routing: topic and keywords to ranked pointers.
//!
//! The score of a unit for a question is
//!
//! `match × freshness × recency`, where
//! `match = keywords + ASKED·asked + NAMED·named + SUPPORT·support`
//!
//! - `keywords`: its BM25, as a share of the best candidate's (0 to 1).
//! - `asked`: how near its topic is to the topic that was asked for (0 to 1).
//! - `named`: the share of its topic's words that the question names (0 to 1).
//! - `support`: how much the other candidates of its topic matched, as a share
//!   of the best topic's (0 to 1): units of one topic support each other.
//! - `freshness`: 1 fresh, [`AGING`] aging, [`STALE`] stale.
//! - `recency`: from 1 now towards `1 − RECENCY`, half of it after a month.
//!
//! `STALE < 1 − RECENCY`, so a stale unit never outranks a fresh one that
//! matches as well. Topics boost; they never filter out.

use super::freshness::freshness;
use crate::ports::{Candidate, Card};
use crate::shapes::{Moment, Why};
use crate::text::{fingerprint, terms};
use crate::words::{Content, Freshness, Timestamp, Topic};
use std::collections::HashMap;

/// BM25 weights of title, topic, tags and body.
pub const WEIGHTS: [f64; 4] = [2.0, 1.0, 2.0, 1.0];

const ASKED: f64 = 0.6;
const NAMED: f64 = 0.1;
const SUPPORT: f64 = 0.25;
/// The factor of an aging unit.
pub const AGING: f64 = 0.95;
/// The factor of a stale unit.
pub const STALE: f64 = 0.7;
const RECENCY: f64 = 0.04;
const RECENCY_DAYS: f64 = 30.0;

/// A unit's terms, as the keyword index keeps them: each list is in the order
/// of the text. See [`crate::text::terms`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Analysed {
    /// Terms of the title.
    pub title: Vec<String>,
    /// Terms of the topic.
    pub topic: Vec<String>,
    /// Terms of the tags.
    pub tags: Vec<String>,
    /// Terms of the body.
    pub body: Vec<String>,
    /// [`crate::text::fingerprint`] of the body.
    pub fingerprint: i64,
}

/// The terms of what a unit says.
pub fn analyse(content: &Content) -> Analysed {
    Analysed {
        title: content.title.as_deref().map(terms).unwrap_or_default(),
        topic: terms(content.topic.as_str()),
        tags: content.tags.iter().flat_map(|tag| terms(tag)).collect(),
        body: terms(&content.body),
        fingerprint: fingerprint(&content.body),
    }
}

/// What was asked, for ranking.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The question's terms.
    pub terms: &'a [String],
    /// The topic that was asked for.
    pub topic: Option<&'a Topic>,
    /// When.
    pub now: Timestamp,
}

/// A card with its rank's reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The card.
    pub card: Card,
    /// Its match and score.
    pub why: Why,
    /// `match` of the module's formula: how well it answers, its age aside.
    pub matched: f64,
}

/// Orders candidates, best first. Equal scores go by the later anchor, then by
/// id, so that one question has one answer.
pub fn rank(candidates: Vec<Candidate>, asked: Asked<'_>) -> Vec<Ranked> {
    let best = candidates.iter().map(|c| c.keywords).fold(0.0, f64::max);
    let share = |keywords: f64| if best > 0.0 { keywords / best } else { 0.0 };
    let mut by_topic: HashMap<&Topic, f64> = HashMap::new();
    for candidate in &candidates {
        *by_topic.entry(&candidate.card.topic).or_default() += share(candidate.keywords);
    }
    let best_topic = by_topic.values().copied().fold(0.0, f64::max);
    let support: HashMap<Topic, f64> = by_topic
        .into_iter()
        .map(|(topic, sum)| {
            (
                topic.clone(),
                if best_topic > 0.0 {
                    sum / best_topic
                } else {
                    0.0
                },
            )
        })
        .collect();
    let named: HashMap<&Topic, f64> = support
        .keys()
        .map(|topic| (topic, named(topic, asked.terms)))
        .collect();

    let mut ranked: Vec<Ranked> = candidates
        .into_iter()
        .map(|Candidate { card, keywords }| {
            let keywords = share(keywords);
            let near = asked
                .topic
                .map_or(0.0, |topic| nearness(&card.topic, topic));
            let named = named.get(&card.topic).copied().unwrap_or_default();
            let support = support.get(&card.topic).copied().unwrap_or_default();
            let matched = keywords + ASKED * near + NAMED * named + SUPPORT * support;
            let freshness = match freshness(card.ages, asked.now) {
                Freshness::Fresh => 1.0,
                Freshness::Aging => AGING,
                Freshness::Stale => STALE,
            };
            let days = asked.now.days_since(card.anchor).max(0.0);
            let recency = 1.0 - RECENCY * days / (days + RECENCY_DAYS);
            let why = Why {
                score: matched * freshness * recency,
                keywords,
                topic: ASKED * near + NAMED * named + SUPPORT * support,
                freshness,
                recency,
                anchor: Moment(card.anchor),
            };
            Ranked { card, why, matched }
        })
        .collect();
    ranked.sort_by(|a, b| {
        b.why
            .score
            .total_cmp(&a.why.score)
            .then(b.card.anchor.cmp(&a.card.anchor))
            .then_with(|| a.card.id.cmp(&b.card.id))
    });
    ranked
}

/// How near a topic is to the one asked for: 1 the same, less below it, less
/// above it, and a little for each segment that they share from the start.
fn nearness(topic: &Topic, asked: &Topic) -> f64 {
    if topic == asked {
        return 1.0;
    }
    if topic.is_within(asked) {
        return 0.85;
    }
    let longest = asked.segments().count();
    let shared = topic
        .segments()
        .zip(asked.segments())
        .take_while(|(a, b)| a == b)
        .count();
    0.5 * shared as f64 / longest as f64
}

/// The share of a topic's words that the question names.
fn named(topic: &Topic, question: &[String]) -> f64 {
    let words = terms(topic.as_str());
    if words.is_empty() {
        return 0.0;
    }
    let hits = words.iter().filter(|word| question.contains(word)).count();
    hits as f64 / words.len() as f64
}

/// The existing topics nearest to one that nobody has, best first, at most
/// `most`: by words in common, by a common start, by spelling.
pub fn nearest_topics<K: Clone + Ord>(
    wanted: &Topic,
    existing: &[(K, Topic)],
    most: usize,
) -> Vec<(K, Topic)> {
    let words = terms(wanted.as_str());
    let mut scored: Vec<(f64, &(K, Topic))> = existing
        .iter()
        .map(|row| {
            let topic = &row.1;
            let spelling = strsim::jaro_winkler(wanted.as_str(), topic.as_str());
            let last = strsim::jaro_winkler(last(wanted), last(topic));
            let score = 0.8 * named(topic, &words) + nearness(topic, wanted) + spelling.max(last);
            (score, row)
        })
        .filter(|(score, _)| *score >= 0.6)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored
        .into_iter()
        .take(most)
        .map(|(_, row)| row.clone())
        .collect()
}

fn last(topic: &Topic) -> &str {
    topic.segments().last().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Ages, BrainKey, UnitId};
    use proptest::prelude::*;

    fn topic(text: &str) -> Topic {
        Topic::parse(text).unwrap()
    }

    fn candidate(id: u64, at: &str, keywords: f64, age_days: i64) -> Candidate {
        let anchor = Timestamp::from_millis(0).plus_days(1000 - age_days);
        Candidate {
            card: Card {
                id: UnitId::from_bits(id),
                brain: BrainKey(1),
                topic: topic(at),
                title: None,
                revision: 1,
                retired: false,
                conflicted: false,
                anchor,
                ages: Ages {
                    aging_at: anchor.plus_days(14),
                    stale_at: anchor.plus_days(45),
                },
                later_until: None,
                tokens: 10,
                id_tokens: 8,
                topic_tokens: 4,
                title_tokens: 0,
                pieces: Vec::new(),
            },
            keywords,
        }
    }

    fn order(candidates: Vec<Candidate>, asked: Option<&str>) -> Vec<UnitId> {
        let asked = asked.map(topic);
        let now = Timestamp::from_millis(0).plus_days(1000);
        rank(
            candidates,
            Asked {
                terms: &[],
                topic: asked.as_ref(),
                now,
            },
        )
        .into_iter()
        .map(|ranked| ranked.card.id)
        .collect()
    }

    proptest! {
        #[test]
        fn a_stale_unit_never_outranks_a_fresh_one_that_matches_as_well(
            keywords in 0.01f64..50.0, more in 0.0f64..50.0, fresh_age in 0i64..14, stale_age in 45i64..900,
            others in proptest::collection::vec((0.0f64..50.0, 0i64..900), 0..6),
        ) {
            let mut candidates = vec![
                candidate(1, "x", keywords, stale_age),
                candidate(2, "x", keywords + more, fresh_age),
            ];
            for (at, (keywords, age)) in others.into_iter().enumerate() {
                candidates.push(candidate(10 + at as u64, "y", keywords, age));
            }
            let order = order(candidates, None);
            let place = |id: u64| order.iter().position(|other| *other == UnitId::from_bits(id));
            prop_assert!(place(2) < place(1));
        }

        #[test]
        fn ranking_loses_and_invents_nothing(keywords in proptest::collection::vec(0.0f64..9.0, 0..20)) {
            let candidates: Vec<Candidate> = keywords.iter().enumerate()
                .map(|(id, keywords)| candidate(id as u64, "a/b", *keywords, 3)).collect();
            let mut ids: Vec<UnitId> = candidates.iter().map(|c| c.card.id.clone()).collect();
            let mut ranked = order(candidates, Some("a"));
            ids.sort();
            ranked.sort();
            prop_assert_eq!(ids, ranked);
        }
    }

    #[test]
    fn a_topic_boosts_and_never_filters() {
        let found = order(
            vec![
                candidate(1, "other", 5.0, 1),
                candidate(2, "clients/meridian", 4.0, 1),
                candidate(3, "clients/acme", 4.9, 1),
            ],
            Some("clients/meridian"),
        );
        assert_eq!(found[0], UnitId::from_bits(2));
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn the_nearest_topics_are_named() {
        let existing: Vec<(u8, Topic)> = [
            "clients/meridian",
            "clients/acme",
            "voice",
            "projects/q3-launch",
        ]
        .map(|text| (1, topic(text)))
        .to_vec();
        let nearest = |text: &str| {
            nearest_topics(&topic(text), &existing, 3)
                .into_iter()
                .map(|(_, topic)| topic.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(nearest("client/meridien")[0], "clients/meridian");
        assert_eq!(nearest("q3-launch")[0], "projects/q3-launch");
        assert_eq!(nearest("meridian")[0], "clients/meridian");
        assert_eq!(nearest("zzzz"), Vec::<String>::new());
    }
}
