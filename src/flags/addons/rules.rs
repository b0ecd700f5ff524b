//! Validation of addons.

use std::collections::BTreeMap;

use mime_guess::Mime;
use serde_json::Value;

use crate::api::limits::{MAX_EVENT_TYPES, MAX_PARAMETER_LENGTH};
use crate::api::{AddonDraft, AddonParameter};
use crate::error::ApiError;
use crate::flags::addons::outgoing_request;
use crate::flags::addons::providers::{MASK, Provider};
use crate::flags::addons::template::Template;
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Parses an addon to create or replace. Accepts a masked secret; the service checks that a secret is stored.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_addon(body: &Value) -> Result<AddonDraft, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let providers = Provider::ALL.map(|provider| (provider.name(), provider));
    let field = body.get("provider");
    field.require(&mut errors);
    let Some(provider) = field.one_of(&providers, &mut errors) else {
        return errors.into_result(()).and(Err(ApiError::internal("an unknown provider was not reported")));
    };
    let events = parse_events(&body.get("events"), provider, &mut errors);
    let draft = AddonDraft {
        provider: provider.name().to_owned(),
        enabled: body.get("enabled").bool_or(true, &mut errors),
        description: body.get("description").nullable_text(&mut errors),
        parameters: parse_parameters(&body.get("parameters"), provider, &mut errors),
        events,
    };
    errors.into_result(draft)
}

fn parse_events(field: &Field<'_>, provider: Provider, errors: &mut ValidationErrors) -> Vec<String> {
    let known: Vec<_> = provider.events().iter().map(|&event| (event, event)).collect();
    let mut events: Vec<String> = Vec::new();
    for item in field.items(MAX_EVENT_TYPES, errors) {
        if let Some(event) = item.one_of(&known, errors)
            && !events.iter().any(|other| other == event)
        {
            events.push(event.to_owned());
        }
    }
    if field.is_missing() || field.value() == Some(&Value::Array(Vec::new())) {
        field.add_error(errors, "array.min", "must contain at least one event type");
    }
    events
}

/// Parses the parameters of the provider. Ignores unknown and empty parameters.
fn parse_parameters(
    field: &Field<'_>,
    provider: Provider,
    errors: &mut ValidationErrors,
) -> BTreeMap<String, String> {
    field.object(errors);
    let mut parameters = BTreeMap::new();
    for definition in provider.parameters() {
        let field = field.get(&definition.name);
        let text = read_text(&field, errors);
        match text.filter(|text| !text.trim().is_empty()) {
            Some(text) => {
                check_parameter(&field, &definition, &text, errors);
                parameters.insert(definition.name, text);
            }
            None if definition.required => field.add_error(errors, "any.required", "is required"),
            None => {}
        }
    }
    parameters
}

/// Reads a string. Numbers and booleans are converted, as Unleash does.
fn read_text(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<String> {
    match field.value() {
        Some(value @ (Value::Number(_) | Value::Bool(_))) => Some(value.to_string()),
        _ => field.text(errors),
    }
}

fn check_parameter(
    field: &Field<'_>,
    definition: &AddonParameter,
    text: &str,
    errors: &mut ValidationErrors,
) {
    // Parsing a long template is expensive, and the error repeats a part of it.
    if !field.check_bounds(text, (1, MAX_PARAMETER_LENGTH), errors) || (definition.sensitive && text == MASK)
    {
        return;
    }
    if definition.kind == "url" && !outgoing_request::is_http_url(text) {
        field.add_error(errors, "string.uri", "must be a URL that starts with http:// or https://");
    } else if definition.kind == "url" && !definition.sensitive && outgoing_request::has_credentials(text) {
        field.add_error(
            errors,
            "string.uri",
            "must not contain a user name or password, because every user can read this URL",
        );
    }
    match definition.name.as_str() {
        "contentType" if text.parse::<Mime>().is_err() => {
            field.add_error(errors, "string.mime", "must be a media type such as application/json");
        }
        "bodyTemplate" => {
            if let Err(error) = Template::parse(text) {
                field.add_error(errors, "string.template", &error.to_string());
            }
        }
        _ => {}
    }
}
