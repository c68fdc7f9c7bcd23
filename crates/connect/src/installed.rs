//! The clients of this computer: found, planned for, connected, disconnected.

use crate::change::{Change, Was, free_name};
use crate::clients;
use crate::computer::{Computer, Lock, ThisComputer, Unwritten};
use crate::description::{ConfigFile, Description, Running, Sandbox, Shape};
use crate::diff;
use crate::entry::Launch;
use crate::environment::Environment;
use crate::link;
use crate::program::lasting_command;
use crate::reading::Blocked;
use crate::record::{Before, Record, Records, hash};
use crate::rules::{RulesBlocked, RulesChange};
use crate::shell;
use crate::watch::Watching;
use ozbrain_core::Refusal;
use ozbrain_core::ports::{
    CarriedOut, ClientEntry, ClientWish, Clients, FoundClient, MadeEntry, OnClients,
};
use ozbrain_core::views::clients::{
    AfterChange, ClientAct, ClientPlan, ClientProblem, ClientProblemCode, ClientWay, ConnectBy,
    FileEffect, StdioSnippet,
};
use ozbrain_core::words::{ConnectionName, Timestamp};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What an entry of ours is called, unless something else is.
pub(crate) const NAME: &str = "ozbrain";

/// How often a change is tried that other programs come between.
pub(crate) const TRIES: usize = 5;

/// The clients of one person on one computer, for one data folder.
pub struct InstalledClients {
    pub(crate) environment: Environment,
    pub(crate) computer: Arc<dyn Computer>,
    pub(crate) records: Records,
    pub(crate) data: DataFolder,
    /// The command that entries start, or why there is none.
    pub(crate) program: Result<PathBuf>,
    pub(crate) even_while_running: bool,
}

/// The folder that entries name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFolder {
    /// Absolute.
    pub path: PathBuf,
    /// Whether it is the one that `ozbrain` takes when it is told none.
    pub usual: bool,
}

pub(crate) type Result<T, E = Refusal> = std::result::Result<T, E>;

impl InstalledClients {
    /// The clients of an environment. `program` is the `ozbrain` that entries
    /// start (see [`crate::lasting_command`]).
    pub fn new(
        environment: Environment,
        computer: Arc<dyn Computer>,
        program: Result<PathBuf>,
        data: DataFolder,
    ) -> Self {
        Self {
            environment,
            computer,
            records: Records::new(&data.path),
            data,
            program,
            even_while_running: false,
        }
    }

