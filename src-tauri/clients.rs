//! The clients on this computer, which the screens connect.

use ozbrain_connect::{DataFolder, InstalledClients};
use ozbrain_core::ports::Clients;
use ozbrain_core::{Refusal, Result};
use ozbrain_server::DataDir;
use std::env::consts::EXE_SUFFIX;
use std::sync::Arc;

/// The clients on this computer. What they are told to start is the `ozbrain`
/// command, which lies beside this program wherever it is installed or built.
///
/// # Errors
/// `unavailable` where there is no such command, or none that stays.
pub(crate) fn of_this_computer(home: &DataDir) -> Result<Arc<dyn Clients>> {
    let unknown = |error: std::io::Error| {
        Refusal::unavailable(format!("This program cannot find itself: {error}."))
    };
    let here = std::env::current_exe().map_err(unknown)?;
    let command = here.with_file_name(format!("ozbrain{EXE_SUFFIX}"));
    if !command.is_file() {
        return Err(Refusal::unavailable(format!(
            "Clients start the `ozbrain` command, and {} is not there. Install OzBrain anew.",
            command.display()
        )));
    }
    let data = DataFolder {
        path: std::path::absolute(home.path()).map_err(unknown)?,
        usual: home.is_usual(),
    };
    Ok(Arc::new(InstalledClients::of_this_computer(
        &command, data,
    )?))
}
