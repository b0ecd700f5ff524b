//! Request bodies of addons. Each provider has its own parameters.

use serde_json::{Value, json};

use super::providers::Provider;
use crate::api::AddonParameter;
use crate::api::limits::{MAX_EVENT_TYPES, MAX_PARAMETER_LENGTH};
use crate::flags::schema::parts::text_or_null;
use crate::flags::schema::{Components, RequestBody};

/// An addon to create, or the new version of one.
pub(super) enum NewAddon {}

impl RequestBody for NewAddon {
    const NAME: &'static str = "NewAddon";

    fn schema(_: &mut Components) -> Value {
        let example = json!({
            "provider": "webhook", "description": "Chat", "enabled": false, "events": ["feature-created"],
            "parameters": {
                "url": "http://localhost:9/hook", "contentType": "text/plain", "bodyTemplate": "{{event.type}}",
            },
        });
        json!({ "oneOf": Provider::ALL.map(provider_schema), "examples": [example] })
    }
}

fn provider_schema(provider: Provider) -> Value {
    let parameters = provider.parameters();
    let required: Vec<_> = parameters.iter().filter(|one| one.required).map(|one| &one.name).collect();
    let properties: serde_json::Map<_, _> =
        parameters.iter().map(|one| (one.name.clone(), parameter_schema(one))).collect();
    json!({
        "type": "object",
        "required": ["provider", "parameters", "events"],
        "properties": {
            "provider": { "const": provider.name() },
            "description": text_or_null(),
            "enabled": { "type": "boolean", "default": true },
            "parameters": { "type": "object", "required": required, "properties": properties },
            "events": {
                "type": "array", "minItems": 1, "maxItems": MAX_EVENT_TYPES, "items": { "enum": provider.events() },
            },
        },
    })
}

/// Returns the schema of a parameter. It is stricter than the validation for URLs and media types, and does not
/// describe templates.
fn parameter_schema(parameter: &AddonParameter) -> Value {
    let byte = "(1[0-9]{2}|2[0-4][0-9]|25[0-5]|[1-9]?[0-9])";
    let name = "([A-Za-z0-9](-?[A-Za-z0-9])*\\.)*[A-Za-z](-?[A-Za-z0-9])*";
    let rest = "[/?][!\"$-;=?-Z_a-z~]*";
    match (parameter.kind.as_str(), parameter.name.as_str()) {
        ("url", _) => json!({
            "type": "string",
            "maxLength": MAX_PARAMETER_LENGTH,
            "pattern": format!("^https?://({byte}(\\.{byte}){{3}}|{name})(:[0-9]{{1,4}})?({rest})?$"),
        }),
        (_, "contentType") => {
            json!({ "type": "string", "pattern": "^([A-Za-z]+/[A-Za-z0-9.+-]+(; ?[a-z]+=[A-Za-z0-9-]+)?)?$" })
        }
        _ if parameter.required => json!({
            "type": ["string", "number", "boolean"], "maxLength": MAX_PARAMETER_LENGTH, "pattern": r"\S",
        }),
        _ => json!({ "type": ["string", "number", "boolean"], "maxLength": MAX_PARAMETER_LENGTH }),
    }
}
