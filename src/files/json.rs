//! Reads properties of the JSON of the API.

use serde_json::Value;

/// Returns a text of an object; empty without one.
pub(super) fn text_of<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the items of a list of an object; none without one.
pub(super) fn items_of<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
