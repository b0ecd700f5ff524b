//! The rows of sessions of signed-in users.

use super::users::user_from_row;
use crate::api::User;
use crate::flags::auth::ProviderUser;
use crate::flags::auth::sessions::{Owner, Session, SignInMethod};
use crate::flags::auth::token::TokenHash;
use crate::flags::database::{Row, StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns the session of a token, unless it has expired at `now`.
    pub(crate) fn find_session(&self, token: &TokenHash, now: i64) -> Result<Option<Session>, StoreError> {
        self.query_first(
            "SELECT sessions.\"user\", sessions.email AS address, sessions.created_at AS begun, expires_at,
                        issuer, subject, sessions.full_name AS label, provider_groups,
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
        let email = session.user.email.as_deref().filter(|_| session.method != SignInMethod::Password);
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
                                   created_at, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                &token[..],
                owner.name,
                email,
                issuer,
                subject,
                label,
                groups,
                session.created_at,
                session.expires_at
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
                    AND subject IS NOT DISTINCT FROM ?3
                  ORDER BY created_at DESC LIMIT 9223372036854775807 OFFSET ?4)",
            params![owner.name, issuer, subject, kept],
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
        (user.to_user(), SignInMethod::Provider(user))
    } else {
        // Without a list of permissions, everything is allowed.
        (User { email: row.get("address")?, ..User::default() }, SignInMethod::Email)
    };
    Ok(Session { user, method, created_at: row.get("begun")?, expires_at: row.get("expires_at")? })
}
