//! Permissions that the body of a change of a toggle requires, besides that of its path. A pure module.
//!
//! Servers 4.x to 8.x archive a toggle also if the body of another change says so. A body that servers could read differently than this
//! program requires ADMIN: one with a content coding, in another character encoding, or that is not valid JSON.

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use mime_guess::mime::{self, Mime};
use serde_json::{Map, Value};

use super::permission::ADMIN;
use crate::config::Permission::{self, Admin, DeleteFeature};
use crate::flags::matches_path;

/// Changes whose body is a toggle, or a JSON patch of one. The method may be a list.
const CHANGES: [(&str, &str); 4] = [
    ("POST", "features"),
    ("PUT", "features/{name}"),
    ("POST", "projects/{project}/features"),
    ("PUT PATCH", NEWER_TOGGLE),
];
/// Path of a toggle of newer servers. Version 4.2 changes the toggle that the body names, and not that of the path.
const NEWER_TOGGLE: &str = "projects/{project}/features/{name}";
/// Property that archives a toggle.
const ARCHIVED: &str = "archived";
/// Property with which a new toggle of 8.x names another user as its creator.
const CREATOR: &str = "createdByUserId";
/// Name with which JavaScript replaces the prototype of an object when it copies the properties.
const PROTOTYPE: &str = "__proto__";

/// Returns true if [`find_permission`] must check the body of a request. The path is below the base path and not decoded.
pub(super) fn must_be_checked(method: &Method, path: &str) -> bool {
    let Some(path) = path.strip_prefix(ADMIN) else { return false };
    let segments: Vec<_> = path.split('/').collect();
    CHANGES.iter().any(|(methods, pattern)| {
        methods.split(' ').any(|one| one == method.as_str()) && matches_path(pattern, &segments)
    })
}

/// Returns the permission that a body requires; `None` if that of the path is sufficient.
pub(super) fn find_permission(
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Option<Permission> {
    if !is_plain_json(headers) {
        return Some(Admin);
    }
    match serde_json::from_slice(body) {
        Ok(body) if contains_key(&body, PROTOTYPE) => Some(Admin),
        Ok(Value::Array(operations)) if *method == Method::PATCH => {
            operations.iter().filter_map(permission_of_operation).min()
        }
        Ok(Value::Object(toggle)) if *method != Method::PATCH => permission_of_toggle(path, &toggle),
        // Some versions accept an object with numbers as names as a list of operations.
        _ => Some(Admin),
    }
}

/// Returns true if all servers decode the body of a request like this program.
fn is_plain_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE);
    let (Some(kind), None) = (types.next(), types.next()) else { return false };
    let kind = kind.to_str().ok().and_then(|kind| kind.parse::<Mime>().ok());
    let is_json = kind.is_some_and(|kind| {
        kind.essence_str() == "application/json"
            && kind.get_param(mime::CHARSET).is_none_or(|charset| charset == mime::UTF_8)
    });
    is_json && !headers.contains_key(CONTENT_ENCODING)
}

fn contains_key(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(fields) => {
            fields.contains_key(key) || fields.values().any(|value| contains_key(value, key))
        }
        Value::Array(items) => items.iter().any(|value| contains_key(value, key)),
        _ => false,
    }
}

fn permission_of_toggle(path: &str, toggle: &Map<String, Value>) -> Option<Permission> {
    if toggle.contains_key(CREATOR) || names_other_toggle(path, toggle) {
        return Some(Admin);
    }
    toggle.get(ARCHIVED).is_some_and(|archived| archived != false).then_some(DeleteFeature)
}

/// Returns true if the body of a replacement names another toggle than its path.
fn names_other_toggle(path: &str, toggle: &Map<String, Value>) -> bool {
    let segments: Vec<_> = path.strip_prefix(ADMIN).unwrap_or_default().split('/').collect();
    let (true, Some(own)) = (matches_path(NEWER_TOGGLE, &segments), segments.last()) else { return false };
    let own = percent_encoding::percent_decode_str(own).decode_utf8().ok();
    toggle.get("name").is_some_and(|name| name.as_str() != own.as_deref())
}

