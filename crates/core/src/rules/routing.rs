//! Routing: topic and keywords to ranked pointers.

use crate::text::{fingerprint, terms};
use crate::words::Content;

/// BM25 weights of title, topic, tags and body.
pub const WEIGHTS: [f64; 4] = [3.0, 2.0, 2.5, 1.0];

/// A unit's terms, as the keyword index keeps them: each list is in the order
/// of the text. See [`crate::text::terms`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Analysed {
    /// Terms of the title.
    pub title: Vec<String>,
    /// Terms of the topic.
    pub topic: Vec<String>,
    /// Terms of the tags.
    pub tags: Vec<String>,
    /// Terms of the body.
    pub body: Vec<String>,
    /// [`crate::text::fingerprint`] of the body.
    pub fingerprint: i64,
}

/// What the keyword index holds of a content.
pub fn analyse(content: &Content) -> Analysed {
    Analysed {
        title: content.title.as_deref().map(terms).unwrap_or_default(),
        topic: terms(content.topic.as_str()),
        tags: content.tags.iter().flat_map(|tag| terms(tag)).collect(),
        body: terms(&content.body),
        fingerprint: fingerprint(&content.body),
    }
}
