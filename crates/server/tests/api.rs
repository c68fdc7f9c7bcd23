//! `/api` by its addresses, on the real router and a real store.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails where a step does"
)]

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use axum::http::{HeaderMap, Request};
use futures_util::StreamExt;
use ozbrain_connect::{DataFolder, Environment, InstalledClients, Platform, ThisComputer};
use ozbrain_core::ports::Store;
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{Agent, ConnectionName, Session, Timestamp};
use ozbrain_server::{App, api, http, keys, now, sign_in_link};
use ozbrain_sqlite::SqliteStore;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tower::ServiceExt;

const HOST: &str = "127.0.0.1:4747";

/// The doors of one server.
struct Doors {
    folder: TempDir,
    app: Arc<App>,
    router: Router,
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    #[track_caller]
    fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }

    #[track_caller]
    fn refused(self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        let refusal = self.json();
        assert_eq!(refusal["code"], code, "{refusal}");
        refusal["message"].as_str().unwrap().to_owned()
    }
}

impl Doors {
    fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    fn at(folder: TempDir) -> Self {
        let path = folder.path().to_owned();
        let app = App::new(move || {
            let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
            Ok(store)
        });
        app.knows_clients(Ok(Arc::new(clients(folder.path()))));
        let router = http::router(Arc::clone(&app));
        Self {
            folder,
            app,
            router,
        }
    }

    /// Another process on the same store.
    fn other(&self) -> SqliteStore {
        SqliteStore::open(self.folder.path()).unwrap()
    }

    fn restarted(self) -> Self {
        let Self {
            folder,
            app,
            router,
        } = self;
        app.close();
        drop((app, router));
        Self::at(folder)
    }

    fn token(&self) -> String {
        let link = sign_in_link(&*self.app.store().unwrap(), HOST).unwrap();
        let (address, token) = link.split_once("/#token=").unwrap();
        assert_eq!(address, format!("http://{HOST}"));
        token.to_owned()
    }

    async fn sign_in(&self) -> String {
        let body = json!({"token": self.token()});
        let reply = self.post("/api/sign-in", None, body).await.ok();
        reply["bearer"].as_str().unwrap().to_owned()
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let (head, body) = self
            .router
            .clone()
            .oneshot(request)
            .await
            .unwrap()
            .into_parts();
        let body = to_bytes(body, 1 << 24).await.unwrap();
        Answer {
            status: head.status.as_u16(),
            headers: head.headers,
            text: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    async fn call(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request = request.header("Host", HOST);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::from(body.to_owned())).unwrap())
            .await
    }

    async fn get(&self, path: &str, bearer: &str) -> Answer {
        let bearer = format!("Bearer {bearer}");
        self.call("GET", path, &[("Authorization", &bearer)], "")
            .await
    }

    async fn post(&self, path: &str, bearer: Option<&str>, body: Value) -> Answer {
        let bearer = bearer.map(|bearer| format!("Bearer {bearer}"));
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend(bearer.as_deref().map(|bearer| ("Authorization", bearer)));
        self.call("POST", path, &headers, &body.to_string()).await
    }
}

/// The clients of a home that is made in this folder when one is connected.
fn clients(folder: &Path) -> InstalledClients {
    let home = folder.join("home");
    let environment = Environment::at(Platform::Linux, &home, BTreeMap::new());
    let data = DataFolder {
        path: folder.to_owned(),
        usual: false,
    };
    let program = Ok("/usr/bin/ozbrain".into());
    InstalledClients::new(environment, Arc::new(ThisComputer::alone()), program, data)
}

/// A key of a connection for MCP.
fn key(store: &dyn Store, name: &str) -> String {
    let key = keys::new_key().unwrap();
    let agent = Agent {
        connection: ConnectionName::cli(),
        client: None,
        session: "cli".into(),
    };
    let began = use_cases::meet(store, &agent, now()).unwrap();
    let session = Arc::new(Session::new(agent, began));
    let call = Call {
        store,
        session: &session,
        now: now(),
    };
    use_cases::create_connection(call, name, keys::hash(&key)).unwrap();
    key
}

#[test]
fn the_document_is_the_committed_one() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/api/openapi.json");
    let served = api::openapi();
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(&file, &served).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == served,
        "ui/src/api/openapi.json is not what the server serves. Write it anew with\n\
         UPDATE_OPENAPI=1 cargo test -p ozbrain-server --test api document\n\
         and then run `npm run api` in ui/."
    );
}

#[test]
fn the_routes() {
    let document: Value = serde_json::from_str(&api::openapi()).unwrap();
    let routes: Vec<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().iter();
            methods.map(move |(method, operation)| {
                let names = |list: &Value, key: Option<&str>| {
                    let names = list.as_array().into_iter().flatten();
                    let name = names.map(|name| key.map_or(name, |key| &name[key]));
                    name.filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
                };
                let open = operation["security"].is_array();
                format!(
                    "{} {path}: {} ({}){}",
                    method.to_uppercase(),
                    operation["operationId"].as_str().unwrap(),
                    names(&operation["parameters"], Some("name")),
                    if open { " without a bearer" } else { "" },
                )
            })
        })
        .collect();
    insta::assert_json_snapshot!(routes);
}

