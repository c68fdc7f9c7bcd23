//! A client's configuration, read: what it says, which entry in it is ours, and
//! why it cannot be used.

use crate::computer::{Content, Unreadable};
use crate::description::{ConfigFile, Description, Sandbox, Several};
use crate::entry::{Launch, Said, data_dir_variable};
use crate::installed::{InstalledClients, NAME, Result};
use crate::record::Record;
use crate::text::{Fault, FaultKind, Tree};
use ozbrain_core::views::clients::{ClientProblem, ClientProblemCode, Place};
use std::path::{Path, PathBuf};

/// What a file is begun with by some editors of Windows.
pub(crate) const MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a client's configuration cannot be read or changed.
pub(crate) struct Blocked {
    pub(crate) file: PathBuf,
    pub(crate) problem: ClientProblem,
}

/// A client's configuration, read.
pub(crate) struct Read {
    pub(crate) file: ConfigFile,
    pub(crate) content: Content,
    pub(crate) marked: bool,
    pub(crate) text: String,
    pub(crate) tree: Tree,
}

impl InstalledClients {
    /// Reads the file that a client reads now: an entry in any other is no help
    /// to it. Of several that are equally likely it is the one that we made an
    /// entry in.
    pub(crate) fn read(&self, client: &Description) -> Result<Read, Box<Blocked>> {
        match client.file(&self.environment, &*self.computer) {
            Ok(file) => self.read_file(client, file),
            Err(Several(paths)) => {
                let recorded = self.records.of_file(client).map(|record| record.file);
                if let Some(path) = recorded.filter(|path| paths.contains(path)) {
                    return self.read_file(client, self.config_file(client, path));
                }
                let listed: Vec<String> = paths.iter().map(|it| it.display().to_string()).collect();
                let problem = ClientProblem {
                    code: ClientProblemCode::SeveralFiles,
                    message: format!(
                        "Several files may be the one that {} reads: {}. Add the entry by hand, \
                         or take away what is left of an older installation.",
                        client.name,
                        listed.join(", ")
                    ),
                    place: None,
                };
                let file = paths.into_iter().next().unwrap_or_default();
                Err(Box::new(Blocked { file, problem }))
            }
        }
    }

    /// The files beside this one that we made an entry in, as the client read
    /// them before, as far as it still stands there.
    pub(crate) fn older(&self, client: &Description, current: &Path) -> Vec<Read> {
        let real = self.computer.canonical(current).ok();
        let records = self.records.all(client).into_iter();
        records
            .filter(|record| record.file != current)
            .filter_map(|record| {
                let file = self.config_file(client, record.file);
                self.read_file(client, file).ok()
            })
            // By another way it may be the same file.
            .filter(|read| Some(&read.content.path) != real.as_ref())
            .filter(|read| self.own(client, &read.tree).is_some())
            .collect()
    }

    /// A file that a client may read or has read, with its sandbox.
    pub(crate) fn config_file(&self, client: &Description, path: PathBuf) -> ConfigFile {
        let all = client.files(&self.environment, &*self.computer);
        let known = all.into_iter().find(|file| file.path == path);
        known.unwrap_or(ConfigFile {
            path,
            sandbox: Sandbox::None,
            scheme: None,
        })
    }

