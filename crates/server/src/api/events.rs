//! The stream of changes: server-sent events, each with its place in the
//! store's order, so that a reader goes on where it stopped.

use super::answer::Refused;
use super::{Api, Caller};
use crate::Result;
use crate::app::{App, now};
use crate::sign_in::SignedIn;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use ozbrain_core::Refusal;
use ozbrain_core::use_cases::{self, Call, ChangeRow};
use ozbrain_core::words::EventId;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How often a silent stream shows that it lives, and that its bearer does.
const ALIVE: Duration = Duration::from_secs(15);

/// Changes that come together are read together.
const PAUSE: Duration = Duration::from_millis(20);

/// Where a stream begins.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsInput {
    /// Everything after this event; from now on unless told. The header
    /// `Last-Event-ID` says the same, and wins.
    #[serde(default)]
    after: Option<EventId>,
}

/// Streams what the person may know of: first what came after the event that
/// the request names, then what comes.
pub(super) async fn events(
    api: Api,
    Caller { tab, headers }: Caller,
    input: EventsInput,
) -> Result<Response, Refused> {
    let wanted = match headers.get("last-event-id") {
        Some(id) => Some(
            id.to_str()
                .ok()
                .and_then(|id| id.trim().parse().ok())
                .ok_or_else(|| Refusal::invalid("`Last-Event-ID` must be an event's number."))?,
        ),
        None => input.after,
    };
    let stream = Changes::new(api.app, tab, api.ending.subscribe(), wanted).await?;
    let stream = futures_util::stream::unfold(stream, |mut stream| async {
        let row = stream.next().await?;
        Some((Ok::<_, Infallible>(event(&row)), stream))
    });
    let alive = KeepAlive::new().interval(ALIVE);
    Ok(Sse::new(stream).keep_alive(alive).into_response())
}

fn event(row: &ChangeRow) -> Event {
    let event = Event::default().event("change").id(row.event.to_string());
    match serde_json::to_string(row) {
        Ok(data) => event.data(data),
        Err(error) => {
            tracing::error!("a change cannot be written as JSON: {error}");
            event
        }
    }
}

/// One reader of what happens, as far as a caller may know of it. It holds no
/// more than one look at the store.
pub(crate) struct Changes {
    app: Arc<App>,
    tab: Arc<SignedIn>,
    after: EventId,
    rows: VecDeque<ChangeRow>,
    /// Whether the store has been looked at since the last notice.
    looked: bool,
    changes: watch::Receiver<u64>,
    signed_out: watch::Receiver<()>,
    ending: watch::Receiver<()>,
}

impl Changes {
    /// First what came after an event, from now on unless told, then what
    /// comes, until `ending` is sent to.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub(crate) async fn new(
        app: Arc<App>,
        tab: Arc<SignedIn>,
        ending: watch::Receiver<()>,
        after: Option<EventId>,
    ) -> Result<Self> {
        // Told of changes before the first look: what happens in between is
        // looked at twice rather than never.
        let changes = app.changes();
        let last = move |call: Call<'_>| call.store.read(|records| records.last_event());
        let last = app.read(&tab.session, last).await?;
        Ok(Self {
            // An event to come belongs to another life of the store.
            after: after.unwrap_or(last).min(last),
            signed_out: tab.signed_out(),
            ending,
            changes,
            tab,
            app,
            rows: VecDeque::new(),
            looked: false,
        })
    }

    /// The next change; `None` once the tab is signed out or the server stops.
    pub(crate) async fn next(&mut self) -> Option<ChangeRow> {
        loop {
            if self.ended() {
                return None;
            }
            if let Some(row) = self.rows.pop_front() {
                return Some(row);
            }
            if self.looked {
                tokio::select! {
                    changed = self.changes.changed() => changed.ok()?,
                    _ = self.signed_out.changed() => return None,
                    _ = self.ending.changed() => return None,
                    // A tab may be signed out by another process, or by time.
                    () = tokio::time::sleep(ALIVE) => {}
                }
                tokio::time::sleep(PAUSE).await;
            }
            self.changes.mark_unchanged();
            match self.look().await {
                Ok(Some((rows, newest))) => {
                    // Until it stands still there is more.
                    self.looked = newest == self.after;
                    self.after = newest;
                    self.rows.extend(rows);
                }
                Ok(None) => return None,
                Err(refusal) => {
                    tracing::debug!(code = %refusal.code, "changes cannot be read: {refusal}");
                    self.looked = true;
                }
            }
        }
    }

    fn ended(&self) -> bool {
        let told = |end: &watch::Receiver<()>| end.has_changed().unwrap_or(true);
        told(&self.signed_out) || told(&self.ending)
    }

    /// What came after the last look; `None` once the tab is signed out.
    async fn look(&self) -> Result<Option<(Vec<ChangeRow>, EventId)>> {
        let (bearer, after) = (self.tab.bearer_hash, self.after);
        let look = move |call: Call<'_>| {
            if let Some(bearer) = bearer
                && use_cases::tab_with_bearer(call.store, bearer, now())?.is_none()
            {
                return Ok(None);
            }
            use_cases::changes_after(call, after).map(Some)
        };
        self.app.write(&self.tab.session, look).await
    }
}
