//! HTTP on loopback: `/mcp`, `/api`, `/health`, the screens, and the checks that
//! stand before every door: Host, Origin and, for `/mcp`, the connection's key.

use crate::api;
use crate::app::{App, now};
use crate::keys;
use crate::listen::proof;
use crate::mcp::{
    ALONE, Caller, Door, Envelope, KeptSessions, SIGNED_IN, UNREADABLE, rpc_error as error_of,
};
use crate::screens::screens;
use crate::sockets;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, uri::Authority,
};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use ozbrain_core::ports::Identity;
use ozbrain_core::use_cases;
use ozbrain_core::words::ConnectionName;
use ozbrain_core::{Code, Refusal};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde::de::IgnoredAny;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::{Mutex, watch};

/// The longest request body.
const BODY: usize = 4 * 1024 * 1024;

/// How long one proof that the store can write is good for.
const PROOF: Duration = Duration::from_secs(1);

/// How long a session's machinery waits for its client before it is put away.
/// The session itself stays valid: it comes back with the next request.
const SESSION_IDLE: Duration = Duration::from_secs(2 * 60 * 60);

/// The longest challenge that is answered, in bytes.
const CHALLENGE: usize = 64;

/// How often a running server proves that the store can write.
const BEAT: Duration = Duration::from_secs(60);

/// How long a stop waits for calls that run.
const STOP: Duration = Duration::from_secs(10);

const SESSION_ID: &str = "mcp-session-id";
const PROTOCOL_VERSION: &str = "mcp-protocol-version";
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The routes.
pub fn router(app: Arc<App>) -> Router {
    Doors::new(app).router
}

/// Serves on a listener until `shutdown` is done, then lets running calls
/// finish, while nobody new is served.
///
/// # Errors
/// A failure of the listener.
pub async fn serve(
    app: Arc<App>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let Doors { router, end } = Doors::new(Arc::clone(&app));
    let beats = tokio::spawn(beat(Arc::clone(&app), BEAT));
    app.serves(Some(listener.local_addr()?.port()));
    let looked_after = app.look_after_clients();
    let served = Arc::clone(&app);
    let stop = async {
        shutdown.await;
        served.serves(None);
        beats.abort();
        let _ = tokio::task::spawn_blocking(move || drop(looked_after)).await;
    };
    let last = async move {
        // Streams to clients never end by themselves: first the calls that
        // run, then the streams.
        let _ = tokio::time::timeout(STOP, app.idle()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        end();
    };
    sockets::serve(listener, router, stop, last).await;
    Ok(())
}

/// Proves again and again that the store can write.
async fn beat(app: Arc<App>, every: Duration) {
    // Whoever starts a server has just proved it.
    let mut beats = tokio::time::interval_at(tokio::time::Instant::now() + every, every);
    beats.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        beats.tick().await;
        // Whoever asks for `/health` is told what is wrong.
        let _ = app.blocking(|store| use_cases::health(store, now())).await;
    }
}

struct Doors {
    router: Router,
    /// Ends sessions and streams.
    end: Box<dyn Fn() + Send + Sync>,
}

impl Doors {
    fn new(app: Arc<App>) -> Self {
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(LOOPBACK)
            .with_allowed_origins(LOOPBACK.map(|host| format!("http://{host}:*")))
            .enforce_origin_validation()
            // An empty first event breaks strict clients.
            .with_sse_retry(None)
            // Plain JSON where a reply is all there is to say.
            .with_json_response(true)
            .with_max_request_body_bytes(BODY);
        let mut config = config;
        config.session_store = Some(Arc::new(KeptSessions(Arc::clone(&app))));
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.sse_retry = None;
        sessions.session_config.keep_alive = Some(SESSION_IDLE);
        let cancel = config.cancellation_token.clone();
        let door = Arc::clone(&app);
        let sessions = Arc::new(sessions);
        let streams = Arc::clone(&sessions);
        let mcp = StreamableHttpService::new(
            move || Ok(Door::http(Arc::clone(&door), Arc::clone(&streams))),
            sessions,
            config,
        );
        let mcp = Router::new()
            .route_service("/mcp", mcp)
            .layer(from_fn(json_rpc))
            .layer(from_fn_with_state(Arc::clone(&app), signed_in));
        let health = Router::new()
            .route("/health", get(health))
            .with_state(Arc::new(Health {
                app: Arc::clone(&app),
                last: Mutex::new(None),
            }));
        let ending = Arc::new(watch::Sender::new(()));
        let router = mcp
            .merge(api::router(app, Arc::clone(&ending)))
            .merge(health)
            .fallback(screens)
            .layer(from_fn(from_this_computer))
            .layer(from_fn_with_state(policy(""), guarded));
        Self {
            router,
            end: Box::new(move || {
                ending.send_replace(());
                cancel.cancel();
            }),
        }
    }
}

