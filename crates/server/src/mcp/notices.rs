//! Change notices: what was subscribed to and has changed, and that topics
//! appeared or went, whichever process did it.

use super::resources::Address;
use crate::Result;
use crate::app::App;
use ozbrain_core::shapes::TopicsInput;
use ozbrain_core::use_cases::{self, ChangeRow};
use ozbrain_core::words::{EventId, EventKind, Session};
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::SubscriptionSink;
use rmcp::{Peer, RoleServer};
use std::collections::{BTreeSet, HashMap};
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

/// Tells a listener of changes until it or its door is gone.
pub(super) async fn watch(
    app: &Arc<App>,
    session: &Arc<Session>,
    mut open: watch::Receiver<()>,
    listener: &mut impl Listener,
) {
    // Changes first, state second: what happens in between is told twice
    // rather than never.
    let mut changes = app.changes();
    let mut after = session.began;
    let mut topics = BTreeSet::new();
    if let Ok(look) = look(app, session, after, true).await {
        after = look.newest;
        topics = look.topics.unwrap_or_default();
    }
    let mut rest = PAUSE;
    loop {
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            // Only its end can come: nothing is ever sent.
            _ = open.changed() => return,
        }
        tokio::time::sleep(rest).await;
        changes.mark_unchanged();
        let began = Instant::now();
        let look = match look(app, session, after, false).await {
            Ok(look) => look,
            Err(refusal) => {
                tracing::debug!(code = %refusal.code, "changes cannot be read: {refusal}");
                continue;
            }
        };
        rest = PAUSE.max(began.elapsed() * REST);
        after = look.newest;
        for uri in touched(&look.rows, listener.subscriptions()) {
            if !listener.updated(uri).await {
                return;
            }
        }
        if let Some(now) = look.topics.filter(|now| *now != topics) {
            topics = now;
            if !listener.list_changed().await {
                return;
            }
        }
    }
}

/// What has changed, and how the list of topics stands.
struct Look {
    rows: Vec<ChangeRow>,
    newest: EventId,
    /// None where nothing happened that could change it.
    topics: Option<BTreeSet<Address>>,
}

async fn look(app: &Arc<App>, session: &Arc<Session>, after: EventId, first: bool) -> Result<Look> {
    app.write(session, move |call| {
        let (rows, newest) = use_cases::changes_after(call, after)?;
        let may_move = |row: &ChangeRow| {
            !matches!(
                row.kind,
                EventKind::Confirmed
                    | EventKind::Checked
                    | EventKind::Noted
                    | EventKind::Dismissed
                    | EventKind::BrainChanged
            )
        };
        let topics = if first || rows.iter().any(may_move) {
            let reply = use_cases::topics(call, TopicsInput::default())?;
            let addresses = reply.topics.into_iter().map(|row| Address {
                brain: row.brain.as_str().to_owned(),
                topic: row.topic,
            });
            Some(addresses.collect())
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

/// The subscribed topics that show a changed unit: its own and those above.
fn touched(rows: &[ChangeRow], subscriptions: Vec<(String, Address)>) -> Vec<String> {
    let shows = |address: &Address| {
        rows.iter().any(|row| {
            let brain = row.brain.as_ref().map(|brain| brain.as_str());
            brain == Some(address.brain.as_str())
                && row
                    .topic
                    .as_ref()
                    .is_some_and(|topic| topic.is_within(&address.topic))
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
            own: false,
        };
        let subscribed = [
            "ozbrain://team/clients",
            "ozbrain://team/Clients/Meridian",
            "ozbrain://team/clients/meridian/notes",
            "ozbrain://team/clients-old",
            "ozbrain://personal/clients",
        ]
        .map(|uri| (uri.to_owned(), parse(uri).unwrap()));
        assert_eq!(
            touched(&[row], subscribed.into()),
            ["ozbrain://team/clients", "ozbrain://team/Clients/Meridian"]
        );
    }
}
