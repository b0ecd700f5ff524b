//! The state of a toggle after the properties that a file owns have been applied to it. Pure functions on the JSON of the API.

use serde_json::{Map, Value, json};

use super::document::{FileToggle, percentage_parameter};
use super::managed::MANAGED_BY;

/// Properties of a toggle that files can own.
pub(super) const PROPERTIES: [&str; 11] = [
    "description",
    "type",
    "project",
    "enabled",
    "stale",
    "impressionData",
    "strategies",
    "variants",
    "dependencies",
    TAGS,
    MANAGED_BY,
];
/// The property with the tags, which servers store separately, except those of the type `managed-by`.
pub const TAGS: &str = "tags";
/// Properties of a strategy that files own.
pub(super) const STRATEGY_PROPERTIES: [&str; 7] =
    ["name", "title", "disabled", "parameters", "constraints", "segments", "variants"];

/// Returns a toggle that does not exist yet, before the properties of a file.
#[must_use]
pub(super) fn new_toggle() -> Value {
    json!({
        "type": "release", "project": "default", "enabled": false, "stale": false,
        "strategies": [{ "name": "default", "parameters": {} }], "variants": [],
    })
}

/// Returns the properties of a toggle that files can own.
#[must_use]
pub(super) fn state_of(toggle: &Value) -> Value {
    let own = |(key, value): (&String, &Value)| {
        (PROPERTIES.contains(&key.as_str()) && !value.is_null()).then(|| (key.clone(), value.clone()))
    };
    toggle.as_object().into_iter().flatten().filter_map(own).collect::<Map<_, _>>().into()
}

/// Returns the state of a toggle after the properties of a file.
///
/// # Errors
/// If the toggle is not in the format of the API.
pub(super) fn apply(file: &FileToggle, state: &Value) -> Result<Value, serde_json::Error> {
    let mut owned = file.to_properties()?;
    let mut result = state.as_object().cloned().unwrap_or_default();
    if let Some(Value::Array(wanted)) = owned.remove("strategies") {
        let stored = state.get("strategies").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        result.insert("strategies".to_owned(), merge_strategies(wanted, stored).into());
    }
    for (key, value) in owned {
        // Servers without these properties do not store their defaults.
        let is_default = value.as_array().is_some_and(Vec::is_empty) || value == false || value == "";
        if !is_default || result.contains_key(&key) {
            result.insert(key, value);
        }
    }
    Ok(result.into())
}

/// A condition on a strategy of a file and a stored one.
type Condition<'c> = &'c dyn Fn(&Value, &Value) -> bool;

/// Returns the strategies of a file with the ids and the percentages of the stored ones. Each stored strategy is used once: by
/// an equal one, else by one with the same name.
fn merge_strategies(wanted: Vec<Value>, stored: &[Value]) -> Vec<Value> {
    let mut unused: Vec<Option<&Value>> = stored.iter().map(Some).collect();
    let mut sources: Vec<Option<&Value>> = vec![None; wanted.len()];
    let is_equal = |wanted: &Value, stored: &Value| {
        normalize(&merge_strategy(wanted.clone(), Some(stored))) == normalize(stored)
    };
    let has_same_name = |wanted: &Value, stored: &Value| wanted.get("name") == stored.get("name");
    let conditions: [Condition<'_>; 2] = [&is_equal, &has_same_name];
    for fits in conditions {
        for (wanted, source) in wanted.iter().zip(&mut sources).filter(|(_, source)| source.is_none()) {
            let found = unused.iter_mut().find(|one| one.is_some_and(|stored| fits(wanted, stored)));
            *source = found.and_then(Option::take);
        }
    }
    wanted.into_iter().zip(sources).map(|(wanted, source)| merge_strategy(wanted, source)).collect()
}

fn merge_strategy(wanted: Value, stored: Option<&Value>) -> Value {
    let mut result = stored.and_then(Value::as_object).cloned().unwrap_or_default();
    let name = wanted.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let percentage = percentage_parameter(&name).map(|parameter| {
        let stored = stored.and_then(|stored| stored.get("parameters")?.get(parameter)).cloned();
        (parameter, stored.unwrap_or_else(|| "0".into()))
    });
    result.retain(|key, _| !STRATEGY_PROPERTIES.contains(&key.as_str()));
    if let Value::Object(wanted) = wanted {
        result.extend(wanted);
    }
    let parameters = result.entry("parameters").or_insert_with(|| json!({}));
    if let (Some((parameter, value)), Some(parameters)) = (percentage, parameters.as_object_mut()) {
        parameters.entry(parameter).or_insert(value);
    }
    result.into()
}

/// Removes values that mean the same as an absent property, so that the states of different servers are comparable: null, false, and
/// empty texts, lists and objects. Ids and positions of strategies are not states either.
#[must_use]
pub(super) fn normalize(value: &Value) -> Value {
    match value {
        Value::Object(properties) => {
            let kept = properties.iter().filter(|(key, _)| *key != "id" && *key != "sortOrder");
            let kept = kept.map(|(key, value)| (key.clone(), normalize(value)));
            // Parameters and values may be empty texts.
            kept.filter(|(key, value)| !is_default(key, value)).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(normalize).collect(),
        other => other.clone(),
    }
}

pub(super) fn is_default(key: &str, value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => key != "enabled",
        Value::String(text) => match key {
            "description" | "title" => text.is_empty(),
            "stickiness" => text == "default",
            _ => false,
        },
        Value::Array(items) => items.is_empty(),
        Value::Object(properties) => properties.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// Returns a toggle with all properties of the API: those of `changes`, else those of `stored`, else none.
pub(super) fn complete(name: &str, stored: &Value, changes: &Value) -> Value {
    let mut toggle = json!({
        "description": null, "type": "release", "project": "default", "enabled": false, "stale": false,
        "strategies": [], "variants": [], "createdAt": "", "lastSeenAt": null,
    });
    if let Some(toggle) = toggle.as_object_mut() {
        let layers = [stored.as_object(), changes.as_object()].into_iter().flatten();
        for layer in layers.map(Map::clone) {
            toggle.extend(layer);
        }
        toggle.insert("name".to_owned(), name.into());
    }
    toggle
}
