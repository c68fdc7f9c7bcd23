//! The one analysis of text, for writing and for asking.
//!
//! A text is brought into one spelling (`script`), parted into terms (`scan`), and English words
//! are stemmed. The same word gives the same terms in every case and composition, whoever writes
//! it; user text is data here and never query syntax.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::filler::is_filler;
use super::scan::{Found, scan};
use super::script::prepared;
use super::shorten::up_to;

/// The version of this analysis. An index made with another one is rebuilt.
pub const ANALYSIS_VERSION: u32 = 1;

/// The bytes at which a term is cut.
const TERM_BYTES: usize = 64;

/// The most terms that a question has.
const QUESTION_TERMS: usize = 32;

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// The terms of `text` as they are indexed, in order, repeated as often as they occur.
///
/// A term is at most 64 bytes of `a-z`, `0-9` and non-ASCII letters, digits and marks; the point
/// of a number is `·`. So terms joined by spaces pass through SQLite's FTS5 with
/// `tokenize='ascii'` as they are.
///
/// - Words are without case, and without diacritics in Latin, Greek and Cyrillic; English
///   endings are stemmed from words of `a-z`.
/// - Compounds give their parts and themselves without signs: q3-launch → q3launch, q3, launch;
///   userId → userid, user, id; 500ms → 500ms, 500, ms. A slash only parts.
/// - 1.5 is `1·5`, 1,500 is `1500`.
/// - Scripts without spaces give single characters and overlapping pairs.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::with_capacity(text.len() / 5);
    for_each_term(text, |term| terms.push(term.to_owned()));
    terms
}

/// The [`terms`] of `text`, joined by single spaces.
pub fn index_text(text: &str) -> String {
    let mut joined = String::with_capacity(text.len() + text.len() / 8);
    for_each_term(text, |term| {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(term);
    });
    joined
}

fn for_each_term(text: &str, mut each: impl FnMut(&str)) {
    // Texts repeat their words, and stemming one takes longer than finding it again.
    let mut stems: HashMap<Box<str>, Box<str>> = HashMap::new();
    scan(&prepared(text), |found, _| {
        let found = cut(found);
        if !is_stemmed(found) {
            each(found);
        } else if let Some(stem) = stems.get(found) {
            each(stem);
        } else {
            let stem = STEMMER.stem(found);
            each(&stem);
            stems.insert(found.into(), stem.into());
        }
    });
}

/// The terms to ask with: those of `text` in their order, each once, at most 32.
///
/// Filler words (what, is, the, …) are left out, unless there is nothing else. Of scripts without
/// spaces only pairs count where there are any: a single character is in too many texts.
pub fn question_terms(text: &str) -> Vec<String> {
    let (mut terms, mut filler) = (Vec::new(), Vec::new());
    let shouted = !text.chars().any(char::is_lowercase);
    let mut first = true;
    scan(&prepared(text), |found, kind| {
        let is_filler = match kind {
            Found::Word(written) => is_filler(found, written, first, shouted),
            Found::Part => is_filler(found, "", false, shouted),
            Found::Character(alone) if !alone => return,
            Found::Whole | Found::Character(_) | Found::Pair => false,
        };
        first = false;
        let terms = if is_filler { &mut filler } else { &mut terms };
        if terms.len() < QUESTION_TERMS {
            let term = term(found);
            if !terms.iter().any(|known: &String| *known == term) {
                terms.push(term.into_owned());
            }
        }
    });
    if terms.is_empty() { filler } else { terms }
}

/// Endings that the stemmer takes from words.
const ENDINGS: [&str; 7] = ["ing", "ed", "ly", "es", "ness", "ment", "ation"];

/// The last word of `text` as the beginning of a term, for someone who is still
/// typing; and the terms that it is about to become where an ending has been
/// begun (quickl → quick). `None` where that would be a single letter of an
/// alphabet, which begins too much.
pub fn last_word(text: &str) -> Option<(String, Vec<String>)> {
    let mut last: Option<String> = None;
    scan(&prepared(text), |found, kind| match kind {
        Found::Pair => {}
        Found::Character(alone) if !alone => {}
        _ => last = Some(cut(found).to_owned()),
    });
    let last = last.filter(|last| last.len() > 1)?;
    let mut terms = Vec::new();
    if is_stemmed(&last) {
        for ending in ENDINGS {
            for begun in (1..ending.len()).filter(|begun| last.ends_with(&ending[..*begun])) {
                let whole = format!("{last}{}", &ending[begun..]);
                let term = STEMMER.stem(&whole).into_owned();
                if !last.starts_with(&term) || terms.contains(&term) {
                    continue;
                }
                terms.push(term);
            }
        }
    }
    Some((last, terms))
}

/// Terms to look for in texts, ready to be compared with many words.
pub(super) struct Wanted<'a> {
    terms: &'a [String],
    /// By the first byte of a word: whether any term starts with it.
    starts: [bool; 256],
}

impl<'a> Wanted<'a> {
    pub(super) fn new(terms: &'a [String]) -> Self {
        let mut starts = [false; 256];
        for first in terms.iter().filter_map(|term| term.bytes().next()) {
            starts[usize::from(first)] = true;
        }
        Self { terms, starts }
    }

    /// How many of the terms are among those of `text`.
    pub(super) fn count_in(&self, text: &str) -> usize {
        let mut seen = vec![false; self.terms.len()];
        scan(&prepared(text), |found, _| {
            // Stemming leaves the first letter, and the second but for dying → die, so most
            // words need no stemming to be passed over.
            let bytes = found.as_bytes();
            if !bytes
                .first()
                .is_some_and(|&first| self.starts[usize::from(first)])
            {
                return;
            }
            let second = |bytes: &[u8]| match bytes.get(1) {
                Some(b'y') => Some(b'i'),
                other => other.copied(),
            };
            let near = |term: &String| {
                term.as_bytes().first() == bytes.first() && second(term.as_bytes()) == second(bytes)
            };
            if self.terms.iter().any(near) {
                let found = term(found);
                if let Some(at) = self.terms.iter().position(|term| *term == found) {
                    seen[at] = true;
                }
            }
        });
        seen.into_iter().filter(|&seen| seen).count()
    }
}

/// The term for a word that [`scan`] found.
fn term(found: &str) -> Cow<'_, str> {
    let found = cut(found);
    if is_stemmed(found) {
        STEMMER.stem(found)
    } else {
        Cow::Borrowed(found)
    }
}

fn is_stemmed(found: &str) -> bool {
    found.len() > 2 && found.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn cut(found: &str) -> &str {
    up_to(found, TERM_BYTES)
}

#[cfg(test)]
#[path = "analysis_tests.rs"]
mod tests;
