//! The key of the journal: it signs checkpoints, and makes digests of sessions irreversible.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use ring::hmac;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};

use crate::private_file;

/// Length of the key file in bytes: the seed of an Ed25519 key.
const SEED_LENGTH: usize = 32;
/// Length of the digest of a session in bytes: enough to distinguish sessions.
const DIGEST_LENGTH: usize = 6;
/// Separates the signatures from those of other programs with the same key.
const CONTEXT: &str = "flagdeck journal checkpoint ";

/// End of the name of a key file.
const SUFFIX: &str = ".key";

/// Returns the key files beside a rotated file that can be those of its journal, the most similar name first. Programs such as
/// logrotate append to the name of the journal, or insert before its extension: `journal.jsonl.1`, `journal-20260301.jsonl`.
#[must_use]
pub fn find_keys(rotated: &Path) -> Vec<PathBuf> {
    let name = rotated.file_name().unwrap_or_default().as_encoded_bytes();
    let entries = fs::read_dir(private_file::folder_of(rotated)).into_iter().flatten().flatten();
    let mut keys: Vec<_> = entries
        .filter_map(|entry| {
            let key = entry.path();
            let journal = Path::new(key.file_name()?.to_str()?.strip_suffix(SUFFIX)?);
            let starts_with = |start: &OsStr| name.starts_with(start.as_encoded_bytes());
            let is_inserted = starts_with(journal.file_stem()?) && rotated.extension() == journal.extension();
            let length = journal.as_os_str().len();
            (starts_with(journal.as_os_str()) || is_inserted).then(|| (Reverse(length), key.clone()))
        })
        .collect();
    keys.sort();
    keys.into_iter().map(|(_, key)| key).collect()
}

/// The key of a journal.
#[derive(Debug)]
pub struct JournalKey {
    pair: Ed25519KeyPair,
    digests: hmac::Key,
}

impl JournalKey {
    /// Reads the key file. Creates it and its folder if they do not exist. Processes that start at the same time use the same key.
    ///
    /// # Errors
    /// If the file cannot be read or created, or does not contain a key.
    pub fn read_or_create(path: &Path) -> io::Result<Self> {
        match Self::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let mut seed = [0; SEED_LENGTH];
                getrandom::fill(&mut seed).map_err(io::Error::other)?;
                private_file::create_folder_of(path)?;
                match private_file::create_with(path, &seed) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => return Self::read(path),
                    created => created?,
                }
                tracing::info!(file = %path.display(), "created the key file of the journal; include it in backups");
                Self::from_seed(&seed)
            }
            result => result,
        }
    }

    /// Reads the key file.
    ///
    /// # Errors
    /// If the file cannot be read, or does not contain a key.
    pub fn read(path: &Path) -> io::Result<Self> {
        Self::from_seed(&fs::read(path)?)
    }

    fn from_seed(seed: &[u8]) -> io::Result<Self> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_rejected| {
            io::Error::new(
                ErrorKind::InvalidData,
                format!("it is not a key file: a key has {SEED_LENGTH} bytes"),
            )
        })?;
        Ok(Self { pair, digests: hmac::Key::new(hmac::HMAC_SHA256, seed) })
    }

    /// Returns the public key in hex digits.
    #[must_use]
    pub fn public(&self) -> String {
        HEXLOWER.encode(self.pair.public_key().as_ref())
    }

    /// Returns the signature of the hash of a checkpoint, in hex digits.
    pub(super) fn sign(&self, hash: &str) -> String {
        HEXLOWER.encode(self.pair.sign(format!("{CONTEXT}{hash}").as_bytes()).as_ref())
    }

    /// Returns a short digest of the credentials of a session. Nobody can compute it without the key file.
    pub(super) fn digest(&self, credentials: &[u8]) -> String {
        let digest = hmac::sign(&self.digests, credentials);
        HEXLOWER.encode(digest.as_ref().get(..DIGEST_LENGTH).unwrap_or_default())
    }
}

/// Returns true if the signature of a checkpoint with this hash was made with the private key of `public`. All are in hex digits.
pub(super) fn is_signed(public: &str, hash: &str, signature: &str) -> bool {
    let decode = |text: &str| HEXLOWER.decode(text.as_bytes());
    let (Ok(public), Ok(signature)) = (decode(public), decode(signature)) else { return false };
    UnparsedPublicKey::new(&ED25519, public).verify(format!("{CONTEXT}{hash}").as_bytes(), &signature).is_ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::JournalKey;

    #[test]
    fn concurrent_starts_use_the_same_key() {
        const STARTS: usize = 8;
        for _round in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let (path, barrier) = (folder.path().join("key"), Barrier::new(STARTS));
            let start = || {
                barrier.wait();
                JournalKey::read_or_create(&path).unwrap().public()
            };
            let keys: Vec<_> = thread::scope(|scope| {
                let starts: Vec<_> = (0..STARTS).map(|_| scope.spawn(start)).collect();
                starts.into_iter().map(|start| start.join().unwrap()).collect()
            });
            let stored = JournalKey::read(&path).unwrap().public();
            assert!(keys.iter().all(|key| *key == stored), "{keys:?}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no other file remains");
        }
    }
}
