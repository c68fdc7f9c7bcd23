//! Whole conversations of both eras with a real store.

use super::super::lines::LINE;
use super::*;
use ozbrain_core::ports::{Decide, Delivery, OnChange, Records, Store};
use ozbrain_core::use_cases;
use ozbrain_core::words::{Agent, EventId, Grant, Session, Timestamp};
use ozbrain_core::{Code, Refusal};
use ozbrain_sqlite::SqliteStore;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines, ReadHalf, WriteHalf, split};
use tokio::task::JoinHandle;

const MODERN: &str = "2026-07-28";

fn app(dir: &Path) -> Arc<App> {
    let dir = dir.to_owned();
    App::new(move || {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&dir)?);
        Ok(store)
    })
}

/// Does something as the person at the command line.
fn person(app: &App, act: impl FnOnce(use_cases::Call<'_>) -> Result<(), Refusal>) {
    let agent = Agent {
        connection: ConnectionName::cli(),
        client: None,
        session: "cli".into(),
    };
    let store = app.store().unwrap();
    let now = crate::app::now();
    let began = use_cases::meet(&*store, &agent, now).unwrap();
    act(use_cases::Call {
        store: &*store,
        session: &Arc::new(Session::new(agent, began)),
        now,
    })
    .unwrap();
}

/// A client at the other end of standard input and output.
struct Client {
    read: Lines<BufReader<ReadHalf<tokio::io::DuplexStream>>>,
    write: WriteHalf<tokio::io::DuplexStream>,
    server: JoinHandle<Result<(), std::io::Error>>,
    /// Capabilities, for the era that tells them in each request.
    modern: Option<Value>,
    next: u64,
    aside: VecDeque<Value>,
}

impl Client {
    fn new(app: Arc<App>, connection: Option<&str>) -> Self {
        let (near, far) = tokio::io::duplex(1 << 20);
        let (input, output) = split(far);
        let connection = connection.map(|name| ConnectionName::parse(name).unwrap());
        let server = tokio::spawn(serve(app, connection, Box::new(input), Box::new(output)));
        let (read, write) = split(near);
        Self {
            read: BufReader::new(read).lines(),
            write,
            server,
            modern: None,
            next: 1,
            aside: VecDeque::new(),
        }
    }

    async fn legacy(app: Arc<App>, name: &str, capabilities: Value) -> Self {
        let mut client = Self::new(app, None);
        client.greet(name, capabilities).await;
        client
    }

    fn modern(app: Arc<App>, name: &str, capabilities: Value) -> Self {
        let mut client = Self::new(app, Some(name));
        client.modern = Some(capabilities);
        client
    }

    async fn greet(&mut self, name: &str, capabilities: Value) {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": {"name": name, "version": "1.0"},
        });
        let reply = self.request("initialize", params).await;
        assert_eq!(reply["result"]["protocolVersion"], "2025-11-25");
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
    }

    async fn bytes(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.unwrap();
    }

    async fn send(&mut self, message: Value) {
        self.bytes(format!("{message}\n").as_bytes()).await;
    }

    async fn ask(&mut self, method: &str, mut params: Value) -> u64 {
        if let Some(capabilities) = &self.modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": capabilities,
                "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "1.0"},
            });
        }
        let id = self.next;
        self.next += 1;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        id
    }

    async fn line(&mut self) -> Option<Value> {
        let line = tokio::time::timeout(Duration::from_secs(10), self.read.next_line())
            .await
            .expect("the server says something")
            .unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }

    /// The answer to a request; what else comes is kept aside.
    async fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.line().await.expect("the server lives");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.aside.push_back(message);
        }
    }

    /// The next message that answers nothing.
    async fn other(&mut self, method: &str) -> Value {
        loop {
            let message = match self.aside.pop_front() {
                Some(message) => message,
                None => self.line().await.expect("the server lives"),
            };
            if message["method"] == method {
                return message;
            }
        }
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params).await;
        self.answer(id).await
    }

    async fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let params = json!({"name": name, "arguments": arguments});
        self.request("tools/call", params).await["result"].clone()
    }

    /// Calls a tool that must do its work.
    async fn call(&mut self, name: &str, arguments: Value) -> Value {
        let result = self.tool(name, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let structured = result["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured);
        structured
    }

    /// Calls a tool that must refuse.
    async fn refusal(&mut self, name: &str, arguments: Value) -> Value {
        let result = self.tool(name, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        let structured = result["structuredContent"].clone();
        assert_eq!(result["content"][0]["text"], structured["message"]);
        structured
    }

    async fn write(&mut self, topic: &str, body: &str) -> String {
        let arguments = json!({"brain": "personal", "topic": topic, "body": body});
        let reply = self.call("write", arguments).await;
        reply["id"].as_str().unwrap().to_owned()
    }

    /// Calls a tool that asks; the person answers; its reply.
    async fn asked(&mut self, name: &str, arguments: Value, answer: Value) -> (String, Value) {
        if self.modern.is_some() {
            let asked = self.tool(name, arguments.clone()).await;
            assert_eq!(asked["resultType"], "input_required", "{asked}");
            let (key, question) = asked["inputRequests"]
                .as_object()
                .unwrap()
                .iter()
                .next()
                .unwrap();
            let params = json!({
                "name": name, "arguments": arguments,
                "inputResponses": {key: answer}, "requestState": asked["requestState"],
            });
            let reply = self.request("tools/call", params).await;
            let message = question["params"]["message"].as_str().unwrap();
            return (message.to_owned(), reply["result"].clone());
        }
        let params = json!({"name": name, "arguments": arguments});
        let id = self.ask("tools/call", params).await;
        let question = self.other("elicitation/create").await;
        self.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}))
            .await;
        let message = question["params"]["message"].as_str().unwrap().to_owned();
        (message, self.answer(id).await["result"].clone())
    }

    async fn close(mut self) -> Vec<Value> {
        self.write.shutdown().await.unwrap();
        let mut rest = Vec::from(std::mem::take(&mut self.aside));
        while let Some(message) = self.line().await {
            rest.push(message);
        }
        self.server.await.unwrap().unwrap();
        rest
    }
}

