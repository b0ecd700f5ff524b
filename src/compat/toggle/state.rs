//! Converts a toggle of a newer server into a toggle of the console. Pure.

use serde_json::{Map, Value, json};

type Object = Map<String, Value>;

/// Converts a toggle with the state of all environments into the toggle that the console edits: the state of one
/// environment. Properties that the console does not know, such as dependencies, stay.
///
/// The console gets the states of the other environments as `otherEnvironments`. `variants` are the variants of
/// the environment, for servers that do not include them in the toggle.
///
/// Returns `None` if the toggle does not have this environment, or if the response has another format.
#[must_use]
pub(in crate::compat) fn to_console_toggle(
    mut toggle: Object,
    environment: &str,
    variants: Option<Vec<Value>>,
) -> Option<Object> {
    let Some(Value::Array(environments)) = toggle.remove("environments") else { return None };
    let mut state = None;
    let mut others = Vec::new();
    for entry in environments {
        let Value::Object(entry) = entry else { return None };
        if entry.get("name")? == environment {
            state = Some(entry);
        } else {
            others.push(summary(&entry)?);
        }
    }
    let mut state = state?;
    let stored_variants = variants.map(Value::Array).or_else(|| state.remove("variants"));
    if let Some(variants) = stored_variants.filter(|variants| !variants.is_null()) {
        toggle.insert("variants".to_owned(), variants);
    }
    // A state of 8.2 has its own time; the time of the toggle is missing there.
    if let Some(time) = state.remove("lastSeenAt").filter(|time| !time.is_null()) {
        toggle.insert("lastSeenAt".to_owned(), time);
    }
    toggle.insert("enabled".to_owned(), state.remove("enabled")?);
    let mut strategies = state.remove("strategies")?;
    normalize(&mut strategies);
    toggle.insert("strategies".to_owned(), strategies);
    for (key, default) in [("variants", json!([])), ("lastSeenAt", Value::Null)] {
        toggle.entry(key).or_insert(default);
    }
    toggle.insert("otherEnvironments".to_owned(), Value::Array(others));
    Some(toggle)
}

/// Removes differences that no user has made. Servers return the ids of segments in any order, and they number the
/// strategies: the position in the list is enough, and moving one strategy is not a change of the others.
fn normalize(strategies: &mut Value) {
    for strategy in strategies.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        strategy.remove("sortOrder");
        if let Some(segments) = strategy.get_mut("segments").and_then(Value::as_array_mut) {
            segments.sort_by_key(Value::as_i64);
        }
    }
}

/// Returns the name, the state and the number of strategies of an environment.
fn summary(entry: &Object) -> Option<Value> {
    let strategies = entry.get("strategies")?.as_array()?.len();
    Some(json!({ "name": entry.get("name")?, "enabled": entry.get("enabled")?, "strategies": strategies }))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::to_console_toggle;

    fn convert(toggle: Value, environment: &str, variants: Option<Vec<Value>>) -> Option<Value> {
        let Value::Object(toggle) = toggle else { unreachable!() };
        to_console_toggle(toggle, environment, variants).map(Value::Object)
    }

    fn toggle() -> Value {
        json!({
            "name": "search", "type": "release", "project": "default", "description": null, "stale": false,
            "createdAt": "2026-11-02T10:00:00Z", "archived": false, "impressionData": true,
            "dependencies": [{ "feature": "index", "enabled": true, "variants": [] }],
            "environments": [
                { "name": "development", "type": "development", "sortOrder": 2, "enabled": true,
                  "lastSeenAt": "2026-11-03T10:00:00Z",
                  "strategies": [{ "id": "01", "name": "flexibleRollout", "title": "Beta", "disabled": false, "sortOrder": 7,
                                   "segments": [1], "milestoneId": "m", "parameters": { "rollout": "40" } }] },
                { "name": "production", "type": "production", "sortOrder": 3, "enabled": false, "lastSeenAt": null,
                  "strategies": [] },
            ],
        })
    }

    #[test]
    fn shows_one_environment_and_keeps_unknown_properties() {
        assert_eq!(
            convert(toggle(), "development", None),
            Some(json!({
                "name": "search", "type": "release", "project": "default", "description": null, "stale": false,
                "createdAt": "2026-11-02T10:00:00Z", "archived": false, "impressionData": true,
                "dependencies": [{ "feature": "index", "enabled": true, "variants": [] }],
                "enabled": true, "lastSeenAt": "2026-11-03T10:00:00Z", "variants": [],
                "strategies": [{ "id": "01", "name": "flexibleRollout", "title": "Beta", "disabled": false,
                                 "segments": [1], "milestoneId": "m", "parameters": { "rollout": "40" } }],
                "otherEnvironments": [{ "name": "production", "enabled": false, "strategies": 0 }],
            }))
        );
        let in_production = convert(toggle(), "production", Some(vec![json!({ "name": "blue" })])).unwrap();
        assert_eq!(in_production["enabled"], false);
        assert_eq!(in_production["lastSeenAt"], Value::Null);
        assert_eq!(in_production["variants"], json!([{ "name": "blue" }]));
    }

    #[test]
    fn sorts_segments() {
        let mut unsorted = toggle();
        unsorted["environments"][0]["strategies"][0]["segments"] = json!([5, 12, 4]);
        let converted = convert(unsorted, "development", None).unwrap();
        assert_eq!(converted["strategies"][0]["segments"], json!([4, 5, 12]));
    }

    #[test]
    fn keeps_the_variants_and_the_time_of_the_toggle() {
        let mut old = toggle();
        old["variants"] = json!([{ "name": "red" }]);
        old["lastSeenAt"] = json!("2026-11-01T10:00:00Z");
        let converted = convert(old, "production", None).unwrap();
        assert_eq!(converted["variants"], json!([{ "name": "red" }]));
        assert_eq!(converted["lastSeenAt"], "2026-11-01T10:00:00Z");
    }

    #[test]
    fn rejects_unknown_environments_and_other_formats() {
        assert_eq!(convert(toggle(), "staging", None), None);
        for other in [
            json!({}),
            json!({ "environments": [1] }),
            json!({ "environments": [{ "name": "development" }] }),
        ] {
            assert_eq!(convert(other.clone(), "development", None), None, "{other}");
        }
    }
}