#[tokio::test]
async fn a_link_signs_in_once() {
    let doors = Doors::new();
    let token = doors.token();
    let body = json!({"token": token});
    let reply = doors.post("/api/sign-in", None, body.clone()).await.ok();
    let bearer = reply["bearer"].as_str().unwrap();
    assert_eq!(bearer.len(), 64);
    assert!(reply["expires_at"].as_str().unwrap().ends_with('Z'));
    let message = doors
        .post("/api/sign-in", None, body)
        .await
        .refused(401, "not_allowed");
    assert!(message.contains("ozbrain serve"), "{message}");
    doors.get("/api/topics", bearer).await.ok();
}

#[tokio::test]
async fn a_link_of_two_minutes_ago_signs_nobody_in() {
    let doors = Doors::new();
    let old = Timestamp::from_millis(now().millis() - 120_000);
    use_cases::allow_sign_in(&doors.other(), keys::hash("old"), old).unwrap();
    let body = json!({"token": "old"});
    let message = doors
        .post("/api/sign-in", None, body)
        .await
        .refused(401, "not_allowed");
    assert!(message.contains("2 minutes"), "{message}");
}

#[tokio::test]
async fn of_tabs_that_open_one_link_at_once_one_is_signed_in() {
    let doors = Doors::new();
    let body = json!({"token": doors.token()});
    let tries = (0..8).map(|_| doors.post("/api/sign-in", None, body.clone()));
    let answers = futures_util::future::join_all(tries).await;
    let statuses = answers.iter().map(|answer| answer.status);
    assert_eq!(statuses.clone().filter(|status| *status == 200).count(), 1);
    assert_eq!(statuses.filter(|status| *status == 401).count(), 7);
}

#[tokio::test]
async fn what_is_no_token_is_told_so_and_leaves_no_trace() {
    let doors = Doors::new();
    let wrong = "0".repeat(64);
    for token in ["", "wrong", &wrong] {
        let body = json!({"token": token});
        doors
            .post("/api/sign-in", None, body)
            .await
            .refused(401, "not_allowed");
    }
    let last = (&doors.other() as &dyn Store)
        .read(|records| records.last_event())
        .unwrap();
    assert_eq!(last, 0);
    for (body, words) in [
        (json!({}), "token"),
        (json!({"token": 7}), "`token`"),
        (json!({"token": "x", "more": 1}), "`more`"),
        (json!([]), "object"),
    ] {
        let answer = doors.post("/api/sign-in", None, body).await;
        let message = answer.refused(400, "invalid");
        assert!(message.contains(words), "{message}");
    }
    let long = json!({"token": "x".repeat(5_000)});
    doors
        .post("/api/sign-in", None, long)
        .await
        .refused(413, "too_large");
}

#[tokio::test]
async fn a_tab_lives_over_a_restart_and_ends_when_it_is_signed_out() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let doors = doors.restarted();
    doors.get("/api/topics", &bearer).await.ok();
    let link = doors
        .post("/api/sign-in-links", Some(&bearer), json!({}))
        .await
        .ok();
    let url = link["url"].as_str().unwrap();
    let token = url
        .strip_prefix(&format!("http://{HOST}/#token="))
        .unwrap_or_else(|| panic!("{url}"));
    let other = doors
        .post("/api/sign-in", None, json!({"token": token}))
        .await
        .ok();
    doors
        .post("/api/sign-out", Some(&bearer), json!({}))
        .await
        .ok();
    let message = doors
        .get("/api/topics", &bearer)
        .await
        .refused(401, "not_allowed");
    assert!(message.contains("signed out"), "{message}");
    let other = other["bearer"].as_str().unwrap();
    doors.get("/api/topics", other).await.ok();
}

#[tokio::test]
async fn a_key_is_no_bearer_and_a_bearer_is_no_key() {
    let doors = Doors::new();
    let key = key(&*doors.app.store().unwrap(), "agent");
    let bearer = doors.sign_in().await;
    doors
        .get("/api/topics", &key)
        .await
        .refused(401, "not_allowed");
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let mcp = doors.post("/mcp", Some(&bearer), ping.clone()).await;
    mcp.refused(401, "not_allowed");
    // Nor is what opens a link.
    let token = doors.token();
    doors
        .get("/api/topics", &token)
        .await
        .refused(401, "not_allowed");
    doors
        .post("/mcp", Some(&token), ping)
        .await
        .refused(401, "not_allowed");
    doors
        .post("/api/sign-in", None, json!({"token": bearer}))
        .await
        .refused(401, "not_allowed");
}

