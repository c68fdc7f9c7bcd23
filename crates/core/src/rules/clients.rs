//! How a client stands, from what its files and the store say.

use crate::ports::FoundClient;
use crate::views::clients::ClientState;
use crate::words::{ClientLoss, ConnectionName, Timestamp};

/// What the store knows of the connection that a client's entry names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KnownConnection {
    /// When it last called.
    pub last_call: Option<Timestamp>,
    /// Whether its first call is waited for: no session of it began since its
    /// client was connected.
    pub waits: bool,
    /// Whether it was revoked.
    pub revoked: bool,
}

/// How a client stands. It works once a session of its connection has begun
/// since its entry was made: neither an older call, nor one of a session that
/// was there before, proves anything of this entry.
pub fn client_state(found: &FoundClient, known: KnownConnection) -> ClientState {
    if found.problem.is_some() && (found.installed || found.made.is_some()) {
        return ClientState::Blocked;
    }
    let Some(entry) = &found.entry else {
        return match (&found.made, found.installed) {
            (Some(_), true) => ClientState::Gone,
            (None, true) => ClientState::Found,
            (_, false) => ClientState::Absent,
        };
    };
    if known.revoked {
        return ClientState::Revoked;
    }
    if !entry.current || entry.connection.is_none() {
        return ClientState::Outdated;
    }
    let made = found.made.as_ref();
    let since = made
        .filter(|made| Some(&made.connection) == entry.connection.as_ref())
        .map(|made| made.at);
    match known.last_call.filter(|_| !known.waits) {
        Some(last) if since.is_none_or(|since| last >= since) => ClientState::Works,
        _ => ClientState::Waiting,
    }
}

/// How a client lost the entry that was made from here, if it did. What a
/// person undid elsewhere, by a revoke or by taking the client away, is no loss.
pub fn loss(found: &FoundClient, state: ClientState) -> Option<ClientLoss> {
    found.made.as_ref()?;
    match state {
        ClientState::Gone if found.other_store.is_some() => Some(ClientLoss::OtherStore),
        ClientState::Gone => Some(ClientLoss::Gone),
        // One that is as it was made is another OzBrain's way of starting it,
        // as long as that is there.
        ClientState::Outdated => found
            .entry
            .as_ref()
            .filter(|entry| entry.altered)
            .map(|_| ClientLoss::Outdated),
        _ => None,
    }
}

