//! Topics.

use super::{Call, access};
use crate::ports::Counts;
use crate::refusal::{Refusal, Result};
use crate::rules::wanted::given;
use crate::shapes::{LeftOut, TopicRow, TopicsInput, TopicsReply};
use crate::words::{BrainKey, Topic};
use std::collections::BTreeMap;

/// The most topics that a reply lists: about 8,000 tokens.
const MOST: usize = 200;

/// Lists the topics that hold units, by brain and path. With `depth`, what
/// lies deeper counts for its ancestor. Past [`MOST`], the deepest go first.
///
/// # Errors
/// `unknown_brain`, `invalid`.
pub fn topics(call: Call<'_>, input: TopicsInput) -> Result<TopicsReply> {
    let prefix = given(input.prefix.as_deref())
        .map(Topic::parse)
        .transpose()?;
    if input.depth == Some(0) {
        return Err(Refusal::invalid("depth is at least 1."));
    }
    let below = prefix
        .as_ref()
        .map_or(0, |prefix| prefix.segments().count());
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(given(input.brain.as_deref()))?;
        let found = records.topics(&brains, prefix.as_ref(), call.now)?;
        let place = |key: BrainKey| brains.iter().position(|brain| *brain == key);
        let mut rows: BTreeMap<(Option<usize>, Topic), (BrainKey, Counts)> = BTreeMap::new();
        for (brain, topic, counts) in found {
            let topic = match input.depth {
                Some(depth) => topic.ancestor(below + depth as usize),
                None => topic,
            };
            rows.entry((place(brain), topic))
                .or_insert((brain, Counts::default()))
                .1 += counts;
        }
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
                left_out.note(0, "limit");
                continue;
            };
            let Counts {
                units,
                fresh,
                aging,
                stale,
                conflicted,
            } = counts;
            topics.push(TopicRow {
                brain: brain.name.clone(),
                topic,
                units,
                fresh,
                aging,
                stale,
                conflicted,
            });
        }
        Ok(TopicsReply { topics, left_out })
    })
}
