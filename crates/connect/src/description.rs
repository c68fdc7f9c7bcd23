//! What is known of a client: a new one is one file in `clients/` that fills
//! in a [`Description`], and a line in its list.

use crate::computer::Computer;
use crate::environment::{Environment, Platform};
use crate::process::Program;
use crate::text::Format;
use ozbrain_core::views::clients::AfterChange;
use std::path::{Path, PathBuf};

/// A client.
pub(crate) struct Description {
    /// Its short name.
    pub(crate) id: &'static str,
    /// Its name for people.
    pub(crate) name: &'static str,
    /// Where it may keep its servers. Which of them it reads is told by
    /// [`Description::file`].
    pub(crate) places: &'static [Place],
    /// What shows that it is installed, beside the folders of its places.
    pub(crate) signs: &'static [Sign],
    /// How its file is written.
    pub(crate) format: Format,
    /// The map in the file that holds a pair for each server.
    pub(crate) container: &'static str,
    /// What a server's entry looks like.
    pub(crate) shape: Shape,
    /// What becomes of a byte-order mark.
    pub(crate) mark: ByteOrderMark,
    /// What has to be done after a change.
    pub(crate) after: AfterChange,
    /// What it means that it runs while its file is changed.
    pub(crate) running: Running,
    /// The link by which it installs a server itself.
    pub(crate) link: Option<Link>,
    /// The bundle by which it installs a server itself, in a place of its own.
    pub(crate) bundle: Option<Bundle>,
    /// Where it reads what its agents shall do.
    pub(crate) rules: Option<Rules>,
}

/// A file that holds a server with what it says of itself: opened, the client
/// asks the person and keeps it, in the format `.mcpb`.
#[derive(Clone, Copy)]
pub(crate) struct Bundle {
    /// Where the client opens such files.
    pub(crate) on: &'static [On],
    /// What it is called.
    pub(crate) file: &'static str,
    /// The manifests of those it keeps unpacked: as [`Description::places`],
    /// all of them.
    pub(crate) unpacked: &'static [Place],
    /// Where the person finds them in the client.
    pub(crate) settings: &'static str,
}

/// The files of a person's own in which a client reads what its agents shall do
/// everywhere.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// Where it may be: as [`Description::places`].
    pub(crate) places: &'static [Place],
    /// Whether the client reads the first of them alone that is not empty. The
    /// last is the usual one.
    pub(crate) first_filled: bool,
    /// A file that it reads where there is no rules file: while that is there,
    /// none is made.
    pub(crate) instead_of: Option<&'static Place>,
    /// What a new file begins with.
    pub(crate) front: Option<&'static str>,
}

impl Rules {
    pub(crate) const fn at(places: &'static [Place]) -> Self {
        Self {
            places,
            first_filled: false,
            instead_of: None,
            front: None,
        }
    }

    /// The file that the client reads; with [`Rules::first_filled`] all it may
    /// read of one base, in their order.
    pub(crate) fn files(
        &self,
        environment: &Environment,
        computer: &dyn Computer,
    ) -> Vec<ConfigFile> {
        let all = places_here(self.places, environment, computer);
        if self.first_filled {
            let base = all.first().map(|(_, base, _)| base.clone());
            let of_base = all
                .into_iter()
                .filter(|(_, it, _)| Some(it) == base.as_ref());
            return of_base
                .flat_map(|(place, _, paths)| paths.into_iter().map(|path| place.config_file(path)))
                .collect();
        }
        file_of(all, computer).into_iter().collect()
    }
}

/// A place where a client may keep its servers.
pub(crate) struct Place {
    /// Where it applies.
    pub(crate) on: On,
    /// What the path begins at.
    pub(crate) base: Base,
    /// The path, with `/` between names. One name may end with `*`.
    pub(crate) path: &'static str,
    /// A folder beneath the base that shows this to be the place, whatever
    /// files lie elsewhere. It may end with `*`.
    pub(crate) claims: Option<&'static str>,
    /// The sandbox in which the client of this place runs.
    pub(crate) sandbox: Sandbox,
    /// What links to the client of this place begin with, where it is another
    /// edition than the usual one.
    pub(crate) scheme: Option<&'static str>,
}

impl Place {
    pub(crate) const fn new(on: On, base: Base, path: &'static str) -> Self {
        Self {
            on,
            base,
            path,
            claims: None,
            sandbox: Sandbox::None,
            scheme: None,
        }
    }

