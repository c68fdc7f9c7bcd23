//! What connecting and disconnecting a client changes in its file.

use crate::description::{ByteOrderMark, Description, Running, Sandbox, command};
use crate::installed::{InstalledClients, NAME, Result};
use crate::process::Program;
use crate::reading::{Blocked, MARK, Read, faulty};
use crate::record::{Before, hash};
use crate::rules::RulesChange;
use crate::shell;
use crate::text::Tree;
use ozbrain_core::ports::ClientWish;
use ozbrain_core::views::clients::{ClientProblem, ClientProblemCode, ClientWay, FileEffect};
use ozbrain_core::words::ConnectionName;
use std::path::PathBuf;

/// A change to a client's configuration.
pub(crate) struct Change {
    pub(crate) file: PathBuf,
    /// Where it really lies.
    pub(crate) real: PathBuf,
    pub(crate) before: Option<Vec<u8>>,
    /// `None`: the file goes.
    pub(crate) after: Option<Vec<u8>>,
    pub(crate) effect: FileEffect,
    pub(crate) entry: String,
    pub(crate) connection: Option<ConnectionName>,
    /// What the entry starts then, program and arguments.
    pub(crate) launch: Vec<String>,
    /// What the record shall say was before.
    pub(crate) was: Was,
    pub(crate) container_made: bool,
    /// Whether our entry stood there before.
    pub(crate) had_entry: bool,
    pub(crate) way: ClientWay,
    pub(crate) notes: Vec<String>,
    /// Changes to files that the client read before, which are made with it.
    pub(crate) also: Vec<Change>,
}

/// What a file was before our entry came.
pub(crate) enum Was {
    /// As it is now.
    Now,
    /// As the record has it already.
    Recorded(Before),
    Unknown,
}

impl Change {
    pub(crate) fn changes(&self) -> bool {
        self.before != self.after || self.also.iter().any(Self::changes)
    }

    /// Whether the file itself changes.
    pub(crate) fn changes_its_file(&self) -> bool {
        self.before != self.after
    }

    /// Names the change: what is done to which bytes, those of the rules file
    /// included.
    pub(crate) fn name(&self, rules: Option<&RulesChange>) -> String {
        let part = |bytes: Option<&[u8]>| bytes.map_or("none".to_owned(), hash);
        let rules = rules.filter(|rules| rules.changes()).map(|rules| {
            let (before, after) = rules.bytes();
            format!(
                "{}\n{}\n{}",
                rules.file.display(),
                part(before),
                part(after)
            )
        });
        let also: Vec<String> = self.also.iter().map(|it| it.name(None)).collect();
        let all = format!(
            "{}\n{}\n{}\n{:?}\n{}\n{}",
            self.file.display(),
            part(self.before.as_deref()),
            part(self.after.as_deref()),
            self.way,
            rules.unwrap_or_default(),
            also.join("\n")
        );
        hash(all.as_bytes()).chars().take(32).collect()
    }

    /// Whether the change leaves our entry in the file.
    pub(crate) fn wants_entry(&self, client: &Description) -> bool {
        let Some(bytes) = &self.after else {
            return false;
        };
        let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        client
            .format
            .read(text)
            .is_ok_and(|tree| tree.at(&[client.container, &self.entry]).is_some())
    }
}

impl InstalledClients {
    /// What connecting or disconnecting comes to.
    pub(crate) fn change(
        &self,
        client: &Description,
        wish: &ClientWish,
    ) -> Result<Change, Box<Blocked>> {
        let read = self.read(client);
        match wish {
            ClientWish::Connect { connection, .. } => {
                let read = read?;
                self.possible(client, &read, self.connecting(client, &read, connection))
            }
            ClientWish::Disconnect => self.disconnecting_everywhere(client, read),
        }
    }

    /// Our entry goes from the file that the client reads, and from those that
    /// it read before.
    fn disconnecting_everywhere(
        &self,
        client: &Description,
        read: Result<Read, Box<Blocked>>,
    ) -> Result<Change, Box<Blocked>> {
        let current = match &read {
            Ok(read) => read.file.path.clone(),
            Err(blocked) => blocked.file.clone(),
        };
        let older = self.older(client, &current);
        let mut all = Vec::new();
        match read {
            Ok(read) if older.is_empty() || self.own(client, &read.tree).is_some() => {
                all.push(read);
            }
            Ok(_) => {}
            // One that never had an entry of ours says nothing of those that have.
            Err(_) if !older.is_empty() && self.records.of(client, &current).is_none() => {}
            Err(blocked) => return Err(blocked),
        }
        all.extend(older);
        let mut changes = Vec::new();
        for read in all {
            let change = self.disconnecting(client, &read, read.file.path == current);
            changes.push(self.possible(client, &read, change)?);
        }
        let also = changes.split_off(1);
        let mut change = changes.swap_remove(0);
        change.notes.extend(also.iter().map(|also| {
            format!(
                "Its entry in {}, which {} read before, goes too.",
                also.file.display(),
                client.name
            )
        }));
        change.also = also;
        Ok(change)
    }

