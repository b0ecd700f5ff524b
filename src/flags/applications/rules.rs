//! Request body of applications: its validation and schema.

use serde_json::json;

use crate::api::limits::{MAX_APPLICATION_TEXT_LENGTH, MAX_CLIENT_NAME_LENGTH};
use crate::flags::validation::{Field, RequestBody};

/// The texts of an application that users edit. `None` does not change a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApplicationTexts {
    /// The name of an icon.
    pub icon: Option<String>,
    /// The URL of the application or of its documentation.
    pub url: Option<String>,
    /// Free text.
    pub description: Option<String>,
}

impl RequestBody for ApplicationTexts {
    const NAME: &'static str = "ApplicationTexts";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            json!({
                "description": "Empty texts are ignored.",
                "examples": [{ "icon": "web", "url": "https://example.com", "description": "Shop" }],
            })
        });
        let text = |key, max| {
            body.get(key).nullable(|text| text.short_text(max)).filter(|text: &String| !text.is_empty())
        };
        Self {
            icon: text("icon", MAX_CLIENT_NAME_LENGTH),
            url: text("url", MAX_APPLICATION_TEXT_LENGTH),
            description: text("description", MAX_APPLICATION_TEXT_LENGTH),
        }
    }
}
