//! The doors of HTTP, with a real listener and a real store.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails where a step does"
)]

use ozbrain_core::Refusal;
use ozbrain_core::ports::Store;
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{Agent, ConnectionName, Session};
use ozbrain_server::listen::{Listening, Wanted, answers, listen};
use ozbrain_server::{App, http, keys, now};
use ozbrain_sqlite::SqliteStore;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

struct Server {
    port: u16,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<std::io::Result<()>>,
}

fn app(dir: &Path) -> Arc<App> {
    let dir = dir.to_owned();
    App::new(move || {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&dir)?);
        Ok(store)
    })
}

impl Server {
    async fn start(app: Arc<App>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(http::serve(app, listener, async {
            let _ = stopped.await;
        }));
        Self {
            port,
            stop: Some(stop),
            served,
        }
    }

    async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.served.await.unwrap().unwrap();
    }

    /// Sends a request as it stands and reads the whole answer.
    async fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        // The server may answer and close before it has read all.
        let _ = stream.write_all(request).await;
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        let _ = tokio::time::timeout(Duration::from_secs(10), read)
            .await
            .expect("the server closes");
        Answer::read(&String::from_utf8_lossy(&answer))
    }

    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.raw(request.as_bytes()).await
    }

    async fn mcp(&self, key: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let bearer = format!("Bearer {key}");
        let mut all = vec![
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        all.extend(headers);
        self.send("POST", "/mcp", &all, body).await
    }

    /// Opens a session of the handshake era.
    async fn session(&self, key: &str) -> String {
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let answer = self.mcp(key, &[], &greeting.to_string()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.header("mcp-session-id").unwrap().to_owned()
    }

    async fn tool(&self, key: &str, session: &str, name: &str, arguments: Value) -> Value {
        let answer = self
            .mcp(key, &[("Mcp-Session-Id", session)], &call(name, &arguments))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.message()["result"]["structuredContent"].clone()
    }

    async fn modern(&self, key: &str, name: &str, arguments: Value) -> Value {
        let params = json!({"name": name, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", name),
        ];
        let answer = self.mcp(key, &headers, &body.to_string()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.message()["result"]["structuredContent"].clone()
    }
}

fn call(name: &str, arguments: &Value) -> String {
    let params = json!({"name": name, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}).to_string()
}

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1))
            .and_then(|status| status.parse().ok())
            .unwrap_or(0);
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        Self {
            status,
            headers,
            body: body.to_owned(),
        }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The JSON of the body: plain, or the data of the last event.
    fn message(&self) -> Value {
        let json = self
            .body
            .lines()
            .filter_map(|line| {
                line.strip_prefix("data: ")
                    .or(line.starts_with('{').then_some(line))
            })
            .next_back()
            .unwrap_or_default();
        serde_json::from_str(json).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }
}

