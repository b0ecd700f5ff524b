//! Request body of addons: its validation and schemas. Each provider has its own parameters.

use std::collections::BTreeMap;

use mime_guess::Mime;
use serde_json::json;

use crate::api::limits::{MAX_EVENT_TYPES, MAX_PARAMETER_LENGTH};
use crate::api::{AddonDraft, AddonParameter};
use crate::flags::addons::outgoing_request;
use crate::flags::addons::providers::{MASK, Provider};
use crate::flags::addons::template::Template;
use crate::flags::validation::{Field, RequestBody};

/// Accepts a masked secret; the service checks that a secret is stored.
impl RequestBody for AddonDraft {
    const NAME: &'static str = "NewAddon";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            json!({ "examples": [{
                "provider": "webhook", "description": "Chat", "enabled": false, "events": ["feature-created"],
                "parameters": {
                    "url": "http://localhost:9/hook", "contentType": "text/plain", "bodyTemplate": "{{event.type}}",
                },
            }] })
        });
        let providers = Provider::ALL.map(|provider| (provider.name(), provider));
        let draft = body.select("provider", &providers, |body, provider| Self {
            provider: provider.name().to_owned(),
            events: read_events(&body.get("events"), provider),
            enabled: body.get("enabled").bool_or(true),
            description: body.get("description").nullable(Field::text),
            parameters: read_parameters(&body.get("parameters"), provider),
        });
        draft.unwrap_or_default()
    }
}

fn read_events(field: &Field<'_>, provider: Provider) -> Vec<String> {
    let known: Vec<_> = provider.events().iter().map(|&event| (event, event)).collect();
    let mut events: Vec<String> = Vec::new();
    for event in field.list(MAX_EVENT_TYPES, |item| item.one_of(&known)).into_iter().flatten() {
        if !events.iter().any(|other| other == event) {
            events.push(event.to_owned());
        }
    }
    field.describe_required();
    field.describe(|| json!({ "minItems": 1 }));
    if field.value().is_none_or(|events| *events == json!([])) {
        field.add_error("array.min", "must contain at least one event type");
    }
    events
}

/// Reads the parameters of the provider. Ignores unknown and empty parameters.
fn read_parameters(field: &Field<'_>, provider: Provider) -> BTreeMap<String, String> {
    field.object();
    field.describe_required();
    let mut parameters = BTreeMap::new();
    for definition in provider.parameters() {
        let field = field.get_dynamic(&definition.name);
        let text = field.scalar_text();
        describe_parameter(&field, &definition);
        match text.filter(|text| !text.trim().is_empty()) {
            Some(text) => {
                check_parameter(&field, &definition, &text);
                parameters.insert(definition.name, text);
            }
            None if definition.required => field.add_error("any.required", "is required"),
            None => {}
        }
    }
    parameters
}

/// Describes a parameter. The schema is stricter than the validation for URLs and media types, and does not describe
/// templates.
fn describe_parameter(field: &Field<'_>, definition: &AddonParameter) {
    if definition.required {
        field.describe_required();
    }
    field.describe(|| match (definition.kind.as_str(), definition.name.as_str()) {
        ("url", _) => {
            let byte = "(1[0-9]{2}|2[0-4][0-9]|25[0-5]|[1-9]?[0-9])";
            let name = "([A-Za-z0-9](-?[A-Za-z0-9])*\\.)*[A-Za-z](-?[A-Za-z0-9])*";
            let rest = "[/?][!\"$-;=?-Z_a-z~]*";
            let pattern = format!("^https?://({byte}(\\.{byte}){{3}}|{name})(:[0-9]{{1,4}})?({rest})?$");
            json!({ "type": "string", "maxLength": MAX_PARAMETER_LENGTH, "pattern": pattern })
        }
        (_, "contentType") => {
            json!({ "type": "string", "pattern": "^([A-Za-z]+/[A-Za-z0-9.+-]+(; ?[a-z]+=[A-Za-z0-9-]+)?)?$" })
        }
        _ if definition.required => json!({ "maxLength": MAX_PARAMETER_LENGTH, "pattern": r"\S" }),
        _ => json!({ "maxLength": MAX_PARAMETER_LENGTH }),
    });
}

fn check_parameter(field: &Field<'_>, definition: &AddonParameter, text: &str) {
    // Parsing a long template is expensive, and the error repeats a part of it.
    if !field.check_bounds(text, (1, MAX_PARAMETER_LENGTH)) || (definition.sensitive && text == MASK) {
        return;
    }
    if definition.kind == "url" && !outgoing_request::is_http_url(text) {
        field.add_error("string.uri", "must be a URL that starts with http:// or https://");
    } else if definition.kind == "url" && !definition.sensitive && outgoing_request::has_credentials(text) {
        field.add_error(
            "string.uri",
            "must not contain a user name or password, because every user can read this URL",
        );
    }
    match definition.name.as_str() {
        "contentType" if text.parse::<Mime>().is_err() => {
            field.add_error("string.mime", "must be a media type such as application/json");
        }
        "bodyTemplate" => {
            if let Err(error) = Template::parse(text) {
                field.add_error("string.template", &error.to_string());
            }
        }
        _ => {}
    }
}
