//! Sessions: one run of a connection, and HTTP sessions that outlive a
//! restart of the server.

use super::client;
use super::notices::Subscriptions;
use crate::Result;
use crate::app::{App, now};
use crate::keys;
use crate::ledgers::{Held, Ledgers};
use async_trait::async_trait;
use ozbrain_core::Refusal;
use ozbrain_core::ports::HttpSession;
use ozbrain_core::use_cases;
use ozbrain_core::words::{Agent, ConnectionName, EventId, Session, Timestamp};
use rmcp::model::{Implementation, InitializeRequestParams};
use rmcp::transport::streamable_http_server::session::{
    SessionState, SessionStore, store::SessionStoreError,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::sync::OnceCell;

/// How often a kept session that is in use says so in the store.
const RENEWED_EVERY: i64 = 24 * 60 * 60 * 1000;

tokio::task_local! {
    /// The connection whose key opened the request that is being served.
    pub(crate) static SIGNED_IN: ConnectionName;
}

/// Who sent an HTTP request: put into its extensions by the door.
#[derive(Clone)]
pub(crate) struct Caller {
    /// The connection that its key belongs to.
    pub(crate) connection: ConnectionName,
    /// The session it names; none in the era without sessions.
    pub(crate) run: Option<Arc<Run>>,
}

/// One run of a connection. Its session begins with the first call that gets
/// through to the store.
pub(crate) struct Run {
    agent: Agent,
    session: OnceCell<Arc<Session>>,
    used: AtomicI64,
    kept: AtomicI64,
    pub(super) subscriptions: Arc<Subscriptions>,
}

impl Run {
    fn new(connection: ConnectionName, by: Option<&Implementation>, session: String) -> Self {
        Self {
            agent: Agent {
                connection,
                client: by.map(client),
                session,
            },
            session: OnceCell::new(),
            used: AtomicI64::new(now().millis()),
            kept: AtomicI64::new(0),
            subscriptions: Arc::default(),
        }
    }

    /// A stdio process: the connection it was configured as, else the
    /// client's own name.
    pub(super) fn stdio(
        connection: Option<ConnectionName>,
        client: Option<Implementation>,
    ) -> Result<Self> {
        // The person's name and the command line's are no agent's.
        let named = || {
            ConnectionName::parse(&client.as_ref()?.name)
                .ok()
                .filter(|name| !name.is_reserved())
        };
        let connection = match connection.or_else(named) {
            Some(connection) => connection,
            None => ConnectionName::parse("mcp")?,
        };
        Ok(Self::new(connection, client.as_ref(), random_id("stdio")?))
    }

    /// A single request.
    pub(super) fn one_call(
        connection: ConnectionName,
        client: Option<Implementation>,
    ) -> Result<Self> {
        Ok(Self::new(connection, client.as_ref(), random_id("call")?))
    }

    fn http(
        connection: ConnectionName,
        params: Option<&InitializeRequestParams>,
        id: &str,
    ) -> Self {
        Self::new(connection, params.map(|p| &p.client_info), id.to_owned())
    }

    fn began(self, at: EventId, kept: Timestamp) -> Self {
        let session = Arc::new(Session::new(self.agent.clone(), at));
        Self {
            session: OnceCell::new_with(Some(session)),
            kept: AtomicI64::new(kept.millis()),
            ..self
        }
    }

    /// Its session.
    ///
    /// # Errors
    /// `not_allowed` if the connection is revoked; why the store cannot serve.
    pub(super) async fn session(&self, app: &Arc<App>) -> Result<Arc<Session>> {
        let begin = async || {
            let agent = self.agent.clone();
            app.blocking(move |store| {
                let began = use_cases::meet(store, &agent, now())?;
                Ok(Arc::new(Session::new(agent, began)))
            })
            .await
        };
        let session = self.session.get_or_try_init(begin).await.cloned()?;
        use_cases::called(&*app.store()?, &session, now());
        Ok(session)
    }
}

fn random_id(kind: &str) -> Result<String> {
    Ok(format!("{kind}-{}", keys::hex(&keys::random::<8>()?)))
}

/// The HTTP sessions in use, with what each has seen.
#[derive(Default)]
pub(crate) struct HttpSessions {
    runs: Ledgers<Run>,
}

impl Held for Run {
    fn used(&self) -> &AtomicI64 {
        &self.used
    }
}

impl HttpSessions {
    /// The session of this id, if this connection opened it.
    ///
    /// # Errors
    /// Why the store cannot tell.
    pub(crate) async fn find(
        &self,
        app: &Arc<App>,
        id: &str,
        connection: &ConnectionName,
    ) -> Result<Option<Arc<Run>>> {
        if let Some(run) = self.runs.live(id) {
            let own = run.agent.connection == *connection;
            return Ok(own.then_some(run));
        }
        let wanted = id.to_owned();
        let kept = app
            .blocking(move |store| use_cases::http_session(store, &wanted))
            .await?;
        let Some(kept) = kept.filter(|kept| kept.connection == *connection) else {
            return Ok(None);
        };
        let greeting = serde_json::from_str(&kept.greeting).ok();
        let run = Run::http(kept.connection, greeting.as_ref(), id).began(kept.began, kept.at);
        Ok(Some(self.runs.put(id, Arc::new(run))))
    }

    /// Writes down that a session is still in use, once a day.
    pub(crate) async fn renew(&self, app: &Arc<App>, id: &str, run: &Arc<Run>) {
        let now = now();
        run.used.store(now.millis(), Ordering::Relaxed);
        let kept = run.kept.load(Ordering::Relaxed);
        if kept == 0 || now.millis() - kept < RENEWED_EVERY {
            return;
        }
        run.kept.store(now.millis(), Ordering::Relaxed);
        let id = id.to_owned();
        let renewed = app
            .blocking(move |store| match use_cases::http_session(store, &id)? {
                Some(kept) => use_cases::keep_http_session(store, HttpSession { at: now, ..kept }),
                None => Ok(()),
            })
            .await;
        if let Err(refusal) = renewed {
            tracing::warn!(code = %refusal.code, "an HTTP session was not renewed: {refusal}");
        }
    }
}

/// Keeps HTTP sessions valid over a restart: widely used clients do not start
/// a new session when theirs is gone.
pub(crate) struct KeptSessions(pub(crate) Arc<App>);

impl KeptSessions {
    async fn keep(&self, id: &str, greeting: &InitializeRequestParams) -> Result<()> {
        let connection = SIGNED_IN
            .try_with(Clone::clone)
            .map_err(|_| Refusal::unavailable("A session was opened without a key."))?;
        let run = Run::http(connection.clone(), Some(greeting), id);
        let run = self.0.http_sessions.runs.put(id, Arc::new(run));
        let session = run.session(&self.0).await?;
        let at = now();
        let kept = HttpSession {
            id: id.to_owned(),
            connection,
            began: session.began,
            at,
            greeting: serde_json::to_string(greeting).unwrap_or_default(),
        };
        self.0
            .blocking(move |store| use_cases::keep_http_session(store, kept))
            .await?;
        run.kept.store(at.millis(), Ordering::Relaxed);
        Ok(())
    }
}

#[async_trait]
impl SessionStore for KeptSessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let id = id.to_owned();
        let kept = self
            .0
            .blocking(move |store| use_cases::http_session(store, &id))
            .await?;
        Ok(match kept {
            Some(kept) => Some(SessionState::new(serde_json::from_str(&kept.greeting)?)),
            None => None,
        })
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        Ok(self.keep(id, &state.initialize_params).await?)
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        self.0.http_sessions.runs.remove(id);
        let id = id.to_owned();
        Ok(self
            .0
            .blocking(move |store| use_cases::end_http_session(store, &id))
            .await?)
    }
}
