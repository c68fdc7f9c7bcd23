//! The application behind every door: the store, opened now or later, and the
//! way a use case is run on it.

use crate::Result;
use crate::ledgers::Ledgers;
use crate::mcp::{Answered, HttpSessions};
use crate::sign_in::SignedIn;
use jiff::tz::TimeZone;
use ozbrain_core::Refusal;
use ozbrain_core::ports::{Clients, Store};
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{Session, Timestamp};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::watch;

/// How much later one looks again whether a client's entry is lost: a file that
/// was just being written is whole then.
const SURE: Duration = Duration::from_secs(1);

/// How the store is opened.
type Open = Box<dyn Fn() -> Result<Arc<dyn Store>> + Send + Sync>;

/// Now, by the computer's clock.
pub fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Where the person's clock is, by the computer's settings.
pub fn zone() -> TimeZone {
    TimeZone::system()
}

/// What every door needs: the store, notice of its changes, live HTTP sessions.
///
/// A store that cannot be opened is tried again at each call. So a process
/// that agents started lives on, tells each of them what is wrong, and works
/// as soon as that is mended.
pub struct App {
    open: Open,
    /// Held while the store is opened, by one thread at a time: that may take
    /// long, and only who needs the store waits for it. How the last attempt
    /// failed, and when.
    opening: Mutex<Option<(Instant, Refusal)>>,
    state: Mutex<State>,
    changes: watch::Sender<u64>,
    running: watch::Sender<usize>,
    /// The port where agents are served over HTTP.
    served: watch::Sender<Option<u16>>,
    /// Why there is none, where that is no passing state.
    unserved: Mutex<Option<String>>,
    clients: OnceLock<Result<Arc<dyn Clients>>>,
    pub(crate) http_sessions: HttpSessions,
    /// The tabs in use, with what each has seen.
    pub(crate) tabs: Ledgers<SignedIn>,
    /// Questions to the person that clients carry, as far as answered.
    pub(crate) answered: Answered,
}

#[derive(Default)]
struct State {
    store: Option<Arc<dyn Store>>,
    /// Whether someone asked for changes: the store is told once it is open.
    watching: bool,
    closed: bool,
}

impl State {
    /// The store, if it is open.
    fn opened(&self) -> Result<Option<Arc<dyn Store>>> {
        if self.closed {
            return Err(Refusal::unavailable("OzBrain is closing."));
        }
        Ok(self.store.as_ref().map(Arc::clone))
    }
}

impl App {
    /// Opens the store, now or at the first call that can.
    pub fn new(open: impl Fn() -> Result<Arc<dyn Store>> + Send + Sync + 'static) -> Arc<Self> {
        let app = Self::later(open);
        // A failure is told by each call that meets it.
        let _ = app.store();
        app
    }

    /// Opens the store at the first call: for a process that has more to do
    /// than to wait for it. Opening waits for other processes, and may have an
    /// older store to bring up to date.
    pub fn later(open: impl Fn() -> Result<Arc<dyn Store>> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            open: Box::new(open),
            opening: Mutex::default(),
            state: Mutex::default(),
            changes: watch::Sender::new(0),
            running: watch::Sender::new(0),
            served: watch::Sender::new(None),
            unserved: Mutex::default(),
            clients: OnceLock::new(),
            http_sessions: HttpSessions::default(),
            tabs: Ledgers::default(),
            answered: Answered::default(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The store; opened now if it could not be opened before. Blocks for as
    /// long as that takes.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn store(&self) -> Result<Arc<dyn Store>> {
        if let Some(store) = self.state().opened()? {
            return Ok(store);
        }
        let asked = Instant::now();
        let mut failed = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        // Who opened it meanwhile, or failed to, did so for this call too.
        if let Some(store) = self.state().opened()? {
            return Ok(store);
        }
        if let Some((at, refusal)) = &*failed
            && *at >= asked
        {
            return Err(refusal.clone());
        }
        let store = match (self.open)() {
            Ok(store) => store,
            Err(refusal) => {
                *failed = Some((Instant::now(), refusal.clone()));
                return Err(refusal);
            }
        };
        let mut state = self.state();
        // It may have been closed meanwhile.
        state.opened()?;
        if state.watching {
            self.watch(&*store);
        }
        state.store = Some(Arc::clone(&store));
        Ok(store)
    }

    /// Lets go of the store, so that what it still holds back is written.
    /// Calls after this are refused.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.store = None;
    }

    /// The port where agents are served over HTTP, by this process or by
    /// another one of the same store; `None` while there is none.
    pub fn served(&self) -> watch::Receiver<Option<u16>> {
        self.served.subscribe()
    }

