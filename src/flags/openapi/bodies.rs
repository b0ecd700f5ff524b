//! JSON schemas of the request bodies that `rules` accepts. A test compares the two.

mod addons;

use serde_json::{Map, Value, json};

use crate::flags::auth::password::MAX_BYTES;
use crate::flags::tags::rules::DEFAULT_TAG_TYPE;
use crate::flags::usage::report::MAX_APPLICATION_STRATEGIES;
use crate::flags::validation::limits::{
    MAX_CONSTRAINTS, MAX_OVERRIDES, MAX_PARAMETER_DEFINITIONS, MAX_PARAMETERS, MAX_STRATEGIES, MAX_VALUES,
    MAX_VARIANTS,
};

/// Returns all schemas by name.
pub(super) fn schemas() -> Map<String, Value> {
    let all = [
        shared_schemas(),
        session_schemas(),
        toggle_schemas(),
        variant_schemas(),
        strategy_schemas(),
        context_field_schemas(),
        tag_schemas(),
        project_schemas(),
        addons::schemas(),
        client_schemas(),
    ];
    all.into_iter().flat_map(|schemas| schemas.as_object().cloned().unwrap_or_default()).collect()
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list(name: &str, max: usize) -> Value {
    json!({ "type": "array", "maxItems": max, "items": reference(name) })
}

fn list_or_null(name: &str, max: usize) -> Value {
    json!({ "type": ["array", "null"], "maxItems": max, "items": reference(name) })
}

fn text_or_null() -> Value {
    json!({ "type": ["string", "null"] })
}

/// Returns the schema of an update, whose name is in the path.
fn without(name: &str, mut body: Value, example: &Value) -> Value {
    if let Some(required) = body["required"].as_array_mut() {
        required.retain(|key| key != name);
    }
    body["properties"][name] = json!({ "description": "Ignored: the path contains it." });
    body["examples"] = json!([example]);
    body
}

fn shared_schemas() -> Value {
    let url_friendly = r"^(?!\.\.$)[A-Za-z0-9\-_.!~*'()]+$";
    json!({
        "Name": {
            "type": "string", "minLength": 2, "maxLength": 100, "pattern": url_friendly,
            "description": "Needs no escaping in a URL; not `..`.",
        },
        "ShortName": {
            "type": "string", "minLength": 2, "maxLength": 50, "pattern": url_friendly,
            "description": "Needs no escaping in a URL; not `..`.",
        },
        "IgnoredBody": {
            "description": "Ignored. The body may be empty, but Content-Type: application/json is required.",
            "examples": [{}],
        },
        "Text": { "type": "string", "minLength": 1 },
        "NameCheck": {
            "type": "object", "required": ["name"], "properties": { "name": reference("Name") },
            "examples": [{ "name": "checkout.express" }],
        },
        "IdCheck": {
            "type": "object", "required": ["id"], "properties": { "id": reference("Name") },
            "examples": [{ "id": "checkout" }],
        },
    })
}

fn session_schemas() -> Value {
    let invisible = r"\s\x00-\x1f\x7f-\x9f";
    json!({
        "Email": {
            "type": "object",
            "required": ["email"],
            "properties": {
                "email": {
                    "type": "string", "maxLength": 254, "pattern": format!("^[^{invisible}]+@[^@{invisible}]+$"),
                },
            },
            "examples": [{ "email": "user@example.com" }],
        },
        "Credentials": {
            "type": "object",
            "required": ["username", "password"],
            "properties": {
                "username": { "type": "string", "minLength": 1, "maxLength": 100 },
                "password": { "type": "string", "minLength": 1, "maxLength": MAX_BYTES },
            },
            "examples": [{ "username": "user", "password": "correct horse" }],
        },
    })
}

fn toggle_schemas() -> Value {
    let toggle = json!({
        "type": "object",
        "required": ["name", "strategies"],
        "properties": {
            "name": reference("Name"),
            "description": text_or_null(),
            "type": { "type": "string", "minLength": 1, "default": "release" },
            "project": { "type": "string", "minLength": 1, "maxLength": 100, "default": "default" },
            "enabled": { "type": "boolean", "default": false },
            "stale": { "type": "boolean", "default": false },
            "strategies": {
                "type": "array", "minItems": 1, "maxItems": MAX_STRATEGIES, "items": reference("NewStrategy"),
            },
            "variants": list_or_null("NewVariant", MAX_VARIANTS),
        },
        "examples": [toggle_example()],
    });
    json!({
        "ReplacedToggle": without("name", toggle.clone(), &toggle_example()),
        "NewToggle": toggle,
        "NewStrategy": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "id": { "type": "string" },
                "name": reference("Name"),
                "parameters": {
                    "type": "object",
                    "maxProperties": MAX_PARAMETERS,
                    "additionalProperties": { "type": ["string", "number", "boolean"] },
                    "description": "Numbers and booleans are stored as strings.",
                },
                "constraints": list_or_null("NewConstraint", MAX_CONSTRAINTS),
            },
        },
        "NewConstraint": {
            "type": "object",
            "required": ["contextName", "operator"],
            "properties": {
                "contextName": reference("Text"),
                "operator": { "enum": ["IN", "NOT_IN"] },
                "values": list("Text", MAX_VALUES),
            },
        },
    })
}

