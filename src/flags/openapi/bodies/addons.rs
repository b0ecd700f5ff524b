//! The bodies of addons: each provider has parameters of its own.

use serde_json::{Value, json};

use super::text_or_null;
use crate::flags::addons::providers::Provider;
use crate::flags::model::AddonParameter;

pub(super) fn schemas() -> Value {
    let example = json!({
        "provider": "webhook", "description": "Chat", "enabled": false, "events": ["feature-created"],
        "parameters": {
            "url": "http://localhost:9/hook", "contentType": "text/plain", "bodyTemplate": "{{event.type}}",
        },
    });
    let providers = Provider::ALL.map(of_provider);
    json!({ "NewAddon": { "oneOf": providers, "examples": [example] } })
}

fn of_provider(provider: Provider) -> Value {
    let parameters = provider.parameters();
    let required: Vec<_> = parameters.iter().filter(|one| one.required).map(|one| &one.name).collect();
    let properties: serde_json::Map<_, _> =
        parameters.iter().map(|one| (one.name.clone(), of_parameter(one))).collect();
    json!({
        "type": "object",
        "required": ["provider", "parameters", "events"],
        "properties": {
            "provider": { "const": provider.name() },
            "description": text_or_null(),
            "enabled": { "type": "boolean", "default": true },
            "parameters": { "type": "object", "required": required, "properties": properties },
            "events": { "type": "array", "minItems": 1, "items": { "enum": provider.events() } },
        },
    })
}

/// Addresses and media types are narrower here than what is taken: all of these are taken for sure.
fn of_parameter(parameter: &AddonParameter) -> Value {
    let label = "[a-z0-9]{1,20}";
    match (parameter.kind.as_str(), parameter.name.as_str()) {
        ("url", _) => json!({
            "type": "string",
            "maxLength": 10_000,
            "pattern": format!("^https?://({label}\\.)*[a-z]{label}(:[0-9]{{1,4}})?(/[A-Za-z0-9._~-]*)*$"),
        }),
        (_, "contentType") => json!({ "type": "string", "pattern": "^([a-z]{1,20}/[a-z]{1,20})?$" }),
        _ if parameter.required => json!({
            "type": ["string", "number", "boolean"], "maxLength": 10_000, "pattern": r"\S",
        }),
        _ => json!({ "type": ["string", "number", "boolean"], "maxLength": 10_000 }),
    }
}
