//! Text: its stored and compared forms, its terms, its tokens, its snippets.
//!
//! Pure functions. One analysis ([`terms`], [`question_terms`]) serves writing and asking, so
//! that what is written in one spelling is found in another.

pub mod analysis;
mod filler;
pub mod normal;
pub mod pieces;
mod scan;
mod script;
pub mod shorten;
pub mod tokens;

pub use analysis::{ANALYSIS_VERSION, index_text, question_terms, terms};
pub use normal::{control_character, fingerprint, fold, fold_loose, normal};
pub use pieces::{PIECE_TOKENS, PIECES, Piece, best_piece, pieces};
pub use shorten::{shorten, shorten_chars, shorten_within};
pub use tokens::{count, count_json, most_tokens};
