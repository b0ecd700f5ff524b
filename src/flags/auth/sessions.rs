//! Sessions of signed-in users, and their limits.

use super::token::TokenHash;
use crate::api::User;
use crate::flags::database::{StoreError, Transaction};

/// The maximum number of sessions of each user, or of all users together in the mode `unsecure`, so that repeated
/// sign-ins do not fill the disk. The oldest are deleted.
const MAX_SESSIONS: u32 = 1000;

/// A session of a signed-in user. Times are seconds since 1970.
#[derive(Debug, Clone)]
pub struct Session {
    /// The user.
    pub user: User,
    /// Whether the user signed in with a password, and not only with an email address.
    pub by_password: bool,
    /// The time of the sign-in.
    pub created_at: i64,
    /// The time when the session ends unless it is extended.
    pub expires_at: i64,
}

impl Session {
    /// Returns the name of the user to whose sessions this one counts. All sessions without a password count together.
    #[must_use]
    pub fn owner(&self) -> Option<&str> {
        self.user.username.as_deref().filter(|_| self.by_password)
    }
}

/// Starts a session. Deletes expired sessions and the owner's oldest ones above the limit.
pub(super) fn start(tx: &Transaction<'_>, token: &TokenHash, session: &Session) -> Result<(), StoreError> {
    tx.delete_expired_sessions(session.created_at)?;
    tx.insert_session(token, session)?;
    tx.delete_oldest_sessions(session.owner(), MAX_SESSIONS)
}

#[cfg(test)]
mod tests {
    use super::Session;
    use crate::api::User;

    /// Each case: the name, whether the user signed in with a password, and the owner.
    #[test]
    fn only_sessions_with_a_password_have_an_owner() {
        for (name, by_password, owner) in
            [(Some("anna"), true, Some("anna")), (Some("anna"), false, None), (None, false, None)]
        {
            let user = User { username: name.map(str::to_owned), ..User::default() };
            let session = Session { user, by_password, created_at: 0, expires_at: 0 };
            assert_eq!(session.owner(), owner);
        }
    }
}