fn can_ask() -> Value {
    json!({"elicitation": {}})
}

fn accepts(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

/// Clients of both eras, each on a store of its own.
async fn both(capabilities: Value) -> Vec<(TempDir, Client)> {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let legacy = Client::legacy(app(one.path()), "legacy", capabilities.clone()).await;
    let modern = Client::modern(app(other.path()), "modern", capabilities);
    vec![(one, legacy), (other, modern)]
}

#[tokio::test]
async fn a_client_that_starts_clumsily_is_served() {
    let dir = tempfile::tempdir().unwrap();
    let mut client = Client::new(app(dir.path()), None);
    client
        .bytes(b"\xef\xbb\xbf\n\r\nHello?\n\xff\xfe{}\n{\"a\":\n")
        .await;
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;
    client
        .send(json!({"jsonrpc": "2.0", "id": 99, "result": {}}))
        .await;
    client.greet("clumsy", json!({})).await;
    let mut long = vec![b'x'; LINE + 1];
    long.push(b'\n');
    client.bytes(&long).await;
    client.bytes(b"no json\n\xff\xff\n").await;
    assert_eq!(client.request("ping", json!({})).await["result"], json!({}));
    let brains = client.call("brains", json!({})).await;
    assert_eq!(brains["brains"][0]["brain"], "personal");
    client.close().await;
}

#[tokio::test]
async fn what_no_method_or_tool_is_called_is_an_error_of_the_protocol() {
    for (_dir, mut client) in both(json!({})).await {
        let unknown = client
            .request("tools/call", json!({"name": "forget"}))
            .await;
        assert_eq!(unknown["error"]["code"], -32602);
        let unreadable = json!({"name": 5});
        let unreadable = client.request("tools/call", unreadable).await;
        assert_eq!(unreadable["error"]["code"], -32602);
        let unknown = client.request("tools/forget", json!({})).await;
        assert_eq!(unknown["error"]["code"], -32601);
        let none = client.request("tools/call", json!({"name": "fetch"})).await;
        assert_eq!(none["result"]["structuredContent"]["code"], "invalid");
        client.close().await;
    }
}

#[tokio::test]
async fn calls_that_run_when_the_client_leaves_are_answered() {
    let dir = tempfile::tempdir().unwrap();
    let mut client = Client::legacy(app(dir.path()), "hasty", json!({})).await;
    for unit in 0..30 {
        let arguments = json!({"brain": "personal", "topic": format!("t/{unit}"), "body": "b"});
        client
            .ask(
                "tools/call",
                json!({"name": "write", "arguments": arguments}),
            )
            .await;
    }
    let rest = client.close().await;
    let answers = rest.iter().filter(|message| message["id"].is_u64());
    assert_eq!(answers.count(), 30);
}

#[tokio::test]
async fn a_store_that_cannot_be_opened_is_told_and_works_once_it_can() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_owned();
    let mended = Arc::new(AtomicBool::new(false));
    let ready = Arc::clone(&mended);
    let app = App::new(move || {
        if !ready.load(Ordering::Relaxed) {
            return Err(Refusal::unavailable("The disk is on holiday."));
        }
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
        Ok(store)
    });
    let mut client = Client::legacy(app, "patient", json!({})).await;
    let refusal = client.refusal("brains", json!({})).await;
    assert_eq!(refusal["code"], "unavailable");
    assert_eq!(refusal["message"], "The disk is on holiday.");
    let listed = client.request("resources/list", json!({})).await;
    assert_eq!(listed["error"]["data"]["code"], "unavailable");
    mended.store(true, Ordering::Relaxed);
    client.call("brains", json!({})).await;
    client.close().await;
}

