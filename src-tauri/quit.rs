//! The end: running calls finish first.

use crate::shell::{Shell, shell};
use crate::{dialog, window};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tauri::AppHandle;
use tauri::async_runtime::JoinHandle;
use tokio::sync::watch;

/// How long the end may take: calls that run get ten seconds of the server, and
/// their replies some more to leave.
const LAST_CALLS: Duration = Duration::from_secs(15);

/// The end of the application: begun once.
pub(crate) struct Quit {
    begun: watch::Sender<bool>,
    /// Whether what had to end has ended, or had its time.
    done: watch::Sender<bool>,
    /// What must end before the application does.
    first: Mutex<Vec<JoinHandle<()>>>,
    /// Whether the person is asked right now.
    asks: AtomicBool,
}

impl Quit {
    pub(crate) fn new() -> Self {
        Self {
            begun: watch::Sender::new(false),
            done: watch::Sender::new(false),
            first: Mutex::default(),
            asks: AtomicBool::new(false),
        }
    }

    /// True from the moment the application is to end.
    pub(crate) fn begun(&self) -> watch::Receiver<bool> {
        self.begun.subscribe()
    }

    /// Runs what must end before the application does.
    pub(crate) fn first(&self, task: impl Future<Output = ()> + Send + 'static) {
        let task = tauri::async_runtime::spawn(task);
        self.tasks().push(task);
    }

    fn tasks(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the application where the person asks for it: where that loses text
/// that is not written yet, they are asked whether it may.
pub(crate) fn asked(app: &AppHandle) {
    if !shell(app).drafts.any() {
        return quit(app);
    }
    if shell(app).quit.asks.swap(true, Ordering::Relaxed) {
        return;
    }
    let handle = app.clone();
    dialog::losing(app, move |quits| {
        shell(&handle).quit.asks.store(false, Ordering::Relaxed);
        if quits {
            quit(&handle);
        } else {
            window::open(&handle);
        }
    });
}

/// Ends the application: the window closes at once, then what runs finishes,
/// for as long as it may take.
pub(crate) fn quit(app: &AppHandle) {
    if shell(app).quit.begun.send_replace(true) {
        return;
    }
    tracing::info!("quitting");
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        shell(&app).window.close();
        finish(&shell(&app)).await;
        app.exit(0);
    });
}

/// Lets what runs finish, for as long as it may take.
async fn finish(shell: &Shell) {
    let tasks = std::mem::take(&mut *shell.quit.tasks());
    let all = async {
        for task in tasks {
            // A panic is logged already.
            let _ = task.await;
        }
        shell.app.idle().await;
    };
    if tokio::time::timeout(LAST_CALLS, all).await.is_err() {
        tracing::warn!("calls still ran when their time was over");
    }
    shell.quit.done.send_replace(true);
}

/// The last moment, whichever way it came: the store writes what it holds back.
pub(crate) fn last(app: &AppHandle) {
    let shell = shell(app);
    if !shell.quit.begun.send_replace(true) {
        // Without `quit`, as by the system's own menu.
        tauri::async_runtime::block_on(finish(&shell));
    } else if !*shell.quit.done.borrow() {
        let mut done = shell.quit.done.subscribe();
        let done = async {
            tokio::time::timeout(LAST_CALLS, done.wait_for(|done| *done))
                .await
                .is_ok()
        };
        tauri::async_runtime::block_on(done);
    }
    shell.app.close();
    tracing::info!("ended");
}

/// Quits when the system asks to; whoever cannot wait asks twice.
pub(crate) fn on_signals(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let mut signals = match Signals::listen() {
            Ok(signals) => signals,
            Err(error) => {
                tracing::warn!("signals cannot be heard: {error}");
                return;
            }
        };
        signals.next().await;
        quit(&app);
        signals.next().await;
        std::process::exit(130);
    });
}

#[cfg(unix)]
struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ]
        .into_iter()
        .map(signal)
        .collect::<std::io::Result<_>>()
        .map(Self)
    }

    async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let heard = self.0.iter_mut().any(|s| s.poll_recv(context).is_ready());
            if heard {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        })
        .await;
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
