//! The desktop's own window: the screens and `/api` without a port and without
//! a key, for requests that never leave this process. Whoever holds a
//! [`Window`] vouches that its requests come from that window alone; this door
//! lets in what names the window's own origin.

use crate::Result;
use crate::api;
use crate::app::App;
use crate::http::{guarded, policy, refused};
use crate::person::{Following, Person};
use crate::screens::screens;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, Response, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use ozbrain_core::words::EventId;
use ozbrain_core::{Code, Refusal};
use std::sync::Arc;
use tokio::sync::watch;
use tower::ServiceExt;

/// The longest answer; none of ours comes near it.
const ANSWER: usize = 256 * 1024 * 1024;

/// Where a window's page lies, and what it may call.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// How its requests are addressed when they arrive, such as
    /// `oz://localhost`.
    pub address: &'static str,
    /// How the page itself names where it lies. This is another than `address`
    /// where the system's web view knows no schemes of others: there the page
    /// lies at `http://oz.localhost`, and its requests arrive under the scheme.
    pub origin: &'static str,
    /// What it may call besides, as a content security policy writes sources:
    /// the commands of the program around it.
    pub calls: &'static str,
}

/// One window, for as long as it is open: a session of the person, with the
/// ledger of what it has seen.
pub struct Window {
    person: Person,
    page: Page,
    router: Router,
}

impl Window {
    /// A window that shows a page.
    pub fn new(app: Arc<App>, page: Page) -> Self {
        // Nothing streams here that must be ended.
        let ending = Arc::new(watch::Sender::new(()));
        let router = api::router(Arc::clone(&app), ending)
            .fallback(screens)
            .layer(from_fn_with_state(policy(page.calls), guarded));
        Self {
            person: Person::new(app),
            page,
            router,
        }
    }

    /// Answers a request of the window's page, as the servers do, with the
    /// whole body. A stream has no end: changes come from [`Window::follow`].
    pub async fn answer(&self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        let answer = match self.asked(request) {
            Ok(request) if request.uri().path() == "/api/events" => refused(
                StatusCode::NOT_FOUND,
                Code::Invalid.as_str(),
                "A window hears of changes by itself, not over this route.",
            ),
            Ok(request) => self.reply(request).await,
            Err(refusal) => refused(
                StatusCode::FORBIDDEN,
                refusal.code.as_str(),
                refusal.message,
            ),
        };
        let (head, body) = answer.into_parts();
        match to_bytes(body, ANSWER).await {
            Ok(body) => Response::from_parts(head, body.into()),
            Err(error) => {
                tracing::error!("an answer to the window broke off: {error}");
                let mut failed = Response::new(Vec::new());
                *failed.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                failed
            }
        }
    }

    /// Follows what happens, as [`Person::follow`] does, until the window is
    /// closed.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub async fn follow(&self, after: Option<EventId>) -> Result<Following> {
        self.person.follow(after).await
    }

    /// The request as the router takes it, if it is the page's own.
    fn asked(&self, request: Request<Vec<u8>>) -> Result<Request<Body>> {
        let (mut head, body) = request.into_parts();
        let foreign = || {
            Refusal::new(
                Code::NotAllowed,
                "Only OzBrain's own window may call this way.",
            )
        };
        let place = format!(
            "{}://{}",
            head.uri.scheme_str().unwrap_or_default(),
            head.uri
                .authority()
                .map_or("", |authority| authority.as_str())
        );
        let origins = head.headers.get_all(header::ORIGIN);
        let own = |origin: &HeaderValue| *origin == *self.page.origin;
        if place != self.page.address || !origins.iter().all(own) {
            return Err(foreign());
        }
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
        head.uri = path.parse::<Uri>().map_err(|_| foreign())?;
        // Where a browser finds what this page shows.
        head.headers.remove(header::HOST);
        let port = *self.person.app().served().borrow();
        let host = port.map(|port| HeaderValue::try_from(format!("127.0.0.1:{port}")));
        if let Some(Ok(host)) = host {
            head.headers.insert(header::HOST, host);
        }
        Ok(Request::from_parts(head, Body::from(body)))
    }

    async fn reply(&self, mut request: Request<Body>) -> axum::response::Response {
        // The page itself comes even where the store does not open: it says why.
        if request.uri().path().starts_with("/api") {
            match self.person.tab().await {
                Ok(tab) => request.extensions_mut().insert(tab),
                Err(refusal) => {
                    return refused(
                        StatusCode::SERVICE_UNAVAILABLE,
                        refusal.code.as_str(),
                        refusal.message,
                    );
                }
            };
        }
        match self.router.clone().oneshot(request).await {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }
}
