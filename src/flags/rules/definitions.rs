//! The rules of strategy definitions and context fields.

use serde_json::Value;

use super::fields::{Faults, Field};
use super::limits::MAX_PARAMETER_DEFINITIONS;
use crate::error::ApiError;
use crate::flags::model::{ContextField, ParameterDefinition, ParameterType, StrategyDefinition};

/// Where a context field that names no place is listed.
const DEFAULT_PLACE: i32 = 10;

const PARAMETER_TYPES: [(&str, ParameterType); 5] = [
    ("string", ParameterType::String),
    ("percentage", ParameterType::Percentage),
    ("list", ParameterType::List),
    ("number", ParameterType::Number),
    ("boolean", ParameterType::Boolean),
];

/// Reads a strategy definition to be created.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn new_strategy(body: &Value) -> Result<StrategyDefinition, ApiError> {
    named_strategy(body, Faults::default())
}

/// Reads a strategy definition of an exported state. Its list of parameters may be longer than that of a new one.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn imported_strategy(body: &Value) -> Result<StrategyDefinition, ApiError> {
    named_strategy(body, Faults::of_import())
}

/// Reads a strategy definition to replace the one called `name`; a name inside the body does not count.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn replaced_strategy(name: String, body: &Value) -> Result<StrategyDefinition, ApiError> {
    strategy(name, &Field::root(body)?, Faults::default())
}

/// Reads a context field to be created.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn new_context_field(body: &Value) -> Result<ContextField, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let name = body.get("name").name(&mut faults);
    context_field(name, &body, faults)
}

/// Reads a context field to replace the one called `name`; a name inside the body does not count.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn replaced_context_field(name: String, body: &Value) -> Result<ContextField, ApiError> {
    context_field(name, &Field::root(body)?, Faults::default())
}

fn named_strategy(body: &Value, mut faults: Faults) -> Result<StrategyDefinition, ApiError> {
    let body = Field::root(body)?;
    let name = body.get("name").name(&mut faults);
    strategy(name, &body, faults)
}

fn strategy(name: String, body: &Field<'_>, mut faults: Faults) -> Result<StrategyDefinition, ApiError> {
    let parameters = body.get("parameters").items(MAX_PARAMETER_DEFINITIONS, &mut faults);
    let strategy = StrategyDefinition {
        name,
        display_name: None,
        editable: true,
        description: body.get("description").nullable_text(&mut faults),
        parameters: parameters.iter().map(|item| parameter(item, &mut faults)).collect(),
        deprecated: false,
    };
    faults.into_result(strategy)
}

fn parameter(field: &Field<'_>, faults: &mut Faults) -> ParameterDefinition {
    field.object(faults);
    ParameterDefinition {
        name: field.get("name").required_text(faults),
        kind: field.get("type").one_of(&PARAMETER_TYPES, faults).unwrap_or(ParameterType::String),
        description: field.get("description").nullable_text(faults).unwrap_or_default(),
        required: field.get("required").flag_or(false, faults),
    }
}

/// No legal values mean that any may occur.
fn context_field(name: String, body: &Field<'_>, mut faults: Faults) -> Result<ContextField, ApiError> {
    let values = body.get("legalValues");
    let legal_values = if values.is_null() { Vec::new() } else { super::texts(&values, &mut faults) };
    let field = ContextField {
        name,
        description: body.get("description").nullable_text(&mut faults),
        stickiness: body.get("stickiness").flag_or(false, &mut faults),
        sort_order: place(&body.get("sortOrder"), &mut faults),
        legal_values: (!legal_values.is_empty()).then_some(legal_values),
        created_at: None,
    };
    faults.into_result(field)
}

fn place(field: &Field<'_>, faults: &mut Faults) -> i32 {
    let place = field.whole().and_then(|place| i32::try_from(place).ok());
    if place.is_none() && !field.is_missing() {
        field.fault(faults, "number.base", "must be a whole number");
    }
    place.unwrap_or(DEFAULT_PLACE)
}