/// The connection that a client shall call as: the one its entry names or
/// named last, else one that is called like the client; never a revoked one,
/// since a revoked name stays revoked, nor one that is no client's.
pub fn connection_for(
    found: &FoundClient,
    revoked: impl Fn(&ConnectionName) -> bool,
) -> Option<ConnectionName> {
    let entry = found.entry.as_ref().and_then(|it| it.connection.clone());
    let made = found.made.as_ref().map(|it| it.connection.clone());
    let numbered = (2..100).map(|number| format!("{}-{number}", found.client));
    let own = std::iter::once(found.client.clone()).chain(numbered);
    let own = own.filter_map(|name| ConnectionName::parse(&name).ok());
    entry
        .into_iter()
        .chain(made)
        .chain(own)
        .find(|name| !name.is_reserved() && !revoked(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{ClientEntry, MadeEntry};
    use crate::views::clients::{AfterChange, ClientProblem, ClientProblemCode};

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn name(name: &str) -> ConnectionName {
        ConnectionName::parse(name).unwrap()
    }

    fn found() -> FoundClient {
        FoundClient {
            client: "cursor".into(),
            name: "Cursor".into(),
            installed: true,
            file: "/home/ann/.cursor/mcp.json".into(),
            entry: Some(ClientEntry {
                name: "ozbrain".into(),
                connection: Some(name("cursor")),
                current: true,
                altered: false,
            }),
            other_store: None,
            rules: None,
            made: Some(MadeEntry {
                name: "ozbrain".into(),
                connection: name("cursor"),
                at: at(100),
            }),
            problem: None,
            after: AfterChange::Nothing,
            running: false,
            by: None,
        }
    }

    fn called(at_millis: i64) -> KnownConnection {
        KnownConnection {
            last_call: Some(at(at_millis)),
            waits: false,
            revoked: false,
        }
    }

    #[test]
    fn a_client_works_once_it_called_since_its_entry_was_made() {
        let none = KnownConnection::default();
        assert_eq!(client_state(&found(), none), ClientState::Waiting);
        assert_eq!(client_state(&found(), called(99)), ClientState::Waiting);
        assert_eq!(client_state(&found(), called(100)), ClientState::Works);
        // A session that was there before goes on calling.
        let old_session = KnownConnection {
            waits: true,
            ..called(200)
        };
        assert_eq!(client_state(&found(), old_session), ClientState::Waiting);
        // An entry that the person pasted: any call proves it.
        let pasted = FoundClient {
            made: None,
            ..found()
        };
        assert_eq!(client_state(&pasted, called(1)), ClientState::Works);
        assert_eq!(client_state(&pasted, none), ClientState::Waiting);
    }

    #[test]
    fn an_entry_that_someone_else_dropped_is_gone() {
        let dropped = FoundClient {
            entry: None,
            ..found()
        };
        assert_eq!(client_state(&dropped, called(200)), ClientState::Gone);
        let never = FoundClient {
            made: None,
            ..dropped.clone()
        };
        assert_eq!(client_state(&never, called(200)), ClientState::Found);
        let uninstalled = FoundClient {
            installed: false,
            ..dropped
        };
        assert_eq!(client_state(&uninstalled, called(200)), ClientState::Absent);
    }

    #[test]
    fn a_loss_is_what_nobody_did_from_here() {
        let state = |found: &FoundClient| client_state(found, called(200));
        let told = |found: &FoundClient| loss(found, state(found));
        assert_eq!(told(&found()), None);
        let dropped = FoundClient {
            entry: None,
            ..found()
        };
        assert_eq!(told(&dropped), Some(ClientLoss::Gone));
        let elsewhere = FoundClient {
            other_store: Some("/tmp/other".into()),
            ..dropped.clone()
        };
        assert_eq!(told(&elsewhere), Some(ClientLoss::OtherStore));
        let never_made = FoundClient {
            made: None,
            ..elsewhere
        };
        assert_eq!(told(&never_made), None);
        let uninstalled = FoundClient {
            installed: false,
            ..dropped
        };
        assert_eq!(told(&uninstalled), None);
        let mut outdated = found();
        outdated.entry.as_mut().unwrap().current = false;
        assert_eq!(told(&outdated), None);
        outdated.entry.as_mut().unwrap().altered = true;
        assert_eq!(told(&outdated), Some(ClientLoss::Outdated));
        let revoked = KnownConnection {
            revoked: true,
            ..called(200)
        };
        assert_eq!(loss(&outdated, client_state(&outdated, revoked)), None);
    }

    #[test]
    fn what_cannot_work_says_why() {
        let revoked = KnownConnection {
            revoked: true,
            ..called(200)
        };
        assert_eq!(client_state(&found(), revoked), ClientState::Revoked);
        let mut moved = found();
        moved.entry.as_mut().unwrap().current = false;
        assert_eq!(client_state(&moved, called(200)), ClientState::Outdated);
        let blocked = FoundClient {
            problem: Some(ClientProblem {
                code: ClientProblemCode::Syntax,
                message: "no".into(),
                place: None,
            }),
            ..found()
        };
        assert_eq!(client_state(&blocked, called(200)), ClientState::Blocked);
    }

    #[test]
    fn a_client_keeps_its_connection_unless_it_was_revoked() {
        assert_eq!(connection_for(&found(), |_| false), Some(name("cursor")));
        let revoked = |it: &ConnectionName| it.as_str() == "cursor";
        assert_eq!(connection_for(&found(), revoked), Some(name("cursor-2")));
        let mut own = found();
        own.entry.as_mut().unwrap().connection = Some(name("Cursor at work"));
        assert_eq!(
            connection_for(&own, |_| false),
            Some(name("Cursor at work"))
        );
        own.entry.as_mut().unwrap().connection = Some(name("you"));
        assert_eq!(connection_for(&own, |_| false), Some(name("cursor")));
    }
}