/// An answer that says what is wrong.
pub(crate) fn refused(status: StatusCode, code: &str, message: impl AsRef<str>) -> Response {
    let body = json!({"code": code, "message": message.as_ref()});
    (status, axum::Json(body)).into_response()
}

/// A JSON-RPC error that belongs to no request.
fn rpc_error(status: StatusCode, code: i32, message: &str) -> Response {
    let error = error_of(&serde_json::Value::Null, code, message);
    (status, axum::Json(error)).into_response()
}

/// What others may do with a page of ours: nothing.
const GUARDS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// What a page of ours may load: its own files, and no more. Besides its own
/// origin it may call `calls`: sources as a policy writes them, or nothing.
pub(crate) fn policy(calls: &str) -> HeaderValue {
    let space = if calls.is_empty() { "" } else { " " };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; \
         connect-src 'self'{space}{calls}; img-src 'self'; font-src 'self'; form-action 'none'; \
         frame-ancestors 'none'; base-uri 'none'"
    );
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Tells browsers to keep every answer to its own origin, under a policy.
pub(crate) async fn guarded(
    State(policy): State<HeaderValue>,
    request: Request,
    next: Next,
) -> Response {
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in GUARDS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// Refuses what did not come from this computer by its own name: a web page
/// that a name server led here (DNS rebinding), or one of another origin.
async fn from_this_computer(request: Request, next: Next) -> Response {
    let Some(host) = host(&request).filter(loopback) else {
        return refused(
            StatusCode::FORBIDDEN,
            Code::NotAllowed.as_str(),
            "This server answers to 127.0.0.1 and localhost alone.",
        );
    };
    let origins: Vec<_> = request.headers().get_all(header::ORIGIN).iter().collect();
    let own = |origin: &header::HeaderValue| {
        origin
            .to_str()
            .ok()
            .and_then(|origin| origin.strip_prefix("http://"))
            .and_then(|origin| origin.parse::<Authority>().ok())
            .is_some_and(|origin| {
                loopback(&origin)
                    && origin.port_u16().unwrap_or(80) == host.port_u16().unwrap_or(80)
            })
    };
    if !origins.into_iter().all(own) {
        return refused(
            StatusCode::FORBIDDEN,
            Code::NotAllowed.as_str(),
            "Pages of other origins may not call this server.",
        );
    }
    next.run(request).await
}

fn host(request: &Request) -> Option<Authority> {
    let mut named = request.headers().get_all(header::HOST).iter();
    match (named.next(), named.next()) {
        (Some(host), None) => host.to_str().ok()?.parse().ok(),
        _ => None,
    }
}

fn loopback(authority: &Authority) -> bool {
    // What stands before an `@` is no host, and what is no number no port.
    let port = authority.as_str().strip_prefix(authority.host());
    port.is_some_and(|port| port.is_empty() || authority.port_u16().is_some())
        && LOOPBACK
            .iter()
            .any(|host| authority.host().eq_ignore_ascii_case(host))
}

/// Lets through who has a key, with its connection and, where the request
/// names one, the session that this connection opened.
async fn signed_in(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let connection = match connection(&app, request.headers()).await {
        Ok(Some(connection)) => connection,
        Ok(None) => {
            let mut answer = refused(
                StatusCode::UNAUTHORIZED,
                Code::NotAllowed.as_str(),
                "Send a key that is valid: `Authorization: Bearer KEY`. \
                 `ozbrain connection create NAME` makes one.",
            );
            answer.headers_mut().insert(
                header::WWW_AUTHENTICATE,
                header::HeaderValue::from_static("Bearer realm=\"OzBrain\""),
            );
            return answer;
        }
        Err(refusal) => return unavailable(&refusal),
    };
    // The era of 2026-07-28 knows no sessions: a header left over means nothing.
    let named = request
        .headers()
        .get(SESSION_ID)
        .filter(|_| !without_sessions(request.headers()));
    let run = match named {
        None => None,
        Some(id) => {
            let id = id.to_str().unwrap_or_default().to_owned();
            match app.http_sessions.find(&app, &id, &connection).await {
                Ok(Some(run)) => {
                    if *request.method() != Method::DELETE {
                        app.http_sessions.renew(&app, &id, &run).await;
                    }
                    Some(run)
                }
                // Another connection's session is as good as none.
                Ok(None) => {
                    return rpc_error(StatusCode::NOT_FOUND, -32001, "Session not found");
                }
                Err(refusal) => return unavailable(&refusal),
            }
        }
    };
    request.extensions_mut().insert(Caller {
        connection: connection.clone(),
        run,
    });
    SIGNED_IN.scope(connection, next.run(request)).await
}

fn without_sessions(headers: &HeaderMap) -> bool {
    headers
        .get(PROTOCOL_VERSION)
        .and_then(|version| version.to_str().ok())
        .is_some_and(|version| version >= "2026-07-28")
}

async fn connection(
    app: &Arc<App>,
    headers: &HeaderMap,
) -> Result<Option<ConnectionName>, Refusal> {
    match bearer(headers).map(keys::hash) {
        Some(key) => {
            app.blocking(move |store| use_cases::connection_with_key(store, &key))
                .await
        }
        None => Ok(None),
    }
}

/// What `Authorization: Bearer …` carries.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, bearer) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(bearer.trim())
}