/// A store that stumbles when told to.
struct Stumbling(SqliteStore, Arc<AtomicBool>);

impl Store for Stumbling {
    fn reading(
        &self,
        work: &mut dyn FnMut(&dyn Records) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        assert!(!self.1.load(Ordering::Relaxed), "stumbled");
        self.0.reading(work)
    }
    fn writing(&self, decide: Decide) -> Result<Option<EventId>, Refusal> {
        assert!(!self.1.load(Ordering::Relaxed), "stumbled");
        self.0.writing(decide)
    }
    fn scrub(&self) -> Result<bool, Refusal> {
        self.0.scrub()
    }
    fn delivered(&self, deliveries: Vec<Delivery>) {
        self.0.delivered(deliveries);
    }
    fn called(&self, connection: &ConnectionName, at: Timestamp) {
        self.0.called(connection, at);
    }
    fn on_change(&self, on_change: OnChange) {
        self.0.on_change(on_change);
    }
    fn place(&self) -> String {
        self.0.place()
    }
}

#[tokio::test]
async fn a_panic_refuses_one_call_and_ends_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_owned();
    let stumbles = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stumbles);
    let app = App::new(move || {
        let store: Arc<dyn Store> =
            Arc::new(Stumbling(SqliteStore::open(&path)?, Arc::clone(&told)));
        Ok(store)
    });
    let mut client = Client::legacy(app, "unlucky", json!({})).await;
    client.call("brains", json!({})).await;
    stumbles.store(true, Ordering::Relaxed);
    for (tool, arguments) in [
        ("brains", json!({})),
        (
            "write",
            json!({"brain": "personal", "topic": "t", "body": "b"}),
        ),
    ] {
        let refusal = client.refusal(tool, arguments).await;
        assert_eq!(refusal["code"], Code::Unavailable.as_str());
    }
    stumbles.store(false, Ordering::Relaxed);
    client.write("t", "b").await;
    client.close().await;
}

#[tokio::test]
async fn the_connection_is_named_by_its_configuration_else_by_the_client() {
    let dir = tempfile::tempdir().unwrap();
    let app = app(dir.path());
    let mut named = Client::new(Arc::clone(&app), Some("Cursor on this computer"));
    named.greet("cursor-vscode", json!({})).await;
    let id = named.write("a", "One").await;
    let by = named.call("fetch", json!({"id": id})).await["metadata"]["agent"].clone();
    assert_eq!(by, "Cursor on this computer (cursor-vscode 1.0)");
    let mut unnamed = Client::legacy(Arc::clone(&app), " claude-ai ", json!({})).await;
    let id = unnamed.write("b", "Two").await;
    let by = unnamed.call("fetch", json!({"id": id})).await["metadata"]["agent"].clone();
    assert_eq!(by, "claude-ai (claude-ai 1.0)");
    let mut nameless = Client::legacy(app, "\u{7}", json!({})).await;
    let id = nameless.write("c", "Three").await;
    let by = nameless.call("fetch", json!({"id": id})).await["metadata"]["agent"].clone();
    assert!(by.as_str().unwrap().starts_with("mcp"), "{by}");
}

