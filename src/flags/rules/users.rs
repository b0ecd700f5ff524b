//! The rules of what people sign in with, and of what users are called.

use std::fmt;

use serde_json::Value;

use super::fields::{Faults, Field};
use crate::error::ApiError;
use crate::flags::auth::password::LONGEST;

/// The bounds of a user name, in characters.
const NAME_LENGTH: (usize, usize) = (1, 100);
/// How many characters an address can have at most (RFC 5321).
const LONGEST_EMAIL: usize = 254;
/// What may stand in a user name besides letters and digits: enough for addresses and for what directories give out.
const IN_NAMES: &str = "._-@+";

/// What somebody typed to sign in.
pub struct Credentials {
    /// The user name.
    pub name: String,
    /// The password.
    pub password: String,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("name", &"***").field("password", &"***").finish()
    }
}

/// Reads a user name and a password, of any kind that could be right.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn credentials(body: &Value) -> Result<Credentials, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let (name, password) = (body.get("username"), body.get("password"));
    let credentials =
        Credentials { name: name.required_text(&mut faults), password: password.required_text(&mut faults) };
    name.check_bounds(&credentials.name, (0, NAME_LENGTH.1), &mut faults);
    password.check_bounds(&credentials.password, (0, LONGEST), &mut faults);
    faults.into_result(credentials)
}

/// Reads an email address.
///
/// # Errors
/// [`ApiError::Invalid`].
pub fn email(body: &Value) -> Result<String, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let field = body.get("email");
    let email = field.required_text(&mut faults);
    if !email.is_empty() && !is_email(&email) {
        field.fault(&mut faults, "string.email", "must be a valid email");
    }
    faults.into_result(email)
}

/// Something on both sides of the last `@`, and nothing that nobody sees. Whether mail arrives there is not known.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let seen = |c: char| !c.is_whitespace() && !c.is_control();
    text.chars().count() <= LONGEST_EMAIL
        && text.chars().all(seen)
        && text.rsplit_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}

/// True for what a user can be called: nothing that looks like something else where it signs a change.
#[must_use]
pub fn is_user_name(text: &str) -> bool {
    (NAME_LENGTH.0..=NAME_LENGTH.1).contains(&text.chars().count())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || IN_NAMES.contains(c))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{credentials, is_email, is_user_name};

    #[test]
    fn addresses_and_names_are_checked_for_what_can_be_seen() {
        for (text, email, name) in [
            ("anna@example.com", true, true),
            ("a@b", true, true),
            ("nope", false, true),
            ("@example.com", false, true),
            ("anna@", false, true),
            ("an na@example.com", false, false),
            ("anna\u{0}@example.com", false, false),
            ("änna@example.com", true, false),
            ("", false, false),
            (&format!("{}@example.com", "a".repeat(250)), false, false),
        ] {
            assert_eq!((is_email(text), is_user_name(text)), (email, name), "{text:?}");
        }
    }

    #[test]
    fn credentials_never_show_in_debug_output() {
        let read = credentials(&json!({ "username": "anna", "password": "secret" })).unwrap();
        assert_eq!(format!("{read:?}"), "Credentials { name: \"***\", password: \"***\" }");
    }
}
