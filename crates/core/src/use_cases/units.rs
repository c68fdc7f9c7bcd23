//! Units: lists for people.

use super::listed::{limit, row};
use super::{Call, access, topics};
use crate::ports::Listing;
use crate::refusal::Result;
use crate::rules::wanted::given;
use crate::shapes::TopicAddress;
use crate::views::units::{UnitsInput, UnitsView};
use crate::words::Topic;

/// How many topics are named where nobody has the one asked for.
const NEAREST: usize = 3;

/// A page of the units that the caller may read. A retired unit in conflict is
/// among them: its clash must be seen.
///
/// # Errors
/// `unknown_brain`; `invalid` for a limit out of range or a bad topic.
pub fn units(call: Call<'_>, input: UnitsInput) -> Result<UnitsView> {
    let limit = limit(input.limit, 100, 200)?;
    let topic = given(input.topic.as_deref())
        .map(Topic::parse)
        .transpose()?;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(given(input.brain.as_deref()))?;
        let listing = Listing {
            topic: topic.as_ref(),
            exact: input.exact,
            needs: input.needs,
            retired: input.retired,
            order: input.order,
            now: call.now,
        };
        let (listed, total) = records.list(&brains, listing, input.offset as usize, limit)?;
        let units = listed
            .iter()
            .filter_map(|listed| Some(row(listed, access.by_key(listed.card.brain)?, call.now)))
            .collect();
        let nearest = match &topic {
            Some(topic) if total == 0 => {
                topics::nearest(records, &brains, topic, NEAREST, call.now)?
            }
            _ => None,
        };
        let nearest_topics = nearest.map(|nearest| {
            let address = |(key, topic)| {
                let brain = access.by_key(key)?.name.clone();
                Some(TopicAddress { brain, topic })
            };
            nearest.into_iter().filter_map(address).collect()
        });
        Ok(UnitsView {
            units,
            total,
            nearest_topics,
        })
    })
}
