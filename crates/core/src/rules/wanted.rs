//! What a caller wants written: checked against the contract's limits and
//! normalised, before any rule looks at it.

use crate::refusal::{Refusal, Result};
use crate::text::{control_character, fold, is_hidden, normal};
use crate::words::{Content, Field, Timestamp, Topic};

/// The most bytes of a body.
pub const BODY_BYTES: usize = 256 * 1024;
/// The most characters of a title.
pub const TITLE_CHARACTERS: usize = 200;
/// The most tags.
pub const TAGS: usize = 32;
/// The most characters of a tag.
pub const TAG_CHARACTERS: usize = 100;
/// The most characters of a source, a reason or a decision.
pub const NOTE_CHARACTERS: usize = 4000;
/// The longest aging threshold of a unit, in days.
pub const FRESH_FOR_DAYS: u32 = 3650;

/// The fields that a write supplies, normalised. `None`: not supplied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Another topic (with an id).
    pub topic: Option<Topic>,
    /// Another title (with an id).
    pub title: Option<String>,
    /// The whole body.
    pub body: Option<String>,
    /// A paragraph to add.
    pub append: Option<String>,
    /// The tags.
    pub tags: Option<Vec<String>>,
    /// Where to ask again.
    pub source: Option<String>,
    /// The unit's own aging threshold.
    pub fresh_for_days: Option<u32>,
    /// When the fact was seen to hold.
    pub observed_at: Option<Timestamp>,
    /// The fields that are emptied: see [`clear`].
    pub clear: Vec<Field>,
}

impl Wanted {
    /// The fields that are supplied, emptied ones included, `append` aside: it
    /// disputes nothing.
    pub fn supplied(&self) -> Vec<Field> {
        [
            (Field::Topic, self.topic.is_some()),
            (Field::Title, self.title.is_some()),
            (Field::Body, self.body.is_some()),
            (Field::Tags, self.tags.is_some()),
            (Field::Source, self.source.is_some()),
            (Field::FreshForDays, self.fresh_for_days.is_some()),
        ]
        .into_iter()
        .filter_map(|(field, given)| (given || self.clear.contains(&field)).then_some(field))
        .collect()
    }

    /// What a unit says after this is written over `head`: fields that are not
    /// supplied stay.
    pub fn over(&self, head: &Content) -> Content {
        let mut content = Content {
            topic: self.topic.clone().unwrap_or_else(|| head.topic.clone()),
            title: self.title.clone().or_else(|| head.title.clone()),
            body: match (&self.body, &self.append) {
                (Some(body), _) => body.clone(),
                (None, Some(added)) => appended(&head.body, added),
                (None, None) => head.body.clone(),
            },
            tags: match &self.tags {
                Some(tags) if !same_set(tags, &head.tags) => tags.clone(),
                _ => head.tags.clone(),
            },
            source: self.source.clone().or_else(|| head.source.clone()),
            fresh_for_days: self.fresh_for_days.or(head.fresh_for_days),
        };
        emptied(&mut content, &self.clear);
        content
    }
}

/// Empties fields of a content; those that cannot be empty stay.
pub fn emptied(content: &mut Content, fields: &[Field]) {
    for field in fields {
        match field {
            Field::Title => content.title = None,
            Field::Source => content.source = None,
            Field::FreshForDays => content.fresh_for_days = None,
            Field::Tags => content.tags.clear(),
            Field::Topic | Field::Body => {}
        }
    }
}

/// The fields that the person empties, checked: what a screen shows as empty
/// shall be empty. `given` are those that come with a value. Tags have a value
/// that is empty, and a unit has a topic and a body.
///
/// # Errors
/// `invalid` for a field that cannot be emptied so, or has a value as well.
pub fn clear(fields: &[Field], given: &[Field]) -> Result<Vec<Field>> {
    for field in fields {
        let name = field.as_str();
        if !matches!(field, Field::Title | Field::Source | Field::FreshForDays) {
            return Err(Refusal::invalid(format!(
                "clear takes title, source and fresh_for_days, not {name}. Tags are emptied by \
                 `tags: []`; topic and body are never empty."
            )));
        }
        if given.contains(field) {
            return Err(Refusal::invalid(format!(
                "{name} is given and cleared: do one of the two."
            )));
        }
    }
    let cleared = |field: &Field| fields.contains(field);
    Ok(Field::ALL.into_iter().filter(cleared).collect())
}

impl Wanted {
    /// The one write that does what `earlier` and then this one do.
    #[must_use]
    pub fn after(self, earlier: &Self) -> Self {
        let again = self.supplied();
        let kept = earlier.clear.iter().filter(|field| !again.contains(field));
        let clear: Vec<Field> = kept.chain(&self.clear).copied().collect();
        let says_text = self.body.is_some() || self.append.is_some();
        let (body, append) = match (self.body, self.append) {
            (Some(body), _) => (Some(body), None),
            (None, Some(added)) => match (&earlier.body, &earlier.append) {
                (Some(body), _) => (Some(appended(body, &added)), None),
                (None, Some(before)) => (None, Some(appended(before, &added))),
                (None, None) => (None, Some(added)),
            },
            (None, None) => (earlier.body.clone(), earlier.append.clone()),
        };
        Self {
            topic: self.topic.or_else(|| earlier.topic.clone()),
            title: self.title.or_else(|| earlier.title.clone()),
            body,
            append,
            clear,
            tags: self.tags.or_else(|| earlier.tags.clone()),
            source: self.source.or_else(|| earlier.source.clone()),
            fresh_for_days: self.fresh_for_days.or(earlier.fresh_for_days),
            // When it was seen goes with the text that was seen.
            observed_at: match self.observed_at {
                None if !says_text => earlier.observed_at,
                at => at,
            },
        }
    }
}