fn unavailable(refusal: &Refusal) -> Response {
    refused(
        StatusCode::SERVICE_UNAVAILABLE,
        refusal.code.as_str(),
        &refusal.message,
    )
}

/// Answers what is no JSON, or no message of JSON-RPC, with JSON-RPC's own
/// errors, and what is too long with 413.
async fn json_rpc(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let body = match axum::body::to_bytes(body, BODY).await {
        Ok(body) => body,
        Err(error) => {
            let (status, why) = if sockets::is_late(&error) {
                (
                    StatusCode::REQUEST_TIMEOUT,
                    "The request did not come whole in time.",
                )
            } else {
                (
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "The request is longer than 4 MiB.",
                )
            };
            return rpc_error(status, -32600, why);
        }
    };
    if let Some((code, message)) = wrong(&body) {
        return rpc_error(StatusCode::BAD_REQUEST, code, message);
    }
    let of_json = parts
        .headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.to_ascii_lowercase().starts_with("application/json"));
    let message = body.clone();
    let answer = next.run(Request::from_parts(parts, Body::from(body))).await;
    if of_json && answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        let error = error_of(&Envelope::of(&message).id(), -32600, UNREADABLE);
        return (StatusCode::BAD_REQUEST, axum::Json(error)).into_response();
    }
    answer
}

/// What keeps a body from being a message, as a JSON-RPC error.
fn wrong(body: &Bytes) -> Option<(i32, &'static str)> {
    if serde_json::from_slice::<IgnoredAny>(body).is_err() {
        return Some((-32700, "The body is no JSON."));
    }
    let object = body.trim_ascii_start().first() == Some(&b'{');
    (!object).then_some((-32600, ALONE))
}

/// The last proof that the store can write.
struct Health {
    app: Arc<App>,
    last: Mutex<Option<(Instant, Result<Identity, Refusal>)>>,
}

/// Says whether the store can write. Whoever asks may add a `challenge`, a text
/// of their own, to which the server proves that it reads the store.
async fn health(State(health): State<Arc<Health>>, uri: Uri) -> Response {
    // Whoever asks meanwhile waits for the same proof.
    let mut last = health.last.lock().await;
    let found = match &*last {
        Some((at, found)) if at.elapsed() < PROOF => found.clone(),
        _ => {
            let found = health
                .app
                .blocking(|store| use_cases::health(store, now()))
                .await;
            *last = Some((Instant::now(), found.clone()));
            found
        }
    };
    match found {
        Ok(store) => {
            let mut well = json!({
                "status": "ok",
                "app": "ozbrain",
                "version": env!("CARGO_PKG_VERSION"),
                "store": store.id,
            });
            let asked = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
            let challenge = asked
                .filter(|(name, text)| name == "challenge" && text.len() <= CHALLENGE)
                .map(|(_, text)| text)
                .next();
            let port = *health.app.served().borrow();
            if let (Some(challenge), Some(port)) = (challenge, port)
                && let Some(well) = well.as_object_mut()
            {
                well.insert("proof".into(), proof(&store, &challenge, port).into());
            }
            axum::Json(well).into_response()
        }
        Err(refusal) => unavailable(&refusal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ozbrain_core::ports::Store;
    use ozbrain_sqlite::SqliteStore;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_running_server_proves_again_that_it_can_write() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().to_owned();
        let app = App::new(move || {
            let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path)?);
            Ok(store)
        });
        let wrote = |app: &App| {
            app.store()
                .unwrap()
                .read(|records| records.wrote_at())
                .unwrap()
        };
        let beats = tokio::spawn(beat(Arc::clone(&app), Duration::from_millis(5)));
        let mut seen = std::collections::BTreeSet::new();
        while seen.len() < 3 {
            seen.extend(wrote(&app));
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        beats.abort();
    }
}