    /// A change, unless the file cannot be changed now.
    fn possible(
        &self,
        client: &Description,
        read: &Read,
        change: Result<Change, ClientProblem>,
    ) -> Result<Change, Box<Blocked>> {
        let here = |problem| {
            Box::new(Blocked {
                file: read.file.path.clone(),
                problem,
            })
        };
        let change = change.map_err(here)?;
        if !change.changes() {
            return Ok(change);
        }
        if read.content.read_only {
            return Err(here(ClientProblem {
                code: ClientProblemCode::ReadOnly,
                message: format!(
                    "{} is read-only: somebody wants it to stay as it is. Make it writable, or \
                     change it by hand.",
                    read.file.path.display()
                ),
                place: None,
            }));
        }
        if let Some(folder) = &read.content.read_only_folder {
            return Err(here(ClientProblem {
                code: ClientProblemCode::ReadOnly,
                message: format!(
                    "{} cannot be written: its folder {} is read-only. Make that writable, or \
                     change the file by hand.",
                    read.file.path.display(),
                    folder.display()
                ),
                place: None,
            }));
        }
        if let Running::QuitFirst(programs) = client.running
            && !self.even_while_running
            && self.runs(programs)
        {
            return Err(here(ClientProblem {
                code: ClientProblemCode::Running,
                message: format!(
                    "{} runs, and would write its file anew without this change. Quit it, from \
                     its tray icon too, and try again.",
                    client.name
                ),
                place: None,
            }));
        }
        Ok(change)
    }

    /// Whether one of a client's programs runs.
    pub(crate) fn runs(&self, programs: &[Program]) -> bool {
        let platform = self.environment.platform;
        let running = self.computer.processes();
        let is_one = |running: &String| programs.iter().any(|it| it.is(running, platform));
        running.iter().any(is_one)
    }

    fn connecting(
        &self,
        client: &Description,
        read: &Read,
        connection: &ConnectionName,
    ) -> Result<Change, ClientProblem> {
        let launch = self.launch(connection.as_str(), read.file.sandbox)?;
        let own = self.own(client, &read.tree);
        let record = self.records.of(client, &read.file.path);
        let container = read.tree.get(client.container);
        let mut notes = Vec::new();
        let name = match &own {
            Some((name, ..)) => name.clone(),
            None => free_name(container, &mut notes),
        };
        let mut text = read.text.clone();
        let put = |text: &str, path: &[&str], value: &Tree| {
            client
                .format
                .put(text, path, value)
                .map_err(|fault| faulty(client, &read.file.path, text, &fault))
        };
        match &own {
            Some((_, is, _)) if self.alike(is, &launch) => {}
            Some(_) => {
                for (field, value) in launch.fields(client.shape) {
                    text = put(&text, &[client.container, &name, field], &value)?;
                }
            }
            None => {
                let entry = launch.entry(client.shape, &name);
                text = put(&text, &[client.container, &name], &entry)?;
            }
        }
        let changes = text != read.text;
        // What is right already stays as it is written.
        let started = match &own {
            Some((_, is, _)) if !changes => is.words(),
            _ => launch.words(),
        };
        let keeps_mark = read.marked && (!changes || client.mark == ByteOrderMark::Stays);
        if read.marked && !keeps_mark {
            notes.push(format!(
                "The file begins with a byte-order mark, at which {} fails. It goes.",
                client.name
            ));
        }
        if read.file.sandbox == Sandbox::Flatpak {
            notes.push(format!(
                "{} runs in a sandbox. Its entry starts the command outside of it, with \
                 flatpak-spawn.",
                client.name
            ));
        }
        if own.is_none() {
            notes.extend(self.older(client, &read.file.path).iter().map(|older| {
                format!(
                    "The entry in {}, which {} read before, stays there. Disconnecting takes out \
                     both.",
                    older.file.path.display(),
                    client.name
                )
            }));
        }
        let untouched = record.as_ref().filter(|record| {
            Some(&record.after) == read.content.bytes.as_deref().map(hash).as_ref()
        });
        let was = match (&own, untouched) {
            (None, _) => Was::Now,
            (Some(_), Some(record)) => Was::Recorded(record.before.clone()),
            (Some(_), None) => Was::Unknown,
        };
        let made = own.is_none() && container.is_none();
        let made_before = own.is_some() && record.is_some_and(|record| record.container_made);
        let way = match client.running {
            _ if !changes || own.is_some() => ClientWay::Edit,
            running => {
                let entry = launch.entry(client.shape, &name).json(false);
                self.own_command(running, &["mcp", "add-json", "-s", "user", &name, &entry])
            }
        };
        let effect = match (&read.content.bytes, changes) {
            (_, false) => FileEffect::Same,
            (None, true) => FileEffect::Made,
            (Some(_), true) => FileEffect::Changed,
        };
        let after = if changes {
            Some(with_mark(&text, keeps_mark))
        } else {
            read.content.bytes.clone()
        };
        Ok(Change {
            file: read.file.path.clone(),
            real: read.content.path.clone(),
            before: read.content.bytes.clone(),
            after,
            effect,
            entry: name,
            connection: Some(connection.clone()),
            launch: started,
            was,
            container_made: made || made_before,
            had_entry: own.is_some(),
            way,
            notes,
            also: Vec::new(),
        })
    }

