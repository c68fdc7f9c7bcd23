//! Clients, connected through the use cases: who may, what the store learns of
//! it, and what proves it. The files are a stand-in.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests, and their stand-ins, fail by panicking"
)]

use ozbrain_core::ports::{
    CarriedOut, ClientEntry, ClientWish, Clients, FoundClient, MadeEntry, OnClients,
};
use ozbrain_core::shapes::BrainsInput;
use ozbrain_core::use_cases;
use ozbrain_core::views::acts::UndoOutcome;
use ozbrain_core::views::clients::{
    AfterChange, ClientAct, ClientOutcome, ClientPlan, ClientState, ClientView, ClientWay,
    FileEffect, HowToConnect, StdioSnippet,
};
use ozbrain_core::views::inbox::{DismissInput, InboxInput, InboxItem};
use ozbrain_core::words::{BrainName, ConnectionName, EventId, EventKind, Grant, Timestamp};
use ozbrain_core::{Code, Refusal, Result};
use ozbrain_testkit::{Actor, World};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// One client, in memory.
#[derive(Default)]
struct Cursor<'a> {
    entry: Mutex<Option<(ConnectionName, Timestamp)>>,
    /// Someone else took the entry away.
    dropped: AtomicBool,
    /// What another program made of the file: the plan's name.
    text: AtomicU32,
    fails: bool,
    /// The connection of an entry that the person put there.
    pasted: Option<ConnectionName>,
    /// Other clients, as they stay.
    others: Vec<FoundClient>,
    /// Called as soon as the entry is written.
    written: Option<Box<dyn Fn() + Send + Sync + 'a>>,
}

impl Clients for Cursor<'_> {
    fn all(&self) -> Vec<FoundClient> {
        let own = self.one("cursor").into_iter();
        own.chain(self.others.iter().cloned()).collect()
    }

    fn one(&self, client: &str) -> Result<FoundClient> {
        if client != "cursor" {
            return Err(Refusal::invalid(format!("There is no client `{client}`.")));
        }
        let entry = self.entry.lock().unwrap().clone();
        Ok(FoundClient {
            client: "cursor".into(),
            name: "Cursor".into(),
            installed: true,
            file: "/home/ann/.cursor/mcp.json".into(),
            entry: entry
                .clone()
                .filter(|_| !self.dropped.load(Relaxed))
                .map(|(connection, _)| connection)
                .or_else(|| self.pasted.clone())
                .map(|connection| ClientEntry {
                    name: "ozbrain".into(),
                    connection: Some(connection),
                    current: true,
                    altered: false,
                }),
            other_store: None,
            rules: None,
            made: entry.map(|(connection, at)| MadeEntry {
                name: "ozbrain".into(),
                connection,
                at,
            }),
            problem: None,
            after: AfterChange::Nothing,
            running: false,
            by: None,
        })
    }

    fn plan(&self, client: &str, wish: &ClientWish) -> Result<ClientPlan> {
        let found = self.one(client)?;
        let (act, connection) = match wish {
            ClientWish::Connect { connection, .. } => {
                (ClientAct::Connect, Some(connection.to_string()))
            }
            ClientWish::Disconnect => (ClientAct::Disconnect, None),
        };
        Ok(ClientPlan {
            client: found.client,
            name: found.name,
            act,
            file: found.file,
            entry: "ozbrain".into(),
            connection,
            way: ClientWay::Edit,
            other: None,
            changes: true,
            effect: FileEffect::Changed,
            diff: Vec::new(),
            stay: 0,
            rules: None,
            grants: None,
            plan: self.text.load(Relaxed).to_string(),
            notes: Vec::new(),
            after: found.after,
            problem: None,
            snippet: String::new(),
            link: None,
        })
    }

    fn carry_out(
        &self,
        client: &str,
        wish: &ClientWish,
        planned: Option<&str>,
        now: Timestamp,
    ) -> Result<CarriedOut> {
        let plan = self.plan(client, wish)?;
        if planned.is_some_and(|planned| planned != plan.plan) {
            return Ok(CarriedOut::Moved(plan));
        }
        if self.fails {
            return Err(Refusal::unavailable("The file cannot be written."));
        }
        *self.entry.lock().unwrap() = match wish {
            ClientWish::Connect { connection, .. } => Some((connection.clone(), now)),
            ClientWish::Disconnect => None,
        };
        self.dropped.store(false, Relaxed);
        if let Some(written) = &self.written {
            written();
        }
        Ok(CarriedOut::Done(plan))
    }

    fn snippet(&self, _: &ConnectionName) -> Result<StdioSnippet> {
        Err(Refusal::unavailable("It has no command."))
    }

    fn watch(&self, _: OnClients) -> Box<dyn Send> {
        Box::new(())
    }
}

