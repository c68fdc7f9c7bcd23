//! The server inside the application: agents reach the memory over HTTP for as
//! long as it runs. Where `ozbrain serve` of the same store is there already,
//! that one serves; when it ends, this one takes its place.

use crate::{log, words};
use ozbrain_core::use_cases;
use ozbrain_server::listen::{Listening, Wanted, answers, ended, listen, usual_port};
use ozbrain_server::{App, http, now};
use std::sync::{Arc, Once};
use std::time::Duration;
use tokio::sync::watch;

/// How long to wait after a failure: first, and at most.
const FIRST: Duration = Duration::from_secs(1);
const LAST: Duration = Duration::from_secs(60);

/// How long another server that ends may take to do so, and the shortest time
/// between two looks at one that does not.
const GLANCE: Duration = Duration::from_millis(200);

/// Says once how agents are served, to whoever started the program in a
/// terminal.
fn tell(line: impl FnOnce() -> String) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| log::say(&line()));
}

/// Serves until `quit` is true and the calls that run then are done.
pub(crate) async fn run(app: Arc<App>, mut quit: watch::Receiver<bool>) {
    let mut pause = FIRST;
    let mut said = None;
    app.serves(None);
    while !*quit.borrow() {
        match serve(&app, quit.clone()).await {
            Ok(()) => {
                pause = FIRST;
                said = None;
            }
            Err(reason) => {
                if said.as_ref() != Some(&reason) {
                    tracing::warn!("agents are not served over HTTP: {reason}");
                    said = Some(reason.clone());
                }
                app.cannot_serve(&reason);
                tell(|| words::not_serving(&reason));
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    _ = quit.wait_for(|quit| *quit) => {}
                }
                pause = (pause * 2).min(LAST);
            }
        }
    }
    app.serves(None);
}

/// Serves once, or waits while another serves this store.
async fn serve(app: &Arc<App>, mut quit: watch::Receiver<bool>) -> Result<(), String> {
    let port = usual_port().map_err(|refusal| refusal.message)?;
    let memory = Arc::clone(app);
    let health = tokio::task::spawn_blocking(move || use_cases::health(&*memory.store()?, now()));
    let store = match health.await {
        Ok(Ok(identity)) => identity,
        Ok(Err(refusal)) => return Err(refusal.message),
        Err(_) => return Err("OzBrain stumbled.".into()),
    };
    match listen(Wanted::From(port), &store)
        .await
        .map_err(|refusal| refusal.message)?
    {
        Listening::Here(listener) => {
            let port = listener
                .local_addr()
                .map_err(|error| error.to_string())?
                .port();
            tracing::info!(port, "serving");
            tell(|| words::serving(port, false));
            let stop = async move {
                // The sender is the application's own: it ends with it.
                let _ = quit.wait_for(|quit| *quit).await;
            };
            let served = http::serve(Arc::clone(app), listener, stop).await;
            served.map_err(|error| error.to_string())
        }
        Listening::Already(port) => {
            if *app.served().borrow() != Some(port) {
                tracing::info!(port, "another process serves this store");
            }
            tell(|| words::serving(port, true));
            app.serves(Some(port));
            let gone = async {
                // It closes a connection that is silent, and goes on.
                loop {
                    ended(port).await;
                    tokio::time::sleep(GLANCE).await;
                    if !answers(port, &store).await {
                        return;
                    }
                }
            };
            tokio::select! {
                () = gone => {}
                _ = quit.wait_for(|quit| *quit) => {}
            }
            Ok(())
        }
    }
}
