//! Request bodies of toggles.

use serde_json::{Value, json};

use crate::api::limits::{
    MAX_CONSTRAINTS, MAX_OPERATOR_LENGTH, MAX_OVERRIDES, MAX_PARAMETERS, MAX_PROJECT_ID_LENGTH,
    MAX_REFERENCES, MAX_SHORT_TEXT_LENGTH, MAX_STRATEGIES, MAX_VALUES, MAX_VARIANTS, MAX_WEIGHT, NAME_LENGTH,
};
use crate::flags::projects::rules::DEFAULT_PROJECT;
use crate::flags::schema::parts::{Name, Text, text_or_null};
use crate::flags::schema::{Components, RequestBody};
use crate::flags::toggles::rules::DEFAULT_TOGGLE_TYPE;
use crate::flags::toggles::rules::variants::DEFAULT_STICKINESS;

/// A toggle to create.
pub(super) enum NewToggle {}

/// The new version of a toggle.
pub(super) enum ReplacedToggle {}

enum NewStrategy {}

enum NewConstraint {}

enum NewVariant {}

enum NewOverride {}

enum NewDependency {}

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
                "dependencies": components.list_or_null::<NewDependency>(MAX_REFERENCES),
                "impressionData": { "type": ["boolean", "null"] },
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
                "segments": {
                    "type": ["array", "null"], "maxItems": MAX_REFERENCES,
                    "items": { "type": "integer", "minimum": 1 },
                    "description": "Ids of existing segments.",
                },
                "variants": components.list_or_null::<NewVariant>(MAX_VARIANTS),
                "title": short_text(),
                "disabled": { "type": ["boolean", "null"] },
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
                "operator": {
                    "type": "string", "pattern": "^[A-Z0-9_]+$", "maxLength": MAX_OPERATOR_LENGTH,
                    "description": "A constraint with an unknown operator never matches.",
                },
                "values": components.list::<Text>(MAX_VALUES),
                "value": {
                    "type": ["string", "number", "null"], "maxLength": MAX_SHORT_TEXT_LENGTH,
                    "description": "A number is stored as a string.",
                },
                "inverted": { "type": ["boolean", "null"] },
                "caseInsensitive": { "type": ["boolean", "null"] },
            },
            "additionalProperties": false,
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
                        "type": { "enum": ["string", "json", "csv", "number"] },
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

impl RequestBody for NewDependency {
    const NAME: &'static str = "NewDependency";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["feature"],
            "properties": {
                "feature": components.reference::<Name>(),
                "enabled": { "type": ["boolean", "null"] },
                "variants": components.list_or_null::<Text>(MAX_VARIANTS),
            },
            "description": "The parent must exist, and must have no dependencies itself.",
        })
    }
}

/// Returns the schema of a text that users see, which may be null.
fn short_text() -> Value {
    json!({ "type": ["string", "null"], "maxLength": MAX_SHORT_TEXT_LENGTH })
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
