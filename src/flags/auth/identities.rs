//! Links persons of an identity provider to accounts. Works on the database only, also while a server uses it.
//!
//! Only the command line links. Whoever controls an email address at a provider could otherwise take over the account with
//! that address.

use std::fmt;

use super::users;
use crate::database::Transaction;
use crate::error::ApiError;

/// A person whom an identity provider has identified, or who was linked before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// The id of the person at the provider.
    pub subject: String,
    /// The name at the last sign-in.
    pub name: Option<String>,
    /// The verified email address at the last sign-in.
    pub email: Option<String>,
    /// The time of the last sign-in in seconds since 1970; `None` before the first one.
    pub signed_in_at: Option<i64>,
    /// The name of the account to which the person is linked.
    pub account: Option<String>,
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(formatter, "{name} ")?;
        }
        if let Some(email) = &self.email {
            write!(formatter, "<{email}> ")?;
        }
        write!(formatter, "(subject {} at {})", self.subject, self.issuer)
    }
}

/// Links the person with the id `subject` to the account `name`. Without an issuer, the person must have signed in. Returns the
/// person.
///
/// # Errors
/// [`ApiError::NotFound`] if there is no such account or person, [`ApiError::Conflict`] if the person is linked to another
/// account, or if persons of several providers have the id.
pub(crate) fn link(
    tx: &Transaction<'_>,
    name: &str,
    subject: &str,
    issuer: Option<&str>,
) -> Result<Identity, ApiError> {
    let account = users::find(tx, name)?.username.unwrap_or_default();
    let mut found = tx.find_identities(subject, issuer)?;
    let person = match (found.pop(), issuer) {
        (Some(_), _) if !found.is_empty() => {
            return Err(ApiError::Conflict(format!(
                "Several providers have a person with the subject {subject}; add --issuer, which `flagdeck user \
                 identities` shows"
            )));
        }
        (Some(person), _) => person,
        (None, Some(issuer)) => Identity {
            issuer: issuer.to_owned(),
            subject: subject.to_owned(),
            name: None,
            email: None,
            signed_in_at: None,
            account: None,
        },
        (None, None) => {
            return Err(ApiError::NotFound(format!(
                "No person with the subject {subject} has signed in; `flagdeck user identities` lists those who have. \
                 To link a person before the first sign-in, add --issuer with the issuer that `flagdeck check` prints"
            )));
        }
    };
    if let Some(other) = person.account.as_ref().filter(|other| **other != account) {
        return Err(ApiError::Conflict(format!(
            "{person} is already linked to {other}; remove that link first: flagdeck user unlink {other} --subject {subject}"
        )));
    }
    tx.link_identity(&person.issuer, &person.subject, &account)?;
    Ok(Identity { account: Some(account), ..person })
}

/// Removes the links of the account `name`: that of the person with the id `subject`, or all.
///
/// # Errors
/// [`ApiError::NotFound`] if there is no such account or link.
pub(crate) fn unlink(tx: &Transaction<'_>, name: &str, subject: Option<&str>) -> Result<u64, ApiError> {
    users::find(tx, name)?;
    match tx.unlink_identities(name, subject)? {
        0 => {
            let subject = subject.map(|subject| format!(" with the subject {subject}")).unwrap_or_default();
            Err(ApiError::NotFound(format!(
                "{name} is linked to no person{subject}; `flagdeck user identities` lists persons and their accounts"
            )))
        }
        unlinked => Ok(unlinked),
    }
}
