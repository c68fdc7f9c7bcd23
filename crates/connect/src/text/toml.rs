//! TOML. A server is a table with a header of its own, wherever the file does
//! not write it otherwise.

use super::flow::Flow;
use super::lines::{below, indent_before, line_end, line_start, newline, next_line};
use super::{Fault, FaultKind, Ground, Result, Splice, Tree};
use std::ops::Range;
use toml_edit::{Document, InlineTable, Item, Key, Table, TableLike, Value};

type Parsed<'a> = Document<&'a str>;

fn parse(text: &str) -> Result<Parsed<'_>> {
    Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let said = error.message().lines().next().unwrap_or("it is no TOML");
        Fault::new(FaultKind::Syntax, at, said.trim_end_matches('.'))
    })
}

pub(super) fn read(text: &str) -> Result<Tree> {
    let document = parse(text)?;
    Ok(table_tree(document.as_table(), text))
}

/// Keys in alphabetical order: in TOML their order means nothing, and one
/// table may stand in several places.
fn table_tree(table: &Table, text: &str) -> Tree {
    sorted(
        table
            .iter()
            .map(|(key, item)| (key.to_owned(), item_tree(item, text))),
    )
}

fn sorted(pairs: impl Iterator<Item = (String, Tree)>) -> Tree {
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
    Tree::Map(pairs)
}

fn item_tree(item: &Item, text: &str) -> Tree {
    match item {
        Item::None => Tree::empty(),
        Item::Value(value) => value_tree(value, text),
        Item::Table(table) => table_tree(table, text),
        Item::ArrayOfTables(tables) => {
            Tree::List(tables.iter().map(|table| table_tree(table, text)).collect())
        }
    }
}

fn value_tree(value: &Value, text: &str) -> Tree {
    match value {
        Value::String(string) => Tree::text(string.value()),
        Value::Array(items) => Tree::List(items.iter().map(|it| value_tree(it, text)).collect()),
        Value::InlineTable(table) => sorted(
            table
                .iter()
                .map(|(key, value)| (key.to_owned(), value_tree(value, text))),
        ),
        other => {
            let raw = other.span().and_then(|span| text.get(span));
            Tree::Other(raw.unwrap_or_default().to_owned())
        }
    }
}

/// A value as TOML on one line.
fn written(value: &Tree) -> String {
    match value {
        Tree::Text(text) => Value::from(text.as_str()).to_string().trim().to_owned(),
        Tree::Other(raw) => raw.clone(),
        Tree::List(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        Tree::Map(pairs) => {
            let pairs: Vec<String> = pairs
                .iter()
                .map(|(key, value)| format!("{} = {}", written_key(key), written(value)))
                .collect();
            format!("{{ {} }}", pairs.join(", "))
        }
    }
}

fn written_key(key: &str) -> String {
    Key::new(key).display_repr().into_owned()
}

/// Where a table's header begins and all that stands under it ends, tables
/// with a header of their own not counted.
fn own_range(table: &Table) -> Option<Range<usize>> {
    let mut range = table.span()?;
    for (_, item) in table.iter() {
        let end = match item {
            Item::Value(value) => value.span().map(|span| span.end),
            Item::Table(inner) if inner.is_dotted() => own_range(inner).map(|it| it.end),
            _ => None,
        };
        range.end = range.end.max(end.unwrap_or(0));
    }
    Some(range)
}

/// Whether a table has a header of its own.
fn has_header(table: &Table) -> bool {
    !table.is_implicit() && !table.is_dotted() && table.position().is_some()
}

/// The ranges of all tables with a header in an item.
fn headed(item: &Item, found: &mut Vec<Range<usize>>) {
    match item {
        Item::Table(table) => {
            if has_header(table) {
                found.extend(own_range(table));
            }
            for (_, inner) in table.iter() {
                headed(inner, found);
            }
        }
        Item::ArrayOfTables(tables) => {
            for table in tables {
                found.extend(own_range(table));
                for (_, inner) in table.iter() {
                    headed(inner, found);
                }
            }
        }
        Item::None | Item::Value(_) => {}
    }
}

/// The comments of a text that is well formed, in their order.
pub(super) fn comments(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let start = at;
        let first = rest.chars().next().unwrap_or_default();
        at += match first {
            '#' => {
                let end = line_end(text, start);
                found.push(start..end);
                end - start
            }
            '"' | '\'' => string(rest, first),
            other => other.len_utf8(),
        };
    }
    found
}

