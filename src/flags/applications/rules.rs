//! Validation of the texts of applications that users edit.

use serde_json::Value;

use crate::api::limits::{MAX_APPLICATION_TEXT_LENGTH, MAX_CLIENT_NAME_LENGTH};
use crate::error::ApiError;
use crate::flags::validation::fields::{Field, ValidationErrors};

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

/// Parses the icon, URL and description of an application. Empty texts become `None`.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_application_texts(body: &Value) -> Result<ApplicationTexts, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let mut text = |key, length| {
        let field = body.get(key);
        let text = field.nullable_text(&mut errors).filter(|text| !text.is_empty());
        field.check_bounds(text.as_deref().unwrap_or_default(), (0, length), &mut errors);
        text
    };
    let texts = ApplicationTexts {
        icon: text("icon", MAX_CLIENT_NAME_LENGTH),
        url: text("url", MAX_APPLICATION_TEXT_LENGTH),
        description: text("description", MAX_APPLICATION_TEXT_LENGTH),
    };
    errors.into_result(texts)
}
