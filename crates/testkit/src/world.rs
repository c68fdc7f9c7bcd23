//! A world of agents on one real store.

use ozbrain_core::ports::Store;
use ozbrain_core::shapes::{
    BriefInput, BriefReply, ConfirmInput, ConfirmReply, ConflictShape, FetchInput, FetchReply,
    HistoryInput, HistoryReply, ResolveInput, ResolveReply, RetireInput, RetireReply, SearchInput,
    SearchReply, WriteInput, WriteReply,
};
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{
    Agent, BrainKind, Client, ConnectionName, Session, Timestamp, Unit, UnitId, WritePolicy,
};
use ozbrain_core::{Result, words::EventId};
use ozbrain_sqlite::SqliteStore;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// A real store in a folder of its own, with the shared brain `team`, and a
/// clock that stands until it is moved.
pub struct World {
    folder: TempDir,
    store: Arc<SqliteStore>,
    now: Cell<Timestamp>,
}

static SESSIONS: AtomicU32 = AtomicU32::new(1);

impl World {
    /// A new world, on 2026-11-30 at 09:00 UTC. Its `team` is open.
    ///
    /// # Panics
    /// If the folder or the store cannot be made.
    pub fn new() -> Self {
        Self::with(WritePolicy::Open)
    }

    /// As [`Self::new`], with another write policy of `team`.
    ///
    /// # Panics
    /// As [`Self::new`].
    #[expect(
        clippy::expect_used,
        reason = "a test ends where its world cannot be made"
    )]
    pub fn with(policy: WritePolicy) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let store = Arc::new(SqliteStore::open(folder.path()).expect("a new store"));
        let now = Timestamp::parse("2026-11-30T09:00:00Z").expect("a moment");
        let world = Self {
            folder,
            store,
            now: Cell::new(now),
        };
        let person = world.agent("cli");
        use_cases::create_brain(person.call(), "team", None, BrainKind::Shared, policy)
            .expect("the brain team");
        world
    }

    /// The store's folder.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// The store.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// The same store, opened once more: what another process has of it.
    ///
    /// # Panics
    /// If it cannot be opened.
    #[expect(clippy::expect_used, reason = "a test ends where its store is closed")]
    pub fn elsewhere(&self) -> Box<dyn Store> {
        Box::new(SqliteStore::open(self.folder.path()).expect("the store"))
    }

    /// Now, in this world.
    pub fn now(&self) -> Timestamp {
        self.now.get()
    }

    /// Lets days pass.
    pub fn pass(&self, days: i64) {
        self.now.set(self.now.get().plus_days(days));
    }

    /// A unit as it stands.
    ///
    /// # Panics
    /// If it is not there.
    #[expect(clippy::panic, reason = "a test ends where its unit is not")]
    pub fn unit(&self, id: &UnitId) -> Unit {
        let found = self.store().read(|records| {
            let brains: Vec<_> = records.brains()?.iter().map(|brain| brain.key).collect();
            records.unit(&brains, id)
        });
        match found {
            Ok(Some(unit)) => unit,
            other => panic!("no unit {id}: {other:?}"),
        }
    }

    /// A new session of a connection.
    ///
    /// # Panics
    /// If the connection is revoked.
    #[expect(clippy::expect_used, reason = "a test ends where its agent is refused")]
    pub fn agent(&self, connection: &str) -> Actor<'_> {
        let agent = Agent {
            connection: ConnectionName::parse(connection).expect("a name"),
            client: Some(Client {
                name: "test".into(),
                version: "1".into(),
            }),
            session: format!("session-{}", SESSIONS.fetch_add(1, Ordering::Relaxed)),
        };
        let began: EventId =
            use_cases::meet(self.store(), &agent, self.now()).expect("a connection");
        Actor {
            world: self,
            session: Arc::new(Session::new(agent, began)),
        }
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

/// A session in a [`World`]: what an agent calls.
pub struct Actor<'w> {
    world: &'w World,
    /// The session.
    pub session: Arc<Session>,
}

impl Actor<'_> {
    /// A call of this session, now.
    pub fn call(&self) -> Call<'_> {
        Call {
            store: self.world.store(),
            session: &self.session,
            now: self.world.now(),
        }
    }

    /// Writes to `team` at `topic`.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn write(&self, topic: &str, body: &str) -> Result<WriteReply> {
        self.write_with(WriteInput {
            topic: Some(topic.into()),
            body: Some(body.into()),
            ..WriteInput::default()
        })
    }

    /// Writes, to `team` unless another brain is named.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn write_with(&self, mut input: WriteInput) -> Result<WriteReply> {
        if input.brain.is_empty() {
            input.brain = "team".into();
        }
        use_cases::write(self.call(), input)
    }

    /// Fetches.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn fetch(&self, id: &str) -> Result<FetchReply> {
        use_cases::fetch(self.call(), FetchInput { id: id.into() })
    }

    /// Searches by a question.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn search(&self, query: &str) -> Result<SearchReply> {
        self.search_with(SearchInput {
            query: Some(query.into()),
            ..SearchInput::default()
        })
    }

    /// Searches.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn search_with(&self, input: SearchInput) -> Result<SearchReply> {
        use_cases::search(self.call(), input)
    }

    /// Briefs.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn brief(&self, input: BriefInput) -> Result<BriefReply> {
        use_cases::brief(self.call(), input)
    }

    /// Confirms.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn confirm(&self, input: ConfirmInput) -> Result<ConfirmReply> {
        use_cases::confirm(self.call(), input)
    }

    /// Resolves.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn resolve(&self, input: ResolveInput) -> Result<ResolveReply> {
        use_cases::resolve(self.call(), input)
    }

    /// Retires.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn retire(&self, id: &str, base_revision: Option<u32>) -> Result<RetireReply> {
        let input = RetireInput {
            id: id.into(),
            base_revision,
            reason: None,
        };
        use_cases::retire(self.call(), input)
    }

    /// A unit's history.
    ///
    /// # Errors
    /// What the use case refuses.
    pub fn history(&self, id: &str) -> Result<HistoryReply> {
        use_cases::history(
            self.call(),
            HistoryInput {
                id: id.into(),
                limit: None,
            },
        )
    }

    /// The number of a unit's head, without this session seeing anything.
    pub fn fetch_quietly(&self, address: &str) -> Option<u32> {
        self.onlooker()
            .fetch(address)
            .ok()
            .map(|unit| unit.metadata.revision)
    }

    /// A unit's text unless it is retired, without this session seeing it.
    pub fn text_quietly(&self, address: &str) -> Option<String> {
        let unit = self.onlooker().fetch(address).ok()?;
        unit.metadata.retired.is_none().then_some(unit.text)
    }

    /// A unit's id and open conflict, without this session seeing it.
    pub fn conflict_quietly(&self, address: &str) -> Option<(String, ConflictShape)> {
        let unit = self.onlooker().fetch(address).ok()?;
        Some((unit.id.to_string(), unit.metadata.conflict?))
    }

    /// Who wrote which texts, without this session seeing them.
    pub fn history_quietly(&self, address: &str) -> Vec<(String, String)> {
        let Ok(history) = self.onlooker().history(address) else {
            return Vec::new();
        };
        history
            .revisions
            .into_iter()
            .filter_map(|row| Some((row.agent.0.to_string(), row.text?)))
            .collect()
    }

    fn onlooker(&self) -> Actor<'_> {
        self.world.agent("Onlooker")
    }
}
