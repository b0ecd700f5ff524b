//! The context of an evaluation.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::texts::{TextSet, Texts, order};

/// Name of the context field with the time of the evaluation.
pub(super) const CURRENT_TIME: &str = "currentTime";

/// The values of context fields, such as `userId` and `sessionId`, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct Context {
    names: TextSet,
    /// In the order of the names.
    values: Texts,
}

impl Context {
    /// Creates a context from names and values. The first value of a name counts.
    pub fn from_pairs<N: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        let mut pairs: Vec<(N, V)> = pairs.into_iter().collect();
        pairs.sort_by(|(one, _), (other, _)| order(one.as_ref(), other.as_ref()));
        pairs.dedup_by(|(later, _), (first, _)| later.as_ref() == first.as_ref());
        let names = pairs.iter().map(|(name, _)| name).collect();
        Self { names, values: pairs.iter().map(|(_, value)| value).collect() }
    }

    /// Sets `currentTime` if it is absent: RFC 3339.
    pub fn set_default_time(&mut self, time: &str) {
        if self.get(CURRENT_TIME).is_none() {
            let pairs = self.names.iter().zip(self.values.iter());
            *self = Self::from_pairs(pairs.chain([(CURRENT_TIME, time)]));
        }
    }

    /// Returns the value of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(self.names.position(name)?)
    }

    /// Returns the length of the longest value in bytes.
    #[must_use]
    pub fn longest_value(&self) -> usize {
        self.values.iter().map(str::len).max().unwrap_or_default()
    }

    /// Returns the number of fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns true if the context has no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl From<Map<String, Value>> for Context {
    /// Reads the format of client libraries: fields at the top, and others in `properties`. Null is absent; numbers and
    /// booleans become texts.
    fn from(mut fields: Map<String, Value>) -> Self {
        let properties = match fields.remove("properties") {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        };
        Self::from_pairs(texts_of(fields).chain(texts_of(properties)))
    }
}

/// Returns the fields that are texts, numbers or booleans, as texts.
pub fn texts_of(fields: Map<String, Value>) -> impl Iterator<Item = (String, String)> {
    fields.into_iter().filter_map(|(name, value)| Some((name, text_of(value)?)))
}

/// Returns a text, number or boolean as text.
pub(super) fn text_of(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Context;

    #[test]
    fn reads_fields_and_properties() {
        let json =
            r#"{ "userId": 7, "properties": { "userId": "8", "plan": "gold", "x": null }, "vip": true }"#;
        let mut context: Context = serde_json::from_str(json).unwrap();
        context.set_default_time("2026-01-01T00:00:00Z");
        context.set_default_time("2027-01-01T00:00:00Z");
        let read = ["userId", "plan", "vip", "x", "currentTime"].map(|name| context.get(name));
        assert_eq!(read, [Some("7"), Some("gold"), Some("true"), None, Some("2026-01-01T00:00:00Z")]);
    }
}
