//! Who was given which revision, in a file of its own.
//!
//! Written in batches by a thread that starts with the first delivery, without
//! syncs: a loss makes what a writer had seen unknown, nothing worse. So no
//! error of this file reaches a caller, and a damaged one is put aside.

use crate::aged::Aged;
use crate::tables::{agents, connections, word};
use crate::{locked, open};
use ozbrain_core::ports::{Delivery, Reads};
use ozbrain_core::words::{ConnectionName, Timestamp, UnitId};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The agents' table is that of the store.
const SCHEMA: &str = "
CREATE TABLE reads (
    key      INTEGER PRIMARY KEY,
    unit     TEXT NOT NULL,
    revision INTEGER NOT NULL,
    agent    INTEGER NOT NULL REFERENCES agents (key),
    at       INTEGER NOT NULL
) STRICT;
CREATE INDEX reads_by_unit ON reads (unit, revision, agent, at);
";

/// The sums that the screens show: who read what how often.
const SCHEMA_2: &str = "
CREATE TABLE readers (
    unit       TEXT NOT NULL,
    connection TEXT NOT NULL,
    revision   INTEGER NOT NULL,
    times      INTEGER NOT NULL,
    first_at   INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    PRIMARY KEY (unit, connection, revision)
) STRICT, WITHOUT ROWID;
CREATE INDEX readers_by_connection ON readers (connection, last_at);
INSERT INTO readers
    SELECT r.unit, a.connection, r.revision, count(*), min(r.at), max(r.at)
    FROM reads r JOIN agents a ON a.key = r.agent GROUP BY r.unit, a.connection, r.revision;
";

/// When each connection last called.
const SCHEMA_3: &str = "
CREATE TABLE calls (
    connection TEXT PRIMARY KEY,
    at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

const SCHEMA_VERSION: i64 = 3;

/// Days that a read is kept.
const KEPT_DAYS: i64 = 90;

/// How far apart two calls of a connection are that are both noted, in
/// milliseconds.
const APART: i64 = 10_000;

/// How many deliveries wait at most, and how long the first of them.
const BATCH: usize = 64;
const DELAY: Duration = Duration::from_millis(500);

/// The read log.
pub(crate) struct ReadLog {
    shared: Arc<Shared>,
    thread: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
    counted: Mutex<HashMap<UnitId, Counted>>,
    /// Which units may be aging and read: [`crate::aged`] keeps it up.
    pub(crate) aged: Mutex<Option<Aged>>,
}

/// A row of the log, to go on from. Keys may be used again once rows are gone,
/// so the row is told by what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    key: i64,
    unit: String,
    at: i64,
}

/// A unit that agents, not the person, read.
pub(crate) struct ReadUnit {
    pub(crate) unit: UnitId,
    pub(crate) last_at: Timestamp,
    /// How often, as far back as the log goes.
    times: i64,
}

/// The most units whose counts are kept.
const COUNTED: usize = 20_000;

/// How often connections read a unit since a moment: it stands for as long as
/// the unit was read so many times in all.
#[derive(Clone)]
struct Counted {
    times: i64,
    since: Timestamp,
    readers: Vec<(ConnectionName, u32)>,
}

/// A connection's last call that was noted here.
#[derive(Clone, Copy)]
struct Called {
    at: Timestamp,
    written: bool,
}

struct Shared {
    file: PathBuf,
    /// Deliveries that are not in the file for sure. They leave it after the
    /// commit, so that there is no moment in which a lookup misses them.
    waiting: Mutex<Vec<Delivery>>,
    calls: Mutex<HashMap<ConnectionName, Called>>,
    connection: Mutex<Option<Connection>>,
    /// Held while deliveries move into the file, and by whoever counts both:
    /// so that none is counted twice.
    moving: Mutex<()>,
}

impl ReadLog {
    /// A log in `file`, which is opened when it is first needed.
    pub(crate) fn new(file: PathBuf) -> Self {
        Self {
            shared: Arc::new(Shared {
                file,
                waiting: Mutex::default(),
                calls: Mutex::default(),
                connection: Mutex::default(),
                moving: Mutex::default(),
            }),
            thread: Mutex::default(),
            counted: Mutex::default(),
            aged: Mutex::default(),
        }
    }

    /// Notes deliveries.
    pub(crate) fn add(&self, deliveries: Vec<Delivery>) {
        if deliveries.is_empty() {
            return;
        }
        locked(&self.shared.waiting).extend(deliveries);
        self.ring();
    }