#[tokio::test]
async fn the_person_is_asked_and_what_they_say_is_done() {
    for (_dir, mut client) in both(can_ask()).await {
        let id = client.write("doors", "Door 7 is open").await;
        let ask = json!({"id": id});
        let yes = accepts(json!({"verdict": "still_true"}));
        let (question, reply) = client.asked("confirm", ask.clone(), yes).await;
        assert!(question.contains("Door 7 is open"), "{question}");
        assert_eq!(reply["structuredContent"]["outcome"], "confirmed");

        for closed in ["decline", "cancel"] {
            let (_, reply) = client
                .asked("confirm", ask.clone(), json!({"action": closed}))
                .await;
            assert_eq!(reply["structuredContent"]["outcome"], "declined");
        }

        let changed = accepts(json!({"verdict": "changed", "new_text": " "}));
        let (_, reply) = client.asked("confirm", ask.clone(), changed).await;
        assert_eq!(reply["structuredContent"]["outcome"], "ask_person");
        let question = reply["structuredContent"]["question"].as_str().unwrap();
        assert!(question.contains("what is true now"), "{question}");

        let changed = accepts(json!({"verdict": "changed", "new_text": "Door 7 is shut"}));
        let (_, reply) = client.asked("confirm", ask.clone(), changed).await;
        assert_eq!(reply["structuredContent"]["outcome"], "updated");
        let unit = client.call("fetch", ask.clone()).await;
        assert_eq!(unit["text"], "Door 7 is shut");

        let unknown = accepts(json!({"verdict": "unknown"}));
        let (_, reply) = client.asked("confirm", ask, unknown).await;
        assert_eq!(reply["structuredContent"]["outcome"], "noted");
        client.close().await;
    }
}

#[tokio::test]
async fn a_conflict_is_settled_only_if_the_person_agrees() {
    for (dir, mut client) in both(can_ask()).await {
        let mut other = Client::legacy(app(dir.path()), "other", json!({})).await;
        let id = client.write("q3", "Status: delayed").await;
        other.write("q3", "Status: on track").await;
        let version =
            client.call("fetch", json!({"id": id})).await["metadata"]["conflict"]["version"]
                .clone();
        let settle = json!({
            "id": id, "version": version, "choice": "restore", "revision": 1,
            "decision": "It is delayed",
        });
        for no in [
            accepts(json!({"agree": "no"})),
            json!({"action": "decline"}),
            json!({"action": "cancel"}),
        ] {
            let (question, reply) = client.asked("resolve", settle.clone(), no).await;
            assert!(question.contains("delayed"), "{question}");
            assert_eq!(reply["structuredContent"]["code"], "not_allowed");
        }
        let yes = accepts(json!({"agree": "yes"}));
        let (_, reply) = client.asked("resolve", settle.clone(), yes).await;
        assert_eq!(reply["structuredContent"]["outcome"], "resolved", "{reply}");
        // Nothing is open any more: nobody is asked about it.
        let moved = client.call("resolve", settle).await;
        assert_eq!(moved["outcome"], "moved");
        client.close().await;
        other.close().await;
    }
}

#[tokio::test]
async fn a_client_that_cannot_ask_gets_the_question() {
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        for (_dir, mut client) in both(capabilities.clone()).await {
            let id = client.write("doors", "Door 7 is open").await;
            let reply = client.call("confirm", json!({"id": id})).await;
            assert_eq!(reply["outcome"], "ask_person");
            client.close().await;
        }
    }
}

#[tokio::test]
async fn a_client_that_fails_to_ask_gets_the_question() {
    let dir = tempfile::tempdir().unwrap();
    let mut client = Client::legacy(app(dir.path()), "shy", can_ask()).await;
    let id = client.write("doors", "Door 7 is open").await;
    let params = json!({"name": "confirm", "arguments": {"id": id}});
    let call = client.ask("tools/call", params).await;
    let question = client.other("elicitation/create").await;
    let error = json!({"code": -32603, "message": "no window"});
    client
        .send(json!({"jsonrpc": "2.0", "id": question["id"], "error": error}))
        .await;
    let reply = client.answer(call).await["result"].clone();
    assert_eq!(reply["structuredContent"]["outcome"], "ask_person");
    client.close().await;
}