fn variant_schemas() -> Value {
    json!({
        "NewVariant": {
            "type": "object",
            "required": ["name", "weight"],
            "description": "The name must be unique within the toggle.",
            "properties": {
                "name": { "type": "string", "minLength": 2, "maxLength": 100 },
                "weight": { "type": "integer", "minimum": 0, "maximum": 1000 },
                "weightType": { "enum": ["variable", "fix"], "default": "variable" },
                "stickiness": { "type": "string", "minLength": 1, "default": "default" },
                "payload": {
                    "type": "object",
                    "required": ["type", "value"],
                    "properties": {
                        "type": { "enum": ["string", "json", "csv"] },
                        "value": { "type": "string" },
                    },
                },
                "overrides": list("NewOverride", MAX_OVERRIDES),
            },
        },
        "NewOverride": {
            "type": "object",
            "required": ["contextName", "values"],
            "properties": { "contextName": reference("Text"), "values": list("Text", MAX_VALUES) },
        },
    })
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

fn strategy_schemas() -> Value {
    let parameter = json!({ "name": "regions", "type": "list", "description": "", "required": true });
    let example = json!({ "name": "byRegion", "description": "By region", "parameters": [parameter] });
    let strategy = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": reference("Name"), "description": text_or_null(),
            "parameters": list("NewParameter", MAX_PARAMETER_DEFINITIONS),
        },
        "examples": [example],
    });
    json!({
        "ReplacedStrategyDefinition": without("name", strategy.clone(), &example),
        "NewStrategyDefinition": strategy,
        "NewParameter": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": reference("Text"),
                "type": { "enum": ["string", "percentage", "list", "number", "boolean"], "default": "string" },
                "description": text_or_null(),
                "required": { "type": "boolean", "default": false },
            },
        },
    })
}

fn context_field_schemas() -> Value {
    let example = json!({
        "name": "region", "description": "", "stickiness": true, "sortOrder": 3, "legalValues": ["eu", "us"],
    });
    let field = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": reference("Name"),
            "description": text_or_null(),
            "stickiness": { "type": "boolean", "default": false },
            "sortOrder": {
                "type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX, "default": 10,
            },
            "legalValues": list_or_null("Text", MAX_VALUES),
        },
        "examples": [example],
    });
    json!({ "ReplacedContextField": without("name", field.clone(), &example), "NewContextField": field })
}

fn tag_schemas() -> Value {
    let example = json!({ "name": "team", "description": "Who owns it", "icon": "T" });
    let tag_type = json!({
        "type": "object",
        "required": ["name"],
        "properties": { "name": reference("ShortName"), "description": text_or_null(), "icon": text_or_null() },
        "examples": [example],
    });
    json!({
        "ReplacedTagType": without("name", tag_type.clone(), &example),
        "NewTagType": tag_type,
        "NewTag": {
            "type": "object",
            "required": ["value"],
            "properties": {
                "type": { "anyOf": [reference("ShortName"), { "const": "" }], "default": DEFAULT_TAG_TYPE },
                "value": { "type": "string", "minLength": 2, "maxLength": 50 },
            },
            "examples": [{ "type": "simple", "value": "web" }],
        },
    })
}

fn project_schemas() -> Value {
    let example = json!({ "id": "checkout", "name": "Checkout", "description": "" });
    let project = json!({
        "type": "object",
        "required": ["id", "name"],
        "properties": { "id": reference("Name"), "name": reference("Text"), "description": text_or_null() },
        "examples": [example],
    });
    json!({ "ReplacedProject": without("id", project.clone(), &example), "NewProject": project })
}

fn client_schemas() -> Value {
    let sender = json!({ "type": "string", "minLength": 1, "maxLength": 255 });
    let count = json!({ "type": "integer", "minimum": 0, "maximum": 1_000_000_000_000_u64, "default": 0 });
    json!({
        "ApplicationTexts": {
            "type": "object",
            "description": "Empty texts are ignored.",
            "properties": {
                "icon": { "type": ["string", "null"], "maxLength": 255 },
                "url": { "type": ["string", "null"], "maxLength": 2_000 },
                "description": { "type": ["string", "null"], "maxLength": 2_000 },
            },
            "examples": [{ "icon": "web", "url": "https://example.com", "description": "Shop" }],
        },
        "Registration": {
            "type": "object",
            "required": ["appName", "instanceId"],
            "properties": {
                "appName": sender, "instanceId": sender,
                "sdkVersion": { "type": ["string", "null"], "maxLength": 255 },
                "strategies": { "type": "array", "maxItems": MAX_APPLICATION_STRATEGIES, "items": sender },
            },
            "examples": [{ "appName": "shop", "instanceId": "1", "sdkVersion": "x:1", "strategies": ["default"] }],
        },
        "Report": {
            "type": "object",
            "required": ["appName", "instanceId", "bucket"],
            "properties": {
                "appName": sender,
                "instanceId": sender,
                "bucket": {
                    "type": "object",
                    "properties": {
                        "toggles": {
                            "type": "object",
                            "maxProperties": 10_000,
                            "additionalProperties": {
                                "type": "object", "properties": { "yes": count, "no": count },
                            },
                        },
                    },
                },
            },
            "examples": [{
                "appName": "shop", "instanceId": "1",
                "bucket": { "toggles": { "checkout.express": { "yes": 3, "no": 1 } } },
            }],
        },
    })
}
