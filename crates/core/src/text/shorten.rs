//! Texts cut to a size.

use unicode_segmentation::UnicodeSegmentation;

use super::tokens::{count_json, count_json_within, json_bytes};

const ELLIPSIS: char = '…';

/// `text` cut between graphemes and ended with `…`, so that as a JSON string it has at most
/// `tokens` tokens; as it is, if it has no more already. With its number of tokens.
///
/// Loads the tokeniser. Where not even `…` fits, that is what is left.
pub fn shorten(text: &str, tokens: u32) -> (String, u32) {
    if let Some(count) = count_json_within(text, tokens) {
        return (text.to_owned(), count);
    }
    // Tokens are a few bytes long; runs of one sign, whose tokens are longer, lose a little more.
    let window = up_to(
        text,
        usize::try_from(tokens)
            .unwrap_or(usize::MAX)
            .saturating_mul(16),
    );
    let end = longest_prefix(window, |prefix| {
        count_json_within(&ellipsed(prefix), tokens).is_some()
    });
    let short = ellipsed(&window[..end]);
    let count = count_json(&short);
    (short, count)
}

/// `text` cut between graphemes and ended with `…`, so that it has at most `chars` characters
/// (code points); as it is, if it has no more already. Empty for none.
pub fn shorten_chars(text: &str, chars: usize) -> String {
    cut_by(text, chars, 1, |_| 1)
}

/// `text` cut between graphemes and ended with `…`, so that
/// [`most_tokens`](super::tokens::most_tokens) of it is at most `tokens`; as it is, if it has no
/// more already. Loads no tokeniser. Empty where not even `…` fits.
pub fn shorten_within(text: &str, tokens: u32) -> String {
    let bytes = usize::try_from(tokens)
        .unwrap_or(usize::MAX)
        .saturating_sub(2);
    cut_by(text, bytes, json_bytes(ELLIPSIS), json_bytes)
}

/// The cut where every character has a size of its own, and `…` has `ellipsis`.
fn cut_by(text: &str, size: usize, ellipsis: usize, char_size: impl Fn(char) -> usize) -> String {
    let mut left = size;
    let fits = |c: char| {
        let rest = left.checked_sub(char_size(c));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    if text.chars().all(fits) {
        return text.to_owned();
    }
    let Some(mut left) = size.checked_sub(ellipsis) else {
        return String::new();
    };
    let mut end = 0;
    for grapheme in text.graphemes(true) {
        let Some(rest) = left.checked_sub(grapheme.chars().map(&char_size).sum()) else {
            break;
        };
        left = rest;
        end += grapheme.len();
    }
    ellipsed(&text[..end])
}

/// The end of the longest prefix of `text`, cut between graphemes, that `fits`; 0 if none does.
///
/// What is asked for is what was tried, so the prefix fits even where a longer one can fit and a
/// shorter one not. About log2 of the graphemes of `text` are tried.
pub(super) fn longest_prefix(text: &str, mut fits: impl FnMut(&str) -> bool) -> usize {
    let ends: Vec<usize> = text
        .grapheme_indices(true)
        .map(|(start, grapheme)| start + grapheme.len())
        .collect();
    let fitting = ends.partition_point(|&end| fits(&text[..end]));
    fitting.checked_sub(1).map_or(0, |last| ends[last])
}

/// The longest prefix of `text` of at most `bytes` bytes, cut between characters.
pub(super) fn up_to(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let end = (0..=bytes)
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(0);
    &text[..end]
}

fn ellipsed(prefix: &str) -> String {
    let mut text = prefix.trim_end().to_owned();
    text.push(ELLIPSIS);
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tokens::most_tokens;
    use super::*;

    #[test]
    fn what_fits_stays() {
        assert_eq!(
            shorten("Tone of voice", 20),
            ("Tone of voice".to_owned(), 5)
        );
        assert_eq!(shorten_chars("Tone of voice", 13), "Tone of voice");
        assert_eq!(shorten_within("Tone of voice", 15), "Tone of voice");
    }

    #[test]
    fn what_does_not_is_cut() {
        assert_eq!(
            shorten("The launch of the third quarter", 5).0,
            "The launch of the…"
        );
        assert_eq!(shorten_chars("Tone of voice", 8), "Tone of…");
        assert_eq!(shorten_chars("Tone of voice", 1), "…");
        assert_eq!(shorten_chars("Tone of voice", 0), "");
        assert_eq!(shorten_within("Tone of voice", 13), "Tone of…");
        assert_eq!(shorten_within("Tone", 4), "");
        assert_eq!(shorten("Tone of voice", 0).0, "…");
        assert_eq!(shorten_chars("👩‍🔧👩‍🔧", 5), "👩‍🔧…");
    }

    #[test]
    fn a_prefix_may_end_anywhere_in_a_run() {
        let (text, tokens) = shorten(&"x".repeat(100_000), 30);
        assert!(tokens <= 30 && text.len() > 30);
    }

    proptest! {
        #[test]
        fn limits_hold(text in any::<String>(), limit in 0_u32..60) {
            let (short, tokens) = shorten(&text, limit);
            prop_assert_eq!(count_json(&short), tokens);
            prop_assert!(tokens <= limit || short == "…" || text.is_empty());
            let short = shorten_chars(&text, limit as usize);
            prop_assert!(short.chars().count() <= limit as usize);
            prop_assert_eq!(short == text, text.chars().count() <= limit as usize);
            let short = shorten_within(&text, limit);
            prop_assert!(most_tokens(&short) <= limit.max(2));
            prop_assert!(count_json(&short) <= limit.max(2));
        }
    }
}
