//! `ozbrain connect` and `ozbrain disconnect`.

use crate::args::HowArgs;
use crate::home::Home;
use crate::output::{Failure, Output, table};
use ozbrain_connect::{DataFolder, InstalledClients};
use ozbrain_core::Refusal;
use ozbrain_core::ports::Clients;
use ozbrain_core::use_cases;
use ozbrain_core::views::clients::{
    AfterChange, ClientAct, ClientPlan, ClientProblemCode, ClientState, ClientView, ClientWay,
    ClientsView, ConnectBy, DiffKind, DiffLine, FileEffect, HowToConnect, RulesPlan,
};
use ozbrain_core::words::{BrainName, Grant};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// The clients of this computer, for this data folder and this program.
pub(crate) fn installed(home: &Home) -> Result<InstalledClients, Refusal> {
    let program = std::env::current_exe().map_err(|error| {
        Refusal::unavailable(format!("This program cannot find itself: {error}."))
    })?;
    let data = DataFolder {
        path: absolute(home)?,
        usual: home.is_usual(),
    };
    InstalledClients::of_this_computer(&program, data)
}

/// The data folder as any program finds it.
fn absolute(home: &Home) -> Result<PathBuf, Refusal> {
    std::path::absolute(home.dir()).map_err(|error| {
        Refusal::unavailable(format!(
            "The data folder {} cannot be told from anywhere: {error}. Name it whole with \
             --data-dir.",
            home.dir().display()
        ))
    })
}

/// Lists the clients, or connects one.
pub(crate) fn connect(
    home: &Home,
    client: Option<&str>,
    how: HowArgs,
    wish: &HowToConnect,
    output: &Output,
) -> Result<(), Failure> {
    let clients = installed(home)?.even_while_running(how.while_running);
    match client {
        None => {
            let view = home.call(|call| use_cases::clients(call, &clients))?;
            output.reply(&view, listed)
        }
        Some(client) => {
            let wish = (ClientAct::Connect, wish);
            act(home, &clients, client, wish, how, output)
        }
    }
}

/// Disconnects a client.
pub(crate) fn disconnect(
    home: &Home,
    client: &str,
    how: HowArgs,
    output: &Output,
) -> Result<(), Failure> {
    let clients = installed(home)?.even_while_running(how.while_running);
    let wish = (ClientAct::Disconnect, &HowToConnect::default());
    act(home, &clients, client, wish, how, output)
}

fn act(
    home: &Home,
    clients: &dyn Clients,
    client: &str,
    (act, wish): (ClientAct, &HowToConnect),
    how: HowArgs,
    output: &Output,
) -> Result<(), Failure> {
    let plan = home.call(|call| use_cases::client_plan(call, clients, client, act, wish))?;
    if how.dry_run || plan.problem.is_some() {
        output.reply(&plan, shown)?;
        return match plan.problem {
            Some(problem) => {
                output.aside(format_args!("{}", problem.message));
                if plan.other == Some(ConnectBy::Bundle) {
                    output.aside(format_args!(
                        "Or have {} install it itself, as an extension: ozbrain connect {} \
                         --bundle",
                        plan.name, plan.client
                    ));
                }
                Err(Failure::Told)
            }
            None => Ok(()),
        };
    }
    let mut wish = wish.clone();
    let mut unasked = None;
    if let Some(rules) = offered_rules(&plan)
        && wish.rules.is_none()
    {
        let answer = output.asks(format_args!(
            "Add a short section to {} too, so that its agents search OzBrain before they answer \
             and write what they learn?",
            rules.file
        ));
        wish.rules = Some(answer.unwrap_or(false));
        unasked = answer.is_none().then_some(&rules.file);
    }
    // Nobody was shown a plan that could stand no longer.
    let done = home.call(|call| match act {
        ClientAct::Connect => use_cases::connect(call, clients, client, None, &wish),
        ClientAct::Disconnect => use_cases::disconnect(call, clients, client, None),
    })?;
    output.reply(&done.plan, |done| told(home, done))?;
    if let Some(file) = unasked {
        output.aside(format_args!(
            "{file} stays as it is, as nobody could be asked. `ozbrain connect {client} --rules` \
             tells its agents how to use OzBrain."
        ));
    }
    Ok(())
}

/// The section that a client's rules file would get.
fn offered_rules(plan: &ClientPlan) -> Option<&RulesPlan> {
    let rules = plan.rules.as_ref();
    rules.filter(|rules| plan.act == ClientAct::Connect && rules.changes && rules.wanted)
}

