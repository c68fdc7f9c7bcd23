//! YAML. Block style gets lines of its own, flow style a pair before its brace.

use super::lines::{indent_before, line_end, line_start, newline, next_line};
use super::tree::quoted;
use super::{Fault, FaultKind, Result, Splice, Tree};
use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use std::ops::Range;

/// A node with its place in the text.
#[derive(Debug)]
struct Node {
    /// Where it begins; an empty one, where it would.
    start: usize,
    /// Where what is written of it ends, blanks and comments not counted.
    end: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Scalar {
        text: String,
        plain: bool,
        tag: String,
    },
    Alias(usize),
    List {
        items: Vec<Node>,
        tag: String,
    },
    Map {
        pairs: Vec<(Node, Node)>,
        flow: bool,
        tag: String,
    },
}

/// The text's only document. `None`: there is none.
fn parse(text: &str) -> Result<Option<Node>> {
    let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    places.push(text.len());
    let mut reading = Reading {
        text,
        places,
        parser: Parser::new_from_str(text),
        depth: 0,
    };
    let mut root = None;
    while let Some((event, span)) = reading.next()? {
        match event {
            Event::StreamEnd => break,
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
            event => {
                let node = reading.node(event, span)?;
                if root.is_some() {
                    return Err(Fault::new(
                        FaultKind::Shape,
                        node.start,
                        "a second document begins here",
                    ));
                }
                root = Some(node);
            }
        }
    }
    Ok(root)
}

struct Reading<'a> {
    text: &'a str,
    /// The byte at which each character stands.
    places: Vec<usize>,
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    /// How many collections are open.
    depth: usize,
}

/// More than this nobody writes, and reading it would exhaust the stack.
const DEEPEST: usize = 128;

impl<'a> Reading<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, Span)>> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok(event)) => Ok(Some(event)),
            Some(Err(error)) => Err(Fault::new(
                FaultKind::Syntax,
                self.at(error.marker().index()),
                error.info(),
            )),
        }
    }

    fn at(&self, index: usize) -> usize {
        self.places.get(index).copied().unwrap_or(self.text.len())
    }

    fn node(&mut self, event: Event<'a>, span: Span) -> Result<Node> {
        let start = self.at(span.start.index());
        let end = self.at(span.end.index());
        let tagged = |tag: Option<std::borrow::Cow<'_, saphyr_parser::Tag>>| {
            tag.map(|tag| tag.to_string()).unwrap_or_default()
        };
        match event {
            Event::Scalar(text, style, _, tag) => {
                let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let end = if block { self.trimmed(start, end) } else { end };
                Ok(Node {
                    start,
                    end,
                    kind: Kind::Scalar {
                        text: text.into_owned(),
                        plain: style == ScalarStyle::Plain,
                        tag: tagged(tag),
                    },
                })
            }
            Event::Alias(anchor) => Ok(Node {
                start,
                end,
                kind: Kind::Alias(anchor),
            }),
            Event::SequenceStart(_, tag) => {
                let flow = self.is_flow(start, end, '[');
                let tag = tagged(tag);
                let mut items = Vec::new();
                loop {
                    let (event, span) = self.inner()?;
                    if matches!(event, Event::SequenceEnd) {
                        let end = self.collection_end(start, span, flow, items.last());
                        let kind = Kind::List { items, tag };
                        return Ok(Node { start, end, kind });
                    }
                    items.push(self.node(event, span)?);
                }
            }
            Event::MappingStart(_, tag) => {
                let flow = self.is_flow(start, end, '{');
                let tag = tagged(tag);
                let mut pairs: Vec<(Node, Node)> = Vec::new();
                loop {
                    let (event, span) = self.inner()?;
                    if matches!(event, Event::MappingEnd) {
                        let last = pairs.last().map(|(_, value)| value);
                        let end = self.collection_end(start, span, flow, last);
                        let kind = Kind::Map { pairs, flow, tag };
                        return Ok(Node { start, end, kind });
                    }
                    let key = self.node(event, span)?;
                    let (event, span) = self.inner()?;
                    let mut value = self.node(event, span)?;
                    // An empty value stands where its key ends, at the least.
                    value.end = value.end.max(key.end);
                    pairs.push((key, value));
                }
            }
            _ => Err(Fault::new(FaultKind::Syntax, start, "it ends too early")),
        }
    }

    fn inner(&mut self) -> Result<(Event<'a>, Span)> {
        let end = self.text.len();
        let (event, span) = self
            .next()?
            .ok_or_else(|| Fault::new(FaultKind::Syntax, end, "it ends too early"))?;
        match event {
            Event::SequenceStart(..) | Event::MappingStart(..) => self.depth += 1,
            Event::SequenceEnd | Event::MappingEnd => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth > DEEPEST {
            let at = self.at(span.start.index());
            return Err(Fault::new(FaultKind::Syntax, at, "it is nested too deeply"));
        }
        Ok((event, span))
    }

    fn is_flow(&self, start: usize, end: usize, brace: char) -> bool {
        self.text
            .get(start..end)
            .is_some_and(|it| it.ends_with(brace))
    }

    fn collection_end(&self, start: usize, span: Span, flow: bool, last: Option<&Node>) -> usize {
        if flow {
            self.at(span.end.index())
        } else {
            last.map_or(start, |last| last.end)
        }
    }

    /// The end of a block scalar without the blank lines and the indentation
    /// that follow it.
    fn trimmed(&self, start: usize, end: usize) -> usize {
        let text = self.text.get(start..end).unwrap_or_default();
        start + text.trim_end().len()
    }
}

