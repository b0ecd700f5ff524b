//! Request bodies of toggles.

use serde_json::{Value, json};

use crate::flags::openapi::bodies::{Name, Text, text_or_null};
use crate::flags::openapi::schema::{Components, RequestBody};
use crate::flags::projects::rules::DEFAULT_PROJECT;
use crate::flags::toggles::rules::DEFAULT_TOGGLE_TYPE;
use crate::flags::toggles::rules::variants::DEFAULT_STICKINESS;
use crate::flags::validation::limits::NAME_LENGTH;
use crate::flags::validation::limits::{
    MAX_CONSTRAINTS, MAX_OVERRIDES, MAX_PARAMETERS, MAX_STRATEGIES, MAX_VALUES, MAX_VARIANTS,
};
use crate::flags::validation::limits::{MAX_PROJECT_ID_LENGTH, MAX_WEIGHT};

/// A toggle to create.
pub(super) enum NewToggle {}

/// The new version of a toggle.
pub(super) enum ReplacedToggle {}

enum NewStrategy {}

enum NewConstraint {}

enum NewVariant {}

enum NewOverride {}

impl RequestBody for NewToggle {
    const NAME: &'static str = "NewToggle";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["name", "strategies"],
            "properties": {
                "name": components.reference::<Name>(),
                "description": text_or_null(),
                "type": { "type": "string", "minLength": 1, "default": DEFAULT_TOGGLE_TYPE },
                "project": {
                    "type": "string", "minLength": 1, "maxLength": MAX_PROJECT_ID_LENGTH,
                    "default": DEFAULT_PROJECT,
                },
                "enabled": { "type": "boolean", "default": false },
                "stale": { "type": "boolean", "default": false },
                "strategies": {
                    "type": "array", "minItems": 1, "maxItems": MAX_STRATEGIES,
                    "items": components.reference::<NewStrategy>(),
                },
                "variants": components.list_or_null::<NewVariant>(MAX_VARIANTS),
            },
            "examples": [toggle_example()],
        })
    }
}

impl RequestBody for ReplacedToggle {
    const NAME: &'static str = "ReplacedToggle";

    fn schema(components: &mut Components) -> Value {
        components.replacement::<NewToggle>("name")
    }
}

impl RequestBody for NewStrategy {
    const NAME: &'static str = "NewStrategy";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "id": { "type": "string" },
                "name": components.reference::<Name>(),
                "parameters": {
                    "type": "object",
                    "maxProperties": MAX_PARAMETERS,
                    "additionalProperties": { "type": ["string", "number", "boolean"] },
                    "description": "Numbers and booleans are stored as strings.",
                },
                "constraints": components.list_or_null::<NewConstraint>(MAX_CONSTRAINTS),
            },
        })
    }
}

impl RequestBody for NewConstraint {
    const NAME: &'static str = "NewConstraint";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["contextName", "operator"],
            "properties": {
                "contextName": components.reference::<Text>(),
                "operator": { "enum": ["IN", "NOT_IN"] },
                "values": components.list::<Text>(MAX_VALUES),
            },
        })
    }
}

impl RequestBody for NewVariant {
    const NAME: &'static str = "NewVariant";

    fn schema(components: &mut Components) -> Value {
        let (min, max) = NAME_LENGTH;
        json!({
            "type": "object",
            "required": ["name", "weight"],
            "description": "The name must be unique within the toggle.",
            "properties": {
                "name": { "type": "string", "minLength": min, "maxLength": max },
                "weight": { "type": "integer", "minimum": 0, "maximum": MAX_WEIGHT },
                "weightType": { "enum": ["variable", "fix"], "default": "variable" },
                "stickiness": { "type": "string", "minLength": 1, "default": DEFAULT_STICKINESS },
                "payload": {
                    "type": "object",
                    "required": ["type", "value"],
                    "properties": {
                        "type": { "enum": ["string", "json", "csv"] },
                        "value": { "type": "string" },
                    },
                },
                "overrides": components.list::<NewOverride>(MAX_OVERRIDES),
            },
        })
    }
}

impl RequestBody for NewOverride {
    const NAME: &'static str = "NewOverride";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["contextName", "values"],
            "properties": {
                "contextName": components.reference::<Text>(),
                "values": components.list::<Text>(MAX_VALUES),
            },
        })
    }
}

fn toggle_example() -> Value {
    let constraint = json!({ "contextName": "environment", "operator": "IN", "values": ["test"] });
    json!({
        "name": "checkout.express", "description": "One page", "type": "release", "project": "default",
        "enabled": true, "stale": false,
        "strategies": [{
            "id": "1", "name": "flexibleRollout", "parameters": { "rollout": "40", "stickiness": "default" },
            "constraints": [constraint],
        }],
        "variants": [{
            "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default",
            "payload": { "type": "string", "value": "x" },
            "overrides": [{ "contextName": "userId", "values": ["1"] }],
        }],
    })
}