    /// Reads one file as a client does.
    pub(crate) fn read_file(
        &self,
        client: &Description,
        file: ConfigFile,
    ) -> Result<Read, Box<Blocked>> {
        let problem = |code, message: String| {
            Box::new(Blocked {
                file: file.path.clone(),
                problem: ClientProblem {
                    code,
                    message,
                    place: None,
                },
            })
        };
        let shown = file.path.display();
        let content = self.computer.read(&file.path).map_err(|why| match why {
            Unreadable::NoFile => problem(
                ClientProblemCode::Unreadable,
                format!("{shown} is no file. Move away what is there."),
            ),
            Unreadable::TooLarge => problem(
                ClientProblemCode::TooLarge,
                format!("{shown} is too large for a configuration. Add the entry by hand."),
            ),
            Unreadable::Io(error) => problem(
                ClientProblemCode::Unreadable,
                format!("{shown} cannot be read: {error}."),
            ),
        })?;
        let bytes = content.bytes.as_deref().unwrap_or_default();
        let marked = bytes.starts_with(MARK);
        let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let before = String::from_utf8_lossy(valid);
                let mut found = problem(
                    ClientProblemCode::Syntax,
                    format!(
                        "{shown} is not in UTF-8, so {} cannot read it either. Save it as UTF-8 \
                         without a byte-order mark.",
                        client.name
                    ),
                );
                found.problem.place = Some(place(&before, before.len()));
                return Err(found);
            }
        };
        match client.format.read(&text) {
            Ok(tree) => Ok(Read {
                file,
                content,
                marked,
                text,
                tree,
            }),
            Err(fault) => {
                let problem = faulty(client, &file.path, &text, &fault);
                let file = file.path;
                Err(Box::new(Blocked { file, problem }))
            }
        }
    }

    /// Our entry's name, how it starts and what it says.
    pub(crate) fn own(&self, client: &Description, tree: &Tree) -> Option<Started> {
        let recorded = self.records.of_file(client).map(|record| record.entry);
        let mut all = started(client, tree);
        let known = self.records.all(client);
        all.retain(|entry| self.is_ours(entry, &known));
        let by_name = |wanted: &str| all.iter().find(|(name, ..)| name == wanted);
        recorded
            .as_deref()
            .and_then(by_name)
            .or_else(|| by_name(NAME))
            .or_else(|| all.first())
            .cloned()
    }

    /// The data folder that OzBrain is started on by an entry that is not ours.
    pub(crate) fn other_store(&self, client: &Description, tree: &Tree) -> Option<String> {
        let all = started(client, tree);
        let known = self.records.all(client);
        let other = all.into_iter().find(|entry| !self.is_ours(entry, &known));
        other.map(|(_, _, said)| said.data_dir.unwrap_or_else(|| "the usual folder".into()))
    }

    /// Whether an entry of some `ozbrain` is about this data folder: it names
    /// it; or none, and this is the usual one. One that cannot be reached from
    /// here may be another's, on a disk that is away or in words that only the
    /// client understands: it is ours if we made the entry so, before our
    /// folder moved.
    fn is_ours(&self, (name, launch, said): &Started, known: &[Record]) -> bool {
        let Some(folder) = said.data_dir.as_deref().map(Path::new) else {
            return self.data.usual;
        };
        if folder == self.data.path {
            return true;
        }
        if folder.is_absolute() && self.computer.is_there(folder) {
            let real = |path: &Path| self.computer.canonical(path).ok();
            return real(folder).is_some_and(|it| Some(it) == real(&self.data.path));
        }
        let words = launch.words();
        known
            .iter()
            .any(|record| record.entry == *name && record.launch == words)
    }
}

/// An entry that starts some `ozbrain`: its name, how, and what it is told.
type Started = (String, Launch, Said);

/// The entries that start some `ozbrain`.
fn started(client: &Description, tree: &Tree) -> Vec<Started> {
    let pairs = tree.get(client.container).and_then(Tree::pairs);
    pairs
        .unwrap_or_default()
        .iter()
        .filter_map(|(name, entry)| {
            let launch = Launch::read(client.shape, entry)?;
            let mut said = launch.said()?;
            if said.data_dir.is_none() {
                said.data_dir = data_dir_variable(client.shape, entry);
            }
            Some((name.clone(), launch, said))
        })
        .collect()
}

pub(crate) fn faulty(
    client: &Description,
    file: &Path,
    text: &str,
    fault: &Fault,
) -> ClientProblem {
    let at = place(text, fault.at);
    let shown = file.display();
    let (code, message) = match fault.kind {
        FaultKind::Syntax => (
            ClientProblemCode::Syntax,
            format!(
                "{} cannot be read as {} reads it. Line {}, column {}: {}. Mend it there, and \
                 try again.",
                shown, client.name, at.line, at.column, fault.message
            ),
        ),
        FaultKind::Twice => (
            ClientProblemCode::Ambiguous,
            format!(
                "{} is ambiguous. Line {}, column {}: {}. Take one of the two away, and try \
                 again.",
                shown, at.line, at.column, fault.message
            ),
        ),
        FaultKind::Shape => (
            ClientProblemCode::Shape,
            format!(
                "{} holds something else where servers belong. Line {}, column {}: {}. Mend it \
                 there, or add the entry by hand.",
                shown, at.line, at.column, fault.message
            ),
        ),
        FaultKind::Unsure => (
            ClientProblemCode::Shape,
            format!(
                "{shown} was left as it is: {}. Change it by hand.",
                fault.message
            ),
        ),
    };
    let placed = fault.kind != FaultKind::Unsure;
    ClientProblem {
        code,
        message,
        place: placed.then_some(at),
    }
}

/// A place as editors count.
fn place(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Place {
        line: small(line),
        column: small(column),
    }
}
