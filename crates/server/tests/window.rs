//! The desktop's own window: what it may without signing in, and that nobody
//! else may.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails where a step does"
)]

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, Response};
use ozbrain_core::ports::Store;
use ozbrain_core::use_cases;
use ozbrain_core::words::{EventKind, WritePolicy};
use ozbrain_server::{App, Page, Person, Window, http};
use ozbrain_sqlite::SqliteStore;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tower::ServiceExt;

const ORIGIN: &str = "oz://localhost";

/// The page where the system's web view knows its scheme.
const PAGE: Page = Page {
    address: ORIGIN,
    origin: ORIGIN,
    calls: "ipc:",
};

struct Desktop {
    _folder: TempDir,
    app: Arc<App>,
    window: Window,
}

impl Desktop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let app = App::new(move || {
            let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
            Ok(store)
        });
        let window = Window::new(Arc::clone(&app), PAGE);
        Self {
            _folder: folder,
            app,
            window,
        }
    }

    async fn call(&self, method: &str, url: &str, headers: &[(&str, &str)], body: &str) -> Told {
        let mut request = Request::builder().method(method).uri(url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.as_bytes().to_vec()).unwrap();
        Told::of(self.window.answer(request).await)
    }

    async fn get(&self, path: &str) -> Told {
        self.call("GET", &format!("{ORIGIN}{path}"), &[], "").await
    }

    async fn post(&self, path: &str, body: &Value) -> Told {
        let headers = [("Origin", ORIGIN), ("Content-Type", "application/json")];
        let url = format!("{ORIGIN}{path}");
        self.call("POST", &url, &headers, &body.to_string()).await
    }
}

struct Told {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Told {
    fn of(answer: Response<Vec<u8>>) -> Self {
        let (head, body) = answer.into_parts();
        Self {
            status: head.status.as_u16(),
            headers: head.headers,
            body: String::from_utf8(body).unwrap(),
        }
    }

