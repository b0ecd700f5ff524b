//! Random tokens, of which only hashes are stored.

use std::fmt;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::error::ApiError;

/// SHA-256 hash of a token. Tokens have 256 random bits, so that a salt or a slow hash is not necessary.
pub type TokenHash = [u8; 32];

/// A secret token: 256 random bits in hexadecimal.
pub struct Token(String);

impl Token {
    /// Creates a random token.
    pub(crate) fn random() -> Result<Self, ApiError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
        Ok(Self(HEXLOWER.encode(&bytes)))
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