#[tokio::test]
async fn secrets_are_stored_hashed() {
    let doors = Doors::new();
    let token = doors.token();
    let bearer = doors.sign_in().await;
    for entry in std::fs::read_dir(doors.folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for secret in [&token, &bearer] {
            let mut windows = bytes.windows(secret.len());
            assert!(!windows.any(|window| window == secret.as_bytes()));
        }
    }
}

#[tokio::test]
async fn every_route_but_two_needs_a_bearer() {
    let doors = Doors::new();
    let document = doors.call("GET", "/api/openapi.json", &[], "").await.ok();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 20);
    let json = ("Content-Type", "application/json");
    for (path, item) in paths {
        for method in item.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            let path = path.replace(['{', '}'], "");
            for headers in [
                vec![json],
                vec![json, ("Authorization", "Bearer wrong")],
                vec![json, ("Authorization", "Basic Og==")],
            ] {
                let answer = doors.call(&method, &path, &headers, "{}").await;
                if path == "/api/sign-in" {
                    answer.refused(400, "invalid");
                } else {
                    assert!(answer.headers.contains_key("www-authenticate"));
                    answer.refused(401, "not_allowed");
                }
            }
        }
    }
}

#[tokio::test]
async fn what_other_pages_can_send_is_refused_and_nothing_is_written() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let bearer = format!("Bearer {bearer}");
    let own = [
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
    ];
    let body = r#"{"brain":"personal","topic":"x","body":"y"}"#;
    let with = |more: &[(&'static str, &'static str)]| {
        let mut headers: Vec<(&str, &str)> = own.to_vec();
        headers.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
        headers.extend(more);
        headers
    };
    for (more, status) in [
        (&[("Origin", "https://evil.example")][..], 403),
        (&[("Origin", "null")], 403),
        (&[("Origin", "http://127.0.0.1:4748")], 403),
        (&[("Origin", "https://127.0.0.1:4747")], 403),
        (&[("Host", "evil.example:4747")], 403),
        (&[("Host", "127.0.0.1.evil.example")], 403),
        (&[("Sec-Fetch-Site", "cross-site")], 403),
        (&[("Sec-Fetch-Site", "same-site")], 403),
        (
            &[
                ("Sec-Fetch-Site", "cross-site"),
                ("Sec-Fetch-Mode", "no-cors"),
            ],
            403,
        ),
        (&[("Content-Type", "text/plain")], 415),
        (&[("Content-Type", "text/plain; a=application/json")], 415),
        (
            &[("Content-Type", "application/x-www-form-urlencoded")],
            415,
        ),
        (&[("Content-Type", "multipart/form-data; boundary=x")], 415),
        (&[("Content-Type", "")], 415),
        (&[("Upgrade", "websocket"), ("Connection", "Upgrade")], 400),
        (&[("Authorization", "")], 401),
    ] {
        let answer = doors.call("POST", "/api/write", &with(more), body).await;
        assert_eq!(answer.status, status, "{more:?}: {}", answer.text);
        let own = more
            .iter()
            .all(|(name, _)| !matches!(*name, "Origin" | "Host"));
        assert!(!own || answer.headers["cache-control"] == "no-store");
        assert!(answer.json()["message"].is_string());
        let cors = answer
            .headers
            .keys()
            .any(|name| name.as_str().starts_with("access-control"));
        assert!(!cors, "{more:?}");
    }
    // A browser asks first whether a page of another origin may: it may not.
    let preflight = [
        ("Origin", "https://evil.example"),
        ("Access-Control-Request-Method", "POST"),
    ];
    let asked = doors.call("OPTIONS", "/api/write", &preflight, "").await;
    asked.refused(403, "not_allowed");
    // A bearer in the address would end up in histories and logs.
    let token = bearer.trim_start_matches("Bearer ");
    for name in ["bearer", "access_token", "token", "Authorization"] {
        let path = format!("/api/topics?{name}={token}");
        doors
            .call("GET", &path, &[], "")
            .await
            .refused(401, "not_allowed");
        doors
            .call("GET", &path, &own, "")
            .await
            .refused(400, "invalid");
    }
    let topics = doors.get("/api/topics", token).await.ok();
    assert_eq!(topics["topics"], json!([]));
    // As a page of its own origin calls.
    let same = with(&[
        ("Origin", "http://127.0.0.1:4747"),
        ("Sec-Fetch-Site", "same-origin"),
    ]);
    doors.call("POST", "/api/write", &same, body).await.ok();
}

