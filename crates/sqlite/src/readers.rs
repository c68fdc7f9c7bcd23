//! Read-only connections, opened when they are first needed and used again.

use crate::error::Result;
use crate::open;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How many idle connections are kept: each holds a page cache.
const KEPT: usize = 2;

/// The pool. As many connections are open as there are readers at once.
pub(crate) struct Readers {
    file: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(crate) fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            idle: Mutex::default(),
        }
    }

    /// Runs `work` inside a transaction that sees one moment.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Connection) -> T) -> Result<T> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match idle {
            Some(connection) => connection,
            None => open::for_reading(&self.file)?,
        };
        let mut reading = Reading {
            pool: self,
            connection: Some(connection),
        };
        let Some(connection) = &reading.connection else {
            return Err(rusqlite::Error::InvalidQuery.into());
        };
        connection.prepare_cached("BEGIN")?.execute([])?;
        let value = work(connection);
        reading.end();
        Ok(value)
    }
}

/// A connection on loan. However the work ends, its transaction ends too: a
/// moment held open would keep the write-ahead log growing.
struct Reading<'a> {
    pool: &'a Readers,
    connection: Option<Connection>,
}

impl Reading<'_> {
    fn end(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        if !connection.is_autocommit() {
            let ended = connection
                .prepare_cached("ROLLBACK")
                .and_then(|mut rollback| rollback.execute([]));
            if ended.is_err() {
                return;
            }
        }
        let mut idle = self
            .pool
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(connection);
        }
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.end();
    }
}
