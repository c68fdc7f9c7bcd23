//! Snippets: a body is cut and counted when it is written, so that reading only chooses.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unicode_segmentation::UnicodeSegmentation;

use super::analysis::Wanted;
use super::shorten::{longest_prefix, up_to};
use super::tokens::{count_json, count_json_within};

/// The most tokens of one piece, as a JSON string with its quotes.
pub const PIECE_TOKENS: u32 = 40;

/// The most pieces of one body. The text after them gives no snippets.
pub const PIECES: usize = 48;

/// The most bytes of one piece: what 40 tokens hold in no language, but a run of one sign can.
const PIECE_BYTES: usize = 400;

/// A cut of a body that can stand as a snippet. In JSON it is `[text, tokens]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text, its white space single spaces.
    pub text: String,
    /// The o200k tokens of the text as a JSON string with its quotes.
    pub tokens: u32,
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.text, self.tokens).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (text, tokens) = Deserialize::deserialize(deserializer)?;
        Ok(Self { text, tokens })
    }
}

/// `body` (Markdown) in pieces of at most [`PIECE_TOKENS`], at most [`PIECES`] of them; none for
/// a blank body. Loads the tokeniser.
///
/// Sentences of a paragraph, items of a list and rows of a table share a piece while they fit,
/// and a heading goes with what follows it. A sentence that is too long is cut at a space, and
/// where there is none, between graphemes.
pub fn pieces(body: &str) -> Vec<Piece> {
    let mut packer = Packer::default();
    for unit in units(body) {
        let mut joins = unit.joins;
        for sentence in sentences(&unit.text) {
            if packer.is_full() {
                return packer.pieces;
            }
            packer.add(sentence, joins);
            joins = true;
        }
    }
    if packer.pieces.is_empty() && packer.open.is_none() {
        // A body of nothing but rules.
        let (mut text, mut bytes) = (String::new(), PIECE_BYTES);
        push_collapsed(&mut text, body, &mut bytes);
        if !text.is_empty() {
            packer.add(&text, false);
        }
    }
    packer.close();
    packer.pieces
}

/// The piece that holds most of `terms` (made by [`question_terms`](super::question_terms)), the
/// first of several; the first of all where none holds any. Loads no tokeniser.
pub fn best_piece<'a>(pieces: &'a [Piece], terms: &[String]) -> Option<&'a Piece> {
    let mut best = pieces.first()?;
    if pieces.len() == 1 || terms.is_empty() {
        return Some(best);
    }
    let wanted = Wanted::new(terms);
    let mut most = 0;
    for piece in pieces {
        let count = wanted.count_in(&piece.text);
        if count > most {
            (best, most) = (piece, count);
            if count == terms.len() {
                break;
            }
        }
    }
    Some(best)
}

#[derive(Default)]
struct Packer {
    pieces: Vec<Piece>,
    /// The piece that the next sentence may join.
    open: Option<Piece>,
}

impl Packer {
    fn is_full(&self) -> bool {
        self.pieces.len() >= PIECES
    }

    fn close(&mut self) {
        if let Some(piece) = self.open.take()
            && !self.is_full()
        {
            self.pieces.push(piece);
        }
    }

    fn add(&mut self, sentence: &str, joins: bool) {
        if let Some(open) = self.open.as_ref().filter(|_| joins)
            && let Some(joined) = fitting(format!("{} {sentence}", open.text))
        {
            self.open = Some(joined);
            return;
        }
        self.close();
        let mut rest = sentence;
        while !rest.is_empty() && !self.is_full() {
            if let Some(piece) = fitting(rest.to_owned()) {
                self.open = Some(piece);
                return;
            }
            let (cut, after) = rest.split_at(cut(rest));
            let text = cut.trim_end().to_owned();
            let tokens = count_json(&text);
            self.pieces.push(Piece { text, tokens });
            rest = after.trim_start();
        }
    }
}

fn fitting(text: String) -> Option<Piece> {
    if text.len() > PIECE_BYTES {
        return None;
    }
    let tokens = count_json_within(&text, PIECE_TOKENS)?;
    Some(Piece { text, tokens })
}

