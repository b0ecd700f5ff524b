//! The rules of addons.

use std::collections::BTreeMap;

use mime_guess::Mime;
use serde_json::Value;

use super::fields::{Faults, Field};
use super::limits::MAX_EVENT_TYPES;
use crate::error::ApiError;
use crate::flags::addons::outgoing;
use crate::flags::addons::providers::{MASK, Provider};
use crate::flags::addons::template::Template;
use crate::flags::model::{AddonDraft, AddonParameter};

/// How long a parameter may be, in characters: body templates take the most.
const LONGEST: usize = 10_000;

/// Reads an addon to be created or replaced. A secret may be masked: whether there is one is not known here.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn addon(body: &Value) -> Result<AddonDraft, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let known = Provider::ALL.map(|provider| (provider.name(), provider));
    let field = body.get("provider");
    field.require(&mut faults);
    let Some(provider) = field.one_of(&known, &mut faults) else {
        return faults.into_result(()).and(Err(ApiError::internal("a provider is unknown and no fault")));
    };
    let events = events(&body.get("events"), provider, &mut faults);
    let draft = AddonDraft {
        provider: provider.name().to_owned(),
        enabled: body.get("enabled").flag_or(true, &mut faults),
        description: body.get("description").nullable_text(&mut faults),
        parameters: parameters(&body.get("parameters"), provider, &mut faults),
        events,
    };
    faults.into_result(draft)
}

fn events(field: &Field<'_>, provider: Provider, faults: &mut Faults) -> Vec<String> {
    let known: Vec<_> = provider.events().iter().map(|&event| (event, event)).collect();
    let mut events: Vec<String> = Vec::new();
    for item in field.items(MAX_EVENT_TYPES, faults) {
        if let Some(event) = item.one_of(&known, faults)
            && !events.iter().any(|other| other == event)
        {
            events.push(event.to_owned());
        }
    }
    if field.is_missing() || field.value() == Some(&Value::Array(Vec::new())) {
        field.fault(faults, "array.min", "must name at least one event to listen to");
    }
    events
}

/// Those that the provider knows. Empty ones are left out: they say nothing.
fn parameters(field: &Field<'_>, provider: Provider, faults: &mut Faults) -> BTreeMap<String, String> {
    field.object(faults);
    let mut parameters = BTreeMap::new();
    for definition in provider.parameters() {
        let field = field.get(&definition.name);
        let text = text(&field, faults);
        match text.filter(|text| !text.trim().is_empty()) {
            Some(text) => {
                check(&field, &definition, &text, faults);
                parameters.insert(definition.name, text);
            }
            None if definition.required => field.fault(faults, "any.required", "is required"),
            None => {}
        }
    }
    parameters
}

/// Servers of this API take numbers and booleans as well, and read them as text.
fn text(field: &Field<'_>, faults: &mut Faults) -> Option<String> {
    match field.value() {
        Some(value @ (Value::Number(_) | Value::Bool(_))) => Some(value.to_string()),
        _ => field.text(faults),
    }
}

fn check(field: &Field<'_>, definition: &AddonParameter, text: &str, faults: &mut Faults) {
    // Parsing a long template is expensive, and its error repeats a part of it.
    if !field.check_bounds(text, (1, LONGEST), faults) || (definition.sensitive && text == MASK) {
        return;
    }
    if definition.kind == "url" && !outgoing::is_address(text) {
        field.fault(faults, "string.uri", "must be a URL that begins with http:// or https://");
    } else if definition.kind == "url" && !definition.sensitive && outgoing::holds_login(text) {
        field.fault(faults, "string.uri", "must not hold a password: everybody can read it here");
    }
    match definition.name.as_str() {
        "contentType" if text.parse::<Mime>().is_err() => {
            field.fault(faults, "string.mime", "must be a media type such as application/json");
        }
        "bodyTemplate" => {
            if let Err(fault) = Template::parse(text) {
                field.fault(faults, "string.template", &fault.to_string());
            }
        }
        _ => {}
    }
}
