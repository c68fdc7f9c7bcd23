//! The commands.

pub(crate) mod brain;
pub(crate) mod connection;
pub(crate) mod doctor;
pub(crate) mod mcp;
pub(crate) mod serve;
pub(crate) mod tools;

use ozbrain_server::App;
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

/// Waits for a signal that asks the process to stop.
#[cfg(unix)]
pub(crate) async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
        signal(SignalKind::hangup()),
    ) else {
        // Without signals the process still ends when it is killed.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

/// Waits for a signal that asks the process to stop.
#[cfg(not(unix))]
pub(crate) async fn asked_to_stop() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
