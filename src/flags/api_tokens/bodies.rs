//! Request bodies of tokens.

use serde_json::{Value, json};

use crate::api::limits::{
    API_TOKEN_NAME_LENGTH, MAX_ORIGIN_LENGTH, MAX_PROJECT_ID_LENGTH, MAX_TOKEN_ORIGINS, MAX_TOKEN_PROJECTS,
    MAX_TOKEN_TAGS,
};
use crate::config::TokenKind;
use crate::flags::schema::{Components, RequestBody};

/// A token to create.
pub(super) enum NewApiToken {}

impl RequestBody for NewApiToken {
    const NAME: &'static str = "NewApiToken";

    fn schema(_: &mut Components) -> Value {
        let (min, max) = API_TOKEN_NAME_LENGTH;
        let kinds = [TokenKind::Client, TokenKind::Frontend].map(TokenKind::as_str);
        let none = json!({ "maxItems": 0 });
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {
                    "type": "string", "minLength": min, "maxLength": max,
                    "pattern": r"^(?!\.{1,2}$)[^\x00-\x1f\x7f-\x9f]+$",
                    "description": "No control characters; not `.` or `..`.",
                },
                "kind": { "enum": kinds, "default": TokenKind::Client.as_str() },
                "origins": {
                    "type": "array", "maxItems": MAX_TOKEN_ORIGINS,
                    "items": {
                        "type": "string", "maxLength": MAX_ORIGIN_LENGTH, "pattern": r"^(\*|https?://[^/?#@*\s]+)$",
                    },
                    "description": "Only of frontend tokens: scheme, host and optional port of pages, or `*`.",
                },
                "projects": {
                    "type": "array", "maxItems": MAX_TOKEN_PROJECTS,
                    "items": { "type": "string", "minLength": 1, "maxLength": MAX_PROJECT_ID_LENGTH },
                    "description": "Only of frontend tokens: ids of existing projects; empty: all.",
                },
                "tags": {
                    "type": "array", "maxItems": MAX_TOKEN_TAGS,
                    "items": { "type": "string", "pattern": "^[^:]{2,50}:.{2,50}$" },
                    "description": "Only of frontend tokens: tags as `type:value`; empty: all toggles.",
                },
            },
            "if": { "required": ["kind"], "properties": { "kind": { "const": TokenKind::Frontend.as_str() } } },
            "else": { "properties": { "origins": none, "projects": none, "tags": none } },
            "examples": [{
                "name": "shop-web", "kind": "frontend",
                "origins": ["https://shop.example"], "projects": ["default"], "tags": ["simple:web"],
            }],
        })
    }
}
