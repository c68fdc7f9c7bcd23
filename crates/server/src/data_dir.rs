//! Where the memory lies: one rule for the command line and the desktop.

use std::path::{Path, PathBuf};

/// The data folder.
#[derive(Debug, Clone)]
pub struct DataDir {
    path: PathBuf,
    usual: bool,
}

impl DataDir {
    /// The given folder, else the one that `OZBRAIN_DATA_DIR` names, else the
    /// platform's; `None` where the system has none.
    pub fn find(given: Option<PathBuf>) -> Option<Self> {
        let usual = dirs::data_dir().map(|dir| dir.join("ozbrain"));
        let named = || std::env::var_os("OZBRAIN_DATA_DIR").map(PathBuf::from);
        let given = given
            .or_else(named)
            .filter(|dir| !dir.as_os_str().is_empty());
        let path = given.or_else(|| usual.clone())?;
        Some(Self {
            usual: usual.is_some_and(|usual| usual == path),
            path,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is the platform's: then nobody needs to name it.
    pub fn is_usual(&self) -> bool {
        self.usual
    }
}
