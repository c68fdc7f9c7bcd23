//! The clients of this computer: found, planned for, connected, disconnected.

use crate::clients;
use crate::computer::{Computer, Content, Lock, Unreadable, Unwritten};
use crate::description::{
    ByteOrderMark, ConfigFile, Description, Running, Sandbox, Several, Shape, command,
};
use crate::diff;
use crate::entry::{Launch, Said};
use crate::environment::Environment;
use crate::link;
use crate::record::{Before, Record, Records, hash};
use crate::text::{Fault, FaultKind, Tree};
use ozbrain_core::Refusal;
use ozbrain_core::ports::{ClientEntry, ClientWish, Clients, FoundClient, MadeEntry};
use ozbrain_core::views::clients::{
    ClientAct, ClientPlan, ClientProblem, ClientProblemCode, ClientWay, FileEffect, Place,
};
use ozbrain_core::words::{ConnectionName, Timestamp};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a file is begun with by some editors of Windows.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// How often a change is tried that other programs come between.
const TRIES: usize = 5;

/// The clients of one person on one computer, for one data folder.
pub struct InstalledClients {
    environment: Environment,
    computer: Arc<dyn Computer>,
    records: Records,
    data: PathBuf,
    /// The command that entries start, or why there is none.
    program: Result<PathBuf>,
    even_while_running: bool,
}

type Result<T, E = Refusal> = std::result::Result<T, E>;

/// Why a client's configuration cannot be read or changed.
struct Blocked {
    file: PathBuf,
    problem: ClientProblem,
}

/// A client's configuration, read.
struct Read {
    file: ConfigFile,
    content: Content,
    marked: bool,
    text: String,
    tree: Tree,
}

/// A change to a client's configuration.
struct Change {
    file: PathBuf,
    /// Where it really lies.
    real: PathBuf,
    before: Option<Vec<u8>>,
    /// `None`: the file goes.
    after: Option<Vec<u8>>,
    effect: FileEffect,
    entry: String,
    connection: Option<ConnectionName>,
    /// What the record shall say was before.
    was: Was,
    container_made: bool,
    way: ClientWay,
    notes: Vec<String>,
}

/// What a file was before our entry came.
enum Was {
    /// As it is now.
    Now,
    /// As the record has it already.
    Recorded(Before),
    Unknown,
}

impl Change {
    fn changes(&self) -> bool {
        self.before != self.after
    }

    /// Names the change: what is done to which bytes.
    fn name(&self) -> String {
        let part = |bytes: Option<&Vec<u8>>| bytes.map_or("none".to_owned(), |it| hash(it));
        let all = format!(
            "{}\n{}\n{}\n{:?}",
            self.file.display(),
            part(self.before.as_ref()),
            part(self.after.as_ref()),
            self.way
        );
        hash(all.as_bytes()).chars().take(32).collect()
    }
}

impl InstalledClients {
    /// The clients of an environment. `program` is the `ozbrain` that entries
    /// start (see [`crate::lasting_command`]), `data` the absolute data folder.
    pub fn new(
        environment: Environment,
        computer: Arc<dyn Computer>,
        program: Result<PathBuf>,
        data: &Path,
    ) -> Self {
        Self {
            environment,
            computer,
            records: Records::new(data),
            data: data.to_owned(),
            program,
            even_while_running: false,
        }
    }

    /// Changes the file of a client that runs, too, where that may be undone by
    /// it.
    #[must_use]
    pub fn even_while_running(self, even: bool) -> Self {
        Self {
            even_while_running: even,
            ..self
        }
    }

