//! Clients, connected through the use cases: who may, what the store learns of
//! it, and what proves it. The files are a stand-in.

use ozbrain_core::ports::{
    CarriedOut, ClientEntry, ClientWish, Clients, FoundClient, MadeEntry, OnClients,
};
use ozbrain_core::use_cases;
use ozbrain_core::views::clients::{
    AfterChange, ClientAct, ClientOutcome, ClientPlan, ClientState, ClientView, ClientWay,
    FileEffect, StdioSnippet,
};
use ozbrain_core::words::{ConnectionName, Timestamp};
use ozbrain_core::{Code, Refusal, Result};
use ozbrain_testkit::{Actor, World};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// One client, in memory.
#[derive(Default)]
struct Cursor {
    entry: Mutex<Option<(ConnectionName, Timestamp)>>,
    /// Someone else took the entry away.
    dropped: AtomicBool,
    /// What another program made of the file: the plan's name.
    text: AtomicU32,
    fails: bool,
}

impl Clients for Cursor {
    fn all(&self) -> Vec<FoundClient> {
        self.one("cursor").into_iter().collect()
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
                .map(|(connection, _)| ClientEntry {
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
            changes: true,
            effect: FileEffect::Changed,
            diff: Vec::new(),
            stay: 0,
            rules: None,
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
        Ok(CarriedOut::Done(plan))
    }

    fn snippet(&self, _: &ConnectionName) -> Result<StdioSnippet> {
        Err(Refusal::unavailable("It has no command."))
    }

    fn watch(&self, _: OnClients) -> Box<dyn Send> {
        Box::new(())
    }
}

fn view(actor: &Actor<'_>, cursor: &Cursor) -> ClientView {
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
        use_cases::client_plan(agent.call(), &cursor, "cursor", ClientAct::Connect, None).map(drop),
        use_cases::connect(agent.call(), &cursor, "cursor", None, None).map(drop),
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
    use_cases::connect(cli.call(), &cursor, "cursor", None, None).unwrap();
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
    let agent = world.agent("cursor");
    use_cases::called(world.store(), agent.call().session, world.now());
    let works = view(&cli, &cursor);
    assert_eq!(works.state, ClientState::Works);
    assert_eq!(works.last_call.map(|at| at.0), Some(world.now()));

    // Connected anew, it proves itself anew.
    world.pass(1);
    use_cases::disconnect(cli.call(), &cursor, "cursor", None).unwrap();
    assert_eq!(view(&cli, &cursor).state, ClientState::Found);
    use_cases::connect(cli.call(), &cursor, "cursor", None, None).unwrap();
    assert_eq!(view(&cli, &cursor).state, ClientState::Waiting);
}

#[test]
fn a_revoked_name_is_not_used_again() {
    let world = World::new();
    let cli = world.agent("cli");
    let cursor = Cursor::default();
    use_cases::connect(cli.call(), &cursor, "cursor", None, None).unwrap();
    use_cases::revoke_connection(cli.call(), "cursor").unwrap();
    assert_eq!(view(&cli, &cursor).state, ClientState::Revoked);
    let done = use_cases::connect(cli.call(), &cursor, "cursor", None, None).unwrap();
    assert_eq!(done.plan.connection.as_deref(), Some("cursor-2"));
    assert_eq!(view(&cli, &cursor).state, ClientState::Waiting);
}

#[test]
fn a_client_that_could_not_be_connected_is_waited_for_no_longer() {
    let world = World::new();
    let cli = world.agent("cli");
    let mut cursor = Cursor::default();
    use_cases::connect(cli.call(), &cursor, "cursor", None, None).unwrap();
    world.agent("cursor");
    assert_eq!(view(&cli, &cursor).state, ClientState::Works);
    cursor.fails = true;
    world.pass(1);
    use_cases::connect(cli.call(), &cursor, "cursor", None, None).unwrap_err();
    assert_eq!(view(&cli, &cursor).state, ClientState::Works);
    use_cases::connect(cli.call(), &cursor, "emacs", None, None).unwrap_err();
}
