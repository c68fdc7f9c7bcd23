//! What was changed from here: kept in the data folder, so that disconnecting
//! gives a file its former bytes back, and so that a dropped entry is noticed.
//!
//! A record for each client lies in `clients/`, the file as it was before in
//! `backups/clients/CLIENT/`, a bundle that was made for it in `bundles/CLIENT/`.

use crate::description::Description;
use ozbrain_core::views::clients::ConnectBy;
use ozbrain_core::words::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// How many copies of a client's file are kept.
const KEPT: usize = 5;

/// What was done to a client's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Whether an entry was put into the client's file, or a bundle was made
    /// for it.
    #[serde(default)]
    pub(crate) by: ConnectBy,
    /// The file, as the client names it; or the bundle.
    pub(crate) file: PathBuf,
    /// What the entry was called.
    pub(crate) entry: String,
    /// The connection that it names.
    pub(crate) connection: String,
    /// When, in milliseconds since 1970.
    pub(crate) at: i64,
    /// What the file was before.
    pub(crate) before: Before,
    /// SHA-256 of the file as we left it.
    pub(crate) after: String,
    /// Whether the map around the entry was made with it.
    pub(crate) container_made: bool,
    /// What the entry started, program and arguments.
    #[serde(default)]
    pub(crate) launch: Vec<String>,
    /// What was done to the files that the client read before this one, and
    /// that still hold an entry of ours.
    #[serde(default)]
    pub(crate) older: Vec<Record>,
}

/// What was put into a client's rules file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RulesRecord {
    /// The file.
    pub(crate) file: PathBuf,
    /// What was put before the section.
    pub(crate) separator: String,
    /// The file was made: with these folders, outermost first.
    pub(crate) folders: Option<Vec<PathBuf>>,
}

/// What a file was before our entry came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "was", rename_all = "snake_case")]
pub(crate) enum Before {
    /// There was none, nor these folders, outermost first.
    Missing { folders: Vec<PathBuf> },
    /// A copy is kept under this name, with this SHA-256.
    Kept { copy: String, hash: String },
    /// Not known: the entry was there already.
    Unknown,
}

/// The records of a data folder.
#[derive(Debug, Clone)]
pub(crate) struct Records {
    data: PathBuf,
}

impl Records {
    pub(crate) fn new(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
        }
    }

    fn file(&self, client: &Description) -> PathBuf {
        self.data
            .join("clients")
            .join(format!("{}.json", client.id))
    }

    fn rules_file(&self, client: &Description) -> PathBuf {
        let name = format!("{}.rules.json", client.id);
        self.data.join("clients").join(name)
    }

    fn copies(&self, client: &Description) -> PathBuf {
        self.data.join("backups").join("clients").join(client.id)
    }

    /// A client's record, if it has one that can be read.
    pub(crate) fn get(&self, client: &Description) -> Option<Record> {
        read(&self.file(client))
    }

    /// All that is known of a client's files: of the one that was changed last,
    /// and of those before.
    pub(crate) fn all(&self, client: &Description) -> Vec<Record> {
        let Some(mut last) = self.get(client) else {
            return Vec::new();
        };
        let older = std::mem::take(&mut last.older);
        let all = std::iter::once(last).chain(older);
        all.filter(|record| record.by == ConnectBy::File).collect()
    }

    /// What was done to one of a client's files.
    pub(crate) fn of(&self, client: &Description, file: &Path) -> Option<Record> {
        self.all(client).into_iter().find(|it| it.file == file)
    }

    /// That of an entry in its file.
    pub(crate) fn of_file(&self, client: &Description) -> Option<Record> {
        let record = self.get(client);
        record.filter(|record| record.by == ConnectBy::File)
    }

    /// Where a client's bundle lies.
    pub(crate) fn bundle_file(&self, client: &Description) -> PathBuf {
        let name = client.bundle.as_ref().map_or("bundle", |it| it.file);
        self.data.join("bundles").join(client.id).join(name)
    }

    /// A client's bundle, if there is one.
    pub(crate) fn bundle(&self, client: &Description) -> Option<Vec<u8>> {
        fs::read(self.bundle_file(client)).ok()
    }

    pub(crate) fn put_bundle(&self, client: &Description, bytes: &[u8]) -> io::Result<()> {
        write(&self.bundle_file(client), bytes)
    }

    pub(crate) fn forget_bundle(&self, client: &Description) -> io::Result<()> {
        let file = self.bundle_file(client);
        forget(&file)?;
        // The folders stay where they hold more.
        for folder in file.ancestors().skip(1).take(2) {
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// What was put into a client's rules file, if anything was.
    pub(crate) fn rules(&self, client: &Description) -> Option<RulesRecord> {
        read(&self.rules_file(client))
    }

    pub(crate) fn put_rules(&self, client: &Description, record: &RulesRecord) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(record)?;
        write(&self.rules_file(client), &text)
    }

    pub(crate) fn forget_rules(&self, client: &Description) -> io::Result<()> {
        forget(&self.rules_file(client))
    }

    pub(crate) fn put(&self, client: &Description, record: &Record) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(record)?;
        write(&self.file(client), &text)
    }

    pub(crate) fn forget(&self, client: &Description) -> io::Result<()> {
        forget(&self.file(client))
    }

    /// Keeps a copy of a file, and the last few of those before. Gives its
    /// name.
    pub(crate) fn keep(
        &self,
        client: &Description,
        file: &Path,
        bytes: &[u8],
        now: Timestamp,
    ) -> io::Result<String> {
        let folder = self.copies(client);
        let when: String = now
            .to_string()
            .chars()
            .map(|c| if c == ':' { '-' } else { c })
            .collect();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let taken = |name: &String| folder.join(name).exists();
        let copy = (1..)
            .map(|count| match count {
                1 => format!("{when} {name}"),
                count => format!("{when} {count} {name}"),
            })
            .find(|copy| !taken(copy))
            .unwrap_or_default();
        write(&folder.join(&copy), bytes)?;
        let known = self.all(client).into_iter().map(|record| record.before);
        let needed: Vec<String> = known
            .filter_map(|before| match before {
                Before::Kept { copy, .. } => Some(copy),
                _ => None,
            })
            .collect();
        let mut copies: Vec<String> = fs::read_dir(&folder)?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| !needed.contains(name))
            .collect();
        copies.sort();
        let old = copies.len().saturating_sub(KEPT);
        for name in copies.iter().take(old) {
            let _ = fs::remove_file(folder.join(name));
        }
        Ok(copy)
    }

    /// A copy that is what it was.
    pub(crate) fn copy(&self, client: &Description, copy: &str, sha256: &str) -> Option<Vec<u8>> {
        let bytes = fs::read(self.copies(client).join(copy)).ok()?;
        (hash(&bytes) == sha256).then_some(bytes)
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    let text = fs::read(path).ok()?;
    match serde_json::from_slice(&text) {
        Ok(record) => Some(record),
        Err(error) => {
            tracing::warn!(path = %path.display(), "a record cannot be read: {error}");
            None
        }
    }
}

fn forget(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// SHA-256, in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

/// Writes a file that only this person can read, all or none.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    private_folder(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}
