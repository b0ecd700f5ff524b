//! Converts events of a newer server into events of the console. Pure.
//!
//! Newer servers store the changed part before and after the change, such as one strategy, and not the whole toggle. The
//! console shows the differences.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::api::diff;
use crate::api::json_list::JsonList;

type Object = Map<String, Value>;

/// Version of the list envelope.
const VERSION: u32 = 1;
/// Maximum size of the events in a response, in bytes of JSON. Older events are left out.
const MAX_BYTES: usize = 5 << 20;

/// Texts for the server's own console, with links to it.
const OMITTED: [&str; 2] = ["label", "summary"];

#[derive(Deserialize)]
struct Events<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}

/// Converts the response to a search of events into the list of the console: of all items, or of one toggle.
pub(in crate::compat) fn to_console_events(
    response: &[u8],
    toggle: Option<&str>,
) -> Result<Vec<u8>, serde_json::Error> {
    let Events { events } = serde_json::from_slice(response)?;
    let mut list = JsonList::new(MAX_BYTES);
    for event in events {
        let event: Object = serde_json::from_str(event.get())?;
        if !list.push(&to_console_event(event))? {
            break;
        }
    }
    let mut json = match toggle {
        Some(name) => format!("{{\"version\":{VERSION},\"toggleName\":{},\"events\":", json!(name)),
        None => format!("{{\"version\":{VERSION},\"events\":"),
    }
    .into_bytes();
    json.extend(list.into_json());
    json.push(b'}');
    Ok(json)
}

/// Converts one event: `data` contains the name of the toggle, and `diffs` the differences of `preData` and `data`.
fn to_console_event(mut event: Object) -> Object {
    for key in OMITTED {
        event.remove(key);
    }
    let toggle = event.get("featureName").and_then(Value::as_str).map(str::to_owned);
    let before = part(event.get("preData"));
    // The console takes the name of the item from the data, also of a removed item.
    let name = || before.clone().map(|before| before.into_iter().filter(|(key, _)| is_name(key)).collect());
    let after = part(event.get("data")).or_else(name).or_else(|| toggle.as_ref().map(|_| Object::new()));
    let (before, after) = match event.get("type").and_then(Value::as_str) {
        Some("feature-tagged" | "feature-untagged") => (None, tag_of(&event).or(after)),
        _ => (before, after),
    };
    let rename = |part: Option<Object>| part.map(|part| Value::Object(with_name(part, toggle.as_deref())));
    let (before, after) = (rename(before), rename(after));
    let diffs = match (&before, &after) {
        (Some(before), Some(after)) => json!(diff::compute(before, after)),
        _ => Value::Null,
    };
    event.insert("data".to_owned(), after.unwrap_or_default());
    event.insert("diffs".to_owned(), diffs);
    event.entry("environment").or_insert(Value::Null);
    event
}

/// Returns the tag of an event of a toggle. Events of older servers contain it as one property too.
fn tag_of(event: &Object) -> Option<Object> {
    let tag = part(event.get("data")).or_else(|| part(event.get("preData")))?;
    Some(Object::from_iter([("tag".to_owned(), Value::Object(tag))]))
}

fn part(value: Option<&Value>) -> Option<Object> {
    value.and_then(Value::as_object).cloned()
}

/// Returns true for the properties that identify an item.
fn is_name(key: &str) -> bool {
    matches!(key, "name" | "id" | "appName")
}

