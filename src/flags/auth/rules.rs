//! Request bodies of sign-in: their validation and schemas. Rules of email addresses and user names.

use std::fmt;

use serde_json::json;

use crate::api::limits::{MAX_EMAIL_LENGTH, USER_NAME_LENGTH};
use crate::flags::auth::password::MAX_BYTES;
use crate::flags::validation::{Field, RequestBody};

/// Punctuation in user names: sufficient for email addresses and directory accounts.
const USER_NAME_PUNCTUATION: &str = "._-@+";

/// User name and password of a sign-in request.
pub struct Credentials {
    /// The user name.
    pub name: String,
    /// The password.
    pub password: String,
    /// The password that replaces it.
    pub new_password: Option<String>,
}

/// An email address.
pub struct Email(pub String);

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("name", &"***").finish_non_exhaustive()
    }
}

/// Checks lengths only; the comparison rejects everything else.
impl RequestBody for Credentials {
    const NAME: &'static str = "Credentials";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [{ "username": "user", "password": "correct horse" }] }));
        Self {
            name: body.get("username").required_text_within((0, USER_NAME_LENGTH.1)),
            password: body.get("password").required_text_within((0, MAX_BYTES)),
            new_password: body.get("newPassword").short_text(MAX_BYTES),
        }
    }
}

impl RequestBody for Email {
    const NAME: &'static str = "Email";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [{ "email": "user@example.com" }] }));
        let field = body.get("email");
        let email = field.required_text();
        field.describe(|| {
            let invisible = r"\s\x00-\x1f\x7f-\x9f";
            let pattern = format!("^[^{invisible}]+@[^@{invisible}]+$");
            json!({ "maxLength": MAX_EMAIL_LENGTH, "pattern": pattern })
        });
        if !email.is_empty() && !is_email(&email) {
            field.add_error("string.email", "must be a valid email");
        }
        Self(email)
    }
}

/// Returns true if the text has a local part and a domain, and no whitespace or control characters.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let is_visible = |c: char| !c.is_whitespace() && !c.is_control();
    text.chars().count() <= MAX_EMAIL_LENGTH
        && text.chars().all(is_visible)
        && text.rsplit_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}

/// Returns true if the text is a valid user name: ASCII only, so that names in the history cannot be confused. One letter or digit is
/// required, because browsers remove `.` and `..` from the URL of a user. Commands read a name with `-` at its start as an option.
#[must_use]
pub fn is_user_name(text: &str) -> bool {
    (USER_NAME_LENGTH.0..=USER_NAME_LENGTH.1).contains(&text.chars().count())
        && text.chars().any(|c| c.is_ascii_alphanumeric())
        && !text.starts_with('-')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || USER_NAME_PUNCTUATION.contains(c))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Credentials, is_email, is_user_name};
    use crate::flags::validation::RequestBody as _;

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
            ("..", false, false),
            ("-rf", false, false),
            (&format!("{}@example.com", "a".repeat(250)), false, false),
        ] {
            assert_eq!((is_email(text), is_user_name(text)), (email, name), "{text:?}");
        }
    }

    #[test]
    fn debug_output_hides_credentials() {
        let read = Credentials::parse(&json!({ "username": "anna", "password": "secret" })).unwrap();
        assert_eq!(format!("{read:?}"), "Credentials { name: \"***\", .. }");
    }
}
