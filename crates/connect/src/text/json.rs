//! JSON, with comments and trailing commas where the client reads them.

use super::flow::Flow;
use super::lines::{indent_before, line_indent, newline};
use super::tree::quoted;
use super::{Fault, FaultKind, Ground, Result, Splice, Tree};
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::ops::Range;

/// What a client reads beyond JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Json {
    /// `//` and `/* */`.
    pub(crate) comments: bool,
    /// A comma after the last of a list or an object.
    pub(crate) trailing_commas: bool,
}

impl Json {
    /// JSON as it stands in the standard.
    pub(crate) const STRICT: Self = Self {
        comments: false,
        trailing_commas: false,
    };
    /// With comments and trailing commas.
    pub(crate) const LENIENT: Self = Self {
        comments: true,
        trailing_commas: true,
    };
    /// With comments alone.
    pub(crate) const COMMENTED: Self = Self {
        comments: true,
        trailing_commas: false,
    };
}

fn parse(text: &str, json: Json) -> Result<Option<Value<'_>>> {
    let options = ParseOptions {
        allow_comments: json.comments,
        allow_trailing_commas: json.trailing_commas,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    let value = parsed
        .map_err(|error| {
            let said = error.kind().to_string();
            let message = said.trim_end_matches('.');
            Fault::new(FaultKind::Syntax, error.range().start, message)
        })?
        .value;
    if json == Json::STRICT && value.is_some() {
        as_standard(text)?;
    }
    Ok(value)
}

/// Refuses what the lenient parser lets pass and the standard does not.
fn as_standard(text: &str) -> Result<()> {
    let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) else {
        return Ok(());
    };
    let line: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let mut at = (line + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let said = error.to_string();
    let message = said
        .rsplit_once(" at line ")
        .map_or(&*said, |(what, _)| what);
    Err(Fault::new(FaultKind::Syntax, at, message))
}

pub(super) fn read(text: &str, json: Json) -> Result<Tree> {
    Ok(parse(text, json)?.map_or(Tree::empty(), |value| tree(&value, text)))
}

fn tree(value: &Value<'_>, text: &str) -> Tree {
    match value {
        Value::StringLit(string) => Tree::text(string.value.clone()),
        Value::Object(object) => Tree::Map(
            object
                .properties
                .iter()
                .map(|it| (it.name.as_str().to_owned(), tree(&it.value, text)))
                .collect(),
        ),
        Value::Array(array) => {
            Tree::List(array.elements.iter().map(|item| tree(item, text)).collect())
        }
        other => Tree::Other(text.get(range(other)).unwrap_or_default().to_owned()),
    }
}

fn range(node: &impl Ranged) -> Range<usize> {
    node.start()..node.end()
}

/// How a text is laid out.
struct Layout<'a> {
    text: &'a str,
    newline: &'static str,
    /// One step of indentation.
    step: String,
    /// All of it stands on one line.
    one_line: bool,
    /// A blank after `:` and `,`.
    spaced: bool,
}

impl<'a> Layout<'a> {
    fn of(text: &'a str, root: Option<&Object<'_>>) -> Self {
        let first = root.and_then(|root| root.properties.first());
        let indent = first.and_then(|first| indent_before(text, first.start()));
        let outer = root.map_or("", |root| line_indent(text, root.start()));
        let step = indent
            .and_then(|indent| indent.strip_prefix(outer))
            .filter(|step| !step.is_empty());
        let spaced = first.is_none_or(|first| {
            text.get(range(&first.name).end..first.value.start())
                .is_none_or(|between| between != ":")
        });
        Self {
            text,
            newline: newline(text),
            step: step.unwrap_or("  ").to_owned(),
            one_line: first.is_some() && !text.trim().contains('\n'),
            spaced,
        }
    }

    /// A property as text. `indent` is that of its own line; `None`: all on one
    /// line.
    fn property(&self, key: &str, value: &Tree, indent: Option<&str>) -> String {
        let blank = if self.spaced { " " } else { "" };
        format!("{}:{blank}{}", quoted(key), self.value(value, indent))
    }

    fn value(&self, value: &Tree, indent: Option<&str>) -> String {
        match (value, indent) {
            (Tree::Map(pairs), Some(indent)) if !pairs.is_empty() => {
                let inner = format!("{indent}{}", self.step);
                let lines: Vec<String> = pairs
                    .iter()
                    .map(|(key, value)| {
                        format!("{inner}{}", self.property(key, value, Some(&inner)))
                    })
                    .collect();
                let newline = self.newline;
                let body = lines.join(&format!(",{newline}"));
                format!("{{{newline}{body}{newline}{indent}}}")
            }
            _ => value.json(self.spaced),
        }
    }

    fn blank(&self) -> &'static str {
        if self.spaced { " " } else { "" }
    }
}

/// The comments of a text that is well formed, in their order.
pub(super) fn comments(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = text.get(at..).unwrap_or_default();
        let start = at;
        match byte {
            b'"' => {
                at += 1;
                while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find(['\n', '\r']).unwrap_or(rest.len());
                found.push(start..at);
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                found.push(start..at);
            }
            _ => at += 1,
        }
    }
    found
}

/// Where what stands that an edit at a path has to heed.
pub(super) fn ground(text: &str, json: Json, path: &[&str]) -> Result<Ground> {
    let mut ground = Ground::default();
    let root = parse(text, json)?;
    let mut within = root.as_ref().and_then(Value::as_object);
    let mut path = path;
    while let (Some(object), Some((key, rest))) = (within, path.split_first()) {
        let is_known = |it: &&ObjectProp<'_>| it.name.as_str() == *key;
        let others = object.properties.iter().filter(|it| !is_known(it));
        ground.others.extend(others.map(range));
        within = None;
        if let Some(known) = object.properties.iter().find(is_known) {
            ground.place = known.start();
            if rest.is_empty() {
                ground.own.push(range(known));
            } else {
                ground.others.push(range(&known.name));
                within = known.value.as_object();
                let alone = within.is_some_and(|within| within.properties.len() == 1);
                ground.alone = alone.then(|| range(known));
            }
        }
        path = rest;
    }
    Ok(ground)
}

