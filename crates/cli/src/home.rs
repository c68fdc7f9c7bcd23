//! The data folder, and the store in it.

use crate::output::Failure;
use ozbrain_core::Refusal;
use ozbrain_core::ports::Store;
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{Agent, Client, ConnectionName, Session};
use ozbrain_server::{App, DataDir, now};
use ozbrain_sqlite::SqliteStore;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Result<T, E = Refusal> = std::result::Result<T, E>;

/// Where the memory lies.
#[derive(Debug, Clone)]
pub(crate) struct Home(DataDir);

impl Home {
    /// The given folder, else the one that `OZBRAIN_DATA_DIR` names, else the
    /// platform's.
    pub(crate) fn new(dir: Option<PathBuf>) -> Result<Self, Failure> {
        DataDir::find(dir).map(Self).ok_or_else(|| {
            Failure::Usage("this system has no data folder: name one with --data-dir.".into())
        })
    }

    /// The folder.
    pub(crate) fn dir(&self) -> &Path {
        self.0.path()
    }

    /// Whether it is the platform's: then nobody needs to name it.
    pub(crate) fn is_usual(&self) -> bool {
        self.0.is_usual()
    }

    /// Opens the store.
    pub(crate) fn open(&self) -> Result<Arc<dyn Store>> {
        Ok(Arc::new(SqliteStore::open(self.dir())?))
    }

    /// What a server needs.
    pub(crate) fn app(self) -> Arc<App> {
        App::new(move || self.open())
    }

    /// Runs a use case as the connection `cli`, in a session of its own.
    pub(crate) fn call<T>(&self, use_case: impl FnOnce(Call<'_>) -> Result<T>) -> Result<T> {
        let store = self.open()?;
        let now = now();
        let agent = Agent {
            connection: ConnectionName::cli(),
            client: Some(Client {
                name: "ozbrain".into(),
                version: env!("CARGO_PKG_VERSION").into(),
            }),
            session: format!("cli-{}-{}", now.millis(), std::process::id()),
        };
        let began = use_cases::meet(&*store, &agent, now)?;
        let session = Arc::new(Session::new(agent, began));
        use_case(Call {
            store: &*store,
            session: &session,
            now,
        })
    }

    /// The text of a file, or of standard input for `-`.
    pub(crate) fn text(file: &Path) -> Result<String> {
        // One byte more than a body may have is enough to refuse it.
        let most = ozbrain_core::rules::wanted::BODY_BYTES as u64 + 1;
        let mut bytes = Vec::new();
        let read = if file == Path::new("-") {
            std::io::stdin().take(most).read_to_end(&mut bytes)
        } else {
            std::fs::File::open(file).and_then(|file| file.take(most).read_to_end(&mut bytes))
        };
        // A cut may part a character: what is too large is refused by its size.
        let text = read.and_then(|read| match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(error) if read as u64 == most => {
                Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
            }
            Err(error) => Err(std::io::Error::other(error)),
        });
        text.map_err(|error| {
            Refusal::invalid(format!("{} cannot be read: {error}.", file.display()))
        })
    }
}