pub(super) fn read(text: &str) -> Result<Tree> {
    let tree = parse(text)?.map(|node| tree(&node));
    Ok(tree
        .filter(|tree| !tree.is_nothing())
        .unwrap_or(Tree::empty()))
}

fn tree(node: &Node) -> Tree {
    let with = |tag: &str, tree: Tree| {
        if tag.is_empty() {
            tree
        } else {
            Tree::Map(vec![(format!("!{tag}"), tree)])
        }
    };
    match &node.kind {
        Kind::Scalar { text, plain, tag } => {
            let value = if *plain && is_no_string(text) {
                Tree::Other(text.clone())
            } else {
                Tree::text(text.clone())
            };
            with(tag, value)
        }
        Kind::Alias(anchor) => Tree::Other(format!("*{anchor}")),
        Kind::List { items, tag } => with(tag, Tree::List(items.iter().map(tree).collect())),
        Kind::Map { pairs, tag, .. } => {
            let pairs = pairs.iter().map(|(key, value)| (name(key), tree(value)));
            with(tag, Tree::Map(pairs.collect()))
        }
    }
}

/// A key as text; one that is no scalar, as its shape.
fn name(key: &Node) -> String {
    match &key.kind {
        Kind::Scalar { text, .. } => text.clone(),
        other => format!("? {other:?}"),
    }
}

/// Whether a plain scalar is something else than a string: null, a truth value
/// or a number.
fn is_no_string(text: &str) -> bool {
    matches!(
        text,
        "" | "~"
            | "null"
            | "Null"
            | "NULL"
            | "true"
            | "True"
            | "TRUE"
            | "false"
            | "False"
            | "FALSE"
            | ".inf"
            | "-.inf"
            | ".nan"
    ) || text.parse::<f64>().is_ok()
        || text.starts_with("0x")
        || text.starts_with("0o")
}

/// The pair of a key, refused where there are two.
fn pair<'n>(pairs: &'n [(Node, Node)], key: &str) -> Result<Option<(usize, &'n (Node, Node))>> {
    let is = |node: &Node| matches!(&node.kind, Kind::Scalar { text, .. } if text == key);
    let mut all = pairs.iter().enumerate().filter(|(_, (name, _))| is(name));
    match (all.next(), all.next()) {
        (_, Some((_, (second, _)))) => Err(Fault::new(
            FaultKind::Twice,
            second.start,
            format!("`{key}` stands here a second time"),
        )),
        (first, None) => Ok(first),
    }
}

/// A map, or nothing yet.
enum Found<'n> {
    Map(&'n [(Node, Node)], bool),
    Nothing,
}

fn map<'n>(node: &'n Node, what: &str) -> Result<Found<'n>> {
    match &node.kind {
        Kind::Map { pairs, flow, .. } => Ok(Found::Map(pairs, *flow)),
        Kind::Scalar {
            text, plain: true, ..
        } if matches!(text.as_str(), "" | "~" | "null") => Ok(Found::Nothing),
        _ => Err(Fault::new(
            FaultKind::Shape,
            node.start,
            format!("{what} is not a mapping"),
        )),
    }
}

/// One step of indentation, as the first nested block has it.
fn step(text: &str, pairs: &[(Node, Node)]) -> usize {
    let nested = pairs.iter().find_map(|(key, value)| match &value.kind {
        Kind::Map {
            pairs, flow: false, ..
        } => {
            let inner = pairs.first().map(|(inner, _)| column(text, inner.start))?;
            inner
                .checked_sub(column(text, key.start))
                .filter(|step| *step > 0)
        }
        _ => None,
    });
    nested.unwrap_or(2)
}

