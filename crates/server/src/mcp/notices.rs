//! Change notices: what was subscribed to and has changed, and that topics
//! appeared or went, whichever process did it.

use super::resources::Address;
use crate::Result;
use crate::app::App;
use ozbrain_core::use_cases::{self, ChangeRow};
use ozbrain_core::words::{EventId, EventKind, Session};
use ozbrain_core::{Code, Refusal};
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::SubscriptionSink;
use rmcp::{Peer, RoleServer};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// What a client subscribed to, by the URI as it wrote it.
pub(super) type Subscriptions = Mutex<HashMap<String, Address>>;

/// Changes that come together are told together.
const PAUSE: Duration = Duration::from_millis(40);

/// After a look, so many times what it took passes before the next: however
/// much others write, looking stays a small part of the work.
const REST: u32 = 10;

/// Someone who is told of changes.
pub(super) trait Listener: Send {
    /// What it subscribed to.
    fn subscriptions(&self) -> Vec<(String, Address)>;
    /// A resource changed. False once it is gone.
    fn updated(&mut self, uri: String) -> impl Future<Output = bool> + Send;
    /// The list of resources changed. False once it is gone.
    fn list_changed(&mut self) -> impl Future<Output = bool> + Send;
}

fn copy(subscriptions: &Subscriptions) -> Vec<(String, Address)> {
    let subscriptions = subscriptions.lock().unwrap_or_else(PoisonError::into_inner);
    subscriptions
        .iter()
        .map(|(uri, address)| (uri.clone(), address.clone()))
        .collect()
}

/// A client of the handshake era, for as long as its session lasts.
impl Listener for (Peer<RoleServer>, Arc<Subscriptions>) {
    fn subscriptions(&self) -> Vec<(String, Address)> {
        copy(&self.1)
    }

    async fn updated(&mut self, uri: String) -> bool {
        let notice = ResourceUpdatedNotificationParam::new(uri);
        self.0.notify_resource_updated(notice).await.is_ok()
    }

    async fn list_changed(&mut self) -> bool {
        self.0.notify_resource_list_changed().await.is_ok()
    }
}

/// A `subscriptions/listen` of the era of 2026-07-28.
impl Listener for (SubscriptionSink, Arc<Subscriptions>) {
    fn subscriptions(&self) -> Vec<(String, Address)> {
        copy(&self.1)
    }

    async fn updated(&mut self, uri: String) -> bool {
        self.0.notify_resource_updated(uri).await.is_ok()
    }

    async fn list_changed(&mut self) -> bool {
        self.0.accepted().resources_list_changed != Some(true)
            || self.0.notify_resource_list_changed().await.is_ok()
    }
}

/// Why a watch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The listener or its door is gone.
    Gone,
    /// The connection was revoked.
    Revoked,
}

/// Tells a listener of changes until it or its door is gone, or its connection
/// is revoked.
pub(super) async fn watch(
    app: &Arc<App>,
    session: &Arc<Session>,
    mut open: watch::Receiver<()>,
    listener: &mut impl Listener,
) -> Ended {
    // Changes first, state second: what happens in between is told twice
    // rather than never.
    let mut changes = app.changes();
    let mut after = session.began;
    let mut topics = 0;
    match look(app, session, after, true).await {
        Ok(look) => {
            after = look.newest;
            topics = look.topics.unwrap_or_default();
        }
        Err(refusal) if revoked(&refusal) => return Ended::Revoked,
        Err(_) => {}
    }
    let mut rest = PAUSE;
    loop {
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return Ended::Gone },
            // Only its end can come: nothing is ever sent.
            _ = open.changed() => return Ended::Gone,
        }
        tokio::time::sleep(rest).await;
        changes.mark_unchanged();
        let began = Instant::now();
        let look = match look(app, session, after, false).await {
            Ok(look) => look,
            Err(refusal) if revoked(&refusal) => return Ended::Revoked,
            Err(refusal) => {
                tracing::debug!(code = %refusal.code, "changes cannot be read: {refusal}");
                continue;
            }
        };
        rest = PAUSE.max(began.elapsed() * REST);
        after = look.newest;
        for uri in touched(&look.rows, listener.subscriptions()) {
            if !listener.updated(uri).await {
                return Ended::Gone;
            }
        }
        if let Some(now) = look.topics.filter(|now| *now != topics) {
            topics = now;
            if !listener.list_changed().await {
                return Ended::Gone;
            }
        }
    }
}

