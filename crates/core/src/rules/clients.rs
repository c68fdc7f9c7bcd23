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
    /// Whether it is another client's ([`owner`]).
    pub anothers: bool,
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
    // What another client calls proves nothing of this one.
    if !entry.current || entry.connection.is_none() || known.anothers {
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
/// named last, else one that is called like the client; never one that is
/// `taken`, as it was revoked, which it stays, or is another client's, nor one
/// that is kept for others than clients.
pub fn connection_for(
    found: &FoundClient,
    taken: impl Fn(&ConnectionName) -> bool,
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
        .find(|name| !name.is_reserved() && !taken(name))
}

/// The client that a connection is of, where entries of several name it, since
/// one's configuration was copied to another: the one that it is called after,
/// else the one that was connected as it first, else the first of `all`. `None`:
/// no entry names it.
pub fn owner<'a>(all: &'a [FoundClient], name: &ConnectionName) -> Option<&'a str> {
    let made = |found: &FoundClient| {
        let made = found.made.as_ref().filter(|made| made.connection == *name);
        made.map(|made| made.at)
    };
    let named = |found: &FoundClient| {
        let entry = found.entry.as_ref();
        entry.is_some_and(|entry| entry.connection.as_ref() == Some(name))
    };
    let after = |found: &FoundClient| {
        let rest = name.as_str().strip_prefix(found.client.as_str());
        rest.is_some_and(|rest| match rest.strip_prefix('-') {
            Some(number) => number.parse::<u32>().is_ok(),
            None => rest.is_empty(),
        })
    };
    let all = all.iter().filter(|it| named(it) || made(it).is_some());
    // The first of those that are equal.
    all.min_by_key(|it| (!after(it), made(it).is_none(), made(it)))
        .map(|it| it.client.as_str())
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
            ..KnownConnection::default()
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

    /// A client whose entry names a connection, connected from here at a time
    /// or not.
    fn client(id: &str, connection: &str, made: Option<i64>) -> FoundClient {
        let mut found = found();
        found.client = id.into();
        found.entry.as_mut().unwrap().connection = Some(name(connection));
        found.made = made.map(|millis| MadeEntry {
            name: "ozbrain".into(),
            connection: name(connection),
            at: at(millis),
        });
        found
    }

    #[test]
    fn a_connection_is_of_one_client_however_many_entries_name_it() {
        for (all, connection, owned) in [
            // Claude Code took over what Claude Desktop has.
            (
                vec![
                    client("claude-code", "claude-desktop", None),
                    client("claude-desktop", "claude-desktop", Some(1)),
                ],
                "claude-desktop",
                Some("claude-desktop"),
            ),
            // It is called after one of them, whoever was connected as it.
            (
                vec![
                    client("windsurf", "cursor-2", Some(1)),
                    client("cursor", "cursor-2", None),
                ],
                "cursor-2",
                Some("cursor"),
            ),
            (
                vec![
                    client("windsurf", "at work", None),
                    client("cursor", "at work", Some(2)),
                    client("zed", "at work", Some(1)),
                ],
                "at work",
                Some("zed"),
            ),
            (
                vec![
                    client("windsurf", "at work", None),
                    client("cursor", "at work", None),
                ],
                "at work",
                Some("windsurf"),
            ),
            (vec![client("cursor", "at work", None)], "cursor", None),
            // Its entry is gone, and its name is not.
            (
                vec![
                    client("windsurf", "cursor", None),
                    FoundClient {
                        entry: None,
                        ..client("cursor", "cursor", Some(1))
                    },
                ],
                "cursor",
                Some("cursor"),
            ),
        ] {
            assert_eq!(owner(&all, &name(connection)), owned, "{connection}");
        }
        let anothers = KnownConnection {
            anothers: true,
            ..called(200)
        };
        assert_eq!(client_state(&found(), anothers), ClientState::Outdated);
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