#[tokio::test]
async fn every_answer_keeps_itself_to_its_origin() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    for path in [
        "/",
        "/inbox",
        "/health",
        "/mcp",
        "/api/topics",
        "/api/none",
        "/x.txt",
    ] {
        let answer = doors.get(path, &bearer).await;
        let header = |name: &str| answer.headers.get(name).map(|it| it.to_str().unwrap());
        let policy = header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'"),
            "{policy}"
        );
        for word in [
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        ] {
            assert!(policy.contains(word), "{policy}");
        }
        assert_eq!(header("x-content-type-options"), Some("nosniff"));
        assert_eq!(header("referrer-policy"), Some("no-referrer"));
        assert_eq!(header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(header("set-cookie"), None);
        if path.starts_with("/api") {
            assert_eq!(header("cache-control"), Some("no-store"));
        }
    }
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let mut told = Vec::new();
    for path in [
        "/api/units?limit=ten",
        "/api/units?limit=-1",
        "/api/units?exact=yes",
        "/api/units?order=oldest",
        "/api/units?limit=1&limit=2",
        "/api/units?colour=red",
        "/api/state?x=1",
        "/api/units/x/revisions/one",
        "/api/units/%ff",
    ] {
        let message = doors.get(path, &bearer).await.refused(400, "invalid");
        told.push(format!("{path}: {message}"));
    }
    for body in [
        "",
        "{",
        "[]",
        "7",
        "{}",
        r#"{"brain":"team","topic":7}"#,
        r#"{"brain":"team","tags":["a",1]}"#,
        r#"{"brain":"team","base_revision":1.5}"#,
        r#"{"brain":"team","base_revision":-1}"#,
        r#"{"brain":"team","colour":"red"}"#,
    ] {
        let authorization = format!("Bearer {bearer}");
        let headers = [
            ("Authorization", authorization.as_str()),
            ("Content-Type", "application/json; charset=utf-8"),
        ];
        let answer = doors.call("POST", "/api/write", &headers, body).await;
        told.push(format!("{body}: {}", answer.refused(400, "invalid")));
    }
    let long = json!({"brain": "team", "topic": "x", "body": "x".repeat(5 << 20)});
    doors
        .post("/api/write", Some(&bearer), long)
        .await
        .refused(413, "too_large");
    let body = json!({"brain": "nowhere", "topic": "x", "body": "y"});
    doors
        .post("/api/write", Some(&bearer), body)
        .await
        .refused(404, "unknown_brain");
    let none = doors.get("/api/none", &bearer).await;
    told.push(none.refused(404, "invalid"));
    let wrong_way = doors.post("/api/topics", Some(&bearer), json!({})).await;
    told.push(wrong_way.refused(405, "invalid"));
    insta::assert_json_snapshot!(told);
}

/// A reader of the stream.
struct Events {
    body: BodyDataStream,
    text: String,
}

impl Events {
    async fn open(doors: &Doors, bearer: &str, path: &str, headers: &[(&str, &str)]) -> Self {
        let mut request = Request::builder()
            .uri(path)
            .header("Host", HOST)
            .header("Authorization", format!("Bearer {bearer}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        let answer = doors.router.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Self {
            body: answer.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    /// The next event: its id and its data. `None` once the stream has ended.
    async fn next(&mut self) -> Option<(u64, Value)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let line = |start: &str| {
                    let line = event.lines().find_map(|line| line.strip_prefix(start));
                    line.unwrap_or_else(|| panic!("no {start}: {event}"))
                };
                let read = (!event.starts_with(':')).then(|| {
                    assert_eq!(line("event: "), "change");
                    let data = serde_json::from_str(line("data: ")).unwrap();
                    (line("id: ").parse().unwrap(), data)
                });
                self.text = rest.to_owned();
                if read.is_some() {
                    return read;
                }
                continue;
            }
            let more = tokio::time::timeout(Duration::from_secs(10), self.body.next());
            let more = more.await.expect("something is told")?;
            self.text
                .push_str(std::str::from_utf8(&more.unwrap()).unwrap());
        }
    }

    async fn ids(&mut self, count: usize) -> Vec<u64> {
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.push(self.next().await.unwrap().0);
        }
        ids
    }
}

/// Says where a value is not what a schema of the document tells.
fn unlike(document: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches('#');
        return unlike(document, document.pointer(name).unwrap(), value, at, wrong);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fits = choices.iter().any(|choice| {
            let mut wrong = Vec::new();
            unlike(document, choice, value, at, &mut wrong);
            wrong.is_empty()
        });
        if !fits {
            wrong.push(format!("{at} is none of the choices"));
        }
        return;
    }
    if let Some(words) = schema["enum"].as_array() {
        if !words.contains(value) {
            wrong.push(format!("{at} is no word of {words:?}"));
        }
        return;
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        wrong.push(format!("{at} is not {}", schema["const"]));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    if !kinds
        .iter()
        .any(|it| it == kind || (it == "number" && kind == "integer"))
    {
        wrong.push(format!("{at} is of type {kind}, not {kinds:?}"));
    }
    for item in value.as_array().into_iter().flatten() {
        unlike(document, &schema["items"], item, at, wrong);
    }
    let Some(object) = value.as_object() else {
        return;
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(name.as_str().unwrap()) {
            wrong.push(format!("{at} lacks {name}"));
        }
    }
    for (name, value) in object {
        let at = format!("{at}.{name}");
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, more @ Value::Object(_)) => unlike(document, more, value, &at, wrong),
            (Value::Null, _) => wrong.push(format!("{at} is not in the document")),
            (schema, _) => unlike(document, schema, value, &at, wrong),
        }
    }
}

