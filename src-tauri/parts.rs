//! The parts that run for as long as the application does. One that panics is
//! started anew: a fault in one place costs no more than a moment of it.

use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long to wait before a part is started anew: first, and at most.
const FIRST: Duration = Duration::from_millis(500);
const LAST: Duration = Duration::from_secs(60);

/// A part of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Serves agents over HTTP.
    Host,
    /// Makes the window and brings it forward.
    Window,
    /// Shows what waits.
    Tray,
    /// Tells what cannot wait.
    Notifications,
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Window => "window",
            Self::Tray => "tray",
            Self::Notifications => "notifications",
        }
    }
}

/// Runs a part until it ends by itself; where it panics, which is logged and
/// told already, starts it anew after a pause, unless the application is to end.
pub(crate) async fn keep<F: Future<Output = ()> + Send>(
    part: Part,
    mut quit: watch::Receiver<bool>,
    mut run: impl FnMut() -> F + Send,
) {
    let mut pause = FIRST;
    loop {
        let began = Instant::now();
        let running = async { stumbling(part, run()).await };
        if AssertUnwindSafe(running).catch_unwind().await.is_ok() {
            return;
        }
        // One that worked for long is not failing again and again.
        if began.elapsed() > LAST {
            pause = FIRST;
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = quit.wait_for(|quit| *quit) => return,
        }
        pause = (pause * 2).min(LAST);
        tracing::info!(part = part.name(), "a part starts anew");
    }
}

/// Runs a part as it is.
#[cfg(not(all(debug_assertions, unix)))]
async fn stumbling(_: Part, running: impl Future<Output = ()>) {
    running.await;
}

/// Runs a part. In a program that is built for tests, it panics at the signal
/// USR1 where `OZBRAIN_STUMBLES` names it, as in `host,tray`.
#[cfg(all(debug_assertions, unix))]
async fn stumbling(part: Part, running: impl Future<Output = ()>) {
    use tokio::signal::unix::{SignalKind, signal};
    let named = std::env::var("OZBRAIN_STUMBLES")
        .is_ok_and(|names| names.split(',').any(|name| name == part.name()));
    let heard = named.then(|| signal(SignalKind::user_defined1()));
    let Some(Ok(mut heard)) = heard else {
        return running.await;
    };
    tokio::select! {
        () = running => {}
        _ = heard.recv() => {
            #[expect(clippy::panic, reason = "it is what was asked for")]
            {
                panic!("{part:?} stumbles, as a test asked");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test]
    async fn a_part_that_panics_starts_anew_and_one_that_ends_is_over() {
        let starts = Arc::new(AtomicU32::new(0));
        let (_quit, begun) = watch::channel(false);
        let count = Arc::clone(&starts);
        keep(Part::Tray, begun, move || {
            let start = count.fetch_add(1, Ordering::SeqCst);
            async move { assert!(start > 0, "the first start fails") }
        })
        .await;
        assert_eq!(starts.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn nothing_starts_anew_in_an_application_that_ends() {
        let starts = Arc::new(AtomicU32::new(0));
        let (_quit, begun) = watch::channel(true);
        let count = Arc::clone(&starts);
        keep(Part::Host, begun, move || {
            count.fetch_add(1, Ordering::SeqCst);
            async { panic!("while it quits") }
        })
        .await;
        assert_eq!(starts.load(Ordering::SeqCst), 1);
    }
}
