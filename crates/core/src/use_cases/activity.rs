//! Activity: what happened, newest first.

use super::clients::Told;
use super::listed::limit;
use super::{Call, access};
use crate::ports::Happened;
use crate::refusal::Result;
use crate::rules::wanted::given;
use crate::shapes::Moment;
use crate::views::Who;
use crate::views::activity::{ActivityInput, ActivityRow, ActivityView};
use crate::words::{ConnectionName, EventKind, UnitId};
use std::collections::HashMap;

/// What happened in brains that the caller may read; for the person, what
/// happened to connections too.
///
/// # Errors
/// `unknown_brain`; `invalid` for a limit out of range or a bad name.
pub fn activity(call: Call<'_>, input: ActivityInput) -> Result<ActivityView> {
    let limit = limit(input.limit, 50, 200)?;
    let connection = given(input.connection.as_deref())
        .map(ConnectionName::parse)
        .transpose()?;
    let brain = given(input.brain.as_deref());
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(brain)?;
        let happened = Happened {
            brains: &brains,
            // What concerns connections is the person's to know.
            elsewhere: brain.is_none() && call.session.agent.is_person(),
            connection: connection.as_ref(),
            before: input.before,
        };
        let mut found = records.happened(happened, limit + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        let mut stands: HashMap<UnitId, _> = HashMap::new();
        let mut events = Vec::new();
        for event in found {
            let at = match &event.unit {
                Some(unit) => {
                    if !stands.contains_key(unit) {
                        let card = records.listed(&brains, unit)?.map(|listed| listed.card);
                        stands.insert(unit.clone(), card);
                    }
                    stands.get(unit).and_then(Option::as_ref)
                }
                None => None,
            };
            let brain = event.brain.and_then(|key| access.by_key(key));
            let told = Told::of(&event);
            events.push(ActivityRow {
                event: event.id,
                kind: event.kind,
                at: Moment(event.at),
                agent: Who::from(&event.agent),
                brain: brain.map(|brain| brain.name.clone()),
                topic: at.map(|card| card.topic.clone()),
                title: at.and_then(|card| card.title.clone()),
                unit: event.unit,
                revision: event.revision,
                // Of an erased brain it is whom that is told.
                decision: event
                    .detail
                    .filter(|_| event.kind != EventKind::Erased && !told.is_of_client),
                client: told.client,
                client_name: told.client_name,
                connection: told.connection.filter(|_| told.is_of_client),
            });
        }
        Ok(ActivityView { events, more })
    })
}
