//! The desktop shell: the memory's server, its screens in a window, and the
//! tray. Thin around `ozbrain-server`: no rule of the product stands here.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod args;
mod commands;
mod dialog;
mod door;
mod drafts;
mod host;
mod links;
mod log;
mod notifications;
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