fn column(text: &str, at: usize) -> usize {
    at - line_start(text, at)
}

/// A pair as lines, each with the indentation.
fn block(key: &str, value: &Tree, indent: usize, step: usize, newline: &str) -> String {
    let blanks = " ".repeat(indent);
    match value {
        Tree::Map(pairs) if !pairs.is_empty() => {
            let mut lines = format!("{blanks}{}:", plain_key(key));
            for (key, value) in pairs {
                lines.push_str(newline);
                lines.push_str(&block(key, value, indent + step, step, newline));
            }
            lines
        }
        Tree::Text(text) if is_plain(text) => format!("{blanks}{}: {text}", plain_key(key)),
        value => format!("{blanks}{}: {}", plain_key(key), value.json(true)),
    }
}

/// A key without quotes where it needs none.
fn plain_key(key: &str) -> String {
    if is_plain(key) {
        key.to_owned()
    } else {
        quoted(key)
    }
}

/// Whether a string is one without quotes too, to readers of YAML 1.1 as well.
fn is_plain(text: &str) -> bool {
    let simple = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let word = text.to_ascii_lowercase();
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(simple)
        && !is_no_string(text)
        && !["y", "n", "yes", "no", "on", "off"].contains(&word.as_str())
}

pub(super) fn put(text: &str, path: &[&str], value: &Tree) -> Result<Vec<Vec<Splice>>> {
    let newline = newline(text);
    let Some(root) = parse(text)? else {
        return Ok(vec![at_end(text, &block_of(path, value, 0, 2, newline))]);
    };
    let (mut pairs, mut flow) = match map(&root, "the file")? {
        Found::Map(pairs, flow) => (pairs, flow),
        Found::Nothing => {
            return Ok(vec![at_end(text, &block_of(path, value, 0, 2, newline))]);
        }
    };
    let step = step(text, pairs);
    let mut around: Option<&(Node, Node)> = None;
    let mut path = path;
    while let Some((key, rest)) = path.split_first() {
        let Some((_, known)) = pair(pairs, key)? else {
            if flow {
                let made = rest.iter().rev().fold(value.clone(), |made, key| {
                    Tree::Map(vec![((*key).to_owned(), made)])
                });
                let within = around.map_or(&root, |(_, value)| value);
                return Ok(into_flow(within, pairs, key, &made));
            }
            let indent = pairs.first().map_or(0, |(key, _)| column(text, key.start));
            let lines = block_of(path, value, indent, step, newline);
            return Ok(among(text, pairs, around, &lines));
        };
        if rest.is_empty() {
            return Ok(replaced(text, known, value, flow));
        }
        match map(&known.1, &format!("`{key}`"))? {
            Found::Map(inner, inner_flow) if !inner.is_empty() || flow => {
                (pairs, flow, around) = (inner, inner_flow, Some(known));
            }
            // `{}`, `null` or nothing: lines take its place.
            _ => {
                let indent = column(text, known.0.start) + step;
                let lines = block_of(rest, value, indent, step, newline);
                let colon = colon(text, known.0.end);
                let mut splices = Vec::new();
                if known.1.end > colon {
                    splices.push(Splice::remove(colon..known.1.end));
                }
                let end = line_end(text, known.1.end.max(colon));
                splices.push(Splice::insert(end, format!("{newline}{lines}")));
                return Ok(vec![splices]);
            }
        }
        path = rest;
    }
    Ok(Vec::new())
}

/// The lines of a value at the end of a path.
fn block_of(path: &[&str], value: &Tree, indent: usize, step: usize, newline: &str) -> String {
    let Some((key, rest)) = path.split_first() else {
        return String::new();
    };
    let inner = rest.iter().rev().fold(value.clone(), |made, key| {
        Tree::Map(vec![((*key).to_owned(), made)])
    });
    block(key, &inner, indent, step, newline)
}

/// Where the colon after a key ends.
fn colon(text: &str, key_end: usize) -> usize {
    text.get(key_end..)
        .and_then(|rest| rest.find(':'))
        .map_or(key_end, |colon| key_end + colon + 1)
}

/// Lines at the end of the text.
fn at_end(text: &str, lines: &str) -> Vec<Splice> {
    let newline = newline(text);
    let with = if text.is_empty() || text.ends_with('\n') {
        format!("{lines}{newline}")
    } else {
        format!("{newline}{lines}")
    };
    vec![Splice::insert(text.len(), with)]
}

