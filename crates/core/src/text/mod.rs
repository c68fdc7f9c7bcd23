//! Text: its stored and compared forms, its terms, its tokens, its snippets.
//!
//! Pure functions. One analysis ([`terms`], [`question_terms`]) serves writing and asking, so
//! that what is written in one spelling is found in another.

pub mod analysis;
pub mod excerpt;
mod filler;
pub mod normal;
pub mod pieces;
pub mod plain;
mod scan;
mod script;
pub mod shorten;
pub mod tokens;

pub use analysis::{ANALYSIS_VERSION, index_text, last_word, question_terms, terms};
pub use excerpt::{EXCERPT, beginning, excerpts, line_excerpts};
pub use normal::{control_character, fingerprint, fold, fold_loose, is_hidden, normal};
pub use pieces::{PIECE_TOKENS, PIECES, Piece, best_piece, pieces};
pub use plain::plain;
pub use shorten::{shorten, shorten_chars, shorten_within};
pub use tokens::{count, count_json, most_tokens};

/// Every character but the bulk of the large scripts of like characters, and what is unassigned.
#[cfg(test)]
fn every_script() -> impl Iterator<Item = char> {
    ('\0'..='\u{1FFFF}')
        .chain('\u{2F800}'..='\u{2FA1F}')
        .chain('\u{E0000}'..='\u{E01FF}')
        .filter(|c| {
            !matches!(c,
                '\u{3500}'..='\u{9F00}' | '\u{AD00}'..='\u{D700}' | '\u{E000}'..='\u{F8FF}'
                | '\u{12000}'..='\u{1AFEF}')
        })
}
