//! The state of a toggle after the properties that a file owns have been applied to it. Pure functions on the JSON of the API.

use serde_json::{Map, Value, json};

use super::document::{FileToggle, percentage_parameter};
use super::managed::MANAGED_BY;
use super::segments::resolve_segments;
use crate::config::DEFAULT_PROJECT;
use crate::evaluation::SegmentDefinition;

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
        "type": "release", "project": DEFAULT_PROJECT, "enabled": false, "stale": false,
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

/// Returns the state of a toggle after the properties of a file. Names of segments become their ids on this server.
///
/// # Errors
/// If the toggle is not in the format of the API.
pub(super) fn apply(
    file: &FileToggle,
    state: &Value,
    segments: &[SegmentDefinition],
) -> Result<Value, serde_json::Error> {
    let mut owned = file.to_properties()?;
    let mut result = state.as_object().cloned().unwrap_or_default();
    if let Some(strategies) = owned.get_mut("strategies") {
        resolve_segments(strategies, segments);
    }
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
        normalize_strategy(&merge_strategy(wanted.clone(), Some(stored))) == normalize_strategy(stored)
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

/// Returns the state of a revived toggle after the properties of a file. Its stored state is not known: the state contains all
/// properties of the file, also empty ones, and the toggle is off unless the file says that it is on.
///
/// # Errors
/// If the toggle is not in the format of the API.
pub(super) fn apply_to_archived(
    file: &FileToggle,
    segments: &[SegmentDefinition],
) -> Result<Value, serde_json::Error> {
    let mut owned = file.to_properties()?;
    if let Some(strategies) = owned.get_mut("strategies") {
        resolve_segments(strategies, segments);
    }
    if let Some(Value::Array(wanted)) = owned.remove("strategies") {
        owned.insert("strategies".to_owned(), merge_strategies(wanted, &[]).into());
    }
    owned.entry("enabled").or_insert(Value::Bool(false));
    Ok(owned.into())
}

/// Returns a strategy of a file with the properties of a stored one that files do not own. Properties that only the stored one has are
/// empty in the result, because some servers keep those that a request does not contain.
fn merge_strategy(wanted: Value, stored: Option<&Value>) -> Value {
    let mut result = stored.and_then(Value::as_object).cloned().unwrap_or_default();
    let name = wanted.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let percentage = percentage_parameter(&name).map(|parameter| {
        let stored = stored.and_then(|stored| stored.get("parameters")?.get(parameter)).cloned();
        (parameter, stored.unwrap_or_else(|| "0".into()))
    });
    for (key, value) in &mut result {
        if STRATEGY_PROPERTIES.contains(&key.as_str()) {
            *value = empty(value);
        }
    }
    if let Value::Object(wanted) = wanted {
        result.extend(wanted);
    }
    let parameters = result.entry("parameters").or_insert_with(|| json!({}));
    if let (Some((parameter, value)), Some(parameters)) = (percentage, parameters.as_object_mut()) {
        parameters.entry(parameter).or_insert(value);
    }
    result.into()
}

/// Returns the value that means the same as an absent property.
fn empty(value: &Value) -> Value {
    match value {
        Value::Bool(_) => Value::Bool(false),
        Value::String(_) => "".into(),
        Value::Array(_) => json!([]),
        Value::Object(_) => json!({}),
        Value::Null | Value::Number(_) => Value::Null,
    }
}

/// Removes from a toggle the values that mean the same as an absent property, so that the states of different servers are comparable:
/// null, false, and empty texts, lists and objects. Ids and positions of strategies are not states either, and neither is an order
/// without a meaning.
#[must_use]
pub(super) fn normalize(toggle: &Value) -> Value {
    let properties = toggle.as_object().into_iter().flatten();
    let kept = properties.map(|(key, value)| (key.clone(), normalize_property(key, value)));
    kept.filter(|(key, value)| !is_default(key, value)).collect::<Map<_, _>>().into()
}

/// Normalizes a property of a toggle.
#[must_use]
pub(super) fn normalize_property(key: &str, value: &Value) -> Value {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    match key {
        "strategies" if !value.is_null() => items.iter().map(normalize_strategy).collect(),
        // All conditions on other toggles must hold.
        "dependencies" if !value.is_null() => {
            let mut parents: Vec<_> = items.iter().map(normalize_dependency).collect();
            parents.sort_by_cached_key(Value::to_string);
            parents.into()
        }
        _ => normalize_value(value),
    }
}

/// Normalizes a strategy.
#[must_use]
pub(super) fn normalize_strategy(strategy: &Value) -> Value {
    let name = strategy.get("name").and_then(Value::as_str).unwrap_or_default();
    let properties = strategy.as_object().into_iter().flatten();
    let kept = properties.filter(|(key, _)| !["id", "sortOrder"].contains(&key.as_str()));
    let kept = kept.map(|(key, value)| {
        let value = match (key.as_str(), value) {
            ("parameters", Value::Object(parameters)) => normalize_parameters(name, parameters),
            ("segments", Value::Array(segments)) => {
                // All segments must match.
                let mut segments = segments.clone();
                segments.sort_by_cached_key(|id| (id.as_u64(), id.to_string()));
                segments.dedup();
                segments.into()
            }
            _ => normalize_value(value),
        };
        (key.clone(), value)
    });
    kept.filter(|(key, value)| !is_default(key, value)).collect::<Map<_, _>>().into()
}

/// Parameters have any name, and all their values count, except the default that client libraries use for a rollout.
fn normalize_parameters(strategy: &str, parameters: &Map<String, Value>) -> Value {
    let is_default = |key: &str, value: &Value| {
        value.is_null() || (strategy == "flexibleRollout" && key == "stickiness" && value == "default")
    };
    let kept = parameters.iter().filter(|(key, value)| !is_default(key, value));
    kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>().into()
}

/// Removes defaults from the condition on a parent: it must be on, with any variant. Variants of one that must be off have no effect.
fn normalize_dependency(dependency: &Value) -> Value {
    let is_off = dependency.get("enabled") == Some(&Value::Bool(false));
    let mut dependency = normalize_value(dependency);
    if let Some(properties) = dependency.as_object_mut() {
        properties.remove(if is_off { "variants" } else { "enabled" });
    }
    dependency
}

/// Normalizes a part of a toggle whose keys all belong to the format, such as a constraint.
#[must_use]
pub(super) fn normalize_value(value: &Value) -> Value {
    match value {
        Value::Object(properties) => {
            let kept = properties.iter().map(|(key, value)| (key.clone(), normalize_value(value)));
            kept.filter(|(key, value)| !is_default(key, value)).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(normalize_value).collect(),
        other => other.clone(),
    }
}

pub(super) fn is_default(key: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(false) => key != "enabled",
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
