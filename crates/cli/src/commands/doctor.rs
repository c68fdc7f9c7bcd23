//! `ozbrain doctor`.

use super::connect::{self, client_table};
use super::connection::connection_table;
use super::serve::link;
use crate::home::Home;
use crate::output::{Failure, Output};
use ozbrain_core::ports::Identity;
use ozbrain_core::shapes::ConnectionRow;
use ozbrain_core::use_cases;
use ozbrain_core::views::clients::{ClientState, ClientView};
use ozbrain_core::{Code, Refusal};
use ozbrain_server::listen::{Running, running, usual_port};
use ozbrain_server::now;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write;
use std::fs;

/// What was looked at, and how it stands.
#[derive(Serialize)]
struct Report {
    ok: bool,
    checks: Vec<Check>,
    connections: Vec<ConnectionRow>,
    /// The clients that are on this computer.
    clients: Vec<ClientView>,
    /// Signs a browser in at the running server, once.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
}

#[derive(Serialize)]
struct Check {
    check: Cow<'static, str>,
    ok: bool,
    detail: String,
}

pub(crate) fn run(home: &Home, output: &Output) -> Result<(), Failure> {
    let report = look(home);
    output.reply(&report, text)?;
    if report.ok {
        return Ok(());
    }
    let bad: Vec<&str> = report
        .checks
        .iter()
        .filter(|check| !check.ok)
        .map(|check| &*check.check)
        .collect();
    output.aside(format_args!("Not in order: {}.", bad.join(", ")));
    Err(Failure::Told)
}

fn look(home: &Home) -> Report {
    let mut checks = vec![folder(home)];
    let mut connections = Vec::new();
    let mut clients = Vec::new();
    let mut store = None;
    // Looking must not make what is not there yet.
    if home.dir().is_dir() {
        checks.push(files(home));
        let opened = home.open();
        checks.push(check(
            "store opens",
            opened
                .as_ref()
                .map(|_| "yes".into())
                .map_err(Refusal::clone),
        ));
        if let Ok(opened) = opened {
            let health = use_cases::health(&*opened, now());
            checks.push(check(
                "store writes",
                health
                    .as_ref()
                    .map(|health| format!("yes, store {}", health.id))
                    .map_err(Refusal::clone),
            ));
            store = health.ok();
            checks.push(check(
                "store is whole",
                use_cases::check(&*opened).map(|()| "yes".into()),
            ));
            let rows = home.call(use_cases::connections);
            checks.push(check(
                "connections",
                rows.as_ref()
                    .map(|rows| rows.len().to_string())
                    .map_err(Refusal::clone),
            ));
            connections = rows.unwrap_or_default();
            match found_clients(home) {
                Ok(found) => clients = found,
                Err(refusal) => checks.push(check("clients", Err(refusal))),
            }
            checks.extend(clients.iter().filter_map(client));
        }
    }
    let (server, port) = server(store.as_ref());
    checks.push(server);
    // One that cannot be made is no more than one that is missing.
    let link = port.and_then(|port| link(&*home.open().ok()?, port).ok());
    Report {
        ok: checks.iter().all(|check| check.ok),
        checks,
        connections,
        clients,
        link,
    }
}

/// The clients that are on this computer.
fn found_clients(home: &Home) -> Result<Vec<ClientView>, Refusal> {
    let installed = connect::installed(home)?;
    let view = home.call(|call| use_cases::clients(call, &installed))?;
    let here = view.clients.into_iter();
    Ok(here.filter(|it| it.state != ClientState::Absent).collect())
}

/// How a client stands that was connected. What else stands in the files of
/// others is theirs.
fn client(client: &ClientView) -> Option<Check> {
    if client.connected_at.is_none() && client.connection.is_none() {
        return None;
    }
    let said = connect::state(client);
    let found = match client.state {
        ClientState::Found | ClientState::Absent | ClientState::Waiting | ClientState::Works => {
            Ok(said)
        }
        ClientState::Outdated | ClientState::Revoked | ClientState::Gone => {
            Err(Refusal::unavailable(said))
        }
        ClientState::Blocked => {
            let why = client
                .problem
                .as_ref()
                .map(|problem| problem.message.clone());
            Err(Refusal::unavailable(why.unwrap_or(said)))
        }
    };
    Some(check(format!("client {}", client.client), found))
}

