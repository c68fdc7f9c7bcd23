//! The section on OzBrain in a client's rules file, which it gives to its
//! agents: put at the end between two marks, and taken out with what was put
//! there, so that every other byte stays.

use crate::computer::{Unreadable, Unwritten};
use crate::description::{ConfigFile, Description};
use crate::diff;
use crate::installed::{InstalledClients, TRIES, apart, missing_folders};
use crate::record::RulesRecord;
use crate::text::newline;
use ozbrain_core::views::clients::{
    ClientProblem, ClientProblemCode, ClientRules, FileEffect, RulesPlan,
};
use ozbrain_core::words::Timestamp;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What a section begins and ends with: whole lines.
const BEGIN: &str = "<!-- OzBrain: begin.";
const END: &str = "<!-- OzBrain: end. -->";

/// What agents are told. Tools are named as the server names them.
const SECTION: &str = "\
<!-- OzBrain: begin. OzBrain wrote this section; disconnecting takes it out again. -->
## OzBrain: the memory that all my agents share

- Before you answer about people, clients, projects, decisions or my preferences, call OzBrain's `search` (or `brief` for whole texts).
- When you learn something that will matter later, `write` it to the brain it belongs to: one fact per unit, with a title and its source. To change a unit, `fetch` it first and pass its revision as `base_revision`.
- Tell me at once when something is `conflicted`, or when you rely on an `aging` or `stale` fact. Settle these only with my word: `confirm` or `resolve`.
<!-- OzBrain: end. -->
";

/// What becomes of a rules file.
pub(crate) struct RulesChange {
    pub(crate) file: PathBuf,
    real: PathBuf,
    before: Option<Vec<u8>>,
    /// `None`: the file goes.
    after: Option<Vec<u8>>,
    effect: FileEffect,
    pub(crate) wanted: bool,
    /// What is remembered of it then.
    record: Option<RulesRecord>,
}

impl RulesChange {
    pub(crate) fn changes(&self) -> bool {
        self.before != self.after
    }

    pub(crate) fn bytes(&self) -> (Option<&[u8]>, Option<&[u8]>) {
        (self.before.as_deref(), self.after.as_deref())
    }

    pub(crate) fn plan(&self) -> RulesPlan {
        let (before, after) = self.bytes();
        let (diff, stay) = diff::lines(before, after);
        RulesPlan {
            file: self.file.display().to_string(),
            wanted: self.wanted,
            changes: self.changes(),
            effect: self.effect,
            diff,
            stay,
            problem: None,
        }
    }
}

/// Why a rules file stays as it is.
pub(crate) struct RulesBlocked {
    pub(crate) file: PathBuf,
    pub(crate) wanted: bool,
    problem: ClientProblem,
}

impl RulesBlocked {
    pub(crate) fn plan(&self) -> RulesPlan {
        RulesPlan {
            file: self.file.display().to_string(),
            wanted: self.wanted,
            changes: false,
            effect: FileEffect::Same,
            diff: Vec::new(),
            stay: 0,
            problem: Some(self.problem.clone()),
        }
    }
}

type Planned = Result<RulesChange, RulesBlocked>;

impl InstalledClients {
    /// The rules file that a client reads, if it has one that can be used
    /// without taking another away from it.
    fn rules_file(&self, client: &Description) -> Option<PathBuf> {
        let recorded = self.records.rules(client).map(|record| record.file);
        if let Some(file) = recorded.filter(|file| self.computer.is_there(file)) {
            return Some(file);
        }
        let rules = client.rules?;
        let files = rules.files(&self.environment, &*self.computer);
        let (first, others) = files.split_first()?;
        // Of several the client reads the first that says anything.
        let filled = |file: &&ConfigFile| {
            let read = self.computer.read(&file.path);
            read.is_ok_and(|it| it.bytes.is_some_and(|it| !it.trim_ascii().is_empty()))
        };
        if rules.first_filled {
            let found = files.iter().find(filled);
            let usual = others.last().unwrap_or(first);
            return Some(found.unwrap_or(usual).path.clone());
        }
        let hidden = rules
            .instead_of
            .and_then(|place| place.file_at(&self.environment));
        if !self.computer.is_there(&first.path)
            && hidden.is_some_and(|path| self.computer.is_there(&path))
        {
            return None;
        }
        Some(first.path.clone())
    }

    /// How a client's rules file stands.
    pub(crate) fn rules(&self, client: &Description) -> Option<ClientRules> {
        let file = self.rules_file(client)?;
        let text = self.computer.read(&file).ok().and_then(|it| it.bytes);
        let there = text.is_some_and(|bytes| {
            std::str::from_utf8(&bytes).is_ok_and(|text| matches!(section(text), Ok(Some(_))))
        });
        Some(ClientRules {
            file: file.display().to_string(),
            there,
        })
    }