#[tokio::test]
async fn a_sealed_question_opens_for_its_own_call_alone() {
    let dir = tempfile::tempdir().unwrap();
    let app = app(dir.path());
    let mut client = Client::modern(Arc::clone(&app), "one", can_ask());
    let id = client.write("doors", "Door 7 is open").await;
    let second = client.write("windows", "Window 2 is open").await;
    let asked = client.tool("confirm", json!({"id": id})).await;
    let answer = json!({"person": accepts(json!({"verdict": "still_true"}))});
    let state = asked["requestState"].as_str().unwrap();
    let forged = format!("{}{}", &state[..state.len() - 4], "AAAA");
    let retry = |id: &str, state: &str| {
        json!({
            "name": "confirm", "arguments": {"id": id},
            "inputResponses": answer, "requestState": state,
        })
    };
    let mut stranger = Client::modern(app, "two", can_ask());
    for refused in [
        client.request("tools/call", retry(&second, state)).await,
        client.request("tools/call", retry(&id, &forged)).await,
        stranger.request("tools/call", retry(&id, state)).await,
    ] {
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    // Without an answer the person is asked again.
    let params = json!({"name": "confirm", "arguments": {"id": id}, "requestState": state});
    let again = client.request("tools/call", params).await;
    assert_eq!(again["result"]["resultType"], "input_required");
    let done = client.request("tools/call", retry(&id, state)).await;
    assert_eq!(done["result"]["structuredContent"]["outcome"], "confirmed");
}

#[tokio::test]
async fn an_answer_counts_once() {
    let dir = tempfile::tempdir().unwrap();
    let shared = app(dir.path());
    let mut client = Client::modern(Arc::clone(&shared), "one", can_ask());
    let id = client.write("doors", "Door 7 is open").await;
    let arguments = json!({"id": id});
    let retry = |state: &Value, answer: &Value| {
        json!({
            "name": "confirm", "arguments": arguments,
            "inputResponses": {"person": answer}, "requestState": state,
        })
    };
    let declines = json!({"action": "decline"});
    let yes = accepts(json!({"verdict": "still_true"}));
    let asked = client.tool("confirm", arguments.clone()).await;
    let declined = client
        .request("tools/call", retry(&asked["requestState"], &declines))
        .await;
    let outcome = &declined["result"]["structuredContent"]["outcome"];
    assert_eq!(outcome, "declined", "{declined}");
    // The same question cannot be answered otherwise now: it is put anew.
    let anew = client
        .request("tools/call", retry(&asked["requestState"], &yes))
        .await;
    assert_eq!(anew["result"]["resultType"], "input_required", "{anew}");
    let state = anew["result"]["requestState"].clone();
    let done = client.request("tools/call", retry(&state, &yes)).await;
    let outcome = &done["result"]["structuredContent"]["outcome"];
    assert_eq!(outcome, "confirmed", "{done}");
    // Nor in another process, which knows of no answers: the confirm moved it.
    let mut elsewhere = Client::modern(app(dir.path()), "one", can_ask());
    let again = elsewhere.request("tools/call", retry(&state, &yes)).await;
    assert_eq!(again["result"]["resultType"], "input_required", "{again}");
}

#[tokio::test]
async fn a_settlement_that_was_declined_is_asked_about_again() {
    let dir = tempfile::tempdir().unwrap();
    let shared = app(dir.path());
    let mut client = Client::modern(Arc::clone(&shared), "one", can_ask());
    let mut other = Client::legacy(shared, "other", json!({})).await;
    let id = client.write("q3", "Status: delayed").await;
    other.write("q3", "Status: on track").await;
    let unit = client.call("fetch", json!({"id": id})).await;
    let settle = json!({
        "id": id, "version": unit["metadata"]["conflict"]["version"],
        "choice": "restore", "revision": 1, "decision": "It is delayed",
    });
    let asked = client.tool("resolve", settle.clone()).await;
    let answer = |answer: Value| {
        json!({
            "name": "resolve", "arguments": settle,
            "inputResponses": {"person": answer}, "requestState": asked["requestState"],
        })
    };
    let no = answer(json!({"action": "decline"}));
    let no = client.request("tools/call", no).await;
    assert_eq!(no["result"]["structuredContent"]["code"], "not_allowed");
    let yes = answer(accepts(json!({"agree": "yes"})));
    let yes = client.request("tools/call", yes).await;
    assert_eq!(yes["result"]["resultType"], "input_required", "{yes}");
}

#[tokio::test]
async fn a_settlement_that_nobody_answers_is_no_settlement() {
    let dir = tempfile::tempdir().unwrap();
    let app = app(dir.path());
    let mut client = Client::legacy(Arc::clone(&app), "one", can_ask()).await;
    let mut other = Client::legacy(app, "other", json!({})).await;
    let id = client.write("q3", "Status: delayed").await;
    other.write("q3", "Status: on track").await;
    let unit = client.call("fetch", json!({"id": id})).await;
    let settle = json!({
        "id": id, "version": unit["metadata"]["conflict"]["version"],
        "choice": "keep_head", "decision": "Keep it",
    });
    let params = json!({"name": "resolve", "arguments": settle});
    let call = client.ask("tools/call", params).await;
    client.other("elicitation/create").await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(10 * 60 + 1)).await;
    tokio::time::resume();
    let reply = client.answer(call).await["result"].take();
    assert_eq!(reply["structuredContent"]["code"], "not_allowed", "{reply}");
    let unit = client.call("fetch", json!({"id": id})).await;
    assert_eq!(unit["metadata"]["conflicted"], true);
}

