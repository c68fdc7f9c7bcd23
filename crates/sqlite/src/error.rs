//! What goes wrong inside, and how a caller is told.

use ozbrain_core::{Code, Refusal};
use rusqlite::ErrorCode;
use std::path::Path;

/// The result of anything inside this crate.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// A refusal, or an error of the engine that is not yet one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl Error {
    /// Changes that contradict each other or what is stored: a mistake in the
    /// rules, never of the caller.
    pub(crate) fn contradiction(what: &str) -> Self {
        Self::Refused(Refusal::unavailable(format!(
            "The store was given a change that it cannot apply: {what}. Nothing was written. \
             Please report this."
        )))
    }

    /// What the caller is told. `file` is the file that was at work.
    pub(crate) fn refusal(self, file: &Path) -> Refusal {
        let error = match self {
            Self::Refused(refusal) => return refusal,
            Self::Sqlite(error) => error,
        };
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => busy(),
            Some(ErrorCode::DiskFull) => Refusal::unavailable(
                "The disk is full. OzBrain reads, but cannot write. Free some space and call again.",
            ),
            Some(ErrorCode::ReadOnly) => read_only(file),
            Some(ErrorCode::SystemIoFailure) => Refusal::unavailable(format!(
                "The disk answered with an error at {}. Check the disk, then call again.",
                file.display()
            )),
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => cannot_open(file),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(file),
            Some(ErrorCode::OutOfMemory) => Refusal::unavailable(
                "There is no memory left. Close other programs and call again.",
            ),
            Some(ErrorCode::ConstraintViolation) => {
                Self::contradiction(&error.to_string()).refusal(file)
            }
            _ if is_unreadable(&error) => damaged(file),
            _ => Refusal::unavailable(format!(
                "The store at {} answered: {error}. If OzBrain was updated, restart this client.",
                file.display()
            )),
        }
    }
}

/// Whether a stored value does not read as what it must be.
fn is_unreadable(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..)
    )
}

pub(crate) fn busy() -> Refusal {
    Refusal::new(
        Code::Busy,
        "Other programs are writing to the store. Nothing was written. Call again in a moment.",
    )
}

pub(crate) fn read_only(file: &Path) -> Refusal {
    Refusal::unavailable(format!(
        "{} may not be written. OzBrain reads, but cannot write. Make the file and its folder \
         writable for you, then call again.",
        file.display()
    ))
}

pub(crate) fn cannot_open(file: &Path) -> Refusal {
    Refusal::unavailable(format!(
        "{} cannot be opened. Check that the folder exists and that you may read and write it.",
        file.display()
    ))
}

pub(crate) fn damaged(file: &Path) -> Refusal {
    Refusal::unavailable(format!(
        "{} is damaged. OzBrain leaves it as it is. Put a backup in its place, or move it away to \
         start anew, then restart this client.",
        file.display()
    ))
}

pub(crate) fn foreign(file: &Path) -> Refusal {
    Refusal::unavailable(format!(
        "{} is no OzBrain store: another program made it, or it is damaged. OzBrain leaves it as \
         it is. Move it away, or set OZBRAIN_DATA_DIR to another folder.",
        file.display()
    ))
}

pub(crate) fn newer(file: &Path) -> Refusal {
    Refusal::unavailable(format!(
        "{} was written by a newer OzBrain: update or restart this client.",
        file.display()
    ))
}

pub(crate) fn moved_away(file: &Path) -> Refusal {
    Refusal::unavailable(format!(
        "{} was moved, deleted or replaced while this client was running. Nothing was written. \
         Put it back, or restart this client to go on with what is there now.",
        file.display()
    ))
}

pub(crate) fn restart() -> Refusal {
    Refusal::unavailable(
        "OzBrain was updated while this client was running: restart this client. Nothing was \
         written.",
    )
}

/// The engine's error for a stored value that does not read.
pub(crate) fn unreadable(column: usize, what: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        column,
        rusqlite::types::Type::Text,
        format!("not readable: {what}").into(),
    )
}