    /// What becomes of a client's rules file. `None`: it has none, or nothing
    /// was ever put there and nothing shall be.
    pub(crate) fn rules_change(&self, client: &Description, wanted: bool) -> Option<Planned> {
        let file = self.rules_file(client)?;
        Some(
            self.rules_change_in(client, &file, wanted)
                .map_err(|problem| RulesBlocked {
                    file,
                    wanted,
                    problem,
                }),
        )
    }

    fn rules_change_in(
        &self,
        client: &Description,
        file: &Path,
        wanted: bool,
    ) -> Result<RulesChange, ClientProblem> {
        let shown = file.display();
        let content = self.computer.read(file).map_err(|why| match why {
            Unreadable::NoFile => unusable(format!("{shown} is no file.")),
            Unreadable::TooLarge => unusable(format!("{shown} is too large for a text.")),
            Unreadable::Io(error) => unusable(format!("{shown} cannot be read: {error}.")),
        })?;
        let record = self.records.rules(client);
        let record = record.filter(|record| record.file == file);
        let bytes = content.bytes.as_deref();
        let text = std::str::from_utf8(bytes.unwrap_or_default())
            .map_err(|_| unusable(format!("{shown} is not in UTF-8.")))?;
        let found = section(text).map_err(|why| unusable(format!("{shown} {why}")))?;
        let mut change = RulesChange {
            file: file.to_owned(),
            real: content.path.clone(),
            before: content.bytes.clone(),
            after: content.bytes.clone(),
            effect: FileEffect::Same,
            wanted,
            record: record.clone(),
        };
        match (wanted, found) {
            (true, Some(range)) => {
                let mut made = text.to_owned();
                made.replace_range(range, &told(newline(text)));
                change.after = Some(made.into_bytes());
                change.effect = FileEffect::Changed;
            }
            (true, None) => {
                let front = client.rules.and_then(|rules| rules.front);
                let (made, separator) = with_section(text, front.unwrap_or_default());
                change.after = Some(made.into_bytes());
                change.effect = match bytes {
                    None => FileEffect::Made,
                    Some(_) => FileEffect::Changed,
                };
                change.record = Some(RulesRecord {
                    file: file.to_owned(),
                    separator,
                    folders: bytes
                        .is_none()
                        .then(|| missing_folders(&content.path, &*self.computer)),
                });
            }
            (false, Some(range)) => {
                let made = without_section(text, range, record.as_ref());
                let empty = made.is_empty();
                let goes = empty && record.is_some_and(|record| record.folders.is_some());
                (change.after, change.effect) = if goes {
                    (None, FileEffect::Removed)
                } else {
                    (Some(made.into_bytes()), FileEffect::Changed)
                };
                change.record = None;
            }
            (false, None) => change.record = None,
        }
        if !change.changes() {
            change.effect = FileEffect::Same;
        } else if content.read_only {
            return Err(ClientProblem {
                code: ClientProblemCode::ReadOnly,
                message: format!("{shown} is read-only, and stays as it is."),
                place: None,
            });
        } else if let Some(folder) = &content.read_only_folder {
            return Err(ClientProblem {
                code: ClientProblemCode::ReadOnly,
                message: format!(
                    "{shown} stays as it is: its folder {} is read-only.",
                    folder.display()
                ),
                place: None,
            });
        }
        Ok(change)
    }

    /// Does it, in the file that was shown, and gives what was done. Nothing
    /// that fails here undoes the rest.
    pub(crate) fn do_rules(
        &self,
        client: &Description,
        file: &Path,
        wanted: bool,
        now: Timestamp,
    ) -> RulesPlan {
        let blocked = |problem| {
            let file = file.to_owned();
            let blocked = RulesBlocked {
                file,
                wanted,
                problem,
            };
            blocked.plan()
        };
        for _ in 0..TRIES {
            let change = match self.rules_change_in(client, file, wanted) {
                Ok(change) => change,
                Err(problem) => return blocked(problem),
            };
            match self.write_rules(client, &change, now) {
                Ok(()) => return change.plan(),
                Err(Unwritten::Changed) => {}
                Err(Unwritten::Apart { kept, error }) => {
                    return blocked(unusable(apart(file, &kept, &error)));
                }
                Err(Unwritten::Io(error)) => {
                    return blocked(unusable(format!(
                        "{} could not be written: {error}. It is as it was.",
                        file.display()
                    )));
                }
            }
        }
        blocked(unusable(format!(
            "Another program keeps writing {}. It is as that program left it.",
            file.display()
        )))
    }