/// Runs a use case as the person at the command line.
fn at_home<T>(app: &App, use_case: impl FnOnce(Call<'_>) -> Result<T, Refusal>) -> T {
    let store = app.store().unwrap();
    let agent = Agent {
        connection: ConnectionName::cli(),
        client: None,
        session: "cli".into(),
    };
    let began = use_cases::meet(&*store, &agent, now()).unwrap();
    let session = Arc::new(Session::new(agent, began));
    use_case(Call {
        store: &*store,
        session: &session,
        now: now(),
    })
    .unwrap()
}

fn key(app: &App, connection: &str) -> String {
    let key = keys::new_key().unwrap();
    let hash = keys::hash(&key);
    at_home(app, |call| {
        use_cases::create_connection(call, connection, hash)
    });
    key
}

async fn door() -> (TempDir, Arc<App>, Server, String) {
    let dir = tempfile::tempdir().unwrap();
    let app = app(dir.path());
    let key = key(&app, "agent");
    let server = Server::start(Arc::clone(&app)).await;
    (dir, app, server, key)
}

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

#[tokio::test]
async fn only_this_computer_by_its_own_name_comes_in() {
    let (_dir, _app, server, key) = door().await;
    let port = server.port;
    for (host, allowed) in [
        (format!("127.0.0.1:{port}"), true),
        (format!("localhost:{port}"), true),
        (format!("LOCALHOST:{port}"), true),
        (format!("[::1]:{port}"), true),
        ("127.0.0.1".into(), true),
        (format!("evil.example:{port}"), false),
        (format!("127.0.0.1.evil.example:{port}"), false),
        (format!("127.0.0.1@evil.example:{port}"), false),
        (format!("127.0.0.1:{port}.evil.example"), false),
        ("127.0.0.2".into(), false),
        ("0.0.0.0".into(), false),
        ("[::]".into(), false),
        (String::new(), false),
        ("local host".into(), false),
    ] {
        for path in ["/mcp", "/health", "/elsewhere"] {
            let answer = server.send("GET", path, &[("Host", &host)], "").await;
            // hyper itself answers 400 to a Host that is no host.
            let refused = [403, 400].contains(&answer.status) && !(path == "/mcp" && allowed);
            assert_eq!(refused, !allowed, "{host} {path}: {}", answer.status);
        }
    }
    let without = b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n";
    assert!([400, 403].contains(&server.raw(without).await.status));
    let two = b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n";
    assert!([400, 403].contains(&server.raw(two).await.status));

    for (origin, allowed) in [
        (format!("http://127.0.0.1:{port}"), true),
        (format!("http://localhost:{port}"), true),
        ("http://localhost:1".into(), false),
        ("http://localhost".into(), false),
        (format!("https://localhost:{port}"), false),
        (format!("http://evil.example:{port}"), false),
        (format!("http://localhost.evil.example:{port}"), false),
        (format!("http://localhost:{port}@evil.example"), false),
        ("null".into(), false),
        ("file://".into(), false),
        (String::new(), false),
    ] {
        let health = server
            .send("GET", "/health", &[("Origin", &origin)], "")
            .await;
        assert_eq!(health.status == 200, allowed, "{origin}: {}", health.status);
        let mcp = server.mcp(&key, &[("Origin", &origin)], LIST).await;
        assert_eq!(mcp.status == 403, !allowed, "{origin}: {}", mcp.status);
        if !allowed {
            assert_eq!(mcp.message()["code"], "not_allowed");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn only_a_valid_key_opens() {
    let (_dir, app, server, key) = door().await;
    let wrong = format!("Bearer {}", keys::new_key().unwrap());
    let basic = format!("Basic {key}");
    let longer = format!("Bearer {key}x");
    for authorization in [
        None,
        Some(""),
        Some("Bearer"),
        Some("Bearer "),
        Some(wrong.as_str()),
    ]
    .into_iter()
    .chain([
        Some(basic.as_str()),
        Some(longer.as_str()),
        Some(key.as_str()),
    ]) {
        for method in ["GET", "POST", "DELETE", "OPTIONS"] {
            let headers: Vec<_> = authorization
                .map(|value| ("Authorization", value))
                .into_iter()
                .collect();
            let answer = server.send(method, "/mcp", &headers, LIST).await;
            assert_eq!(answer.status, 401, "{method} {authorization:?}");
            assert!(
                answer
                    .header("www-authenticate")
                    .unwrap()
                    .starts_with("Bearer")
            );
            let message = answer.message();
            assert_eq!(message["code"], "not_allowed");
            assert!(message["message"].as_str().unwrap().contains("Bearer"));
        }
    }
    let session = server.session(&key).await;
    let brains = server.tool(&key, &session, "brains", json!({})).await;
    assert_eq!(brains["brains"][0]["brain"], "personal");
    at_home(&app, |call| use_cases::revoke_connection(call, "agent"));
    let after = server
        .mcp(
            &key,
            &[("Mcp-Session-Id", &session)],
            &call("brains", &json!({})),
        )
        .await;
    assert_eq!(after.status, 401);
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_message_is_refused_as_json_rpc_does() {
    let (_dir, _app, server, key) = door().await;
    for (body, code) in [
        ("", -32700),
        ("hello", -32700),
        ("{\"jsonrpc\":\"2.0\"", -32700),
        ("[]", -32600),
        ("7", -32600),
        ("{}", -32600),
        ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600),
    ] {
        let answer = server.mcp(&key, &[], body).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        assert_eq!(answer.message()["error"]["code"], code, "{body}");
    }
    for (body, id) in [
        (
            r#"{"jsonrpc":"2.0","method":"ping","params":{"x":"\ud800"},"id":5}"#,
            json!(5),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":1e400}}"#,
            json!("a"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#,
            Value::Null,
        ),
        (r#"{"jsonrpc":"1.0","id":6,"method":"ping"}"#, json!(6)),
    ] {
        let answer = server.mcp(&key, &[], body).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        assert_eq!(answer.message().get("id"), Some(&id), "{body}");
        assert_eq!(answer.message()["error"]["code"], -32600, "{body}");
    }
    let plain = [("Content-Type", "text/plain")];
    let headers = [("Authorization", format!("Bearer {key}"))];
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .chain(plain)
        .chain([("Accept", "application/json, text/event-stream")])
        .collect();
    let answer = server.send("POST", "/mcp", &headers, LIST).await;
    assert_eq!(answer.status, 415);
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(4 * 1024 * 1024));
    assert_eq!(server.mcp(&key, &[], &long).await.status, 413);
    let elsewhere = server.send("GET", "/elsewhere.txt", &[], "").await;
    assert_eq!(elsewhere.status, 404);
    server.stop().await;
}

#[tokio::test]
async fn a_session_is_its_connections_alone() {
    let (_dir, app, server, key_of_agent) = door().await;
    let other = key(&app, "other");
    let session = server.session(&key_of_agent).await;
    for (key, session) in [
        (&other, session.as_str()),
        (&key_of_agent, "00000000-0000-4000-8000-000000000000"),
        (&key_of_agent, ""),
    ] {
        let answer = server.mcp(key, &[("Mcp-Session-Id", session)], LIST).await;
        assert_eq!(answer.status, 404, "{}", answer.body);
    }
    let bearer = format!("Bearer {other}");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Mcp-Session-Id", session.as_str()),
    ];
    assert_eq!(
        server.send("DELETE", "/mcp", &headers, "").await.status,
        404
    );
    server
        .tool(&key_of_agent, &session, "brains", json!({}))
        .await;
    let bearer = format!("Bearer {key_of_agent}");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Mcp-Session-Id", session.as_str()),
    ];
    assert_eq!(
        server.send("DELETE", "/mcp", &headers, "").await.status,
        202
    );
    assert_eq!(
        server.send("DELETE", "/mcp", &headers, "").await.status,
        404
    );
    let ended = server
        .mcp(&key_of_agent, &[("Mcp-Session-Id", &session)], LIST)
        .await;
    assert_eq!(ended.status, 404);
    server.stop().await;
}

#[tokio::test]
async fn a_session_remembers_what_it_has_seen_and_lives_over_a_restart() {
    let (dir, app_of_old, server, key_of_agent) = door().await;
    let other = key(&app_of_old, "other");
    let session = server.session(&key_of_agent).await;
    let write = |body: &str| json!({"brain": "personal", "topic": "q3", "body": body});
    let (agent, session) = (key_of_agent.as_str(), session.as_str());
    let written = server.modern(&other, "write", write("delayed")).await;
    let id = json!({"id": written["id"]});
    server.tool(agent, session, "fetch", id.clone()).await;
    let seen = server
        .tool(agent, session, "write", write("on track"))
        .await;
    assert_eq!(seen["outcome"], "updated");
    server.stop().await;
    app_of_old.close();

    let app = app(dir.path());
    let server = Server::start(Arc::clone(&app)).await;
    server.modern(&other, "write", write("delayed again")).await;
    let unseen = server
        .tool(agent, session, "write", write("on track!!"))
        .await;
    assert_eq!(unseen["outcome"], "conflicted", "{unseen}");
    // Without a session each call is its own: the base says what was seen.
    let head = server.modern(&other, "fetch", id).await;
    let mut known = write("settled");
    known["base_revision"] = head["metadata"]["revision"].clone();
    let known = server.modern(&other, "write", known).await;
    assert_eq!(known["outcome"], "updated", "{known}");
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_listens_does_not_hold_up_the_end() {
    let (_dir, _app, server, key) = door().await;
    let session = server.session(&key).await;
    let mut stream = TcpStream::connect(("127.0.0.1", server.port))
        .await
        .unwrap();
    let listen = format!(
        "GET /mcp HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {key}\r\n\
         Accept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
        server.port
    );
    stream.write_all(listen.as_bytes()).await.unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    let began = Instant::now();
    server.stop().await;
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn the_streams_of_a_revoked_connection_end_and_deliver_nothing() {
    let (_dir, app, server, key) = door().await;
    let session = server.session(&key).await;
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let headers = [("Mcp-Session-Id", session.as_str())];
    let answer = server.mcp(&key, &headers, &initialized.to_string()).await;
    assert_eq!(answer.status, 202);
    let uri = "ozbrain://personal/secret";
    let subscribe = json!({
        "jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": {"uri": uri},
    });
    server.mcp(&key, &headers, &subscribe.to_string()).await;
    let listen = json!({
        "jsonrpc": "2.0", "id": 3, "method": "subscriptions/listen", "params": {
            "notifications": {"resourcesListChanged": true, "resourceSubscriptions": [uri]},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    })
    .to_string();
    let common = format!(
        "Host: localhost:{}\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
         Accept: application/json, text/event-stream\r\n",
        server.port
    );
    let get = format!("GET /mcp HTTP/1.1\r\n{common}Mcp-Session-Id: {session}\r\n\r\n");
    let post = format!(
        "POST /mcp HTTP/1.1\r\n{common}Content-Type: application/json\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n\
         Content-Length: {}\r\n\r\n{listen}",
        listen.len()
    );
    let mut streams = Vec::new();
    for request in [get, post] {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port))
            .await
            .unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).await.unwrap();
        assert_eq!(&head, b"HTTP/1.1 200");
        streams.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    at_home(&app, |call| use_cases::revoke_connection(call, "agent"));
    let other = self::key(&app, "other");
    let write = json!({"brain": "personal", "topic": "secret/plan", "body": "Buy the moon"});
    server.modern(&other, "write", write).await;
    for mut stream in streams {
        let mut rest = String::new();
        let read = stream.read_to_string(&mut rest);
        tokio::time::timeout(Duration::from_secs(5), read)
            .await
            .expect("the stream ends")
            .unwrap();
        assert!(!rest.contains("secret/plan"), "{rest}");
        assert!(!rest.contains("notifications/resources"), "{rest}");
        assert!(rest.ends_with("0\r\n\r\n"), "{rest}");
    }
    server.stop().await;
}

#[tokio::test]
async fn health_means_that_a_write_succeeded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_owned();
    let broken = Arc::new(AtomicBool::new(true));
    let told = Arc::clone(&broken);
    let app = App::new(move || {
        if told.load(Ordering::Relaxed) {
            return Err(Refusal::unavailable("The disk is on holiday."));
        }
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
        Ok(store)
    });
    let server = Server::start(app).await;
    let ill = server.send("GET", "/health", &[], "").await;
    assert_eq!(ill.status, 503);
    assert_eq!(
        ill.message(),
        json!({"code": "unavailable", "message": "The disk is on holiday."})
    );
    let door = server.mcp("oz_any", &[], LIST).await;
    assert_eq!(door.status, 503);
    broken.store(false, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let well = server.send("GET", "/health", &[], "").await;
    assert_eq!(well.status, 200, "{}", well.body);
    let said = well.message();
    assert_eq!(said["status"], "ok");
    assert_eq!(said["app"], "ozbrain");
    assert!(said["store"].as_str().unwrap().len() >= 16);
    server.stop().await;
}

/// What another account of this computer can do that saw `/health`: it answers
/// for our server on a port of its own, and passes on what it is asked.
async fn impostor(real: u16) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4_096];
            let read = stream.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            let request = request.replace(&format!(":{port}"), &format!(":{real}"));
            let mut server = TcpStream::connect(("127.0.0.1", real)).await.unwrap();
            server.write_all(request.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            server.read_to_end(&mut answer).await.unwrap();
            let _ = stream.write_all(&answer).await;
        }
    });
    port
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_taken_for_ours_where_it_proves_that_it_reads_the_store() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let app = app(dir.path());
    let server = Server::start(Arc::clone(&app)).await;
    let store = use_cases::health(&*app.store().unwrap(), now()).unwrap();
    assert!(answers(server.port, &store).await);
    let found = listen(Wanted::From(server.port), &store).await.unwrap();
    assert!(matches!(found, Listening::Already(port) if port == server.port));
    // Whoever knows the id alone, or passes the question on, is a stranger.
    let port = impostor(server.port).await;
    let copied = TcpStream::connect(("127.0.0.1", port)).await;
    assert!(copied.is_ok(), "it listens");
    assert!(!answers(port, &store).await);
    let mut same_id = store.clone();
    same_id.secret = [7; 32];
    assert!(!answers(server.port, &same_id).await);
    // The server of another store is none of ours.
    let elsewhere = self::app(other.path());
    let another = use_cases::health(&*elsewhere.store().unwrap(), now());
    assert!(!answers(server.port, &another.unwrap()).await);
    // Each question is another, and none is answered at length.
    let asked = async |challenge: &str| {
        let path = format!("/health?challenge={challenge}");
        server.send("GET", &path, &[], "").await.message()["proof"].clone()
    };
    assert!(asked("one").await.is_string());
    assert_ne!(asked("one").await, asked("two").await);
    assert!(asked(&"x".repeat(65)).await.is_null());
    let port = server.port;
    server.stop().await;
    assert!(!answers(port, &store).await);
}

