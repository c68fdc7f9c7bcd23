//! Counting tokens as o200k: exact for some models, an estimate for the others.
//!
//! The first count loads the tokeniser (some 70 MiB, about 0.15 s). Counts are therefore made at
//! write time; what only reads keeps to [`most_tokens`].

use bpe_openai::{Tokenizer, o200k_base};

/// The tokens of `text`. Loads the tokeniser.
pub fn count(text: &str) -> u32 {
    saturated(tokeniser().count(text))
}

/// The tokens of `text` as a JSON string, its quotes and escapes included. Loads the tokeniser.
pub fn count_json(text: &str) -> u32 {
    count(&json(text))
}

/// [`count_json`] where it is at most `limit`. Stops counting soon after the limit.
pub(super) fn count_json_within(text: &str, limit: u32) -> Option<u32> {
    let json = json(text);
    let tokeniser = tokeniser();
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    tokeniser
        .count_till_limit(&tokeniser.normalize(json.as_str()), limit)
        .map(saturated)
}

/// A number of tokens that `text` as a JSON string never exceeds, found without the tokeniser:
/// the bytes of that string, since every token holds at least one.
pub fn most_tokens(text: &str) -> u32 {
    saturated(2 + text.chars().map(json_bytes).sum::<usize>())
}

/// The bytes that `c` takes within a JSON string.
pub(super) fn json_bytes(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        c => c.len_utf8(),
    }
}

/// `text` as a JSON string. A string always has one, so the fallback is never taken.
fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// The only way to the tokeniser.
fn tokeniser() -> &'static Tokenizer {
    o200k_base()
}

fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_are_those_of_o200k() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert_eq!(count_json("hello"), 3);
        assert_eq!(count_json_within("hello", 2), None);
        assert_eq!(count_json_within("hello", 3), Some(3));
    }

    #[test]
    fn long_runs_are_counted() {
        for run in [
            "a",
            " ",
            "\n",
            "=",
            "界",
            "\u{301}",
            "\0",
            "9",
            "\u{200D}",
            "👩‍🔧",
        ] {
            let text = run.repeat(20_000);
            assert!(count(&text) > 0);
            assert!(count_json(&text) <= most_tokens(&text));
        }
    }

    proptest! {
        #[test]
        fn no_count_exceeds_its_bound(text in any::<String>()) {
            prop_assert_eq!(
                most_tokens(&text),
                u32::try_from(serde_json::to_string(&text).unwrap().len()).unwrap()
            );
            let tokens = count_json(&text);
            prop_assert!(tokens <= most_tokens(&text));
            prop_assert!(count(&text) as usize <= text.len());
            prop_assert_eq!(count_json_within(&text, tokens), Some(tokens));
        }
    }
}
