//! Validation of context fields.

use serde_json::Value;

use crate::api::ContextField;
use crate::error::ApiError;
use crate::flags::validation::fields::{Field, ValidationErrors};
use crate::flags::validation::parse_texts;

/// Default sort order of a context field.
pub(in crate::flags) const DEFAULT_SORT_ORDER: i32 = 10;

/// Parses the context field to create.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_new_context_field(body: &Value) -> Result<ContextField, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let name = body.get("name").name(&mut errors);
    parse_context_field(name, &body, errors)
}

/// Parses the new version of the context field `name`. A name in the body is ignored.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_context_field_replacement(name: String, body: &Value) -> Result<ContextField, ApiError> {
    parse_context_field(name, &Field::root(body)?, ValidationErrors::default())
}

/// Parses a context field. An empty list of legal values allows any value.
fn parse_context_field(
    name: String,
    body: &Field<'_>,
    mut errors: ValidationErrors,
) -> Result<ContextField, ApiError> {
    let values = body.get("legalValues");
    let legal_values = if values.is_null() { Vec::new() } else { parse_texts(&values, &mut errors) };
    let field = ContextField {
        name,
        description: body.get("description").nullable_text(&mut errors),
        stickiness: body.get("stickiness").bool_or(false, &mut errors),
        sort_order: parse_sort_order(&body.get("sortOrder"), &mut errors),
        legal_values: (!legal_values.is_empty()).then_some(legal_values),
        created_at: None,
    };
    errors.into_result(field)
}

fn parse_sort_order(field: &Field<'_>, errors: &mut ValidationErrors) -> i32 {
    let sort_order = field.integer().and_then(|sort_order| i32::try_from(sort_order).ok());
    if sort_order.is_none() && !field.is_missing() {
        field.add_error(errors, "number.base", "must be an integer");
    }
    sort_order.unwrap_or(DEFAULT_SORT_ORDER)
}