#[tokio::test]
async fn a_request_that_does_not_come_whole_is_given_up() {
    let (_dir, _app, server, key) = door().await;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        server.port
    );
    let mut half = TcpStream::connect(("127.0.0.1", server.port))
        .await
        .unwrap();
    half.write_all(head.as_bytes()).await.unwrap();
    let mut headless = TcpStream::connect(("127.0.0.1", server.port))
        .await
        .unwrap();
    headless
        .write_all(b"POST /mcp HTTP/1.1\r\nHost:")
        .await
        .unwrap();
    // Until both have reached the server.
    server.send("GET", "/health", &[], "").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(31)).await;
    tokio::time::resume();
    for (mut stream, begins) in [(half, "HTTP/1.1 408"), (headless, "")] {
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        let _ = tokio::time::timeout(Duration::from_secs(5), read)
            .await
            .expect("the server closes");
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(begins), "{answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn idle_sockets_leave_room_and_busy_ones_stay() {
    let (_dir, _app, server, key) = door().await;
    let session = server.session(&key).await;
    let mut listening = TcpStream::connect(("127.0.0.1", server.port))
        .await
        .unwrap();
    let listen = format!(
        "GET /mcp HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {key}\r\n\
         Accept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
        server.port
    );
    listening.write_all(listen.as_bytes()).await.unwrap();
    let mut head = [0; 12];
    listening.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    let mut idle = Vec::new();
    for _ in 0..400 {
        idle.push(
            TcpStream::connect(("127.0.0.1", server.port))
                .await
                .unwrap(),
        );
    }
    let answer = server.send("GET", "/health", &[], "").await;
    assert_eq!(answer.status, 200);
    // The first of the idle was closed, the stream was not.
    let closed = idle[0].read(&mut head);
    let closed = tokio::time::timeout(Duration::from_secs(5), closed).await;
    assert!(matches!(closed, Ok(Ok(0) | Err(_))));
    let quiet = async {
        let mut rest = [0; 4096];
        while listening.read(&mut rest).await.is_ok_and(|read| read > 0) {}
    };
    let quiet = tokio::time::timeout(Duration::from_millis(200), quiet).await;
    assert!(quiet.is_err(), "the stream stays open");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_takes_nobody_new_in_and_lets_a_running_call_finish() {
    let (dir, app, mut server, _) = door().await;
    let port = server.port;
    // Another process holds every writer up, until it is let go.
    let (let_go, held) = std::sync::mpsc::channel::<()>();
    let (begun, begins) = oneshot::channel();
    let mut begun = Some(begun);
    let path = dir.path().to_owned();
    let writer = std::thread::spawn(move || {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path).unwrap());
        store.write(move |_| {
            if let Some(begun) = begun.take() {
                begun.send(()).unwrap();
                held.recv().unwrap();
            }
            Ok((Vec::new(), ()))
        })
    });
    begins.await.unwrap();
    let head = format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    let mut asking = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut idle = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    asking.write_all(head.as_bytes()).await.unwrap();
    let runs = async |app: &App| {
        tokio::time::timeout(Duration::from_millis(50), app.idle())
            .await
            .is_err()
    };
    while !runs(&app).await {}

    server.stop.take().unwrap().send(()).unwrap();
    let mut byte = [0];
    let closed = tokio::time::timeout(Duration::from_secs(5), idle.read(&mut byte));
    assert_eq!(
        closed.await.unwrap().unwrap(),
        0,
        "who asks nothing is let go"
    );
    assert!(TcpStream::connect(("127.0.0.1", port)).await.is_err());
    assert!(!server.served.is_finished());

    let_go.send(()).unwrap();
    writer.join().unwrap().unwrap();
    let mut answer = String::new();
    asking.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    server.served.await.unwrap().unwrap();
}
