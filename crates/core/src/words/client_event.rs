//! What the events of clients say.

use super::EventKind;
use serde::{Deserialize, Serialize};

/// How a client's entry was lost, without anybody disconnecting it from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientLoss {
    /// It is not there.
    Gone,
    /// It was changed, or what it starts is not there.
    Outdated,
    /// What is there starts OzBrain on another data folder.
    OtherStore,
}

/// The detail of an event about a client, but for its first call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientDetail {
    /// Its short name.
    pub client: String,
    /// Its name for people.
    pub name: String,
    /// The connection that its entry named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
    /// How its entry was lost, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<ClientLoss>,
}

impl ClientDetail {
    /// As an event's detail holds it.
    pub fn to_text(&self) -> String {
        // Strings and words alone: there is nothing that could fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads an event's detail. `None`: the event is about no client, or was
    /// written by another program.
    pub fn of(kind: EventKind, detail: Option<&str>) -> Option<Self> {
        match kind {
            EventKind::ClientConnected | EventKind::ClientDisconnected | EventKind::ClientLost => {
                serde_json::from_str(detail?).ok()
            }
            _ => None,
        }
    }
}
