//! The rows of the tokens with which SDKs authenticate.

use std::collections::HashMap;
use std::sync::Arc;

use crate::api::{ApiToken, ApiTokenDraft};
use crate::config::{TokenKind, TokenScope};
use crate::database::{Row, StoreError, Transaction, params};
use crate::flags::auth::token::TokenHash;

const COLUMNS: &str = "name, kind, origins, projects, tags, created_at, created_by, last_used_at";

impl Transaction<'_> {
    /// Returns all tokens, sorted by name.
    pub(crate) fn list_api_tokens(&self) -> Result<Vec<ApiToken>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM api_tokens ORDER BY name");
        self.query(&sql, &[], token_from_row)
    }

    /// Returns a token.
    pub(crate) fn find_api_token(&self, name: &str) -> Result<Option<ApiToken>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM api_tokens WHERE name = ?1");
        self.query_first(&sql, params![name], token_from_row)
    }

    /// Returns the scope of each token by its SHA-256 hash.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_token_scopes(&self) -> Result<HashMap<TokenHash, Arc<TokenScope>>, StoreError> {
        let sql = "SELECT token_hash, kind, origins, projects, tags FROM api_tokens";
        let entry = |row: &Row<'_>| Ok((row.get("token_hash")?, Arc::new(scope_from_row(row)?)));
        self.query(sql, &[], entry)
    }

    /// Returns the number of tokens.
    pub(crate) fn count_api_tokens(&self) -> Result<usize, StoreError> {
        let count: i64 = self.query_value("SELECT count(*) FROM api_tokens", &[])?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Returns whether a client token exists.
    pub(crate) fn has_client_tokens(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM api_tokens WHERE kind = ?1)";
        self.query_value(sql, params![TokenKind::Client.as_str()])
    }

    /// Inserts a token. `now` is RFC 3339 in UTC. Returns false if the name is taken.
    pub(crate) fn insert_api_token(
        &self,
        draft: &ApiTokenDraft,
        hash: &TokenHash,
        author: &str,
        now: &str,
    ) -> Result<bool, StoreError> {
        let sql = "INSERT INTO api_tokens
                   (name, token_hash, kind, origins, projects, tags, created_by, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (name) DO NOTHING";
        let ApiTokenDraft { name, scope: TokenScope { kind, origins, projects, tags } } = draft;
        let [origins, projects, tags] = [origins, projects, tags].map(serde_json::to_string);
        let row = params![name, &hash[..], kind.as_str(), origins?, projects?, tags?, author, now];
        Ok(self.execute(sql, row)? > 0)
    }

    /// Deletes a token. Returns false if it does not exist.
    pub(crate) fn delete_api_token(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM api_tokens WHERE name = ?1", params![name])? > 0)
    }

    /// Stores the time of the last use of a token: RFC 3339 in UTC. An earlier time does not replace a later one, unless that is after
    /// `latest`: it was written before the clock was set back.
    pub(crate) fn record_token_use(
        &self,
        hash: &TokenHash,
        at: &str,
        latest: &str,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE api_tokens SET last_used_at = ?2
                   WHERE token_hash = ?1 AND (last_used_at IS NULL OR last_used_at < ?2 OR last_used_at > ?3)";
        self.execute(sql, params![&hash[..], at, latest])?;
        Ok(())
    }
}

fn token_from_row(row: &Row<'_>) -> Result<ApiToken, StoreError> {
    Ok(ApiToken {
        draft: ApiTokenDraft { name: row.get("name")?, scope: scope_from_row(row)? },
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
        last_used_at: row.get("last_used_at")?,
    })
}

fn scope_from_row(row: &Row<'_>) -> Result<TokenScope, StoreError> {
    // The table allows no other kind.
    let is_client = row.get::<&str>("kind")? == TokenKind::Client.as_str();
    Ok(TokenScope {
        kind: if is_client { TokenKind::Client } else { TokenKind::Frontend },
        origins: row.json("origins")?,
        projects: row.json("projects")?,
        tags: row.json("tags")?,
    })
}
