//! Describes the change of a toggle or a segment. Pure.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::field_differences::{self, FieldDifference};

/// Maximum number of fields in a description.
const MAX_FIELDS: usize = 10;

/// Describes a change: `switched off; ~ strategies[flexibleRollout].parameters.rollout: "25" → "50"`.
#[must_use]
pub fn describe(before: Option<&RawValue>, after: Option<&RawValue>) -> String {
    let parse = |text: &RawValue| serde_json::from_str::<Value>(text.get()).ok();
    match (before.and_then(parse), after.and_then(parse)) {
        (None, Some(after)) => match after.get("enabled").and_then(Value::as_bool) {
            Some(true) => "added, on".to_owned(),
            Some(false) => "added, off".to_owned(),
            None => "added".to_owned(),
        },
        (Some(_), None) => "removed".to_owned(),
        (Some(before), Some(after)) if before != after => compare(&before, &after),
        _ => "changed, and changed back".to_owned(),
    }
}

/// Returns the name of an item.
#[must_use]
pub fn name_of(text: &RawValue) -> Option<String> {
    let item: Value = serde_json::from_str(text.get()).ok()?;
    Some(item.get("name")?.as_str()?.to_owned())
}

fn compare(before: &Value, after: &Value) -> String {
    let mut differences = field_differences::compare("", &[before, after]);
    differences.sort_by_key(|difference| difference.path != "enabled");
    let describe = |difference: &FieldDifference| match (difference.path.as_str(), difference.values.last()) {
        ("enabled", Some(Value::Bool(true))) => "switched on".to_owned(),
        ("enabled", _) => "switched off".to_owned(),
        _ => difference.to_line(),
    };
    let mut words: Vec<_> = differences.iter().take(MAX_FIELDS).map(describe).collect();
    if differences.len() > MAX_FIELDS {
        words.push(format!("{} more fields", differences.len() - MAX_FIELDS));
    }
    words.join("; ")
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
                "switched off; ~ stale: false → true",
            ),
            (
                toggle.clone(),
                with(json!({ "strategies": rollout("5") })),
                "~ strategies: [] → [\"flexibleRollout\"]; + strategies[flexibleRollout].parameters.rollout: \"5\"",
            ),
            (
                with(json!({ "strategies": rollout("5"), "enabled": false })),
                with(json!({ "strategies": rollout("50") })),
                "switched on; ~ strategies[flexibleRollout].parameters.rollout: \"5\" → \"50\"",
            ),
            (toggle.clone(), with(json!({ "impressionData": true })), "+ impressionData: true"),
            (json!({ "id": 1 }), json!({ "id": 1, "constraints": [] }), "+ constraints: []"),
        ] {
            let [before, after] =
                [before, after].map(|item| item.is_object().then(|| to_raw_value(&item).unwrap()));
            assert_eq!(describe(before.as_deref(), after.as_deref()), expected);
        }
    }
}
