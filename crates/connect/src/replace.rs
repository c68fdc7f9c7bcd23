//! Files that other programs write are replaced and taken away so that nothing
//! of what those write is lost: not of one that replaces the file as well, nor of
//! one that writes in place, which empties it first and fills it a moment later.

use crate::computer::Unwritten;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};
use tempfile::NamedTempFile;

/// How long other programs are given to end what they do to a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// A file that nobody wrote for so long is written by nobody.
    still: Duration,
    /// One that is empty may be about to be filled for so long.
    empty: Duration,
    /// How long a replaced file is watched: whoever had it open writes there
    /// still.
    watch: Duration,
}

impl Patience {
    /// As long as programs take.
    pub(crate) const USUAL: Self = Self {
        still: Duration::from_millis(200),
        empty: Duration::from_secs(2),
        watch: Duration::from_millis(100),
    };

    /// Where no other program writes.
    pub(crate) const NONE: Self = Self {
        still: Duration::ZERO,
        empty: Duration::ZERO,
        watch: Duration::ZERO,
    };
}

/// From one look to the next.
const PAUSE: Duration = Duration::from_millis(10);

/// What a file holds now.
fn current(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match File::open(path) {
        Ok(mut file) => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Waits until nobody writes a file that holds what is expected.
///
/// # Errors
/// `Changed` as soon as it holds anything else, and for one that is written with
/// the same again and again.
fn still(path: &Path, expected: &[u8], patience: Patience) -> Result<(), Unwritten> {
    let Patience { still, empty, .. } = patience;
    let wanted = if expected.is_empty() { empty } else { still };
    let began = Instant::now();
    loop {
        if current(path)?.as_deref() != Some(expected) {
            return Err(Unwritten::Changed);
        }
        let written = fs::metadata(path)?.modified()?;
        // One of the future tells nothing.
        let age = SystemTime::now().duration_since(written);
        if age.map_or(true, |age| age >= wanted) {
            return Ok(());
        }
        if began.elapsed() > empty + still {
            return Err(Unwritten::Changed);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Whether a file that lost its place holds what is expected, and goes on to
/// while it is watched.
fn stays(path: &Path, expected: &[u8], watch: Duration) -> bool {
    let began = Instant::now();
    loop {
        // One that cannot be read counts as written.
        if !matches!(current(path), Ok(Some(bytes)) if bytes == expected) {
            return false;
        }
        if began.elapsed() >= watch {
            return true;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Puts a file that holds `ours` in the place of one that holds `expected`. Where
/// the system can, the two change places, so that what was replaced can be looked
/// at, and goes back where another program wrote it meanwhile.
///
/// # Errors
/// `Changed`: the file is as that program left it. `Apart`: another wrote ours as
/// well, so that stays, and the first lies beside it.
pub(crate) fn replace(
    file: NamedTempFile,
    path: &Path,
    ours: &[u8],
    expected: &[u8],
    patience: Patience,
) -> Result<(), Unwritten> {
    still(path, expected, patience)?;
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        let exchange = || renameat_with(CWD, file.path(), CWD, path, RenameFlags::EXCHANGE);
        if exchange().is_ok() {
            if stays(file.path(), expected, patience.watch) {
                return Ok(());
            }
            let exchange = || exchange().map_err(io::Error::from);
            return match give_back(file.path(), path, ours, exchange) {
                Ok(()) => Err(Unwritten::Changed),
                Err(error) => Err(kept_apart(file, error)),
            };
        }
        // A file system that cannot: the usual way.
    }
    let _ = ours;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Gives what was replaced its place again, unless somebody wrote what stands
/// there now: that one knew ours, and is the later.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn give_back(
    out: &Path,
    path: &Path,
    ours: &[u8],
    exchange: impl Fn() -> io::Result<()>,
) -> io::Result<()> {
    let is_ours = |path: &Path| Ok::<_, io::Error>(current(path)?.as_deref() == Some(ours));
    if !is_ours(path)? {
        return Err(twice());
    }
    exchange()?;
    if is_ours(out)? {
        return Ok(());
    }
    // It was written in that very moment.
    exchange()?;
    Err(twice())
}

fn twice() -> io::Error {
    io::Error::other("two other programs wrote it at the same moment")
}

/// The only copy of what another program wrote goes with nobody.
fn kept_apart(file: NamedTempFile, error: io::Error) -> Unwritten {
    match file.keep() {
        Ok((_, kept)) => Unwritten::Apart { kept, error },
        Err(unkept) => Unwritten::Io(unkept.error),
    }
}

/// Takes a file away that holds what is expected.
///
/// # Errors
/// `Changed`: the file is as another program left it. `Apart`: that one made it
/// anew meanwhile, and what it wrote before lies beside it.
pub(crate) fn take_away(path: &Path, expected: &[u8], patience: Patience) -> Result<(), Unwritten> {
    still(path, expected, patience)?;
    let folder = path
        .parent()
        .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let away = tempfile::Builder::new()
        .prefix(".ozbrain-")
        .suffix(".tmp")
        .tempfile_in(folder)?;
    fs::rename(path, away.path())?;
    if stays(away.path(), expected, patience.watch) {
        return Ok(());
    }
    // A link takes the place of nothing.
    match fs::hard_link(away.path(), path) {
        Ok(()) => Err(Unwritten::Changed),
        Err(error) => Err(kept_apart(away, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    const USUAL: Patience = Patience::USUAL;

    fn file_with(folder: &Path, bytes: &[u8]) -> NamedTempFile {
        let mut file = NamedTempFile::new_in(folder).unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    /// A program that writes in place: it empties the file, and fills it after
    /// this time, with what it read and its own number.
    fn in_place(path: &Path, hold: Duration, rest: Duration, times: usize) -> Vec<String> {
        let mut lost = Vec::new();
        for n in 0..times {
            let mine = format!("theirs {n}\n");
            let mut file = File::create(path).unwrap();
            std::thread::sleep(hold);
            file.write_all(mine.as_bytes()).unwrap();
            drop(file);
            std::thread::sleep(rest);
            let is = fs::read_to_string(path).unwrap_or_default();
            if !is.starts_with(&mine) {
                lost.push(format!("wrote {mine:?}, found {is:?}"));
            }
        }
        lost
    }

    #[test]
    fn whatever_is_written_in_place_survives() {
        for (hold, rest) in [(0, 1), (1, 20), (20, 250), (120, 400)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("config");
            fs::write(&path, "theirs\n").unwrap();
            let over = AtomicBool::new(false);
            let lost = std::thread::scope(|scope| {
                scope.spawn(|| {
                    // Ours comes and goes, as a person connects and disconnects.
                    while !over.load(Relaxed) {
                        let Some(was) = current(&path).unwrap() else {
                            continue;
                        };
                        let ours = match was.strip_suffix(b"ours\n") {
                            Some(without) => without.to_vec(),
                            None => [&was[..], b"ours\n"].concat(),
                        };
                        let file = file_with(folder.path(), &ours);
                        match replace(file, &path, &ours, &was, USUAL) {
                            Ok(()) | Err(Unwritten::Changed | Unwritten::Apart { .. }) => {}
                            Err(Unwritten::Io(error)) => panic!("{error}"),
                        }
                    }
                });
                let millis = Duration::from_millis;
                let lost = in_place(&path, millis(hold), millis(rest), 12);
                over.store(true, Relaxed);
                lost
            });
            assert_eq!(lost, [""; 0], "held {hold} ms, rested {rest} ms");
        }
    }

    #[test]
    fn an_empty_file_is_looked_at_until_it_is_filled_or_stays_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config");
        File::create(&path).unwrap();
        let filled = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                fs::write(&path, "theirs").unwrap();
            });
            replace(
                file_with(folder.path(), b"ours"),
                &path,
                b"ours",
                b"",
                USUAL,
            )
        });
        assert!(matches!(filled, Err(Unwritten::Changed)), "{filled:?}");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        File::create(&path).unwrap();
        replace(
            file_with(folder.path(), b"ours"),
            &path,
            b"ours",
            b"",
            USUAL,
        )
        .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"ours");
    }

    #[test]
    fn what_is_written_while_it_goes_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config");
        fs::write(&path, "was").unwrap();
        // Somebody has it open, and writes there a moment later.
        let mut open = File::options().append(true).open(&path).unwrap();
        std::thread::sleep(USUAL.still);
        let gone = std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(USUAL.watch / 2);
                open.write_all(b", and more").unwrap();
            });
            // However late it does, on a machine that is busy.
            let watch = Duration::from_secs(30);
            take_away(&path, b"was", Patience { watch, ..USUAL })
        });
        assert!(matches!(gone, Err(Unwritten::Changed)), "{gone:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "was, and more");
        take_away(&path, b"was, and more", USUAL).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let gone = take_away(&path, b"was", USUAL);
        assert!(matches!(gone, Err(Unwritten::Changed)), "{gone:?}");
    }

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    #[test]
    fn what_was_replaced_goes_back_unless_ours_was_written_too() {
        let folder = tempfile::tempdir().unwrap();
        let (out, path) = (folder.path().join("out"), folder.path().join("config"));
        let exchange = || {
            let other = folder.path().join("other");
            fs::rename(&out, &other)?;
            fs::rename(&path, &out)?;
            fs::rename(&other, &path)
        };
        let holds = |path: &Path| fs::read_to_string(path).unwrap();
        fs::write(&out, "theirs").unwrap();
        fs::write(&path, "ours").unwrap();
        give_back(&out, &path, b"ours", exchange).unwrap();
        assert_eq!(
            (holds(&path), holds(&out)),
            ("theirs".into(), "ours".into())
        );

        fs::write(&out, "theirs").unwrap();
        fs::write(&path, "later").unwrap();
        give_back(&out, &path, b"ours", exchange).unwrap_err();
        assert_eq!(
            (holds(&path), holds(&out)),
            ("later".into(), "theirs".into())
        );

        // Ours is written in the moment in which it goes.
        fs::write(&path, "ours").unwrap();
        let written = || {
            fs::write(if holds(&path) == "ours" { &path } else { &out }, "later").unwrap();
            exchange()
        };
        give_back(&out, &path, b"ours", written).unwrap_err();
        assert_eq!(
            (holds(&path), holds(&out)),
            ("later".into(), "theirs".into())
        );
        let kept = kept_apart(file_with(folder.path(), b"theirs"), twice());
        let Unwritten::Apart { kept, .. } = kept else {
            panic!("{kept:?}");
        };
        assert_eq!(holds(&kept), "theirs");
    }
}
