//! YAML. Block style gets lines of its own, flow style a pair before its brace.

use super::flow::Flow;
use super::lines::{below, indent_before, line_end, line_start, newline, next_line};
use super::tree::quoted;
use super::{Fault, FaultKind, Ground, Result, Splice, Tree};
use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use std::ops::Range;

/// A node with its place in the text.
#[derive(Debug)]
struct Node {
    /// Where it begins; an empty one, where it would.
    start: usize,
    /// Where what is written of it ends, blanks and comments not counted.
    end: usize,
    /// Where its content begins, behind an anchor and a tag; for lines of text
    /// behind their head.
    content: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Scalar {
        text: String,
        plain: bool,
        /// Whether it is written as lines of its own, with `|` or `>`.
        block: bool,
        tag: String,
    },
    Alias(usize),
    List {
        items: Vec<Node>,
        flow: Option<Range<usize>>,
        tag: String,
    },
    Map {
        pairs: Vec<(Node, Node)>,
        /// What its braces are around, if it has some.
        flow: Option<Range<usize>>,
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
            Event::Scalar(text, style, anchor, tag) => {
                let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let marked = anchor > 0 || tag.is_some();
                // Nothing at all: the parser gives it the place of what is next.
                let nothing = style == ScalarStyle::Plain && text.is_empty();
                let (content, end) = if nothing {
                    let end = if marked { end } else { start };
                    (end, end)
                } else if block {
                    let end = self.trimmed(start, end);
                    let headed = marked || text.trim().is_empty();
                    let head = after_marks(self.text, start, end);
                    let body = if headed {
                        next_line(self.text, head)
                    } else {
                        start
                    };
                    (body.min(end), end)
                } else {
                    let content = after_marks(self.text, start, end);
                    let end = match style {
                        // The span takes in blanks and a comment behind it.
                        ScalarStyle::SingleQuoted => quoted_end(self.text, content, '\''),
                        ScalarStyle::DoubleQuoted => quoted_end(self.text, content, '"'),
                        _ => end,
                    };
                    (content, end)
                };
                Ok(Node {
                    start,
                    end,
                    content,
                    kind: Kind::Scalar {
                        text: text.into_owned(),
                        plain: style == ScalarStyle::Plain,
                        block,
                        tag: tagged(tag),
                    },
                })
            }
            Event::Alias(anchor) => Ok(Node {
                start,
                end,
                content: start,
                kind: Kind::Alias(anchor),
            }),
            Event::SequenceStart(_, tag) => {
                let content = after_marks(self.text, start, end);
                let flow = self.is_flow(content, end, '[');
                let tag = tagged(tag);
                let mut items = Vec::new();
                loop {
                    let (event, span) = self.inner()?;
                    if matches!(event, Event::SequenceEnd) {
                        let last = items.last().map_or(start, |last: &Node| last.end);
                        let (end, flow) = self.closed(content, flow, &span, last);
                        let kind = Kind::List { items, flow, tag };
                        return Ok(Node {
                            start,
                            end,
                            content,
                            kind,
                        });
                    }
                    items.push(self.node(event, span)?);
                }
            }
            Event::MappingStart(_, tag) => {
                let content = after_marks(self.text, start, end);
                let flow = self.is_flow(content, end, '{');
                let tag = tagged(tag);
                let mut pairs: Vec<(Node, Node)> = Vec::new();
                loop {
                    let (event, span) = self.inner()?;
                    if matches!(event, Event::MappingEnd) {
                        let last = pairs.last().map_or(start, |(_, value)| value.end);
                        let (end, flow) = self.closed(content, flow, &span, last);
                        let kind = Kind::Map { pairs, flow, tag };
                        return Ok(Node {
                            start,
                            end,
                            content,
                            kind,
                        });
                    }
                    let key = self.node(event, span)?;
                    let (event, span) = self.inner()?;
                    let mut value = self.node(event, span)?;
                    let behind = colon(self.text, key.end);
                    if value.is_unwritten() {
                        let at = behind.unwrap_or(key.end);
                        (value.start, value.end, value.content) = (at, at, at);
                    }
                    if let (Kind::List { flow: None, .. }, Some(at)) = (&value.kind, behind) {
                        // A list that is not indented has its first dash before
                        // its span.
                        value.start = after_blanks(self.text, at);
                    }
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

    /// Whether a collection has a bracket. One in lines has nothing of its own:
    /// what a pair or an item of it begins with is not in its span.
    fn is_flow(&self, content: usize, end: usize, bracket: char) -> bool {
        self.text
            .get(content..end)
            .is_some_and(|it| it.starts_with(bracket))
    }

    /// Where a collection ends, and what its brackets are around. `span` is the
    /// closing one's, or that of a comma before it, and takes in what follows.
    fn closed(
        &self,
        content: usize,
        flow: bool,
        span: &Span,
        last: usize,
    ) -> (usize, Option<Range<usize>>) {
        if !flow {
            return (last, None);
        }
        let mut at = self.at(span.start.index());
        if self.text.get(at..).is_some_and(|it| it.starts_with(',')) {
            at = after_blanks(self.text, at + 1);
        }
        (at + 1, Some(content + 1..at))
    }

    /// The end of a block scalar without the blank lines and the indentation
    /// that follow it.
    fn trimmed(&self, start: usize, end: usize) -> usize {
        let text = self.text.get(start..end).unwrap_or_default();
        start + text.trim_end().len()
    }
}

impl Node {
    /// Whether nothing at all is written.
    fn is_unwritten(&self) -> bool {
        let plain = matches!(&self.kind, Kind::Scalar { plain: true, text, .. } if text.is_empty());
        plain && self.start == self.end
    }
}

/// Where blanks, line ends and comments end.
fn after_blanks(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_start().len();
        if !text.get(at..).is_some_and(|it| it.starts_with('#')) {
            return at;
        }
        at = comment_end(text, at);
    }
}

/// Where an anchor and a tag end, with what follows them, up to a place.
fn after_marks(text: &str, start: usize, end: usize) -> usize {
    let mut at = start;
    while text
        .get(at..end)
        .is_some_and(|it| it.starts_with(['&', '!']))
    {
        let rest = text.get(at..end).unwrap_or_default();
        at += rest.find(char::is_whitespace).unwrap_or(rest.len());
        at = after_blanks(text, at).min(end);
    }
    at
}

/// Where a string in quotes ends that begins at a place.
fn quoted_end(text: &str, start: usize, quote: char) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, next)) = chars.next() {
        let doubled = quote == '\'' && chars.peek().is_some_and(|(_, after)| *after == quote);
        if next == quote && !doubled {
            return start + at + 1;
        }
        if next == quote || (next == '\\' && quote == '"') {
            chars.next();
        }
    }
    text.len()
}

