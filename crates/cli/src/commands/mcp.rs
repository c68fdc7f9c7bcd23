//! `ozbrain mcp`.

use super::{Signals, end};
use crate::home::Home;
use crate::output::Failure;
use ozbrain_core::words::ConnectionName;
use ozbrain_server::serve_stdio;

/// Serves one agent over standard input and output until it closes them.
pub(crate) fn run(home: Home, connection: Option<String>) -> Result<(), Failure> {
    let connection = connection
        .map(|name| ConnectionName::parse(&name))
        .transpose()
        .map_err(|refusal| Failure::Usage(format!("--connection: {}", refusal.message)))?;
    if let Some(name) = connection.as_ref().filter(|name| name.is_reserved()) {
        return Err(Failure::Usage(format!(
            "--connection: `{name}` is no client's name: it is kept for the person and the \
             command line. Give the client another."
        )));
    }
    // One client needs one thread: it answers reads at once, and hands writes
    // to another.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let app = home.app();
    if let Err(refusal) = app.store() {
        // For the client's log; agents get it with each call.
        tracing::error!(code = %refusal.code, "the store cannot be opened: {refusal}");
    }
    let served = runtime.block_on(async {
        let mut signals = Signals::listen()?;
        tokio::select! {
            served = serve_stdio(app.clone(), connection) => served,
            // Clients that close their server also send it a signal.
            () = signals.next() => Ok(()),
        }
    });
    end(runtime, &app);
    Ok(served?)
}
