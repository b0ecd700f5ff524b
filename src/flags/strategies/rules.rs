//! Request bodies of strategy definitions: their validation and schemas.

use serde_json::json;

use crate::api::limits::{MAX_PARAMETER_DEFINITIONS, NAME_LENGTH};
use crate::api::{ParameterDefinition, ParameterType, StrategyDefinition};
use crate::flags::validation::{Field, RequestBody};

const PARAMETER_TYPES: [(&str, ParameterType); 5] = [
    ("string", ParameterType::String),
    ("percentage", ParameterType::Percentage),
    ("list", ParameterType::List),
    ("number", ParameterType::Number),
    ("boolean", ParameterType::Boolean),
];

impl RequestBody for StrategyDefinition {
    const NAME: &'static str = "NewStrategyDefinition";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            let parameter = json!({ "name": "regions", "type": "list", "description": "", "required": true });
            json!({ "examples": [{ "name": "byRegion", "description": "By region", "parameters": [parameter] }] })
        });
        Self {
            name: body.get("name").key(NAME_LENGTH),
            display_name: None,
            editable: true,
            description: body.get("description").nullable(Field::text),
            parameters: body.get("parameters").list(MAX_PARAMETER_DEFINITIONS, Field::read),
            deprecated: false,
        }
    }
}

impl RequestBody for ParameterDefinition {
    const NAME: &'static str = "NewParameter";

    fn read(body: &Field<'_>) -> Self {
        Self {
            name: body.get("name").required_text(),
            kind: body.get("type").one_of_or(&PARAMETER_TYPES, ParameterType::String),
            description: body.get("description").nullable(Field::text).unwrap_or_default(),
            required: body.get("required").bool_or(false),
        }
    }
}