fn check(name: impl Into<Cow<'static, str>>, found: Result<String, Refusal>) -> Check {
    Check {
        check: name.into(),
        ok: found.is_ok(),
        detail: found.unwrap_or_else(|refusal| format!("{}: {}", refusal.code, refusal.message)),
    }
}

fn folder(home: &Home) -> Check {
    let dir = home.dir();
    let shown = dir.display();
    let found = match fs::metadata(dir) {
        Ok(data) if !data.is_dir() => Err(Refusal::unavailable(format!(
            "{shown} is no folder. Move it away, or name another with --data-dir."
        ))),
        Ok(data) => match others(&data) {
            Some(mode) => Err(Refusal::new(
                Code::Unavailable,
                format!("{shown} can be read by others (mode {mode:o}): chmod 700 \"{shown}\""),
            )),
            None => Ok(shown.to_string()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(format!("{shown} (the first use makes it)"))
        }
        Err(error) => Err(Refusal::unavailable(format!(
            "{shown} cannot be read: {error}."
        ))),
    };
    check("data folder", found)
}

fn files(home: &Home) -> Check {
    let found = || -> std::io::Result<(Vec<String>, Vec<String>)> {
        let (mut all, mut open) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(home.dir())? {
            let entry = entry?;
            let data = entry.metadata()?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if data.is_file() {
                all.push(format!("{name} ({} KiB)", data.len().div_ceil(1024)));
            }
            if let Some(mode) = others(&data) {
                open.push(format!("{name} (mode {mode:o})"));
            }
        }
        all.sort();
        Ok((all, open))
    };
    let found = match found() {
        Ok((all, open)) if open.is_empty() => Ok(all.join(", ")),
        Ok((_, open)) => Err(Refusal::unavailable(format!(
            "Others can read {}: chmod 600 them.",
            open.join(", ")
        ))),
        Err(error) => Err(Refusal::unavailable(format!(
            "They cannot be read: {error}."
        ))),
    };
    check("files", found)
}

/// The mode, if it lets others in.
#[cfg(unix)]
fn others(data: &fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = data.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

#[cfg(not(unix))]
fn others(_: &fs::Metadata) -> Option<u32> {
    None
}

/// How the server stands, and its port if it runs.
fn server(store: Option<&Identity>) -> (Check, Option<u16>) {
    let Ok(port) = usual_port() else {
        let refusal = Refusal::invalid("OZBRAIN_PORT is no port.");
        return (check("server", Err(refusal)), None);
    };
    let mut runs = None;
    let found = match running(port, store) {
        Running::Ours(port, health) => {
            runs = Some(port);
            Ok(format!("OzBrain {} answers on port {port}", health.version))
        }
        Running::Not { stranger: false } => Ok(format!("not running; port {port} is free")),
        Running::Not { stranger: true } => Ok(format!(
            "not running; another program has port {port}, so the next free one would be taken"
        )),
    };
    (check("server", found), runs)
}

fn text(report: &Report) -> String {
    let width = report
        .checks
        .iter()
        .map(|check| check.check.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for check in &report.checks {
        let mark = if check.ok { "ok " } else { "BAD" };
        let _ = writeln!(text, "{mark}  {:width$}  {}", check.check, check.detail);
    }
    if !report.connections.is_empty() {
        let _ = write!(text, "\n{}", connection_table(&report.connections));
    }
    if !report.clients.is_empty() {
        let all: Vec<&ClientView> = report.clients.iter().collect();
        let _ = write!(text, "\n{}", client_table(&all));
    }
    if let Some(link) = &report.link {
        let _ = writeln!(
            text,
            "\nTo see it, open this link in your browser. It works once, for two minutes:\n\n  {link}"
        );
    }
    text
}
