//! Request bodies of tag types and tags.

use serde_json::{Value, json};

use crate::api::limits::TAG_LENGTH;
use crate::flags::schema::parts::{text_or_null, url_friendly_text};
use crate::flags::schema::{Components, RequestBody};
use crate::flags::tags::rules::DEFAULT_TAG_TYPE;

/// A tag type to create.
pub(super) enum NewTagType {}

/// The new version of a tag type.
pub(super) enum ReplacedTagType {}

/// A tag to create, or to add to a toggle.
pub(in crate::flags) enum NewTag {}

enum ShortName {}

impl RequestBody for NewTagType {
    const NAME: &'static str = "NewTagType";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": components.reference::<ShortName>(),
                "description": text_or_null(),
                "icon": text_or_null(),
            },
            "examples": [{ "name": "team", "description": "Who owns it", "icon": "T" }],
        })
    }
}

impl RequestBody for ReplacedTagType {
    const NAME: &'static str = "ReplacedTagType";

    fn schema(components: &mut Components) -> Value {
        components.replacement::<NewTagType>("name")
    }
}

impl RequestBody for NewTag {
    const NAME: &'static str = "NewTag";

    fn schema(components: &mut Components) -> Value {
        let (min, max) = TAG_LENGTH;
        let kind = [components.reference::<ShortName>(), json!({ "const": "" })];
        json!({
            "type": "object",
            "required": ["value"],
            "properties": {
                "type": { "anyOf": kind, "default": DEFAULT_TAG_TYPE },
                "value": { "type": "string", "minLength": min, "maxLength": max },
            },
            "examples": [{ "type": "simple", "value": "web" }],
        })
    }
}

impl RequestBody for ShortName {
    const NAME: &'static str = "ShortName";

    fn schema(_: &mut Components) -> Value {
        url_friendly_text(TAG_LENGTH)
    }
}
