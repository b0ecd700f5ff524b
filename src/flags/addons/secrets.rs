//! Secrets at rest: sealed with a key that is kept apart from them, in a file beside the database.
//!
//! A copy of the database alone gives nothing away. Each secret is sealed for its place, so that it opens nowhere else.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::flags::store::DataLocation;

const KEY_LENGTH: usize = 32;

type Key = [u8; KEY_LENGTH];

/// Seals and opens secrets. The key file is read each time: secrets are rarely needed, and a file that was put back
/// counts at once.
#[derive(Debug)]
pub struct Secrets(Place);

enum Place {
    Memory(OnceLock<Key>),
    File(PathBuf),
}

/// Why a secret cannot be kept or read: a sentence for the operator. Files are told by name alone.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// No key, and there are secrets already.
    #[error(
        "The key file {0} is missing beside the database: put it back, or enter the addon's secrets again"
    )]
    Missing(String),
    /// A key file that is not as it was written.
    #[error(
        "The key file {0} is damaged: put the right one back, or remove it and enter the addon's secrets again"
    )]
    Damaged(String),
    /// Another key, or a secret that was tampered with.
    #[error(
        "A secret of this addon cannot be opened with the key file {0}: put the right one back, or enter the secret again"
    )]
    Sealed(String),
    /// The operating system's fault.
    #[error("The key file {name} cannot be used: {cause}")]
    File {
        /// Its name.
        name: String,
        /// Why not.
        cause: io::Error,
    },
    /// No randomness to be had.
    #[error("The operating system gives no random numbers to encrypt with")]
    Random,
}

impl Secrets {
    /// Those of a database. Nothing is read or created yet.
    #[must_use]
    pub fn beside(data: &DataLocation) -> Self {
        Self(match data {
            DataLocation::Memory => Place::Memory(OnceLock::new()),
            DataLocation::File(path) => Place::File(key_file(path)),
        })
    }

    /// Encrypts a secret for one parameter of one addon. Creates the key file where there is none: callers hold the
    /// database's write lock, so that no two processes do so at once.
    ///
    /// # Errors
    /// See [`SecretError`].
    pub fn seal(&self, addon: i64, parameter: &str, secret: &str) -> Result<Vec<u8>, SecretError> {
        let key = match self.key() {
            Err(SecretError::Missing(_)) => self.create_key()?,
            key => key?,
        };
        let nonce = random::<NONCE_LEN>()?;
        let mut sealed = secret.as_bytes().to_vec();
        cipher(&key)
            .and_then(|cipher| {
                let nonce = Nonce::assume_unique_for_key(nonce);
                cipher.seal_in_place_append_tag(nonce, Aad::from(label(addon, parameter)), &mut sealed)
            })
            .map_err(|Unspecified| SecretError::Sealed(self.name()))?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Decrypts what was sealed for this place.
    ///
    /// # Errors
    /// See [`SecretError`].
    pub fn open(&self, addon: i64, parameter: &str, sealed: &[u8]) -> Result<String, SecretError> {
        let key = self.key()?;
        let refused = || SecretError::Sealed(self.name());
        let (nonce, ciphertext) = sealed.split_first_chunk::<NONCE_LEN>().ok_or_else(refused)?;
        let mut opened = ciphertext.to_vec();
        let opened = cipher(&key)
            .and_then(|cipher| {
                let nonce = Nonce::assume_unique_for_key(*nonce);
                cipher.open_in_place(nonce, Aad::from(label(addon, parameter)), &mut opened)
            })
            .map_err(|Unspecified| refused())?;
        str::from_utf8(opened).map(str::to_owned).map_err(|_not_text| refused())
    }

    fn key(&self) -> Result<Key, SecretError> {
        let path = match &self.0 {
            Place::Memory(key) => {
                return match key.get() {
                    Some(key) => Ok(*key),
                    None => random().map(|new| *key.get_or_init(|| new)),
                };
            }
            Place::File(path) => path,
        };
        match fs::read(path) {
            Ok(bytes) => Key::try_from(bytes).map_err(|_length| SecretError::Damaged(self.name())),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Err(SecretError::Missing(self.name())),
            Err(cause) => Err(SecretError::File { name: self.name(), cause }),
        }
    }

    fn create_key(&self) -> Result<Key, SecretError> {
        let key = random()?;
        if let Place::File(path) = &self.0 {
            write_new(path, &key).map_err(|cause| SecretError::File { name: self.name(), cause })?;
            tracing::info!(file = %path.display(), "a key was created for the secrets of addons: back it up");
        }
        Ok(key)
    }

    fn name(&self) -> String {
        match &self.0 {
            Place::Memory(_) => "in memory".to_owned(),
            Place::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory(_) => formatter.write_str("***"),
            Self::File(path) => path.fmt(formatter),
        }
    }
}

/// Where the key of a database is: `flagdeck.db.key` for `flagdeck.db`.
#[must_use]
pub fn key_file(data: &Path) -> PathBuf {
    let mut path = OsString::from(data);
    path.push(".key");
    path.into()
}

/// Written aside first: a key file that is there is whole.
fn write_new(path: &Path, key: &Key) -> io::Result<()> {
    let aside = path.with_extension("key.new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&aside)?;
    file.write_all(key)?;
    file.sync_all()?;
    fs::rename(&aside, path)?;
    // The name as well has to be there before the secret is.
    File::open(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))?
        .sync_all()
}

/// Authenticated with the secret, so that it opens in no other place.
fn label(addon: i64, parameter: &str) -> Vec<u8> {
    format!("addon {addon} {parameter}").into_bytes()
}

fn cipher(key: &Key) -> Result<LessSafeKey, Unspecified> {
    UnboundKey::new(&CHACHA20_POLY1305, key).map(LessSafeKey::new)
}

fn random<const N: usize>() -> Result<[u8; N], SecretError> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|Unspecified| SecretError::Random)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{SecretError, Secrets};
    use crate::flags::store::DataLocation;

    #[test]
    fn a_secret_opens_in_its_own_place_alone() {
        let secrets = Secrets::beside(&DataLocation::Memory);
        let sealed = secrets.seal(1, "url", "http://hook").unwrap();
        assert_eq!(secrets.open(1, "url", &sealed).unwrap(), "http://hook");
        let mut tampered = sealed.clone();
        *tampered.last_mut().unwrap() ^= 1;
        for (addon, parameter, sealed) in
            [(2, "url", &sealed), (1, "apiKey", &sealed), (1, "url", &tampered), (1, "url", &Vec::new())]
        {
            let refused = secrets.open(addon, parameter, sealed).unwrap_err();
            assert!(matches!(refused, SecretError::Sealed(_)), "{refused}");
        }
        assert_ne!(secrets.seal(1, "url", "http://hook").unwrap(), sealed, "each is sealed anew");
    }
}
