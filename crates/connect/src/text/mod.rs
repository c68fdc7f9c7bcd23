//! Configuration as text: found and changed by splices into the bytes that are
//! there, so that whatever is not ours stays as it is, comments, order, blanks
//! and line ends included. No library writes a file anew: they only tell where
//! what stands.

mod json;
mod lines;
mod toml;
mod tree;
mod yaml;

#[cfg(test)]
mod tests;

pub(crate) use json::Json;
pub(crate) use tree::Tree;

use std::ops::Range;

/// How a client writes its configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON, with what this client reads beyond it.
    Json(Json),
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

/// Why a text cannot be read or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What kind of fault it is.
    pub(crate) kind: FaultKind,
    /// Where, in bytes.
    pub(crate) at: usize,
    /// What is wrong, as a sentence without its full stop.
    pub(crate) message: String,
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The text does not follow its format.
    Syntax,
    /// A key on our way stands twice: which one the client takes is unknown.
    Twice,
    /// Something on our way is no map.
    Shape,
    /// No edit could be found that changes our entry alone.
    Unsure,
}

impl Fault {
    fn new(kind: FaultKind, at: usize, message: impl Into<String>) -> Self {
        Self {
            kind,
            at,
            message: message.into(),
        }
    }
}

type Result<T, E = Fault> = std::result::Result<T, E>;

/// One change: what stands in a range of bytes, and what shall.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Splice {
    range: Range<usize>,
    with: String,
}

impl Splice {
    fn insert(at: usize, with: impl Into<String>) -> Self {
        Self::replace(at..at, with)
    }

    fn remove(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }

    fn replace(range: Range<usize>, with: impl Into<String>) -> Self {
        Self {
            range,
            with: with.into(),
        }
    }
}

/// A text with changes that do not overlap. Of two at one place, the first
/// given comes first.
fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.range.start);
    let mut made = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for splice in splices {
        made.push_str(text.get(done..splice.range.start).unwrap_or_default());
        made.push_str(&splice.with);
        done = splice.range.end;
    }
    made.push_str(text.get(done..).unwrap_or_default());
    made
}

impl Format {
    /// What a text says. An empty one says an empty map.
    pub(crate) fn read(self, text: &str) -> Result<Tree> {
        match self {
            Self::Json(json) => json::read(text, json),
            Self::Toml => toml::read(text),
            Self::Yaml => yaml::read(text),
        }
    }

    /// Sets the value at a path of one to three keys, what is missing made.
    /// Nothing else changes, which is checked.
    pub(crate) fn put(self, text: &str, path: &[&str], value: &Tree) -> Result<String> {
        let before = self.read(text)?;
        let candidates = match self {
            Self::Json(json) => json::put(text, json, path, value)?,
            Self::Toml => toml::put(text, path, value)?,
            Self::Yaml => yaml::put(text, path, value)?,
        };
        let mut wanted = before.clone();
        wanted.put(path, value.clone());
        self.first_sound(text, candidates, path, &wanted)
    }

    /// Takes away what stands at a path of two keys, and with `container` the
    /// map around it, if that is empty then. Nothing else changes, which is
    /// checked.
    pub(crate) fn remove(self, text: &str, path: [&str; 2], container: bool) -> Result<String> {
        let before = self.read(text)?;
        let candidates = match self {
            Self::Json(json) => json::remove(text, json, path, container)?,
            Self::Toml => toml::remove(text, path)?,
            Self::Yaml => yaml::remove(text, path, container)?,
        };
        let mut wanted = before.clone();
        wanted.remove(&path);
        self.first_sound(text, candidates, &path, &wanted)
    }

    /// The first text that says what is wanted and nothing else.
    fn first_sound(
        self,
        text: &str,
        candidates: Vec<Vec<Splice>>,
        path: &[&str],
        wanted: &Tree,
    ) -> Result<String> {
        let container = path.first().copied().unwrap_or_default();
        for splices in candidates {
            let made = spliced(text, splices);
            if let Ok(says) = self.read(&made)
                && agree(&says, wanted, container, path)
            {
                return Ok(made);
            }
        }
        Err(Fault::new(
            FaultKind::Unsure,
            0,
            "it is written in a way that OzBrain cannot change without touching the rest",
        ))
    }
}

/// Whether two trees say the same: our entry anywhere among its siblings, and
/// an empty container as much as none.
fn agree(says: &Tree, wanted: &Tree, container: &str, path: &[&str]) -> bool {
    let rest = |tree: &Tree| {
        let mut tree = tree.clone();
        tree.remove(path.get(..2).unwrap_or(path));
        if tree.get(container).is_some_and(Tree::is_nothing) {
            tree.remove(&[container]);
        }
        if tree.is_nothing() {
            tree = Tree::empty();
        }
        tree
    };
    let entry = path.get(..2).unwrap_or(path);
    let same = |a: Option<&Tree>, b: Option<&Tree>| match (a, b) {
        // The order of our own fields is ours.
        (Some(Tree::Map(a)), Some(Tree::Map(b))) => {
            a.len() == b.len() && a.iter().all(|pair| b.contains(pair))
        }
        (a, b) => a == b,
    };
    same(says.at(path), wanted.at(path))
        && same(says.at(entry), wanted.at(entry))
        && rest(says) == rest(wanted)
}