/// As it comes.
fn how() -> HowToConnect {
    HowToConnect::default()
}

/// With these grants.
fn granting(grants: &[(&str, Grant)]) -> HowToConnect {
    HowToConnect {
        grants: grants
            .iter()
            .map(|(brain, grant)| ((*brain).to_owned(), *grant))
            .collect(),
        ..how()
    }
}

fn view(actor: &Actor<'_>, cursor: &Cursor<'_>) -> ClientView {
    use_cases::clients(actor.call(), cursor)
        .unwrap()
        .clients
        .remove(0)
}

#[test]
fn an_agent_connects_no_client_and_sees_none() {
    let world = World::new();
    let agent = world.agent("Cursor");
    let cursor = Cursor::default();
    for outcome in [
        use_cases::clients(agent.call(), &cursor).map(drop),
        use_cases::client_plan(agent.call(), &cursor, "cursor", ClientAct::Connect, &how())
            .map(drop),
        use_cases::connect(agent.call(), &cursor, "cursor", None, &how()).map(drop),
        use_cases::disconnect(agent.call(), &cursor, "cursor", None).map(drop),
    ] {
        assert_eq!(outcome.unwrap_err().code, Code::NotAllowed);
    }
    assert!(cursor.entry.lock().unwrap().is_none());
}

#[test]
fn a_connected_client_is_known_before_it_calls_and_works_once_it_did() {
    let world = World::new();
    let cli = world.agent("cli");
    let cursor = Cursor::default();
    assert_eq!(view(&cli, &cursor).state, ClientState::Found);
    use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap();
    // So that it can be given grants.
    let rows = use_cases::connections(cli.call()).unwrap();
    let row = rows.iter().find(|row| row.connection == "cursor").unwrap();
    assert_eq!((row.key, row.last_seen), (false, None));
    let waiting = view(&cli, &cursor);
    assert_eq!(
        (waiting.state, waiting.last_call),
        (ClientState::Waiting, None)
    );
    world.pass(1);
    world.agent("cursor");
    let works = view(&cli, &cursor);
    assert_eq!(works.state, ClientState::Works);
    assert_eq!(works.last_call.map(|at| at.0), Some(world.now()));

    // Connected anew, it proves itself anew.
    world.pass(1);
    use_cases::disconnect(cli.call(), &cursor, "cursor", None).unwrap();
    assert_eq!(view(&cli, &cursor).state, ClientState::Found);
    use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap();
    assert_eq!(view(&cli, &cursor).state, ClientState::Waiting);
}

#[test]
fn an_entry_that_comes_back_by_hand_after_a_disconnect_proves_itself_anew() {
    let world = World::new();
    let cli = world.agent("cli");
    let mut cursor = Cursor::default();
    use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap();
    let old = world.agent("cursor");
    assert_eq!(view(&cli, &cursor).state, ClientState::Works);
    world.pass(1);
    use_cases::disconnect(cli.call(), &cursor, "cursor", None).unwrap();
    cursor.pasted = Some(ConnectionName::parse("cursor").unwrap());
    assert_eq!(view(&cli, &cursor).state, ClientState::Waiting);
    // A session that is still there from before calls on.
    world.pass(1);
    use_cases::called(world.store(), old.call().session, world.now());
    assert_eq!(view(&cli, &cursor).state, ClientState::Waiting);
    world.pass(1);
    world.agent("cursor");
    assert_eq!(view(&cli, &cursor).state, ClientState::Works);

    // Nor does what the store knows of it make one that is revoked wait.
    cursor.pasted = None;
    use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap();
    use_cases::revoke_connection(cli.call(), "cursor").unwrap();
    use_cases::disconnect(cli.call(), &cursor, "cursor", None).unwrap();
    let rows = use_cases::connections(cli.call()).unwrap();
    let row = rows.iter().find(|row| row.connection == "cursor").unwrap();
    assert!(!row.waits && row.revoked_at.is_some());
}