/// Where the comment of a place ends.
fn comment_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.find(['\n', '\r']).unwrap_or(rest.len())
}

/// The comments of a text that can be read, in their order: what begins with a
/// number sign after a blank, outside of all scalars.
pub(super) fn comments(text: &str) -> Vec<Range<usize>> {
    let mut scalars = Vec::new();
    if let Ok(Some(root)) = parse(text) {
        contents(&root, &mut scalars);
    }
    scalars.sort_by_key(|range| range.start);
    let mut scalars = scalars.into_iter().peekable();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        while scalars.next_if(|it| it.end <= at).is_some() {}
        if let Some(scalar) = scalars.next_if(|it| it.start <= at) {
            at = scalar.end;
            continue;
        }
        let until = scalars.peek().map_or(rest.len(), |next| next.start - at);
        let between = rest.get(..until).unwrap_or_default();
        let Some(sign) = between.find('#') else {
            at += until;
            continue;
        };
        let start = at + sign;
        let before = text.get(..start).unwrap_or_default();
        at = start + 1;
        if before.is_empty() || before.ends_with([' ', '\t', '\n', '\r']) {
            at = comment_end(text, start);
            found.push(start..at);
        }
    }
    found
}

/// Where the contents of all scalars stand.
fn contents(node: &Node, found: &mut Vec<Range<usize>>) {
    match &node.kind {
        Kind::Scalar { .. } | Kind::Alias(_) => {
            found.extend(Some(node.content..node.end).filter(|it| !it.is_empty()));
        }
        Kind::List { items, .. } => items.iter().for_each(|item| contents(item, found)),
        Kind::Map { pairs, .. } => {
            for (key, value) in pairs {
                contents(key, found);
                contents(value, found);
            }
        }
    }
}