    /// Notes a call of a connection.
    pub(crate) fn called(&self, connection: &ConnectionName, at: Timestamp) {
        let mut calls = locked(&self.shared.calls);
        let called = Called { at, written: false };
        match calls.get_mut(connection) {
            Some(last) if (0..APART).contains(&(at.millis() - last.at.millis())) => return,
            Some(last) => *last = called,
            None => {
                calls.insert(connection.clone(), called);
            }
        }
        drop(calls);
        self.ring();
    }

    /// Has the thread write what waits, soon.
    fn ring(&self) {
        let mut thread = locked(&self.thread);
        let (bell, _) = thread.get_or_insert_with(|| {
            let (bell, rung) = channel();
            let shared = Arc::clone(&self.shared);
            (
                bell,
                std::thread::spawn(move || shared.flush_batches(&rung)),
            )
        });
        // The thread lives as long as the bell.
        let _ = bell.send(());
    }

    /// Forgets who was given these units.
    pub(crate) fn forget(&self, units: &[UnitId]) {
        if units.is_empty() {
            return;
        }
        let _none_on_its_way = locked(&self.shared.moving);
        locked(&self.shared.waiting).retain(|it| !units.contains(&it.unit));
        if locked(&self.shared.connection).is_none() && !self.shared.file.exists() {
            return;
        }
        let forgotten = self.shared.with_file(|connection| {
            for table in ["reads", "readers"] {
                let sql = format!("DELETE FROM {table} WHERE unit = ?1");
                let mut delete = connection.prepare_cached(&sql)?;
                for unit in units {
                    delete.execute([unit.as_str()])?;
                }
            }
            Ok(())
        });
        if let Err(error) = forgotten {
            tracing::warn!("reads of erased units could not be removed: {error}");
        }
    }

    /// When a revision was first delivered to a connection.
    pub(crate) fn first(
        &self,
        connection: &ConnectionName,
        unit: &UnitId,
        revision: u32,
    ) -> Option<Timestamp> {
        let waiting = locked(&self.shared.waiting)
            .iter()
            .filter(|it| {
                it.revision == revision && it.unit == *unit && it.agent.connection == *connection
            })
            .map(|it| it.at)
            .min();
        let stored = self.shared.stored(connection, unit, revision);
        waiting.into_iter().chain(stored).min()
    }
}

