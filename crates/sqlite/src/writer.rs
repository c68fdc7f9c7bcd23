//! The one connection that writes, and the writes that share a commit.
//!
//! A caller queues its job and takes the connection. Whoever gets it runs all
//! that wait in one transaction and answers them; the others, when their turn
//! comes, find themselves answered. A lone write thus costs no hand-over to
//! another thread, and many at once cost one sync of the disk.

use crate::error::{Error, Result, moved_away, restart};
use crate::read_log::ReadLog;
use crate::tables::{self, Applied, keywords, meta};
use crate::view::View;
use crate::{locked, open};
use ozbrain_core::Refusal;
use ozbrain_core::ports::{Change, Decide};
use ozbrain_core::words::EventId;
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long an erasing call waits for those who still read what was there.
pub(crate) const SCRUBBING: Duration = Duration::from_secs(2);

/// The first event of what was written.
type Answer = std::result::Result<Option<EventId>, Refusal>;

/// A write that waits for its turn, and where its answer goes.
struct Job {
    decide: Decide,
    answer: Arc<Mutex<Option<Answer>>>,
}

/// The writing side of the store.
pub(crate) struct Writer {
    file: PathBuf,
    queue: Mutex<Vec<Job>>,
    /// `None` while the file cannot be written: each write tries again.
    connection: Mutex<Option<Opened>>,
    /// Whether something that was erased may still stand in a file: then each
    /// write tries to remove it.
    unscrubbed: AtomicBool,
}

/// The connection, and which file it has open.
struct Opened {
    connection: Connection,
    file: Option<FileId>,
}

impl Opened {
    fn new(path: &Path) -> std::result::Result<Self, Refusal> {
        let connection = open::for_writing(path)?;
        Ok(Self {
            connection,
            file: file_id(path),
        })
    }
}

/// What tells a file from another that takes its name.
type FileId = (u64, u64);

#[cfg(unix)]
fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    let data = std::fs::metadata(path).ok()?;
    Some((data.dev(), data.ino()))
}

/// Elsewhere an open file cannot be moved or deleted.
#[cfg(not(unix))]
fn file_id(_: &Path) -> Option<FileId> {
    None
}

impl Writer {
    /// Opens the store for writing. A store that can only be read is opened
    /// too, and its writes are refused.
    pub(crate) fn open(file: &Path) -> std::result::Result<Self, Refusal> {
        let connection = match Opened::new(file) {
            Ok(opened) => {
                if let Err(error) = renew_keywords(&opened.connection) {
                    let refusal = error.refusal(file);
                    tracing::warn!("the keyword index could not be renewed: {refusal}");
                }
                Some(opened)
            }
            Err(refusal) => {
                if open::only_for_reading(file).is_err() {
                    return Err(refusal);
                }
                tracing::warn!("the store can only be read: {refusal}");
                None
            }
        };
        let writer = Self {
            file: file.to_owned(),
            queue: Mutex::default(),
            connection: Mutex::new(connection),
            unscrubbed: AtomicBool::new(false),
        };
        if let Err(refusal) = writer.scrub(Duration::ZERO) {
            tracing::warn!("what was erased could not be removed yet: {refusal}");
        }
        Ok(writer)
    }

    /// Sees to it that nothing that was erased stands in a file. `false` if
    /// others still read it.
    pub(crate) fn scrub(&self, patience: Duration) -> std::result::Result<bool, Refusal> {
        self.scrub_within(patience, true)
    }

    /// Goes on with what a scrub left to do, without waiting for anyone.
    pub(crate) fn scrub_on(&self) -> std::result::Result<bool, Refusal> {
        self.scrub_within(Duration::ZERO, false)
    }

    /// Whether something that was erased may still stand in a file.
    pub(crate) fn is_unscrubbed(&self) -> bool {
        self.unscrubbed.load(Ordering::Relaxed)
    }

    fn scrub_within(
        &self,
        patience: Duration,
        rewrites: bool,
    ) -> std::result::Result<bool, Refusal> {
        let opened = locked(&self.connection);
        let Some(opened) = opened.as_ref() else {
            return Ok(true);
        };
        let scrubbed = scrub(&opened.connection, patience, rewrites);
        let done = matches!(scrubbed, Ok(true));
        self.unscrubbed.store(!done, Ordering::Relaxed);
        scrubbed.map_err(|error| error.refusal(&self.file))
    }

    /// Decides and applies, in a transaction that it may share with others.
    /// `wake` is called once after a commit that others have to know of.
    pub(crate) fn write(&self, decide: Decide, log: &ReadLog, wake: impl FnOnce()) -> Answer {
        let answer = Arc::default();
        locked(&self.queue).push(Job {
            decide,
            answer: Arc::clone(&answer),
        });
        let mut connection = locked(&self.connection);
        if let Some(answer) = locked(&answer).take() {
            return answer;
        }
        let wakes = self.write_all(&mut connection, log);
        drop(connection);
        if wakes {
            wake();
        }
        if self.is_unscrubbed() {
            // Whoever erases says itself what is left to do.
            let _ = self.scrub_on();
        }
        locked(&answer)
            .take()
            .unwrap_or_else(|| Err(Refusal::unavailable("The store ended. Call again.")))
    }