    fn config_file(&self, path: PathBuf) -> ConfigFile {
        ConfigFile {
            path,
            sandbox: self.sandbox,
            scheme: self.scheme,
        }
    }

    /// Its one path, if it applies here.
    pub(crate) fn file_at(&self, environment: &Environment) -> Option<PathBuf> {
        if !self.on.is(environment.platform) {
            return None;
        }
        let base = self.base.folder(environment)?;
        Some(
            self.path
                .split('/')
                .fold(base, |path, name| path.join(name)),
        )
    }

    pub(crate) const fn claimed_by(self, folder: &'static str) -> Self {
        Self {
            claims: Some(folder),
            ..self
        }
    }

    pub(crate) const fn linked_by(self, scheme: &'static str) -> Self {
        Self {
            scheme: Some(scheme),
            ..self
        }
    }

    pub(crate) const fn in_flatpak(self) -> Self {
        Self {
            sandbox: Sandbox::Flatpak,
            ..self
        }
    }
}

/// Where something applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    Every,
    Linux,
    MacOs,
    Windows,
    /// On Linux and macOS.
    Unix,
}

impl On {
    pub(crate) fn is(self, platform: Platform) -> bool {
        match self {
            Self::Every => true,
            Self::Linux => platform == Platform::Linux,
            Self::MacOs => platform == Platform::MacOs,
            Self::Windows => platform == Platform::Windows,
            Self::Unix => platform != Platform::Windows,
        }
    }
}

/// What a path begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// The home folder.
    Home,
    /// [`Environment::app_config`].
    App,
    /// [`Environment::xdg_config`].
    Xdg,
    /// [`Environment::local_app_data`].
    LocalAppData,
    /// [`Environment::root`].
    Root,
    /// The folder that a variable names, if it is set.
    Variable(&'static str),
}

impl Base {
    pub(crate) fn folder(self, environment: &Environment) -> Option<PathBuf> {
        match self {
            Self::Home => Some(environment.home.clone()),
            Self::App => Some(environment.app_config.clone()),
            Self::Xdg => Some(environment.xdg_config.clone()),
            Self::LocalAppData => Some(environment.local_app_data.clone()),
            Self::Root => Some(environment.root.clone()),
            Self::Variable(name) => {
                let value = environment.variable(name)?;
                // As a shell would have read it in a file that sets it.
                let folder = match value.strip_prefix("~/") {
                    Some(rest) => environment.home.join(rest),
                    None => PathBuf::from(value),
                };
                folder.is_absolute().then_some(folder)
            }
        }
    }
}

/// The sandbox that a client runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sandbox {
    None,
    /// Flatpak: a command runs on the computer itself by `flatpak-spawn`.
    Flatpak,
}

/// What shows that a client is installed.
pub(crate) enum Sign {
    /// A file or folder, by a path as in [`Place::path`].
    Path(On, Base, &'static str),
    /// A command on the search path.
    Command(&'static str),
}

/// What an entry looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `command` and `args`.
    Plain,
    /// The same, with `type: "stdio"`.
    Typed,
    /// `type: "local"` and `command` with its arguments in one list.
    Local,
    /// Goose's extensions.
    Extension,
}

/// What becomes of a byte-order mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteOrderMark {
    /// The client reads it: it stays.
    Stays,
    /// The client fails at it, or may: the file is written without.
    Goes,
}

/// What it means that a client runs while its file is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Running {
    /// Nothing.
    Fine,
    /// It may write its file anew from what it holds, and drop our entry: it
    /// has to be quit first. By its programs.
    QuitFirst(&'static [Program]),
    /// It writes its file often, under a lock beside it, which we take too.
    /// While one of its programs runs, its own command of this name is used, if
    /// it can be found.
    OwnCommand(&'static str, &'static [Program]),
}

/// A link by which a client installs a server itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    Cursor,
    VsCode,
    LmStudio,
    Goose,
}

/// A file that a client may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    pub(crate) sandbox: Sandbox,
    /// [`Place::scheme`].
    pub(crate) scheme: Option<&'static str>,
}

/// Several files are equally likely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Several(pub(crate) Vec<PathBuf>);

impl Description {
    /// The file that the client reads: of the places of this platform, in
    /// their order, the first that is claimed or has a file; else the first
    /// whose folder is there; else the first.
    pub(crate) fn file(
        &self,
        environment: &Environment,
        computer: &dyn Computer,
    ) -> Result<ConfigFile, Several> {
        file_of(places_here(self.places, environment, computer), computer)
    }