/// What would be done.
fn shown(plan: &ClientPlan) -> String {
    if let Some(problem) = &plan.problem {
        if problem.code == ClientProblemCode::Running {
            return format!(
                "Quit {} whole, from its tray icon too, and try again. With --while-running the \
                 file is changed now; {} may write it anew from what it holds.",
                plan.name, plan.name
            );
        }
        if plan.act == ClientAct::Disconnect {
            return format!(
                "To disconnect {} by hand, take the entry `{}` out of {}.",
                plan.name, plan.entry, plan.file
            );
        }
        let mut text = format!(
            "To connect {} by hand, add this:\n\n{}",
            plan.name, plan.snippet
        );
        if let Some(link) = &plan.link {
            let _ = write!(
                text,
                "\nOr open this link, and it asks you itself:\n\n  {link}"
            );
        }
        return text;
    }
    let mut text = String::new();
    match &plan.way {
        ClientWay::Edit => {
            let _ = writeln!(text, "{} {}\n", effect(plan.effect), plan.file);
            text.push_str(&diff(&plan.diff));
        }
        ClientWay::Command { shell, .. } => {
            let _ = writeln!(
                text,
                "{} runs, so its own command would change {}:\n\n  {shell}",
                plan.name, plan.file
            );
        }
        ClientWay::Bundle { manifest } => {
            let _ = match plan.act {
                ClientAct::Connect => writeln!(
                    text,
                    "{} would be made and opened, and {} asks you whether to install it. It \
                     says:\n\n{manifest}",
                    plan.file, plan.name
                ),
                ClientAct::Disconnect => writeln!(text, "{} would go.", plan.file),
            };
        }
    }
    if let Some(rules) = plan.rules.as_ref().filter(|rules| rules.changes) {
        let _ = writeln!(text, "{} {}\n", effect(rules.effect), rules.file);
        text.push_str(&diff(&rules.diff));
        if rules.wanted {
            text.push_str("Connecting asks about that section; --rules and --no-rules answer.\n");
        }
    }
    for note in plan.notes.iter().chain(rules_problem(plan)) {
        let _ = writeln!(text, "{note}");
    }
    if let Some(grants) = plan.grants.as_ref().filter(|grants| !grants.is_empty()) {
        let _ = writeln!(text, "It might then {}.", granted(grants));
    }
    text
}

