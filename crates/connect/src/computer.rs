//! Files, processes and commands, as far as connecting needs them.

use crate::replace::{Patience, replace, take_away};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// What a computer does for us. Tests have one that fails where they want it
/// to.
pub trait Computer: Send + Sync {
    /// Whether something stands at a path, be it a link that leads nowhere.
    fn is_there(&self, path: &Path) -> bool;

    /// The names in a folder; none, where it cannot be read.
    fn names_in(&self, folder: &Path) -> Vec<String>;

    /// Whether a path leads to a file that can be run.
    fn is_program(&self, path: &Path) -> bool;

    /// A path without links.
    ///
    /// # Errors
    /// Why it cannot be followed.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// Reads a file, through links.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, path: &Path) -> Result<Content, Unreadable>;

    /// Puts bytes in the place of `expected` (`None`: of no file), all or none,
    /// durably. Folders are made, the file's mode and owner are kept, and a new
    /// one is this person's alone. `path` is no link.
    ///
    /// # Errors
    /// Why not; the file is as it was, or as someone else left it, but for
    /// [`Unwritten::Apart`].
    fn write(&self, path: &Path, bytes: &[u8], expected: Option<&[u8]>) -> Result<(), Unwritten>;

    /// Takes a file away, if it still holds these bytes.
    ///
    /// # Errors
    /// Why not.
    fn remove(&self, path: &Path, expected: &[u8]) -> Result<(), Unwritten>;

    /// Takes a folder away, if nothing is in it.
    fn remove_empty_folder(&self, folder: &Path);

    /// Holds a lock that other programs know: a folder that whoever holds it
    /// makes.
    ///
    /// # Errors
    /// Somebody else holds it, or it cannot be made.
    fn lock(&self, folder: &Path) -> io::Result<Lock>;

    /// The programs that run: their whole paths as far as the system tells them,
    /// and the names they go by, of which one program may have both.
    fn processes(&self) -> Vec<String>;

    /// Has the operating system open a file with the application for its kind.
    ///
    /// # Errors
    /// Why it cannot. That the application then fails is not known.
    fn open(&self, file: &Path) -> io::Result<()>;

    /// Runs a command to its end, within a time that no such command needs. Gives
    /// whether it succeeded.
    ///
    /// # Errors
    /// Why it cannot be started; `TimedOut` for one that was ended, as it did not
    /// end by itself.
    fn run(&self, program: &Path, arguments: &[String]) -> io::Result<bool>;
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Where it really lies, links followed.
    pub path: PathBuf,
    /// What it holds. `None`: there is none.
    pub bytes: Option<Vec<u8>>,
    /// Whether it may not be written.
    pub read_only: bool,
    /// The folder that may not be written, so that it cannot be made or replaced
    /// there.
    pub read_only_folder: Option<PathBuf>,
}