    #[track_caller]
    fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    #[track_caller]
    fn refused(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        let refusal: Value = serde_json::from_str(&self.body).unwrap();
        assert_eq!(refusal["code"], code);
    }
}

fn unit(topic: &str, body: &str) -> Value {
    json!({"brain": "personal", "topic": topic, "body": body})
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_is_the_person_without_a_bearer() {
    let desktop = Desktop::new();
    let written = desktop
        .post("/api/write", &unit("a/b", "It holds."))
        .await
        .ok();
    let id = written["id"].as_str().unwrap();
    let shown = desktop.get(&format!("/api/units/{id}")).await.ok();
    assert_eq!(shown["content"]["body"], "It holds.", "{shown}");
    let history = desktop.get(&format!("/api/units/{id}/history")).await;
    assert!(history.body.contains("desktop"), "{}", history.body);
    // What it wrote it has seen: changing it displaces nobody.
    let change = json!({"brain": "personal", "id": id, "body": "It held."});
    assert_eq!(
        desktop.post("/api/write", &change).await.ok()["outcome"],
        "updated"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_guards_of_the_screens() {
    let desktop = Desktop::new();
    for path in ["/inbox", "/api/state", "/api/nothing"] {
        let told = desktop.get(path).await;
        let policy = told.headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("default-src 'none'; script-src 'self'"),
            "{policy}"
        );
        // The commands of the desktop, for which a browser has no scheme.
        assert!(policy.contains("connect-src 'self' ipc:;"), "{policy}");
        assert_eq!(told.headers["x-content-type-options"], "nosniff");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_windows_own_origin_is_answered() {
    let desktop = Desktop::new();
    for url in [
        "/api/state",
        "oz://localhost.evil/api/state",
        "oz://other/api/state",
        "oz://x@localhost/api/state",
        "oz://localhost:1/api/state",
        "tauri://localhost/api/state",
        "http://localhost/api/state",
        "http://oz.localhost/api/state",
    ] {
        desktop
            .call("GET", url, &[], "")
            .await
            .refused(403, "not_allowed");
    }
    let own = format!("{ORIGIN}/api/state");
    for origin in [
        "null",
        "tauri://localhost",
        "http://localhost:4747",
        "oz://localhost/",
    ] {
        let headers = [("Origin", origin)];
        desktop
            .call("GET", &own, &headers, "")
            .await
            .refused(403, "not_allowed");
    }
    let headers = [("Origin", ORIGIN), ("Origin", "https://example.com")];
    desktop
        .call("GET", &own, &headers, "")
        .await
        .refused(403, "not_allowed");
    let headers = [("Sec-Fetch-Site", "cross-site")];
    desktop
        .call("GET", &own, &headers, "")
        .await
        .refused(403, "not_allowed");
    desktop
        .call("GET", &own, &[("Origin", ORIGIN)], "")
        .await
        .ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_names_itself_otherwise_than_its_requests_is_answered_by_both_alone() {
    // As on Windows: the page lies at `http://oz.localhost`, and its requests
    // arrive under the scheme.
    let mut desktop = Desktop::new();
    let page = Page {
        address: ORIGIN,
        origin: "http://oz.localhost",
        calls: "http://ipc.localhost",
    };
    desktop.window = Window::new(Arc::clone(&desktop.app), page);
    let url = format!("{ORIGIN}/api/state");
    let own = [("Origin", "http://oz.localhost")];
    desktop.call("GET", &url, &[], "").await.ok();
    let told = desktop.call("GET", &url, &own, "").await;
    told.ok();
    let policy = told.headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.contains("connect-src 'self' http://ipc.localhost;"),
        "{policy}"
    );
    for (url, origin) in [
        (url.as_str(), ORIGIN),
        (&url, "http://localhost"),
        (&url, "http://ipc.localhost"),
        ("http://oz.localhost/api/state", "http://oz.localhost"),
    ] {
        let told = desktop.call("GET", url, &[("Origin", origin)], "").await;
        told.refused(403, "not_allowed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_over_http_cannot_pass_for_the_window() {
    let desktop = Desktop::new();
    desktop.get("/api/state").await.ok();
    let router = http::router(Arc::clone(&desktop.app));
    for (uri, headers) in [
        ("/api/state", vec![]),
        ("/api/state", vec![("Origin", ORIGIN)]),
        (
            "/api/state",
            vec![("X-Window", "main"), ("X-Client", "desktop")],
        ),
        ("/api/state", vec![("Authorization", "Bearer desktop")]),
        ("/api/state", vec![("Authorization", "Bearer ")]),
        ("oz://localhost/api/state", vec![]),
        ("oz://localhost/api/state", vec![("Origin", ORIGIN)]),
    ] {
        let mut request = Request::builder().uri(uri).header("Host", "127.0.0.1:4747");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.body(Body::empty()).unwrap();
        let answer = router.clone().oneshot(request).await.unwrap();
        let status = answer.status().as_u16();
        let body = to_bytes(answer.into_body(), 1 << 16).await.unwrap();
        assert!([401, 403].contains(&status), "{uri}: {status}");
        assert!(!body.windows(5).any(|text| text == b"store"), "{uri}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_hears_what_happened_since_and_what_comes_and_nothing_twice() {
    let desktop = Desktop::new();
    let before = desktop.get("/api/state").await.ok()["event"]
        .as_u64()
        .unwrap();
    desktop.post("/api/write", &unit("a", "One.")).await.ok();
    let mut following = desktop.window.follow(Some(before)).await.unwrap();
    let next = async |following: &mut ozbrain_server::Following| {
        tokio::time::timeout(Duration::from_secs(20), following.next())
            .await
            .unwrap()
            .unwrap()
    };
    let first = next(&mut following).await;
    assert_eq!((first.kind, first.own), (EventKind::Created, true));
    assert!(first.event > before);
    desktop.post("/api/write", &unit("b", "Two.")).await.ok();
    let second = next(&mut following).await;
    assert!(second.event > first.event);
    assert_eq!(second.topic.unwrap().as_str(), "b");

    // Another window knows what this one did as another's.
    let other = Window::new(Arc::clone(&desktop.app), PAGE);
    let mut from_now = other.follow(None).await.unwrap();
    desktop.post("/api/write", &unit("c", "Three.")).await.ok();
    let third = next(&mut from_now).await;
    assert_eq!((third.topic.unwrap().as_str(), third.own), ("c", false));

    // Closed, it hears nothing more.
    drop(other);
    assert!(from_now.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_neither_streams_nor_signs_out_and_has_no_door_for_agents() {
    let desktop = Desktop::new();
    desktop.get("/api/events").await.refused(404, "invalid");
    desktop
        .post("/api/sign-out", &json!({}))
        .await
        .refused(400, "invalid");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    desktop.post("/mcp", &call).await.refused(404, "invalid");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_for_a_browser_names_the_port_that_is_served() {
    let desktop = Desktop::new();
    desktop
        .post("/api/sign-in-links", &json!({}))
        .await
        .refused(503, "unavailable");
    desktop.app.serves(Some(4811));
    let link = desktop.post("/api/sign-in-links", &json!({})).await.ok();
    let url = link["url"].as_str().unwrap();
    assert!(url.starts_with("http://127.0.0.1:4811/#token="), "{url}");
    desktop.app.serves(None);
    desktop
        .post("/api/sign-in-links", &json!({}))
        .await
        .refused(503, "unavailable");
}

#[tokio::test(flavor = "multi_thread")]
async fn why_no_port_is_open_is_said() {
    let desktop = Desktop::new();
    let about = desktop.get("/api/about").await.ok();
    assert!(about["address"].is_null() && about["no_address"].is_null());
    desktop.app.cannot_serve("OZBRAIN_PORT is no port: abc");
    let about = desktop.get("/api/about").await.ok();
    assert_eq!(about["no_address"], "OZBRAIN_PORT is no port: abc");
    desktop.app.serves(Some(4811));
    let about = desktop.get("/api/about").await.ok();
    assert_eq!(about["address"], "http://127.0.0.1:4811");
    assert!(about["no_address"].is_null());
    desktop.app.serves(None);
    let about = desktop.get("/api/about").await.ok();
    assert!(about["no_address"].is_null(), "that reason is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_does_not_open_is_said_and_works_once_it_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory");
    std::fs::write(&path, "no folder").unwrap();
    let store = path.clone();
    let app = App::new(move || {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&store)?);
        Ok(store)
    });
    let window = Window::new(app, PAGE);
    let ask = async |path: &str| {
        let request = Request::builder().uri(format!("{ORIGIN}{path}"));
        Told::of(window.answer(request.body(Vec::new()).unwrap()).await)
    };
    ask("/api/state").await.refused(503, "unavailable");
    assert!(window.follow(None).await.is_err());
    std::fs::remove_file(&path).unwrap();
    ask("/api/state").await.ok();
    assert!(window.follow(None).await.is_ok());
}

/// On one thread, so that whoever waited where nobody should would stop all.
#[test]
fn a_store_that_takes_long_to_open_holds_up_only_who_needs_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let held = std::sync::Mutex::new(held);
    let app = App::later(move || {
        held.lock().unwrap().recv().unwrap();
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
        Ok(store)
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let person = Arc::new(Person::new(Arc::clone(&app)));
        let asks = Arc::clone(&person);
        let mut asked =
            tokio::spawn(async move { asks.read(use_cases::brain_views).await.map(|_| ()) });
        // What needs no store is there meanwhile, and whoever follows it hears
        // of what happens once it is open.
        let page = Window::new(Arc::clone(&app), PAGE);
        let follows = Arc::clone(&app);
        let changes = tokio::spawn(async move {
            let request = Request::builder().uri(format!("{ORIGIN}/inbox"));
            let _ = page.answer(request.body(Vec::new()).unwrap()).await;
            follows.changes()
        });
        let mut changes = tokio::time::timeout(Duration::from_secs(10), changes)
            .await
            .expect("nobody waits for the store")
            .unwrap();
        let early = tokio::time::timeout(Duration::from_millis(1), &mut asked).await;
        assert!(early.is_err(), "a use case waits for the store");
        release.send(()).unwrap();
        asked.await.unwrap().unwrap();
        let made = person.write(|call| {
            use_cases::create_brain(
                call,
                "team",
                None,
                ozbrain_core::words::BrainKind::Shared,
                WritePolicy::Open,
            )
        });
        made.await.unwrap();
        let heard = tokio::time::timeout(Duration::from_secs(10), changes.changed()).await;
        heard.expect("the change is heard of").unwrap();
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn the_desktop_acts_for_the_person_without_a_window() {
    let desktop = Desktop::new();
    let person = Person::new(Arc::clone(&desktop.app));
    let made = person.write(|call| {
        use_cases::create_brain(
            call,
            "team",
            None,
            ozbrain_core::words::BrainKind::Shared,
            WritePolicy::Open,
        )
    });
    assert_eq!(made.await.unwrap().brain.as_str(), "team");
    let brains = person.read(use_cases::brain_views).await.unwrap().brains;
    assert!(brains.iter().any(|brain| brain.brain.as_str() == "team"));
}
