//! `ozbrain`: the server, and every use case from a terminal.
//!
//! Exit codes: 0 done, 1 refused (the reason on stderr), 2 wrong usage.

mod args;
mod commands;
mod home;
mod output;

use args::{Args, Command};
use clap::Parser;
use home::Home;
use output::{Failure, Output};
use ozbrain_core::views::clients::{ConnectBy, HowToConnect};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    log();
    let output = Output::new(args.json);
    match run(args, &output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.failed(&failure),
    }
}

fn run(args: Args, output: &Output) -> Result<(), Failure> {
    let home = Home::new(args.data_dir)?;
    match args.command {
        Command::Mcp { connection } => commands::mcp::run(home, connection),
        Command::Serve { port } => commands::serve::run(home, port, output),
        Command::Connect {
            client,
            how,
            rules,
            grants,
            bundle,
        } => {
            let wish = HowToConnect {
                rules: rules.wanted(),
                grants: grants.wanted(),
                by: bundle.map(|bundle| match bundle {
                    true => ConnectBy::Bundle,
                    false => ConnectBy::File,
                }),
            };
            commands::connect::connect(&home, client.as_deref(), how, &wish, output)
        }
        Command::Disconnect { client, how } => {
            commands::connect::disconnect(&home, &client, how, output)
        }
        Command::Doctor => commands::doctor::run(&home, output),
        Command::Brain(command) => commands::brain::run(&home, command, output),
        Command::Connection(command) => commands::connection::run(&home, command, output),
        Command::Brains => commands::tools::brains(&home, output),
        Command::Topics(input) => commands::tools::topics(&home, input, output),
        Command::Search(input) => commands::tools::search(&home, input, output),
        Command::Fetch(input) => commands::tools::fetch(&home, input, output),
        Command::Brief(input) => commands::tools::brief(&home, input, output),
        Command::Write(input) => commands::tools::write(&home, input, output),
        Command::Confirm(input) => commands::tools::confirm(&home, input, output),
        Command::Resolve(input) => commands::tools::resolve(&home, input, output),
        Command::History(input) => commands::tools::history(&home, input, output),
        Command::Retire(input) => commands::tools::retire(&home, input, output),
        Command::Undo(input) => commands::undo::run(&home, &input, output),
    }
}

/// Logs to stderr what `OZBRAIN_LOG` asks for, warnings unless it says more.
/// Standard output belongs to replies. No log holds what a person stored: so
/// rmcp, which logs whole messages, tells errors alone, and a panic, whose
/// message may quote a text, is logged by its place.
fn log() {
    let mut filter = tracing_subscriber::EnvFilter::try_from_env("OZBRAIN_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    if let Ok(quiet) = "rmcp=error".parse() {
        filter = filter.add_directive(quiet);
    }
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "OzBrain stumbled: this is a fault of its own");
    }));
}
