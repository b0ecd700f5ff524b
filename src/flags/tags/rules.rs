//! Request bodies of tag types and tags: their validation and schemas.

use serde_json::json;

use crate::api::limits::TAG_LENGTH;
use crate::api::{Tag, TagType};
use crate::flags::validation::{Field, RequestBody, url_friendly_text};
use crate::path_rules;

/// Default type of a tag.
pub const DEFAULT_TAG_TYPE: &str = "simple";
/// Values that no path can have as a segment, as far as a regular expression describes them: encoded ones are decoded more than once.
const IMPOSSIBLE_SEGMENT: &str = r"(^|/)\s*\.{1,2}\s*($|[/;?#])|[\\\u0000-\u001f\u007f-\u009f]";

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
        Self { kind: read_kind(&body.get("type")), value: read_value(&body.get("value")) }
    }
}

/// Reads the value of a tag. It must be possible as a segment of a path, because the request that removes the tag names it there.
fn read_value(field: &Field<'_>) -> String {
    field.describe(|| json!({ "not": { "pattern": IMPOSSIBLE_SEGMENT } }));
    let value = field.required_text_within(TAG_LENGTH);
    if !path_rules::can_be_segment(&value) {
        field.add_error(
            "string.path",
            "must be possible in a path, without control characters, \\, %XX, . and ..",
        );
    }
    value
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