    fn write_rules(
        &self,
        client: &Description,
        change: &RulesChange,
        now: Timestamp,
    ) -> Result<(), Unwritten> {
        if change.changes() {
            if let Some(bytes) = &change.before {
                self.records.keep(client, &change.file, bytes, now)?;
            }
            match &change.after {
                Some(after) => {
                    self.computer
                        .write(&change.real, after, change.before.as_deref())?;
                }
                None => {
                    let before = change.before.as_deref().unwrap_or_default();
                    self.computer.remove(&change.real, before)?;
                    let folders = self.records.rules(client).and_then(|it| it.folders);
                    for folder in folders.unwrap_or_default().iter().rev() {
                        self.computer.remove_empty_folder(folder);
                    }
                }
            }
        }
        self.remember_rules(client, change.record.as_ref())?;
        Ok(())
    }

    fn remember_rules(&self, client: &Description, record: Option<&RulesRecord>) -> io::Result<()> {
        match record {
            Some(record) => self.records.put_rules(client, record),
            None => self.records.forget_rules(client),
        }
    }
}

fn unusable(message: String) -> ClientProblem {
    ClientProblem {
        code: ClientProblemCode::Unreadable,
        message,
        place: None,
    }
}

/// Where the section stands, its last line end included. An error says what is
/// wrong with the marks, to be read after the file's name.
fn section(text: &str) -> Result<Option<Range<usize>>, &'static str> {
    let mut begins = Vec::new();
    let mut ends = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let said = line.trim_start_matches('\u{feff}').trim_end();
        if said.starts_with(BEGIN) {
            begins.push(at + line.len() - line.trim_start_matches('\u{feff}').len());
        } else if said == END {
            ends.push(at + line.len());
        }
        at += line.len();
    }
    match (begins.as_slice(), ends.as_slice()) {
        ([], []) => Ok(None),
        (&[begin], &[end]) if begin < end => Ok(Some(begin..end)),
        _ => Err("holds marks of OzBrain that do not go together. Take them away."),
    }
}

/// The section with a file's line ends.
fn told(newline: &str) -> String {
    SECTION.replace('\n', newline)
}

/// A text with the section at its end, and what was put before it.
fn with_section(text: &str, front: &str) -> (String, String) {
    let newline = newline(text);
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let separator = if bare.is_empty() {
        front.to_owned()
    } else if bare.ends_with("\n\n") || bare.ends_with("\n\r\n") {
        String::new()
    } else if bare.ends_with('\n') {
        newline.to_owned()
    } else {
        newline.repeat(2)
    };
    (format!("{text}{separator}{}", told(newline)), separator)
}

/// A text without its section, and without what was put before it.
fn without_section(text: &str, range: Range<usize>, record: Option<&RulesRecord>) -> String {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let kept = match record {
        Some(record) => before.strip_suffix(record.separator.as_str()),
        // Nobody remembers: one empty line goes with it.
        None if after.is_empty() => before
            .strip_suffix("\n\n")
            .map(str::len)
            .and_then(|length| before.get(..=length))
            .or_else(|| {
                before
                    .ends_with("\n\r\n")
                    .then(|| &before[..before.len() - 2])
            }),
        None => None,
    };
    format!("{}{after}", kept.unwrap_or(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record(separator: String) -> RulesRecord {
        RulesRecord {
            file: PathBuf::from("/rules.md"),
            separator,
            folders: None,
        }
    }

    #[test]
    fn the_section_is_found_by_its_marks_alone() {
        assert_eq!(section("# Mine\n"), Ok(None));
        let (text, _) = with_section("# Mine\n", "");
        let range = section(&text).unwrap().unwrap();
        assert_eq!(&text[range], SECTION);
        for broken in [
            format!("{SECTION}{SECTION}"),
            SECTION.replace(END, ""),
            SECTION.replace(BEGIN, ""),
            format!("{END}\n{BEGIN} -->\n"),
        ] {
            assert!(section(&broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_text_keeps_its_line_ends() {
        let (text, _) = with_section("a\r\nb", "");
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    }

    proptest! {
        /// Whatever stands there, before and whatever comes after it, and
        /// whoever wrote it: it is again the same.
        #[test]
        fn put_and_taken_out_leaves_every_byte(
            text in "(\u{feff})?([a-z# ]{0,9}(\r\n|\n){0,3}){0,6}[a-z]{0,3}",
            after in "([a-z# ]{0,9}\n){0,4}",
            touched: bool,
        ) {
            let (mut with, separator) = with_section(&text, "");
            if touched {
                with.push_str(&after);
            }
            let range = section(&with).unwrap().unwrap();
            let without = without_section(&with, range, Some(&record(separator)));
            let wanted = if touched { format!("{text}{after}") } else { text };
            prop_assert_eq!(without, wanted);
        }
    }
}