#[tokio::test]
async fn topics_are_resources() {
    for (_dir, mut client) in both(json!({})).await {
        client.write("clients/meridian", "They pay late").await;
        let listed = client.request("resources/list", json!({})).await;
        let resource = listed["result"]["resources"][0].clone();
        assert_eq!(
            resource,
            json!({
                "uri": "ozbrain://personal/clients/meridian",
                "name": "personal/clients/meridian",
                "title": "clients/meridian",
                "description": "1 unit",
                "mimeType": "text/markdown",
            })
        );
        for uri in [
            "ozbrain://personal/clients/meridian",
            "ozbrain://personal/clients",
        ] {
            let read = client.request("resources/read", json!({"uri": uri})).await;
            let contents = read["result"]["contents"][0].clone();
            assert_eq!(contents["uri"], uri);
            assert!(contents["text"].as_str().unwrap().contains("They pay late"));
        }
        let missing = if client.modern.is_some() {
            -32602
        } else {
            -32002
        };
        for uri in [
            "ozbrain://personal/x",
            "ozbrain://team/x",
            "file:///etc/passwd",
        ] {
            let read = client.request("resources/read", json!({"uri": uri})).await;
            assert_eq!(read["error"]["code"], missing, "{uri}");
        }
        client.close().await;
    }
}

#[tokio::test]
async fn a_change_in_another_process_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Client::legacy(app(dir.path()), "writer", json!({})).await;
    writer.write("clients/meridian", "They pay late").await;

    let mut legacy = Client::legacy(app(dir.path()), "legacy", json!({})).await;
    let uri = "ozbrain://personal/clients";
    let done = legacy
        .request("resources/subscribe", json!({"uri": uri}))
        .await;
    assert_eq!(done["result"], json!({}));
    let mut modern = Client::modern(app(dir.path()), "modern", json!({}));
    let wanted = json!({"notifications": {
        "resourcesListChanged": true, "toolsListChanged": true, "resourceSubscriptions": [uri],
    }});
    modern.ask("subscriptions/listen", wanted).await;
    let acknowledged = modern
        .other("notifications/subscriptions/acknowledged")
        .await;
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"resourcesListChanged": true, "resourceSubscriptions": [uri]})
    );
    // The watch begins when its first look is done.
    tokio::time::sleep(Duration::from_millis(200)).await;

    writer.write("clients/meridian/people", "Ada signs").await;
    for client in [&mut legacy, &mut modern] {
        let updated = client.other("notifications/resources/updated").await;
        assert_eq!(updated["params"]["uri"], uri);
        client.other("notifications/resources/list_changed").await;
    }

    let params = json!({"uri": uri});
    legacy.request("resources/unsubscribe", params).await;
    writer
        .write("clients/meridian/people", "Ada and Bo sign")
        .await;
    writer.write("elsewhere", "Nothing").await;
    let next = legacy.line().await.unwrap();
    assert_eq!(next["method"], "notifications/resources/list_changed");
}

#[tokio::test]
async fn every_topic_is_listed_page_by_page() {
    let dir = tempfile::tempdir().unwrap();
    let app = app(dir.path());
    let mut client = Client::legacy(Arc::clone(&app), "reader", json!({})).await;
    let mut watcher = Client::legacy(app, "watcher", json!({})).await;
    let mut writes = Vec::new();
    for topic in 0..450 {
        let params = json!({"name": "write", "arguments":
            {"brain": "personal", "topic": format!("a/{topic:03}/é"), "body": "b"}});
        writes.push(client.ask("tools/call", params).await);
    }
    while !writes.is_empty() {
        let answer = client.line().await.unwrap();
        writes.retain(|id| answer["id"] != *id);
    }
    let mut uris = Vec::new();
    let mut params = json!({});
    loop {
        let page = client.request("resources/list", params).await["result"].take();
        let resources = page["resources"].as_array().unwrap();
        assert!(resources.len() <= 200);
        uris.extend(resources.iter().map(|one| one["uri"].clone()));
        match page.get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => break,
        }
    }
    assert_eq!(uris.len(), 450);
    assert!(uris.is_sorted_by_key(|uri| uri.as_str().unwrap().to_owned()));
    let wrong = client
        .request("resources/list", json!({"cursor": "7"}))
        .await;
    assert_eq!(wrong["error"]["code"], -32602);
    // A topic far down the list is news too.
    watcher.request("ping", json!({})).await;
    tokio::time::sleep(Duration::from_millis(1_000)).await;
    while tokio::time::timeout(Duration::from_millis(100), watcher.read.next_line())
        .await
        .is_ok()
    {}
    client.write("z/very/deep/down/there", "News").await;
    watcher.other("notifications/resources/list_changed").await;
}

