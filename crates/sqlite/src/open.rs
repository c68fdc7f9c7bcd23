//! Opening the store's files: rights, what they are, which schema they have.

use crate::error::{Error, Result, cannot_open, foreign, newer, read_only};
use crate::tables;
use ozbrain_core::Refusal;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// `OzBr` in the file's header: what `file` and we know a store by.
pub(crate) const APPLICATION_ID: i64 = 0x4F7A_4272;

/// How long a writer waits for those of other processes.
const PATIENCE: Duration = Duration::from_secs(15);

/// Makes the folder if it is missing, readable by this user alone. A folder
/// that is there keeps its rights: it may be shared with other things.
pub(crate) fn make_folder(folder: &Path) -> std::result::Result<(), Refusal> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| {
        Refusal::unavailable(format!(
            "The folder {} cannot be made: {error}. Make it, or set OZBRAIN_DATA_DIR to a folder \
             that you may write.",
            folder.display()
        ))
    })
}

/// Makes a file that only this user can read, or takes the others' rights from
/// one that is there. It comes before SQLite opens the file: the write-ahead
/// log and its index take over the rights of the main file.
pub(crate) fn make_private(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if opened.metadata()?.permissions().mode() & 0o077 != 0 {
            opened.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    drop(opened);
    Ok(())
}

/// Opens the store for writing; makes it, or brings its schema up to date,
/// where needed.
pub(crate) fn for_writing(file: &Path) -> std::result::Result<Connection, Refusal> {
    if let Err(error) = make_private(file) {
        return Err(match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => read_only(file),
            io::ErrorKind::StorageFull => Refusal::unavailable(
                "The disk is full, so OzBrain cannot make its store. Free some space.",
            ),
            _ => cannot_open(file),
        });
    }
    check_header(file)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || -> Result<Connection> {
        let connection = Connection::open_with_flags(file, flags)?;
        prepare(&connection)?;
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
        if standing(&connection, file)? != Standing::Current {
            bring_up_to_date(&connection, file)?;
        }
        Ok(connection)
    };
    open().map_err(|error| error.refusal(file))
}

/// Opens the store for reading.
pub(crate) fn for_reading(file: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    prepare(&connection)?;
    Ok(connection)
}

/// Opens a store that may not be written, to read it at least.
pub(crate) fn only_for_reading(file: &Path) -> std::result::Result<(), Refusal> {
    if !file.exists() {
        return Err(read_only(file));
    }
    check_header(file)?;
    let look = || -> Result<()> {
        let connection = for_reading(file)?;
        match standing(&connection, file)? {
            Standing::Current => Ok(()),
            Standing::Empty | Standing::Older(_) => Err(read_only(file).into()),
        }
    };
    look().map_err(|error| error.refusal(file))
}

/// What every connection of this crate has.
///
/// No memory map: a file that another program cuts short would kill the
/// process instead of giving an error.
fn prepare(connection: &Connection) -> Result<()> {
    connection.busy_handler(Some(wait))?;
    connection.set_prepared_statement_cache_capacity(96);
    connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2048;")?;
    Ok(())
}

/// Whether a file can be a store at all, by its first bytes: a stranger's
/// database is not even opened, since opening may already write.
fn check_header(file: &Path) -> std::result::Result<(), Refusal> {
    let mut header = Vec::with_capacity(100);
    File::open(file)
        .and_then(|file| file.take(100).read_to_end(&mut header))
        .map_err(|_| cannot_open(file))?;
    if header.is_empty() {
        return Ok(());
    }
    let id = header.get(68..72).and_then(|id| id.try_into().ok());
    match id.map(i32::from_be_bytes).map(i64::from) {
        Some(0 | APPLICATION_ID) if header.starts_with(b"SQLite format 3\0") => Ok(()),
        _ => Err(foreign(file)),
    }
}

/// What a database file is.
#[derive(Debug, PartialEq, Eq)]
enum Standing {
    /// Nothing is in it.
    Empty,
    /// A store of an older schema.
    Older(i64),
    /// A store of this program's schema.
    Current,
}

fn standing(connection: &Connection, file: &Path) -> Result<Standing> {
    // One statement, so that a store that is being made right now is seen
    // whole or not at all.
    let (id, version, tables) = connection.query_row(
        "SELECT (SELECT application_id FROM pragma_application_id),
                (SELECT user_version FROM pragma_user_version),
                (SELECT count(*) FROM sqlite_schema)",
        [],
        |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, i64>(1)?,
                row.get::<_, i64>(2)?,
            ))
        },
    )?;
    match (id, version, tables) {
        (0, 0, 0) => Ok(Standing::Empty),
        (APPLICATION_ID, version, _) if version == tables::SCHEMA => Ok(Standing::Current),
        (APPLICATION_ID, version, _) if version > tables::SCHEMA => Err(newer(file).into()),
        (APPLICATION_ID, version, _) => Ok(Standing::Older(version)),
        _ => Err(foreign(file).into()),
    }
}

/// Makes or migrates the store. Several processes may do so at once: what is
/// to be done is told again under the write lock.
fn bring_up_to_date(connection: &Connection, file: &Path) -> Result<()> {
    let began = Instant::now();
    // The change of the journal mode does not always wait for others by itself.
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(2));
            }
            outcome => break outcome?,
        }
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let outcome = (|| {
        let version = match standing(connection, file)? {
            Standing::Current => return Ok(()),
            Standing::Older(version) => version,
            Standing::Empty => 0,
        };
        tables::migrate(connection, version)?;
        connection.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {};",
            tables::SCHEMA
        ))?;
        Ok::<_, Error>(())
    })();
    let end = if outcome.is_ok() {
        "COMMIT"
    } else {
        "ROLLBACK"
    };
    let ended = connection.execute_batch(end);
    outcome?;
    Ok(ended?)
}

pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Waits for another process: short sleeps of random length, so that several
/// who wait take turns and the next one starts soon after the lock is free.
/// SQLite's own steps grow to 100 ms, and whoever came first waits longest.
fn wait(tries: i32) -> bool {
    thread_local! {
        static SINCE: Cell<Instant> = Cell::new(Instant::now());
        static DICE: Cell<u64> = Cell::new(u64::from(std::process::id()) << 20 | 0x9E37);
    }
    if tries == 0 {
        SINCE.set(Instant::now());
    }
    let waited = SINCE.get().elapsed();
    if waited > PATIENCE {
        return false;
    }
    let mut dice = DICE.get();
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    DICE.set(dice);
    let longest = if waited < Duration::from_secs(1) {
        800
    } else {
        4_000
    };
    std::thread::sleep(Duration::from_micros(100 + dice % longest));
    true
}
