//! Sessions of signed-in users, and their limits.

use super::ProviderUser;
use super::token::TokenHash;
use crate::api::User;
use crate::database::{StoreError, Transaction};
use crate::middleware::signed_in_user::UserHash;

/// The maximum number of sessions of each user, or of all users together in the mode `unsecure`, so that repeated
/// sign-ins do not fill the disk. The oldest are deleted.
const MAX_SESSIONS: u32 = 1000;

/// A session of a signed-in user. Times are seconds since 1970.
#[derive(Debug, Clone)]
pub struct Session {
    /// The user.
    pub user: User,
    /// The name of the account in the database: that of a user with a password, or the one to which the person is linked.
    pub account: Option<String>,
    /// How the user signed in.
    pub method: SignInMethod,
    /// The time of the sign-in.
    pub created_at: i64,
    /// The time when the session ends unless it is extended.
    pub expires_at: i64,
    /// The time of the last known use, accurate to a minute.
    pub last_used_at: i64,
    /// The browser that signed in.
    pub client: SessionClient,
}

/// The browser that signed in, as administrators see it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionClient {
    /// The address of the client.
    pub address: Option<String>,
    /// The name of the program, such as `Firefox on Linux`.
    pub name: Option<String>,
}

/// How the user of a session signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInMethod {
    /// With an email address only.
    Email,
    /// With a password.
    Password,
    /// At an identity provider.
    Provider(ProviderUser),
}

/// The owner of sessions, whose number is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner<'s> {
    /// The name of a user with a password.
    pub name: Option<&'s str>,
    /// Issuer and subject of a user of an identity provider.
    pub identity: Option<(&'s str, &'s str)>,
}

impl Session {
    /// Returns the hash of what identifies the user.
    pub(super) fn user_hash(&self) -> UserHash {
        match &self.method {
            SignInMethod::Email => UserHash::new("email", &[self.user.email.as_deref().unwrap_or_default()]),
            SignInMethod::Password => {
                UserHash::new("account", &[self.user.username.as_deref().unwrap_or_default()])
            }
            SignInMethod::Provider(user) => UserHash::new("provider", &[&user.issuer, &user.subject]),
        }
    }

    /// Returns the owner to whose sessions this one counts. All sessions by email address count together.
    #[must_use]
    pub fn owner(&self) -> Owner<'_> {
        match &self.method {
            SignInMethod::Email => Owner { name: None, identity: None },
            SignInMethod::Password => Owner { name: self.user.username.as_deref(), identity: None },
            SignInMethod::Provider(user) => {
                Owner { name: None, identity: Some((&user.issuer, &user.subject)) }
            }
        }
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
    use super::{Owner, Session, SessionClient, SignInMethod};
    use crate::api::User;
    use crate::flags::auth::ProviderUser;

    #[test]
    fn sessions_by_email_address_have_no_owner() {
        let provider_user = ProviderUser {
            issuer: "https://login.example".to_owned(),
            subject: "17".to_owned(),
            name: None,
            email: None,
            groups: Vec::new(),
        };
        for (method, name, identity) in [
            (SignInMethod::Email, None, None),
            (SignInMethod::Password, Some("anna"), None),
            (SignInMethod::Provider(provider_user), None, Some(("https://login.example", "17"))),
        ] {
            let user = User { username: Some("anna".to_owned()), ..User::default() };
            let session = Session {
                user,
                account: None,
                method,
                created_at: 0,
                expires_at: 0,
                last_used_at: 0,
                client: SessionClient::default(),
            };
            assert_eq!(session.owner(), Owner { name, identity });
        }
    }
}