    /// Those of this computer, for whoever runs this. `program` is the
    /// `ozbrain` command itself.
    ///
    /// # Errors
    /// `unavailable` for an account without a home folder.
    pub fn of_this_computer(program: &Path, data: DataFolder) -> Result<Self> {
        let environment = Environment::of_this_computer().ok_or_else(|| {
            Refusal::unavailable(
                "This account has no home folder, where clients keep their settings.",
            )
        })?;
        let computer: Arc<dyn Computer> = Arc::new(ThisComputer::default());
        let program = lasting_command(program, &environment, &*computer);
        Ok(Self::new(environment, computer, program, data))
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

    pub(crate) fn launch(
        &self,
        connection: &str,
        sandbox: Sandbox,
    ) -> Result<Launch, ClientProblem> {
        let path = &self.data.path;
        let data = path.to_str().ok_or_else(|| no_unicode(path))?;
        Ok(Launch::new(self.program()?, connection, data, sandbox))
    }

    /// The file that an entry belongs in which the person puts there, as far as
    /// it can be told, and what the entry is called there.
    fn by_hand(&self, client: &Description) -> (Option<ConfigFile>, String) {
        match self.read(client) {
            Ok(read) => {
                let name = match self.own(client, &read.tree) {
                    Some((name, ..)) => name,
                    None => free_name(read.tree.get(client.container), &mut Vec::new()),
                };
                (Some(read.file), name)
            }
            Err(_) => {
                let file = client.file(&self.environment, &*self.computer);
                (file.ok(), NAME.to_owned())
            }
        }
    }

    /// A plan that nothing is known of yet but what is wished.
    pub(crate) fn bare_plan(&self, client: &Description, wish: &ClientWish) -> ClientPlan {
        let (act, connection) = match wish {
            ClientWish::Connect { connection, .. } => {
                (ClientAct::Connect, Some(connection.to_string()))
            }
            ClientWish::Disconnect => (ClientAct::Disconnect, None),
        };
        let by_hand = connection.as_deref().unwrap_or(client.id);
        let (file, name) = self.by_hand(client);
        let launch = self.launch(
            by_hand,
            file.as_ref().map_or(Sandbox::None, |it| it.sandbox),
        );
        let mut plan = ClientPlan {
            client: client.id.to_owned(),
            name: client.name.to_owned(),
            act,
            file: String::new(),
            entry: NAME.to_owned(),
            connection,
            way: ClientWay::Edit,
            other: None,
            changes: false,
            effect: FileEffect::Same,
            diff: Vec::new(),
            stay: 0,
            rules: None,
            // The store's to say.
            grants: None,
            plan: String::new(),
            notes: Vec::new(),
            after: client.after,
            problem: None,
            snippet: launch.as_ref().map_or(String::new(), |launch| {
                let path = [client.container, name.as_str()];
                let entry = launch.entry(client.shape, &name);
                client.format.put("", &path, &entry).unwrap_or_default()
            }),
            link: None,
        };
        if let (Ok(launch), Some(kind), ClientAct::Connect) = (&launch, client.link, act) {
            let scheme = file.and_then(|file| file.scheme);
            plan.link = Some(link::install(kind, scheme, &name, launch));
        }
        plan
    }

    /// The plan of a change, or of why there is none.
    fn planned(
        &self,
        client: &Description,
        wish: &ClientWish,
        change: &Result<Change, Box<Blocked>>,
        rules: Option<&Result<RulesChange, RulesBlocked>>,
    ) -> ClientPlan {
        let mut plan = self.bare_plan(client, wish);
        let has_entry = change.as_ref().is_ok_and(|it| it.had_entry);
        if plan.act == ClientAct::Connect
            && self.program.is_ok()
            && self.bundle_of(client).is_some()
            && !has_entry
        {
            plan.other = Some(ConnectBy::Bundle);
        }
        match change {
            Ok(change) => {
                let own = change.connection.as_ref().map(ToString::to_string);
                plan.file = change.file.display().to_string();
                plan.entry.clone_from(&change.entry);
                plan.connection = own.or(plan.connection);
                plan.way = change.way.clone();
                plan.effect = change.effect;
                (plan.diff, plan.stay) =
                    diff::lines(change.before.as_deref(), change.after.as_deref());
                plan.plan = change.name(rules.and_then(|it| it.as_ref().ok()));
                plan.rules = rules.map(|rules| match rules {
                    Ok(change) => change.plan(),
                    Err(blocked) => blocked.plan(),
                });
                plan.changes = change.changes() || plan.rules.as_ref().is_some_and(|it| it.changes);
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
        // What was done to a file is forgotten with the last of them.
        for also in &change.also {
            if self.make(client, also, now)?.is_none() {
                return Ok(false);
            }
            if also.effect == FileEffect::Removed
                && let Some(record) = self.records.of(client, &also.file)
            {
                self.remove_folders(&record);
            }
        }
        if !change.changes_its_file() {
            self.remember(client, change, change.before.as_deref(), None, now)?;
            return Ok(true);
        }
        let Some(made) = self.make(client, change, now)? else {
            return Ok(false);
        };
        self.remember(client, change, made.after.as_deref(), made.before, now)?;
        Ok(true)
    }

    /// Makes a change to its file. `None`: another program came between.
    fn make(&self, client: &Description, change: &Change, now: Timestamp) -> Result<Option<Made>> {
        // Whoever writes it: a client's command may write the file anew.
        let before = self.kept(client, change, now)?;
        if let ClientWay::Command { command, .. } = &change.way
            && self.by_command(client, change, command)
        {
            return Ok(Some(Made {
                after: None,
                before: Some(Before::Unknown),
            }));
        }
        let _lock = match client.running {
            Running::OwnCommand(..) => {
                let mut folder = change.file.clone().into_os_string();
                folder.push(".lock");
                match self.computer.lock(Path::new(&folder)) {
                    Ok(lock) => lock,
                    // Nobody writes where there is no folder yet.
                    Err(error) if error.kind() == ErrorKind::NotFound => Lock::none(),
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                        return Err(Refusal::unavailable(format!(
                            "{} is writing {} and has locked it. It is as it was. Try again in a \
                             moment.",
                            client.name,
                            change.file.display()
                        )));
                    }
                    Err(error) => return Err(unwritable(client, &change.file, &error)),
                }
            }
            _ => Lock::none(),
        };
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
            Err(Unwritten::Changed) => return Ok(None),
            Err(Unwritten::Apart { kept, error }) => {
                return Err(Refusal::unavailable(apart(&change.file, &kept, &error)));
            }
            Err(Unwritten::Io(error)) => return Err(unwritable(client, &change.file, &error)),
        }
        let is = self
            .computer
            .read(&change.file)
            .ok()
            .and_then(|it| it.bytes);
        if is != change.after && !self.says(client, change) {
            return Ok(None);
        }
        Ok(Some(Made {
            after: change.after.clone(),
            before,
        }))
    }

    /// Has the client's own command make the change. Whatever it did, what
    /// counts is what its file says then.
    fn by_command(&self, client: &Description, change: &Change, command: &[String]) -> bool {
        let Some((program, arguments)) = command.split_first() else {
            return false;
        };
        let ran = self.computer.run(Path::new(program), arguments);
        if let Err(error) = &ran {
            tracing::warn!(client = client.id, "its own command failed: {error}");
        }
        let started = match ran {
            Ok(_) => true,
            Err(error) => error.kind() == ErrorKind::TimedOut,
        };
        started && self.says(client, change)
    }

    /// Whether the file says what the change wanted of our entry.
    fn says(&self, client: &Description, change: &Change) -> bool {
        let connecting = change.wants_entry(client);
        match self.read_file(client, self.config_file(client, change.file.clone())) {
            Ok(read) => {
                let own = self.own(client, &read.tree);
                own.is_some_and(|(name, ..)| name == change.entry) == connecting
            }
            Err(_) => false,
        }
    }

    /// A client that has its entry in its file is connected by a bundle no
    /// longer.
    fn leave_bundle(&self, client: &Description) -> Result<()> {
        if self.records.bundle(client).is_none() {
            return Ok(());
        }
        let kept = self.records.get(client);
        let left = match kept.map(|record| record.by) {
            Some(ConnectBy::Bundle) => self.records.forget(client),
            _ => Ok(()),
        };
        left.and_then(|()| self.records.forget_bundle(client))
            .map_err(|error| no_copy(client, &error))
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

    /// Takes away the folders that were made for a client's file, as far as they
    /// hold nothing.
    fn remove_folders(&self, record: &Record) {
        if let Before::Missing { folders } = &record.before {
            for folder in folders.iter().rev() {
                self.computer.remove_empty_folder(folder);
            }
        }
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
        let known = self.records.of(client, &change.file);
        let done = match &change.connection {
            // What was right already is not ours to claim.
            Some(_) if before.is_none() && change.wants_entry(client) => Ok(()),
            Some(connection) if change.wants_entry(client) => self.records.put(
                client,
                &Record {
                    by: ConnectBy::File,
                    file: change.file.clone(),
                    entry: change.entry.clone(),
                    connection: connection.to_string(),
                    at: now.millis(),
                    before: before.unwrap_or(Before::Unknown),
                    after: after.map(hash).unwrap_or_default(),
                    container_made: change.container_made,
                    launch: change.launch.clone(),
                    older: self.still_held(client, &change.file),
                },
            ),
            _ => {
                if let (Some(known), FileEffect::Removed) = (&known, change.effect) {
                    self.remove_folders(known);
                }
                self.records.forget(client)
            }
        };
        done.map_err(|error| no_copy(client, &error))
    }

    /// What was done to the files beside this one that still hold an entry of
    /// ours.
    pub(crate) fn still_held(&self, client: &Description, file: &Path) -> Vec<Record> {
        let held = self.older(client, file);
        let mut records = self.records.all(client);
        records.retain(|record| held.iter().any(|it| it.file.path == record.file));
        records
    }
}

/// What a file has become.
struct Made {
    /// As we left it; `None` where we did not write it.
    after: Option<Vec<u8>>,
    /// What it was before.
    before: Option<Before>,
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
        if self.by_bundle(client, wish)? {
            return Ok(self.bundle_plan(client, wish));
        }
        let change = self.change(client, wish);
        let rules = self.rules_change(client, self.wants_rules(client, wish));
        Ok(self.planned(client, wish, &change, rules.as_ref()))
    }

    fn carry_out(
        &self,
        client: &str,
        wish: &ClientWish,
        planned: Option<&str>,
        now: Timestamp,
    ) -> Result<CarriedOut> {
        let client = self.description(client)?;
        if self.by_bundle(client, wish)? {
            return self.carry_out_bundle(client, wish, planned, now);
        }
        let wants_rules = self.wants_rules(client, wish);
        for _ in 0..TRIES {
            let change = self.change(client, wish);
            let rules = self.rules_change(client, wants_rules);
            let mut plan = self.planned(client, wish, &change, rules.as_ref());
            if planned.is_some_and(|planned| planned != plan.plan) {
                return Ok(CarriedOut::Moved(plan));
            }
            let change = match change {
                Ok(change) => change,
                Err(blocked) => return Err(Refusal::unavailable(blocked.problem.message)),
            };
            let files = std::iter::once(&change).chain(&change.also);
            let removed: Vec<Record> = files
                .filter(|it| it.effect == FileEffect::Removed)
                .filter_map(|it| self.records.of(client, &it.file))
                .collect();
            if self.do_it(client, &change, now)? {
                self.leave_bundle(client)?;
                let file = rules.map(|rules| match rules {
                    Ok(change) => change.file,
                    Err(blocked) => blocked.file,
                });
                plan.rules = file.map(|file| self.do_rules(client, &file, wants_rules, now));
                // The rules file may have been the last that a folder held.
                for record in &removed {
                    self.remove_folders(record);
                }
                return Ok(CarriedOut::Done(plan));
            }
        }
        Err(Refusal::unavailable(format!(
            "Another program keeps writing the file of {}. Nothing of it was lost. Quit {} and \
             try again.",
            client.name, client.name
        )))
    }

    fn snippet(&self, connection: &ConnectionName) -> Result<StdioSnippet> {
        let launch = self
            .launch(connection.as_str(), Sandbox::None)
            .map_err(|problem| Refusal::unavailable(problem.message))?;
        let entry = launch.entry(Shape::Plain, NAME);
        let format = crate::text::Format::Json(crate::text::Json::STRICT);
        let text = format
            .put("", &["mcpServers", NAME], &entry)
            .map_err(|fault| Refusal::unavailable(fault.message))?;
        Ok(StdioSnippet {
            text,
            shell: shell::line(&launch.words(), self.environment.platform),
            command: launch.program,
            args: launch.arguments,
        })
    }

    fn watch(&self, changed: OnClients) -> Box<dyn Send> {
        Box::new(Watching::new(self, changed))
    }
}

impl InstalledClients {
    /// Whether a client's rules file shall have our section.
    fn wants_rules(&self, client: &Description, wish: &ClientWish) -> bool {
        match wish {
            ClientWish::Disconnect => false,
            ClientWish::Connect {
                rules: Some(wanted),
                ..
            } => *wanted,
            ClientWish::Connect { rules: None, .. } => {
                let connected = self
                    .read(client)
                    .is_ok_and(|read| self.own(client, &read.tree).is_some());
                let known = connected || self.records.get(client).is_some();
                !known || self.rules(client).is_some_and(|rules| rules.there)
            }
        }
    }

