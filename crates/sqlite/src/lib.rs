//! The [`Store`] on SQLite: one folder with the store itself, the log of reads
//! and the doorbell.
//!
//! Several processes use one folder at once. What keeps them apart is the
//! database's own locks, never something in one process. SQL stays in this
//! crate, in [`tables`] one module a table.

mod aged;
mod doorbell;
mod error;
mod open;
#[cfg(test)]
mod plans;
mod read_log;
mod readers;
mod scrubber;
mod tables;
mod view;
mod writer;

use doorbell::Doorbell;
use ozbrain_core::Refusal;
use ozbrain_core::ports::{Decide, Delivery, OnChange, Records, Store};
use ozbrain_core::words::{ConnectionName, EventId, Timestamp};
use read_log::ReadLog;
use readers::Readers;
use scrubber::Scrubber;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use view::View;
use writer::Writer;

/// A lock whose holder may have panicked: what it guards is whole at any time.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A store in a folder.
pub struct SqliteStore {
    /// Dropped first: it waits for a callback that may be reading.
    doorbell: Doorbell,
    reading: Arc<Reading>,
    /// Dropped before the writer, of which its thread has a handle.
    scrubber: Scrubber,
    /// Dropped last: the last connection that closes folds the write-ahead log
    /// into the file, which one that only reads cannot.
    writer: Arc<Writer>,
}

/// What reads need. The listener has it too, to look at the newest event.
struct Reading {
    file: PathBuf,
    readers: Readers,
    log: ReadLog,
}

impl SqliteStore {
    /// Opens the store in `folder`, and makes both where they are missing.
    ///
    /// A store that may not be written is opened to be read. Nothing that is
    /// there is ever overwritten.
    ///
    /// # Errors
    /// `unavailable` if the folder cannot be made, or the file cannot be
    /// opened, is damaged, is no store, or was written by a newer program.
    pub fn open(folder: &Path) -> Result<Self, Refusal> {
        open::make_folder(folder)?;
        let file = folder.join("ozbrain.db");
        let writer = Arc::new(Writer::open(&file)?);
        let scrubber = Scrubber::new(Arc::clone(&writer));
        scrubber.start();
        Ok(Self {
            doorbell: Doorbell::new(folder.join("doorbell")),
            scrubber,
            writer,
            reading: Arc::new(Reading {
                readers: Readers::new(&file),
                log: ReadLog::new(folder.join("reads.db")),
                file,
            }),
        })
    }
}

impl Reading {
    fn read(
        &self,
        work: &mut dyn FnMut(&dyn Records) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let read = self.readers.read(|connection| {
            work(&View {
                connection,
                file: &self.file,
                log: &self.log,
            })
        });
        read.map_err(|error| error.refusal(&self.file))?
    }
}

impl Store for SqliteStore {
    fn reading(
        &self,
        work: &mut dyn FnMut(&dyn Records) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.reading.read(work)
    }

    fn writing(&self, decide: Decide) -> Result<Option<EventId>, Refusal> {
        let log = &self.reading.log;
        self.writer.write(decide, log, || self.doorbell.ring())
    }

    fn scrub(&self) -> Result<bool, Refusal> {
        let scrubbed = self.writer.scrub(writer::SCRUBBING);
        self.scrubber.start();
        scrubbed
    }

    fn delivered(&self, deliveries: Vec<Delivery>) {
        self.reading.log.add(deliveries);
    }

    fn called(&self, connection: &ConnectionName, at: Timestamp) {
        self.reading.log.called(connection, at);
    }

    fn on_change(&self, on_change: OnChange) {
        let reading = Arc::clone(&self.reading);
        self.doorbell.listen(on_change, move || {
            let mut newest = None;
            let read = reading.read(&mut |records| {
                newest = Some(records.last_event()?);
                Ok(())
            });
            read.ok().and(newest)
        });
    }

    fn place(&self) -> String {
        let file = &self.reading.file;
        let folder = file.parent().unwrap_or(file);
        // Where it is, be it opened by a relative path; a folder that moved away
        // is told by the path it had.
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        folder.display().to_string()
    }
}
