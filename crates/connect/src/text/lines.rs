//! Lines, indentation and line ends, as a text already has them.

/// The line end that a text uses: that of its first line.
pub(crate) fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Where the line of a place begins.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |newline| newline + 1)
}

/// Where the line of a place ends, its line end not counted.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let end = text
        .get(at..)
        .and_then(|rest| rest.find('\n'))
        .map_or(text.len(), |newline| at + newline);
    if end > at && text.get(..end).is_some_and(|line| line.ends_with('\r')) {
        end - 1
    } else {
        end
    }
}

/// Where the line after that of a place begins, or the text ends.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    text.get(at..)
        .and_then(|rest| rest.find('\n'))
        .map_or(text.len(), |newline| at + newline + 1)
}

/// The blanks and tabs that the line of a place begins with, if nothing else
/// stands before the place.
pub(super) fn indent_before(text: &str, at: usize) -> Option<&str> {
    let before = text.get(line_start(text, at)..at)?;
    before
        .chars()
        .all(|c| c == ' ' || c == '\t')
        .then_some(before)
}

/// The blanks and tabs that the line of a place begins with.
pub(super) fn line_indent(text: &str, at: usize) -> &str {
    let line = text.get(line_start(text, at)..).unwrap_or_default();
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

/// Where the comment lines end that stand directly below a place's line: no
/// blank line between, and `belongs` to what is above them.
pub(super) fn below(text: &str, at: usize, belongs: impl Fn(&str) -> bool) -> usize {
    let mut end = line_end(text, at);
    loop {
        let start = next_line(text, end);
        let line = text.get(start..line_end(text, start)).unwrap_or_default();
        if start == end || !line.trim_start().starts_with('#') || !belongs(line) {
            return end;
        }
        end = start + line.len();
    }
}
