//! Signing in: the link that opens a browser's tab, and the tabs it opened.
//! Whoever calls from such a tab is the person.

use crate::Result;
use crate::app::{App, now};
use crate::keys;
use crate::ledgers::Held;
use ozbrain_core::Refusal;
use ozbrain_core::ports::{Store, Tab};
use ozbrain_core::rules::signing_in::tab_ends;
use ozbrain_core::shapes::Moment;
use ozbrain_core::use_cases;
use ozbrain_core::words::{Agent, Client, ConnectionName, EventId, Session};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::sync::watch;

/// A link that signs a browser in at a server, once, within two minutes.
/// `authority` is where it listens, such as `127.0.0.1:4747`. The token stands
/// in the fragment, which browsers send nowhere.
///
/// # Errors
/// Why the store cannot serve.
pub fn sign_in_link(store: &dyn Store, authority: &str) -> Result<String> {
    let token = keys::hex(&keys::random::<32>()?);
    use_cases::allow_sign_in(store, keys::hash(&token), now())?;
    Ok(format!("http://{authority}/#token={token}"))
}

/// What a tab needs to call: told once.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SignedInReply {
    /// What the tab sends with each call: `Authorization: Bearer …`.
    bearer: String,
    /// When it ends, unless something is called with it.
    expires_at: Moment,
}

/// A tab that is signed in, for as long as it is used; or the desktop's own
/// window, which needs no bearer.
pub(crate) struct SignedIn {
    /// Its session, with the ledger of what it has seen.
    pub(crate) session: Arc<Session>,
    /// `None` for the desktop's own.
    pub(crate) bearer_hash: Option<[u8; 32]>,
    /// Dropped or sent to when it is signed out.
    open: watch::Sender<()>,
    used: AtomicI64,
}

impl Held for SignedIn {
    fn used(&self) -> &AtomicI64 {
        &self.used
    }
}

impl SignedIn {
    fn new(agent: Agent, began: EventId, bearer_hash: Option<[u8; 32]>) -> Self {
        Self {
            session: Arc::new(Session::new(agent, began)),
            bearer_hash,
            open: watch::Sender::new(()),
            used: AtomicI64::new(now().millis()),
        }
    }

    fn tab(tab: Tab) -> Self {
        let agent = person("browser", tab.id);
        Self::new(agent, tab.began, Some(tab.bearer_hash))
    }

    /// A session of the person at the desktop: it lives in this process alone.
    ///
    /// # Errors
    /// Why the store cannot serve.
    pub(crate) async fn desktop(app: &Arc<App>) -> Result<Self> {
        let id = format!("desktop-{}", keys::hex(&keys::random::<8>()?));
        let agent = person("desktop", id);
        let newcomer = agent.clone();
        let began = app.blocking(move |store| use_cases::meet(store, &newcomer, now()));
        Ok(Self::new(agent, began.await?, None))
    }

    /// Changes when it is signed out.
    pub(crate) fn signed_out(&self) -> watch::Receiver<()> {
        self.open.subscribe()
    }
}

fn person(client: &str, session: String) -> Agent {
    Agent {
        connection: ConnectionName::you(),
        client: Some(Client {
            name: client.into(),
            version: String::new(),
        }),
        session,
    }
}

/// Exchanges a link's token for a bearer.
///
/// # Errors
/// `not_allowed` for a token that is wrong, used or too old.
pub(crate) async fn sign_in(app: &Arc<App>, token: &str) -> Result<SignedInReply> {
    let token_hash = keys::hash(token);
    let bearer = keys::hex(&keys::random::<32>()?);
    let bearer_hash = keys::hash(&bearer);
    let tab = format!("tab-{}", keys::hex(&keys::random::<8>()?));
    let person = person("browser", tab);
    let tab = app
        .blocking(move |store| use_cases::sign_in(store, token_hash, bearer_hash, &person, now()))
        .await?;
    Ok(SignedInReply {
        bearer,
        expires_at: Moment(tab_ends(&tab)),
    })
}

/// The tab that a bearer belongs to; `None` for one that is wrong or has ended.
///
/// # Errors
/// Why the store cannot tell.
pub(crate) async fn signed_in(app: &Arc<App>, bearer: &str) -> Result<Option<Arc<SignedIn>>> {
    let hash = keys::hash(bearer);
    let tab = app
        .blocking(move |store| use_cases::tab_with_bearer(store, hash, now()))
        .await?;
    let Some(tab) = tab else { return Ok(None) };
    let live = match app.tabs.live(&tab.id) {
        Some(live) => live,
        None => {
            let id = tab.id.clone();
            app.tabs.put(&id, Arc::new(SignedIn::tab(tab)))
        }
    };
    live.used.store(now().millis(), Ordering::Relaxed);
    Ok(Some(live))
}

/// Signs a tab out: its bearer is worth nothing, and its streams end.
///
/// # Errors
/// `invalid` for what was never signed in; or why the store cannot serve.
pub(crate) async fn sign_out(app: &Arc<App>, tab: &SignedIn) -> Result<()> {
    let Some(hash) = tab.bearer_hash else {
        return Err(Refusal::invalid(
            "This window was never signed in: close it instead.",
        ));
    };
    app.blocking(move |store| use_cases::sign_out(store, hash))
        .await?;
    app.tabs.remove(&tab.session.agent.session);
    tab.open.send_replace(());
    Ok(())
}
