//! The rows of sessions of signed-in users.

use super::users::user_from_row;
use crate::api::User;
use crate::flags::auth::sessions::Session;
use crate::flags::auth::token::TokenHash;
use crate::flags::database::{Row, StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns the session of a token, unless it has expired at `now`.
    pub(crate) fn find_session(&self, token: &TokenHash, now: i64) -> Result<Option<Session>, StoreError> {
        self.query_first(
            "SELECT sessions.\"user\", sessions.email AS address, sessions.created_at AS begun, expires_at,
                        users.name, users.full_name, users.email, users.permissions
                 FROM sessions LEFT JOIN users ON users.name = sessions.\"user\"
                 WHERE token_hash = ?1 AND expires_at > ?2",
            params![&token[..], now],
            session_from_row,
        )
    }

    /// Deletes the sessions that have expired at `now`.
    pub(crate) fn delete_expired_sessions(&self, now: i64) -> Result<(), StoreError> {
        self.execute("DELETE FROM sessions WHERE expires_at <= ?1", params![now])?;
        Ok(())
    }

    /// Inserts a session.
    pub(crate) fn insert_session(&self, token: &TokenHash, session: &Session) -> Result<(), StoreError> {
        let email = if session.by_password { None } else { session.user.email.as_deref() };
        self.execute(
            "INSERT INTO sessions (token_hash, \"user\", email, created_at, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            params![&token[..], session.owner(), email, session.created_at, session.expires_at],
        )?;
        Ok(())
    }

    /// Deletes the sessions of an owner (see [`Session::owner`]) except the newest ones, of which `kept` remain.
    pub(crate) fn delete_oldest_sessions(&self, owner: Option<&str>, kept: u32) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM sessions WHERE token_hash IN
                 (SELECT token_hash FROM sessions WHERE \"user\" IS NOT DISTINCT FROM ?1
                  ORDER BY created_at DESC LIMIT 9223372036854775807 OFFSET ?2)",
            params![owner, kept],
        )?;
        Ok(())
    }

    /// Deletes all sessions of a user.
    pub(crate) fn delete_sessions_of_user(&self, name: &str) -> Result<(), StoreError> {
        self.execute("DELETE FROM sessions WHERE lower(\"user\") = ?1", params![name.to_ascii_lowercase()])?;
        Ok(())
    }

    /// Sets a later end of a session.
    pub(crate) fn extend_session(&self, token: &TokenHash, expires_at: i64) -> Result<(), StoreError> {
        let sql = "UPDATE sessions SET expires_at = ?2 WHERE token_hash = ?1";
        self.execute(sql, params![&token[..], expires_at])?;
        Ok(())
    }

    /// Deletes a session.
    pub(crate) fn delete_session(&self, token: &TokenHash) -> Result<(), StoreError> {
        self.execute("DELETE FROM sessions WHERE token_hash = ?1", params![&token[..]])?;
        Ok(())
    }
}

fn session_from_row(row: &Row<'_>) -> Result<Session, StoreError> {
    let by_password = row.get::<Option<String>>("user")?.is_some();
    Ok(Session {
        // A user who signed in by email has no list of permissions: everything is allowed.
        user: if by_password {
            user_from_row(row)?
        } else {
            User { email: row.get("address")?, ..User::default() }
        },
        by_password,
        created_at: row.get("begun")?,
        expires_at: row.get("expires_at")?,
    })
}
