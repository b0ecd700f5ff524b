//! The rows of the tokens that client libraries show.

use std::collections::HashSet;

use super::{Session, StoreError};
use crate::flags::auth::token::TokenHash;

impl Session<'_> {
    /// The names of all tokens and when each was added.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn client_tokens(&self) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT name, created_at FROM client_tokens ORDER BY name";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What tokens are compared with.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn client_token_hashes(&self) -> Result<HashSet<TokenHash>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT token_hash FROM client_tokens")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds a token. Answers false where the name is taken.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn insert_client_token(&self, name: &str, hash: &TokenHash, now: &str) -> Result<bool, StoreError> {
        let sql = "INSERT INTO client_tokens (name, token_hash, created_at) VALUES (?1, ?2, ?3)
                   ON CONFLICT (name) DO NOTHING";
        Ok(self.connection.prepare_cached(sql)?.execute((name, &hash[..], now))? > 0)
    }

    /// Removes a token. Answers whether there was one.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_client_token(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM client_tokens WHERE name = ?1")?.execute([name])? > 0)
    }
}
