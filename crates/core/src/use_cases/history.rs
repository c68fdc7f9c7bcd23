//! History: a unit's revisions and events.

use super::unit::find_to_read;
use super::{Call, access};
use crate::refusal::{Refusal, Result};
use crate::shapes::{
    AgentText, EventRow, HistoryInput, HistoryReply, LeftOut, Moment, RevisionRow,
};

/// Revisions unless told.
const DEFAULT: u32 = 20;
/// The most revisions of a reply.
const MOST: u32 = 200;
/// What the texts of a reply may cost together, in tokens.
const TEXTS: u32 = 6000;
/// Events for each revision that is asked for.
const EVENTS: usize = 4;

/// A unit's revisions and events, newest first; the revisions' texts while
/// they fit 6,000 tokens. A text that does not fit is left out, and a smaller
/// one behind it still comes. Four events come for each revision that is asked
/// for; `left_out` counts the further ones, which cost no text, with the
/// reason `events`.
///
/// # Errors
/// `unknown_unit`; `invalid` for a limit out of range.
pub fn history(call: Call<'_>, input: HistoryInput) -> Result<HistoryReply> {
    let limit = match input.limit.unwrap_or(DEFAULT) {
        limit if (1..=MOST).contains(&limit) => limit as usize,
        _ => return Err(Refusal::invalid("limit is 1 to 200.")),
    };
    let reply = call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = find_to_read(records, &access, &input.id, call.now)?;
        let found = records.revisions(&unit.id, limit)?;
        let (count, tokens) = records.revision_totals(&unit.id)?;
        let mut left_out = LeftOut::default();
        let shown: u64 = found
            .iter()
            .map(|revision| u64::from(revision.tokens))
            .sum();
        left_out.note_all(
            count.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX)),
            tokens.saturating_sub(shown),
            "limit",
        );
        let mut left = TEXTS;
        let revisions = found
            .into_iter()
            .map(|revision| {
                let text = if revision.retired || revision.erased {
                    None
                } else if let Some(rest) = left.checked_sub(revision.tokens) {
                    left = rest;
                    Some(revision.content.body)
                } else {
                    left_out.note(revision.tokens, "budget");
                    None
                };
                RevisionRow {
                    revision: revision.number,
                    at: Moment(revision.at),
                    agent: AgentText(revision.agent),
                    outcome: revision.outcome,
                    base_revision: revision.base.map(|base| base.revision),
                    text,
                    source: revision.content.source,
                }
            })
            .collect();
        let mut events = records.unit_events(&unit.id, limit * EVENTS + 1)?;
        if events.len() > limit * EVENTS {
            // Few units ever have so many that counting them costs something.
            let all = records.unit_events(&unit.id, usize::MAX)?.len();
            events.truncate(limit * EVENTS);
            let further = u32::try_from(all - events.len()).unwrap_or(u32::MAX);
            left_out.note_all(further, 0, "events");
        }
        let events = events
            .into_iter()
            .map(|event| EventRow {
                kind: event.kind,
                revision: event.revision,
                agent: AgentText(event.agent),
                at: Moment(event.at),
                decision: event.detail,
                event: event.id,
            })
            .collect();
        Ok(HistoryReply {
            id: unit.id,
            revisions,
            events,
            left_out,
        })
    })?;
    call.delivered(
        reply
            .revisions
            .iter()
            .filter(|row| row.text.is_some())
            .map(|row| (reply.id.clone(), row.revision)),
    );
    Ok(reply)
}