/// Where a pair stands.
fn range((key, value): &(Node, Node)) -> Range<usize> {
    key.start..key.end.max(value.end)
}

/// Where what stands that an edit at a path has to heed.
pub(super) fn ground(text: &str, path: &[&str]) -> Result<Ground> {
    let root = parse(text)?;
    let mut ground = Ground {
        lined: true,
        ..Ground::default()
    };
    let mut within = root.as_ref();
    let mut path = path;
    let is =
        |node: &Node, key: &str| matches!(&node.kind, Kind::Scalar { text, .. } if text == key);
    while let (Some(node), Some((key, rest))) = (within, path.split_first()) {
        within = None;
        let Kind::Map { pairs, flow, .. } = &node.kind else {
            break;
        };
        ground.lined &= flow.is_none();
        let others = pairs.iter().filter(|(name, _)| !is(name, key));
        ground.others.extend(others.map(range));
        if let Some(known) = pairs.iter().find(|(name, _)| is(name, key)) {
            ground.place = known.0.start;
            if rest.is_empty() {
                ground.own.push(range(known));
            } else {
                ground.others.push(known.0.start..known.0.end);
                let nothing = tree(&known.1).is_nothing();
                ground.nothing = nothing.then_some(known.1.start..known.1.end);
                let inner = match &known.1.kind {
                    Kind::Map { pairs, .. } => pairs.len(),
                    _ => 0,
                };
                ground.alone = (inner == 1).then(|| range(known));
                within = Some(&known.1);
            }
        }
        path = rest;
    }
    Ok(ground)
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
        Kind::Scalar {
            text, plain, tag, ..
        } => {
            let value = if *plain && is_no_string(text) {
                Tree::Other(text.clone())
            } else {
                Tree::text(text.clone())
            };
            with(tag, value)
        }
        Kind::Alias(anchor) => Tree::Other(format!("*{anchor}")),
        Kind::List { items, tag, .. } => with(tag, Tree::List(items.iter().map(tree).collect())),
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
        _ => format!("? {:?}", tree(key)),
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
    Map(&'n [(Node, Node)], Option<&'n Range<usize>>),
    Nothing,
}

fn map<'n>(node: &'n Node, what: &str) -> Result<Found<'n>> {
    match &node.kind {
        Kind::Map { pairs, flow, .. } => Ok(Found::Map(pairs, flow.as_ref())),
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
            pairs, flow: None, ..
        } => {
            let inner = pairs.first().map(|(inner, _)| edge(text, inner))?;
            inner.checked_sub(edge(text, key)).filter(|step| *step > 0)
        }
        _ => None,
    });
    nested.unwrap_or(2)
}

fn column(text: &str, at: usize) -> usize {
    at - line_start(text, at)
}

/// Where a pair begins: with a question mark before its key, if there is one.
fn begin(text: &str, key: &Node) -> usize {
    let before = text.get(..key.start).unwrap_or_default();
    match before.trim_end_matches([' ', '\t']).strip_suffix('?') {
        Some(rest) if rest.is_empty() || rest.ends_with([' ', '\t', '\n']) => rest.len(),
        _ => key.start,
    }
}

