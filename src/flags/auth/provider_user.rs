//! A user whom an identity provider has identified.

use std::fmt;
use std::sync::Arc;

use futures_util::future::LocalBoxFuture;

use crate::api::User;

/// A user whom an identity provider has identified. The issuer and the subject identify the user; the other fields are
/// labels, and never match an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderUser {
    /// The provider.
    pub issuer: String,
    /// The id of the user at the provider.
    pub subject: String,
    /// The name to show.
    pub name: Option<String>,
    /// The email address, if the provider has verified it.
    pub email: Option<String>,
    /// The groups with an effect here.
    pub groups: Vec<String>,
}

/// A function that asks the identity provider, and returns true if it responds, so that sessions must be renewed.
#[derive(Clone)]
pub struct ProviderCheck(pub Arc<dyn Fn() -> LocalBoxFuture<'static, bool> + Send + Sync>);

impl fmt::Debug for ProviderCheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ProviderCheck")
    }
}

impl ProviderUser {
    /// Returns the user as the API shows it, without permissions.
    ///
    /// The history records changes under the verified email address, or else under a name that contains the id at the
    /// provider: users can choose their names, and could otherwise choose that of somebody else.
    #[must_use]
    pub fn to_user(&self) -> User {
        let unique = match &self.name {
            Some(name) => format!("{name} ({})", self.subject),
            None => self.subject.clone(),
        };
        User {
            username: Some(unique).filter(|_| self.email.is_none()),
            name: self.name.clone(),
            email: self.email.clone(),
            ..User::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProviderUser;

    #[test]
    fn history_names_users_without_verified_email_by_their_id() {
        for (name, email, username) in [
            (Some("Anna"), Some("anna@example.com"), None),
            (Some("Anna"), None, Some("Anna (17)")),
            (None, None, Some("17")),
        ] {
            let user = ProviderUser {
                issuer: "https://login.example".to_owned(),
                subject: "17".to_owned(),
                name: name.map(str::to_owned),
                email: email.map(str::to_owned),
                groups: Vec::new(),
            };
            let user = user.to_user();
            assert_eq!((user.username.as_deref(), user.email.as_deref()), (username, email));
        }
    }
}
