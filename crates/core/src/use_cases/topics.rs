//! Topics.

use super::{Call, access};
use crate::ports::{Counts, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::access::Access;
use crate::rules::routing::nearest_topics;
use crate::rules::wanted::given;
use crate::shapes::{LeftOut, TopicRow, TopicsInput, TopicsReply};
use crate::views::units::TopicsView;
use crate::words::{Brain, BrainKey, Timestamp, Topic};
use std::collections::BTreeMap;

/// The most topics that a reply lists: about 8,000 tokens.
const MOST: usize = 200;

/// A topic's brain, with its counts.
type Rows = BTreeMap<(Option<usize>, Topic), (BrainKey, Counts)>;

/// Lists the topics that hold units, by brain and path. With `depth`, what
/// lies deeper counts for its ancestor. Past [`MOST`], the deepest go first;
/// `left_out` counts their units.
///
/// # Errors
/// `unknown_brain`, `invalid`.
pub fn topics(call: Call<'_>, input: TopicsInput) -> Result<TopicsReply> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let rows = rows(records, &access, &input, call.now)?;
        let mut left_out = LeftOut::default();
        // The overview stays: of too many topics the deepest are left out.
        let mut depths: Vec<usize> = rows
            .keys()
            .map(|(_, topic)| topic.segments().count())
            .collect();
        depths.sort_unstable();
        let deepest = depths.get(MOST).copied().unwrap_or(usize::MAX);
        let mut topics = Vec::new();
        let mut at_deepest = depths
            .iter()
            .take(MOST)
            .filter(|depth| **depth == deepest)
            .count();
        for ((_, topic), (key, counts)) in rows {
            let depth = topic.segments().count();
            let fits = depth < deepest || (depth == deepest && at_deepest > 0);
            if depth == deepest && fits {
                at_deepest -= 1;
            }
            let Some(brain) = access.by_key(key).filter(|_| fits) else {
                left_out.note_all(counts.units, counts.tokens, "limit");
                continue;
            };
            topics.push(row(brain, topic, counts));
        }
        Ok(TopicsReply { topics, left_out })
    })
}

/// As [`topics`], all of them: for people.
///
/// # Errors
/// `unknown_brain`, `invalid`.
pub fn all_topics(call: Call<'_>, input: TopicsInput) -> Result<TopicsView> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let topics = rows(records, &access, &input, call.now)?
            .into_iter()
            .filter_map(|((_, topic), (key, counts))| Some(row(access.by_key(key)?, topic, counts)))
            .collect();
        Ok(TopicsView { topics })
    })
}

/// Lists the topics of all readable brains that come after a place in their
/// order (brain's short name, then path), at most `most`, and tells whether
/// there are more: for whoever goes through all of them.
///
/// # Errors
/// Those of every use case.
pub fn topics_after(
    call: Call<'_>,
    after: Option<(&str, &Topic)>,
    most: usize,
) -> Result<(Vec<TopicRow>, bool)> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(None)?;
        let mut rows = records
            .topics(&brains, None, call.now)?
            .into_iter()
            .filter_map(|(key, topic, counts)| {
                let brain = access.by_key(key)?;
                let place = (brain.name.as_str(), &topic);
                let comes = after.is_none_or(|after| place > after);
                comes.then(|| row(brain, topic, counts))
            });
        let topics = rows.by_ref().take(most).collect();
        Ok((topics, rows.next().is_some()))
    })
}

/// The topics nearest to one that nobody in these brains has, at most `most`.
/// `None` where someone has it.
pub(super) fn nearest(
    records: &dyn Records,
    brains: &[BrainKey],
    topic: &Topic,
    most: usize,
    now: Timestamp,
) -> Result<Option<Vec<(BrainKey, Topic)>>> {
    if !records.topics(brains, Some(topic), now)?.is_empty() {
        return Ok(None);
    }
    let existing: Vec<(BrainKey, Topic)> = records
        .topics(brains, None, now)?
        .into_iter()
        .map(|(brain, topic, _)| (brain, topic))
        .collect();
    Ok(Some(nearest_topics(topic, &existing, most)))
}

/// The topics asked for, by brain and path; with `depth`, what lies deeper
/// counts for its ancestor.
fn rows(
    records: &dyn Records,
    access: &Access,
    input: &TopicsInput,
    now: Timestamp,
) -> Result<Rows> {
    let prefix = given(input.prefix.as_deref())
        .map(Topic::parse)
        .transpose()?;
    if input.depth == Some(0) {
        return Err(Refusal::invalid("depth is at least 1."));
    }
    let below = prefix
        .as_ref()
        .map_or(0, |prefix| prefix.segments().count());
    let brains = access.keys(given(input.brain.as_deref()))?;
    let place = |key: BrainKey| brains.iter().position(|brain| *brain == key);
    let mut rows = Rows::new();
    for (brain, topic, counts) in records.topics(&brains, prefix.as_ref(), now)? {
        let topic = match input.depth {
            Some(depth) => topic.ancestor(below + depth as usize),
            None => topic,
        };
        rows.entry((place(brain), topic))
            .or_insert((brain, Counts::default()))
            .1 += counts;
    }
    Ok(rows)
}

fn row(brain: &Brain, topic: Topic, counts: Counts) -> TopicRow {
    TopicRow {
        brain: brain.name.clone(),
        topic,
        units: counts.units,
        fresh: counts.fresh,
        aging: counts.aging,
        stale: counts.stale,
        conflicted: counts.conflicted,
    }
}