    /// Runs and answers every job that waits.
    fn write_all(&self, opened: &mut Option<Opened>, log: &ReadLog) -> bool {
        let opened = match opened {
            Some(opened) => opened,
            None => match Opened::new(&self.file) {
                Ok(new) => opened.insert(new),
                Err(refusal) => {
                    answer(&self.waiting(), &refusal);
                    return false;
                }
            },
        };
        let connection = &opened.connection;
        // Who came while others held the file joins in.
        let begun = begin(connection);
        let mut jobs = self.waiting();
        let outcome = begun.and_then(|()| self.run(opened, log, &mut jobs));
        match outcome {
            Ok((answers, wakes)) => {
                for (job, outcome) in jobs.iter().zip(answers) {
                    *locked(&job.answer) = Some(outcome);
                }
                wakes
            }
            Err(error) => {
                if !connection.is_autocommit() {
                    // Nothing is left to do about an error here: the next
                    // BEGIN reports it.
                    let _ = connection.execute_batch("ROLLBACK");
                }
                answer(&jobs, &error.refusal(&self.file));
                false
            }
        }
    }

    fn waiting(&self) -> Vec<Job> {
        std::mem::take(&mut *locked(&self.queue))
    }

    /// Runs jobs inside the open transaction and ends it. An error means that
    /// none of them was written.
    fn run(&self, opened: &Opened, log: &ReadLog, jobs: &mut [Job]) -> Result<(Vec<Answer>, bool)> {
        let connection = &opened.connection;
        if !meta::is_ours(connection)? {
            return Err(restart().into());
        }
        let shared = jobs.len() > 1;
        let (mut written, mut wakes) = (false, false);
        let mut erased = Vec::new();
        let mut answers = Vec::with_capacity(jobs.len());
        for job in jobs {
            let view = View {
                connection,
                file: &self.file,
                log,
            };
            let changes = match catch_unwind(AssertUnwindSafe(|| (job.decide)(&view))) {
                Ok(Ok(changes)) => changes,
                Ok(Err(refusal)) => {
                    answers.push(Err(refusal));
                    continue;
                }
                Err(_) => {
                    answers.push(Err(Refusal::unavailable(
                        "OzBrain failed while it decided this write. Nothing was written. Please \
                         report this.",
                    )));
                    continue;
                }
            };
            if changes.is_empty() {
                answers.push(Ok(None));
                continue;
            }
            match apply(connection, &changes, shared)? {
                Ok(applied) => {
                    written = true;
                    wakes |= applied.wakes;
                    erased.extend(applied.erased);
                    answers.push(Ok(applied.first_event));
                }
                Err(error) => answers.push(Err(error.refusal(&self.file))),
            }
        }
        // A write into a file that has lost its name would be acknowledged and
        // gone.
        if written && file_id(&self.file) != opened.file {
            return Err(moved_away(&self.file).into());
        }
        let end = if written { "COMMIT" } else { "ROLLBACK" };
        connection.prepare_cached(end)?.execute([])?;
        log.forget(&erased);
        Ok((answers, wakes))
    }
}

/// Applies one job's changes; one that shares its transaction can fail alone.
/// The outer error is that of the whole transaction.
fn apply(
    connection: &Connection,
    changes: &[Change],
    shared: bool,
) -> Result<std::result::Result<Applied, Error>> {
    if !shared {
        return tables::apply(connection, changes).map(Ok);
    }
    connection.prepare_cached("SAVEPOINT job")?.execute([])?;
    let applied = tables::apply(connection, changes);
    if connection.is_autocommit() {
        // The engine gave the whole transaction up: a full disk, for one.
        return match applied {
            Err(error) => Err(error),
            Ok(_) => Err(Error::contradiction("a transaction that ended early")),
        };
    }
    if applied.is_err() {
        connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
    }
    connection.prepare_cached("RELEASE job")?.execute([])?;
    Ok(applied)
}

fn answer(jobs: &[Job], refusal: &Refusal) {
    for job in jobs {
        *locked(&job.answer) = Some(Err(refusal.clone()));
    }
}

fn begin(connection: &Connection) -> Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    Ok(())
}

/// Writes keyword indexes anew after an update of the text analysis.
fn renew_keywords(connection: &Connection) -> Result<()> {
    if !keywords::any_outdated(connection)? {
        return Ok(());
    }
    begin(connection)?;
    let renewed = keywords::renew(connection);
    let end = if renewed.is_ok() {
        "COMMIT"
    } else {
        "ROLLBACK"
    };
    let ended = connection.execute_batch(end);
    renewed?;
    Ok(ended?)
}

/// Rewrites the file without its free space, then empties the log. Both wait
/// for nobody longer than they must: a reader of what was there before keeps
/// the log, and only that. The file is rewritten only if `rewrites` says so: it
/// takes as long as the store is large, and may fail where the disk is full.
fn scrub(connection: &Connection, patience: Duration, rewrites: bool) -> Result<bool> {
    let due = Instant::now() + patience;
    match meta::scrub(connection)? {
        meta::Scrub::Done => return Ok(true),
        meta::Scrub::Log => {}
        meta::Scrub::File if !rewrites => return Ok(false),
        meta::Scrub::File => {
            connection.execute_batch("VACUUM")?;
            meta::set_scrub(connection, meta::Scrub::Log)?;
        }
    }
    loop {
        connection.busy_timeout(patience.min(Duration::from_millis(20)))?;
        let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            Ok(row.get::<_, i64>(0)? == 0)
        });
        open::be_patient(connection)?;
        match emptied {
            Ok(true) => break,
            Ok(false) => {}
            Err(error) if open::is_busy(&error) => {}
            Err(error) => return Err(error.into()),
        }
        if Instant::now() >= due {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    meta::set_scrub(connection, meta::Scrub::Done)?;
    Ok(true)
}