    /// What disconnecting changes in a file. `current`: the client reads it.
    fn disconnecting(
        &self,
        client: &Description,
        read: &Read,
        current: bool,
    ) -> Result<Change, ClientProblem> {
        let record = self.records.of(client, &read.file.path);
        let bytes = read.content.bytes.as_deref();
        let mut change = Change {
            file: read.file.path.clone(),
            real: read.content.path.clone(),
            before: read.content.bytes.clone(),
            after: read.content.bytes.clone(),
            effect: FileEffect::Same,
            entry: NAME.to_owned(),
            connection: None,
            launch: Vec::new(),
            was: Was::Unknown,
            container_made: false,
            had_entry: false,
            way: ClientWay::Edit,
            notes: Vec::new(),
            also: Vec::new(),
        };
        let Some((name, _, said)) = self.own(client, &read.tree) else {
            return Ok(change);
        };
        change.had_entry = true;
        change.entry = name;
        change.connection = said
            .connection
            .and_then(|it| ConnectionName::parse(&it).ok());
        // Nobody touched it since: it becomes what it was, to the byte.
        let untouched = record
            .as_ref()
            .filter(|record| Some(&record.after) == bytes.map(hash).as_ref());
        let (before, effect) = match untouched.map(|record| &record.before) {
            Some(Before::Missing { .. }) => (Some(None), FileEffect::Removed),
            Some(Before::Kept { copy, hash }) => {
                let copy = self.records.copy(client, copy, hash);
                (copy.map(Some), FileEffect::Restored)
            }
            Some(Before::Unknown) | None => (None, FileEffect::Changed),
        };
        if let Some(before) = before {
            (change.after, change.effect) = (before, effect);
            return Ok(change);
        }
        let container_made = record.is_some_and(|record| record.container_made);
        let path = [client.container, change.entry.as_str()];
        let text = client
            .format
            .remove(&read.text, path, container_made)
            .map_err(|fault| faulty(client, &read.file.path, &read.text, &fault))?;
        change.after = Some(with_mark(&text, read.marked));
        change.effect = FileEffect::Changed;
        if current {
            let entry = change.entry.clone();
            let arguments = ["mcp", "remove", "-s", "user", &entry];
            change.way = self.own_command(client.running, &arguments);
        }
        Ok(change)
    }

    /// The client's own command, if it runs and has one.
    fn own_command(&self, running: Running, arguments: &[&str]) -> ClientWay {
        let Running::OwnCommand(program, programs) = running else {
            return ClientWay::Edit;
        };
        let found = command(program, &self.environment, &*self.computer)
            .filter(|_| self.runs(programs))
            .and_then(|path| path.into_os_string().into_string().ok());
        match found {
            Some(path) => {
                let words = std::iter::once(path.as_str()).chain(arguments.iter().copied());
                let command: Vec<String> = words.map(str::to_owned).collect();
                ClientWay::Command {
                    shell: shell::line(&command, self.environment.platform),
                    command,
                }
            }
            None => ClientWay::Edit,
        }
    }
}

/// A name that no server has, without regard to case: [`NAME`] if it is free.
pub(crate) fn free_name(container: Option<&Tree>, notes: &mut Vec<String>) -> String {
    let pairs = container.and_then(Tree::pairs).unwrap_or_default();
    let taken = |name: &str| pairs.iter().any(|(it, _)| it.eq_ignore_ascii_case(name));
    let others = (2..).map(|number| format!("{NAME}-memory-{number}"));
    let mut all = [NAME.to_owned(), format!("{NAME}-memory")]
        .into_iter()
        .chain(others);
    let name = all.find(|name| !taken(name)).unwrap_or_default();
    if name != NAME {
        notes.push(format!(
            "Another server there is called `{NAME}` already and stays as it is. This one is \
             called `{name}`."
        ));
    }
    name
}

fn with_mark(text: &str, mark: bool) -> Vec<u8> {
    let mark = if mark { MARK } else { &[] };
    [mark, text.as_bytes()].concat()
}
