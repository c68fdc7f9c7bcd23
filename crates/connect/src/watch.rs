//! Clients' files, watched: whoever changes one is noticed soon, and where the
//! operating system tells nothing, by looking now and then.

use crate::clients;
use crate::installed::InstalledClients;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use ozbrain_core::ports::OnClients;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often one looks although nothing was heard. Folders that were not there
/// are watched from then on.
const POLL: Duration = Duration::from_secs(30);

/// Changes that come together are looked at together.
const PAUSE: Duration = Duration::from_millis(300);

/// Why the watching thread wakes up.
enum Wake {
    /// A file changed.
    Look,
    End,
}

/// Files that are watched until this is dropped.
pub(crate) struct Watching {
    wake: Sender<Wake>,
    thread: Option<JoinHandle<()>>,
}

impl Watching {
    /// Calls `changed` at once, and after each change.
    pub(crate) fn new(clients: &InstalledClients, changed: OnClients) -> Self {
        let files = clients.watched();
        let (wake, woken) = channel();
        let heard = wake.clone();
        let thread = std::thread::spawn(move || watch(&files, &heard, &woken, &changed));
        Self {
            wake,
            thread: Some(thread),
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.wake.send(Wake::End);
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

impl InstalledClients {
    /// Gives the files that say how clients stand: what they are may change
    /// with every client that is installed.
    fn watched(&self) -> impl Fn() -> BTreeSet<PathBuf> + Send + 'static {
        let (environment, computer) = (self.environment.clone(), Arc::clone(&self.computer));
        let records = self.records.clone();
        move || {
            let mut files = BTreeSet::new();
            for client in clients::ALL {
                let found = client.files(&environment, &*computer);
                files.extend(found.into_iter().map(|file| file.path));
                files.extend(records.get(client).map(|record| record.file));
            }
            // A link's own change is one, and so is that of what it leads to.
            let real: Vec<PathBuf> = files
                .iter()
                .filter_map(|file| computer.canonical(file).ok())
                .collect();
            files.extend(real);
            files
        }
    }
}

fn watch(
    files: &impl Fn() -> BTreeSet<PathBuf>,
    heard: &Sender<Wake>,
    woken: &Receiver<Wake>,
    changed: &OnClients,
) {
    let watched: Arc<Mutex<BTreeSet<PathBuf>>> = Arc::default();
    let mut watcher = watcher(heard.clone(), Arc::clone(&watched));
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    loop {
        let files = files();
        if let Some(watcher) = &mut watcher {
            follow(watcher, &files, &mut folders);
        }
        *watched.lock().unwrap_or_else(PoisonError::into_inner) = files;
        changed();
        match woken.recv_timeout(POLL) {
            Ok(Wake::End) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => continue,
            Ok(Wake::Look) => {}
        }
        let due = Instant::now() + PAUSE;
        loop {
            match woken.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(Wake::Look) => {}
                Err(RecvTimeoutError::Timeout) => break,
                Ok(Wake::End) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

/// A watcher that wakes for these files alone. Without one there is polling.
fn watcher(
    heard: Sender<Wake>,
    watched: Arc<Mutex<BTreeSet<PathBuf>>>,
) -> Option<RecommendedWatcher> {
    let told = move |event: notify::Result<notify::Event>| {
        let look = match event {
            Ok(event) if event.kind.is_access() => false,
            Ok(event) => {
                let watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
                event.need_rescan() || event.paths.iter().any(|path| concerns(&watched, path))
            }
            Err(_) => true,
        };
        if look {
            let _ = heard.send(Wake::Look);
        }
    };
    notify::recommended_watcher(told)
        .inspect_err(|error| tracing::debug!("clients' files cannot be watched: {error}"))
        .ok()
}

/// Whether a path is one of these files, or a folder that one lies in.
fn concerns(files: &BTreeSet<PathBuf>, path: &Path) -> bool {
    files.contains(path) || files.iter().any(|file| file.starts_with(path))
}

/// Watches the folders of these files, or where one is missing the nearest that
/// is there, and no others.
fn follow(
    watcher: &mut RecommendedWatcher,
    files: &BTreeSet<PathBuf>,
    folders: &mut BTreeSet<PathBuf>,
) {
    let wanted: BTreeSet<PathBuf> = files
        .iter()
        .filter_map(|file| file.ancestors().skip(1).find(|it| it.is_dir()))
        // Nothing is gained by watching the root of it all.
        .filter(|folder| folder.parent().is_some())
        .map(Path::to_owned)
        .collect();
    for folder in folders.difference(&wanted) {
        // One that is gone is watched no longer anyway.
        let _ = watcher.unwatch(folder);
    }
    for folder in wanted.difference(folders) {
        if let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive) {
            tracing::debug!(folder = %folder.display(), "not watched: {error}");
        }
    }
    *folders = wanted;
}