/// Returns the permission that an operation of a JSON patch requires
/// ([RFC 6902, section 4](https://www.rfc-editor.org/rfc/rfc6902#section-4)).
fn permission_of_operation(operation: &Value) -> Option<Permission> {
    let text = |name: &str| operation.get(name).and_then(Value::as_str);
    if text("op") == Some("test") {
        return None;
    }
    // Servers ignore what precedes the first slash. A path without a slash is the whole toggle.
    match text("path").and_then(|path| path.split('/').nth(1)) {
        Some(ARCHIVED) => Some(DeleteFeature),
        Some("name" | CREATOR) | None => Some(Admin),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;
    use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};

    use super::{find_permission, must_be_checked};
    use crate::config::Permission::{self, Admin, DeleteFeature};

    const TOGGLE: &str = "/api/admin/projects/p/features/x";

    fn find(method: &str, kind: &'static str, body: &str) -> Option<Permission> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]);
        find_permission(&method.parse().unwrap(), TOGGLE, &headers, body.as_bytes())
    }

    #[test]
    fn body_that_archives_requires_the_permission_to_archive() {
        for (method, body, permission) in [
            ("PUT", r#"{"archived":false,"stale":true}"#, None),
            ("PUT", r#"{"name":"x","description":"archived"}"#, None),
            ("PUT", r#"{"archived":true}"#, Some(DeleteFeature)),
            ("PUT", r#"{"\u0061rchived":true}"#, Some(DeleteFeature)),
            ("PUT", r#"{"archived":false,"archived":true}"#, Some(DeleteFeature)),
            ("PUT", r#"{"archived":"true"}"#, Some(DeleteFeature)),
            ("POST", r#"{"archived":1}"#, Some(DeleteFeature)),
            ("PUT", r#"{"name":"y"}"#, Some(Admin)),
            ("PUT", r#"{"name":7}"#, Some(Admin)),
            ("POST", r#"{"name":"x","createdByUserId":1}"#, Some(Admin)),
            ("PUT", r#"{"__proto__":{"archived":true}}"#, Some(Admin)),
            ("PUT", r#"{"variants":[{"payload":{"__proto__":1}}]}"#, Some(Admin)),
            ("PUT", r#"[{"archived":true}]"#, Some(Admin)),
            ("PUT", "archived=true", Some(Admin)),
            ("PUT", "", Some(Admin)),
            ("PATCH", r#"[{"op":"replace","path":"/stale","value":true}]"#, None),
            ("PATCH", r#"[{"op":"test","path":"/archived","value":false}]"#, None),
            ("PATCH", r#"[{"op":"replace","path":"/archived","value":true}]"#, Some(DeleteFeature)),
            ("PATCH", r#"[{"op":"copy","from":"/stale","path":"/archived"}]"#, Some(DeleteFeature)),
            ("PATCH", r#"[{"op":"add","path":"x/archived","value":true}]"#, Some(DeleteFeature)),
            ("PATCH", r#"[{"op":"add","path":"/archived/x","value":true}]"#, Some(DeleteFeature)),
            ("PATCH", r#"[{"path":"/type"},{"path":"/archived"},{"path":""}]"#, Some(Admin)),
            ("PATCH", r#"[{"op":"replace","path":"","value":{"archived":true}}]"#, Some(Admin)),
            ("PATCH", r#"[{"op":"replace","path":"/name","value":"y"}]"#, Some(Admin)),
            ("PATCH", r#"[{"op":"replace","path":["/archived"],"value":true}]"#, Some(Admin)),
            ("PATCH", r#"["/archived"]"#, Some(Admin)),
            ("PATCH", r#"{"length":1,"0":{"op":"add","path":"/archived","value":true}}"#, Some(Admin)),
        ] {
            assert_eq!(find(method, "application/json", body), permission, "{method} {body}");
        }
    }

    #[test]
    fn body_that_servers_could_decode_differently_requires_an_administrator() {
        let stale = r#"{"stale":true}"#;
        for (kind, permission) in [
            ("application/json", None),
            ("Application/JSON; charset=UTF-8", None),
            ("application/json; charset=\"utf-8\"", None),
            ("application/json; charset=utf-7", Some(Admin)),
            ("application/json; charset=utf-16", Some(Admin)),
            ("application/x-www-form-urlencoded", Some(Admin)),
            ("text/plain", Some(Admin)),
            ("", Some(Admin)),
        ] {
            assert_eq!(find("PUT", kind, stale), permission, "{kind}");
        }
        let json = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let utf_7 = (CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-7"));
        for fields in [
            vec![json.clone(), (CONTENT_ENCODING, HeaderValue::from_static("gzip"))],
            vec![json, utf_7],
            Vec::new(),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in fields {
                headers.append(name, value);
            }
            let found = find_permission(&Method::PUT, TOGGLE, &headers, stale.as_bytes());
            assert_eq!(found, Some(Admin), "{headers:?}");
        }
    }

    #[test]
    fn only_bodies_with_a_toggle_are_checked() {
        for (method, path, is_checked) in [
            ("POST", "/api/admin/features", true),
            ("PUT", "/api/admin/features/x", true),
            ("POST", "/api/admin/projects/p/features", true),
            ("PUT", TOGGLE, true),
            ("PATCH", TOGGLE, true),
            ("DELETE", TOGGLE, false),
            ("PUT", "/api/admin/projects/p/features/x/variants", false),
            ("POST", "/api/admin/features/x/tags", false),
            ("POST", "/api/features", false),
        ] {
            assert_eq!(must_be_checked(&method.parse().unwrap(), path), is_checked, "{method} {path}");
        }
    }
}
