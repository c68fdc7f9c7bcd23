//! The command that clients start: an `ozbrain` that stays where it is.

use crate::computer::Computer;
use crate::environment::{Environment, Platform};
use ozbrain_core::{Refusal, Result};
use std::path::{Path, PathBuf};

/// The path under which clients can start a program for good. A link on the
/// search path that leads to it is kept as it is: package managers move what
/// is behind it. Inside an AppImage it is the image.
///
/// # Errors
/// `unavailable` where the program lies in something that goes away.
pub fn lasting_command(
    program: &Path,
    environment: &Environment,
    computer: &dyn Computer,
) -> Result<PathBuf> {
    let program = undeleted(program, computer);
    if let Some(image) = environment.variable("APPIMAGE").map(PathBuf::from) {
        let mounted = environment
            .variable("APPDIR")
            .is_some_and(|it| program.starts_with(it));
        if (mounted || passes(&program, environment)) && image.is_absolute() {
            return lasting(image, environment);
        }
    }
    if let Ok(real) = computer.canonical(&program) {
        let name = program.file_name().unwrap_or_default();
        let folders = environment.command_folders();
        let linked = folders
            .iter()
            .map(|folder| folder.join(name))
            .filter(|path| !passes(path, environment))
            .find(|path| computer.canonical(path).is_ok_and(|it| it == real));
        if let Some(linked) = linked {
            return Ok(linked);
        }
    }
    let absolute = std::path::absolute(&program).unwrap_or(program);
    lasting(absolute, environment)
}

fn lasting(program: PathBuf, environment: &Environment) -> Result<PathBuf> {
    if environment.variable("FLATPAK_ID").is_some() {
        return Err(Refusal::unavailable(
            "OzBrain runs in a sandbox whose command other programs cannot start. Install the \
             `ozbrain` command itself.",
        ));
    }
    if passes(&program, environment) {
        return Err(Refusal::unavailable(format!(
            "OzBrain runs from {}, which goes away when it is closed. Move it to where it shall \
             stay, and start it from there.",
            program.display()
        )));
    }
    Ok(program)
}

/// Whether a path lies in something that is there for a while only: a mounted
/// image, or the folder from which macOS runs what was not installed.
fn passes(program: &Path, environment: &Environment) -> bool {
    let named = |is: &dyn Fn(&str) -> bool| {
        program
            .components()
            .any(|part| part.as_os_str().to_str().is_some_and(is))
    };
    named(&|name| name.starts_with(".mount_"))
        || (environment.platform == Platform::MacOs
            && (named(&|name| name == "AppTranslocation")
                || program.starts_with(environment.root.join("Volumes"))))
}

/// Linux names a running program that was replaced by an update `… (deleted)`:
/// what replaced it is what is meant.
fn undeleted(program: &Path, computer: &dyn Computer) -> PathBuf {
    let replaced = program
        .to_str()
        .and_then(|path| path.strip_suffix(" (deleted)"))
        .map(PathBuf::from);
    match replaced {
        Some(path) if !computer.is_there(program) => path,
        _ => program.to_owned(),
    }
}