    fn description(&self, client: &str) -> Result<&'static Description> {
        let known = clients::ALL.into_iter().find(|it| it.id == client);
        known.ok_or_else(|| {
            let names: Vec<&str> = clients::ALL.iter().map(|it| it.id).collect();
            Refusal::invalid(format!(
                "There is no client `{client}`. Name one of these: {}.",
                names.join(", ")
            ))
        })
    }

    /// The command as an entry names it.
    fn program(&self) -> Result<&str, ClientProblem> {
        let path = self.program.as_ref().map_err(|refusal| ClientProblem {
            code: ClientProblemCode::NoCommand,
            message: refusal.message.clone(),
            place: None,
        })?;
        path.to_str().ok_or_else(|| no_unicode(path))
    }

    fn launch(&self, connection: &str, sandbox: Sandbox) -> Result<Launch, ClientProblem> {
        let data = self.data.to_str().ok_or_else(|| no_unicode(&self.data))?;
        Ok(Launch::new(self.program()?, connection, data, sandbox))
    }

    /// Reads the file that a client reads; one that we made an entry in, before
    /// the client changed its place, if the entry is still there.
    fn read(&self, client: &Description) -> Result<Read, Box<Blocked>> {
        let file = client.file(&self.environment, &*self.computer);
        let recorded = self.records.get(client).map(|record| record.file);
        match file {
            Ok(file) => {
                let elsewhere = recorded.filter(|path| *path != file.path);
                let read = self.read_file(client, file);
                let has = |read: &Read| self.own(client, &read.tree).is_some();
                if let (Some(path), false) = (elsewhere, read.as_ref().is_ok_and(has)) {
                    let older = ConfigFile {
                        path,
                        sandbox: Sandbox::None,
                    };
                    if let Ok(older) = self.read_file(client, older)
                        && has(&older)
                    {
                        return Ok(older);
                    }
                }
                read
            }
            Err(Several(paths)) => {
                if let Some(path) = recorded.filter(|path| paths.contains(path)) {
                    let file = ConfigFile {
                        path,
                        sandbox: Sandbox::None,
                    };
                    return self.read_file(client, file);
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

    fn read_file(&self, client: &Description, file: ConfigFile) -> Result<Read, Box<Blocked>> {
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
    fn own(&self, client: &Description, tree: &Tree) -> Option<(String, Launch, Said)> {
        let pairs = tree.get(client.container)?.pairs()?;
        let recorded = self.records.get(client).map(|record| record.entry);
        let all: Vec<(String, Launch, Said)> = pairs
            .iter()
            .filter_map(|(name, entry)| {
                let launch = Launch::read(client.shape, entry)?;
                let said = launch.said()?;
                self.is_ours(&said).then(|| (name.clone(), launch, said))
            })
            .collect();
        let by_name = |wanted: &str| all.iter().find(|(name, ..)| name == wanted);
        recorded
            .as_deref()
            .and_then(by_name)
            .or_else(|| by_name(NAME))
            .or_else(|| all.first())
            .cloned()
    }

    /// Whether an entry of some `ozbrain` is about this data folder: it names
    /// it, or one that is no more, or none.
    fn is_ours(&self, said: &Said) -> bool {
        let Some(folder) = said.data_dir.as_deref().map(Path::new) else {
            return true;
        };
        let real = |path: &Path| self.computer.canonical(path).ok();
        folder == self.data
            || !self.computer.is_there(folder)
            || real(folder).is_some_and(|it| Some(it) == real(&self.data))
    }

    /// What connecting or disconnecting comes to.
    fn change(&self, client: &Description, wish: &ClientWish) -> Result<Change, Box<Blocked>> {
        let read = self.read(client)?;
        let here = |problem| {
            Box::new(Blocked {
                file: read.file.path.clone(),
                problem,
            })
        };
        let change = match wish {
            ClientWish::Connect(connection) => self.connecting(client, &read, connection),
            ClientWish::Disconnect => self.disconnecting(client, &read),
        }
        .map_err(here)?;
        if !change.changes() {
            return Ok(change);
        }
        if read.content.read_only {
            return Err(here(ClientProblem {
                code: ClientProblemCode::ReadOnly,
                message: format!(
                    "{} is read-only: somebody wants it to stay as it is. Make it writable, or \
                     change it by hand.",
                    read.content.path.display()
                ),
                place: None,
            }));
        }
        if let Running::QuitFirst(names) = client.running
            && !self.even_while_running
            && self.runs(names)
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

    fn runs(&self, names: &[&str]) -> bool {
        let running = self.computer.processes();
        running.iter().any(|it| names.contains(&it.as_str()))
    }

    fn connecting(
        &self,
        client: &Description,
        read: &Read,
        connection: &ConnectionName,
    ) -> Result<Change, ClientProblem> {
        let launch = self.launch(connection.as_str(), read.file.sandbox)?;
        let own = self.own(client, &read.tree);
        let record = self.records.get(client);
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
            Some((_, is, _)) if *is == launch => {}
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
            Running::OwnCommand(program) if changes && own.is_none() => {
                let entry = launch.entry(client.shape, &name).json(false);
                self.own_command(program, &["mcp", "add-json", "-s", "user", &name, &entry])
            }
            _ => ClientWay::Edit,
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
            was,
            container_made: made || made_before,
            way,
            notes,
        })
    }

    fn disconnecting(&self, client: &Description, read: &Read) -> Result<Change, ClientProblem> {
        let record = self.records.get(client);
        let record = record.filter(|record| record.file == read.file.path);
        let bytes = read.content.bytes.as_deref();
        let mut change = Change {
            file: read.file.path.clone(),
            real: read.content.path.clone(),
            before: read.content.bytes.clone(),
            after: read.content.bytes.clone(),
            effect: FileEffect::Same,
            entry: NAME.to_owned(),
            connection: None,
            was: Was::Unknown,
            container_made: false,
            way: ClientWay::Edit,
            notes: Vec::new(),
        };
        let Some((name, _, said)) = self.own(client, &read.tree) else {
            return Ok(change);
        };
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
        if let Running::OwnCommand(program) = client.running {
            let entry = change.entry.clone();
            change.way = self.own_command(program, &["mcp", "remove", "-s", "user", &entry]);
        }
        Ok(change)
    }

    /// The client's own command, if it runs and has one.
    fn own_command(&self, program: &str, arguments: &[&str]) -> ClientWay {
        let found = command(program, &self.environment, &*self.computer)
            .filter(|_| self.runs(&[program]))
            .and_then(|path| path.into_os_string().into_string().ok());
        match found {
            Some(path) => ClientWay::Command {
                command: std::iter::once(path.as_str())
                    .chain(arguments.iter().copied())
                    .map(str::to_owned)
                    .collect(),
            },
            None => ClientWay::Edit,
        }
    }

    /// The plan of a change, or of why there is none.
    fn planned(
        &self,
        client: &Description,
        wish: &ClientWish,
        change: &Result<Change, Box<Blocked>>,
    ) -> ClientPlan {
        let act = match wish {
            ClientWish::Connect(_) => ClientAct::Connect,
            ClientWish::Disconnect => ClientAct::Disconnect,
        };
        let connection = match wish {
            ClientWish::Connect(name) => Some(name.to_string()),
            ClientWish::Disconnect => None,
        };
        let by_hand = connection.as_deref().unwrap_or(client.id);
        let launch = self.launch(by_hand, Sandbox::None);
        let mut plan = ClientPlan {
            client: client.id.to_owned(),
            name: client.name.to_owned(),
            act,
            file: String::new(),
            entry: NAME.to_owned(),
            connection,
            way: ClientWay::Edit,
            changes: false,
            effect: FileEffect::Same,
            diff: Vec::new(),
            plan: String::new(),
            notes: Vec::new(),
            after: client.after,
            problem: None,
            snippet: launch.as_ref().map_or(String::new(), |launch| {
                let path = [client.container, NAME];
                let entry = launch.entry(client.shape, NAME);
                client.format.put("", &path, &entry).unwrap_or_default()
            }),
            link: None,
        };
        if let (Ok(launch), Some(kind), ClientAct::Connect) = (&launch, client.link, act) {
            plan.link = Some(link::install(kind, NAME, launch));
        }
        match change {
            Ok(change) => {
                let own = change.connection.as_ref().map(ToString::to_string);
                plan.file = change.file.display().to_string();
                plan.entry.clone_from(&change.entry);
                plan.connection = own.or(plan.connection);
                plan.way = change.way.clone();
                plan.changes = change.changes();
                plan.effect = change.effect;
                plan.diff = diff::lines(change.before.as_deref(), change.after.as_deref());
                plan.plan = change.name();
                plan.notes.clone_from(&change.notes);
            }
            Err(blocked) => {
                plan.file = blocked.file.display().to_string();
                plan.problem = Some(blocked.problem.clone());
            }
        }
        plan
    }

    /// Does a change. `false`: another program came between.
    fn do_it(&self, client: &Description, change: &Change, now: Timestamp) -> Result<bool> {
        if !change.changes() {
            self.remember(client, change, change.before.as_deref(), None, now)?;
            return Ok(true);
        }
        if let ClientWay::Command { command } = &change.way
            && self.by_command(client, change, command)
        {
            let unknown = Some(Before::Unknown);
            self.remember(client, change, None, unknown, now)?;
            return Ok(true);
        }
        let _lock = match client.running {
            Running::OwnCommand(_) => {
                let mut folder = change.file.clone().into_os_string();
                folder.push(".lock");
                self.computer
                    .lock(Path::new(&folder))
                    .map_err(|error| unwritable(client, &change.real, &error))?
            }
            _ => Lock::none(),
        };
        let before = self.kept(client, change, now)?;
        let written = match &change.after {
            Some(after) => self
                .computer
                .write(&change.real, after, change.before.as_deref()),
            None => {
                let before = change.before.as_deref().unwrap_or_default();
                self.computer.remove(&change.real, before)
            }
        };
        match written {
            Ok(()) => {}
            Err(Unwritten::Changed) => return Ok(false),
            Err(Unwritten::Io(error)) => return Err(unwritable(client, &change.real, &error)),
        }
        let is = self
            .computer
            .read(&change.file)
            .ok()
            .and_then(|it| it.bytes);
        if is != change.after && !self.says(client, change) {
            return Ok(false);
        }
        self.remember(client, change, change.after.as_deref(), before, now)?;
        Ok(true)
    }

    /// Has the client's own command make the change. Whatever it did, what
    /// counts is what its file says then.
    fn by_command(&self, client: &Description, change: &Change, command: &[String]) -> bool {
        let Some((program, arguments)) = command.split_first() else {
            return false;
        };
        match self.computer.run(Path::new(program), arguments) {
            Ok(_) => self.says(client, change),
            Err(error) => {
                tracing::warn!(
                    client = client.id,
                    "its own command cannot be started: {error}"
                );
                false
            }
        }
    }

    /// Whether the file says what the change wanted of our entry.
    fn says(&self, client: &Description, change: &Change) -> bool {
        let connecting = change.wants_entry(client);
        match self.read(client) {
            Ok(read) => {
                let own = self.own(client, &read.tree);
                own.is_some_and(|(name, ..)| name == change.entry) == connecting
            }
            Err(_) => false,
        }
    }

    /// Keeps what the file was, as far as it is worth keeping.
    fn kept(
        &self,
        client: &Description,
        change: &Change,
        now: Timestamp,
    ) -> Result<Option<Before>> {
        let Some(bytes) = &change.before else {
            let folders = missing_folders(&change.real, &*self.computer);
            return Ok(Some(Before::Missing { folders }));
        };
        let copy = self
            .records
            .keep(client, &change.file, bytes, now)
            .map_err(|error| no_copy(client, &error))?;
        Ok(match &change.was {
            Was::Now => Some(Before::Kept {
                copy,
                hash: hash(bytes),
            }),
            Was::Recorded(before) => Some(before.clone()),
            Was::Unknown => Some(Before::Unknown),
        })
    }

    /// Writes down what was done. `before`: what the file was, where it
    /// changed.
    fn remember(
        &self,
        client: &Description,
        change: &Change,
        after: Option<&[u8]>,
        before: Option<Before>,
        now: Timestamp,
    ) -> Result<()> {
        let known = self.records.get(client);
        let done = match &change.connection {
            Some(connection) if change.wants_entry(client) => {
                // Nothing changed and all is known: the proof goes on.
                if before.is_none()
                    && known.as_ref().is_some_and(|known| {
                        known.file == change.file
                            && known.entry == change.entry
                            && known.connection == connection.as_str()
                    })
                {
                    return Ok(());
                }
                self.records.put(
                    client,
                    &Record {
                        file: change.file.clone(),
                        entry: change.entry.clone(),
                        connection: connection.to_string(),
                        at: now.millis(),
                        before: before.unwrap_or(Before::Unknown),
                        after: after.map(hash).unwrap_or_default(),
                        container_made: change.container_made,
                    },
                )
            }
            _ => {
                if let (Some(known), FileEffect::Removed) = (&known, change.effect)
                    && let Before::Missing { folders } = &known.before
                {
                    for folder in folders.iter().rev() {
                        self.computer.remove_empty_folder(folder);
                    }
                }
                self.records.forget(client)
            }
        };
        done.map_err(|error| no_copy(client, &error))
    }
}

/// What an entry of ours is called, unless something else is.
const NAME: &str = "ozbrain";

impl Change {
    /// Whether the change leaves our entry in the file.
    fn wants_entry(&self, client: &Description) -> bool {
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

impl Clients for InstalledClients {
    fn all(&self) -> Vec<FoundClient> {
        clients::ALL.into_iter().map(|it| self.found(it)).collect()
    }

    fn one(&self, client: &str) -> Result<FoundClient> {
        Ok(self.found(self.description(client)?))
    }

    fn plan(&self, client: &str, wish: &ClientWish) -> Result<ClientPlan> {
        let client = self.description(client)?;
        let change = self.change(client, wish);
        Ok(self.planned(client, wish, &change))
    }

    fn carry_out(
        &self,
        client: &str,
        wish: &ClientWish,
        planned: Option<&str>,
        now: Timestamp,
    ) -> Result<ClientPlan> {
        let client = self.description(client)?;
        for _ in 0..TRIES {
            let change = self.change(client, wish);
            let plan = self.planned(client, wish, &change);
            let change = match change {
                Ok(change) => change,
                Err(blocked) => return Err(Refusal::unavailable(blocked.problem.message)),
            };
            if planned.is_some_and(|planned| planned != plan.plan) {
                return Err(Refusal::unavailable(format!(
                    "{} changed since this was shown. Nothing was done: look at it again.",
                    change.file.display()
                )));
            }
            if self.do_it(client, &change, now)? {
                return Ok(plan);
            }
        }
        Err(Refusal::unavailable(format!(
            "Another program keeps writing the file of {}. Nothing of it was lost. Quit {} and \
             try again.",
            client.name, client.name
        )))
    }

    fn snippet(&self, connection: &ConnectionName) -> Result<String> {
        let launch = self
            .launch(connection.as_str(), Sandbox::None)
            .map_err(|problem| Refusal::unavailable(problem.message))?;
        let entry = launch.entry(Shape::Plain, NAME);
        let format = crate::text::Format::Json(crate::text::Json::STRICT);
        format
            .put("", &["mcpServers", NAME], &entry)
            .map_err(|fault| Refusal::unavailable(fault.message))
    }
}

impl InstalledClients {
    fn found(&self, client: &Description) -> FoundClient {
        let installed = client.is_installed(&self.environment, &*self.computer);
        let record = self.records.get(client);
        let made = record.and_then(|record| {
            Some(MadeEntry {
                name: record.entry,
                connection: ConnectionName::parse(&record.connection).ok()?,
                at: Timestamp::from_millis(record.at),
            })
        });
        let running = match client.running {
            Running::Fine => false,
            Running::QuitFirst(names) => installed && self.runs(names),
            Running::OwnCommand(name) => installed && self.runs(&[name]),
        };
        let mut found = FoundClient {
            client: client.id.to_owned(),
            name: client.name.to_owned(),
            installed,
            file: String::new(),
            entry: None,
            made,
            problem: None,
            after: client.after,
            running,
        };
        match self.read(client) {
            Ok(read) => {
                found.file = read.file.path.display().to_string();
                found.entry = self.own(client, &read.tree).map(|(name, is, said)| {
                    let connection = said
                        .connection
                        .and_then(|it| ConnectionName::parse(&it).ok());
                    let wanted = connection
                        .as_ref()
                        .map(|it| self.launch(it.as_str(), read.file.sandbox));
                    ClientEntry {
                        name,
                        // Without a command of our own there is nothing to mend.
                        current: self.program.is_err()
                            || wanted.is_some_and(|it| it.is_ok_and(|wanted| wanted == is)),
                        connection,
                    }
                });
            }
            Err(blocked) => {
                found.file = blocked.file.display().to_string();
                found.problem = Some(blocked.problem);
            }
        }
        found
    }
}

/// A name that no server has, without regard to case: [`NAME`] if it is free.
fn free_name(container: Option<&Tree>, notes: &mut Vec<String>) -> String {
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

/// The folders that are missing on the way to a file, outermost first.
fn missing_folders(file: &Path, computer: &dyn Computer) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = file
        .ancestors()
        .skip(1)
        .take_while(|folder| !folder.as_os_str().is_empty() && !computer.is_there(folder))
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    missing
}

fn faulty(client: &Description, file: &Path, text: &str, fault: &Fault) -> ClientProblem {
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

fn no_unicode(path: &Path) -> ClientProblem {
    ClientProblem {
        code: ClientProblemCode::NoCommand,
        message: format!(
            "{} is not in Unicode, and no configuration can name it. Move it.",
            path.display()
        ),
        place: None,
    }
}

fn unwritable(client: &Description, file: &Path, error: &std::io::Error) -> Refusal {
    Refusal::unavailable(format!(
        "{} could not be written: {error}. The configuration of {} is as it was.",
        file.display(),
        client.name
    ))
}

fn no_copy(client: &Description, error: &std::io::Error) -> Refusal {
    Refusal::unavailable(format!(
        "What was done to {} could not be written down in the data folder: {error}. Mend that, \
         and try again.",
        client.name
    ))
}
