//! Validation that all nouns share: reading single values of a JSON body, and names.

pub(super) mod fields;

use serde_json::Value;

use self::fields::{Field, ValidationErrors};
use crate::api::limits;
use crate::error::ApiError;

/// Parses the name in a request that checks whether a name is valid and free.
pub(crate) fn parse_name(body: &Value) -> Result<String, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let name = body.get("name").name(&mut errors);
    errors.into_result(name)
}

/// Returns the name in a body that may be invalid; empty if it has none.
pub(super) fn name_of(body: &Value) -> String {
    body.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Parses a list of non-empty strings.
pub(super) fn parse_texts(field: &Field<'_>, errors: &mut ValidationErrors) -> Vec<String> {
    field
        .items(limits::MAX_VALUES, errors)
        .iter()
        .map(|item| item.non_empty_text(errors).unwrap_or_default())
        .collect()
}