/// The column at which a pair begins.
fn edge(text: &str, key: &Node) -> usize {
    column(text, begin(text, key))
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
            if let Some(inner) = flow {
                let made = nested(rest, value);
                return Ok(vec![into_flow(text, inner, pairs, key, &made)]);
            }
            let indent = pairs.first().map_or(0, |(key, _)| edge(text, key));
            let lines = block_of(path, value, indent, step, newline);
            return Ok(among(text, pairs, around, &lines));
        };
        if rest.is_empty() {
            return Ok(replaced(text, known, value));
        }
        match (map(&known.1, &format!("`{key}`"))?, flow) {
            (Found::Map(inner, inner_flow), _) if !inner.is_empty() => {
                (pairs, flow, around) = (inner, inner_flow, Some(known));
            }
            (Found::Map(inner, inner_flow), Some(_)) => {
                (pairs, flow, around) = (inner, inner_flow, Some(known));
            }
            (Found::Nothing, Some(_)) => {
                let made = nested(rest, value).json(true);
                return Ok(vec![vec![in_place(text, known, &made)]]);
            }
            // `{}`, `null` or nothing: lines take its place.
            (found, None) => {
                let indent = edge(text, &known.0);
                let lines = block_of(rest, value, indent + step, step, newline);
                let mut candidates = vec![instead(text, known, &lines)];
                if let (Found::Map(_, Some(inner)), [name, rest @ ..]) = (found, rest) {
                    candidates.push(into_flow(text, inner, &[], name, &nested(rest, value)));
                }
                return Ok(candidates);
            }
        }
        path = rest;
    }
    Ok(Vec::new())
}

/// A value at the end of a path, maps made on the way.
fn nested(path: &[&str], value: &Tree) -> Tree {
    path.iter().rev().fold(value.clone(), |made, key| {
        Tree::Map(vec![((*key).to_owned(), made)])
    })
}

/// Lines that take the place of a value that says nothing.
fn instead(text: &str, (key, old): &(Node, Node), lines: &str) -> Vec<Splice> {
    let colon = colon(text, key.end).unwrap_or(key.end);
    let mut splices = Vec::new();
    if old.end > colon {
        let between = text.get(colon..old.start).unwrap_or_default();
        splices.push(Splice::remove(colon + between.trim_end().len()..old.end));
    }
    let outer = edge(text, key);
    let deeper = |line: &str| column_of(line) > outer;
    let end = below(text, old.end.max(colon), deeper);
    splices.push(Splice::insert(end, format!("{}{lines}", newline(text))));
    splices
}

/// Another value where one stands, or where none does: behind the colon.
fn in_place(text: &str, (key, old): &(Node, Node), with: &str) -> Splice {
    if !old.is_unwritten() {
        return Splice::replace(old.start..old.end, with);
    }
    match colon(text, key.end) {
        Some(colon) => Splice::insert(colon, format!(" {with}")),
        None => Splice::insert(key.end, format!(": {with}")),
    }
}

/// How many blanks a line begins with.
fn column_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The lines of a value at the end of a path.
fn block_of(path: &[&str], value: &Tree, indent: usize, step: usize, newline: &str) -> String {
    let Some((key, rest)) = path.split_first() else {
        return String::new();
    };
    block(key, &nested(rest, value), indent, step, newline)
}

/// Where the colon after a key ends, if there is one.
fn colon(text: &str, key_end: usize) -> Option<usize> {
    let at = after_blanks(text, key_end);
    let colon = text.get(at..).is_some_and(|it| it.starts_with(':'));
    colon.then_some(at + 1)
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
    // Comments directly below belong to what they stand under.
    let edge = pairs.first().map_or(0, |(key, _)| edge(text, key));
    let last = below(text, last, |line| column_of(line) >= edge);
    let after = Splice::insert(last, format!("{newline}{lines}"));
    vec![vec![after], vec![first]]
}

/// The pairs of a flow mapping, as what stands in its braces.
fn braces<'a>(
    text: &'a str,
    inner: &Range<usize>,
    pairs: &[(Node, Node)],
    comments: &'a [Range<usize>],
) -> Flow<'a> {
    let item = |pair: &(Node, Node)| {
        let mut item = range(pair);
        // Some readers take a colon for the end of a key only with a blank
        // behind it: where no value is, that is the pair's.
        let behind = text.get(item.end..).unwrap_or_default();
        if pair.1.is_unwritten() && behind.starts_with([' ', '\t']) {
            item.end += 1;
        }
        item
    };
    Flow {
        text,
        newline: newline(text),
        blank: " ",
        comments,
        inner: inner.clone(),
        items: pairs.iter().map(item).collect(),
    }
}