/// What a connection may do, as the end of a sentence.
fn granted(grants: &BTreeMap<BrainName, Grant>) -> String {
    let brains = |wanted: Grant| -> Option<String> {
        let names: Vec<&str> = grants
            .iter()
            .filter(|(_, grant)| **grant == wanted)
            .map(|(brain, _)| brain.as_str())
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let words = [
        brains(Grant::Write).map(|names| format!("write {names}")),
        brains(Grant::Read).map(|names| format!("read {names}")),
        brains(Grant::None).map(|names| format!("not see {names}")),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Why the rules file stays as it is.
fn rules_problem(plan: &ClientPlan) -> Option<&String> {
    let problem = plan.rules.as_ref()?.problem.as_ref()?;
    Some(&problem.message)
}

fn effect(effect: FileEffect) -> &'static str {
    match effect {
        FileEffect::Same => "Nothing would change in",
        FileEffect::Made => "This file would be made:",
        FileEffect::Changed => "This file would change:",
        FileEffect::Restored => "This file would be again what it was before:",
        FileEffect::Removed => "This file, made by connecting, would go again:",
    }
}

fn diff(lines: &[DiffLine]) -> String {
    let mut text = String::new();
    for line in lines {
        let sign = match line.kind {
            DiffKind::Same => ' ',
            DiffKind::Added => '+',
            DiffKind::Removed => '-',
        };
        let _ = writeln!(text, "{sign} {}", line.text);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// What was done.
fn told(home: &Home, done: &ClientPlan) -> String {
    let mut text = String::new();
    match (done.act, done.changes) {
        (ClientAct::Connect, _) if matches!(done.way, ClientWay::Bundle { .. }) => {
            let connection = done.connection.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "Connected {}: it was given {}, which starts OzBrain as the connection \
                 `{connection}`.",
                done.name, done.file
            );
        }
        (ClientAct::Connect, true) => {
            let connection = done.connection.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "Connected {}: the entry `{}` in {} starts OzBrain as the connection \
                 `{connection}`.",
                done.name, done.entry, done.file
            );
        }
        (ClientAct::Connect, false) => {
            let _ = writeln!(
                text,
                "{} is connected already, in {}.",
                done.name, done.file
            );
        }
        (ClientAct::Disconnect, true) => {
            let _ = writeln!(text, "Disconnected {}: {}", done.name, restored(done));
        }
        (ClientAct::Disconnect, false) => {
            let _ = writeln!(text, "{} is not connected. Nothing was changed.", done.name);
        }
    }
    if let Some(rules) = done.rules.as_ref().filter(|rules| rules.changes) {
        let _ = if rules.wanted {
            writeln!(text, "{} tells its agents how to use it.", rules.file)
        } else {
            writeln!(text, "The section on OzBrain is out of {}.", rules.file)
        };
    }
    for note in done.notes.iter().chain(rules_problem(done)) {
        let _ = writeln!(text, "{note}");
    }
    let bundle = matches!(done.way, ClientWay::Bundle { .. });
    if !bundle && !matches!(done.effect, FileEffect::Made | FileEffect::Same) {
        let _ = writeln!(
            text,
            "The file as it was is kept in {}.",
            home.dir()
                .join("backups")
                .join("clients")
                .join(&done.client)
                .display()
        );
    }
    if let Some(grants) = done.grants.as_ref().filter(|grants| !grants.is_empty()) {
        let _ = writeln!(text, "It may {}.", granted(grants));
    }
    if done.act == ClientAct::Connect {
        let _ = writeln!(text, "{}", proof(done.after, &done.name));
    } else if done.changes && done.after == AfterChange::Restart {
        let _ = writeln!(text, "It lets go of OzBrain when it is started again.");
    }
    text
}

fn restored(done: &ClientPlan) -> String {
    match done.effect {
        FileEffect::Restored => format!("{} is again what it was before.", done.file),
        FileEffect::Removed | FileEffect::Same if matches!(done.way, ClientWay::Bundle { .. }) => {
            format!("{} is gone.", done.file)
        }
        FileEffect::Removed => format!("{}, made by connecting, is gone again.", done.file),
        _ => format!("the entry `{}` is out of {}.", done.entry, done.file),
    }
}

/// What has to happen until it is proved.
fn proof(after: AfterChange, name: &str) -> String {
    let wait = "It waits for its first call: `ozbrain connect` tells when it came.";
    match after {
        AfterChange::Nothing => wait.to_owned(),
        AfterChange::NewSession => format!("Start a new session of {name}. {wait}"),
        AfterChange::Restart => {
            format!("Quit {name} whole, from its tray icon too, and start it again. {wait}")
        }
        AfterChange::Install => {
            format!("{name} asks you to install OzBrain: say Install. {wait}")
        }
    }
}

/// The clients that are here, and the names of those that are not.
fn listed(view: &ClientsView) -> String {
    let (absent, here): (Vec<_>, Vec<_>) = view
        .clients
        .iter()
        .partition(|client| client.state == ClientState::Absent);
    let mut text = if here.is_empty() {
        "No client that OzBrain knows was found on this computer.\n".to_owned()
    } else {
        client_table(&here)
    };
    if !absent.is_empty() {
        let names: Vec<&str> = absent.iter().map(|client| client.client.as_str()).collect();
        let _ = writeln!(text, "\nNot found: {}.", names.join(", "));
    }
    text
}

pub(crate) fn client_table(clients: &[&ClientView]) -> String {
    let mut rows = vec![["CLIENT", "STATE", "FILE"].map(String::from).to_vec()];
    for client in clients {
        rows.push(vec![
            client.client.clone(),
            state(client),
            client.file.clone(),
        ]);
    }
    let mut text = table(&rows);
    let problems = clients.iter().filter_map(|client| client.problem.as_ref());
    for problem in problems {
        let _ = writeln!(text, "\n{}", problem.message);
    }
    text
}

/// How a client stands, in words.
pub(crate) fn state(client: &ClientView) -> String {
    match client.state {
        ClientState::Absent => "not found".into(),
        ClientState::Found => "not connected".into(),
        ClientState::Waiting => match client.after {
            AfterChange::Nothing => "waits for its first call".into(),
            AfterChange::NewSession => "waits for its first call, in a new session".into(),
            AfterChange::Restart => "waits for its first call: quit it and start it again".into(),
            AfterChange::Install => "waits for its first call: say Install in it".into(),
        },
        ClientState::Works => match client.last_call {
            Some(at) => format!("works, last call {}", at.0),
            None => "works".into(),
        },
        ClientState::Outdated => "starts another OzBrain: connect it again".into(),
        ClientState::Revoked => "its connection was revoked: connect it again".into(),
        ClientState::Gone => "its entry is gone: connect it again".into(),
        ClientState::Blocked => "its file cannot be used".into(),
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "tests, and their helpers, fail by panicking"
)]
mod tests {
    use super::*;
    use ozbrain_connect::{Environment, Platform, ThisComputer};
    use ozbrain_core::ports::ClientWish;
    use ozbrain_core::words::ConnectionName;
    use std::path::Path;
    use std::sync::Arc;

    /// What Claude Desktop's connecting by a bundle says on macOS.
    fn planned(folder: &Path) -> ClientPlan {
        let environment = Environment::at(Platform::MacOs, folder, BTreeMap::new());
        let data = DataFolder {
            path: folder.join("data"),
            usual: false,
        };
        let program = Ok(folder.join("ozbrain"));
        let clients =
            InstalledClients::new(environment, Arc::new(ThisComputer::alone()), program, data);
        let wish = ClientWish::Connect {
            connection: ConnectionName::parse("claude-desktop").unwrap(),
            rules: None,
            by: ConnectBy::Bundle,
        };
        clients.plan("claude-desktop", &wish).unwrap()
    }

    #[test]
    fn a_bundle_is_shown_whole_and_told_with_what_is_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let plan = planned(folder.path());
        let ClientWay::Bundle { manifest } = &plan.way else {
            unreachable!("{plan:?}");
        };
        let text = shown(&plan);
        assert!(text.contains(manifest), "{text}");
        assert!(
            text.contains(&plan.file) && text.contains("asks you"),
            "{text}"
        );
        let home = Home::new(Some(folder.path().join("data"))).unwrap();
        let text = told(&home, &plan);
        assert!(text.contains("say Install"), "{text}");
        assert!(!text.contains("is kept in"), "{text}");
    }
}