/// What the screens ask of the log. What is not yet written is counted too.
impl ReadLog {
    /// How a unit was read, by connection and revision.
    pub(crate) fn of_unit(&self, unit: &UnitId) -> Vec<Reads> {
        let _still = locked(&self.shared.moving);
        let waiting = self.waiting(|it| it.unit == *unit);
        let mut all = self.shared.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT connection, revision, times, first_at, last_at FROM readers
                 WHERE unit = ?1",
            )?;
            let rows = statement.query_map([unit.as_str()], |row| {
                Ok(Reads {
                    connection: connections::name(row, 0)?,
                    revision: row.get(1)?,
                    times: row.get(2)?,
                    first_at: Timestamp::from_millis(row.get(3)?),
                    last_at: Timestamp::from_millis(row.get(4)?),
                })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        for it in waiting {
            let known = all.iter_mut().find(|reads| {
                reads.connection == it.agent.connection && reads.revision == it.revision
            });
            match known {
                Some(reads) => {
                    reads.times += 1;
                    reads.first_at = reads.first_at.min(it.at);
                    reads.last_at = reads.last_at.max(it.at);
                }
                None => all.push(Reads {
                    connection: it.agent.connection,
                    revision: it.revision,
                    times: 1,
                    first_at: it.at,
                    last_at: it.at,
                }),
            }
        }
        all
    }

    /// The units that agents, not the person, read.
    pub(crate) fn read_by_agents(&self) -> Vec<ReadUnit> {
        let _still = locked(&self.shared.moving);
        let waiting = self.waiting(|it| !it.agent.is_person());
        let mut all = self.shared.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT unit, max(last_at), sum(times) FROM readers WHERE connection <> 'you'
                 GROUP BY unit",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(ReadUnit {
                    unit: word(row, 0, UnitId::parse)?,
                    last_at: Timestamp::from_millis(row.get(1)?),
                    times: row.get(2)?,
                })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        let mut places: HashMap<UnitId, usize> = HashMap::new();
        if !waiting.is_empty() {
            places.extend(
                all.iter()
                    .enumerate()
                    .map(|(at, read)| (read.unit.clone(), at)),
            );
        }
        for it in waiting {
            match places.get(&it.unit).and_then(|at| all.get_mut(*at)) {
                Some(read) => {
                    read.last_at = read.last_at.max(it.at);
                    read.times += 1;
                }
                None => {
                    places.insert(it.unit.clone(), all.len());
                    all.push(ReadUnit {
                        unit: it.unit,
                        last_at: it.at,
                        times: 1,
                    });
                }
            }
        }
        all
    }

    /// A unit as [`Self::read_by_agents`] has it.
    pub(crate) fn read_unit(&self, unit: &UnitId) -> Option<ReadUnit> {
        let _still = locked(&self.shared.moving);
        let waiting = self.waiting(|it| it.unit == *unit && !it.agent.is_person());
        let stored = self.shared.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT max(last_at), sum(times) FROM readers
                 WHERE unit = ?1 AND connection <> 'you' HAVING count(*) > 0",
            )?;
            let rows = statement.query_map([unit.as_str()], |row| {
                Ok((Timestamp::from_millis(row.get(0)?), row.get(1)?))
            })?;
            rows.collect::<rusqlite::Result<Vec<(_, i64)>>>()
        });
        let reads = waiting.into_iter().map(|it| (it.at, 1)).chain(stored);
        let (last_at, times) = reads.reduce(|(a, m), (b, n)| (a.max(b), m + n))?;
        Some(ReadUnit {
            unit: unit.clone(),
            last_at,
            times,
        })
    }

    /// The newest row of the log.
    pub(crate) fn mark(&self) -> Option<Mark> {
        self.marked(
            "SELECT key, unit, at FROM reads WHERE ?1 >= 0 ORDER BY key DESC LIMIT 1",
            0,
        )
    }

    /// The units that agents, not the person, read after a row of the log, from
    /// its beginning without one. `None` where that row is gone.
    pub(crate) fn read_after(&self, mark: Option<&Mark>) -> Option<Vec<UnitId>> {
        if let Some(mark) = mark {
            let there = self.marked("SELECT key, unit, at FROM reads WHERE key = ?1", mark.key);
            if there.as_ref() != Some(mark) {
                return None;
            }
        }
        // What leaves these for the file meanwhile is among its rows below.
        let waiting = self.waiting(|it| !it.agent.is_person());
        let after = mark.map_or(0, |mark| mark.key);
        let mut units = self.shared.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT DISTINCT r.unit FROM reads r JOIN agents a ON a.key = r.agent
                 WHERE r.key > ?1 AND a.connection <> 'you'",
            )?;
            let rows = statement.query_map([after], |row| word(row, 0, UnitId::parse))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        units.extend(waiting.into_iter().map(|it| it.unit));
        Some(units)
    }

    fn marked(&self, sql: &str, key: i64) -> Option<Mark> {
        let found = self.shared.ask(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([key], |row| {
                Ok(Mark {
                    key: row.get(0)?,
                    unit: row.get(1)?,
                    at: row.get(2)?,
                })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        found.into_iter().next()
    }

    /// How often each connection, the person's aside, read a unit since a
    /// moment. What was counted before is counted again only where the unit
    /// was read since.
    pub(crate) fn since(&self, read: &ReadUnit, since: Timestamp) -> Vec<(ConnectionName, u32)> {
        let known = locked(&self.counted).get(&read.unit).cloned();
        if let Some(known) = known.filter(|it| it.times == read.times && it.since == since) {
            return known.readers;
        }
        let readers = self.count_since(&read.unit, since);
        let mut counted = locked(&self.counted);
        if counted.len() >= COUNTED {
            counted.clear();
        }
        counted.insert(
            read.unit.clone(),
            Counted {
                times: read.times,
                since,
                readers: readers.clone(),
            },
        );
        readers
    }

    fn count_since(&self, unit: &UnitId, since: Timestamp) -> Vec<(ConnectionName, u32)> {
        let _still = locked(&self.shared.moving);
        let waiting =
            self.waiting(|it| it.unit == *unit && it.at >= since && !it.agent.is_person());
        let mut all = self.shared.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT a.connection, count(*) FROM reads r INDEXED BY reads_by_unit
                 JOIN agents a ON a.key = r.agent
                 WHERE r.unit = ?1 AND r.at >= ?2 AND a.connection <> 'you'
                 GROUP BY a.connection",
            )?;
            let rows = statement.query_map((unit.as_str(), since.millis()), |row| {
                Ok((connections::name(row, 0)?, row.get(1)?))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        for it in waiting {
            match all
                .iter_mut()
                .find(|(name, _)| *name == it.agent.connection)
            {
                Some((_, times)) => *times += 1,
                None => all.push((it.agent.connection, 1)),
            }
        }
        all
    }

    /// When a connection last called or read anything.
    pub(crate) fn last_by(&self, name: &ConnectionName) -> Option<Timestamp> {
        let called = locked(&self.shared.calls).get(name).map(|it| it.at);
        let waiting = self.waiting(|it| it.agent.connection == *name);
        let stored: Vec<Timestamp> = self.shared.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT at FROM calls WHERE connection = ?1
                 UNION ALL SELECT last_at FROM
                     (SELECT last_at FROM readers WHERE connection = ?1
                      ORDER BY last_at DESC LIMIT 1)",
            )?;
            let rows = statement.query_map([name.as_str()], |row| {
                Ok(Timestamp::from_millis(row.get(0)?))
            })?;
            rows.collect()
        });
        stored
            .into_iter()
            .chain(waiting.into_iter().map(|it| it.at))
            .chain(called)
            .max()
    }

    /// What a connection last read, and when.
    pub(crate) fn last_read(&self, name: &ConnectionName) -> Option<(UnitId, Timestamp)> {
        let _still = locked(&self.shared.moving);
        let waiting = self.waiting(|it| it.agent.connection == *name);
        let stored = self.shared.ask(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT unit, last_at FROM readers INDEXED BY readers_by_connection
                 WHERE connection = ?1 ORDER BY last_at DESC LIMIT 1",
            )?;
            let rows = statement.query_map([name.as_str()], |row| {
                let at = Timestamp::from_millis(row.get(1)?);
                Ok((word(row, 0, UnitId::parse)?, at))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        let waiting = waiting.into_iter().map(|it| (it.unit, it.at));
        // Of those of one moment the last that was given.
        stored.into_iter().chain(waiting).max_by_key(|(_, at)| *at)
    }

    /// Deliveries that are not in the file.
    fn waiting(&self, which: impl Fn(&Delivery) -> bool) -> Vec<Delivery> {
        locked(&self.shared.waiting)
            .iter()
            .filter(|it| which(it))
            .cloned()
            .collect()
    }
}

impl Drop for ReadLog {
    fn drop(&mut self) {
        if let Some((bell, thread)) = locked(&self.thread).take() {
            drop(bell);
            let _ = thread.join();
        }
        self.shared.flush();
    }
}

impl Shared {
    fn flush_batches(&self, rung: &Receiver<()>) {
        while rung.recv().is_ok() {
            let due = Instant::now() + DELAY;
            while locked(&self.waiting).len() < BATCH {
                let left = due.saturating_duration_since(Instant::now());
                match rung.recv_timeout(left) {
                    Ok(()) => {}
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
            self.flush();
        }
    }

    /// Writes what waits. What cannot be written is given up.
    fn flush(&self) {
        let _moving = locked(&self.moving);
        let batch = locked(&self.waiting).clone();
        let calls: Vec<(ConnectionName, Timestamp)> = locked(&self.calls)
            .iter()
            .filter(|(_, called)| !called.written)
            .map(|(name, called)| (name.clone(), called.at))
            .collect();
        if batch.is_empty() && calls.is_empty() {
            return;
        }
        if let Err(error) = self.with_file(|connection| write(connection, &batch, &calls)) {
            tracing::warn!("reads could not be logged: {error}");
        }
        locked(&self.waiting).drain(..batch.len());
        let mut noted = locked(&self.calls);
        for (name, at) in calls {
            // A later one waits for its own turn.
            if let Some(called) = noted.get_mut(&name)
                && called.at == at
            {
                called.written = true;
            }
        }
    }

    fn stored(&self, name: &ConnectionName, unit: &UnitId, revision: u32) -> Option<Timestamp> {
        if locked(&self.connection).is_none() && !self.file.exists() {
            return None;
        }
        let found = self.with_file(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT r.at FROM reads r JOIN agents a ON a.key = r.agent
                 WHERE r.unit = ?1 AND r.revision = ?2 AND a.connection = ?3
                 ORDER BY r.at LIMIT 1",
            )?;
            statement
                .query_row((unit.as_str(), revision, name.as_str()), |row| row.get(0))
                .optional()
        });
        match found {
            Ok(at) => at.map(Timestamp::from_millis),
            Err(error) => {
                tracing::warn!("the read log could not be read: {error}");
                None
            }
        }
    }

    /// Asks the file; nothing is known where it cannot be read.
    fn ask<T>(&self, work: impl Fn(&Connection) -> rusqlite::Result<Vec<T>>) -> Vec<T> {
        if locked(&self.connection).is_none() && !self.file.exists() {
            return Vec::new();
        }
        self.with_file(work).unwrap_or_else(|error| {
            tracing::warn!("the read log could not be read: {error}");
            Vec::new()
        })
    }

    /// Runs `work` on the file; once more on a new one if it is damaged.
    fn with_file<T>(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let mut connection = locked(&self.connection);
        let attempt = |connection: &mut Option<Connection>| {
            let open = match connection.take() {
                Some(open) => open,
                None => open_log(&self.file)?,
            };
            work(connection.insert(open))
        };
        match attempt(&mut connection) {
            Err(error) if is_damage(&error) => {
                *connection = None;
                put_aside(&self.file);
                attempt(&mut connection)
            }
            outcome => outcome,
        }
    }
}

fn write(
    connection: &Connection,
    batch: &[Delivery],
    calls: &[(ConnectionName, Timestamp)],
) -> rusqlite::Result<()> {
    let transaction =
        rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
    for (name, at) in calls {
        connection
            .prepare_cached(
                "INSERT INTO calls (connection, at) VALUES (?1, ?2)
                     ON CONFLICT (connection) DO UPDATE SET at = max(at, excluded.at)",
            )?
            .execute((name.as_str(), at.millis()))?;
    }
    for delivery in batch {
        let agent = agents::key(connection, &delivery.agent).map_err(|error| match error {
            crate::error::Error::Sqlite(error) => error,
            crate::error::Error::Refused(_) => rusqlite::Error::InvalidQuery,
        })?;
        connection
            .prepare_cached(
                "INSERT INTO reads (unit, revision, agent, at) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute((
                delivery.unit.as_str(),
                delivery.revision,
                agent,
                delivery.at.millis(),
            ))?;
        connection
            .prepare_cached(
                "INSERT INTO readers (unit, connection, revision, times, first_at, last_at)
                     VALUES (?1, ?2, ?3, 1, ?4, ?4)
                     ON CONFLICT (unit, connection, revision) DO UPDATE SET times = times + 1,
                         first_at = min(first_at, excluded.first_at),
                         last_at = max(last_at, excluded.last_at)",
            )?
            .execute((
                delivery.unit.as_str(),
                delivery.agent.connection.as_str(),
                delivery.revision,
                delivery.at.millis(),
            ))?;
    }
    transaction.commit()
}

fn open_log(file: &Path) -> rusqlite::Result<Connection> {
    // A folder that may not be written fails below, with the engine's words.
    let _ = open::make_private(file);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -256;",
    )?;
    let version = |connection: &Connection| {
        connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
    };
    if version(&connection)? < SCHEMA_VERSION {
        let transaction = rusqlite::Transaction::new_unchecked(
            &connection,
            rusqlite::TransactionBehavior::Immediate,
        )?;
        if version(&connection)? < SCHEMA_VERSION {
            if version(&connection)? < 1 {
                connection.execute_batch(agents::SCHEMA)?;
                connection.execute_batch(SCHEMA)?;
            }
            if version(&connection)? < 2 {
                connection.execute_batch(SCHEMA_2)?;
            }
            connection.execute_batch(SCHEMA_3)?;
            connection.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        }
        transaction.commit()?;
    }
    prune(&connection)?;
    Ok(connection)
}

