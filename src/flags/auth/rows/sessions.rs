//! The rows of sessions of signed-in users.

use super::users::user_from_row;
use crate::api::User;
use crate::database::{MAX_CLOCK_DIFFERENCE, Row, StoreError, Transaction, params};
use crate::flags::auth::ProviderUser;
use crate::flags::auth::sessions::{Owner, Session, SessionClient, SignInMethod};
use crate::flags::auth::token::TokenHash;

/// Revokes the sessions of further conditions at the time `?1`, and forgets the browsers.
const REVOKE: &str = "UPDATE sessions SET revoked_at = ?1, expires_at = created_at + ?2,
            client_address = NULL, client_name = NULL
     WHERE revoked_at IS NULL AND expires_at > ?1";

/// Selects sessions, with the columns that [`session_from_row`] reads.
const SELECT: &str =
    "SELECT token_hash, sessions.\"user\", sessions.email AS address, sessions.created_at AS begun,
            expires_at, last_used_at, client_address, client_name,
            sessions.issuer, sessions.subject, sessions.full_name AS label, provider_groups,
            users.name, users.full_name, users.email, users.permissions
     FROM sessions
     LEFT JOIN identities
         ON identities.issuer = sessions.issuer AND identities.subject = sessions.subject
     LEFT JOIN users ON users.name = coalesce(sessions.\"user\", identities.\"user\")";

impl Transaction<'_> {
    /// Returns the session of a token, unless it has expired at `now`, was revoked, or belongs to a disabled account.
    pub(crate) fn find_session(&self, token: &TokenHash, now: i64) -> Result<Option<Session>, StoreError> {
        let sql = format!(
            "{SELECT} WHERE token_hash = ?1 AND expires_at > ?2 AND revoked_at IS NULL
                 AND users.is_disabled IS NOT TRUE"
        );
        self.query_first(&sql, params![&token[..], now], session_from_row)
    }

    /// Returns the sessions at `now` of users with a password and of an identity provider with the hashes of their tokens: the
    /// most recently used ones, at most `max`.
    pub(crate) fn list_sessions(&self, now: i64, max: u32) -> Result<Vec<(TokenHash, Session)>, StoreError> {
        let sql = format!(
            "{SELECT} WHERE expires_at > ?1 AND revoked_at IS NULL AND users.is_disabled IS NOT TRUE
                 AND (sessions.\"user\" IS NOT NULL OR sessions.issuer IS NOT NULL)
             ORDER BY coalesce(last_used_at, sessions.created_at) DESC, token_hash LIMIT ?2"
        );
        self.query(&sql, params![now, max], |row| Ok((row.get("token_hash")?, session_from_row(row)?)))
    }

    /// Revokes a session at `now`, unless it has ended. It is kept until `created_at` plus `kept` seconds. Returns false if
    /// there is no such session.
    pub(crate) fn revoke_session(&self, token: &TokenHash, now: i64, kept: i64) -> Result<bool, StoreError> {
        let sql = format!("{REVOKE} AND token_hash = ?3");
        Ok(self.execute(&sql, params![now, kept, &token[..]])? > 0)
    }

    /// Revokes all sessions of an owner at `now`, like [`Self::revoke_session`]. Those of an account include the sessions of the
    /// persons who are linked to it. Returns their number.
    pub(crate) fn revoke_sessions_of(
        &self,
        owner: Owner<'_>,
        now: i64,
        kept: i64,
    ) -> Result<u64, StoreError> {
        let (issuer, subject) = owner.identity.unzip();
        let sql = format!(
            "{REVOKE} AND (lower(\"user\") = ?3 OR (issuer = ?4 AND subject = ?5)
                 OR (issuer, subject) IN (SELECT issuer, subject FROM identities WHERE lower(\"user\") = ?3))"
        );
        let name = owner.name.map(str::to_ascii_lowercase);
        self.execute(&sql, params![now, kept, name, issuer, subject])
    }

    /// Returns true if the session of a token was revoked, and its browser has not signed in again.
    pub(crate) fn is_session_revoked(&self, token: &TokenHash) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM sessions WHERE token_hash = ?1 AND revoked_at IS NOT NULL)";
        self.query_value(sql, params![&token[..]])
    }

    /// Sets the time of the last use of a session. An earlier time does not replace a later one, unless that was written before the
    /// clock was set back.
    pub(crate) fn record_session_use(&self, token: &TokenHash, at: i64) -> Result<(), StoreError> {
        let sql = "UPDATE sessions SET last_used_at = ?2 WHERE token_hash = ?1 AND revoked_at IS NULL
                       AND (last_used_at IS NULL OR last_used_at < ?2 OR last_used_at > ?3)";
        self.execute(sql, params![&token[..], at, at + MAX_CLOCK_DIFFERENCE.as_secs()])?;
        Ok(())
    }

    /// Deletes the sessions that have expired at `now`.
    pub(crate) fn delete_expired_sessions(&self, now: i64) -> Result<(), StoreError> {
        self.execute("DELETE FROM sessions WHERE expires_at <= ?1", params![now])?;
        Ok(())
    }

    /// Inserts a session.
    pub(crate) fn insert_session(&self, token: &TokenHash, session: &Session) -> Result<(), StoreError> {
        let email = match &session.method {
            SignInMethod::Email => session.user.email.as_deref(),
            SignInMethod::Password => None,
            // That of a linked account may differ.
            SignInMethod::Provider(user) => user.email.as_deref(),
        };
        let owner = session.owner();
        let (issuer, subject) = owner.identity.unzip();
        let (label, groups) = match &session.method {
            SignInMethod::Provider(user) => {
                (user.name.as_deref(), Some(serde_json::to_string(&user.groups)?))
            }
            SignInMethod::Email | SignInMethod::Password => (None, None),
        };
        self.execute(
            "INSERT INTO sessions (token_hash, \"user\", email, issuer, subject, full_name, provider_groups,
                                   created_at, expires_at, last_used_at, client_address, client_name)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            params![
                &token[..],
                owner.name,
                email,
                issuer,
                subject,
                label,
                groups,
                session.created_at,
                session.expires_at,
                session.last_used_at,
                session.client.address.as_deref(),
                session.client.name.as_deref()
            ],
        )?;
        Ok(())
    }

    /// Deletes the sessions of an owner (see [`Session::owner`]) except the newest ones, of which `kept` remain.
    pub(crate) fn delete_oldest_sessions(&self, owner: Owner<'_>, kept: u32) -> Result<(), StoreError> {
        let (issuer, subject) = owner.identity.unzip();
        self.execute(
            "DELETE FROM sessions WHERE token_hash IN
                 (SELECT token_hash FROM sessions
                  WHERE \"user\" IS NOT DISTINCT FROM ?1 AND issuer IS NOT DISTINCT FROM ?2
                    AND subject IS NOT DISTINCT FROM ?3 AND revoked_at IS NULL
                  ORDER BY created_at DESC LIMIT 9223372036854775807 OFFSET ?4)",
            params![owner.name, issuer, subject, kept],
        )?;
        Ok(())
    }

    /// Deletes the sessions of the persons who are linked to an account.
    pub(crate) fn delete_sessions_of_linked(&self, name: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM sessions WHERE (issuer, subject) IN
                       (SELECT issuer, subject FROM identities WHERE lower(\"user\") = ?1)";
        self.execute(sql, params![name.to_ascii_lowercase()])?;
        Ok(())
    }

    /// Deletes all sessions of a user who signed in with a password.
    pub(crate) fn delete_sessions_of_user(&self, name: &str) -> Result<(), StoreError> {
        self.execute("DELETE FROM sessions WHERE lower(\"user\") = ?1", params![name.to_ascii_lowercase()])?;
        Ok(())
    }

    /// Sets a later end of a session, unless it was revoked.
    pub(crate) fn extend_session(&self, token: &TokenHash, expires_at: i64) -> Result<(), StoreError> {
        let sql = "UPDATE sessions SET expires_at = ?2 WHERE token_hash = ?1 AND revoked_at IS NULL";
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
    let account: Option<String> = row.get("name")?;
    let (user, method) = if row.get::<Option<String>>("user")?.is_some() {
        (user_from_row(row)?, SignInMethod::Password)
    } else if let Some(issuer) = row.get("issuer")? {
        let user = ProviderUser {
            issuer,
            subject: row.get("subject")?,
            name: row.get("label")?,
            email: row.get("address")?,
            groups: row.json("provider_groups")?,
        };
        let shown = if account.is_some() { user_from_row(row)? } else { user.to_user() };
        (shown, SignInMethod::Provider(user))
    } else {
        // Without a list of permissions, everything is allowed.
        (User { email: row.get("address")?, ..User::default() }, SignInMethod::Email)
    };
    let created_at = row.get("begun")?;
    let last_used_at: Option<i64> = row.get("last_used_at")?;
    Ok(Session {
        user,
        account,
        method,
        created_at,
        expires_at: row.get("expires_at")?,
        last_used_at: last_used_at.unwrap_or(created_at),
        client: SessionClient { address: row.get("client_address")?, name: row.get("client_name")? },
    })
}
