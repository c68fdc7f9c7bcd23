//! What is printed: replies on stdout, reasons on stderr.

use ozbrain_core::Refusal;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};
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

    /// Asks the person, who may just press Enter for yes; `None` where nobody
    /// can answer.
    pub(crate) fn asks(&self, question: impl Display) -> Option<bool> {
        if self.json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return None;
        }
        let mut screen = io::stderr().lock();
        write!(screen, "{} [Y/n] ", shown(&question.to_string())).ok()?;
        screen.flush().ok()?;
        let mut answer = String::new();
        if io::stdin().lock().read_line(&mut answer).ok()? == 0 {
            return None;
        }
        Some(matches!(
            answer.trim().to_lowercase().as_str(),
            "" | "y" | "yes"
        ))
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
                self.aside(format_args!(
                    "{}: {}",
                    refusal.code,
                    with_options(&refusal.message)
                ));
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

/// Arguments of the tools that are options here.
const OPTIONS: [&str; 21] = [
    "append",
    "base_revision",
    "body",
    "brain",
    "budget",
    "choice",
    "decision",
    "depth",
    "fresh_for_days",
    "freshness",
    "limit",
    "needs",
    "observed_at",
    "prefix",
    "reason",
    "revision",
    "source",
    "tags",
    "title",
    "topic",
    "verdict",
];

/// A refusal's message as the command line says it: it names options where it
/// names arguments. Messages name them at their start, after `give`, and where
/// they name a choice or a verdict; elsewhere the same words are words.
fn with_options(message: &str) -> String {
    let words: Vec<&str> = message.split(' ').collect();
    let name = |word: &str| {
        let bare = word.trim_end_matches([',', ':', '.']);
        OPTIONS.contains(&bare).then(|| bare.replace('_', "-"))
    };
    let mut said = Vec::new();
    // Within the arguments that a message begins with, or that it asks for.
    let mut listing = true;
    for (place, word) in words.iter().enumerate() {
        let next = words.get(place + 1);
        let valued =
            ["choice", "verdict"].contains(word) && next.is_some_and(|next| next.starts_with('`'));
        match name(word) {
            Some(option) if listing || valued || word.contains('_') => {
                let rest = word.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_');
                said.push(format!("--{option}{rest}"));
            }
            _ => {
                listing = matches!(*word, "give" | "and" | "or" | "query,")
                    && (listing || *word == "give");
                said.push((*word).to_owned());
            }
        }
        if word.ends_with([':', '.']) {
            listing = false;
        }
    }
    said.join(" ")
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
    fn a_refusal_names_options() {
        for (message, said) in [
            (
                "topic is missing: name the topic, such as clients/meridian, or the unit's id.",
                "--topic is missing: name the topic, such as clients/meridian, or the unit's id.",
            ),
            (
                "query is missing: give query, topic or needs. To see what there is, call `topics`.",
                "query is missing: give query, --topic or --needs. To see what there is, call `topics`.",
            ),
            (
                "append and body are both given: give one of them.",
                "--append and --body are both given: give one of them.",
            ),
            (
                "body, title, tags and source go with choice `merged` alone.",
                "--body, --title, --tags and --source go with --choice `merged` alone.",
            ),
            (
                "body is missing: give body, append, or another field to change.",
                "--body is missing: give --body, --append, or another field to change.",
            ),
            (
                "base_revision 7 is no revision of this unit: its head is 2.",
                "--base-revision 7 is no revision of this unit: its head is 2.",
            ),
            (
                "body goes with the verdict `changed` alone.",
                "--body goes with the --verdict `changed` alone.",
            ),
            (
                "revision is missing: a verdict names the revision that it speaks of.",
                "--revision is missing: a verdict names the revision that it speaks of.",
            ),
            ("limit is 1 to 50.", "--limit is 1 to 50."),
            (
                "Another unit stands at this topic and title. Choose another title.",
                "Another unit stands at this topic and title. Choose another title.",
            ),
            (
                "There is no brain `tema`. Call `brains` to see which there are.",
                "There is no brain `tema`. Call `brains` to see which there are.",
            ),
            ("A brain `x` exists already.", "A brain `x` exists already."),
        ] {
            assert_eq!(with_options(message), said);
        }
    }

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [["a", "café", "x"], ["bbb", "c", ""]].map(|row| row.map(String::from).to_vec());
        assert_eq!(table(&rows), "a    café  x\nbbb  c\n");
    }
}
