//! The bodies that calls take: what `rules` accept, said in JSON Schema. A test compares the two.

mod addons;

use serde_json::{Map, Value, json};

use crate::flags::auth::password::LONGEST;
use crate::flags::rules::DEFAULT_TAG_TYPE;
use crate::flags::rules::limits::{
    MAX_CONSTRAINTS, MAX_OVERRIDES, MAX_PARAMETER_DEFINITIONS, MAX_PARAMETERS, MAX_STRATEGIES, MAX_VALUES,
    MAX_VARIANTS,
};
use crate::flags::usage::report::MAX_APPLICATION_STRATEGIES;

/// Everything by the name that operations use.
pub(super) fn schemas() -> Map<String, Value> {
    let all = [
        parts(),
        of_sessions(),
        of_toggles(),
        of_variants(),
        of_strategies(),
        of_context_fields(),
        of_tags(),
        of_projects(),
        addons::schemas(),
        of_clients(),
    ];
    all.into_iter().flat_map(|schemas| schemas.as_object().cloned().unwrap_or_default()).collect()
}

fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list(name: &str, max: usize) -> Value {
    json!({ "type": "array", "maxItems": max, "items": schema(name) })
}

fn list_or_null(name: &str, max: usize) -> Value {
    json!({ "type": ["array", "null"], "maxItems": max, "items": schema(name) })
}

fn text_or_null() -> Value {
    json!({ "type": ["string", "null"] })
}

/// The same body without the name that a path gives.
fn without(name: &str, mut body: Value, example: &Value) -> Value {
    if let Some(required) = body["required"].as_array_mut() {
        required.retain(|key| key != name);
    }
    body["properties"][name] = json!({ "description": "Does not count: the path names it." });
    body["examples"] = json!([example]);
    body
}

fn parts() -> Value {
    let url_friendly = r"^(?!\.\.$)[A-Za-z0-9\-_.!~*'()]+$";
    json!({
        "Name": {
            "type": "string", "minLength": 2, "maxLength": 100, "pattern": url_friendly,
            "description": "It needs no escaping in a URL, and is not two dots alone.",
        },
        "ShortName": {
            "type": "string", "minLength": 2, "maxLength": 50, "pattern": url_friendly,
            "description": "It needs no escaping in a URL, and is not two dots alone.",
        },
        "Anything": {
            "description": "It does not count and may be left out; Content-Type: application/json may not.",
            "examples": [{}],
        },
        "Text": { "type": "string", "minLength": 1 },
        "WantedName": {
            "type": "object", "required": ["name"], "properties": { "name": schema("Name") },
            "examples": [{ "name": "checkout.express" }],
        },
        "WantedId": {
            "type": "object", "required": ["id"], "properties": { "id": schema("Name") },
            "examples": [{ "id": "checkout" }],
        },
    })
}

fn of_sessions() -> Value {
    let unseen = r"\s\x00-\x1f\x7f-\x9f";
    json!({
        "Email": {
            "type": "object",
            "required": ["email"],
            "properties": {
                "email": {
                    "type": "string", "maxLength": 254, "pattern": format!("^[^{unseen}]+@[^@{unseen}]+$"),
                },
            },
            "examples": [{ "email": "user@example.com" }],
        },
        "Credentials": {
            "type": "object",
            "required": ["username", "password"],
            "properties": {
                "username": { "type": "string", "minLength": 1, "maxLength": 100 },
                "password": { "type": "string", "minLength": 1, "maxLength": LONGEST },
            },
            "examples": [{ "username": "user", "password": "correct horse" }],
        },
    })
}

fn of_toggles() -> Value {
    let toggle = json!({
        "type": "object",
        "required": ["name", "strategies"],
        "properties": {
            "name": schema("Name"),
            "description": text_or_null(),
            "type": { "type": "string", "minLength": 1, "default": "release" },
            "project": { "type": "string", "minLength": 1, "maxLength": 100, "default": "default" },
            "enabled": { "type": "boolean", "default": false },
            "stale": { "type": "boolean", "default": false },
            "strategies": {
                "type": "array", "minItems": 1, "maxItems": MAX_STRATEGIES, "items": schema("NewStrategy"),
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
                "name": schema("Name"),
                "parameters": {
                    "type": "object",
                    "maxProperties": MAX_PARAMETERS,
                    "additionalProperties": { "type": ["string", "number", "boolean"] },
                    "description": "Numbers and booleans are kept as text.",
                },
                "constraints": list_or_null("NewConstraint", MAX_CONSTRAINTS),
            },
        },
        "NewConstraint": {
            "type": "object",
            "required": ["contextName", "operator"],
            "properties": {
                "contextName": schema("Text"),
                "operator": { "enum": ["IN", "NOT_IN"] },
                "values": list("Text", MAX_VALUES),
            },
        },
    })
}

fn of_variants() -> Value {
    json!({
        "NewVariant": {
            "type": "object",
            "required": ["name", "weight"],
            "description": "Names are unique within a toggle.",
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
            "properties": { "contextName": schema("Text"), "values": list("Text", MAX_VALUES) },
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

fn of_strategies() -> Value {
    let parameter = json!({ "name": "regions", "type": "list", "description": "", "required": true });
    let example = json!({ "name": "byRegion", "description": "By region", "parameters": [parameter] });
    let strategy = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": schema("Name"), "description": text_or_null(),
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
                "name": schema("Text"),
                "type": { "enum": ["string", "percentage", "list", "number", "boolean"], "default": "string" },
                "description": text_or_null(),
                "required": { "type": "boolean", "default": false },
            },
        },
    })
}

fn of_context_fields() -> Value {
    let example = json!({
        "name": "region", "description": "", "stickiness": true, "sortOrder": 3, "legalValues": ["eu", "us"],
    });
    let field = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": schema("Name"),
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

fn of_tags() -> Value {
    let example = json!({ "name": "team", "description": "Who owns it", "icon": "T" });
    let tag_type = json!({
        "type": "object",
        "required": ["name"],
        "properties": { "name": schema("ShortName"), "description": text_or_null(), "icon": text_or_null() },
        "examples": [example],
    });
    json!({
        "ReplacedTagType": without("name", tag_type.clone(), &example),
        "NewTagType": tag_type,
        "NewTag": {
            "type": "object",
            "required": ["value"],
            "properties": {
                "type": { "anyOf": [schema("ShortName"), { "const": "" }], "default": DEFAULT_TAG_TYPE },
                "value": { "type": "string", "minLength": 2, "maxLength": 50 },
            },
            "examples": [{ "type": "simple", "value": "web" }],
        },
    })
}

fn of_projects() -> Value {
    let example = json!({ "id": "checkout", "name": "Checkout", "description": "" });
    let project = json!({
        "type": "object",
        "required": ["id", "name"],
        "properties": { "id": schema("Name"), "name": schema("Text"), "description": text_or_null() },
        "examples": [example],
    });
    json!({ "ReplacedProject": without("id", project.clone(), &example), "NewProject": project })
}

fn of_clients() -> Value {
    let sender = json!({ "type": "string", "minLength": 1, "maxLength": 255 });
    let count = json!({ "type": "integer", "minimum": 0, "maximum": 1_000_000_000_000_u64, "default": 0 });
    json!({
        "ApplicationTexts": {
            "type": "object",
            "description": "Empty texts say nothing.",
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
