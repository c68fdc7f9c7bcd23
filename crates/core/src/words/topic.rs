//! Topics.

use crate::refusal::{Refusal, Result};
use crate::text::is_hidden;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use unicode_normalization::UnicodeNormalization;

/// A topic: a path such as `clients/meridian`, at most 200 characters and 8
/// segments, NFC, lower case, `-` for spaces, no empty segments.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Topic(String);

impl Topic {
    /// The most characters of a topic.
    pub const CHARACTERS: usize = 200;
    /// The most segments of a topic.
    pub const SEGMENTS: usize = 8;

    /// Normalises a topic, so that two spellings that normalise alike are one.
    ///
    /// # Errors
    /// `invalid` if nothing is left or it has control characters; `too_large`
    /// past the limits.
    pub fn parse(text: &str) -> Result<Self> {
        if text.len() > 16 * Self::CHARACTERS {
            return Err(Self::over());
        }
        // Before white space folds: a line break is no space between words.
        if text.trim().chars().any(char::is_control) {
            return Err(Refusal::invalid(
                "topic has a control character. Remove it.",
            ));
        }
        let folded: String = text
            .chars()
            .filter(|c| !is_hidden(*c))
            .nfc()
            .flat_map(char::to_lowercase)
            .nfc()
            .collect();
        let mut segments = Vec::new();
        for segment in folded.split('/') {
            let words: Vec<&str> = segment
                .split(|c: char| c.is_whitespace())
                .filter(|word| !word.is_empty())
                .collect();
            let segment = words.join("-");
            // `#` starts the title in an address, and `:` ends its brain.
            if segment.contains('#') {
                return Err(Refusal::invalid(
                    "A topic has no `#`: it separates topic and title in an address.",
                ));
            }
            if !segment.is_empty() {
                segments.push(segment);
            }
        }
        let topic = segments.join("/");
        if topic.is_empty() {
            return Err(Refusal::invalid(
                "topic is empty. A topic is a path such as clients/meridian.",
            ));
        }
        if topic.chars().count() > Self::CHARACTERS || segments.len() > Self::SEGMENTS {
            return Err(Self::over());
        }
        Ok(Self(topic))
    }

    /// A topic as a store kept it: already normal.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    fn over() -> Refusal {
        Refusal::too_large("A topic has at most 200 characters and 8 segments.")
    }

    /// The topic as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its segments, from the first.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// Whether this topic is `other` or lies below it.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0
            .strip_prefix(other.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The first `segments` segments of this topic, at least one.
    pub fn ancestor(&self, segments: usize) -> Self {
        let end = self
            .0
            .match_indices('/')
            .nth(segments.max(1) - 1)
            .map_or(self.0.len(), |(at, _)| at);
        Self(self.0[..end].to_owned())
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Code;
    use proptest::prelude::*;

    #[test]
    fn spellings_that_normalise_alike_are_one_topic() {
        let topic = Topic::parse("clients/caf\u{e9}-noir").unwrap();
        for text in [
            "Clients/Cafe\u{301} Noir",
            "/clients//caf\u{e9}  noir/",
            "clients/caf\u{e9}-\u{200b}noir\u{feff}",
            " CLIENTS / CAF\u{c9} NOIR ",
        ] {
            assert_eq!(Topic::parse(text).unwrap(), topic, "{text}");
        }
    }

    #[test]
    fn what_is_no_topic_is_refused() {
        for (text, code) in [
            ("", Code::Invalid),
            (" / / ", Code::Invalid),
            ("\u{200b}", Code::Invalid),
            ("a\u{0}b", Code::Invalid),
            ("a\nb", Code::Invalid),
            ("a#b", Code::Invalid),
            ("1/2/3/4/5/6/7/8/9", Code::TooLarge),
            (&"x".repeat(201), Code::TooLarge),
        ] {
            assert_eq!(Topic::parse(text).unwrap_err().code, code, "{text}");
        }
    }

    #[test]
    fn a_topic_lies_within_its_ancestors_alone() {
        let topic = |text| Topic::parse(text).unwrap();
        assert!(topic("clients/meridian").is_within(&topic("clients")));
        assert!(topic("clients").is_within(&topic("clients")));
        assert!(!topic("clients-old/x").is_within(&topic("clients")));
        assert_eq!(topic("a/b/c").ancestor(2), topic("a/b"));
        assert_eq!(topic("a").ancestor(2), topic("a"));
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(text in "\\PC{0,60}") {
            if let Ok(topic) = Topic::parse(&text) {
                prop_assert_eq!(Topic::parse(topic.as_str()).unwrap(), topic);
            }
        }
    }
}
