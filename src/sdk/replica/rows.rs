//! The rows of kept copies. Times are those of the database's clock, in milliseconds since 1970.

use super::cache_key::{CacheKey, Salt};
use super::entries::{BOUNDS, MAX_ACCEPTED};
use crate::config::TokenKind;
use crate::database::{StoreError, Transaction, params};
use crate::number::to_i64;

/// A copy as it is stored.
#[derive(Debug)]
pub(super) struct CopyRow {
    pub(super) content_type: String,
    pub(super) etag: Option<String>,
    /// SHA-256 of the body.
    pub(super) hash: [u8; 32],
    pub(super) gzip: Vec<u8>,
    pub(super) confirmed_at: i64,
}

/// A token that the upstream has accepted.
#[derive(Debug)]
pub(super) struct TokenRow {
    /// SHA-256 of the token.
    pub(super) id: [u8; 32],
    pub(super) kind: TokenKind,
    pub(super) environment: String,
    /// Empty: all projects.
    pub(super) projects: Vec<String>,
    pub(super) confirmed_at: u64,
}

/// The key of a copy and the hash of its body.
pub(super) type KeptBody = ([u8; 32], [u8; 32]);

impl Transaction<'_> {
    /// Returns the salt of a source, which `new` becomes if the source is new. Until the transaction ends, other instances wait
    /// here.
    pub(super) fn lock_source(&self, source: &str, new: &Salt) -> Result<Salt, StoreError> {
        let insert = "INSERT INTO sources (url, salt) VALUES (?1, ?2) ON CONFLICT (url) DO NOTHING";
        self.execute(insert, params![source, &new[..]])?;
        self.execute("UPDATE sources SET salt = salt WHERE url = ?1", params![source])?;
        self.query_value("SELECT salt FROM sources WHERE url = ?1", params![source])
    }

    /// Returns the hashes of the credentials that the upstream has accepted.
    pub(super) fn list_accepted(&self, source: &str) -> Result<Vec<[u8; 32]>, StoreError> {
        let sql = "SELECT credential FROM accepted WHERE source = ?1";
        self.query(sql, params![source], |row| row.get::<[u8; 32]>(0))
    }

    pub(super) fn find_copy(&self, source: &str, key: &CacheKey) -> Result<Option<CopyRow>, StoreError> {
        let sql = "SELECT copies.content_type, copies.etag, copies.body, bodies.gzip, copies.confirmed_at
             FROM copies JOIN bodies ON bodies.hash = copies.body WHERE copies.key = ?1 AND copies.source = ?2";
        self.query_first(sql, params![&key.whole[..], source], |row| {
            Ok(CopyRow {
                content_type: row.get(0)?,
                etag: row.get(1)?,
                hash: row.get(2)?,
                gzip: row.get(3)?,
                confirmed_at: row.get(4)?,
            })
        })
    }

    /// Remembers credentials that the upstream has accepted now.
    pub(super) fn write_accepted(&self, source: &str, credentials: &[[u8; 32]]) -> Result<(), StoreError> {
        let sql = "INSERT INTO accepted (credential, source, accepted_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (credential) DO UPDATE SET accepted_at = excluded.accepted_at";
        let now = self.now_milliseconds()?;
        let lists =
            credentials.iter().map(|credential| Ok([(&credential[..]).into(), source.into(), now.into()]));
        self.execute_each(sql, lists).map(drop)
    }

    /// Writes a copy, unless another instance has written one that the upstream confirmed later.
    pub(super) fn write_copy(&self, source: &str, key: &CacheKey, copy: &CopyRow) -> Result<(), StoreError> {
        let CopyRow { content_type, etag, hash, gzip, confirmed_at } = copy;
        let find = "SELECT 1 FROM bodies WHERE hash = ?1";
        if self.find_value::<i64>(find, params![&hash[..]])?.is_none() {
            let insert = "INSERT INTO bodies (hash, gzip) VALUES (?1, ?2)";
            self.execute(insert, params![&hash[..], &gzip[..]])?;
        }
        let sql = "INSERT INTO copies (key, credential, source, content_type, etag, body, confirmed_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key) DO UPDATE SET content_type = excluded.content_type,
                etag = excluded.etag, body = excluded.body, confirmed_at = excluded.confirmed_at
             WHERE copies.confirmed_at <= excluded.confirmed_at";
        let (whole, credential) = (&key.whole[..], &key.credential[..]);
        let values = params![whole, credential, source, content_type, etag, &hash[..], *confirmed_at];
        self.execute(sql, values).map(drop)
    }

    /// Writes the times at which the upstream has confirmed copies with these bodies. Returns the number of such copies.
    pub(super) fn confirm_copies(&self, confirmed: &[(KeptBody, i64)]) -> Result<u64, StoreError> {
        let sql = "UPDATE copies SET confirmed_at = CASE WHEN confirmed_at < ?3 THEN ?3 ELSE confirmed_at END
             WHERE key = ?1 AND body = ?2";
        let lists = confirmed
            .iter()
            .map(|((key, hash), at)| Ok([(&key[..]).into(), (&hash[..]).into(), (*at).into()]));
        self.execute_each(sql, lists)
    }

    pub(super) fn list_kept_bodies(&self, source: &str) -> Result<Vec<KeptBody>, StoreError> {
        let sql = "SELECT key, body FROM copies WHERE source = ?1";
        self.query(sql, params![source], |row| Ok((row.get::<[u8; 32]>(0)?, row.get::<[u8; 32]>(1)?)))
    }

    pub(super) fn delete_copy(&self, key: &CacheKey) -> Result<(), StoreError> {
        self.execute("DELETE FROM copies WHERE key = ?1", params![&key.whole[..]]).map(drop)
    }

    /// Forgets a credential, and deletes all its copies.
    pub(super) fn delete_credential(&self, credential: &[u8; 32]) -> Result<(), StoreError> {
        self.execute("DELETE FROM copies WHERE credential = ?1", params![&credential[..]])?;
        self.execute("DELETE FROM accepted WHERE credential = ?1", params![&credential[..]]).map(drop)
    }

    /// Deletes all copies and tokens.
    pub(super) fn delete_copies_of(&self, source: &str) -> Result<(), StoreError> {
        self.execute("DELETE FROM tokens WHERE source = ?1", params![source])?;
        self.execute("DELETE FROM copies WHERE source = ?1", params![source]).map(drop)
    }

    /// Returns the tokens that the upstream has accepted. The times are those of the database.
    pub(super) fn list_tokens(&self, source: &str) -> Result<Vec<TokenRow>, StoreError> {
        let sql =
            "SELECT hash, is_frontend, environment, projects, confirmed_at FROM tokens WHERE source = ?1";
        self.query(sql, params![source], |row| {
            let kind = if row.get::<i64>(1)? == 1 { TokenKind::Frontend } else { TokenKind::Client };
            let projects = row.get::<String>(3)?;
            Ok(TokenRow {
                id: row.get(0)?,
                kind,
                environment: row.get(2)?,
                // Names of projects contain no line breaks.
                projects: projects.lines().map(ToOwned::to_owned).collect(),
                confirmed_at: row.get::<i64>(4)?.try_into().unwrap_or_default(),
            })
        })
    }

    /// Writes a token, unless another instance has written a later answer.
    pub(super) fn write_token(&self, source: &str, token: &TokenRow) -> Result<(), StoreError> {
        let sql = "INSERT INTO tokens (source, hash, is_frontend, environment, projects, confirmed_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (source, hash) DO UPDATE SET is_frontend = excluded.is_frontend,
                environment = excluded.environment, projects = excluded.projects, confirmed_at = excluded.confirmed_at
             WHERE tokens.confirmed_at <= excluded.confirmed_at";
        let (is_frontend, projects) =
            (i64::from(token.kind == TokenKind::Frontend), token.projects.join("\n"));
        let (environment, at) = (&*token.environment, to_i64(token.confirmed_at));
        let values = params![source, &token.id[..], is_frontend, environment, projects, at];
        self.execute(sql, values).map(drop)
    }

    pub(super) fn delete_token(&self, source: &str, id: &[u8; 32]) -> Result<(), StoreError> {
        self.execute("DELETE FROM tokens WHERE source = ?1 AND hash = ?2", params![source, &id[..]]).map(drop)
    }

    /// Deletes bodies without a copy.
    pub(super) fn delete_unused_bodies(&self) -> Result<(), StoreError> {
        let sql =
            "DELETE FROM bodies WHERE NOT EXISTS (SELECT 1 FROM copies WHERE copies.body = bodies.hash)";
        self.execute(sql, &[]).map(drop)
    }

    /// Deletes copies and tokens that were confirmed before this time, and those beyond the bounds of the cache in memory.
    pub(super) fn prune_copies(&self, oldest: i64) -> Result<(), StoreError> {
        self.execute("DELETE FROM copies WHERE confirmed_at < ?1", params![oldest])?;
        self.execute("DELETE FROM tokens WHERE confirmed_at < ?1", params![oldest])?;
        let sql = "DELETE FROM copies WHERE key IN (
                SELECT key FROM (
                    SELECT copies.key, row_number() OVER newest AS number, sum(length(bodies.gzip)) OVER newest AS bytes
                    FROM copies JOIN bodies ON bodies.hash = copies.body
                    WINDOW newest AS (ORDER BY copies.confirmed_at DESC, copies.key)
                ) AS sizes WHERE number > ?1 OR bytes > ?2)";
        self.execute(sql, params![to_i64(BOUNDS.copies), to_i64(BOUNDS.bytes)])?;
        self.delete_unused_bodies()?;
        // SQLite has no OFFSET without a LIMIT.
        let sql = "DELETE FROM accepted WHERE credential IN (
                SELECT credential FROM accepted ORDER BY accepted_at DESC, credential LIMIT 1000000 OFFSET ?1)";
        self.execute(sql, params![to_i64(MAX_ACCEPTED)]).map(drop)
    }
}
