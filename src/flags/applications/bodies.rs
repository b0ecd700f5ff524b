//! Request bodies of applications.

use serde_json::{Value, json};

use crate::api::limits::{MAX_APPLICATION_TEXT_LENGTH, MAX_CLIENT_NAME_LENGTH};
use crate::flags::schema::{Components, RequestBody};

/// The icon, URL and description of an application.
pub(super) enum ApplicationTexts {}

impl RequestBody for ApplicationTexts {
    const NAME: &'static str = "ApplicationTexts";

    fn schema(_: &mut Components) -> Value {
        json!({
            "type": "object",
            "description": "Empty texts are ignored.",
            "properties": {
                "icon": { "type": ["string", "null"], "maxLength": MAX_CLIENT_NAME_LENGTH },
                "url": { "type": ["string", "null"], "maxLength": MAX_APPLICATION_TEXT_LENGTH },
                "description": { "type": ["string", "null"], "maxLength": MAX_APPLICATION_TEXT_LENGTH },
            },
            "examples": [{ "icon": "web", "url": "https://example.com", "description": "Shop" }],
        })
    }
}
