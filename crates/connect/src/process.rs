//! Clients that run, told from the paths of the programs that do.

use crate::description::On;
use crate::environment::Platform;

/// A program of a client's own, as it is told from all that run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Program {
    /// Where it is called so.
    on: On,
    /// The name of its file, on Windows without `.exe`. Empty: any.
    name: &'static str,
    /// Pieces of its path, with `/` between names, one of which is in it. Empty:
    /// it lies anywhere.
    within: &'static [&'static str],
    /// Pieces of which none is: another client has a program of this name there.
    outside: &'static [&'static str],
}

impl Program {
    /// A program that is told by its name.
    pub(crate) const fn named(on: On, name: &'static str) -> Self {
        Self {
            on,
            name,
            within: &[],
            outside: &[],
        }
    }

    /// A program that is told by where it lies, whatever its name.
    pub(crate) const fn within(on: On, pieces: &'static [&'static str]) -> Self {
        Self {
            within: pieces,
            ..Self::named(on, "")
        }
    }

    /// With this name.
    pub(crate) const fn called(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// But not there.
    pub(crate) const fn outside(self, pieces: &'static [&'static str]) -> Self {
        Self {
            outside: pieces,
            ..self
        }
    }

    /// Whether a program that runs is this one: by its path, or where the
    /// system does not tell that, by its name.
    pub(crate) fn is(&self, running: &str, platform: Platform) -> bool {
        // Windows tells no case apart in paths, and the others do.
        let path = match platform {
            Platform::Windows => running.replace('\\', "/").to_lowercase(),
            Platform::Linux | Platform::MacOs => running.to_owned(),
        };
        let has = |piece: &&str| match platform {
            Platform::Windows => path.contains(&piece.to_lowercase()),
            Platform::Linux | Platform::MacOs => path.contains(piece),
        };
        let name = path.rsplit('/').next().unwrap_or(&path);
        let name = match platform {
            Platform::Windows => name.strip_suffix(".exe").unwrap_or(name),
            Platform::Linux | Platform::MacOs => name,
        };
        self.on.is(platform)
            && (self.name.is_empty() || self.name == name)
            && (self.within.is_empty() || self.within.iter().any(has))
            && !self.outside.iter().any(has)
    }
}
