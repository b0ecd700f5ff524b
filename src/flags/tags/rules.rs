//! Request bodies of tag types and tags: their validation and schemas.

use serde_json::json;

use crate::api::limits::TAG_LENGTH;
use crate::api::{Tag, TagType};
use crate::flags::validation::{Field, RequestBody, url_friendly_text};

/// Default type of a tag.
pub const DEFAULT_TAG_TYPE: &str = "simple";

impl RequestBody for TagType {
    const NAME: &'static str = "NewTagType";

    fn read(body: &Field<'_>) -> Self {
        body.describe(
            || json!({ "examples": [{ "name": "team", "description": "Who owns it", "icon": "T" }] }),
        );
        Self {
            name: body.get("name").key(TAG_LENGTH),
            description: body.get("description").nullable(Field::text),
            icon: body.get("icon").nullable(Field::text),
        }
    }
}

impl RequestBody for Tag {
    const NAME: &'static str = "NewTag";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [{ "type": "simple", "value": "web" }] }));
        Self { kind: read_kind(&body.get("type")), value: body.get("value").required_text_within(TAG_LENGTH) }
    }
}

/// Reads the type of a tag. A missing or empty type becomes the default type.
fn read_kind(field: &Field<'_>) -> String {
    field.describe(|| {
        let kind = [url_friendly_text(TAG_LENGTH), json!({ "const": "" })];
        json!({ "anyOf": kind, "default": DEFAULT_TAG_TYPE })
    });
    if field.value().is_none_or(|kind| kind == "") {
        DEFAULT_TAG_TYPE.to_owned()
    } else {
        field.name(TAG_LENGTH)
    }
}
