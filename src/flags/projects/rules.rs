//! Request bodies of projects: their validation and schemas.

use serde_json::json;

use crate::api::Project;
use crate::api::limits::NAME_LENGTH;
use crate::flags::validation::{Field, RequestBody};

/// Default project of a toggle.
pub const DEFAULT_PROJECT: &str = "default";

/// A request that checks whether an id is valid and free.
pub(super) struct IdCheck(pub(super) String);

impl RequestBody for Project {
    const NAME: &'static str = "NewProject";

    fn read(body: &Field<'_>) -> Self {
        body.describe(
            || json!({ "examples": [{ "id": "checkout", "name": "Checkout", "description": "" }] }),
        );
        Self {
            id: body.get("id").key(NAME_LENGTH),
            name: body.get("name").required_text(),
            description: body.get("description").nullable(Field::text),
            created_at: None,
        }
    }
}

impl RequestBody for IdCheck {
    const NAME: &'static str = "IdCheck";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [{ "id": "checkout" }] }));
        Self(body.get("id").name(NAME_LENGTH))
    }
}
