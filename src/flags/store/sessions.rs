//! The rows of those who are signed in.

use rusqlite::{Row, named_params};

use super::users::user;
use super::{Session, StoreError};
use crate::flags::auth::token::TokenHash;
use crate::flags::model::User;

/// How many sessions are kept, of each user, or of everybody together where an address is enough to sign in: whoever
/// begins one over and over fills no disk.
const MOST: u32 = 1000;

/// Somebody who signed in. Times are seconds since 1970.
#[derive(Debug, Clone)]
pub struct Stay {
    /// Who.
    pub user: User,
    /// Whether a password was asked for.
    pub by_password: bool,
    /// When it began.
    pub created_at: i64,
    /// When it ends unless it is prolonged.
    pub expires_at: i64,
}

impl Session<'_> {
    /// Who is signed in with a token at this moment.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn stay(&self, token: &TokenHash, now: i64) -> Result<Option<Stay>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT sessions.user, sessions.email AS address, sessions.created_at AS begun, expires_at,
                        users.name, users.full_name, users.email, users.permissions
                 FROM sessions LEFT JOIN users ON users.name = sessions.user
                 WHERE token_hash = ?1 AND expires_at > ?2",
            )?
            .query_and_then((&token[..], now), stay)?
            .next()
            .transpose()
    }

    /// Keeps that somebody signed in, and forgets those whose time is over.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn begin_stay(&self, token: &TokenHash, stay: &Stay) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("DELETE FROM sessions WHERE expires_at <= ?1")?
            .execute([stay.created_at])?;
        let (user, address) =
            if stay.by_password { (&stay.user.username, &None) } else { (&None, &stay.user.email) };
        self.connection
            .prepare_cached(
                "INSERT INTO sessions (token_hash, user, email, created_at, expires_at)
                 VALUES (:token_hash, :user, :email, :created_at, :expires_at)",
            )?
            .execute(named_params! {
                ":token_hash": &token[..],
                ":user": user,
                ":email": address,
                ":created_at": stay.created_at,
                ":expires_at": stay.expires_at,
            })?;
        self.connection
            .prepare_cached(
                "DELETE FROM sessions WHERE token_hash IN
                 (SELECT token_hash FROM sessions WHERE user IS ?1 ORDER BY created_at DESC LIMIT -1 OFFSET ?2)",
            )?
            .execute((user, MOST))?;
        Ok(())
    }

    /// Lets somebody stay signed in until a later moment.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn prolong_stay(&self, token: &TokenHash, expires_at: i64) -> Result<(), StoreError> {
        let sql = "UPDATE sessions SET expires_at = ?2 WHERE token_hash = ?1";
        self.connection.prepare_cached(sql)?.execute((&token[..], expires_at))?;
        Ok(())
    }

    /// Signs out.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn end_stay(&self, token: &TokenHash) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("DELETE FROM sessions WHERE token_hash = ?1")?
            .execute([&token[..]])?;
        Ok(())
    }
}

fn stay(row: &Row<'_>) -> Result<Stay, StoreError> {
    let by_password = row.get::<_, Option<String>>("user")?.is_some();
    Ok(Stay {
        // Who only gave an address has no list of permissions: everything is allowed.
        user: if by_password { user(row)? } else { User { email: row.get("address")?, ..User::default() } },
        by_password,
        created_at: row.get("begun")?,
        expires_at: row.get("expires_at")?,
    })
}