#[test]
fn what_another_client_calls_proves_nothing() {
    let world = World::new();
    let cli = world.agent("cli");
    let windsurf = ConnectionName::parse("windsurf").unwrap();
    let mut cursor = Cursor::default();
    let made = MadeEntry {
        name: "ozbrain".into(),
        connection: windsurf.clone(),
        at: world.now(),
    };
    // Its configuration was copied.
    cursor.pasted = Some(windsurf.clone());
    cursor.others = vec![FoundClient {
        client: "windsurf".into(),
        name: "Windsurf".into(),
        made: Some(made),
        ..cursor.one("cursor").unwrap()
    }];
    world.agent("windsurf");
    let states = |cursor: &Cursor<'_>| -> Vec<ClientState> {
        let all = use_cases::clients(cli.call(), cursor).unwrap().clients;
        all.into_iter().map(|it| it.state).collect()
    };
    let (outdated, works) = (ClientState::Outdated, ClientState::Works);
    assert_eq!(states(&cursor), [outdated, works]);
    // Taken away, it makes the other prove nothing anew.
    use_cases::disconnect(cli.call(), &cursor, "cursor", None).unwrap();
    assert_eq!(states(&cursor), [outdated, works]);
    // Connected, it gets a name of its own, and proves itself.
    let done = use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap();
    assert_eq!(done.plan.connection.as_deref(), Some("cursor"));
    assert_eq!(states(&cursor), [ClientState::Waiting, works]);
}

#[test]
fn a_revoked_name_is_not_used_again() {
    let world = World::new();
    let cli = world.agent("cli");
    let cursor = Cursor::default();
    use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap();
    use_cases::revoke_connection(cli.call(), "cursor").unwrap();
    assert_eq!(view(&cli, &cursor).state, ClientState::Revoked);
    let done = use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap();
    assert_eq!(done.plan.connection.as_deref(), Some("cursor-2"));
    assert_eq!(view(&cli, &cursor).state, ClientState::Waiting);
}

#[test]
fn a_client_that_could_not_be_connected_is_waited_for_no_longer() {
    let world = World::new();
    let cli = world.agent("cli");
    let mut cursor = Cursor::default();
    use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap();
    world.agent("cursor");
    assert_eq!(view(&cli, &cursor).state, ClientState::Works);
    cursor.fails = true;
    world.pass(1);
    use_cases::connect(cli.call(), &cursor, "cursor", None, &how()).unwrap_err();
    assert_eq!(view(&cli, &cursor).state, ClientState::Works);
    use_cases::connect(cli.call(), &cursor, "emacs", None, &how()).unwrap_err();
}

