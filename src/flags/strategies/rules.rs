//! Validation of strategy definitions.

use serde_json::Value;

use crate::api::limits::MAX_PARAMETER_DEFINITIONS;
use crate::api::{ParameterDefinition, ParameterType, StrategyDefinition};
use crate::error::ApiError;
use crate::flags::validation::fields::{Field, ValidationErrors};

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