/// How long the string is that a text begins with.
fn string(text: &str, quote: char) -> usize {
    let three = [quote; 3].iter().collect::<String>();
    let (open, close) = if text.starts_with(&three) {
        (3, three.as_str())
    } else {
        (1, three.get(..1).unwrap_or_default())
    };
    let mut at = open;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(close) {
            at += close.len();
            // Up to two quotes may stand before the three that close.
            let more = text.get(at..).unwrap_or_default();
            let more = more.len() - more.trim_start_matches(quote).len();
            return at + if open == 3 { more.min(2) } else { 0 };
        }
        let mut chars = rest.chars();
        let next = chars.next().map_or(1, char::len_utf8);
        at += next;
        if quote == '"' && rest.starts_with('\\') {
            at += chars.next().map_or(0, char::len_utf8);
        }
    }
    text.len()
}

/// Where what stands that an edit at a path has to heed.
pub(super) fn ground(text: &str, path: &[&str]) -> Result<Ground> {
    let document = parse(text)?;
    let mut ground = Ground {
        lined: true,
        ..Ground::default()
    };
    survey(document.as_item(), None, Some(path), &mut ground);
    Ok(ground)
}

/// Tells what is ours and what others wrote. `path` leads to ours from this
/// item, if it is on the way.
fn survey(item: &Item, key: Option<&Key>, path: Option<&[&str]>, ground: &mut Ground) {
    let start = key.and_then(Key::span).map(|span| span.start);
    let is_ours = path.is_some_and(<[&str]>::is_empty);
    if let (Some(start), Some(_)) = (start, path) {
        ground.place = start;
    }
    let mut found = |range: Range<usize>| {
        if is_ours {
            ground.own.push(range);
        } else {
            ground.others.push(range);
        }
    };
    let table: &dyn TableLike = match item {
        Item::Table(table) => {
            if has_header(table) {
                let whole = if is_ours {
                    own_range(table)
                } else {
                    table.span()
                };
                whole.into_iter().for_each(&mut found);
            }
            table
        }
        // A step on our way: its braces are looked into.
        Item::Value(Value::InlineTable(table))
            if table.is_dotted() || path.is_some_and(|path| !path.is_empty()) =>
        {
            ground.lined &= table.is_dotted();
            table
        }
        Item::ArrayOfTables(tables) => {
            for table in tables {
                table.span().into_iter().for_each(&mut found);
            }
            for table in tables {
                for (name, item) in table.iter() {
                    survey(item, table.key(name), is_ours.then_some(&[]), ground);
                }
            }
            return;
        }
        Item::Value(value) => {
            let range = start.zip(value.span()).map(|(key, value)| key..value.end);
            range.into_iter().for_each(found);
            return;
        }
        Item::None => return,
    };
    for (name, item) in table.iter() {
        let rest = match path.and_then(<[&str]>::split_first) {
            None => path,
            Some((next, rest)) => (*next == name).then_some(rest),
        };
        survey(item, table.key(name), rest, ground);
    }
}

fn shape(at: Option<Range<usize>>, key: &str) -> Fault {
    let at = at.map_or(0, |span| span.start);
    Fault::new(FaultKind::Shape, at, format!("`{key}` is not a table"))
}

