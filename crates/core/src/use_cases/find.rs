//! Find: the search for people.

use super::listed::{limit, row, snippet};
use super::search::Question;
use super::{Call, access};
use crate::refusal::Result;
use crate::rules::wanted::given;
use crate::shapes::SearchInput;
use crate::text::best_piece;
use crate::views::units::{FindInput, FoundRow, FoundView};

/// How many candidates are ranked.
const CANDIDATES: usize = 150;

/// Ranks units for a question, a topic or a need, as `search` does, without a
/// budget; the last word also matches as a beginning.
///
/// # Errors
/// `invalid` without `query`, `topic` and `needs`, and for a limit out of
/// range; `unknown_brain`.
pub fn find(call: Call<'_>, input: FindInput) -> Result<FoundView> {
    let limit = limit(input.limit, 50, 50)?;
    let brain = input.brain.clone();
    let asked = SearchInput {
        query: input.query,
        topic: input.topic,
        freshness: input.freshness,
        needs: input.needs,
        ..SearchInput::default()
    };
    let question = Question::typed(&asked, CANDIDATES)?;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(given(brain.as_deref()))?;
        let found = question.ask(records, &brains, call.now)?;
        let ranked = u32::try_from(found.ranked.len()).unwrap_or(u32::MAX);
        let mut results = Vec::new();
        for ranked in found.ranked.iter().take(limit) {
            let card = &ranked.card;
            let (Some(brain), Some(listed)) = (
                access.by_key(card.brain),
                records.listed(&brains, &card.id)?,
            ) else {
                continue;
            };
            let mut unit = row(&listed, brain, call.now);
            if let Some(piece) = best_piece(&card.pieces, &question.terms) {
                unit.snippet = snippet(piece);
            }
            results.push(FoundRow {
                unit,
                score: ranked.why.score,
            });
        }
        Ok(FoundView {
            results,
            total: ranked.saturating_add(found.further.0),
        })
    })
}
