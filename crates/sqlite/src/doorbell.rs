//! The doorbell: a file that is touched after each commit, and watched by the
//! other processes.
//!
//! What counts is the newest event: whoever hears the bell, or polls where the
//! operating system lost a ring, looks at it and calls only if it moved.

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use ozbrain_core::ports::OnChange;
use ozbrain_core::words::EventId;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often one looks although no bell rang.
const POLL: Duration = Duration::from_secs(2);

/// The doorbell of a folder, and who listens to it in this process.
pub(crate) struct Doorbell {
    file: PathBuf,
    listening: Mutex<Option<Listening>>,
}

struct Listening {
    ring: Sender<Ring>,
    callbacks: Arc<Mutex<Vec<Arc<OnChange>>>>,
    thread: JoinHandle<()>,
}

/// Why the listener wakes up.
enum Ring {
    /// There may be a change.
    Look,
    /// The file was taken away or replaced: its watch sees nothing any more.
    Replaced,
    /// The store ends.
    End,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Doorbell {
    pub(crate) fn new(file: PathBuf) -> Self {
        Self {
            file,
            listening: Mutex::default(),
        }
    }

    /// Tells this process and all others that something was committed.
    pub(crate) fn ring(&self) {
        // Without the file the others find out when they poll.
        let _ = touch(&self.file);
        if let Some(listening) = &*locked(&self.listening) {
            let _ = listening.ring.send(Ring::Look);
        }
    }

    /// Calls `on_change` after each change from now on. `last` reads the newest
    /// event, or nothing while it cannot be read.
    pub(crate) fn listen(
        &self,
        on_change: OnChange,
        last: impl Fn() -> Option<EventId> + Send + 'static,
    ) {
        let mut listening = locked(&self.listening);
        if let Some(listening) = &*listening {
            locked(&listening.callbacks).push(Arc::new(on_change));
            return;
        }
        let (ring, rings) = channel();
        let callbacks = Arc::new(Mutex::new(vec![Arc::new(on_change)]));
        let watch = Watch::new(&self.file, ring.clone());
        // What is committed from here on rings or is polled.
        let known = last();
        let thread = std::thread::spawn({
            let callbacks = Arc::clone(&callbacks);
            move || answer(&rings, watch, known, &last, &callbacks)
        });
        *listening = Some(Listening {
            ring,
            callbacks,
            thread,
        });
    }
}

impl Drop for Doorbell {
    fn drop(&mut self) {
        if let Some(listening) = locked(&self.listening).take() {
            let _ = listening.ring.send(Ring::End);
            // A callback may own the store's last handle.
            if listening.thread.thread().id() != std::thread::current().id() {
                let _ = listening.thread.join();
            }
        }
    }
}

fn answer(
    rings: &Receiver<Ring>,
    mut watch: Watch,
    mut known: Option<EventId>,
    last: &impl Fn() -> Option<EventId>,
    callbacks: &Mutex<Vec<Arc<OnChange>>>,
) {
    loop {
        match rings.recv_timeout(POLL) {
            Ok(Ring::Look) => {}
            Ok(Ring::Replaced) => watch.renew(),
            Err(RecvTimeoutError::Timeout) => watch.renew_if_replaced(),
            Ok(Ring::End) | Err(RecvTimeoutError::Disconnected) => return,
        }
        let newest = last();
        if newest.is_none() || newest == known {
            continue;
        }
        known = newest;
        let called = locked(callbacks).clone();
        for callback in called {
            callback();
        }
    }
}

/// The operating system's watch of the file. Without one there is polling.
struct Watch {
    file: PathBuf,
    identity: Option<u64>,
    watcher: Option<RecommendedWatcher>,
}

impl Watch {
    fn new(file: &Path, ring: Sender<Ring>) -> Self {
        let heard = move |event: notify::Result<notify::Event>| {
            let ring_for = match event {
                Ok(event) if event.kind.is_access() => return,
                Ok(event) if event.kind.is_remove() => Ring::Replaced,
                Ok(event)
                    if matches!(
                        event.kind,
                        notify::EventKind::Modify(notify::event::ModifyKind::Name(_))
                    ) =>
                {
                    Ring::Replaced
                }
                _ => Ring::Look,
            };
            let _ = ring.send(ring_for);
        };
        let watcher = notify::recommended_watcher(heard)
            .inspect_err(|error| tracing::info!("changes are found by polling: {error}"))
            .ok();
        let mut watch = Self {
            file: file.to_owned(),
            identity: None,
            watcher,
        };
        watch.renew();
        watch
    }

    /// Watches the file that is there now.
    fn renew(&mut self) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        // It may be gone, which is why this runs.
        let _ = watcher.unwatch(&self.file);
        if !self.file.exists() {
            let _ = touch(&self.file);
        }
        self.identity = identity(&self.file);
        if let Err(error) = watcher.watch(&self.file, RecursiveMode::NonRecursive) {
            tracing::info!("changes are found by polling: {error}");
        }
    }

    fn renew_if_replaced(&mut self) {
        if self.watcher.is_some() && identity(&self.file) != self.identity {
            self.renew();
        }
    }
}

/// What tells a file from the one that replaced it.
#[cfg(unix)]
fn identity(file: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(file).ok().map(|it| it.ino())
}

#[cfg(not(unix))]
fn identity(file: &Path) -> Option<u64> {
    file.exists().then_some(0)
}

fn touch(file: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(b"!")
}