    /// All files that it may read, in the order of its places.
    pub(crate) fn files(
        &self,
        environment: &Environment,
        computer: &dyn Computer,
    ) -> Vec<ConfigFile> {
        let places = places_here(self.places, environment, computer);
        places
            .into_iter()
            .flat_map(|(place, _, paths)| paths.into_iter().map(|path| place.config_file(path)))
            .collect()
    }

    /// Whether it is on this computer.
    pub(crate) fn is_installed(&self, environment: &Environment, computer: &dyn Computer) -> bool {
        let by_file = self
            .files(environment, computer)
            .iter()
            .any(|file| computer.is_there(&file.path));
        by_file
            || self.signs.iter().any(|sign| match sign {
                Sign::Path(on, base, path) => {
                    let folder = on
                        .is(environment.platform)
                        .then(|| base.folder(environment));
                    let found = folder.flatten().map(|base| expand(&base, path, computer));
                    found.is_some_and(|all| all.iter().any(|it| computer.is_there(it)))
                }
                Sign::Command(name) => command(name, environment, computer).is_some(),
            })
    }
}

/// A place that applies here, its base, and the paths it means.
pub(crate) type Here = (&'static Place, PathBuf, Vec<PathBuf>);

/// The file that is read, of these places: see [`Description::file`].
fn file_of(places: Vec<Here>, computer: &dyn Computer) -> Result<ConfigFile, Several> {
    let mut first = None;
    let mut with_folder = None;
    for (place, base, paths) in places {
        // A variable that is set claims by itself.
        let claimed = place.claims.is_some_and(|folder| {
            let mut found = expand(&base, folder, computer).into_iter();
            folder.is_empty() || found.any(|it| computer.is_there(&it))
        });
        let there: Vec<&PathBuf> = paths.iter().filter(|it| computer.is_there(it)).collect();
        let file = |path: &PathBuf| place.config_file(path.clone());
        match (there.as_slice(), paths.as_slice()) {
            ([one], _) => return Ok(file(one)),
            ([], [one]) if claimed => return Ok(file(one)),
            ([_, _, ..], _) => return Err(Several(there.into_iter().cloned().collect())),
            ([], [_, _, ..]) if claimed => return Err(Several(paths)),
            _ => {}
        }
        if let Some(one) = paths.first() {
            let folder = one.parent().is_some_and(|folder| computer.is_there(folder));
            if folder && with_folder.is_none() {
                with_folder = Some(file(one));
            }
            first.get_or_insert_with(|| file(one));
        }
    }
    with_folder.or(first).ok_or_else(|| Several(Vec::new()))
}

pub(crate) fn places_here(
    places: &'static [Place],
    environment: &Environment,
    computer: &dyn Computer,
) -> Vec<Here> {
    places
        .iter()
        .filter(|place| place.on.is(environment.platform))
        .filter_map(|place| {
            let base = place.base.folder(environment)?;
            let paths = expand(&base, place.path, computer);
            Some((place, base, paths))
        })
        .collect()
}

/// The paths that a description's path means: one, or with a `*` those that
/// are there, in alphabetical order.
fn expand(base: &Path, path: &str, computer: &dyn Computer) -> Vec<PathBuf> {
    let mut paths = vec![base.to_owned()];
    for name in path.split('/').filter(|name| !name.is_empty()) {
        match name.strip_suffix('*') {
            None => paths = paths.iter().map(|path| path.join(name)).collect(),
            Some(prefix) => {
                paths = paths
                    .iter()
                    .flat_map(|folder| {
                        let mut found = computer.names_in(folder);
                        found.retain(|name| name.starts_with(prefix));
                        found.sort();
                        found.into_iter().map(|name| folder.join(name))
                    })
                    .collect();
            }
        }
    }
    paths
}

/// A command on the search path.
pub(crate) fn command(
    name: &str,
    environment: &Environment,
    computer: &dyn Computer,
) -> Option<PathBuf> {
    let names: Vec<String> = if environment.platform == Platform::Windows {
        ["exe", "cmd"].map(|end| format!("{name}.{end}")).to_vec()
    } else {
        vec![name.to_owned()]
    };
    let folders = environment.command_folders();
    let all = folders
        .iter()
        .flat_map(|folder| names.iter().map(|name| folder.join(name)));
    all.into_iter().find(|path| computer.is_program(path))
}
