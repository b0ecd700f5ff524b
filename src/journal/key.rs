//! The key of the journal: it signs checkpoints, and makes digests of sessions irreversible.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

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

/// The key of a journal.
#[derive(Debug)]
pub struct JournalKey {
    pair: Ed25519KeyPair,
    digests: hmac::Key,
}

impl JournalKey {
    /// Reads the key file. Creates it if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be read or created, or does not contain a key.
    pub fn read_or_create(path: &Path) -> io::Result<Self> {
        match Self::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let mut seed = [0; SEED_LENGTH];
                getrandom::fill(&mut seed).map_err(io::Error::other)?;
                private_file::replace(path, &seed)?;
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