/// Where to cut `text`, which is too long for a piece: above 0, and what is before fits.
fn cut(text: &str) -> usize {
    let fits = |text: &str| count_json_within(text.trim_end(), PIECE_TOKENS).is_some();
    let window = up_to(text, PIECE_BYTES);
    let end = match longest_prefix(window, fits) {
        // One grapheme with more marks than a piece can hold.
        0 => char_prefix(window, fits),
        end => end,
    };
    // A space in the second half is a better place, as long as it is no worse a count.
    match text[..end].rfind(' ') {
        _ if text[end..].starts_with(' ') => end,
        Some(space) if space > end / 2 && fits(&text[..space]) => space,
        _ => end,
    }
}

/// The end of the longest prefix of `text` that `fits`, between characters. The first always
/// fits: it has at most six bytes in JSON.
fn char_prefix(text: &str, fits: impl Fn(&str) -> bool) -> usize {
    let ends: Vec<usize> = text
        .char_indices()
        .map(|(start, c)| start + c.len_utf8())
        .collect();
    let fitting = ends.partition_point(|&end| fits(&text[..end]));
    ends.get(fitting.saturating_sub(1))
        .copied()
        .unwrap_or(text.len())
}

/// A heading, paragraph, list item or table row, its white space collapsed.
struct Unit {
    text: String,
    /// Whether it can share a piece with the unit before it.
    joins: bool,
}

/// The units of `body`, as far as [`PIECES`] can reach.
fn units(body: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut bytes = PIECES * PIECE_BYTES;
    // Whether the line continues the last unit, and whether a new one may join it.
    let (mut continues, mut joins) = (false, false);
    for line in body.lines() {
        let line = line.trim();
        if bytes == 0 {
            break;
        }
        if line.is_empty() {
            continues = false;
            joins &= units.last().is_some_and(|unit| is_heading(&unit.text));
        } else if is_rule(line) {
            continues = false;
        } else {
            let heading = is_heading(line);
            match units.last_mut() {
                Some(unit) if continues && !heading && marker(line) == 0 => {
                    push_collapsed(&mut unit.text, line, &mut bytes);
                }
                _ => {
                    let mut text = String::new();
                    push_collapsed(&mut text, line, &mut bytes);
                    units.push(Unit {
                        text,
                        joins: joins && !heading,
                    });
                }
            }
            (continues, joins) = (!heading, true);
        }
    }
    units
}

/// Adds `text` to `unit`, every run of white space one space, while there are `bytes` left.
fn push_collapsed(unit: &mut String, text: &str, bytes: &mut usize) {
    for word in text.split_whitespace() {
        let part = up_to(word, *bytes);
        if part.is_empty() {
            *bytes = 0;
            return;
        }
        if !unit.is_empty() {
            unit.push(' ');
        }
        unit.push_str(part);
        *bytes = bytes.saturating_sub(part.len() + 1);
    }
}

fn is_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - text.len())) && (text.is_empty() || text.starts_with(' '))
}

/// Whether `line` only draws: a thematic break, an underline, a table's rule, a code fence.
fn is_rule(line: &str) -> bool {
    let drawn = line.len() > 2 && line.chars().all(|c| "-=*_|:+ ".contains(c));
    let info = line
        .strip_prefix("```")
        .or_else(|| line.strip_prefix("~~~"));
    drawn || info.is_some_and(|info| !info.contains(['`', ' ']))
}

/// The bytes of the marker with which `line` starts a list item or a table row; 0 if it does not.
fn marker(line: &str) -> usize {
    if line.starts_with('|') {
        return 1;
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let signs: &[char] = if digits > 0 {
        &['.', ')']
    } else {
        &['-', '*', '+', '•']
    };
    match line[digits..].strip_prefix(signs) {
        Some(rest) if digits < 10 && rest.starts_with(' ') => line.len() - rest.len(),
        _ => 0,
    }
}

/// The sentences of one unit, the marker of a list item with its first.
fn sentences(unit: &str) -> impl Iterator<Item = &str> {
    let marker = marker(unit);
    unit[marker..]
        .split_sentence_bound_indices()
        .map(move |(start, sentence)| {
            let end = marker + start + sentence.len();
            unit[if start == 0 { 0 } else { marker + start }..end].trim()
        })
        .filter(|sentence| !sentence.is_empty())
}

#[cfg(test)]
#[path = "pieces_tests.rs"]
mod tests;
