//! The log of the desktop: a few small files beside the memory, which name
//! places and reasons and never a text that someone stored.

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// How large a file becomes before the next begins.
const MOST: u64 = 1024 * 1024;

/// How many files are kept, the current one included.
const FILES: usize = 3;

/// Where the log lies, for whoever tells the person.
static FILE: OnceLock<PathBuf> = OnceLock::new();

/// The current file of the log, once there is one.
pub(crate) fn file() -> Option<&'static Path> {
    FILE.get().map(PathBuf::as_path)
}

/// Says a line to whoever started the program in a terminal, if anyone did.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stdout().lock(), "{line}");
}

/// The same for what went wrong.
pub(crate) fn aside(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Logs into `folder` what `OZBRAIN_LOG` asks for: warnings and the desktop's
/// own steps unless it says more. rmcp, which logs whole messages, tells errors
/// alone. Of a panic, whose message may quote a text, the place and the thread
/// are logged; then `stumbled` is called.
///
/// # Errors
/// The folder or the file cannot be made.
pub(crate) fn start(folder: &Path, stumbled: impl Fn() + Send + Sync + 'static) -> io::Result<()> {
    let log = Log::open(folder, MOST)?;
    let _ = FILE.set(log.path.clone());
    let mut filter = EnvFilter::try_from_env("OZBRAIN_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,ozbrain_desktop=info"));
    if let Ok(quiet) = "rmcp=error".parse() {
        filter = filter.add_directive(quiet);
    }
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Shared(Arc::new(Mutex::new(log))))
        .with_ansi(false)
        .init();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string);
        if EXPECTED.get() {
            tracing::info!(place, "a panic that was reckoned with");
            return;
        }
        let thread = std::thread::current();
        let thread = thread.name().unwrap_or("unnamed");
        aside(&format!(
            "OzBrain stumbled at {}.",
            place.as_deref().unwrap_or("an unknown place")
        ));
        tracing::error!(
            place,
            thread,
            "OzBrain stumbled: this is a fault of its own"
        );
        stumbled();
    }));
    Ok(())
}

thread_local! {
    /// Whether this thread runs what may panic for a reason that is known.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs what panics where something of the system's is missing. That is no
/// fault of OzBrain: nobody is told of it.
///
/// # Errors
/// It panicked.
pub(crate) fn expected<T>(run: impl FnOnce() -> T) -> std::thread::Result<T> {
    EXPECTED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    EXPECTED.set(false);
    outcome
}

/// A file that makes way for the next where it becomes too large.
struct Log {
    path: PathBuf,
    file: File,
    written: u64,
    most: u64,
}

impl Log {
    fn open(folder: &Path, most: u64) -> io::Result<Self> {
        let mut folders = fs::DirBuilder::new();
        folders.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
        folders.create(folder)?;
        let path = folder.join("desktop.log");
        let file = append(&path)?;
        let written = file.metadata()?.len();
        Ok(Self {
            path,
            file,
            written,
            most,
        })
    }

    /// Where file number `n` lies; the older the higher.
    fn older(&self, n: usize) -> PathBuf {
        self.path.with_extension(format!("{n}.log"))
    }

    fn rotate(&mut self) -> io::Result<()> {
        for n in (1..FILES - 1).rev() {
            // The first times there is none yet.
            let _ = fs::rename(self.older(n), self.older(n + 1));
        }
        fs::rename(&self.path, self.older(1))?;
        self.file = append(&self.path)?;
        self.written = 0;
        Ok(())
    }
}

fn append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let length = line.len() as u64;
        if self.written > 0 && self.written + length > self.most {
            // A log that cannot be rotated is better than none.
            let _ = self.rotate();
        }
        self.file.write_all(line)?;
        self.written += length;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The log, for all threads.
#[derive(Clone)]
struct Shared(Arc<Mutex<Log>>);

impl Write for Shared {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Shared {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn sizes(folder: &Path) -> Vec<(String, u64)> {
        let mut sizes: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                (name, entry.metadata().unwrap().len())
            })
            .collect();
        sizes.sort();
        sizes
    }

    #[test]
    fn the_log_never_outgrows_three_files_and_keeps_the_newest_lines() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::open(folder.path(), 100).unwrap();
        for n in 0..200 {
            log.write_all(format!("{n:>9}\n").as_bytes()).unwrap();
        }
        let names = ["desktop.1.log", "desktop.2.log", "desktop.log"];
        assert_eq!(
            sizes(folder.path()),
            names.map(|name| (name.to_owned(), 100))
        );
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text("desktop.log").ends_with("      199\n"));
        assert!(text("desktop.1.log").ends_with("      189\n"));
        assert!(text("desktop.2.log").ends_with("      179\n"));
    }

    #[test]
    fn a_log_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..2 {
            let mut log = Log::open(folder.path(), 100).unwrap();
            writeln!(log, "start {n}").unwrap();
        }
        let text = fs::read_to_string(folder.path().join("desktop.log")).unwrap();
        assert_eq!(text, "start 0\nstart 1\n");
    }

    #[test]
    fn a_panic_is_noted_by_its_place_and_thread_and_never_by_its_words() {
        static TOLD: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::tempdir().unwrap();
        start(folder.path(), || {
            TOLD.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        // What was reckoned with is told to nobody.
        assert!(expected(|| panic!("the text of a unit")).is_err());
        let line =
            |text: &str, words: &str| text.lines().filter(|line| line.contains(words)).count();
        let text = fs::read_to_string(file().unwrap()).unwrap();
        assert_eq!(line(&text, "reckoned with"), 1, "{text}");
        assert_eq!(line(&text, "log.rs:"), 1, "{text}");
        let failing = std::thread::Builder::new()
            .name("tray-follows".into())
            .spawn(|| panic!("the text of a unit"));
        assert!(failing.unwrap().join().is_err());
        let text = fs::read_to_string(file().unwrap()).unwrap();
        assert!(
            text.contains("log.rs:") && text.contains("tray-follows"),
            "{text}"
        );
        assert!(!text.contains("the text of a unit"), "{text}");
        // What other threads of this run fail at is told too.
        assert!(TOLD.load(Ordering::Relaxed) >= 1);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_the_log() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(&folder.path().join("logs"), 100).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&log.path), 0o600);
        assert_eq!(mode(&folder.path().join("logs")), 0o700);
    }
}
