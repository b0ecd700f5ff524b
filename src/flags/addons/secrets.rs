//! Encrypts the secrets of addons. The key is in a file next to the database.
//!
//! A copy of the database alone reveals no secret. Each secret is bound to its addon and parameter, so that it cannot
//! be decrypted for another one.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use actix_web::http::StatusCode;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;

use crate::config::DataLocation;
use crate::database::inspect::StoredSecret;
use crate::error::{ApiError, DomainError};
use crate::private_file;

const KEY_LENGTH: usize = 32;

type Key = [u8; KEY_LENGTH];

/// Encrypts and decrypts secrets. Reads the key file each time, because secrets are rarely needed and a restored file
/// must work at once.
#[derive(Debug)]
pub struct Secrets(KeyLocation);

enum KeyLocation {
    Memory(OnceLock<Key>),
    File(PathBuf),
}

/// Error of encryption or decryption: a sentence for the operator with the file name but not its path.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The key file is missing although secrets are stored.
    #[error(
        "The key file {0} is missing next to the database. Restore it, or enter the addon's secrets again"
    )]
    Missing(String),
    /// The key file has the wrong length.
    #[error("The key file {0} is damaged. Restore it, or delete it and enter the addon's secrets again")]
    Damaged(String),
    /// The key is another one, or the encrypted secret was changed.
    #[error(
        "A secret of this addon cannot be decrypted with the key file {0}. Restore the original key file, or enter the secret again"
    )]
    Undecryptable(String),
    /// The key file cannot be read or written.
    #[error("The key file {name} cannot be used: {cause}")]
    File {
        /// Name of the file.
        name: String,
        /// Cause.
        cause: io::Error,
    },
    /// The system has no random numbers.
    #[error("The operating system provides no random numbers for encryption")]
    Random,
}

impl From<SecretError> for ApiError {
    fn from(cause: SecretError) -> Self {
        DomainError::new("key_file", StatusCode::INTERNAL_SERVER_ERROR, cause.to_string()).into()
    }
}

impl Secrets {
    /// Creates the encryption for a database. Does not access the key file.
    #[must_use]
    pub fn for_database(data: &DataLocation) -> Self {
        Self(match data.key_file() {
            None => KeyLocation::Memory(OnceLock::new()),
            Some(path) => KeyLocation::File(path),
        })
    }

    /// Encrypts a secret for a parameter of an addon. Creates the key file if it does not exist: callers hold the
    /// database's write lock, so that two processes cannot create it at once.
    pub(crate) fn encrypt(&self, addon: i64, parameter: &str, secret: &str) -> Result<Vec<u8>, SecretError> {
        let key = match self.key() {
            Err(SecretError::Missing(_)) => self.create_key()?,
            key => key?,
        };
        let nonce = random_bytes::<NONCE_LEN>()?;
        let mut encrypted = secret.as_bytes().to_vec();
        cipher(&key)
            .and_then(|cipher| {
                let nonce = Nonce::assume_unique_for_key(nonce);
                cipher.seal_in_place_append_tag(
                    nonce,
                    Aad::from(associated_data(addon, parameter)),
                    &mut encrypted,
                )
            })
            .map_err(|Unspecified| SecretError::Undecryptable(self.key_name()))?;
        Ok([&nonce[..], &encrypted].concat())
    }

    /// Decrypts a secret of this addon and parameter.
    pub(crate) fn decrypt(
        &self,
        addon: i64,
        parameter: &str,
        encrypted: &[u8],
    ) -> Result<String, SecretError> {
        let key = self.key()?;
        let error = || SecretError::Undecryptable(self.key_name());
        let (nonce, ciphertext) = encrypted.split_first_chunk::<NONCE_LEN>().ok_or_else(error)?;
        let mut decrypted = ciphertext.to_vec();
        let decrypted = cipher(&key)
            .and_then(|cipher| {
                let nonce = Nonce::assume_unique_for_key(*nonce);
                cipher.open_in_place(nonce, Aad::from(associated_data(addon, parameter)), &mut decrypted)
            })
            .map_err(|Unspecified| error())?;
        str::from_utf8(decrypted).map(str::to_owned).map_err(|_invalid_utf8| error())
    }

    /// Checks that all stored secrets can be decrypted.
    pub(crate) fn check(&self, stored: &[StoredSecret]) -> Result<(), SecretError> {
        stored.iter().try_for_each(|(addon, name, sealed)| self.decrypt(*addon, name, sealed).map(drop))
    }

    /// Checks that the key can be read.
    pub(crate) fn check_key_exists(&self) -> Result<(), SecretError> {
        self.key().map(drop)
    }

    fn key(&self) -> Result<Key, SecretError> {
        let path = match &self.0 {
            KeyLocation::Memory(key) => {
                return match key.get() {
                    Some(key) => Ok(*key),
                    None => random_bytes().map(|new| *key.get_or_init(|| new)),
                };
            }
            KeyLocation::File(path) => path,
        };
        match fs::read(path) {
            Ok(bytes) => Key::try_from(bytes).map_err(|_wrong_length| SecretError::Damaged(self.key_name())),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                Err(SecretError::Missing(self.key_name()))
            }
            Err(cause) => Err(SecretError::File { name: self.key_name(), cause }),
        }
    }

    fn create_key(&self) -> Result<Key, SecretError> {
        let key = random_bytes()?;
        if let KeyLocation::File(path) = &self.0 {
            // The directory entry must be durable before the encrypted secret is.
            match private_file::create_with(path, &key) {
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => return self.key(),
                created => created.map_err(|cause| SecretError::File { name: self.key_name(), cause })?,
            }
            tracing::info!(file = %path.display(), "created the key file for addon secrets; include it in backups");
        }
        Ok(key)
    }

    fn key_name(&self) -> String {
        match &self.0 {
            KeyLocation::Memory(_) => "in memory".to_owned(),
            KeyLocation::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }
}

impl std::fmt::Debug for KeyLocation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory(_) => formatter.write_str("***"),
            Self::File(path) => path.fmt(formatter),
        }
    }
}

/// Returns the associated data of the encryption, which binds a secret to its addon and parameter.
fn associated_data(addon: i64, parameter: &str) -> Vec<u8> {
    format!("addon {addon} {parameter}").into_bytes()
}

fn cipher(key: &Key) -> Result<LessSafeKey, Unspecified> {
    UnboundKey::new(&CHACHA20_POLY1305, key).map(LessSafeKey::new)
}

fn random_bytes<const N: usize>() -> Result<[u8; N], SecretError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_unavailable| SecretError::Random)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{SecretError, Secrets};
    use crate::config::DataLocation;

    #[test]
    fn decrypts_only_for_the_same_addon_and_parameter() {
        let secrets = Secrets::for_database(&DataLocation::Memory);
        let encrypted = secrets.encrypt(1, "url", "http://hook").unwrap();
        assert_eq!(secrets.decrypt(1, "url", &encrypted).unwrap(), "http://hook");
        let mut tampered = encrypted.clone();
        *tampered.last_mut().unwrap() ^= 1;
        for (addon, parameter, encrypted) in [
            (2, "url", &encrypted),
            (1, "apiKey", &encrypted),
            (1, "url", &tampered),
            (1, "url", &Vec::new()),
        ] {
            let error = secrets.decrypt(addon, parameter, encrypted).unwrap_err();
            assert!(matches!(error, SecretError::Undecryptable(_)), "{error}");
        }
        assert_ne!(
            secrets.encrypt(1, "url", "http://hook").unwrap(),
            encrypted,
            "each encryption uses a new nonce"
        );
    }
}
