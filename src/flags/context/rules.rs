//! Request bodies of context fields: their validation and schemas.

use serde_json::json;

use crate::api::ContextField;
use crate::api::limits::NAME_LENGTH;
use crate::flags::validation::{Field, RequestBody};

/// Default sort order of a context field.
const DEFAULT_SORT_ORDER: i32 = 10;

impl RequestBody for ContextField {
    const NAME: &'static str = "NewContextField";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            json!({ "examples": [{
                "name": "region", "description": "", "stickiness": true, "sortOrder": 3,
                "legalValues": ["eu", "us"],
            }] })
        });
        let name = body.get("name").key(NAME_LENGTH);
        let legal_values = body.get("legalValues").nullable(|list| Some(list.texts()));
        Self {
            name,
            description: body.get("description").nullable(Field::text),
            stickiness: body.get("stickiness").bool_or(false),
            sort_order: body
                .get("sortOrder")
                .describe(|| json!({ "format": "int32", "default": DEFAULT_SORT_ORDER }))
                .integer_within((i32::MIN.into(), i32::MAX.into()), ("number.base", "must be an integer"))
                .unwrap_or(DEFAULT_SORT_ORDER),
            // An empty list allows any value.
            legal_values: legal_values.filter(|values| !values.is_empty()),
            created_at: None,
        }
    }
}
