//! Random tokens, of which only hashes are stored.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::error::ApiError;

/// SHA-256 hash of a token. Tokens have 256 random bits, so that a salt or a slow hash is not necessary.
pub type TokenHash = [u8; 32];

/// A secret token: 256 random bits in hexadecimal.
pub struct Token(String);

impl Token {
    /// Creates a random token.
    ///
    /// # Errors
    /// [`ApiError::Internal`] if the system has no random numbers.
    pub fn random() -> Result<Self, ApiError> {
        let mut halves = [[0; 16]; 2];
        for half in &mut halves {
            getrandom::fill(half).map_err(ApiError::internal)?;
        }
        let [first, second] = halves.map(u128::from_be_bytes);
        Ok(Self(format!("{first:032x}{second:032x}")))
    }

    /// Returns the token as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the hash to store.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        hash(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Returns the hash of a token.
#[must_use]
pub fn hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}