/// What has changed, and how the list of topics stands.
struct Look {
    rows: Vec<ChangeRow>,
    newest: EventId,
    /// All of them as one number. None where nothing happened that could change
    /// them.
    topics: Option<u64>,
}

/// Whether a refusal means that the connection may call no more: no look is
/// refused for another reason of this kind.
fn revoked(refusal: &Refusal) -> bool {
    refusal.code == Code::NotAllowed
}

async fn look(app: &Arc<App>, session: &Arc<Session>, after: EventId, first: bool) -> Result<Look> {
    app.write(session, move |call| {
        let (mut rows, newest) = use_cases::changes_after(call, after)?;
        // What waits for the person is shown to no reader.
        rows.retain(|row| !matches!(row.kind, EventKind::Proposed | EventKind::Rejected));
        let may_move = |row: &ChangeRow| {
            !matches!(
                row.kind,
                EventKind::Confirmed
                    | EventKind::Checked
                    | EventKind::Noted
                    | EventKind::Later
                    | EventKind::Dismissed
                    | EventKind::BrainChanged
                    | EventKind::SettingsChanged
            )
        };
        let topics = if first || rows.iter().any(may_move) {
            let mut all = DefaultHasher::new();
            for row in use_cases::topics_after(call, None, usize::MAX)?.0 {
                (row.brain.as_str(), row.topic.as_str()).hash(&mut all);
            }
            Some(all.finish())
        } else {
            None
        };
        Ok(Look {
            rows,
            newest,
            topics,
        })
    })
    .await
}

/// The subscribed topics that show a changed unit, or showed it before it
/// moved: its own and those above.
fn touched(rows: &[ChangeRow], subscriptions: Vec<(String, Address)>) -> Vec<String> {
    let shows = |address: &Address| {
        rows.iter().any(|row| {
            let brain = row.brain.as_ref().map(|brain| brain.as_str());
            brain == Some(address.brain.as_str())
                && [&row.topic, &row.was]
                    .into_iter()
                    .flatten()
                    .any(|topic| topic.is_within(&address.topic))
        })
    };
    subscriptions
        .into_iter()
        .filter(|(_, address)| shows(address))
        .map(|(uri, _)| uri)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::resources::parse;
    use super::*;
    use ozbrain_core::shapes::Moment;
    use ozbrain_core::views::Who;
    use ozbrain_core::words::{BrainName, ConnectionName, Timestamp, Topic};

    #[test]
    fn a_change_touches_its_topic_and_those_above_in_its_brain() {
        let row = ChangeRow {
            event: 1,
            kind: EventKind::Updated,
            at: Moment(Timestamp::default()),
            agent: Who::from(&ConnectionName::cli()),
            brain: Some(BrainName::parse("team").unwrap()),
            unit: None,
            topic: Some(Topic::parse("clients/meridian").unwrap()),
            revision: None,
            was: Some(Topic::parse("leads").unwrap()),
            own: false,
            client: None,
            connection: None,
        };
        let subscribed = [
            "ozbrain://team/clients",
            "ozbrain://team/Clients/Meridian",
            "ozbrain://team/clients/meridian/notes",
            "ozbrain://team/clients-old",
            "ozbrain://personal/clients",
            "ozbrain://team/leads",
        ]
        .map(|uri| (uri.to_owned(), parse(uri).unwrap()));
        assert_eq!(
            touched(&[row], subscribed.into()),
            [
                "ozbrain://team/clients",
                "ozbrain://team/Clients/Meridian",
                "ozbrain://team/leads",
            ]
        );
    }
}
