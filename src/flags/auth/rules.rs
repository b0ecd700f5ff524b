//! Validation of credentials, email addresses and user names.

use std::fmt;

use serde_json::Value;

use crate::api::limits::{MAX_EMAIL_LENGTH, USER_NAME_LENGTH};
use crate::error::ApiError;
use crate::flags::auth::password::MAX_BYTES;
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Punctuation in user names: sufficient for email addresses and directory accounts.
const USER_NAME_PUNCTUATION: &str = "._-@+";

/// User name and password of a sign-in request.
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

/// Parses a user name and a password. Checks lengths only; the comparison rejects everything else.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_credentials(body: &Value) -> Result<Credentials, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let (name, password) = (body.get("username"), body.get("password"));
    let credentials =
        Credentials { name: name.required_text(&mut errors), password: password.required_text(&mut errors) };
    name.check_bounds(&credentials.name, (0, USER_NAME_LENGTH.1), &mut errors);
    password.check_bounds(&credentials.password, (0, MAX_BYTES), &mut errors);
    errors.into_result(credentials)
}

/// Parses an email address.
///
/// # Errors
/// [`ApiError::Invalid`] if it is missing or not an email address.
pub fn parse_email(body: &Value) -> Result<String, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let field = body.get("email");
    let email = field.required_text(&mut errors);
    if !email.is_empty() && !is_email(&email) {
        field.add_error(&mut errors, "string.email", "must be a valid email");
    }
    errors.into_result(email)
}

/// Returns true if the text has a local part and a domain, and no whitespace or control characters.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let is_visible = |c: char| !c.is_whitespace() && !c.is_control();
    text.chars().count() <= MAX_EMAIL_LENGTH
        && text.chars().all(is_visible)
        && text.rsplit_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}

/// Returns true if the text is a valid user name: ASCII only, so that names in the history cannot be confused.
#[must_use]
pub fn is_user_name(text: &str) -> bool {
    (USER_NAME_LENGTH.0..=USER_NAME_LENGTH.1).contains(&text.chars().count())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || USER_NAME_PUNCTUATION.contains(c))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{is_email, is_user_name, parse_credentials};

    #[test]
    fn accepts_valid_email_addresses_and_user_names() {
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
    fn debug_output_hides_credentials() {
        let read = parse_credentials(&json!({ "username": "anna", "password": "secret" })).unwrap();
        assert_eq!(format!("{read:?}"), "Credentials { name: \"***\", password: \"***\" }");
    }
}
