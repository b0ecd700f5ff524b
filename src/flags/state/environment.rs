//! Converts an export of Unleash 4 or 5, which contains the state of all environments, to the format of version 1 with the
//! state of one environment. Pure.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::model::STATE_VERSION;
use crate::error::ApiError;

/// The properties that make the strategy of a toggle.
const STRATEGY_PROPERTIES: [&str; 7] =
    ["id", "parameters", "constraints", "segments", "variants", "title", "disabled"];

/// Returns true if the export contains the state of environments.
pub(super) fn has_environments(state: &Value) -> bool {
    state.get("featureEnvironments").is_some_and(Value::is_array)
}

/// Returns the export with the state of one environment. Without a name, the only environment is selected.
///
/// # Errors
/// [`ApiError::Invalid`] if the environment does not exist, or if there are several and none is named.
pub(super) fn select(state: &Value, name: Option<&str>) -> Result<Value, ApiError> {
    let environment = find_environment(state, name)?;
    let is_selected = |item: &&Value| text(item, "environment") == environment;
    let states = items(state, "featureEnvironments").filter(is_selected);
    let states: HashMap<&str, &Value> = states.map(|item| (text(item, "featureName"), item)).collect();
    let dependencies: HashMap<&str, &Value> =
        items(state, "dependencies").map(|item| (text(item, "feature"), item)).collect();
    let mut strategies = strategies_by_toggle(state, environment);
    let features = items(state, "features").filter(|toggle| toggle.get("archived") != Some(&json!(true)));
    let features = features.map(|toggle| {
        let name = text(toggle, "name");
        let state = states.get(name).copied();
        let property = |key: &str| state.and_then(|state| state.get(key)).cloned();
        let strategies = strategies.remove(name);
        // Servers with environments switch a toggle off that has no strategies. Here it would be on for everyone.
        let is_enabled = strategies.is_some() && property("enabled") == Some(json!(true));
        let strategies = strategies.unwrap_or_else(|| vec![json!({ "name": "default" })]);
        let changes = [
            ("enabled", Some(is_enabled.into())),
            ("strategies", Some(strategies.into())),
            ("variants", property("variants").filter(Value::is_array)),
            ("dependencies", dependencies.get(name).and_then(|item| item.get("dependencies")).cloned()),
        ];
        with_properties(toggle, changes)
    });
    let features: Value = features.collect();
    Ok(with_properties(state, [("version", Some(STATE_VERSION.into())), ("features", Some(features))]))
}

/// Returns the object with these properties; `None` keeps a property.
fn with_properties<const N: usize>(object: &Value, changes: [(&str, Option<Value>); N]) -> Value {
    let mut properties = object.as_object().cloned().unwrap_or_default();
    for (key, value) in changes {
        properties.extend(value.map(|value| (key.to_owned(), value)));
    }
    properties.into()
}

fn find_environment<'s>(state: &'s Value, name: Option<&'s str>) -> Result<&'s str, ApiError> {
    let states = items(state, "featureEnvironments").chain(items(state, "featureStrategies"));
    let names: BTreeSet<&str> = states.map(|item| text(item, "environment")).collect();
    let list = names.iter().copied().collect::<Vec<_>>().join(", ");
    let invalid = |message| Err(ApiError::invalid("featureEnvironments", message));
    match name {
        Some(name) if names.contains(name) => Ok(name),
        Some(name) => {
            invalid(format!("the file does not contain the environment {name}; it contains {list}"))
        }
        None if names.len() > 1 => {
            invalid(format!("the file contains the environments {list}; select one with --environment"))
        }
        None => Ok(names.first().copied().unwrap_or_default()),
    }
}

/// Returns the strategies in an environment by the name of the toggle, in the order of evaluation.
fn strategies_by_toggle<'s>(state: &'s Value, environment: &str) -> HashMap<&'s str, Vec<Value>> {
    let mut segments: HashMap<&str, Vec<Value>> = HashMap::new();
    for link in items(state, "featureStrategySegments") {
        let ids = segments.entry(text(link, "featureStrategyId")).or_default();
        ids.push(link.get("segmentId").cloned().unwrap_or_default());
    }
    let is_selected = |item: &&Value| text(item, "environment") == environment;
    let mut sorted: Vec<&Value> = items(state, "featureStrategies").filter(is_selected).collect();
    sorted.sort_by_key(|item| item.get("sortOrder").and_then(Value::as_i64));
    let mut strategies: HashMap<&str, Vec<Value>> = HashMap::new();
    for item in sorted {
        let name = item.get("strategyName").or(item.get("name")).cloned().unwrap_or_default();
        let mut strategy = Map::from_iter([("name".to_owned(), name)]);
        for key in STRATEGY_PROPERTIES {
            if let Some(value) = item.get(key).filter(|value| !value.is_null()) {
                strategy.insert(key.to_owned(), value.clone());
            }
        }
        if let Some(ids) = segments.remove(text(item, "id")) {
            strategy.insert("segments".to_owned(), ids.into());
        }
        strategies.entry(text(item, "featureName")).or_default().push(strategy.into());
    }
    strategies
}

fn items<'s>(state: &'s Value, key: &str) -> impl Iterator<Item = &'s Value> {
    state.get(key).and_then(Value::as_array).into_iter().flatten().filter(|item| item.is_object())
}

fn text<'s>(item: &'s Value, key: &str) -> &'s str {
    item.get(key).and_then(Value::as_str).unwrap_or_default()
}