    /// Says where agents are served over HTTP, or that they are not.
    pub fn serves(&self, port: Option<u16>) {
        self.because(None);
        self.served.send_replace(port);
    }

    /// Says why agents cannot be served over HTTP, for whoever looks.
    pub fn cannot_serve(&self, why: &str) {
        self.because(Some(why.to_owned()));
        self.served.send_replace(None);
    }

    /// Why agents are not served over HTTP, if that is known.
    pub fn unserved(&self) -> Option<String> {
        let why = self.unserved.lock().unwrap_or_else(PoisonError::into_inner);
        why.clone()
    }

    fn because(&self, why: Option<String>) {
        *self.unserved.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }

    /// Says which clients there are on this computer, or why nobody can tell:
    /// once, before it serves.
    pub fn knows_clients(&self, clients: Result<Arc<dyn Clients>>) {
        let _ = self.clients.set(clients);
    }

    /// The clients on this computer.
    ///
    /// # Errors
    /// `unavailable` where nobody can tell.
    pub(crate) fn clients(&self) -> Result<Arc<dyn Clients>> {
        match self.clients.get() {
            Some(clients) => clients.clone(),
            None => Err(Refusal::unavailable(
                "This server knows of no clients: it does not run on the computer where they are.",
            )),
        }
    }

    /// Looks after the clients on this computer, now and whenever one of their
    /// files changes, until what is given is dropped.
    pub fn look_after_clients(self: &Arc<Self>) -> Option<Box<dyn Send>> {
        let clients = self.clients().ok()?;
        let (app, known) = (Arc::downgrade(self), Arc::clone(&clients));
        Some(clients.watch(Box::new(move || {
            let Some(app) = app.upgrade() else { return };
            let look = || {
                let version = env!("CARGO_PKG_VERSION");
                let sure = || std::thread::sleep(SURE);
                use_cases::look_after_clients(&*app.store()?, &*known, version, now(), sure)
            };
            if let Err(refusal) = guarded(look) {
                tracing::debug!(code = %refusal.code, "clients are not looked after: {refusal}");
            }
        })))
    }

    /// Ticks soon after any process has changed the store.
    pub fn changes(&self) -> watch::Receiver<u64> {
        let mut state = self.state();
        if !state.watching {
            state.watching = true;
            if let Some(store) = &state.store {
                self.watch(&**store);
            }
        }
        self.changes.subscribe()
    }

    fn watch(&self, store: &dyn Store) {
        let changes = self.changes.clone();
        store.on_change(Box::new(move || {
            changes.send_modify(|ticks| *ticks = ticks.wrapping_add(1));
        }));
    }

    /// Runs a use case that only reads.
    ///
    /// On the single thread of a stdio server it runs at once: handing a read
    /// to another thread would cost more than the read. A write may wait for
    /// other processes and for the disk, and never holds up that thread.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        session: &Arc<Session>,
        use_case: impl FnOnce(Call<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread {
            let _running = self.run();
            return guarded(|| {
                let store = self.store()?;
                use_case(Call {
                    store: &*store,
                    session,
                    now: now(),
                })
            });
        }
        self.write(session, use_case).await
    }

    /// Runs a use case that may write, on a thread of its own.
    pub(crate) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        session: &Arc<Session>,
        use_case: impl FnOnce(Call<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let session = Arc::clone(session);
        self.blocking(move |store| {
            use_case(Call {
                store,
                session: &session,
                now: now(),
            })
        })
        .await
    }

    /// Runs work on the store, on a thread of its own.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&dyn Store) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let app = Arc::clone(self);
        let running = self.run();
        let done = tokio::task::spawn_blocking(move || {
            let _running = running;
            guarded(|| work(&*app.store()?))
        });
        done.await.unwrap_or_else(|_| Err(stumbled()))
    }

    fn run(&self) -> Running {
        self.running.send_modify(|calls| *calls += 1);
        Running(self.running.clone())
    }

    /// Waits until no use case runs.
    pub async fn idle(&self) {
        let mut running = self.running.subscribe();
        // The sender is ours: it cannot be gone.
        let _ = running.wait_for(|calls| *calls == 0).await;
    }
}

/// Counts a use case that runs, for a stop that waits for it.
struct Running(watch::Sender<usize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.send_modify(|calls| *calls -= 1);
    }
}

/// Turns a panic into a refusal: one bad call must not end the process.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(stumbled()))
}

fn stumbled() -> Refusal {
    Refusal::unavailable(
        "OzBrain stumbled over this call, which is a fault of its own. Other calls work. \
         Fetch the unit to see whether a change was stored, before you try again.",
    )
}