/// Sets the name of the toggle. The name of a strategy becomes `strategyName`.
fn with_name(mut part: Object, toggle: Option<&str>) -> Object {
    let Some(toggle) = toggle else { return part };
    match part.insert("name".to_owned(), toggle.into()) {
        Some(strategy) if strategy != toggle => {
            part.insert("strategyName".to_owned(), strategy);
        }
        _ => {}
    }
    part
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::to_console_events;

    fn convert(event: &Value) -> Value {
        let response = json!({ "total": 1, "events": [event] }).to_string();
        let list: Value =
            serde_json::from_slice(&to_console_events(response.as_bytes(), None).unwrap()).unwrap();
        list["events"][0].clone()
    }

    fn event(kind: &str, toggle: Option<&str>, before: &Value, after: &Value) -> Value {
        json!({
            "id": 7, "type": kind, "createdBy": "ada", "createdAt": "2026-11-22T06:06:15.601Z", "tags": [],
            "data": after, "preData": before, "featureName": toggle, "project": "default",
            "label": "Flag changed", "summary": "**ada** changed [a](http://internal/a)",
        })
    }

    /// Each case: type, toggle, the parts before and after, and the expected data and diffs.
    #[test]
    fn adds_the_name_of_the_toggle_and_the_differences() {
        let strategy = |rollout: &str| json!({ "id": "s", "name": "flexibleRollout", "parameters": { "rollout": rollout } });
        for (kind, toggle, before, after, data, diffs) in [
            (
                "feature-environment-enabled",
                Some("one"),
                Value::Null,
                Value::Null,
                json!({ "name": "one" }),
                Value::Null,
            ),
            (
                "feature-strategy-add",
                Some("one"),
                Value::Null,
                strategy("5"),
                json!({ "id": "s", "name": "one", "strategyName": "flexibleRollout", "parameters": { "rollout": "5" } }),
                Value::Null,
            ),
            (
                "feature-strategy-update",
                Some("one"),
                strategy("5"),
                strategy("50"),
                json!({ "id": "s", "name": "one", "strategyName": "flexibleRollout", "parameters": { "rollout": "50" } }),
                json!([{ "kind": "E", "path": ["parameters", "rollout"], "lhs": "5", "rhs": "50" }]),
            ),
            (
                "feature-strategy-remove",
                Some("one"),
                json!({ "name": "default", "title": "x" }),
                Value::Null,
                json!({ "name": "one", "strategyName": "default" }),
                json!([{ "kind": "D", "path": ["title"], "lhs": "x" }]),
            ),
            (
                "feature-metadata-updated",
                Some("one"),
                json!({ "name": "one", "stale": true }),
                json!({ "name": "one", "stale": false }),
                json!({ "name": "one", "stale": false }),
                json!([{ "kind": "E", "path": ["stale"], "lhs": true, "rhs": false }]),
            ),
            (
                "context-field-deleted",
                None,
                json!({ "name": "region", "sortOrder": 5 }),
                Value::Null,
                json!({ "name": "region" }),
                json!([{ "kind": "D", "path": ["sortOrder"], "lhs": 5 }]),
            ),
            (
                "feature-tagged",
                Some("one"),
                Value::Null,
                json!({ "type": "simple", "value": "a" }),
                json!({ "name": "one", "tag": { "type": "simple", "value": "a" } }),
                Value::Null,
            ),
            (
                "feature-untagged",
                Some("one"),
                json!({ "type": "simple", "value": "a" }),
                Value::Null,
                json!({ "name": "one", "tag": { "type": "simple", "value": "a" } }),
                Value::Null,
            ),
            ("tag-created", None, Value::Null, json!({ "value": "a" }), json!({ "value": "a" }), Value::Null),
            ("unknown", None, Value::Null, Value::Null, Value::Null, Value::Null),
        ] {
            let converted = convert(&event(kind, toggle, &before, &after));
            let mut expected = event(kind, toggle, &before, &data);
            for key in ["label", "summary"] {
                expected.as_object_mut().unwrap().remove(key);
            }
            expected["diffs"] = diffs;
            expected["environment"] = Value::Null;
            assert_eq!(converted, expected, "{kind}");
        }
    }

    #[test]
    fn keeps_the_environment_and_names_the_toggle() {
        let mut changed = event("feature-environment-disabled", Some("a\"b"), &Value::Null, &Value::Null);
        changed["environment"] = json!("production");
        let response = json!({ "events": [changed] }).to_string();
        let list = to_console_events(response.as_bytes(), Some("a\"b")).unwrap();
        let list: Value = serde_json::from_slice(&list).unwrap();
        assert_eq!((&list["version"], &list["toggleName"]), (&json!(1), &json!("a\"b")));
        assert_eq!(list["events"][0]["environment"], "production");
    }

    #[test]
    fn limits_the_size_and_rejects_other_formats() {
        let large = event("features-exported", None, &Value::Null, &json!({ "text": "x".repeat(2 << 20) }));
        let response = json!({ "events": [large, large, large, large] }).to_string();
        let list = to_console_events(response.as_bytes(), None).unwrap();
        let list: Value = serde_json::from_slice(&list).unwrap();
        assert_eq!(list["events"].as_array().unwrap().len(), 2);
        for other in ["[]", "{}", "<html>", r#"{"events": [1]}"#] {
            assert!(to_console_events(other.as_bytes(), None).is_err(), "{other}");
        }
    }
}
