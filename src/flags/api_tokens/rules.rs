//! Request body of tokens: its validation and schema.

use serde_json::{Value, json};

use crate::api::ApiTokenDraft;
use crate::api::limits::{
    API_TOKEN_NAME_LENGTH, MAX_ORIGIN_LENGTH, MAX_PROJECT_ID_LENGTH, MAX_TOKEN_ORIGINS, MAX_TOKEN_PROJECTS,
    MAX_TOKEN_TAGS, TAG_LENGTH,
};
use crate::config::{TokenKind, TokenScope, parse_token_origin};
use crate::flags::validation::{Field, RequestBody};

impl RequestBody for ApiTokenDraft {
    const NAME: &'static str = "NewApiToken";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            let none = json!({ "maxItems": 0 });
            json!({
                "if": { "required": ["kind"], "properties": { "kind": { "const": TokenKind::Frontend.as_str() } } },
                "else": { "properties": { "origins": none, "projects": none, "tags": none } },
                "examples": [{
                    "name": "shop-web", "kind": "frontend",
                    "origins": ["https://shop.example"], "projects": ["default"], "tags": ["simple:web"],
                }],
            })
        });
        let words = [TokenKind::Client, TokenKind::Frontend].map(|kind| (kind.as_str(), kind));
        let name = read_name(&body.get("name"));
        let kind = body.get("kind").one_of_or(&words, TokenKind::Client);
        let list = |key, max, description: &str, read: fn(&Field<'_>) -> String| -> Vec<String> {
            let field = body.get(key);
            field.describe(|| json!({ "description": format!("Only of frontend tokens: {description}") }));
            let items = field.value().and_then(Value::as_array);
            if kind == TokenKind::Client && items.is_some_and(|items| !items.is_empty()) {
                let requirement = "is only allowed for frontend tokens; client tokens read all toggles";
                field.add_error("any.unknown", requirement);
                return Vec::new();
            }
            let mut items = field.list(max, read);
            items.sort_unstable();
            items.dedup();
            items
        };
        let origins = "scheme, host and optional port of pages, or `*`.";
        let projects = "ids of existing projects; empty: all.";
        let tags = "tags as `type:value`; empty: all toggles.";
        let scope = TokenScope {
            kind,
            origins: list("origins", MAX_TOKEN_ORIGINS, origins, read_origin),
            projects: list("projects", MAX_TOKEN_PROJECTS, projects, read_project),
            tags: list("tags", MAX_TOKEN_TAGS, tags, read_tag),
        };
        Self { name, scope }
    }
}

/// Reads the name. It is a segment of the URL of the token, from which browsers remove `.` and `..`.
fn read_name(field: &Field<'_>) -> String {
    let name = field.required_text_within((0, API_TOKEN_NAME_LENGTH.1));
    field.describe(|| {
        json!({
            "pattern": r"^(?!\.{1,2}$)[^\x00-\x1f\x7f-\x9f]+$",
            "description": "No control characters; not `.` or `..`.",
        })
    });
    if name.chars().any(char::is_control) || matches!(name.as_str(), "." | "..") {
        field.add_error("string.name", "must not have control characters, and not be . or ..");
    }
    name
}

/// Reads an origin, and returns it in the form in which browsers send it.
fn read_origin(field: &Field<'_>) -> String {
    let text = field.required_text();
    let is_short = field.check_bounds(&text, (1, MAX_ORIGIN_LENGTH));
    field.describe(|| json!({ "pattern": r"^(\*|https?://[^/?#@*\s]+)$" }));
    if !is_short {
        return text;
    }
    parse_token_origin(&text).unwrap_or_else(|| {
        let requirement =
            "must be http or https, a host and an optional port, such as https://shop.example, or *";
        field.add_error("string.origin", requirement);
        text
    })
}

fn read_project(field: &Field<'_>) -> String {
    field.required_text_within((0, MAX_PROJECT_ID_LENGTH))
}

/// Reads a tag as `type:value`. The type contains no colon.
fn read_tag(field: &Field<'_>) -> String {
    let tag = field.required_text();
    field.describe(
        || json!({ "pattern": format!("^[^:]{{{0},{1}}}:.{{{0},{1}}}$", TAG_LENGTH.0, TAG_LENGTH.1) }),
    );
    let is_part = |part: &str| (TAG_LENGTH.0..=TAG_LENGTH.1).contains(&part.chars().count());
    if !tag.split_once(':').is_some_and(|(kind, value)| is_part(kind) && is_part(value)) {
        field.add_error("string.tag", "must be a tag type and a value, such as team:checkout");
    }
    tag
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::api::ApiTokenDraft;
    use crate::flags::validation::RequestBody as _;

    /// Each case: an origin, and its stored form; none if it is refused.
    #[test]
    fn accepts_origins_as_browsers_send_them() {
        for (origin, stored) in [
            ("https://shop.example", Some("https://shop.example")),
            ("https://Shop.Example:443", Some("https://shop.example")),
            ("http://localhost:3000", Some("http://localhost:3000")),
            ("*", Some("*")),
            ("https://shop.example/", None),
            ("https://shop.example/path", None),
            ("https://*.shop.example", None),
            ("https://user@shop.example", None),
            ("shop.example", None),
            ("ftp://shop.example", None),
            ("null", None),
            ("", None),
        ] {
            let draft =
                ApiTokenDraft::parse(&json!({ "name": "shop", "kind": "frontend", "origins": [origin] }));
            let parsed = draft.ok().map(|draft| draft.scope.origins);
            assert_eq!(parsed, stored.map(|stored| vec![stored.to_owned()]), "{origin}");
        }
    }

    /// Each case: a body, and the start of the first error; none if the body is valid.
    #[test]
    fn names_the_invalid_field() {
        let frontend = |key: &str, items: Value| json!({ "name": "shop", "kind": "frontend", key: items });
        for (body, error) in [
            (json!({ "name": "the shop/web" }), None),
            (frontend("projects", json!(["default", "default"])), None),
            (frontend("tags", json!(["team:aa:bb"])), None),
            (json!({}), Some("\"name\" is required")),
            (json!({ "name": "" }), Some("\"name\" is not allowed to be empty")),
            (json!({ "name": ".." }), Some("\"name\" must not")),
            (json!({ "name": "a\nb" }), Some("\"name\" must not")),
            (json!({ "name": "x".repeat(101) }), Some("\"name\" length must be less")),
            (json!({ "name": "shop", "kind": "server" }), Some("\"kind\" must be one of [client, frontend]")),
            (json!({ "name": "shop", "origins": ["*"] }), Some("\"origins\" is only allowed for frontend")),
            (json!({ "name": "shop", "tags": ["team:shop"] }), Some("\"tags\" is only allowed for frontend")),
            (frontend("tags", json!(["team"])), Some("\"tags[0]\" must be a tag type")),
            (frontend("tags", json!(["team:"])), Some("\"tags[0]\" must be a tag type")),
            (frontend("projects", json!("default")), Some("\"projects\" must be an array")),
            (frontend("origins", json!(vec!["*"; 101])), Some("\"origins\" must contain less")),
        ] {
            let message = ApiTokenDraft::parse(&body).err().map(|error| error.to_string());
            let is_expected = match (&message, error) {
                (Some(message), Some(start)) => message.starts_with(start),
                (message, start) => message.is_none() && start.is_none(),
            };
            assert!(is_expected, "{body}: {message:?}");
        }
    }
}
