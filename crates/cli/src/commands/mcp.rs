//! `ozbrain mcp`.

use crate::home::Home;
use crate::output::Failure;
use ozbrain_core::words::ConnectionName;
use ozbrain_server::serve_stdio;
use std::time::Duration;

/// How long an ending process waits for what still runs.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// Serves one agent over standard input and output until it closes them.
pub(crate) fn run(home: Home, connection: Option<String>) -> Result<(), Failure> {
    let connection = connection
        .map(|name| ConnectionName::parse(&name))
        .transpose()
        .map_err(|refusal| Failure::Usage(format!("--connection: {}", refusal.message)))?;
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
    let served = runtime.block_on(serve_stdio(app.clone(), connection));
    // A pending read of standard input would hold up the end of the runtime.
    runtime.shutdown_timeout(LAST_CALLS);
    app.close();
    Ok(served?)
}
