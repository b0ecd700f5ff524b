//! JSON schemas of request and response bodies. Endpoints declare them; `openapi` collects them in the document.

pub(super) mod parts;

use std::any::type_name;

use serde_json::{Map, Value, json};

#[cfg(test)]
pub(in crate::flags) use schemars::JsonSchema as ResponseBody;
#[cfg(test)]
use schemars::SchemaGenerator;
#[cfg(not(test))]
pub(in crate::flags) use serde::Serialize as ResponseBody;

/// The type of a request body in the document. The `rules` of its noun validate the body.
pub trait RequestBody {
    /// The name of the schema.
    const NAME: &'static str;

    /// Returns the JSON schema. Schemas that it refers to are added to `components`.
    fn schema(components: &mut Components) -> Value;
}

/// The schema of a type. Only the test that generates the document stores it, so that the binary does not contain it.
#[derive(Debug)]
pub struct Schema {
    /// The name of the Rust type.
    pub type_name: &'static str,
    #[cfg(test)]
    pub(crate) generate: fn(&mut Generator) -> Value,
}

/// Generates schemas and collects those that the document contains.
#[cfg(test)]
pub(crate) struct Generator {
    pub(crate) responses: SchemaGenerator,
    pub(crate) requests: Components,
}

/// The schemas of request bodies by name.
#[derive(Debug, Default)]
pub struct Components(Map<String, Value>);

impl Schema {
    pub(in crate::flags) fn of_request<B: RequestBody>() -> Self {
        Self {
            type_name: type_name::<B>(),
            #[cfg(test)]
            generate: |generator| generator.requests.reference::<B>(),
        }
    }

    pub(in crate::flags) fn of_response<T: ResponseBody>() -> Self {
        Self {
            type_name: type_name::<T>(),
            #[cfg(test)]
            generate: |generator| generator.responses.subschema_for::<T>().to_value(),
        }
    }
}

impl Components {
    /// Adds the schema of a type and returns a reference to it.
    pub fn reference<B: RequestBody>(&mut self) -> Value {
        let schema = B::schema(self);
        self.0.insert(B::NAME.to_owned(), schema);
        json!({ "$ref": format!("#/components/schemas/{}", B::NAME) })
    }

    /// Returns the schema of a list of the type.
    pub fn list<B: RequestBody>(&mut self, max: usize) -> Value {
        json!({ "type": "array", "maxItems": max, "items": self.reference::<B>() })
    }

    /// Returns the schema of a list of the type that may be null.
    pub fn list_or_null<B: RequestBody>(&mut self, max: usize) -> Value {
        json!({ "type": ["array", "null"], "maxItems": max, "items": self.reference::<B>() })
    }

    /// Returns the schema of a replacement, which is derived from the schema of a new item. The path contains the key.
    pub fn replacement<B: RequestBody>(&mut self, key: &str) -> Value {
        let mut body = B::schema(self);
        if let Some(required) = body.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|required| required != key);
        }
        if let Some(properties) = body.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert(key.to_owned(), json!({ "description": "Ignored: the path contains it." }));
        }
        body
    }

    #[cfg(test)]
    pub(crate) fn into_schemas(self) -> Map<String, Value> {
        self.0
    }
}
