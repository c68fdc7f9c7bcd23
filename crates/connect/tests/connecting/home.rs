//! A person's home on a platform, in a folder of its own, and a computer that
//! does what a test wants.

use ozbrain_connect::{
    Computer, Content, DataFolder, Environment, InstalledClients, Lock, Platform, ThisComputer,
    Unreadable, Unwritten,
};
use ozbrain_core::ports::{CarriedOut, ClientWish, Clients, FoundClient};
use ozbrain_core::views::clients::{ClientPlan, ConnectBy};
use ozbrain_core::words::{ConnectionName, Timestamp};
use ozbrain_core::{Refusal, Result};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

pub const PLATFORMS: [Platform; 3] = [Platform::Linux, Platform::MacOs, Platform::Windows];

pub struct Home {
    dir: TempDir,
    pub environment: Environment,
    pub computer: Arc<TestComputer>,
    pub program: PathBuf,
    pub data: PathBuf,
    /// Whether that is the usual data folder.
    pub usual: bool,
}

impl Home {
    pub fn on(platform: Platform) -> Self {
        let dir = tempfile::tempdir().unwrap();
        // Where the system's own temporary folder is a link.
        let root = fs::canonicalize(dir.path()).unwrap();
        let home = root.join("Ann O'Neil");
        fs::create_dir(&home).unwrap();
        let program = root.join("usr").join("bin").join("ozbrain");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, "").unwrap();
        let data = home.join("ozbrain data");
        fs::create_dir(&data).unwrap();
        let mut environment = Environment::at(platform, &home, BTreeMap::new());
        environment.root = root;
        Self {
            dir,
            environment,
            computer: Arc::default(),
            program,
            data,
            usual: false,
        }
    }

    pub fn root(&self) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.environment.home.join(path)
    }

    /// Puts a file there, with its folders.
    pub fn put(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn clients(&self) -> InstalledClients {
        InstalledClients::new(
            self.environment.clone(),
            Arc::clone(&self.computer) as Arc<dyn Computer>,
            Ok(self.program.clone()),
            DataFolder {
                path: self.data.clone(),
                usual: self.usual,
            },
        )
    }

    pub fn found(&self, client: &str) -> FoundClient {
        self.clients().one(client).unwrap()
    }

    pub fn plan(&self, client: &str) -> ClientPlan {
        self.clients().plan(client, &as_itself(client)).unwrap()
    }

    pub fn plan_disconnect(&self, client: &str) -> ClientPlan {
        let wish = ClientWish::Disconnect;
        self.clients().plan(client, &wish).unwrap()
    }

    pub fn connect(&self, client: &str) -> Result<ClientPlan> {
        self.carry_out(client, &as_itself(client))
    }

    /// Does what stands, whatever was shown.
    pub fn carry_out(&self, client: &str, wish: &ClientWish) -> Result<ClientPlan> {
        done(self.clients().carry_out(client, wish, None, now()))
    }

    pub fn disconnect(&self, client: &str) -> Result<ClientPlan> {
        self.carry_out(client, &ClientWish::Disconnect)
    }

    /// Connects where that must work.
    #[track_caller]
    pub fn connected(&self, client: &str) -> ClientPlan {
        self.connect(client)
            .unwrap_or_else(|refusal| panic!("{client}: {refusal}"))
    }

    #[track_caller]
    pub fn disconnected(&self, client: &str) -> ClientPlan {
        self.disconnect(client)
            .unwrap_or_else(|refusal| panic!("{client}: {refusal}"))
    }

    #[track_caller]
    pub fn refused(&self, client: &str) -> Refusal {
        match self.connect(client) {
            Err(refusal) => refusal,
            Ok(plan) => panic!("{client} was connected: {plan:?}"),
        }
    }
}

pub fn now() -> Timestamp {
    Timestamp::parse("2026-12-01T08:00:00Z").unwrap()
}

pub fn as_itself(client: &str) -> ClientWish {
    as_connection(client, None)
}

pub fn as_connection(connection: &str, rules: Option<bool>) -> ClientWish {
    ClientWish::Connect {
        connection: ConnectionName::parse(connection).unwrap(),
        rules,
        by: ConnectBy::File,
    }
}

pub fn by_bundle(connection: &str) -> ClientWish {
    ClientWish::Connect {
        connection: ConnectionName::parse(connection).unwrap(),
        rules: None,
        by: ConnectBy::Bundle,
    }
}

/// What was done, where nothing had moved.
pub fn done(outcome: Result<CarriedOut>) -> Result<ClientPlan> {
    outcome.map(|outcome| match outcome {
        CarriedOut::Done(plan) => plan,
        CarriedOut::Moved(plan) => panic!("it moved: {plan:?}"),
    })
}

