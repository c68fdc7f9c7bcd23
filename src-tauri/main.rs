//! The desktop shell: the memory's server, its screens in a window, and the
//! tray. Thin around `ozbrain-server`: no rule of the product stands here.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod args;
mod clients;
mod commands;
mod dialog;
mod door;
mod drafts;
mod host;
mod links;
mod log;
mod login;
mod notifications;
mod parts;
mod quit;
mod shell;
mod tray;
mod window;
mod words;

use args::Args;
use ozbrain_server::DataDir;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse(std::env::args().skip(1));
    #[cfg(target_os = "linux")]
    if !has_display() {
        log::aside(words::NO_DISPLAY);
        return ExitCode::FAILURE;
    }
    let Some(home) = DataDir::find(None) else {
        dialog::cannot_start(words::NO_FOLDER);
        return ExitCode::FAILURE;
    };
    if let Err(error) = log::start(&home.path().join("logs"), dialog::stumbled) {
        dialog::cannot_start(&format!("{}: {error}", home.path().display()));
        return ExitCode::FAILURE;
    }
    match shell::run(args, home) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("the application cannot run: {error}");
            dialog::cannot_start(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Whether there is a window system; without one nothing can even be told.
#[cfg(target_os = "linux")]
fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"]
        .into_iter()
        .any(|name| std::env::var_os(name).is_some_and(|display| !display.is_empty()))
}
