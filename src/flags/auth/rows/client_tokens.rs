//! The rows of the tokens with which SDKs authenticate.

use std::collections::HashSet;

use crate::flags::auth::token::TokenHash;
use crate::flags::database::{StoreError, Transaction};

impl Transaction<'_> {
    /// Returns the name and the creation time (RFC 3339) of each token, sorted by name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_client_tokens(&self) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT name, created_at FROM client_tokens ORDER BY name";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns the SHA-256 hashes of all tokens.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_client_token_hashes(&self) -> Result<HashSet<TokenHash>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT token_hash FROM client_tokens")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Inserts a token. `now` is RFC 3339 in UTC. Returns false if the name is taken.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn insert_client_token(&self, name: &str, hash: &TokenHash, now: &str) -> Result<bool, StoreError> {
        let sql = "INSERT INTO client_tokens (name, token_hash, created_at) VALUES (?1, ?2, ?3)
                   ON CONFLICT (name) DO NOTHING";
        Ok(self.connection.prepare_cached(sql)?.execute((name, &hash[..], now))? > 0)
    }

    /// Deletes a token. Returns false if it does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_client_token(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM client_tokens WHERE name = ?1")?.execute([name])? > 0)
    }
}