/// Why a file cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    /// It is a folder or a device.
    NoFile,
    /// It holds more than a configuration does.
    TooLarge,
    /// The system's reason.
    Io(io::Error),
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Why a file was not written.
#[derive(Debug)]
pub enum Unwritten {
    /// It does not hold what was expected.
    Changed,
    /// Another program wrote it at the same moment, and what that one wrote could
    /// not be given its place again: it lies beside it.
    Apart {
        /// Where.
        kept: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The system's reason.
    Io(io::Error),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub struct Lock(Option<PathBuf>);

impl Lock {
    /// No lock at all.
    pub const fn none() -> Self {
        Self(None)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            // Where it is gone already, somebody held it for stale.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The most that a configuration may hold.
const LARGEST: u64 = 64 << 20;

/// How many links are followed.
const LINKS: usize = 40;

/// A lock this old belongs to a program that died: those that live touch
/// theirs every few seconds.
const STALE: Duration = Duration::from_secs(10);

/// How long a lock is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long a command may take.
const LONGEST: Duration = Duration::from_secs(20);

/// The computer this runs on.
#[derive(Debug, Clone, Copy)]
pub struct ThisComputer {
    patience: Patience,
}

impl ThisComputer {
    /// One on which no other program writes the same files, so that none has to
    /// be waited for.
    pub const fn alone() -> Self {
        Self {
            patience: Patience::NONE,
        }
    }
}

impl Default for ThisComputer {
    fn default() -> Self {
        Self {
            patience: Patience::USUAL,
        }
    }
}

impl Computer for ThisComputer {
    fn is_there(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }

    fn names_in(&self, folder: &Path) -> Vec<String> {
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.collect()
    }

    fn is_program(&self, path: &Path) -> bool {
        let Ok(data) = fs::metadata(path) else {
            return false;
        };
        data.is_file() && may_run(&data)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn read(&self, path: &Path) -> Result<Content, Unreadable> {
        let path = followed(path)?;
        let data = match fs::symlink_metadata(&path) {
            Ok(data) => data,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Content {
                    read_only_folder: read_only_folder(&path),
                    path,
                    bytes: None,
                    read_only: false,
                });
            }
            Err(error) => return Err(error.into()),
        };
        if !data.is_file() {
            return Err(Unreadable::NoFile);
        }
        if data.len() > LARGEST {
            return Err(Unreadable::TooLarge);
        }
        let bytes = fs::read(&path)?;
        Ok(Content {
            read_only_folder: read_only_folder(&path),
            path,
            bytes: Some(bytes),
            read_only: data.permissions().readonly(),
        })
    }

    fn write(&self, path: &Path, bytes: &[u8], expected: Option<&[u8]>) -> Result<(), Unwritten> {
        let folder = path
            .parent()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".ozbrain-")
            .suffix(".tmp")
            .tempfile_in(folder)?;
        file.write_all(bytes)?;
        like(file.as_file(), path, folder)?;
        file.as_file().sync_all()?;
        match expected {
            None => {
                file.persist_noclobber(path).map_err(|error| {
                    if error.error.kind() == io::ErrorKind::AlreadyExists {
                        Unwritten::Changed
                    } else {
                        error.error.into()
                    }
                })?;
            }
            Some(expected) => replace(file, path, bytes, expected, self.patience)?,
        }
        sync_folder(folder);
        Ok(())
    }

    fn remove(&self, path: &Path, expected: &[u8]) -> Result<(), Unwritten> {
        take_away(path, expected, self.patience)?;
        if let Some(folder) = path.parent() {
            sync_folder(folder);
        }
        Ok(())
    }

    fn remove_empty_folder(&self, folder: &Path) {
        // One that is not empty stays, which is what is wanted.
        let _ = fs::remove_dir(folder);
    }

    fn lock(&self, folder: &Path) -> io::Result<Lock> {
        let began = Instant::now();
        loop {
            match fs::create_dir(folder) {
                Ok(()) => return Ok(Lock(Some(folder.to_owned()))),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    let touched = fs::metadata(folder).and_then(|data| data.modified());
                    let age = touched
                        .ok()
                        .and_then(|touched| SystemTime::now().duration_since(touched).ok());
                    if age.is_some_and(|age| age > STALE) {
                        let _ = fs::remove_dir(folder);
                    } else if began.elapsed() > PATIENCE {
                        return Err(error);
                    } else {
                        std::thread::sleep(Duration::from_millis(50));
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn processes(&self) -> Vec<String> {
        processes()
    }

    fn open(&self, file: &Path) -> io::Result<()> {
        open(file)
    }

    fn run(&self, program: &Path, arguments: &[String]) -> io::Result<bool> {
        run_within(program, arguments, LONGEST)
    }
}

/// Runs a command, and ends it with all that it started where it takes longer.
fn run_within(program: &Path, arguments: &[String], longest: Duration) -> io::Result<bool> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // What is written for an interpreter mostly lies beside it, where the search
    // path of an application may not lead.
    if let Some(path) = beside(program) {
        command.env("PATH", path);
    }
    apart(&mut command);
    let mut child = command.spawn()?;
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if began.elapsed() > longest {
            end(&mut child);
            // Its status is that of one that was ended, if it was not faster.
            return match child.wait()?.success() {
                true => Ok(true),
                false => Err(io::ErrorKind::TimedOut.into()),
            };
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The search path with the folder of a command at its end.
fn beside(program: &Path) -> Option<OsString> {
    let folder = program.parent().filter(|folder| folder.is_absolute())?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([folder.to_owned()]);
    std::env::join_paths(folders).ok()
}

/// Starts a command so that what it starts can be ended with it.
#[cfg(unix)]
fn apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(windows)]
fn apart(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    // CREATE_NO_WINDOW: a window without a console would show one.
    command.creation_flags(0x0800_0000);
}

#[cfg(not(any(unix, windows)))]
fn apart(_: &mut Command) {}

/// Ends a command and what it started.
#[cfg(unix)]
fn end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        // One that just ended is gone anyway.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
}

#[cfg(not(unix))]
fn end(child: &mut Child) {
    #[cfg(windows)]
    {
        let mut all = Command::new("taskkill");
        all.args(["/T", "/F", "/PID", &child.id().to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        apart(&mut all);
        let _ = all.status();
    }
    let _ = child.kill();
}

/// Follows links to where the last one leads, be anything there or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::symlink_metadata(&path) {
            Ok(data) if data.file_type().is_symlink() => {
                let target = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(target);
            }
            Ok(_) => return fs::canonicalize(&path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// The folder of a file, or the nearest that is there, if nothing can be made in
/// it.
#[cfg(unix)]
fn read_only_folder(file: &Path) -> Option<PathBuf> {
    use rustix::fs::{Access, access};
    let folder = file.ancestors().skip(1).find(|it| it.exists())?;
    let data = fs::metadata(folder).ok()?;
    // By its mode too: the superuser may write where nobody wants it to.
    let closed = data.permissions().readonly() || access(folder, Access::WRITE_OK).is_err();
    (closed && data.is_dir()).then(|| folder.to_owned())
}

/// A folder of Windows tells nothing by its attributes.
#[cfg(not(unix))]
fn read_only_folder(_: &Path) -> Option<PathBuf> {
    None
}

/// Gives a new file the mode and the owner of the one it replaces, else the
/// owner of its folder.
#[cfg(unix)]
fn like(file: &File, path: &Path, folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let (model, mode) = match fs::symlink_metadata(path) {
        Ok(data) => {
            let mode = data.permissions().mode() & 0o7777;
            (data, Some(mode))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => (fs::metadata(folder)?, None),
        Err(error) => return Err(error),
    };
    if (own.uid(), own.gid()) != (model.uid(), model.gid()) {
        // Another group of one's own may be out of reach, and does no harm.
        let kept = fchown(file, Some(model.uid()), Some(model.gid()));
        if own.uid() != model.uid() {
            kept?;
        }
    }
    if let Some(mode) = mode {
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn like(_: &File, _: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(target_os = "windows")]
fn open(file: &Path) -> io::Result<()> {
    // Its exit code says nothing.
    quiet(Command::new("explorer.exe").arg(file)).map(drop)
}

#[cfg(not(target_os = "windows"))]
fn open(file: &Path) -> io::Result<()> {
    let opener = if cfg!(target_os = "macos") {
        "/usr/bin/open"
    } else {
        "xdg-open"
    };
    if quiet(Command::new(opener).arg(file))? {
        return Ok(());
    }
    Err(io::Error::other("no application takes it"))
}

/// Runs a command that nobody listens to. Gives whether it succeeded.
fn quiet(command: &mut Command) -> io::Result<bool> {
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(status.success())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) {
    // The file itself is synced; that its name is too is more than most ask.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) {}

#[cfg(unix)]
fn may_run(data: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn may_run(_: &fs::Metadata) -> bool {
    true
}

#[cfg(target_os = "linux")]
fn processes() -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_string_lossy().bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        if let Ok(name) = fs::read_to_string(entry.path().join("comm")) {
            all.push(name.trim_end().to_owned());
        }
        // Another person's is not told.
        if let Ok(path) = fs::read_link(entry.path().join("exe")) {
            all.push(path.to_string_lossy().into_owned());
        }
    }
    all
}

#[cfg(target_os = "macos")]
fn processes() -> Vec<String> {
    // How it was started, which is its path or what it calls itself, and what
    // its file is called.
    let listed = |columns: &str| {
        let listed = Command::new("/bin/ps").args([columns, "comm="]).output();
        let text = listed.map(|it| it.stdout).unwrap_or_default();
        let lines: Vec<String> = String::from_utf8_lossy(&text)
            .lines()
            .map(|line| line.trim().to_owned())
            .collect();
        lines
    };
    [listed("-axo"), listed("-axco")].concat()
}

#[cfg(target_os = "windows")]
fn processes() -> Vec<String> {
    use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};
    let mut system = System::new();
    let paths = ProcessRefreshKind::nothing().with_exe(UpdateKind::Always);
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, paths);
    let name = |process: &sysinfo::Process| match process.exe() {
        Some(path) => path.to_string_lossy().into_owned(),
        None => process.name().to_string_lossy().into_owned(),
    };
    system.processes().values().map(name).collect()
}

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "windows")))]
fn processes() -> Vec<String> {
    Vec::new()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_does_not_end_is_ended_with_what_it_started() {
        let dir = tempfile::tempdir().unwrap();
        let started = dir.path().join("started");
        // With a child of its own.
        let script = format!(
            "sleep 600 & echo $! > '{0}.tmp'; mv '{0}.tmp' '{0}'; wait",
            started.display()
        );
        let shell = Path::new("/bin/sh");
        let run = |script: &str, longest| run_within(shell, &["-c".into(), script.into()], longest);
        let began = Instant::now();
        let error = run(&script, Duration::from_secs(2)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() < Duration::from_secs(60));
        let child = fs::read_to_string(&started).unwrap();
        let child = rustix::process::Pid::from_raw(child.trim().parse().unwrap()).unwrap();
        // Whoever adopts it may be slow to notice.
        while rustix::process::test_kill_process(child).is_ok() && !is_dead(child) {
            assert!(began.elapsed() < Duration::from_secs(60), "it lives");
            std::thread::yield_now();
        }
        let longest = Duration::from_secs(60);
        assert!(run("exit 0", longest).unwrap());
        assert!(!run("exit 3", longest).unwrap());
        run_within(Path::new("/no/such"), &[], longest).unwrap_err();
    }

    #[test]
    fn a_command_finds_what_lies_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let make = |name: &str, text: &str| {
            use std::os::unix::fs::PermissionsExt;
            let path = dir.path().join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        make("an-interpreter", "#!/bin/sh\nexit 0\n");
        let script = make("script", "#!/usr/bin/env an-interpreter\n");
        let ran = loop {
            match run_within(&script, &[], Duration::from_secs(60)) {
                // Another test's new process still holds what was just written.
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {}
                ran => break ran,
            }
        };
        assert!(ran.unwrap());
    }

    /// Whether a process has ended and nobody took notice yet.
    fn is_dead(process: rustix::process::Pid) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
        stat.is_ok_and(|stat| stat.contains(") Z"))
    }
}