/// Writes as another process does; gives the newest event.
fn write(store: &dyn Store, topic: &str) -> u64 {
    write_to(store, "personal", topic)
}

fn write_to(store: &dyn Store, brain: &str, topic: &str) -> u64 {
    let agent = Agent {
        connection: ConnectionName::parse("Cursor").unwrap(),
        client: None,
        session: "other".into(),
    };
    let began = use_cases::meet(store, &agent, now()).unwrap();
    let session = Arc::new(Session::new(agent, began));
    let call = Call {
        store,
        session: &session,
        now: now(),
    };
    let input = json!({"brain": brain, "topic": topic, "body": topic});
    use_cases::write(call, serde_json::from_value(input).unwrap()).unwrap();
    store.read(|records| records.last_event()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_by_another_process_is_told_within_a_second() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let other = doors.other();
    write(&other, "before");
    let mut events = Events::open(&doors, &bearer, "/api/events", &[]).await;
    let mut slowest = Duration::ZERO;
    for number in 0..20 {
        let topic = format!("t{number}");
        let id = write(&other, &topic);
        let written = Instant::now();
        let (told, event) = events.next().await.unwrap();
        slowest = slowest.max(written.elapsed());
        assert_eq!(told, id);
        assert_eq!(event["event"], id);
        assert_eq!(event["kind"], "created");
        assert_eq!(event["brain"], "personal");
        assert_eq!(event["topic"], topic.as_str());
        assert_eq!(event["revision"], 1);
        assert_eq!(event["agent"], json!({"name": "Cursor", "you": false}));
        assert_eq!(event["own"], false);
    }
    println!("the slowest was told after {slowest:?}");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    // What the tab itself does is told as its own.
    let body = json!({"brain": "personal", "topic": "mine", "body": "x"});
    doors.post("/api/write", Some(&bearer), body).await.ok();
    let (_, event) = events.next().await.unwrap();
    assert_eq!(event["own"], true);
    assert_eq!(event["agent"]["you"], true);
    assert_eq!(event["agent"]["name"], "you");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_comes_back_misses_nothing_and_is_told_nothing_twice() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let store = doors.other();
    let first = write(&store, "first");
    let ids: Vec<u64> = (0..700).map(|i| write(&store, &format!("t/{i}"))).collect();
    drop(store);
    let path = format!("/api/events?after={first}");
    let mut events = Events::open(&doors, &bearer, &path, &[]).await;
    assert_eq!(events.ids(ids.len()).await, ids);

    // The header wins over the address, as browsers send both.
    let last = ids[650].to_string();
    let again = [("Last-Event-ID", last.as_str())];
    let mut events = Events::open(&doors, &bearer, &path, &again).await;
    assert_eq!(events.ids(49).await, ids[651..]);

    let doors = doors.restarted();
    let mut events = Events::open(&doors, &bearer, &path, &again).await;
    assert_eq!(events.ids(49).await, ids[651..]);
    let live = write(&doors.other(), "live");
    assert_eq!(events.ids(1).await, [live]);

    // One that is ahead of the store, which came back from a copy.
    let path = format!("/api/events?after={}", live + 1_000);
    let mut events = Events::open(&doors, &bearer, &path, &[]).await;
    let next = write(&doors.other(), "next");
    assert_eq!(events.ids(1).await, [next]);

    for (path, header) in [("/api/events?after=x", "1"), ("/api/events", "x")] {
        let authorization = format!("Bearer {bearer}");
        let headers = [
            ("Authorization", authorization.as_str()),
            ("Last-Event-ID", header),
        ];
        let answer = doors.call("GET", path, &headers, "").await;
        answer.refused(400, "invalid");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_and_readers_at_once_agree() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let path = "/api/events?after=0";
    let mut events = Events::open(&doors, &bearer, path, &[]).await;
    let writers: Vec<_> = (0..3)
        .map(|writer| {
            let store = doors.other();
            tokio::task::spawn_blocking(move || {
                for i in 0..60 {
                    write(&store, &format!("w{writer}/{i}"));
                }
            })
        })
        .collect();
    let mut topics = 0;
    let mut ids = Vec::new();
    while topics < 180 {
        let (id, event) = events.next().await.unwrap();
        topics += usize::from(event["topic"].is_string());
        ids.push(id);
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let last = (&doors.other() as &dyn Store)
        .read(|records| records.last_event())
        .unwrap();
    assert_eq!(ids, (1..=last).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_its_tab() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let other = doors.sign_in().await;
    write(&doors.other(), "before");
    let mut events = Events::open(&doors, &bearer, "/api/events", &[]).await;
    let mut others = Events::open(&doors, &other, "/api/events", &[]).await;
    doors
        .post("/api/sign-out", Some(&bearer), json!({}))
        .await
        .ok();
    assert_eq!(events.next().await, None);
    let id = write(&doors.other(), "after");
    assert_eq!(others.ids(1).await, [id]);
    // Signed out by another process: the next change is not told.
    use_cases::sign_out(&doors.other(), keys::hash(&other)).unwrap();
    write(&doors.other(), "secret");
    assert_eq!(others.next().await, None);
}

#[tokio::test]
async fn a_screen_loads_ahead_and_empties_fields() {
    let doors = Doors::new();
    write(&doors.other(), "status");
    let bearer = doors.sign_in().await;
    let unit = async |query: &str| {
        let path = format!("/api/units/personal:status{query}");
        doors.get(&path, &bearer).await
    };
    let readers = async || {
        let path = "/api/units/personal:status/readers";
        let readers = doors.get(path, &bearer).await.ok();
        let readers = readers["readers"].as_array().unwrap().clone();
        readers
            .into_iter()
            .find(|reader| reader["you"] == true)
            .map_or(Value::Null, |reader| reader["times"].clone())
    };
    let peeked = unit("?peek=true").await.ok();
    assert_eq!(readers().await, Value::Null);
    for _ in 0..2 {
        assert_eq!(unit("?peek=false").await.ok(), peeked);
        assert_eq!(unit("").await.ok(), peeked);
    }
    assert_eq!(readers().await, 1);
    unit("?peek=2").await.refused(400, "invalid");

    let id = &peeked["id"];
    let change = async |revision: u32, more: Value| {
        let mut change = json!({"brain": "personal", "id": id, "base_revision": revision});
        change
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        doors.post("/api/write", Some(&bearer), change).await
    };
    let sourced = json!({"source": "a call", "fresh_for_days": 3, "title": "Launch"});
    change(1, sourced).await.ok();
    let clear = json!({"clear": ["source", "fresh_for_days", "title"]});
    assert_eq!(change(2, clear).await.ok()["outcome"], "updated");
    assert_eq!(unit("").await.ok()["content"], peeked["content"]);
    for clear in [json!(["body"]), json!(["colour"]), json!("source")] {
        let refused = change(3, json!({"clear": clear})).await;
        refused.refused(400, "invalid");
    }
}

#[tokio::test]
async fn settings_are_changed_one_by_one_and_say_where_they_lie() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let authorization = format!("Bearer {bearer}");
    let patch = async |body: Value| {
        let headers = [
            ("Authorization", authorization.as_str()),
            ("Content-Type", "application/json"),
        ];
        doors
            .call("PATCH", "/api/settings", &headers, &body.to_string())
            .await
    };
    let first = doors.get("/api/settings", &bearer).await.ok();
    let unchosen = json!({"notifications": true, "digest_at": 540, "muted": []});
    assert_eq!(first, unchosen);
    let quiet = json!({"quiet_from": 1320, "quiet_until": 420, "mute": "personal"});
    patch(quiet).await.ok();
    let cleared = patch(json!({"pause": "hour", "clear": ["digest"]}))
        .await
        .ok();
    assert!(cleared["paused_until"].is_string());
    let pause = json!({"clear": ["pause"]});
    let after = patch(pause).await.ok();
    let chosen = json!({"notifications": true, "quiet_from": 1320, "quiet_until": 420,
        "muted": ["personal"]});
    assert_eq!(after, chosen);
    for (wrong, says) in [
        (json!({"quiet_from": 60}), "quiet_until"),
        (json!({"digest_at": -1}), "digest_at"),
        (json!({"digest_at": 1440}), "1439"),
        (json!({"clear": ["sleep"]}), "clear"),
        (json!({"pause": "week"}), "pause"),
    ] {
        let message = patch(wrong).await.refused(400, "invalid");
        assert!(message.contains(says), "{message}");
    }
    patch(json!({"mute": "attic"}))
        .await
        .refused(404, "unknown_brain");
    let doors = doors.restarted();
    assert_eq!(doors.get("/api/settings", &bearer).await.ok(), chosen);

    let about = doors.get("/api/about", &bearer).await.ok();
    let folder = doors.folder.path().to_str().unwrap();
    assert_eq!(about["data_folder"], folder);
    assert_eq!(about["address"], format!("http://{HOST}"));
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
}

#[tokio::test]
async fn where_nobody_knows_the_clients_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let app = App::new(move || {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
        Ok(store)
    });
    let router = http::router(Arc::clone(&app));
    let doors = Doors {
        folder,
        app,
        router,
    };
    let bearer = doors.sign_in().await;
    for path in ["/api/clients", "/api/snippets?connection=Far"] {
        let refused = doors.get(path, &bearer).await.refused(503, "unavailable");
        assert!(refused.contains("knows of no clients"), "{refused}");
    }
}

#[tokio::test]
async fn the_person_acts_by_every_route() {
    let doors = Doors::new();
    let bearer = doors.sign_in().await;
    let send = async |method: &str, path: &str, body: Value| {
        let authorization = format!("Bearer {bearer}");
        let headers = [
            ("Authorization", authorization.as_str()),
            ("Content-Type", "application/json"),
        ];
        doors
            .call(method, path, &headers, &body.to_string())
            .await
            .ok()
    };
    let post = async |path: &str, body: Value| send("POST", path, body).await;

    let brain = json!({"brain": "team", "kind": "shared", "write_policy": "owners"});
    let brain = post("/api/brains", brain).await;
    assert_eq!(brain["write_policy"], "owners");
    let changed =
        json!({"name": "The team", "freshness": [{"topic": "news", "aging": 2, "stale": 4}]});
    let brain = send("PATCH", "/api/brains/team", changed).await;
    assert_eq!(brain["name"], "The team");
    assert_eq!(brain["freshness"][0]["aging"], 2);

    let made = post("/api/connections", json!({"connection": "Cursor"})).await;
    assert!(made["key"].as_str().unwrap().starts_with("oz_"));
    let grant = json!({"grant": "write", "owner": true});
    let row = send("PUT", "/api/brains/team/grants/Cursor", grant).await;
    assert_eq!(row["owner"], json!(["team"]));
    assert_eq!(row["grants"]["team"], "write");

    let plan = doors.get("/api/clients/codex/plan?act=connect", &bearer);
    let plan = plan.await.ok();
    let usual = json!({"personal": "write", "team": "write"});
    assert_eq!(plan["grants"], usual);
    let plan = json!({"plan": plan["plan"], "grants": {"tema": "read"}});
    let bearing = Some(bearer.as_str());
    let unknown = doors.post("/api/clients/codex/connect", bearing, plan.clone());
    unknown.await.refused(404, "unknown_brain");
    let plan = json!({"plan": plan["plan"], "grants": {"personal": "none", "team": "read"}});
    let connected = post("/api/clients/codex/connect", plan.clone()).await;
    assert_eq!(connected["outcome"], "connected");
    assert_eq!(connected["plan"]["grants"], plan["grants"]);
    let rows = doors.get("/api/connections", &bearer).await.ok();
    let rows = rows["connections"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|row| row["connection"] == "codex")
        .unwrap();
    assert_eq!(row["grants"], plan["grants"]);
    assert_eq!(connected["client"]["state"], "waiting");
    let moved = post("/api/clients/codex/connect", plan).await;
    assert_eq!(moved["outcome"], "moved");
    assert_eq!(moved["plan"]["changes"], false);
    let plan = doors.get("/api/clients/codex/plan?act=disconnect", &bearer);
    let plan = json!({"plan": plan.await.ok()["plan"]});
    let gone = post("/api/clients/codex/disconnect", plan).await;
    assert_eq!(gone["outcome"], "disconnected");
    let known = json!({"connection": "By hand", "key": false});
    assert!(post("/api/connections", known).await["key"].is_null());

    let written = json!({"brain": "team", "topic": "news", "body": "It ships."});
    let first = post("/api/write", written).await;
    let id = first["id"].as_str().unwrap();
    let kept = post(
        "/api/confirm",
        json!({"id": id, "revision": 1, "verdict": "still_true"}),
    )
    .await;
    assert_eq!(kept["outcome"], "confirmed");
    assert!(kept["event"].is_u64());
    let later = post("/api/later", json!({"id": id})).await;
    assert_eq!(later["outcome"], "later");
    let retired = post("/api/retire", json!({"id": id, "base_revision": 1})).await;
    assert_eq!(retired["outcome"], "retired");
    let back = post("/api/return", json!({"id": id, "revision": 2})).await;
    assert_eq!(back["outcome"], "returned");
    let undone = post("/api/undo", json!({"event": back["event"]})).await;
    assert_eq!(undone["outcome"], "undone");
    post(
        "/api/return",
        json!({"id": id, "revision": undone["revision"]}),
    )
    .await;

    let other = json!({"brain": "team", "topic": "news", "title": "Also", "body": "It sails."});
    let other = post("/api/write", other).await;
    let head = doors
        .get(&format!("/api/fetch?id={id}"), &bearer)
        .await
        .ok();
    let joined = json!({
        "id": id, "revision": head["metadata"]["revision"],
        "other": other["id"], "other_revision": 1,
    });
    let joined = post("/api/join", joined).await;
    assert_eq!(joined["outcome"], "joined");
    let unit = doors
        .get(&format!("/api/fetch?id={id}"), &bearer)
        .await
        .ok();
    let version = &unit["metadata"]["conflict"]["version"];
    let settled = json!({"id": id, "version": version, "choice": "keep_head"});
    let settled = post("/api/resolve", settled).await;
    assert_eq!(settled["outcome"], "resolved");

    // Every reading route answers, with what the document promises.
    let document: Value = serde_json::from_str(&api::openapi()).unwrap();
    let proposal = json!({"write_policy": "review"});
    send("PATCH", "/api/brains/team", proposal).await;
    write_to(&doors.other(), "team", "proposed");
    let inbox = doors.get("/api/inbox?kind=proposal", &bearer).await.ok();
    let proposal = inbox["items"][0]["proposal"].as_u64().unwrap();
    for path in document["paths"].as_object().unwrap().keys() {
        let operation = &document["paths"][path]["get"];
        if operation.is_null() || path == "/api/events" {
            continue;
        }
        let path = if path.contains("/proposals/") {
            path.replace("{id}", &proposal.to_string())
        } else {
            path.replace("{id}", id)
                .replace("{revision}", "1")
                .replace("{client}", "codex")
        };
        let query = match path.as_str() {
            "/api/search" | "/api/brief" => "?query=ships",
            "/api/fetch" => "?id=team:news",
            "/api/clients/codex/plan" => "?act=connect",
            "/api/snippets" => "?connection=Far",
            _ => "",
        };
        let reply = doors.get(&format!("{path}{query}"), &bearer).await.ok();
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let mut wrong = Vec::new();
        unlike(&document, schema, &reply, &path, &mut wrong);
        assert_eq!(wrong, Vec::<String>::new(), "{reply}");
    }
    let rejected = post("/api/reject", json!({"id": proposal})).await;
    assert_eq!(rejected["outcome"], "rejected");
    let newcomer = Agent {
        connection: ConnectionName::parse("Newcomer").unwrap(),
        client: None,
        session: "new".into(),
    };
    use_cases::meet(&doors.other(), &newcomer, now()).unwrap();
    let problem = doors.get("/api/inbox?kind=problem", &bearer).await.ok();
    let event = &problem["items"][0]["event"];
    let dismissed = post("/api/dismiss", json!({"event": event})).await;
    assert_eq!(dismissed["outcome"], "dismissed");
    // Each is taken back, and so is that; the Inbox tells it as one line.
    for act in [&rejected, &dismissed] {
        let undone = post("/api/undo", json!({"event": act["event"]})).await;
        let (event, outcome) = (&undone["event"], "undone");
        assert_eq!(undone, json!({"outcome": outcome, "event": event}));
        let inbox = doors.get("/api/inbox", &bearer).await.ok();
        let lines = inbox["settled"].as_array().unwrap();
        let line = lines.iter().find(|line| line["event"] == act["event"]);
        assert!(line.unwrap()["undone_at"].is_string());
        let schema = &document["components"]["schemas"]["InboxView"];
        let mut wrong = Vec::new();
        unlike(&document, schema, &inbox, "settled", &mut wrong);
        assert_eq!(wrong, Vec::<String>::new(), "{inbox}");
        post("/api/undo", json!({"event": event})).await;
    }
    let erased = post(
        "/api/erase",
        json!({"what": "proposal", "proposal": proposal}),
    )
    .await;
    assert_eq!(erased["outcome"], "erased");
    let gone = doors
        .post(
            "/api/undo",
            Some(&bearer),
            json!({"event": rejected["event"]}),
        )
        .await;
    gone.refused(400, "invalid");
    let page = doors
        .get("/api/units/team:news/history?limit=1", &bearer)
        .await
        .ok();
    assert_eq!(page["entries"].as_array().unwrap().len(), 1);
    assert_eq!(page["more"], true);
    doors.get("/api/units/team%3Anews", &bearer).await.ok();

    let erased = post(
        "/api/erase",
        json!({"what": "revision", "id": id, "revision": 1}),
    )
    .await;
    assert_eq!(erased["outcome"], "erased");
    let erased = post("/api/erase", json!({"what": "unit", "id": id})).await;
    assert_eq!(erased["outcome"], "erased");
    // Every list goes on without it.
    for path in [
        "inbox", "activity", "state", "units", "review", "brains", "topics",
    ] {
        doors.get(&format!("/api/{path}"), &bearer).await.ok();
    }
    let activity = doors.get("/api/activity?limit=1", &bearer).await.ok();
    assert_eq!(activity["events"][0]["kind"], "erased");
    assert_eq!(activity["events"][0]["unit"], *id);
    let erased = post("/api/erase", json!({"what": "brain", "brain": "team"})).await;
    assert_eq!(erased["outcome"], "erased");
    let row = post("/api/connections/Cursor/revoke", json!({})).await;
    assert!(row["revoked_at"].is_string());
    for (path, body) in [
        ("/api/accept", json!({"id": 1})),
        ("/api/erase", json!({"what": "all"})),
    ] {
        doors
            .post(path, Some(&bearer), body)
            .await
            .refused(400, "invalid");
    }
}
