//! Request bodies of strategy definitions.

use serde_json::{Value, json};

use crate::api::limits::MAX_PARAMETER_DEFINITIONS;
use crate::flags::schema::parts::{Name, Text, text_or_null};
use crate::flags::schema::{Components, RequestBody};

/// A strategy definition to create.
pub(super) enum NewStrategyDefinition {}

/// The new version of a strategy definition.
pub(super) enum ReplacedStrategyDefinition {}

enum NewParameter {}

impl RequestBody for NewStrategyDefinition {
    const NAME: &'static str = "NewStrategyDefinition";

    fn schema(components: &mut Components) -> Value {
        let parameter = json!({ "name": "regions", "type": "list", "description": "", "required": true });
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": components.reference::<Name>(), "description": text_or_null(),
                "parameters": components.list::<NewParameter>(MAX_PARAMETER_DEFINITIONS),
            },
            "examples": [{ "name": "byRegion", "description": "By region", "parameters": [parameter] }],
        })
    }
}

impl RequestBody for ReplacedStrategyDefinition {
    const NAME: &'static str = "ReplacedStrategyDefinition";

    fn schema(components: &mut Components) -> Value {
        components.replacement::<NewStrategyDefinition>("name")
    }
}

impl RequestBody for NewParameter {
    const NAME: &'static str = "NewParameter";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": components.reference::<Text>(),
                "type": { "enum": ["string", "percentage", "list", "number", "boolean"], "default": "string" },
                "description": text_or_null(),
                "required": { "type": "boolean", "default": false },
            },
        })
    }
}
