//! Validation of the texts of applications that users edit.

use serde_json::Value;

use crate::error::ApiError;
use crate::flags::usage::rules::MAX_NAME_LENGTH;
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Maximum length of an application's URL and description, in characters. Lists repeat them for each toggle.
const MAX_TEXT_LENGTH: usize = 2_000;

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
        icon: text("icon", MAX_NAME_LENGTH),
        url: text("url", MAX_TEXT_LENGTH),
        description: text("description", MAX_TEXT_LENGTH),
    };
    errors.into_result(texts)
}
