//! Request bodies of context fields.

use serde_json::{Value, json};

use crate::api::limits::MAX_VALUES;
use crate::flags::context::rules::DEFAULT_SORT_ORDER;
use crate::flags::schema::parts::{Name, Text, text_or_null};
use crate::flags::schema::{Components, RequestBody};

/// A context field to create.
pub(super) enum NewContextField {}

/// The new version of a context field.
pub(super) enum ReplacedContextField {}

impl RequestBody for NewContextField {
    const NAME: &'static str = "NewContextField";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": components.reference::<Name>(),
                "description": text_or_null(),
                "stickiness": { "type": "boolean", "default": false },
                "sortOrder": {
                    "type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX,
                    "default": DEFAULT_SORT_ORDER,
                },
                "legalValues": components.list_or_null::<Text>(MAX_VALUES),
            },
            "examples": [{
                "name": "region", "description": "", "stickiness": true, "sortOrder": 3,
                "legalValues": ["eu", "us"],
            }],
        })
    }
}

impl RequestBody for ReplacedContextField {
    const NAME: &'static str = "ReplacedContextField";

    fn schema(components: &mut Components) -> Value {
        components.replacement::<NewContextField>("name")
    }
}