    fn found(&self, client: &Description) -> FoundClient {
        let installed = client.is_installed(&self.environment, &*self.computer);
        let record = self.records.get(client);
        let by = record.as_ref().map(|record| record.by);
        let launched = record.as_ref().map(|record| record.launch.clone());
        let made = record.and_then(|record| {
            Some(MadeEntry {
                name: record.entry,
                connection: ConnectionName::parse(&record.connection).ok()?,
                at: Timestamp::from_millis(record.at),
            })
        });
        let running = match client.running {
            Running::Fine => false,
            Running::QuitFirst(programs) | Running::OwnCommand(_, programs) => {
                installed && self.runs(programs)
            }
        };
        let mut found = FoundClient {
            client: client.id.to_owned(),
            name: client.name.to_owned(),
            installed,
            file: String::new(),
            entry: None,
            other_store: None,
            rules: self.rules(client),
            made,
            problem: None,
            after: client.after,
            running,
            by,
        };
        if by == Some(ConnectBy::Bundle) {
            self.found_by_bundle(client, &mut found, &launched.unwrap_or_default());
            return found;
        }
        match self.read(client) {
            Ok(read) => {
                found.file = read.file.path.display().to_string();
                let launched = self.records.of(client, &read.file.path);
                let launched = launched.map(|record| record.launch);
                found.entry = self.own(client, &read.tree).map(|(name, is, said)| {
                    let connection = said
                        .connection
                        .and_then(|it| ConnectionName::parse(&it).ok());
                    let wanted = connection
                        .as_ref()
                        .map(|it| self.launch(it.as_str(), read.file.sandbox));
                    ClientEntry {
                        name,
                        altered: launched
                            .as_ref()
                            .is_some_and(|made| !made.is_empty() && *made != is.words())
                            || self.is_missing(&is.program),
                        // Without a command of our own there is nothing to mend.
                        current: self.program.is_err()
                            || wanted.is_some_and(|it| it.is_ok_and(|it| self.alike(&it, &is))),
                        connection,
                    }
                });
                if found.entry.is_none() {
                    found.other_store = self.other_store(client, &read.tree);
                }
            }
            Err(blocked) => {
                found.file = blocked.file.display().to_string();
                found.problem = Some(blocked.problem);
            }
        }
        found
    }
}

impl InstalledClients {
    /// Whether two entries start the same: the one program, however its path is
    /// written, with the same arguments. The app and the command line may come to
    /// it by different links.
    pub(crate) fn alike(&self, one: &Launch, other: &Launch) -> bool {
        let (mut words, mut others) = (one.words(), other.words());
        let (at, other_at) = (one.command_at(), other.command_at());
        if at != other_at || at >= words.len() || at >= others.len() {
            return false;
        }
        let (program, other_program) = (words.remove(at), others.remove(at));
        let real = |path: &str| {
            let path = Path::new(path);
            path.is_absolute()
                .then(|| self.computer.canonical(path).ok())
        };
        let same = || {
            let real = (real(&program).flatten(), real(&other_program).flatten());
            matches!(real, (Some(one), Some(other)) if one == other)
        };
        words == others && (program == other_program || same())
    }

