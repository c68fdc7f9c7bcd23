//! What a client's description is resolved against: the platform, the folders
//! and the variables of one person on one computer. Nothing reads the process
//! beside [`Environment::of_this_computer`], so that every platform's paths
//! can be told anywhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The systems that clients describe their places for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Platform {
    /// Linux and its like.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Platform {
    /// Where this program runs.
    pub const fn here() -> Self {
        if cfg!(target_os = "windows") {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }
}

/// One person's folders and variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// The system.
    pub platform: Platform,
    /// The person's home folder.
    pub home: PathBuf,
    /// Where applications keep their settings: `~/.config`,
    /// `~/Library/Application Support` or `%APPDATA%`.
    pub app_config: PathBuf,
    /// Where command line programs keep theirs on every system:
    /// `$XDG_CONFIG_HOME` or `~/.config`.
    pub xdg_config: PathBuf,
    /// `%LOCALAPPDATA%` on Windows; elsewhere not used.
    pub local_app_data: PathBuf,
    /// Where absolute places begin: `/`, or a test's own folder.
    pub root: PathBuf,
    /// Environment variables.
    pub variables: BTreeMap<String, String>,
}

impl Environment {
    /// That of this process. `None`: this person has no home folder.
    pub fn of_this_computer() -> Option<Self> {
        // Variables that are no Unicode name no folder that a client documents.
        let variables = std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let home = dirs::home_dir()?;
        Some(Self {
            platform: Platform::here(),
            app_config: dirs::config_dir()?,
            local_app_data: dirs::data_local_dir()?,
            ..Self::at(Platform::here(), &home, variables)
        })
    }

    /// The usual folders of a home on a platform, with these variables.
    pub fn at(platform: Platform, home: &Path, variables: BTreeMap<String, String>) -> Self {
        let absolute = |name: &str| {
            let path = PathBuf::from(variables.get(name)?);
            path.is_absolute().then_some(path)
        };
        let xdg_config = absolute("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let app_config = match platform {
            Platform::Linux => xdg_config.clone(),
            Platform::MacOs => home.join("Library").join("Application Support"),
            Platform::Windows => {
                absolute("APPDATA").unwrap_or_else(|| home.join("AppData").join("Roaming"))
            }
        };
        let local_app_data =
            absolute("LOCALAPPDATA").unwrap_or_else(|| home.join("AppData").join("Local"));
        Self {
            platform,
            home: home.to_owned(),
            app_config,
            xdg_config,
            local_app_data,
            root: PathBuf::from("/"),
            variables,
        }
    }

    /// A variable that is set to something.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// The folders that commands are looked for in: those of the search path, and
    /// where installers put what a shell finds. An application that the desktop
    /// started has not the search path of a shell.
    pub(crate) fn command_folders(&self) -> Vec<PathBuf> {
        let path = self.variable("PATH").unwrap_or_default();
        let mut folders: Vec<PathBuf> = std::env::split_paths(path)
            .filter(|folder| folder.is_absolute())
            .collect();
        let (home, root) = (&self.home, &self.root);
        let mut usual = vec![home.join(".local").join("bin")];
        match self.platform {
            Platform::Windows => usual.push(self.app_config.join("npm")),
            Platform::Linux | Platform::MacOs => {
                usual.push(home.join(".npm-global").join("bin"));
                if self.platform == Platform::MacOs {
                    usual.push(root.join("opt").join("homebrew").join("bin"));
                }
                usual.push(root.join("usr").join("local").join("bin"));
            }
        }
        usual.push(home.join(".bun").join("bin"));
        usual.retain(|folder| !folders.contains(folder));
        folders.extend(usual);
        folders
    }
}