/// What stands, where what was shown does not.
#[track_caller]
pub fn moved(outcome: Result<CarriedOut>) -> ClientPlan {
    match outcome {
        Ok(CarriedOut::Moved(plan)) => plan,
        other => panic!("it did not move: {other:?}"),
    }
}

type Happens = Box<dyn Fn(&Path) + Send + Sync>;
type Runs = Box<dyn Fn(&Path, &[String]) -> io::Result<bool> + Send + Sync>;

/// This computer, on which things happen.
#[derive(Default)]
pub struct TestComputer {
    /// What another program does just before a file is written.
    pub before_write: Mutex<Option<Happens>>,
    /// What it does just after.
    pub after_write: Mutex<Option<Happens>>,
    /// Why files cannot be written.
    pub fails: Mutex<Option<io::ErrorKind>>,
    /// Where what another program wrote at the last moment lies, which could not
    /// be given back.
    pub apart: Mutex<Option<PathBuf>>,
    pub running: Mutex<Vec<String>>,
    pub command: Mutex<Option<Runs>>,
    pub ran: Mutex<Vec<Vec<String>>>,
    /// Whether others hold each lock, for longer than anyone waits.
    pub locked: AtomicBool,
    /// The files that were opened.
    pub opened: Mutex<Vec<PathBuf>>,
    /// Why none can be.
    pub opens_nothing: Mutex<Option<io::ErrorKind>>,
}

impl TestComputer {
    pub fn before_write(&self, happens: impl Fn(&Path) + Send + Sync + 'static) {
        *self.before_write.lock().unwrap() = Some(Box::new(happens));
    }

    pub fn after_write(&self, happens: impl Fn(&Path) + Send + Sync + 'static) {
        *self.after_write.lock().unwrap() = Some(Box::new(happens));
    }

    pub fn runs(&self, name: &str) {
        self.running.lock().unwrap().push(name.to_owned());
    }

    fn happen(&self, what: &Mutex<Option<Happens>>, path: &Path) {
        if let Some(happens) = &*what.lock().unwrap() {
            happens(path);
        }
    }

    fn fail(&self) -> std::result::Result<(), Unwritten> {
        match *self.fails.lock().unwrap() {
            Some(kind) => Err(Unwritten::Io(kind.into())),
            None => match &*self.apart.lock().unwrap() {
                Some(kept) => Err(Unwritten::Apart {
                    kept: kept.clone(),
                    error: io::ErrorKind::StorageFull.into(),
                }),
                None => Ok(()),
            },
        }
    }
}

impl Computer for TestComputer {
    fn is_there(&self, path: &Path) -> bool {
        ThisComputer::alone().is_there(path)
    }

    fn names_in(&self, folder: &Path) -> Vec<String> {
        ThisComputer::alone().names_in(folder)
    }

    fn is_program(&self, path: &Path) -> bool {
        ThisComputer::alone().is_program(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        ThisComputer::alone().canonical(path)
    }

    fn read(&self, path: &Path) -> std::result::Result<Content, Unreadable> {
        ThisComputer::alone().read(path)
    }

    fn write(
        &self,
        path: &Path,
        bytes: &[u8],
        expected: Option<&[u8]>,
    ) -> std::result::Result<(), Unwritten> {
        self.happen(&self.before_write, path);
        self.fail()?;
        ThisComputer::alone().write(path, bytes, expected)?;
        self.happen(&self.after_write, path);
        Ok(())
    }

    fn remove(&self, path: &Path, expected: &[u8]) -> std::result::Result<(), Unwritten> {
        self.happen(&self.before_write, path);
        self.fail()?;
        ThisComputer::alone().remove(path, expected)
    }

    fn remove_empty_folder(&self, folder: &Path) {
        ThisComputer::alone().remove_empty_folder(folder);
    }

    fn lock(&self, folder: &Path) -> io::Result<Lock> {
        if self.locked.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        ThisComputer::alone().lock(folder)
    }

    fn processes(&self) -> Vec<String> {
        self.running.lock().unwrap().clone()
    }

    fn open(&self, file: &Path) -> io::Result<()> {
        if let Some(kind) = *self.opens_nothing.lock().unwrap() {
            return Err(kind.into());
        }
        self.opened.lock().unwrap().push(file.to_owned());
        Ok(())
    }

    fn run(&self, program: &Path, arguments: &[String]) -> io::Result<bool> {
        let words = std::iter::once(program.display().to_string()).chain(arguments.iter().cloned());
        self.ran.lock().unwrap().push(words.collect());
        match &*self.command.lock().unwrap() {
            Some(runs) => runs(program, arguments),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// Makes something that can be run.
pub fn program_at(path: &Path) {
    fs::write(path, "").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
