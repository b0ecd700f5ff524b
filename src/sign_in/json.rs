//! Reads JSON whose objects contain each name once. Other parsers use the last or the first of two values, so that a token
//! with two subjects could mean another user elsewhere.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The reasons why a text is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonFault {
    /// The text is not an object in JSON.
    NoObject,
    /// An object contains a name twice.
    DuplicateName,
}

/// Reads an object.
pub(super) fn parse_object(text: &[u8]) -> Result<Map<String, Value>, JsonFault> {
    match serde_json::from_slice(text) {
        Ok(Unique(Value::Object(object))) => Ok(object),
        // Every value is accepted, so that errors about data are those of this module.
        Err(error) if error.is_data() => Err(JsonFault::DuplicateName),
        Ok(_) | Err(_) => Err(JsonFault::NoObject),
    }
}

/// A value without duplicate names.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Unique;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(Unique(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Unique, A::Error> {
        let mut items = Vec::new();
        while let Some(Unique(item)) = access.next_element()? {
            items.push(item);
        }
        Ok(Unique(items.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Unique, A::Error> {
        let mut object = Map::new();
        while let Some((name, Unique(value))) = access.next_entry::<String, _>()? {
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("duplicate name"));
            }
        }
        Ok(Unique(object.into()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{JsonFault, parse_object};

    #[test]
    fn refuses_duplicate_names_at_any_depth() {
        let text = br#"{"a":[{"b":-1,"c":1.5}],"d":null,"e":"x","f":true}"#;
        let expected = json!({ "a": [{ "b": -1, "c": 1.5 }], "d": null, "e": "x", "f": true });
        assert_eq!(parse_object(text).map(serde_json::Value::from), Ok(expected));
        for (text, fault) in [
            (r#"{"a":1,"a":1}"#, JsonFault::DuplicateName),
            (r#"{"a":1,"\u0061":2}"#, JsonFault::DuplicateName),
            (r#"{"x":[{"a":1,"a":null}]}"#, JsonFault::DuplicateName),
            ("[]", JsonFault::NoObject),
            ("<html>", JsonFault::NoObject),
            (r#"{"a":1} {}"#, JsonFault::NoObject),
            ("", JsonFault::NoObject),
        ] {
            assert_eq!(parse_object(text.as_bytes()), Err(fault), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(parse_object(deep.as_bytes()), Err(JsonFault::NoObject));
    }
}
