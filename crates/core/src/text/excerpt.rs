//! Two texts around their first difference.

use super::plain;
use unicode_segmentation::UnicodeSegmentation;

/// The most characters of an excerpt.
pub const EXCERPT: usize = 160;

/// The most characters before the difference.
const LEAD: usize = 48;

const ELLIPSIS: char = '…';

/// What two texts say around their first difference, each in at most
/// [`EXCERPT`] characters (code points): cut between words where there are any,
/// never inside a grapheme, with `…` where something is left out. Both hold the
/// first grapheme that differs; the text that ends there, its end. Of like
/// texts, the beginnings.
///
/// A grapheme that alone is longer than an excerpt is left out.
pub fn excerpts(before: &str, after: &str) -> (String, String) {
    let at = if before == after {
        0
    } else {
        common(before, after)
    };
    (around(before, at), around(after, at))
}

/// As [`excerpts`], of two Markdown texts, for a line in a list: without the
/// marks, unless nothing else differs.
pub fn line_excerpts(before: &str, after: &str) -> (String, String) {
    let (old, new) = (plain(before), plain(after));
    if old == new {
        excerpts(before, after)
    } else {
        excerpts(&old, &new)
    }
}

/// The beginning of a text, in at most [`EXCERPT`] characters.
pub fn beginning(text: &str) -> String {
    around(text, 0)
}

/// The bytes that both texts begin with, in whole graphemes of both.
fn common(a: &str, b: &str) -> usize {
    a.graphemes(true)
        .zip(b.graphemes(true))
        .take_while(|(a, b)| a == b)
        .map(|(grapheme, _)| grapheme.len())
        .sum()
}

fn around(text: &str, at: usize) -> String {
    if text.chars().count() <= EXCERPT {
        return text.to_owned();
    }
    // The grapheme that differs comes before what leads to it.
    let differing = text[at..]
        .graphemes(true)
        .next()
        .map_or(0, |grapheme| grapheme.chars().count());
    let room = EXCERPT - 2;
    let start = start(text, at, LEAD.min(room.saturating_sub(differing)));
    let mut short = String::new();
    let mut left = EXCERPT;
    if start > 0 {
        short.push(ELLIPSIS);
        left -= 1;
    }
    let rest = &text[start..];
    if rest.chars().count() <= left {
        short.push_str(rest);
        return short;
    }
    let least = at - start + text[at..].graphemes(true).next().map_or(0, str::len);
    short.push_str(&rest[..end(rest, least, left - 1)]);
    short.push(ELLIPSIS);
    short
}

/// Where an excerpt begins: at most `lead` characters before `at`, at the
/// first word of these.
fn start(text: &str, at: usize, lead: usize) -> usize {
    let mut left = lead;
    let mut start = at;
    for grapheme in text[..at].graphemes(true).rev() {
        let Some(rest) = left.checked_sub(grapheme.chars().count()) else {
            break;
        };
        left = rest;
        start -= grapheme.len();
    }
    if start == 0 {
        return 0;
    }
    let mut after_space = text[..start].ends_with(char::is_whitespace);
    for (offset, grapheme) in text[start..at].grapheme_indices(true) {
        let space = grapheme.chars().all(char::is_whitespace);
        if after_space && !space {
            return start + offset;
        }
        after_space = space;
    }
    if after_space { at } else { start }
}

/// Where an excerpt ends: after at most `most` characters, at the end of the
/// last word that lies behind the first `least` bytes.
fn end(text: &str, least: usize, most: usize) -> usize {
    let mut left = most;
    let mut end = 0;
    let mut word = None;
    let mut in_word = false;
    for grapheme in text.graphemes(true) {
        let space = grapheme.chars().all(char::is_whitespace);
        if space && in_word && end >= least {
            word = Some(end);
        }
        in_word = !space;
        let Some(rest) = left.checked_sub(grapheme.chars().count()) else {
            break;
        };
        left = rest;
        end += grapheme.len();
    }
    word.unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_texts_stay_whole() {
        assert_eq!(
            excerpts("Delayed to May", "Delayed to June"),
            ("Delayed to May".into(), "Delayed to June".into())
        );
    }

    #[test]
    fn long_texts_are_cut_between_words_around_the_difference() {
        let long = |word: &str| format!("{}{word} {}", "lead ".repeat(60), "tail ".repeat(60));
        let (before, after) = excerpts(&long("May"), &long("June"));
        assert!(before.starts_with("…lead "), "{before}");
        assert!(before.contains(" May tail "), "{before}");
        assert!(after.contains(" June tail "), "{after}");
        assert!(after.ends_with("tail…"), "{after}");
    }

    #[test]
    fn a_text_that_only_goes_on_shows_where() {
        let text = "word ".repeat(50);
        let (before, after) = excerpts(text.trim_end(), &format!("{text}more"));
        assert!(before.ends_with("word"), "{before}");
        assert!(after.ends_with("more"), "{after}");
    }

    /// Texts with much in common.
    fn pair() -> impl Strategy<Value = (String, String)> {
        let piece = prop_oneof![
            "[a-z]{1,12} ",
            "\\PC{0,40}",
            Just("👩‍🔧e\u{301}".to_owned()),
            Just("日本語の文章".to_owned()),
            Just("x".repeat(90)),
        ];
        let pieces = || proptest::collection::vec(piece.clone(), 0..30).prop_map(|it| it.concat());
        (pieces(), pieces(), pieces()).prop_map(|(lead, a, b)| (lead.clone() + &a, lead + &b))
    }

    proptest! {
        #[test]
        fn both_hold_the_difference_whole((before, after) in pair()) {
            let (old, new) = excerpts(&before, &after);
            let at = common(&before, &after);
            for (text, short) in [(&before, &old), (&after, &new)] {
                prop_assert!(short.chars().count() <= EXCERPT);
                let inner = short
                    .strip_prefix(ELLIPSIS)
                    .filter(|_| !text.starts_with(short.as_str()))
                    .unwrap_or(short);
                let inner = match inner.strip_suffix(ELLIPSIS) {
                    Some(cut) if !text.ends_with(inner) => cut,
                    _ => inner,
                };
                // It lies in the text, begins and ends between graphemes, and
                // goes over the place of the difference.
                let ends: Vec<usize> = text
                    .grapheme_indices(true)
                    .map(|(start, _)| start)
                    .chain([text.len()])
                    .collect();
                let next = ends.iter().copied().find(|end| *end > at).unwrap_or(at);
                let begins = |start: &usize| text[*start..].starts_with(inner);
                let holds = ends.clone().into_iter().filter(begins).any(|start| {
                    let end = start + inner.len();
                    ends.contains(&end)
                        && (before == after || (start <= at && end >= next))
                });
                prop_assert!(holds || (inner.is_empty() && text.is_empty()), "{text:?} {short:?}");
            }
        }
    }
}