fn kinds(world: &World) -> Vec<(EventKind, Option<String>, Option<String>)> {
    let person = world.agent("you");
    let (changes, _) = use_cases::changes_after(person.call(), 0).unwrap();
    let of_clients = changes
        .into_iter()
        .filter(|change| change.client.is_some() || change.kind == EventKind::ClientCalled);
    of_clients
        .map(|change| (change.kind, change.client, change.connection))
        .collect()
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_session_that_was_there_before_proves_nothing() {
    let world = World::new();
    let person = world.agent("you");
    let cursor = Cursor::default();
    // Told by hand, and running since.
    let old = world.agent("cursor");
    world.pass(1);
    use_cases::connect(person.call(), &cursor, "cursor", None, &how()).unwrap();
    world.pass(1);
    use_cases::called(world.store(), old.call().session, world.now());
    old.search("tea").unwrap();
    assert_eq!(view(&person, &cursor).state, ClientState::Waiting);
    let rows = use_cases::connections(person.call()).unwrap();
    let waits = |name: &str| {
        rows.iter()
            .find(|row| row.connection == name)
            .unwrap()
            .waits
    };
    assert!(waits("cursor"));
    // Started again, it does.
    world.pass(1);
    world.agent("cursor");
    let works = view(&person, &cursor);
    assert_eq!(works.state, ClientState::Works);
    let proof = works.proof.unwrap();
    assert_eq!(proof.at.0, world.now());
    // A second session tells nothing new.
    world.agent("cursor");
    assert_eq!(
        kinds(&world),
        [
            (EventKind::ClientConnected, some("cursor"), some("cursor")),
            (EventKind::ClientCalled, None, some("cursor")),
        ]
    );
}

#[test]
fn what_was_shown_is_done_or_nothing_is() {
    let world = World::new();
    let person = world.agent("you");
    let cursor = Cursor::default();
    let shown = |act| {
        let plan = use_cases::client_plan(person.call(), &cursor, "cursor", act, &how());
        plan.unwrap().plan
    };
    let plan = shown(ClientAct::Connect);
    cursor.text.store(1, Relaxed);
    let reply = use_cases::connect(person.call(), &cursor, "cursor", Some(&plan), &how()).unwrap();
    assert_eq!(reply.outcome, ClientOutcome::Moved);
    assert_eq!(reply.client.state, ClientState::Found);
    let rows = use_cases::connections(person.call()).unwrap();
    assert!(rows.iter().all(|row| row.connection != "cursor"));
    let plan = reply.plan.plan;
    let reply = use_cases::connect(person.call(), &cursor, "cursor", Some(&plan), &how()).unwrap();
    assert_eq!(reply.outcome, ClientOutcome::Connected);
    assert_eq!(reply.client.state, ClientState::Waiting);
    let plan = shown(ClientAct::Disconnect);
    cursor.text.store(2, Relaxed);
    let reply = use_cases::disconnect(person.call(), &cursor, "cursor", Some(&plan)).unwrap();
    assert_eq!(reply.outcome, ClientOutcome::Moved);
    let reply = use_cases::disconnect(person.call(), &cursor, "cursor", Some(&reply.plan.plan));
    assert_eq!(reply.unwrap().outcome, ClientOutcome::Disconnected);
    let told: Vec<EventKind> = kinds(&world).into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(
        told,
        [EventKind::ClientConnected, EventKind::ClientDisconnected]
    );
}

fn look(world: &World, cursor: &Cursor<'_>) {
    use_cases::look_after_clients(world.store(), cursor, "1", world.now(), || {}).unwrap();
}

fn problems(actor: &Actor<'_>) -> Vec<(EventId, String, Option<String>, Option<String>)> {
    let inbox = use_cases::inbox(actor.call(), InboxInput::default(), Timestamp::default());
    let items = inbox.unwrap().items.into_iter();
    items
        .filter_map(|item| match item {
            InboxItem::Problem {
                event,
                code,
                client,
                connection,
                ..
            } if code != "new_connection" => Some((event, code, client, connection)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_dropped_entry_is_a_problem_until_it_is_there_again() {
    let world = World::new();
    let person = world.agent("you");
    let cursor = Cursor::default();
    look(&world, &cursor);
    use_cases::connect(person.call(), &cursor, "cursor", None, &how()).unwrap();
    look(&world, &cursor);
    assert_eq!(problems(&person), []);
    cursor.dropped.store(true, Relaxed);
    look(&world, &cursor);
    let lost = problems(&person);
    let [(event, code, client, connection)] = lost.as_slice() else {
        panic!("{lost:?}");
    };
    assert_eq!(code, "client_gone");
    assert_eq!((client, connection), (&some("cursor"), &some("cursor")));
    // It is still known whose grants stand there.
    let stands = view(&person, &cursor);
    assert_eq!(stands.state, ClientState::Gone);
    assert_eq!(stands.connection, some("cursor"));
    // It is told once, whoever looks.
    look(&world, &cursor);
    assert_eq!(problems(&person), lost);
    assert_eq!(problems(&world.agent("ben")), [], "the person's to know");
    // Put away it stays away, and comes back by undo while it stands.
    let away = use_cases::dismiss(person.call(), DismissInput { event: *event }).unwrap();
    look(&world, &cursor);
    assert_eq!(problems(&person), []);
    let undone = use_cases::undo(person.call(), away.event.unwrap()).unwrap();
    assert_eq!(undone.outcome, UndoOutcome::Undone);
    assert_eq!(problems(&person), lost);
    // Repaired it goes, and the undo of a dismissal brings nothing back.
    let away = use_cases::dismiss(person.call(), DismissInput { event: *event }).unwrap();
    use_cases::connect(person.call(), &cursor, "cursor", None, &how()).unwrap();
    let undone = use_cases::undo(person.call(), away.event.unwrap()).unwrap();
    assert_eq!(undone.outcome, UndoOutcome::Moved);
    assert_eq!(problems(&person), []);
    look(&world, &cursor);

    // Lost again, and there again without anybody's doing.
    cursor.dropped.store(true, Relaxed);
    look(&world, &cursor);
    assert_eq!(problems(&person).len(), 1);
    cursor.dropped.store(false, Relaxed);
    look(&world, &cursor);
    assert_eq!(problems(&person), []);

    // What the person takes away is no loss.
    cursor.dropped.store(true, Relaxed);
    look(&world, &cursor);
    use_cases::disconnect(person.call(), &cursor, "cursor", None).unwrap();
    look(&world, &cursor);
    assert_eq!(problems(&person), []);
    let told: Vec<EventKind> = kinds(&world).into_iter().map(|(kind, ..)| kind).collect();
    use EventKind::{ClientConnected, ClientDisconnected, ClientLost};
    assert_eq!(
        told,
        [
            ClientConnected,
            ClientLost,
            ClientConnected,
            ClientLost,
            ClientConnected,
            ClientLost,
            ClientDisconnected,
        ]
    );
}

#[test]
fn a_file_that_is_just_being_written_is_no_loss() {
    let world = World::new();
    let person = world.agent("you");
    let cursor = Cursor::default();
    use_cases::connect(person.call(), &cursor, "cursor", None, &how()).unwrap();
    cursor.dropped.store(true, Relaxed);
    let mut looked_again = false;
    use_cases::look_after_clients(world.store(), &cursor, "1", world.now(), || {
        looked_again = true;
        cursor.dropped.store(false, Relaxed);
    })
    .unwrap();
    assert!(looked_again);
    assert_eq!(problems(&person), []);
}

#[test]
fn an_unknown_client_is_told_what_to_do_and_waited_for() {
    let world = World::new();
    let person = world.agent("you");
    let cursor = Cursor::default();
    let snippets = |name, port| use_cases::snippets(person.call(), &cursor, name, port);
    let told = snippets("My agent", Some(4747)).unwrap();
    assert_eq!((told.known, told.key), (false, false));
    let http = told.http.unwrap();
    assert_eq!(http.url, "http://127.0.0.1:4747/mcp");
    let read: serde_json::Value = serde_json::from_str(&http.text).unwrap();
    assert_eq!(read["mcpServers"]["ozbrain"]["url"], http.url);
    assert_eq!(http.header, "Authorization: Bearer OZBRAIN_KEY");
    assert_eq!(told.stdio_problem.as_deref(), Some("It has no command."));
    assert_eq!(snippets("My agent", None).unwrap().http, None);
    assert_eq!(snippets("you", None).unwrap_err().code, Code::Invalid);
    assert_eq!(snippets("a\nb", None).unwrap_err().code, Code::Invalid);

    use_cases::introduce_connection(person.call(), "My agent").unwrap();
    use_cases::introduce_connection(person.call(), "My agent").unwrap();
    assert!(snippets("My agent", None).unwrap().known);
    let row = || {
        let rows = use_cases::connections(person.call()).unwrap();
        let row = rows.into_iter().find(|row| row.connection == "My agent");
        row.unwrap()
    };
    assert!(row().waits && !row().key);
    world.agent("My agent");
    assert!(!row().waits);
    let inbox = use_cases::inbox(person.call(), InboxInput::default(), Timestamp::default());
    assert_eq!(inbox.unwrap().counts.problems, 0, "it was expected");
    use_cases::create_connection(person.call(), "My agent", [1; 32]).unwrap();
    assert!(snippets("My agent", None).unwrap().key);
    use_cases::revoke_connection(person.call(), "My agent").unwrap();
    let refused = snippets("My agent", None).unwrap_err();
    assert_eq!(refused.code, Code::NotAllowed);
}

#[test]
fn each_connection_says_what_it_read_and_wrote_last() {
    let world = World::new();
    let (ann, ben) = (world.agent("ann"), world.agent("ben"));
    let written = |topic: &str, body: &str| ann.write(topic, body).unwrap().id.to_string();
    let first = written("clients/meridian", "Maya.");
    let second = written("voice", "Plain.");
    world.pass(1);
    ben.fetch(&first).unwrap();
    world.pass(1);
    ben.fetch(&second).unwrap();
    // What it confirms or is told of is neither.
    ann.search("Maya").unwrap();
    let person = world.agent("you");
    let row = |name: &str| {
        let rows = use_cases::connections(person.call()).unwrap();
        rows.into_iter().find(|row| row.connection == name).unwrap()
    };
    let wrote = row("ann").last_write.unwrap();
    assert_eq!(wrote.unit.as_str(), second);
    let read = row("ben").last_read.unwrap();
    assert_eq!(
        (read.unit.as_str(), read.topic.as_str()),
        (second.as_str(), "voice")
    );
    assert_eq!(read.at.0, world.now());
    assert_eq!(row("ben").last_write, None);
}

/// What a connection may do, if it is known.
fn grants_of(actor: &Actor<'_>, connection: &str) -> Option<BTreeMap<BrainName, Grant>> {
    let rows = use_cases::connections(actor.call()).unwrap();
    let row = rows.into_iter().find(|row| row.connection == connection)?;
    Some(row.grants)
}

fn grants(of: &[(&str, Grant)]) -> BTreeMap<BrainName, Grant> {
    of.iter()
        .map(|(brain, grant)| (BrainName::parse(brain).unwrap(), *grant))
        .collect()
}

#[test]
fn a_plan_says_what_the_connection_would_have() {
    let world = World::new();
    let person = world.agent("you");
    let cursor = Cursor::default();
    let planned = |act, how: &HowToConnect| {
        use_cases::client_plan(person.call(), &cursor, "cursor", act, how)
    };
    let new = grants(&[("personal", Grant::Write), ("team", Grant::Write)]);
    let plan = planned(ClientAct::Connect, &how()).unwrap();
    assert_eq!(plan.grants, Some(new.clone()), "what a new one gets");
    let chosen = planned(ClientAct::Connect, &granting(&[("personal", Grant::None)])).unwrap();
    let narrow = grants(&[("personal", Grant::None), ("team", Grant::Write)]);
    assert_eq!(chosen.grants, Some(narrow), "and what was asked for");
    let unknown = planned(ClientAct::Connect, &granting(&[("tema", Grant::None)]));
    assert_eq!(unknown.unwrap_err().code, Code::UnknownBrain);

    use_cases::introduce_connection(person.call(), "cursor").unwrap();
    use_cases::grant(person.call(), "team", "cursor", Grant::Read, None).unwrap();
    let own = grants(&[("personal", Grant::Write), ("team", Grant::Read)]);
    let plan = planned(ClientAct::Connect, &how()).unwrap();
    assert_eq!(plan.grants, Some(own), "its own, where it is known");
    assert_eq!(planned(ClientAct::Disconnect, &how()).unwrap().grants, None);
    // A revoked name is not used again, nor are its grants.
    use_cases::revoke_connection(person.call(), "cursor").unwrap();
    let plan = planned(ClientAct::Connect, &how()).unwrap();
    assert_eq!(plan.connection.as_deref(), Some("cursor-2"));
    assert_eq!(plan.grants, Some(new));
}

#[test]
fn what_was_granted_holds_before_the_client_can_read_its_file() {
    let world = World::new();
    let person = world.agent("you");
    let seen: Mutex<Vec<Grant>> = Mutex::default();
    let elsewhere = world.elsewhere();
    let name = ConnectionName::parse("cursor").unwrap();
    // A client that reads its file the moment it is written.
    let cursor = Cursor {
        written: Some(Box::new(|| {
            let granted = elsewhere.read(|records| records.grants(&name)).unwrap();
            let mut granted: Vec<Grant> = granted.values().map(|it| it.grant).collect();
            granted.sort();
            *seen.lock().unwrap() = granted;
        })),
        ..Cursor::default()
    };
    let chosen = granting(&[("personal", Grant::None), ("team", Grant::Read)]);
    let wanted = grants(&[("personal", Grant::None), ("team", Grant::Read)]);
    let done = use_cases::connect(person.call(), &cursor, "cursor", None, &chosen).unwrap();
    assert_eq!(done.outcome, ClientOutcome::Connected);
    assert_eq!(done.plan.grants.as_ref(), Some(&wanted));
    assert_eq!(*seen.lock().unwrap(), [Grant::None, Grant::Read]);
    let agent = world.agent("cursor");
    let brains = use_cases::brains(agent.call(), BrainsInput::default()).unwrap();
    let names: Vec<String> = brains
        .brains
        .iter()
        .map(|it| it.brain.to_string())
        .collect();
    assert_eq!(names, ["team"]);
}

#[test]
fn an_owner_that_is_connected_again_stays_one_as_long_as_it_writes() {
    let world = World::new();
    let person = world.agent("you");
    let cursor = Cursor::default();
    let owner = |connection: &str| {
        let rows = use_cases::connections(person.call()).unwrap();
        let row = rows.into_iter().find(|row| row.connection == connection);
        row.unwrap()
            .owner
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    use_cases::introduce_connection(person.call(), "cursor").unwrap();
    use_cases::grant(person.call(), "team", "cursor", Grant::Write, Some(true)).unwrap();
    let again = granting(&[("team", Grant::Write)]);
    use_cases::connect(person.call(), &cursor, "cursor", None, &again).unwrap();
    assert_eq!(owner("cursor"), ["team"]);
    let less = granting(&[("team", Grant::Read)]);
    use_cases::connect(person.call(), &cursor, "cursor", None, &less).unwrap();
    assert!(owner("cursor").is_empty());
}

#[test]
fn a_brain_that_is_not_there_is_refused_before_anything_is_done() {
    let world = World::new();
    let person = world.agent("you");
    let cursor = Cursor::default();
    let chosen = granting(&[("personal", Grant::None), ("tema", Grant::Read)]);
    let refused = use_cases::connect(person.call(), &cursor, "cursor", None, &chosen);
    assert_eq!(refused.unwrap_err().code, Code::UnknownBrain);
    assert!(cursor.entry.lock().unwrap().is_none());
    assert_eq!(grants_of(&person, "cursor"), None, "it is not even known");
}

#[test]
fn where_connecting_fails_its_grants_are_what_they_were() {
    let world = World::new();
    let person = world.agent("you");
    let fails = Cursor {
        fails: true,
        ..Cursor::default()
    };
    let chosen = granting(&[("personal", Grant::None), ("team", Grant::None)]);
    // One that is new.
    use_cases::connect(person.call(), &fails, "cursor", None, &chosen).unwrap_err();
    let new = grants(&[("personal", Grant::Write), ("team", Grant::Write)]);
    assert_eq!(grants_of(&person, "cursor"), Some(new));
    let rows = use_cases::connections(person.call()).unwrap();
    let row = rows.iter().find(|row| row.connection == "cursor").unwrap();
    assert!(!row.waits, "nobody waits for what was not connected");
    // One that had grants of its own.
    use_cases::grant(person.call(), "team", "cursor", Grant::Write, Some(true)).unwrap();
    use_cases::connect(person.call(), &fails, "cursor", None, &chosen).unwrap_err();
    let own = grants(&[("personal", Grant::Write), ("team", Grant::Write)]);
    assert_eq!(grants_of(&person, "cursor"), Some(own));
    let rows = use_cases::connections(person.call()).unwrap();
    let row = rows.iter().find(|row| row.connection == "cursor").unwrap();
    assert_eq!(row.owner.len(), 1);
    // Where the file moved meanwhile, nothing is granted either.
    let moves = Cursor::default();
    moves.text.store(7, Relaxed);
    let moved = use_cases::connect(person.call(), &moves, "cursor", Some("0"), &chosen).unwrap();
    assert_eq!(moved.outcome, ClientOutcome::Moved);
    let stands = grants(&[("personal", Grant::Write), ("team", Grant::Write)]);
    assert_eq!(grants_of(&person, "cursor"), Some(stands));
}