#[tokio::test]
async fn a_move_is_told_at_both_places_and_a_grant_to_whom_it_concerns() {
    let dir = tempfile::tempdir().unwrap();
    let app = app(dir.path());
    let mut writer = Client::legacy(Arc::clone(&app), "writer", json!({})).await;
    let id = writer.write("leads/meridian", "They pay late").await;
    writer.write("clients/acme", "They pay").await;
    let mut reader = Client::legacy(Arc::clone(&app), "reader", json!({})).await;
    for uri in ["ozbrain://personal/leads", "ozbrain://personal/clients"] {
        reader
            .request("resources/subscribe", json!({"uri": uri}))
            .await;
    }
    // The watch begins when its first look is done.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let moved = json!({"brain": "personal", "id": id, "topic": "clients/meridian"});
    writer.call("write", moved).await;
    let mut told = Vec::new();
    for _ in 0..2 {
        let updated = reader.other("notifications/resources/updated").await;
        told.push(updated["params"]["uri"].as_str().unwrap().to_owned());
    }
    told.sort();
    assert_eq!(
        told,
        ["ozbrain://personal/clients", "ozbrain://personal/leads"]
    );
    reader.other("notifications/resources/list_changed").await;
    for grant in [Grant::None, Grant::Read] {
        person(&app, |call| {
            use_cases::grant(call, "personal", "reader", grant, None)
        });
        reader.other("notifications/resources/list_changed").await;
        let listed = reader.request("resources/list", json!({})).await;
        let resources = listed["result"]["resources"].as_array().unwrap().len();
        assert_eq!(resources == 0, grant == Grant::None);
    }
}