/// Whether both hold the same tags: their order says nothing.
fn same_set(a: &[String], b: &[String]) -> bool {
    a.len() == b.len() && a.iter().all(|tag| b.contains(tag))
}

/// A body with a paragraph added. One that it already ends with is not added
/// again, so that a repeated call does no harm.
fn appended(body: &str, added: &str) -> String {
    let ends_with_it = body
        .strip_suffix(added)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with("\n\n"));
    if ends_with_it {
        body.to_owned()
    } else {
        format!("{body}\n\n{added}")
    }
}

/// An optional text: empty or blank is the same as left out.
pub fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// Checks and normalises a body, or a paragraph to add (`name` is the
/// argument's).
///
/// # Errors
/// `invalid` if it is empty or has control characters, `too_large` past
/// [`BODY_BYTES`].
pub fn body(name: &str, text: &str) -> Result<String> {
    if text.len() > BODY_BYTES {
        return Err(over_body(name));
    }
    let body = normal(text);
    if body.len() > BODY_BYTES {
        return Err(over_body(name));
    }
    if body.chars().all(|c| is_hidden(c) || c.is_whitespace()) {
        return Err(Refusal::invalid(format!(
            "{name} is empty. To take a unit out, call `retire`."
        )));
    }
    no_control(name, &body)?;
    Ok(body)
}

/// Refuses a body past the limit.
pub fn over_body(name: &str) -> Refusal {
    Refusal::too_large(format!(
        "{name} is larger than 256 KiB; nothing was stored. Split it into several units."
    ))
}

/// Checks and normalises a title.
///
/// # Errors
/// `invalid` for control characters, `too_large` past [`TITLE_CHARACTERS`].
pub fn title(text: &str) -> Result<String> {
    let title = line("title", text, TITLE_CHARACTERS)?;
    // A title that is nothing but marks folds to nothing and would be no
    // address.
    if fold(&title).is_empty() {
        return Err(Refusal::invalid("title is empty."));
    }
    Ok(title)
}

/// Checks and normalises tags: each once whatever its case, in the order given.
///
/// # Errors
/// `invalid` for control characters, `too_large` past [`TAGS`] or
/// [`TAG_CHARACTERS`].
pub fn tags(tags: &[String]) -> Result<Vec<String>> {
    let mut seen = std::collections::HashSet::new();
    let mut kept = Vec::new();
    for tag in tags {
        let tag = line("tags", tag, TAG_CHARACTERS)?;
        let folded = fold(&tag);
        if !folded.is_empty() && seen.insert(folded) {
            kept.push(tag);
        }
        if kept.len() > TAGS {
            return Err(Refusal::too_large(
                "tags has more than 32 entries; nothing was stored.",
            ));
        }
    }
    Ok(kept)
}

/// Checks and normalises a source, a reason or a decision.
///
/// # Errors
/// `invalid` for control characters, `too_large` past [`NOTE_CHARACTERS`].
pub fn note(name: &str, text: &str) -> Result<String> {
    if text.len() > 4 * NOTE_CHARACTERS {
        return Err(over_characters(name, NOTE_CHARACTERS));
    }
    let note = normal(text);
    if note.chars().count() > NOTE_CHARACTERS {
        return Err(over_characters(name, NOTE_CHARACTERS));
    }
    no_control(name, &note)?;
    Ok(note)
}

/// Reads a moment of an argument.
///
/// # Errors
/// `invalid` if it names no moment.
pub fn moment(name: &str, text: &str) -> Result<Timestamp> {
    Timestamp::parse(text).ok_or_else(|| {
        Refusal::invalid(format!(
            "{name} is no moment. Write RFC 3339 with an offset, such as 2026-07-28T09:00:00Z."
        ))
    })
}

/// Checks a unit's own aging threshold.
///
/// # Errors
/// `invalid` outside 1 to [`FRESH_FOR_DAYS`].
pub fn fresh_for_days(days: u32) -> Result<u32> {
    if (1..=FRESH_FOR_DAYS).contains(&days) {
        Ok(days)
    } else {
        Err(Refusal::invalid("fresh_for_days is 1 to 3650."))
    }
}

/// A text of one line: NFC, white space runs as one space, trimmed.
fn line(name: &str, text: &str, most: usize) -> Result<String> {
    if text.len() > 16 * most {
        return Err(over_characters(name, most));
    }
    let normal = normal(text);
    // A text of one line holds no line break either.
    if normal.contains(['\n', '\t']) {
        return Err(Refusal::invalid(format!(
            "{name} is one line of text, without line breaks and tabs."
        )));
    }
    no_control(name, &normal)?;
    let shown: String = normal.chars().filter(|c| !is_hidden(*c)).collect();
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > most {
        return Err(over_characters(name, most));
    }
    Ok(line)
}

fn over_characters(name: &str, most: usize) -> Refusal {
    Refusal::too_large(format!(
        "{name} has more than {most} characters; nothing was stored."
    ))
}

fn no_control(name: &str, text: &str) -> Result<()> {
    match control_character(text) {
        Some(c) => Err(Refusal::invalid(format!(
            "{name} contains the control character U+{:04X}. Remove it and write again.",
            u32::from(c)
        ))),
        None => Ok(()),
    }
}
