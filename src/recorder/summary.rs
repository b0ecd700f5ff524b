//! Describes the change of a toggle or a segment in words. Pure.

use std::collections::BTreeSet;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Parameters of strategies that contain a percentage.
const PERCENTAGES: [&str; 2] = ["rollout", "percentage"];

/// Describes a change, such as `switched off, strategies changed (rollout 25 → 50)`.
#[must_use]
pub fn describe(before: Option<&RawValue>, after: Option<&RawValue>) -> String {
    let parse = |text: &RawValue| serde_json::from_str::<Map<String, Value>>(text.get()).ok();
    match (before.and_then(parse), after.and_then(parse)) {
        (None, Some(after)) => match after.get("enabled").and_then(Value::as_bool) {
            Some(true) => "added, on".to_owned(),
            Some(false) => "added, off".to_owned(),
            None => "added".to_owned(),
        },
        (Some(_), None) => "removed".to_owned(),
        (Some(before), Some(after)) if before != after => compare(&before, &after).join(", "),
        _ => "changed, and changed back".to_owned(),
    }
}

/// Returns the name of an item.
#[must_use]
pub fn name_of(text: &RawValue) -> Option<String> {
    let item: Map<String, Value> = serde_json::from_str(text.get()).ok()?;
    Some(item.get("name")?.as_str()?.to_owned())
}

fn compare(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<String> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    let mut words: Vec<_> = changed
        .map(|name| match (name.as_str(), before.get(name), after.get(name)) {
            ("enabled", _, Some(Value::Bool(true))) => (0, "switched on".to_owned()),
            ("enabled", _, _) => (0, "switched off".to_owned()),
            ("strategies", Some(old), Some(new)) => (1, describe_strategies(old, new)),
            ("stale", _, Some(Value::Bool(true))) => (2, "marked as stale".to_owned()),
            ("stale", _, _) => (2, "not stale any more".to_owned()),
            (name, _, _) => (2, format!("{name} changed")),
        })
        .collect();
    words.sort();
    words.into_iter().map(|(_, words)| words).collect()
}

fn describe_strategies(old: &Value, new: &Value) -> String {
    let empty = Vec::new();
    let [old, new] = [old, new].map(|list| list.as_array().unwrap_or(&empty));
    let percentages = |list: &[Value]| -> Vec<String> {
        let parameters = list.iter().filter_map(|strategy| strategy.get("parameters"));
        let values =
            parameters.filter_map(|parameters| PERCENTAGES.into_iter().find_map(|name| parameters.get(name)));
        values.map(|value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)).collect()
    };
    let (before, after) = (percentages(old), percentages(new));
    let changed: Vec<_> = before
        .iter()
        .zip(&after)
        .filter(|(before, after)| before != after)
        .map(|(before, after)| format!("{before} → {after} %"))
        .collect();
    if old.len() == new.len() && before.len() == after.len() && !changed.is_empty() {
        return format!("strategies changed ({})", changed.join(", "));
    }
    if old.len() == new.len() {
        "strategies changed".to_owned()
    } else {
        format!("strategies changed ({} → {})", old.len(), new.len())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;
    use serde_json::{Value, json};

    use super::describe;

    #[test]
    fn describes_changes_of_toggles_and_segments() {
        let toggle = json!({ "name": "a", "enabled": true, "strategies": [], "stale": false });
        let with = |change: Value| {
            let mut toggle = toggle.clone();
            toggle.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            toggle
        };
        let rollout =
            |value: &str| json!([{ "name": "flexibleRollout", "parameters": { "rollout": value } }]);
        for (before, after, expected) in [
            (Value::Null, toggle.clone(), "added, on"),
            (Value::Null, with(json!({ "enabled": false })), "added, off"),
            (toggle.clone(), Value::Null, "removed"),
            (toggle.clone(), toggle.clone(), "changed, and changed back"),
            (
                toggle.clone(),
                with(json!({ "enabled": false, "stale": true })),
                "switched off, marked as stale",
            ),
            (toggle.clone(), with(json!({ "strategies": rollout("5") })), "strategies changed (0 → 1)"),
            (
                with(json!({ "strategies": rollout("5"), "enabled": false })),
                with(json!({ "strategies": rollout("50") })),
                "switched on, strategies changed (5 → 50 %)",
            ),
            (toggle.clone(), with(json!({ "impressionData": true })), "impressionData changed"),
            (json!({ "id": 1 }), json!({ "id": 1, "constraints": [] }), "constraints changed"),
        ] {
            let [before, after] =
                [before, after].map(|item| item.is_object().then(|| to_raw_value(&item).unwrap()));
            assert_eq!(describe(before.as_deref(), after.as_deref()), expected);
        }
    }
}