/// A pair as the last of a flow mapping.
fn into_flow(
    text: &str,
    inner: &Range<usize>,
    pairs: &[(Node, Node)],
    key: &str,
    value: &Tree,
) -> Vec<Splice> {
    let comments = comments(text);
    let flow = braces(text, inner, pairs, &comments);
    let write = |_: Option<&str>| format!("{}: {}", quoted(key), value.json(true));
    if pairs.is_empty() {
        flow.fill(None, "", write)
    } else {
        flow.add(write)
    }
}

/// Another value for a key.
fn replaced(text: &str, pair: &(Node, Node), value: &Tree) -> Vec<Vec<Splice>> {
    let (key, old) = pair;
    if tree(old) == *value {
        return vec![Vec::new()];
    }
    let with = value.json(true);
    let in_lines = match &old.kind {
        Kind::Scalar { block, .. } => *block,
        Kind::List { flow, .. } | Kind::Map { flow, .. } => flow.is_none(),
        Kind::Alias(_) => false,
    };
    let mut candidates = Vec::new();
    if in_lines {
        let colon = colon(text, key.end).unwrap_or(key.end);
        candidates.push(vec![Splice::replace(colon..old.end, format!(" {with}"))]);
        // What the key's line says after the colon stays there.
        let between = text.get(colon..old.start).unwrap_or_default();
        candidates.push(vec![
            Splice::insert(colon, format!(" {with}")),
            Splice::remove(colon + between.trim_end().len()..old.end),
        ]);
    } else {
        candidates.push(vec![in_place(text, pair, &with)]);
    }
    if let (Kind::List { items, flow, .. }, Tree::List(new)) = (&old.kind, value) {
        let before: Vec<Tree> = items.iter().map(tree).collect();
        let comments = comments(text);
        let list = Flow {
            text,
            newline: newline(text),
            blank: " ",
            comments: &comments,
            inner: flow.clone().unwrap_or(old.start..old.end),
            items: items.iter().map(|it| it.start..it.end).collect(),
        };
        if flow.is_some() || before.len() == new.len() {
            candidates.push(list.change(&before, new, |item| item.json(true)));
        }
    }
    candidates
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
    let comments = comments(text);
    let alone = inner.len() == 1;
    let mut candidates = Vec::new();
    if alone && with_container {
        candidates.push(match flow {
            Some(braced) => braces(text, braced, pairs, &comments).take(place),
            None => vec![Splice::remove(as_lines(text, around))],
        });
    }
    if let Some(braced) = inner_flow {
        candidates.push(braces(text, braced, inner, &comments).take(inner_place));
        return Ok(candidates);
    }
    let mut splices = vec![Splice::remove(as_lines(text, known))];
    if alone {
        // A mapping that is left empty says so: nothing at all would be null.
        let colon = colon(text, around.0.end).unwrap_or(around.0.end);
        splices.insert(0, Splice::insert(colon, " {}"));
    }
    let mut shifted = splices.clone();
    shifted.extend(out_to(text, known));
    candidates.extend([splices, shifted]);
    Ok(candidates)
}

/// Moves the comments below a pair out to where the pair begins: deeper, they
/// would go on with a text in lines that the pair before it ends with.
fn out_to(text: &str, (key, value): &(Node, Node)) -> Vec<Splice> {
    let edge = edge(text, key);
    let mut splices = Vec::new();
    let mut start = next_line(text, key.end.max(value.end));
    while start < text.len() {
        let line = text.get(start..line_end(text, start)).unwrap_or_default();
        let blank = line.trim().is_empty();
        if !blank && !line.trim_start().starts_with('#') {
            break;
        }
        let deep = line.len() - line.trim_start_matches([' ', '\t']).len();
        if deep > edge {
            splices.push(Splice::remove(start + edge..start + deep));
        }
        start = next_line(text, start);
    }
    splices
}

/// The whole lines of a pair in a block.
fn as_lines(text: &str, (key, value): &(Node, Node)) -> Range<usize> {
    let begin = begin(text, key);
    let start = match indent_before(text, begin) {
        Some(_) => line_start(text, begin),
        None => begin,
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
