//! What is printed: replies on stdout, reasons on stderr.

use ozbrain_core::Refusal;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was refused: exit code 1.
    Refused(Refusal),
    /// It was asked wrongly: exit code 2.
    Usage(String),
    /// It was refused, and the reason is printed already: exit code 1.
    Told,
    /// Nobody reads the output any more: no failure of ours.
    Unread,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Unread
        } else {
            Self::Refused(Refusal::unavailable(error.to_string()))
        }
    }
}

/// Standard output and error.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Prints a reply: as agents get it with `--json`, else as `text` writes
    /// it.
    pub(crate) fn reply<T: Serialize>(
        &self,
        reply: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        if self.json {
            let json = serde_json::to_string(reply)
                .map_err(|error| Refusal::unavailable(error.to_string()))?;
            self.line(json)
        } else {
            self.line(shown(text(reply).trim_end()))
        }
    }

    /// Whether JSON is wanted.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Prints a line.
    pub(crate) fn line(&self, line: impl Display) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")?;
        Ok(out.flush()?)
    }

    /// Prints a line on stderr. That it cannot be printed is no failure.
    pub(crate) fn aside(&self, line: impl Display) {
        let _ = writeln!(io::stderr().lock(), "{}", shown(&line.to_string()));
    }

    /// Says why, and gives the exit code.
    pub(crate) fn failed(&self, failure: &Failure) -> ExitCode {
        match failure {
            Failure::Unread => ExitCode::SUCCESS,
            Failure::Told => ExitCode::from(1),
            Failure::Usage(message) => {
                self.aside(format_args!("error: {message}"));
                ExitCode::from(2)
            }
            Failure::Refused(refusal) => {
                if self.json {
                    // The reason below is what counts.
                    let _ = self.reply(refusal, |refusal| refusal.to_string());
                }
                self.aside(format_args!("{}: {}", refusal.code, refusal.message));
                for pointer in &refusal.pointers {
                    self.aside(format_args!(
                        "  {}  {} · {}  {}",
                        pointer.id, pointer.brain, pointer.topic, pointer.title
                    ));
                }
                ExitCode::from(1)
            }
        }
    }
}

/// Text as a terminal may show it: what was stored must not move the cursor,
/// set colours or turn the direction of what follows.
fn shown(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// Rows with aligned columns; the last column is not padded.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_text_is_no_command_to_the_terminal() {
        let text = "a\u{1b}[31m\u{7}b\r\u{202e}c\n\td";
        assert_eq!(shown(text), "a\u{fffd}[31m\u{fffd}b\u{fffd}\u{fffd}c\n\td");
    }

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [["a", "café", "x"], ["bbb", "c", ""]].map(|row| row.map(String::from).to_vec());
        assert_eq!(table(&rows), "a    café  x\nbbb  c\n");
    }
}