/// Lines among the pairs of a block: after the last, else before the first.
fn among(
    text: &str,
    pairs: &[(Node, Node)],
    around: Option<&(Node, Node)>,
    lines: &str,
) -> Vec<Vec<Splice>> {
    let newline = newline(text);
    let last = pairs
        .last()
        .map_or(0, |(key, value)| key.end.max(value.end));
    let first = match around {
        Some((key, _)) => {
            let end = line_end(text, key.end);
            Splice::insert(end, format!("{newline}{lines}"))
        }
        None => {
            let start = pairs
                .first()
                .map_or(0, |(key, _)| line_start(text, key.start));
            Splice::insert(start, format!("{lines}{newline}"))
        }
    };
    let after = Splice::insert(line_end(text, last), format!("{newline}{lines}"));
    vec![vec![after], vec![first]]
}

/// A pair as the last of a flow mapping.
fn into_flow(within: &Node, pairs: &[(Node, Node)], key: &str, value: &Tree) -> Vec<Vec<Splice>> {
    let pair = format!("{}: {}", quoted(key), value.json(true));
    match pairs.last() {
        Some((key, value)) => {
            let last = key.end.max(value.end);
            vec![vec![Splice::insert(last, format!(", {pair}"))]]
        }
        None => {
            let brace = within.end.saturating_sub(1);
            vec![vec![Splice::insert(brace, pair)]]
        }
    }
}

/// Another value for a key: it follows the colon.
fn replaced(text: &str, (key, old): &(Node, Node), value: &Tree, flow: bool) -> Vec<Vec<Splice>> {
    if tree(old) == *value {
        return vec![Vec::new()];
    }
    let scalar = matches!(old.kind, Kind::Scalar { .. }) && old.start < old.end;
    let start = if scalar {
        old.start
    } else {
        colon(text, key.end)
    };
    let with = if scalar {
        value.json(true)
    } else {
        format!(" {}", value.json(true))
    };
    let end = old.end.max(start);
    // A comment would be lost, or would hide what follows.
    let lost = text.get(start..end).unwrap_or_default();
    if !scalar && !flow && lost.contains('#') {
        return Vec::new();
    }
    vec![vec![Splice::replace(start..end, with)]]
}

pub(super) fn remove(
    text: &str,
    path: [&str; 2],
    with_container: bool,
) -> Result<Vec<Vec<Splice>>> {
    let Some(root) = parse(text)? else {
        return Ok(vec![Vec::new()]);
    };
    let [container, name] = path;
    let Found::Map(pairs, flow) = map(&root, "the file")? else {
        return Ok(vec![Vec::new()]);
    };
    let Some((place, around)) = pair(pairs, container)? else {
        return Ok(vec![Vec::new()]);
    };
    let Found::Map(inner, inner_flow) = map(&around.1, &format!("`{container}`"))? else {
        return Ok(vec![Vec::new()]);
    };
    let Some((inner_place, known)) = pair(inner, name)? else {
        return Ok(vec![Vec::new()]);
    };
    let alone = inner.len() == 1;
    if alone && with_container {
        return Ok(vec![if flow {
            out_of_flow(pairs, place)
        } else {
            vec![Splice::remove(as_lines(text, around))]
        }]);
    }
    if inner_flow {
        return Ok(vec![out_of_flow(inner, inner_place)]);
    }
    let mut splices = vec![Splice::remove(as_lines(text, known))];
    if alone {
        // A mapping that is left empty says so: nothing at all would be null.
        splices.insert(0, Splice::insert(colon(text, around.0.end), " {}"));
    }
    Ok(vec![splices])
}

/// The whole lines of a pair in a block.
fn as_lines(text: &str, (key, value): &(Node, Node)) -> Range<usize> {
    let start = match indent_before(text, key.start) {
        Some(_) => line_start(text, key.start),
        None => key.start,
    };
    let end = next_line(text, key.end.max(value.end));
    // A file that ended without a line end shall do so again.
    if end == text.len() && !text.ends_with('\n') {
        let before = text.get(..start).unwrap_or_default();
        let kept = before.trim_end_matches(['\r', '\n']).len();
        return kept..end;
    }
    start..end
}

/// A pair of a flow mapping, with one comma.
fn out_of_flow(pairs: &[(Node, Node)], place: usize) -> Vec<Splice> {
    let Some((key, value)) = pairs.get(place) else {
        return Vec::new();
    };
    let end = key.end.max(value.end);
    let before = place.checked_sub(1).and_then(|it| pairs.get(it));
    let next = pairs.get(place + 1);
    vec![match (before, next) {
        (Some((key, value)), _) => Splice::remove(key.end.max(value.end)..end),
        (None, Some((next, _))) => Splice::remove(key.start..next.start),
        (None, None) => Splice::remove(key.start..end),
    }]
}