#[tokio::test]
async fn prompts_bring_their_material() {
    for (_dir, mut client) in both(json!({})).await {
        client.write("clients/meridian", "They pay late").await;
        let old = json!({
            "brain": "personal", "topic": "limits", "body": "500 a minute",
            "observed_at": "2020-01-01T00:00:00Z",
        });
        client.call("write", old).await;
        let brief = json!({"name": "brief_me", "arguments": {"topic": "Clients"}});
        let brief = client.request("prompts/get", brief).await;
        let text = |got: &Value| {
            got["result"]["messages"][0]["content"]["text"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert!(text(&brief).contains("They pay late"));
        let none = json!({"name": "brief_me", "arguments": {"topic": "client"}});
        let none = client.request("prompts/get", none).await;
        assert!(text(&none).contains("holds nothing"), "{}", text(&none));
        let needs = client
            .request("prompts/get", json!({"name": "what_needs_me"}))
            .await;
        assert!(text(&needs).contains("Stale facts"), "{}", text(&needs));
        assert!(text(&needs).contains("500 a minute"));
        for wrong in [
            json!({"name": "brief_me"}),
            json!({"name": "brief_me", "arguments": {"topic": " / "}}),
            json!({"name": "else"}),
        ] {
            let wrong = client.request("prompts/get", wrong).await;
            assert_eq!(wrong["error"]["code"], -32602);
        }
        client.close().await;
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_are_a_tool_error() {
    for (_dir, mut client) in both(json!({})).await {
        for arguments in [json!(5), json!([]), json!("x"), json!(true)] {
            let params = json!({"name": "search", "arguments": arguments});
            let result = client.request("tools/call", params).await["result"].take();
            assert_eq!(result["isError"], true, "{result}");
            let modern = client.modern.is_some();
            assert_eq!(result.get("resultType").is_some(), modern, "{result}");
            assert_eq!(result["structuredContent"]["code"], "invalid");
        }
        client.close().await;
    }
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_answered() {
    for (_dir, mut client) in both(json!({})).await {
        client.write("kept", "Kept").await;
        let modern = client.modern.is_some();
        let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
        for argument in [
            br#""\ud800""#.to_vec(),
            b"1e400".to_vec(),
            b"\"\xc3\x28\"".to_vec(),
            deep.into_bytes(),
        ] {
            let mut line = br#"{"params":{"name":"fetch","arguments":{"id":"#.to_vec();
            line.extend(&argument);
            line.extend(b"}},\"method\":\"tools/call\",\"jsonrpc\":\"2.0\",\"id\":700}\n");
            client.bytes(&line).await;
            let result = client.answer(700).await["result"].clone();
            assert_eq!(result["structuredContent"]["code"], "invalid", "{result}");
            assert_eq!(result["isError"], true);
            assert_eq!(result.get("resultType").is_some(), modern, "{result}");
            let mut line = br#"{"jsonrpc":"2.0","id":"p","method":"ping","params":{"x":"#.to_vec();
            line.extend(&argument);
            line.extend(b"}}\n");
            client.bytes(&line).await;
            let answer = client.line().await.unwrap();
            assert_eq!(answer["id"], "p", "{answer}");
            assert_eq!(answer["error"]["code"], -32600, "{answer}");
        }
        for line in [
            r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1e400,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#,
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "42",
        ] {
            client.bytes(format!("{line}\n").as_bytes()).await;
            let answer = client.line().await.unwrap();
            assert_eq!(answer.get("id"), Some(&Value::Null), "{line}: {answer}");
            assert_eq!(answer["error"]["code"], -32600, "{line}");
        }
        client.close().await;
    }
}

#[tokio::test]
async fn an_answer_of_the_person_that_cannot_be_read_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let mut client = Client::legacy(app(dir.path()), "one", can_ask()).await;
    let id = client.write("doors", "Door 7 is open").await;
    let params = json!({"name": "confirm", "arguments": {"id": id}});
    let call = client.ask("tools/call", params).await;
    let question = client.other("elicitation/create").await["id"].clone();
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":{question},"result":{{"action":"accept","content":{{"verdict":"changed","new_text":"\ud800"}}}}}}"#
    );
    client.bytes(format!("{answer}\n").as_bytes()).await;
    let reply = client.answer(call).await["result"].take();
    assert_eq!(reply["structuredContent"]["outcome"], "declined", "{reply}");
    let unit = client.call("fetch", json!({"id": id})).await;
    assert_eq!(unit["text"], "Door 7 is open");
    client.close().await;
}

#[tokio::test]
async fn a_line_past_every_length_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let mut client = Client::legacy(app(dir.path()), "long", json!({})).await;
    let filler = vec![b'x'; LINE + 10];
    client
        .bytes(br#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"fetch","arguments":{"id":""#)
        .await;
    client.bytes(&filler).await;
    client.bytes(b"\"}},\"id\":801}\n").await;
    let answer = client.answer(801).await;
    assert_eq!(answer["result"]["structuredContent"]["code"], "too_large");
    client
        .bytes(br#"{"jsonrpc":"2.0","id":802,"method":"ping","params":{"x":""#)
        .await;
    client.bytes(&filler).await;
    client.bytes(b"\"}}\n").await;
    assert_eq!(client.answer(802).await["error"]["code"], -32600);
    client.call("brains", json!({})).await;
    client.close().await;
}

/// A store whose writes wait for a gate.
struct Gated(SqliteStore, Arc<std::sync::Mutex<()>>);

impl Store for Gated {
    fn reading(
        &self,
        work: &mut dyn FnMut(&dyn Records) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.0.reading(work)
    }
    fn writing(&self, decide: Decide) -> Result<Option<EventId>, Refusal> {
        let _open = self.1.lock().unwrap();
        self.0.writing(decide)
    }
    fn scrub(&self) -> Result<bool, Refusal> {
        self.0.scrub()
    }
    fn delivered(&self, deliveries: Vec<Delivery>) {
        self.0.delivered(deliveries);
    }
    fn called(&self, connection: &ConnectionName, at: Timestamp) {
        self.0.called(connection, at);
    }
    fn on_change(&self, on_change: OnChange) {
        self.0.on_change(on_change);
    }
    fn place(&self) -> String {
        self.0.place()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_greeting_waits_for_no_other_program() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_owned();
    let gate = Arc::new(std::sync::Mutex::new(()));
    let kept = Arc::clone(&gate);
    let app = App::new(move || {
        let store: Arc<dyn Store> = Arc::new(Gated(SqliteStore::open(&path)?, Arc::clone(&kept)));
        Ok(store)
    });
    let (held, release) = (std::sync::mpsc::channel(), std::sync::mpsc::channel::<()>());
    let holder = std::thread::spawn(move || {
        let _closed = gate.lock().unwrap();
        held.0.send(()).unwrap();
        let _ = release.1.recv();
    });
    held.1.recv().unwrap();
    let began = std::time::Instant::now();
    let mut client = Client::legacy(app, "newcomer", json!({})).await;
    client.request("tools/list", json!({})).await;
    assert!(
        began.elapsed() < Duration::from_secs(3),
        "{:?}",
        began.elapsed()
    );
    release.0.send(()).unwrap();
    holder.join().unwrap();
    let id = client.write("a", "It is met").await;
    let unit = client.call("fetch", json!({"id": id})).await;
    assert_eq!(unit["metadata"]["agent"], "newcomer (newcomer 1.0)");
    client.close().await;
}
