//! JSON, with comments and trailing commas where the client reads them.

use super::lines::{indent_before, line_indent, newline};
use super::tree::quoted;
use super::{Fault, FaultKind, Result, Splice, Tree};
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

/// What stands between two tokens.
#[derive(Debug, Default)]
struct Gap {
    /// The comma, if one is there.
    comma: Option<usize>,
    /// Where the last comment, or the comma, ends; else where the gap begins.
    end: usize,
    /// Whether that is a comment that ends with its line.
    line_comment: bool,
    /// Whether a comment is there.
    commented: bool,
}

/// Looks through blanks, comments and at most one comma. The text is known to
/// be well formed.
fn gap(text: &str, range: Range<usize>) -> Gap {
    let mut found = Gap {
        end: range.start,
        ..Gap::default()
    };
    let mut at = range.start;
    while let Some(rest) = text.get(at..range.end).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("//") {
            let line = rest.find('\n').unwrap_or(rest.len());
            at += rest
                .get(..line)
                .unwrap_or_default()
                .trim_end_matches('\r')
                .len();
            (found.end, found.line_comment, found.commented) = (at, true, true);
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            (found.end, found.line_comment, found.commented) = (at, false, true);
        } else if rest.starts_with(',') {
            found.comma = Some(at);
            at += 1;
            (found.end, found.line_comment) = (at, false);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
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
            return Ok(vec![vec![Splice::replace(range(&known.value), written)]]);
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

/// Adds a property at the end of an object.
fn add(layout: &Layout<'_>, within: &Object<'_>, key: &str, value: &Tree) -> Vec<Splice> {
    let text = layout.text;
    let brace = within.end() - 1;
    let Some(last) = within.properties.last() else {
        return fill(layout, within, key, value);
    };
    let tail = gap(text, last.end()..brace);
    // Each on a line of its own, if the first is.
    let first = within.properties.first().unwrap_or(last);
    let lined = indent_before(text, first.start()).filter(|_| {
        text.get(within.start()..first.start())
            .is_some_and(|it| it.contains('\n'))
    });
    let mut splices = Vec::new();
    if tail.comma.is_none() {
        splices.push(Splice::insert(last.end(), ","));
    }
    let mut with = match lined {
        Some(first) => {
            let indent = indent_before(text, last.start()).unwrap_or(first);
            let property = layout.property(key, value, Some(indent));
            format!("{}{indent}{property}", layout.newline)
        }
        None if tail.line_comment => {
            let indent = line_indent(text, last.start());
            let property = layout.property(key, value, None);
            format!("{}{indent}{property}", layout.newline)
        }
        None => format!("{}{}", layout.blank(), layout.property(key, value, None)),
    };
    if tail.comma.is_some() {
        with.push(',');
    }
    splices.push(Splice::insert(tail.end, with));
    splices
}

/// Adds the first property of an object.
fn fill(layout: &Layout<'_>, within: &Object<'_>, key: &str, value: &Tree) -> Vec<Splice> {
    let text = layout.text;
    let inner = within.start() + 1..within.end() - 1;
    if layout.one_line {
        let found = gap(text, inner.clone());
        if !found.commented {
            let property = layout.property(key, value, None);
            return vec![Splice::replace(inner, property)];
        }
    }
    let outer = line_indent(text, within.start());
    let indent = format!("{outer}{}", layout.step);
    let property = layout.property(key, value, Some(&indent));
    let line = format!("{}{indent}{property}", layout.newline);
    let found = gap(text, inner.clone());
    if found.commented {
        let rest = text.get(found.end..inner.end).unwrap_or_default();
        let mut splices = vec![Splice::insert(found.end, line)];
        if !rest.contains('\n') {
            let end = format!("{}{outer}", layout.newline);
            splices.push(Splice::replace(found.end..inner.end, end));
        }
        return splices;
    }
    vec![Splice::replace(
        inner,
        format!("{line}{}{outer}", layout.newline),
    )]
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
    if with_container && within.properties.len() == 1 {
        let inner = within.start() + 1..known.start();
        let after = known.end()..within.end() - 1;
        if !gap(text, inner).commented && !gap(text, after).commented {
            return Ok(vec![take(text, root, around)]);
        }
    }
    Ok(vec![take(text, within, known)])
}

/// Takes a property out of an object, with one comma.
fn take(text: &str, within: &Object<'_>, known: &ObjectProp<'_>) -> Vec<Splice> {
    let brace = within.end() - 1;
    let place = within
        .properties
        .iter()
        .position(|it| it.range == known.range)
        .unwrap_or(0);
    let before = place
        .checked_sub(1)
        .and_then(|it| within.properties.get(it));
    let next = within.properties.get(place + 1);
    let head_start = before.map_or(within.start() + 1, Ranged::end);
    let head = gap(text, head_start..known.start());
    let tail = gap(text, known.end()..next.map_or(brace, Ranged::start));
    if let Some(comma) = tail.comma {
        let mut end = comma + 1;
        let start = head.end;
        let alone = before.is_none() && next.is_none();
        let between = text.get(start..known.start()).unwrap_or_default();
        let rest = text.get(end..brace).unwrap_or_default();
        if alone && !head.commented && !tail.commented && rest.trim().is_empty() {
            end = brace;
        } else if !between.contains('\n') && before.is_none() {
            // Nothing stands before it on its line but the brace.
            end += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        }
        // Between the property and its comma a comment may stand: it stays.
        if text
            .get(known.end()..comma)
            .is_some_and(|it| it.trim().is_empty())
        {
            return vec![Splice::remove(start..end)];
        }
        return vec![
            Splice::remove(start..known.end()),
            Splice::remove(comma..end),
        ];
    }
    match head.comma {
        Some(comma) if head.end == comma + 1 => vec![Splice::remove(comma..known.end())],
        Some(comma) => vec![
            Splice::remove(comma..comma + 1),
            Splice::remove(head.end..known.end()),
        ],
        None => {
            let rest = text.get(known.end()..brace).unwrap_or_default();
            let end = if !head.commented && rest.trim().is_empty() {
                brace
            } else {
                known.end()
            };
            vec![Splice::remove(head.end..end)]
        }
    }
}