/// Drops what is older than 90 days before the newest read. Rows stand roughly
/// in the order of their times, so the search ends where nothing old is left.
fn prune(connection: &Connection) -> rusqlite::Result<()> {
    let newest: Option<i64> = connection
        .query_row(
            "SELECT at FROM reads ORDER BY key DESC LIMIT 1",
            [],
            |row| row.get(0),
        )
        .optional()?;
    let Some(newest) = newest else {
        return Ok(());
    };
    let oldest = Timestamp::from_millis(newest)
        .plus_days(-KEPT_DAYS)
        .millis();
    let mut prune = connection.prepare(
        "DELETE FROM reads WHERE at < ?1
         AND key IN (SELECT key FROM reads ORDER BY key LIMIT 1000)",
    )?;
    let mut pruned = false;
    while prune.execute([oldest])? > 0 {
        pruned = true;
    }
    if pruned {
        connection.execute("DELETE FROM readers WHERE last_at < ?1", [oldest])?;
    }
    Ok(())
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    ) || matches!(error, rusqlite::Error::SqliteFailure(error, _)
        if error.code == ErrorCode::Unknown)
}

/// Renames a damaged log, so that a new one takes its place.
fn put_aside(file: &Path) {
    tracing::warn!("{} is damaged; a new one is begun", file.display());
    // What fails here fails again, and is told, when the new one is opened.
    let _ = std::fs::rename(file, open::beside(file, ".damaged"));
    for ending in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(open::beside(file, ending));
    }
}
