//! Validation of tokens.

use serde_json::Value;

use crate::api::ApiTokenDraft;
use crate::api::limits::{
    API_TOKEN_NAME_LENGTH, MAX_ORIGIN_LENGTH, MAX_PROJECT_ID_LENGTH, MAX_TOKEN_ORIGINS, MAX_TOKEN_PROJECTS,
    MAX_TOKEN_TAGS, TAG_LENGTH,
};
use crate::config::{TokenKind, TokenScope, parse_token_origin};
use crate::error::ApiError;
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Parses the token to create.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_new_token(body: &Value) -> Result<ApiTokenDraft, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let name = parse_name(&body.get("name"), &mut errors);
    let words = [TokenKind::Client, TokenKind::Frontend].map(|kind| (kind.as_str(), kind));
    let kind = body.get("kind").one_of(&words, &mut errors).unwrap_or(TokenKind::Client);
    let mut list = |key: &str, max: usize, parse: ParseItem| -> Vec<String> {
        let field = body.get(key);
        let items = field.items(max, &mut errors);
        if kind == TokenKind::Client && !items.is_empty() {
            let requirement = "is only allowed for frontend tokens; client tokens read all toggles";
            field.add_error(&mut errors, "any.unknown", requirement);
            return Vec::new();
        }
        let mut parsed: Vec<String> = items.iter().map(|item| parse(item, &mut errors)).collect();
        parsed.sort_unstable();
        parsed.dedup();
        parsed
    };
    let scope = TokenScope {
        kind,
        origins: list("origins", MAX_TOKEN_ORIGINS, parse_origin),
        projects: list("projects", MAX_TOKEN_PROJECTS, parse_project),
        tags: list("tags", MAX_TOKEN_TAGS, parse_tag),
    };
    errors.into_result(ApiTokenDraft { name, scope })
}

type ParseItem = fn(&Field<'_>, &mut ValidationErrors) -> String;

/// Parses the name. It is a segment of the URL of the token, from which browsers remove `.` and `..`.
fn parse_name(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let name = field.required_text(errors);
    field.check_bounds(&name, (0, API_TOKEN_NAME_LENGTH.1), errors);
    if name.chars().any(char::is_control) || matches!(name.as_str(), "." | "..") {
        field.add_error(errors, "string.name", "must not have control characters, and not be . or ..");
    }
    name
}

/// Parses an origin, and returns it in the form in which browsers send it.
fn parse_origin(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let text = field.required_text(errors);
    if !field.check_bounds(&text, (1, MAX_ORIGIN_LENGTH), errors) {
        return text;
    }
    parse_token_origin(&text).unwrap_or_else(|| {
        let requirement =
            "must be http or https, a host and an optional port, such as https://shop.example, or *";
        field.add_error(errors, "string.origin", requirement);
        text
    })
}

fn parse_project(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let project = field.required_text(errors);
    field.check_bounds(&project, (0, MAX_PROJECT_ID_LENGTH), errors);
    project
}

/// Parses a tag as `type:value`. The type contains no colon.
fn parse_tag(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let tag = field.required_text(errors);
    let is_part = |part: &str| (TAG_LENGTH.0..=TAG_LENGTH.1).contains(&part.chars().count());
    if !tag.split_once(':').is_some_and(|(kind, value)| is_part(kind) && is_part(value)) {
        field.add_error(errors, "string.tag", "must be a tag type and a value, such as team:checkout");
    }
    tag
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::parse_new_token;

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
            let draft = parse_new_token(&json!({ "name": "shop", "kind": "frontend", "origins": [origin] }));
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
            let message = parse_new_token(&body).err().map(|error| error.to_string());
            let is_expected = match (&message, error) {
                (Some(message), Some(start)) => message.starts_with(start),
                (message, start) => message.is_none() && start.is_none(),
            };
            assert!(is_expected, "{body}: {message:?}");
        }
    }
}
