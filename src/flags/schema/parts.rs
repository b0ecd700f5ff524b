//! Parts of request bodies that several nouns share.

use serde_json::{Value, json};

use super::{Components, RequestBody};
use crate::api::limits::NAME_LENGTH;

/// A name that is safe in a URL.
pub(in crate::flags) enum Name {}

/// A text that is not empty.
pub(in crate::flags) enum Text {}

/// A request that checks whether a name is valid and free.
pub(in crate::flags) enum NameCheck {}

impl RequestBody for Name {
    const NAME: &'static str = "Name";

    fn schema(_: &mut Components) -> Value {
        url_friendly_text(NAME_LENGTH)
    }
}

impl RequestBody for Text {
    const NAME: &'static str = "Text";

    fn schema(_: &mut Components) -> Value {
        json!({ "type": "string", "minLength": 1 })
    }
}

impl RequestBody for NameCheck {
    const NAME: &'static str = "NameCheck";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object", "required": ["name"], "properties": { "name": components.reference::<Name>() },
            "examples": [{ "name": "checkout.express" }],
        })
    }
}

/// Returns the schema of a text that may be null.
pub(in crate::flags) fn text_or_null() -> Value {
    json!({ "type": ["string", "null"] })
}

/// Returns the schema of a text that needs no escaping in a URL.
pub(in crate::flags) fn url_friendly_text((min, max): (usize, usize)) -> Value {
    json!({
        "type": "string", "minLength": min, "maxLength": max, "pattern": r"^(?!\.\.$)[A-Za-z0-9\-_.!~*'()]+$",
        "description": "Needs no escaping in a URL; not `..`.",
    })
}
