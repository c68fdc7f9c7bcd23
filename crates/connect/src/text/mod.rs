//! Configuration as text: found and changed by splices into the bytes that are
//! there, so that whatever is not ours stays as it is, comments, order, blanks
//! and line ends included. No library writes a file anew: they only tell where
//! what stands.

mod flow;
mod json;
mod lines;
mod toml;
mod tree;
mod yaml;

#[cfg(test)]
mod tests;

pub(crate) use json::Json;
pub(crate) use lines::newline;
pub(crate) use tree::Tree;

use lines::{line_end, line_start};
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
        let mut ground = self.ground(text, path)?;
        ground.spare.extend(ground.nothing.clone());
        self.first_sound(text, candidates, path, &wanted, ground)
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
        let mut ground = self.ground(text, &path)?;
        if ground.lined {
            for own in &mut ground.own {
                *own = line_start(text, own.start)..line_end(text, own.end);
            }
        }
        // The comments in our entry are ours, and go with it.
        ground.gone.clone_from(&ground.own);
        ground
            .spare
            .extend(ground.alone.clone().filter(|_| container));
        self.first_sound(text, candidates, &path, &wanted, ground)
    }

    fn ground(self, text: &str, path: &[&str]) -> Result<Ground> {
        match self {
            Self::Json(json) => json::ground(text, json, path),
            Self::Toml => toml::ground(text, path),
            Self::Yaml => yaml::ground(text, path),
        }
    }

    /// The comments of a text that can be read, in their order.
    fn comments(self, text: &str) -> Vec<Range<usize>> {
        match self {
            Self::Json(_) => json::comments(text),
            Self::Toml => toml::comments(text),
            Self::Yaml => yaml::comments(text),
        }
    }

    /// The first text that says what is wanted and nothing else, and in which
    /// everything that is not ours still stands as it did.
    fn first_sound(
        self,
        text: &str,
        candidates: Vec<Vec<Splice>>,
        path: &[&str],
        wanted: &Tree,
        ground: Ground,
    ) -> Result<String> {
        let container = path.first().copied().unwrap_or_default();
        let mut first_lost = None;
        for splices in candidates {
            let lost = match ground.harmed(text, &splices) {
                Some(at) => {
                    let comments = self.comments(text);
                    let comment = comments.into_iter().find(|it| it.contains(&at));
                    comment.map_or(Lost::Bytes(at), |it| Lost::Comment(it.start))
                }
                None => {
                    let made = spliced(text, splices);
                    let says = self.read(&made);
                    if !says.is_ok_and(|says| agree(&says, wanted, container, path)) {
                        Lost::Bytes(ground.place)
                    } else if let Some(at) = self.lost_comment(text, &made, &ground.gone) {
                        Lost::Comment(at)
                    } else {
                        return Ok(made);
                    }
                }
            };
            first_lost.get_or_insert(lost);
        }
        let (at, what) = match first_lost.unwrap_or(Lost::Bytes(ground.place)) {
            Lost::Bytes(at) => (
                at,
                "is written in a way that OzBrain cannot change without touching the rest",
            ),
            Lost::Comment(at) => (at, "has a comment that would be lost"),
        };
        let (line, column) = place(text, at);
        Err(Fault::new(
            FaultKind::Unsure,
            at,
            format!("line {line}, column {column} {what}"),
        ))
    }

    /// Where the first comment stands that is not in the text that was made:
    /// those in our own entry do not count.
    fn lost_comment(self, text: &str, made: &str, gone: &[Range<usize>]) -> Option<usize> {
        let within = |it: &Range<usize>| {
            gone.iter()
                .any(|own| own.start <= it.start && it.end <= own.end)
        };
        let before = self.comments(text);
        let mut before = before.into_iter().filter(|it| !within(it));
        let after = self.comments(made);
        let mut after = after.into_iter();
        loop {
            match (before.next(), after.next()) {
                (None, None) => return None,
                (Some(was), Some(is)) if text.get(was.clone()) == made.get(is.clone()) => {}
                (Some(was), _) => return Some(was.start),
                // One more than there was: something else got into one.
                (None, Some(_)) => return Some(text.len()),
            }
        }
    }
}

/// Why a text that was made is none.
enum Lost {
    /// Something else than our entry would change, here.
    Bytes(usize),
    /// This comment would not be there any more.
    Comment(usize),
}

/// Where what stands that an edit at a path has to heed.
#[derive(Debug, Default)]
struct Ground {
    /// Our entry, or the field of it that the path leads to.
    own: Vec<Range<usize>>,
    /// Whether our entry has lines of its own: what else is on them is its own
    /// too.
    lined: bool,
    /// The pair of the container, if our entry is all that stands in it.
    alone: Option<Range<usize>>,
    /// The container's value, if it says nothing.
    nothing: Option<Range<usize>>,
    /// What else may go.
    spare: Vec<Range<usize>>,
    /// Whose comments go.
    gone: Vec<Range<usize>>,
    /// What others wrote, in pieces that must stay whole.
    others: Vec<Range<usize>>,
    /// The nearest to our entry that is there.
    place: usize,
}

impl Ground {
    /// Where splices would do harm: take away what is not ours, blanks and
    /// commas not counted, or put something into what others wrote.
    fn harmed(&self, text: &str, splices: &[Splice]) -> Option<usize> {
        let mut done = 0;
        let mut sorted: Vec<&Splice> = splices.iter().collect();
        sorted.sort_by_key(|splice| splice.range.start);
        for Splice { range, .. } in sorted {
            if range.start < done || text.get(range.clone()).is_none() {
                return Some(self.place);
            }
            done = range.end;
            let spared = |other: &&Range<usize>| {
                let mut spare = self.spare.iter();
                spare.any(|it| it.start <= other.start && other.end <= it.end)
            };
            let mut others = self.others.iter().filter(|other| !spared(other));
            let cut = others.find(|other| {
                let reaches = range.start.max(other.start) < range.end.min(other.end);
                reaches || (other.start < range.start && range.start < other.end)
            });
            if let Some(cut) = cut {
                return Some(range.start.max(cut.start));
            }
            let ours = |at: &usize| {
                let mut all = self.own.iter().chain(&self.spare);
                all.any(|own| own.contains(at))
            };
            let taken = text.get(range.clone()).unwrap_or_default();
            let harm = taken
                .char_indices()
                .filter(|(_, c)| !c.is_whitespace() && *c != ',')
                .map(|(at, _)| range.start + at)
                .find(|at| !ours(at));
            // Whether a comment stays is seen in what is made of the text.
            if let Some(at) = harm {
                return Some(at);
            }
        }
        None
    }
}

/// A place as editors count.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = line_start(text, at);
    let column = text.get(start..at).unwrap_or_default().chars().count() + 1;
    (line, column)
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
