//! Who acts: connections, sessions, agents, and what they may do.

use super::{EventId, Timestamp, UnitId};
use crate::refusal::{Refusal, Result};
use crate::text::is_hidden;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Mutex, PoisonError};
use unicode_normalization::UnicodeNormalization;

/// The name of a connection, such as `Cursor on this computer`: 1 to 80
/// characters, NFC, trimmed, without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConnectionName(String);

impl ConnectionName {
    /// The command line's own connection.
    pub fn cli() -> Self {
        Self("cli".into())
    }

    /// The person, in the window or in a browser that they signed in. Agents are
    /// shown it, and none can take it.
    pub fn you() -> Self {
        Self("you".into())
    }

    /// Whether no client may take this name: the person's, and the command
    /// line's. In any case, since a reader would take one for the other.
    pub fn is_reserved(&self) -> bool {
        [Self::cli(), Self::you()]
            .iter()
            .any(|own| own.0.eq_ignore_ascii_case(&self.0))
    }

    /// Checks and normalises a name.
    ///
    /// # Errors
    /// `invalid` for an empty or overlong name, one with control characters,
    /// and for `.` and `..`.
    pub fn parse(text: &str) -> Result<Self> {
        let name: String = text.trim().nfc().collect();
        if name.is_empty()
            || name.chars().count() > 80
            || name.chars().any(|c| c.is_control() || is_hidden(c))
            // In an address these mean another place, encoded or not.
            || name == "."
            || name == ".."
        {
            return Err(Refusal::invalid(
                "A connection's name has 1 to 80 characters, none of them hidden, and is not `.` \
                 or `..`.",
            ));
        }
        Ok(Self(name))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ConnectionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a connection may do in a brain, in rising order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// The brain does not exist for it.
    None,
    /// It may read.
    Read,
    /// It may read, and write within the brain's write policy.
    Write,
}

impl Grant {
    /// `none`, `read` or `write`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Reads the word. `None` if it is none of the three.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::None, Self::Read, Self::Write]
            .into_iter()
            .find(|grant| grant.as_str() == text)
    }
}

/// What was granted to a connection in a brain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Granted {
    /// What it may do.
    pub grant: Grant,
    /// Whether the person marked it as an owner: it writes where the write
    /// policy is `owners`. Only with [`Grant::Write`].
    pub owner: bool,
}

/// One installed client that may call the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Its name: what identifies it.
    pub name: ConnectionName,
    /// SHA-256 of its HTTP key, if it has one.
    pub key_hash: Option<[u8; 32]>,
    /// When it was first seen or made.
    pub created_at: Timestamp,
    /// When it was revoked. A revoked name stays revoked.
    pub revoked_at: Option<Timestamp>,
    /// Since when the person waits for its first call: no session of it began
    /// since. `None`: nobody waits.
    pub waits_since: Option<Timestamp>,
}

/// A client program, as it names itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Client {
    /// Its name, such as `cursor-vscode`.
    pub name: String,
    /// Its version, possibly empty.
    pub version: String,
}

/// Who acted: connection, client and session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Agent {
    /// The connection it came through.
    pub connection: ConnectionName,
    /// The client program, where it said.
    pub client: Option<Client>,
    /// The session: one run of the connection.
    pub session: String,
}

impl Agent {
    /// Whether the person acts themselves.
    pub fn is_person(&self) -> bool {
        self.connection == ConnectionName::you()
    }
}

/// Readable, and always with the connection's name: `Cursor (cursor-vscode 3.1)`.
impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.connection.as_str())?;
        match &self.client {
            Some(client) if client.version.is_empty() => write!(f, " ({})", client.name),
            Some(client) => write!(f, " ({} {})", client.name, client.version),
            None => Ok(()),
        }
    }
}

/// One run of a connection, with the ledger of what was delivered to it.
#[derive(Debug)]
pub struct Session {
    /// Who acts in it.
    pub agent: Agent,
    /// The newest event when it began: what came later it cannot have known.
    pub began: EventId,
    ledger: Mutex<HashMap<UnitId, BTreeMap<u32, Shown>>>,
}

/// When a revision was delivered to a session.
#[derive(Debug, Clone, Copy)]
struct Shown {
    first: Timestamp,
    /// Of those that count as a read, the last. What it wrote itself is none.
    counted: Option<Timestamp>,
}

impl Session {
    /// A session that has seen nothing yet.
    pub fn new(agent: Agent, began: EventId) -> Self {
        Self {
            agent,
            began,
            ledger: Mutex::default(),
        }
    }

    /// Records that the whole body of `revision` was delivered at `at`. Gives
    /// whether that counts as a read: a session that is given one text again
    /// and again reads it once a day. A session may live for weeks, and what it
    /// is given of a fact that aged meanwhile is a read of then.
    pub fn saw(&self, unit: &UnitId, revision: u32, at: Timestamp) -> bool {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let revisions = ledger.entry(unit.clone()).or_default();
        match revisions.entry(revision) {
            Entry::Vacant(none) => {
                none.insert(Shown {
                    first: at,
                    counted: Some(at),
                });
                true
            }
            Entry::Occupied(mut shown) => {
                let shown = shown.get_mut();
                let counts = shown.counted.is_none_or(|last| at >= last.plus_days(1));
                if counts {
                    shown.counted = Some(at);
                }
                counts
            }
        }
    }

    /// Records that the session wrote the whole body of `revision` at `at`: it
    /// knows it, and has not read it.
    pub fn wrote(&self, unit: &UnitId, revision: u32, at: Timestamp) {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let revisions = ledger.entry(unit.clone()).or_default();
        revisions.entry(revision).or_insert(Shown {
            first: at,
            counted: None,
        });
    }

    /// When `revision` was delivered to this session, if it was.
    pub fn seen(&self, unit: &UnitId, revision: u32) -> Option<Timestamp> {
        let ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        ledger.get(unit)?.get(&revision).map(|shown| shown.first)
    }

    /// The last revision of this unit that the session has seen, and when it
    /// was delivered.
    pub fn last_seen(&self, unit: &UnitId) -> Option<(u32, Timestamp)> {
        let ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        ledger
            .get(unit)?
            .last_key_value()
            .map(|(revision, shown)| (*revision, shown.first))
    }
}