/// A map of an item: a table, or an inline one.
enum Found<'a> {
    Table(&'a Table),
    Inline(&'a InlineTable),
}

impl<'a> Found<'a> {
    fn of(item: &'a Item, key: &str) -> Result<Self> {
        match item {
            Item::Table(table) => Ok(Self::Table(table)),
            Item::Value(Value::InlineTable(table)) => Ok(Self::Inline(table)),
            other => Err(shape(other.span(), key)),
        }
    }

    fn get(&self, key: &str) -> Option<(&'a Key, &'a Item)> {
        match self {
            Self::Table(table) => table.get_key_value(key),
            Self::Inline(table) => table.get_key_value(key),
        }
    }
}

pub(super) fn put(text: &str, path: &[&str], value: &Tree) -> Result<Vec<Vec<Splice>>> {
    let document = parse(text)?;
    let root = document.as_table();
    let (Some(container), Some(name)) = (path.first(), path.get(1)) else {
        return Ok(Vec::new());
    };
    let Some(around) = root.get(container) else {
        return Ok(vec![at_end(text, container, name, value)]);
    };
    let servers = Found::of(around, container)?;
    let Some((key, entry)) = servers.get(name) else {
        return Ok(match servers {
            Found::Inline(table) => vec![into_inline(text, table, name, value)],
            Found::Table(_) => {
                let mut ranges = Vec::new();
                headed(around, &mut ranges);
                let last = ranges.iter().map(|range| range.end).max();
                let last = last.map(|last| its_comments(text, last));
                let after = last.map(|last| after_line(text, last, container, name, value));
                let end = at_end(text, container, name, value);
                after.into_iter().chain([end]).collect()
            }
        });
    };
    let Some(field) = path.get(2) else {
        return whole_entry(text, (key, entry), value);
    };
    let fields = Found::of(entry, name)?;
    if let Some((_, known)) = fields.get(field) {
        let span = known.span();
        let span = span.filter(|_| known.is_value());
        let span = span.ok_or_else(|| shape(None, field))?;
        let whole = vec![Splice::replace(span, written(value))];
        let items = items(text, known, value);
        return Ok(std::iter::once(whole).chain(items).collect());
    }
    Ok(vec![match fields {
        Found::Inline(table) => into_inline(text, table, field, value),
        Found::Table(table) if has_header(table) => {
            let header = table.span().map_or(0, |span| span.end);
            let indent = first_indent(text, table);
            let line = format!(
                "{}{indent}{} = {}",
                newline(text),
                written_key(field),
                written(value)
            );
            vec![Splice::insert(line_end(text, header), line)]
        }
        Found::Table(_) => return Err(shape(key.span(), name)),
    }])
}

/// Replaces an entry's value where it is written in one piece.
fn whole_entry(text: &str, (key, item): (&Key, &Item), value: &Tree) -> Result<Vec<Vec<Splice>>> {
    if item_tree(item, text) == sorted_tree(value) {
        return Ok(vec![Vec::new()]);
    }
    match item {
        Item::Value(known) => {
            let span = known.span().ok_or_else(|| shape(key.span(), key.get()))?;
            Ok(vec![vec![Splice::replace(span, written(value))]])
        }
        _ => Err(shape(key.span(), key.get())),
    }
}

fn sorted_tree(tree: &Tree) -> Tree {
    match tree {
        Tree::Map(pairs) => sorted(
            pairs
                .iter()
                .map(|(key, value)| (key.clone(), sorted_tree(value))),
        ),
        other => other.clone(),
    }
}

fn first_indent<'a>(text: &'a str, table: &Table) -> &'a str {
    let first = table.iter().next().map(|(key, _)| key);
    let key = first.and_then(|first| table.key(first)).and_then(Key::span);
    key.and_then(|span| indent_before(text, span.start))
        .unwrap_or("")
}

/// A table with its header, as lines.
fn lines(text: &str, container: &str, name: &str, value: &Tree) -> String {
    let newline = newline(text);
    let mut lines = format!("[{}.{}]", written_key(container), written_key(name));
    for (key, value) in value.pairs().unwrap_or_default() {
        lines.push_str(&format!(
            "{newline}{} = {}",
            written_key(key),
            written(value)
        ));
    }
    lines
}

/// The entry as the last table of the file.
fn at_end(text: &str, container: &str, name: &str, value: &Tree) -> Vec<Splice> {
    let newline = newline(text);
    let lines = lines(text, container, name, value);
    let with = if text.trim().is_empty() {
        return vec![Splice::insert(text.len(), format!("{lines}{newline}"))];
    } else if text.ends_with('\n') {
        format!("{newline}{lines}{newline}")
    } else {
        format!("{newline}{newline}{lines}")
    };
    vec![Splice::insert(text.len(), with)]
}

/// The entry as a table after the line of a place.
fn after_line(text: &str, at: usize, container: &str, name: &str, value: &Tree) -> Vec<Splice> {
    let newline = newline(text);
    let lines = lines(text, container, name, value);
    let with = format!("{newline}{newline}{lines}");
    vec![Splice::insert(line_end(text, at), with)]
}

/// Where the comments end that stand below a table's last line and belong to
/// it: to the next blank line. Where a header stands there instead, what is no
/// setting that was switched off belongs to that.
fn its_comments(text: &str, at: usize) -> usize {
    let end = below(text, at, |_| true);
    let after = next_line(text, end);
    let next = text.get(after..line_end(text, after)).unwrap_or_default();
    if next.trim().is_empty() {
        return end;
    }
    let mut last = line_end(text, at);
    let mut start = next_line(text, last);
    while start < after {
        let line = text.get(start..line_end(text, start)).unwrap_or_default();
        let said = line.trim_start().trim_start_matches('#');
        let goes_on = ["  ", "\t", "]", "}", "\"", "'", " ]", " }", " \"", " '"];
        if said.contains('=') || goes_on.iter().any(|it| said.starts_with(it)) {
            last = start + line.len();
        }
        start = next_line(text, start);
    }
    last
}

