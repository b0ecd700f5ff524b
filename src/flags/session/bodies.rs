//! Request bodies of sign-in.

use serde_json::{Value, json};

use crate::api::limits::{MAX_EMAIL_LENGTH, USER_NAME_LENGTH};
use crate::flags::auth::password::MAX_BYTES;
use crate::flags::schema::{Components, RequestBody};

/// An email address.
pub(super) enum Email {}

/// User name and password.
pub(super) enum Credentials {}

impl RequestBody for Email {
    const NAME: &'static str = "Email";

    fn schema(_: &mut Components) -> Value {
        let invisible = r"\s\x00-\x1f\x7f-\x9f";
        json!({
            "type": "object",
            "required": ["email"],
            "properties": {
                "email": {
                    "type": "string", "maxLength": MAX_EMAIL_LENGTH,
                    "pattern": format!("^[^{invisible}]+@[^@{invisible}]+$"),
                },
            },
            "examples": [{ "email": "user@example.com" }],
        })
    }
}

impl RequestBody for Credentials {
    const NAME: &'static str = "Credentials";

    fn schema(_: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["username", "password"],
            "properties": {
                "username": { "type": "string", "minLength": 1, "maxLength": USER_NAME_LENGTH.1 },
                "password": { "type": "string", "minLength": 1, "maxLength": MAX_BYTES },
            },
            "examples": [{ "username": "user", "password": "correct horse" }],
        })
    }
}
