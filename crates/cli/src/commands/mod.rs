//! The commands.

pub(crate) mod brain;
pub(crate) mod connect;
pub(crate) mod connection;
pub(crate) mod doctor;
pub(crate) mod mcp;
pub(crate) mod serve;
pub(crate) mod tools;
pub(crate) mod undo;

use ozbrain_server::App;
#[cfg(unix)]
use std::task::Poll;
use std::time::Duration;
use tokio::runtime::Runtime;

/// How long an ending process waits for calls that still run.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// Lets running calls finish, and the store write what it holds back. A read
/// of standard input that waits for ever is left behind.
fn end(runtime: Runtime, app: &App) {
    runtime.block_on(async {
        let _ = tokio::time::timeout(LAST_CALLS, app.idle()).await;
    });
    runtime.shutdown_background();
    app.close();
}

/// Signals that ask the process to stop, heard from the moment this is made.
#[cfg(unix)]
struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    /// Listens. Within a runtime.
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

    /// Waits for the next one.
    async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let heard = self.0.iter_mut().any(|s| s.poll_recv(context).is_ready());
            if heard {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
}

/// Ctrl-C, which asks the process to stop.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self)
    }

    /// Waits for the next one.
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