/// The pairs of an inline table, as what stands in its braces. A pair with
/// dotted keys counts by itself.
fn braces<'a>(
    text: &'a str,
    table: &InlineTable,
    comments: &'a [Range<usize>],
) -> Option<Flow<'a>> {
    let mut ground = Ground::default();
    let pairs: &dyn TableLike = table;
    for (name, item) in pairs.iter() {
        survey(item, pairs.key(name), None, &mut ground);
    }
    let mut items = ground.others;
    items.sort_by_key(|range| range.start);
    let span = table.span()?;
    Some(Flow {
        text,
        newline: newline(text),
        blank: " ",
        comments,
        inner: span.start + 1..span.end - 1,
        items,
    })
}

/// A pair as the last of an inline table.
fn into_inline(text: &str, table: &InlineTable, key: &str, value: &Tree) -> Vec<Splice> {
    let comments = comments(text);
    let Some(flow) = braces(text, table, &comments) else {
        return Vec::new();
    };
    let write = |_: Option<&str>| format!("{} = {}", written_key(key), written(value));
    if flow.items.is_empty() {
        flow.fill(None, " ", write)
    } else {
        flow.add(write)
    }
}

/// An array's new items alone.
fn items(text: &str, old: &Item, value: &Tree) -> Option<Vec<Splice>> {
    let (array, Tree::List(new)) = (old.as_array()?, value) else {
        return None;
    };
    let before: Vec<Tree> = array.iter().map(|it| value_tree(it, text)).collect();
    let comments = comments(text);
    let span = array.span()?;
    let flow = Flow {
        text,
        newline: newline(text),
        blank: " ",
        comments: &comments,
        inner: span.start + 1..span.end - 1,
        items: array.iter().map(Value::span).collect::<Option<_>>()?,
    };
    Some(flow.change(&before, new, written))
}

pub(super) fn remove(text: &str, path: [&str; 2]) -> Result<Vec<Vec<Splice>>> {
    let document = parse(text)?;
    let [container, name] = path;
    let Some(around) = document.as_table().get(container) else {
        return Ok(vec![Vec::new()]);
    };
    let servers = Found::of(around, container)?;
    let Some((key, entry)) = servers.get(name) else {
        return Ok(vec![Vec::new()]);
    };
    if let Found::Inline(table) = servers {
        return Ok(vec![out_of_inline(text, table, key)]);
    }
    let mut ranges = Vec::new();
    match entry {
        Item::Table(table) => {
            headed(entry, &mut ranges);
            dotted_lines(table, &mut ranges);
        }
        item => {
            let (key, value) = (key.span(), item.span());
            ranges.extend(key.zip(value).map(|(key, value)| key.start..value.end));
        }
    }
    let mut splices: Vec<Splice> = ranges
        .into_iter()
        .map(|range| Splice::remove(as_lines(text, range)))
        .collect();
    splices.sort_by_key(|splice| splice.range.start);
    // Two tables that stand below each other share the blank line between.
    splices.dedup_by(|next, last| {
        let overlap = next.range.start < last.range.end;
        if overlap {
            last.range.end = last.range.end.max(next.range.end);
        }
        overlap
    });
    Ok(vec![splices])
}

/// The ranges of pairs that are written with dotted keys.
fn dotted_lines(table: &Table, found: &mut Vec<Range<usize>>) {
    if has_header(table) {
        return;
    }
    for (key, item) in table.iter() {
        match item {
            Item::Value(value) => {
                let key = table.key(key).and_then(Key::span);
                found.extend(
                    key.zip(value.span())
                        .map(|(key, value)| key.start..value.end),
                );
            }
            Item::Table(inner) if inner.is_dotted() => dotted_lines(inner, found),
            _ => {}
        }
    }
}

/// The whole lines of a range, with one blank line before them.
fn as_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = line_start(text, range.start);
    let end = next_line(text, range.end);
    let headed = text
        .get(start..range.end)
        .is_some_and(|it| it.trim_start().starts_with('['));
    if headed && let Some(before) = text.get(..start) {
        let blank = before
            .strip_suffix("\r\n")
            .or_else(|| before.strip_suffix('\n'))
            .filter(|before| before.ends_with('\n'));
        if let Some(before) = blank {
            start = before.len();
        }
    }
    // A file that ended without a line end shall do so again.
    if end == text.len() && !text.ends_with('\n') {
        let before = text.get(..start).unwrap_or_default();
        start = before.trim_end_matches(['\r', '\n']).len();
    }
    start..end
}

fn out_of_inline(text: &str, table: &InlineTable, key: &Key) -> Vec<Splice> {
    let comments = comments(text);
    let (Some(flow), Some(own)) = (braces(text, table, &comments), key.span()) else {
        return Vec::new();
    };
    let place = flow.items.iter().position(|it| it.start == own.start);
    place.map(|place| flow.take(place)).unwrap_or_default()
}
