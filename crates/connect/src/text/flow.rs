//! What stands in brackets with commas between: the pairs of an object, of a
//! flow mapping, of an inline table, or the items of a list.

use super::lines::{indent_before, line_end, line_indent};
use super::{Splice, Tree};
use std::ops::Range;

/// Pairs or items in brackets, in a text that is known to be well formed.
pub(super) struct Flow<'a> {
    pub(super) text: &'a str,
    /// The line end of what is added.
    pub(super) newline: &'static str,
    /// What goes between a comma and the next: a blank, or nothing.
    pub(super) blank: &'static str,
    /// All comments of the text, in their order.
    pub(super) comments: &'a [Range<usize>],
    /// What the brackets are around.
    pub(super) inner: Range<usize>,
    /// What the commas are between, in its order.
    pub(super) items: Vec<Range<usize>>,
}

/// What stands between two items.
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

impl Flow<'_> {
    /// Looks through blanks, comments and commas.
    fn gap(&self, range: Range<usize>) -> Gap {
        let mut found = Gap {
            end: range.start,
            ..Gap::default()
        };
        let mut at = range.start;
        let first = self.comments.partition_point(|it| it.start < at);
        let mut comments = self.comments.iter().skip(first).peekable();
        while let Some(next) = self.slice(at..range.end).chars().next() {
            if let Some(comment) = comments.next_if(|it| it.start <= at) {
                let block = self.slice(comment.clone()).starts_with("/*");
                at = comment.end.max(at + 1);
                (found.end, found.line_comment, found.commented) = (at, !block, true);
            } else {
                at += next.len_utf8();
                if next == ',' {
                    found.comma = Some(at - 1);
                    (found.end, found.line_comment) = (at, false);
                }
            }
        }
        found
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// The indentation of the first item, if it begins a line.
    fn lined(&self) -> Option<&str> {
        let first = self.items.first()?;
        let head = self.slice(self.inner.start..first.start);
        indent_before(self.text, first.start).filter(|_| head.contains('\n'))
    }

    /// Adds an item after the last. `write` gets the indentation of the line
    /// that the item begins; `None`: it goes on with a line. Without an item
    /// there is no place after it: that is for [`Flow::fill`].
    pub(super) fn add(&self, write: impl Fn(Option<&str>) -> String) -> Vec<Splice> {
        let Some(last) = self.items.last() else {
            return Vec::new();
        };
        let tail = self.gap(last.end..self.inner.end);
        let mut splices = Vec::new();
        if tail.comma.is_none() {
            splices.push(Splice::insert(last.end, ","));
        }
        let mut with = match self.lined() {
            Some(first) => {
                let indent = indent_before(self.text, last.start).unwrap_or(first);
                format!("{}{indent}{}", self.newline, write(Some(indent)))
            }
            None if tail.line_comment => {
                // Deeper than what the brackets belong to: YAML wants that.
                let outer = line_indent(self.text, self.inner.start);
                let indent = line_indent(self.text, last.start);
                let deeper = if indent.len() > outer.len() { "" } else { "  " };
                format!("{}{indent}{deeper}{}", self.newline, write(None))
            }
            None => format!("{}{}", self.blank, write(None)),
        };
        if tail.comma.is_some() {
            with.push(',');
        }
        splices.push(Splice::insert(tail.end, with));
        splices
    }

    /// Adds the first item, on a line of its own with that indentation, if
    /// there is one; else between what `pad` gives. Comments stay before it.
    pub(super) fn fill(
        &self,
        indent: Option<&str>,
        pad: &str,
        write: impl Fn(Option<&str>) -> String,
    ) -> Vec<Splice> {
        let inner = self.inner.clone();
        let found = self.gap(inner.clone());
        let outer = line_indent(self.text, inner.start);
        let newline = self.newline;
        if !found.commented {
            let with = match indent {
                Some(indent) => {
                    format!("{newline}{indent}{}{newline}{outer}", write(Some(indent)))
                }
                None => format!("{pad}{}{pad}", write(None)),
            };
            return vec![Splice::replace(inner, with)];
        }
        let rest = found.end..inner.end;
        let with = match indent {
            Some(indent) => {
                let line = format!("{newline}{indent}{}", write(Some(indent)));
                let mut splices = vec![Splice::insert(found.end, line)];
                if !self.slice(rest.clone()).contains('\n') {
                    splices.push(Splice::replace(rest, format!("{newline}{outer}")));
                }
                return splices;
            }
            None if self.slice(inner).contains('\n') => {
                format!("{newline}{outer}  {}", write(None))
            }
            None => format!("{}{}", self.blank, write(None)),
        };
        vec![Splice::insert(found.end, with)]
    }

    /// Takes an item out, with one comma. The comments around it stay.
    pub(super) fn take(&self, place: usize) -> Vec<Splice> {
        let Some(known) = self.items.get(place).cloned() else {
            return Vec::new();
        };
        let before = place.checked_sub(1).and_then(|it| self.items.get(it));
        let next = self.items.get(place + 1);
        let head = self.gap(before.map_or(self.inner.start, |it| it.end)..known.start);
        let after = known.end..next.map_or(self.inner.end, |it| it.start);
        let tail = self.gap(after.clone());
        if before.is_none() && next.is_none() && !head.commented && !tail.commented {
            return vec![Splice::remove(self.inner.clone())];
        }
        // Between the item and its comma a comment may stand: it stays.
        let comma = tail.comma;
        let joined = comma.filter(|comma| self.slice(known.end..*comma).trim().is_empty());
        let mut end = joined.map_or(known.end, |comma| comma + 1);
        // What follows on the line must not get into a comment that the line
        // before ends with.
        let line = self.slice(end..line_end(self.text, end));
        let follows = line.chars().any(|c| !c.is_whitespace() && c != ',');
        let kept_apart = head.line_comment && follows;
        let start = if kept_apart { known.start } else { head.end };
        let between = self.slice(start..known.start);
        let begins = before.is_none() && joined.is_some() && !kept_apart;
        let begins = begins && !between.contains('\n');
        if begins || head.line_comment {
            // Blanks would stand at the beginning or at the end of a line; one
            // before a comment may be what makes it one.
            let rest = self.slice(end..after.end);
            let trimmed = rest.trim_start_matches([' ', '\t']);
            if !(begins && trimmed.starts_with('#')) {
                end += rest.len() - trimmed.len();
            }
        }
        if let Some(comma) = comma {
            let mut splices = vec![Splice::remove(start..end)];
            if joined.is_none() {
                splices.push(Splice::remove(comma..comma + 1));
            }
            return splices;
        }
        match head.comma {
            Some(comma) if head.end == comma + 1 => vec![Splice::remove(comma..end)],
            Some(comma) => vec![Splice::remove(comma..comma + 1), Splice::remove(start..end)],
            None => vec![Splice::remove(start..end)],
        }
    }

    /// Makes other items of a list's, without touching those that stay.
    pub(super) fn change(
        &self,
        old: &[Tree],
        new: &[Tree],
        write: impl Fn(&Tree) -> String,
    ) -> Vec<Splice> {
        if old.len() == new.len() {
            let pairs = old.iter().zip(new).zip(&self.items);
            return pairs
                .filter(|((old, new), _)| old != new)
                .map(|((_, new), range)| Splice::replace(range.clone(), write(new)))
                .collect();
        }
        let same = |pairs: &mut dyn Iterator<Item = (&Tree, &Tree)>| {
            pairs.take_while(|(old, new)| old == new).count()
        };
        let shorter = old.len().min(new.len());
        let first = same(&mut old.iter().zip(new));
        let last = same(&mut old.iter().rev().zip(new.iter().rev())).min(shorter - first);
        let going = self.items.get(first..old.len() - last).unwrap_or_default();
        let coming: Vec<String> = new
            .get(first..new.len() - last)
            .unwrap_or_default()
            .iter()
            .map(write)
            .collect();
        let coming = coming.join(&format!(",{}", self.blank));
        let before = first.checked_sub(1).and_then(|it| self.items.get(it));
        let after = self.items.get(old.len() - last);
        match (going, before, after) {
            ([one], ..) if !coming.is_empty() => vec![Splice::replace(one.clone(), coming)],
            ([begin, .., end], ..) if !coming.is_empty() => {
                vec![Splice::replace(begin.start..end.end, coming)]
            }
            ([], Some(before), _) => {
                vec![Splice::insert(
                    before.end,
                    format!(",{}{coming}", self.blank),
                )]
            }
            ([], None, Some(after)) => {
                vec![Splice::insert(
                    after.start,
                    format!("{coming},{}", self.blank),
                )]
            }
            ([.., end], Some(before), _) => vec![Splice::remove(before.end..end.end)],
            ([begin, ..], None, Some(after)) => vec![Splice::remove(begin.start..after.start)],
            (_, None, None) => vec![Splice::replace(self.inner.clone(), coming)],
        }
    }
}