    /// A client that a bundle was made for stands as that does: what its file
    /// says of us is nothing, and what became of the bundle only a call proves.
    fn found_by_bundle(&self, client: &Description, found: &mut FoundClient, made: &[String]) {
        found.file = self.records.bundle_file(client).display().to_string();
        found.after = if self.is_unpacked(client, made) {
            AfterChange::Nothing
        } else {
            AfterChange::Install
        };
        let Some(entry) = &found.made else { return };
        let wanted = self.launch(entry.connection.as_str(), Sandbox::None);
        found.entry = Some(ClientEntry {
            name: entry.name.clone(),
            connection: Some(entry.connection.clone()),
            altered: made.first().is_some_and(|it| self.is_missing(it)),
            current: self.program.is_err()
                || wanted.is_ok_and(|it| Launch::of(made).is_some_and(|is| self.alike(&it, &is))),
        });
    }

    /// Whether an entry starts a program that is not there. Of one without a
    /// whole path nothing is known.
    fn is_missing(&self, program: &str) -> bool {
        let path = Path::new(program);
        path.is_absolute() && !self.computer.is_there(path)
    }
}

/// The folders that are missing on the way to a file, outermost first.
pub(crate) fn missing_folders(file: &Path, computer: &dyn Computer) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = file
        .ancestors()
        .skip(1)
        .take_while(|folder| !folder.as_os_str().is_empty() && !computer.is_there(folder))
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    missing
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

/// What is said of a file that another program wrote at the same moment.
pub(crate) fn apart(file: &Path, kept: &Path, error: &std::io::Error) -> String {
    format!(
        "Another program wrote {0} at the same moment, and it could not be given back: {error}. \
         What that program wrote lies in {1}: {0} has what OzBrain wrote. Compare the two, and \
         delete the one that you do not need.",
        file.display(),
        kept.display()
    )
}

fn unwritable(client: &Description, file: &Path, error: &std::io::Error) -> Refusal {
    let to_do = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "Make its folder writable, or change it by hand."
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "Make room, and try again.",
        _ => "Try again, or change it by hand.",
    };
    Refusal::unavailable(format!(
        "{} could not be written: {error}. The configuration of {} is as it was. {to_do}",
        file.display(),
        client.name
    ))
}

pub(crate) fn no_copy(client: &Description, error: &std::io::Error) -> Refusal {
    Refusal::unavailable(format!(
        "What was done to {} could not be written down in the data folder: {error}. Mend that, \
         and try again.",
        client.name
    ))
}
