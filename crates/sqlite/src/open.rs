//! Opening the store's files: rights, what they are, which schema they have.

use crate::error::{Error, Result, cannot_open, foreign, newer, read_only};
use crate::{locked, tables};
use ozbrain_core::Refusal;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
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

/// Database files whose first bytes this process has looked at.
///
/// Closing a file gives up every lock that the process holds on it, those of
/// SQLite's connections too (that is POSIX), and another process would then
/// take the store for unused. So a database file is opened beside SQLite only
/// before this process has a connection to it, and one thread at a time.
static LOOKED_AT: Mutex<BTreeSet<FileIdentity>> = Mutex::new(BTreeSet::new());

/// What tells a file from every other.
type FileIdentity = (u64, u64);

#[cfg(unix)]
fn identity(file: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(file).ok()?;
    Some((found.dev(), found.ino()))
}

/// Where locks belong to handles, a file may be looked at whenever one likes.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<FileIdentity> {
    None
}

/// Makes a file that only this user can read, or takes the others' rights from
/// one that is there. It comes before SQLite opens the file: the write-ahead
/// log and its index take over the rights of the main file.
pub(crate) fn make_private(file: &Path) -> io::Result<()> {
    let _one_at_a_time = locked(&LOOKED_AT);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made.map(drop),
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(file)?.permissions().mode();
        if mode & 0o077 != 0 {
            // Another user's file stays as it is.
            let _ = fs::set_permissions(file, fs::Permissions::from_mode(mode & 0o700));
        }
    }
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
        if connection.is_readonly("main")? {
            return Err(read_only(file).into());
        }
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
    match reader(file) {
        // Even a reader makes the index of the write-ahead log, which a folder
        // that may not be written does not allow. Without a log the file alone
        // is the store, and one who may not write here sees it as it is.
        Err(error) if cannot_make_index(&error) && !beside(file, "-wal").exists() => {
            Ok(reader(Path::new(&immutable(file)))?)
        }
        outcome => Ok(outcome?),
    }
}

fn reader(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_handler(Some(wait))?;
    // The bundled library gives all connections of a process one pool of pages.
    // Once the pool is full, a connection that holds less than its share has
    // each page taken away as soon as it lets go of it, for as long as the
    // others keep theirs, and searches become five times slower. The share of
    // an empty database that never uses it keeps the pool from being full;
    // each connection still keeps to its own. It has to be a file's share, if
    // only in name, so it comes before the temporary store moves to memory.
    connection.execute_batch("ATTACH '' AS slack; PRAGMA slack.cache_size = 100000;")?;
    prepare(&connection)?;
    Ok(connection)
}

fn cannot_make_index(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)
    )
}

/// The address of a file that nobody changes.
fn immutable(file: &Path) -> String {
    let path = file.to_string_lossy();
    let path = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    format!("file:{path}?immutable=1")
}

/// The file of this name with an ending.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
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
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_handler(Some(wait))?;
    connection.set_prepared_statement_cache_capacity(96);
    connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2048;")
}

/// Whether a file can be a store at all, by its first bytes: a stranger's
/// database is not even opened, since opening may already write.
fn check_header(file: &Path) -> std::result::Result<(), Refusal> {
    let mut looked_at = locked(&LOOKED_AT);
    let identity = identity(file);
    if identity.is_some_and(|identity| looked_at.contains(&identity)) {
        return Ok(());
    }
    let mut header = Vec::with_capacity(100);
    File::open(file)
        .and_then(|file| file.take(100).read_to_end(&mut header))
        .map_err(|_| cannot_open(file))?;
    let id = header.get(68..72).and_then(|id| id.try_into().ok());
    match id.map(i32::from_be_bytes).map(i64::from) {
        None if header.is_empty() => {}
        Some(0 | APPLICATION_ID) if header.starts_with(b"SQLite format 3\0") => {}
        _ => return Err(foreign(file)),
    }
    looked_at.extend(identity);
    Ok(())
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

/// Lets a connection wait for other processes as long as a writer does.
pub(crate) fn be_patient(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_handler(Some(wait))
}

pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Waits for another process: short sleeps of random length, so that the next
/// one starts soon after the lock is free. Taking turns after every write would
/// halve what all of them get done, since each has to read what the others
/// changed; so the first sleeps leave the holder a few writes, and whoever
/// waited longer looks more often than those who came later. SQLite's own
/// sleeps grow to 100 ms instead, and whoever came first waits longest.
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
    let (least, more) = match waited.as_millis() {
        0..50 => (250, 2_000),
        50..2_000 => (100, 400),
        // Someone is at something long.
        _ => (500, 4_000),
    };
    std::thread::sleep(Duration::from_micros(least + dice % more));
    true
}
