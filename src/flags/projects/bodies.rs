//! Request bodies of projects.

use serde_json::{Value, json};

use crate::flags::schema::parts::{Name, Text, text_or_null};
use crate::flags::schema::{Components, RequestBody};

/// A project to create.
pub(super) enum NewProject {}

/// The new version of a project.
pub(super) enum ReplacedProject {}

/// A request that checks whether an id is valid and free.
pub(super) enum IdCheck {}

impl RequestBody for NewProject {
    const NAME: &'static str = "NewProject";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["id", "name"],
            "properties": {
                "id": components.reference::<Name>(),
                "name": components.reference::<Text>(),
                "description": text_or_null(),
            },
            "examples": [{ "id": "checkout", "name": "Checkout", "description": "" }],
        })
    }
}

impl RequestBody for ReplacedProject {
    const NAME: &'static str = "ReplacedProject";

    fn schema(components: &mut Components) -> Value {
        components.replacement::<NewProject>("id")
    }
}

impl RequestBody for IdCheck {
    const NAME: &'static str = "IdCheck";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object", "required": ["id"], "properties": { "id": components.reference::<Name>() },
            "examples": [{ "id": "checkout" }],
        })
    }
}
