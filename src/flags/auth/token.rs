//! Random secrets that are shown once, and what is kept of them.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::error::ApiError;

/// What is kept of a token. A token is as random as a hash, so it needs no salt and no slowness.
pub type TokenHash = [u8; 32];

/// 256 random bits in hexadecimal.
pub struct Token(String);

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when the system has no random numbers.
    pub fn random() -> Result<Self, ApiError> {
        let mut halves = [[0; 16]; 2];
        for half in &mut halves {
            getrandom::fill(half).map_err(ApiError::internal)?;
        }
        let [first, second] = halves.map(u128::from_be_bytes);
        Ok(Self(format!("{first:032x}{second:032x}")))
    }

    /// The text to show.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What to keep.
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

/// What is kept of a token that somebody shows.
#[must_use]
pub fn hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}