/// The property of a key, refused where there are two.
fn property<'o, 'a>(object: &'o Object<'a>, key: &str) -> Result<Option<&'o ObjectProp<'a>>> {
    let mut all = object
        .properties
        .iter()
        .filter(|it| it.name.as_str() == key);
    match (all.next(), all.next()) {
        (_, Some(second)) => Err(Fault::new(
            FaultKind::Twice,
            second.start(),
            format!("`{key}` stands here a second time"),
        )),
        (first, None) => Ok(first),
    }
}

fn object<'o, 'a>(value: &'o Value<'a>, what: &str) -> Result<&'o Object<'a>> {
    value.as_object().ok_or_else(|| {
        Fault::new(
            FaultKind::Shape,
            value.start(),
            format!("{what} is not an object"),
        )
    })
}

pub(super) fn put(text: &str, json: Json, path: &[&str], value: &Tree) -> Result<Vec<Vec<Splice>>> {
    let Some(root) = parse(text, json)? else {
        return Ok(vec![whole(text, path, value)]);
    };
    let root = object(&root, "the file")?;
    let layout = Layout::of(text, Some(root));
    let mut within = root;
    let mut path = path;
    while let Some((key, rest)) = path.split_first() {
        let Some(known) = property(within, key)? else {
            let mut made = value.clone();
            for key in rest.iter().rev() {
                made = Tree::Map(vec![((*key).to_owned(), made)]);
            }
            return Ok(vec![add(&layout, within, key, &made)]);
        };
        if rest.is_empty() {
            if tree(&known.value, text) == *value {
                return Ok(vec![Vec::new()]);
            }
            let indent = indent_before(text, known.start());
            let written = layout.value(value, indent);
            let whole = vec![Splice::replace(range(&known.value), written)];
            let items = items(&layout, &known.value, value);
            return Ok(std::iter::once(whole).chain(items).collect());
        }
        within = object(&known.value, &format!("`{key}`"))?;
        path = rest;
    }
    Ok(Vec::new())
}

/// The only value of a text that has none: blanks and comments stay above it.
fn whole(text: &str, path: &[&str], value: &Tree) -> Vec<Splice> {
    let layout = Layout::of(text, None);
    let mut all = value.clone();
    for key in path.iter().rev() {
        all = Tree::Map(vec![((*key).to_owned(), all)]);
    }
    let head = text.trim_end();
    let mut with = String::new();
    if !head.is_empty() {
        with.push_str(layout.newline);
    }
    with.push_str(&layout.value(&all, Some("")));
    with.push_str(layout.newline);
    vec![Splice::replace(head.len()..text.len(), with)]
}

/// The properties of an object, as what stands in its braces.
fn braces<'a>(layout: &Layout<'a>, within: &Object<'_>, comments: &'a [Range<usize>]) -> Flow<'a> {
    Flow {
        text: layout.text,
        newline: layout.newline,
        blank: layout.blank(),
        comments,
        inner: within.start() + 1..within.end() - 1,
        items: within.properties.iter().map(range).collect(),
    }
}

/// Adds a property at the end of an object.
fn add(layout: &Layout<'_>, within: &Object<'_>, key: &str, value: &Tree) -> Vec<Splice> {
    let comments = comments(layout.text);
    let flow = braces(layout, within, &comments);
    let write = |indent: Option<&str>| layout.property(key, value, indent);
    if !within.properties.is_empty() {
        return flow.add(write);
    }
    let outer = line_indent(layout.text, within.start());
    let indent = format!("{outer}{}", layout.step);
    flow.fill(Some(&*indent).filter(|_| !layout.one_line), "", write)
}

/// A list's new items alone.
fn items(layout: &Layout<'_>, old: &Value<'_>, value: &Tree) -> Option<Vec<Splice>> {
    let (list, Tree::List(new)) = (old.as_array()?, value) else {
        return None;
    };
    let Tree::List(before) = tree(old, layout.text) else {
        return None;
    };
    let comments = comments(layout.text);
    let flow = Flow {
        text: layout.text,
        newline: layout.newline,
        blank: layout.blank(),
        comments: &comments,
        inner: list.start() + 1..list.end() - 1,
        items: list.elements.iter().map(range).collect(),
    };
    Some(flow.change(&before, new, |item| item.json(layout.spaced)))
}

pub(super) fn remove(
    text: &str,
    json: Json,
    path: [&str; 2],
    with_container: bool,
) -> Result<Vec<Vec<Splice>>> {
    let Some(root) = parse(text, json)? else {
        return Ok(vec![Vec::new()]);
    };
    let root = object(&root, "the file")?;
    let [container, key] = path;
    let Some(around) = property(root, container)? else {
        return Ok(vec![Vec::new()]);
    };
    let within = object(&around.value, &format!("`{container}`"))?;
    let Some(known) = property(within, key)? else {
        return Ok(vec![Vec::new()]);
    };
    let layout = Layout::of(text, Some(root));
    let comments = comments(text);
    let take = |within: &Object<'_>, known: &ObjectProp<'_>| {
        let mut places = within.properties.iter();
        let place = places.position(|it| it.range == known.range);
        braces(&layout, within, &comments).take(place.unwrap_or(usize::MAX))
    };
    let mut candidates = vec![take(within, known)];
    if with_container && within.properties.len() == 1 {
        candidates.insert(0, take(root, around));
    }
    Ok(candidates)
}
