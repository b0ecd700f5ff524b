//! Validation of strategy definitions and context fields.

use serde_json::Value;

use super::fields::{Field, ValidationErrors};
use super::limits::MAX_PARAMETER_DEFINITIONS;
use crate::error::ApiError;
use crate::flags::model::{ContextField, ParameterDefinition, ParameterType, StrategyDefinition};

/// Default sort order of a context field.
pub(in crate::flags) const DEFAULT_SORT_ORDER: i32 = 10;

const PARAMETER_TYPES: [(&str, ParameterType); 5] = [
    ("string", ParameterType::String),
    ("percentage", ParameterType::Percentage),
    ("list", ParameterType::List),
    ("number", ParameterType::Number),
    ("boolean", ParameterType::Boolean),
];

/// Parses the strategy definition to create.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_new_strategy(body: &Value) -> Result<StrategyDefinition, ApiError> {
    parse_named_strategy(body, ValidationErrors::default())
}

/// Parses a strategy definition of an exported state. Limits on list lengths do not apply.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_imported_strategy(body: &Value) -> Result<StrategyDefinition, ApiError> {
    parse_named_strategy(body, ValidationErrors::for_import())
}

/// Parses the new version of the strategy definition `name`. A name in the body is ignored.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_strategy_replacement(name: String, body: &Value) -> Result<StrategyDefinition, ApiError> {
    parse_strategy(name, &Field::root(body)?, ValidationErrors::default())
}

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

fn parse_named_strategy(body: &Value, mut errors: ValidationErrors) -> Result<StrategyDefinition, ApiError> {
    let body = Field::root(body)?;
    let name = body.get("name").name(&mut errors);
    parse_strategy(name, &body, errors)
}

fn parse_strategy(
    name: String,
    body: &Field<'_>,
    mut errors: ValidationErrors,
) -> Result<StrategyDefinition, ApiError> {
    let parameters = body.get("parameters").items(MAX_PARAMETER_DEFINITIONS, &mut errors);
    let strategy = StrategyDefinition {
        name,
        display_name: None,
        editable: true,
        description: body.get("description").nullable_text(&mut errors),
        parameters: parameters.iter().map(|item| parse_parameter(item, &mut errors)).collect(),
        deprecated: false,
    };
    errors.into_result(strategy)
}

fn parse_parameter(field: &Field<'_>, errors: &mut ValidationErrors) -> ParameterDefinition {
    field.object(errors);
    ParameterDefinition {
        name: field.get("name").required_text(errors),
        kind: field.get("type").one_of(&PARAMETER_TYPES, errors).unwrap_or(ParameterType::String),
        description: field.get("description").nullable_text(errors).unwrap_or_default(),
        required: field.get("required").bool_or(false, errors),
    }
}

/// Parses a context field. An empty list of legal values allows any value.
fn parse_context_field(
    name: String,
    body: &Field<'_>,
    mut errors: ValidationErrors,
) -> Result<ContextField, ApiError> {
    let values = body.get("legalValues");
    let legal_values = if values.is_null() { Vec::new() } else { super::parse_texts(&values, &mut errors) };
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
