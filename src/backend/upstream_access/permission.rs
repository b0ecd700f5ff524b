//! Permission that a request to an upstream requires, if users sign in at this program. A pure module.
//!
//! The declarations of the embedded flag service name the permissions of the paths of 3.x; a table here names those of newer servers. An
//! unknown change requires ADMIN. Names in a path are compared as they are sent, so that another spelling of a path is unknown.

use std::borrow::Cow;

use actix_web::http::Method;

use crate::config::Permission::{
    self, Admin, CreateFeature, DeleteFeature, UpdateContextField, UpdateFeature,
};
use crate::flags::endpoint::Authorization;
use crate::flags::{find_authorization, matches_path};

/// Prefix of the API for operators.
pub(super) const ADMIN: &str = "/api/admin/";
/// Paths of upstreams about their own sessions, outside `/auth`: the sign-in, and a list with the secrets of sessions (4.2).
const SESSION_PATHS: [&str; 2] = ["/api/admin/login", "/api/admin/user/my-sessions"];
/// Changes of newer servers. The method may be a list.
const CHANGES: &[(&str, &str, Permission)] = &[
    ("POST", "projects/{project}/features", CreateFeature),
    ("POST", "projects/{project}/features/{name}/clone", CreateFeature),
    ("PUT PATCH", "projects/{project}/features/{name}", UpdateFeature),
    ("DELETE", "projects/{project}/features/{name}", DeleteFeature),
    ("PUT PATCH", "projects/{project}/features/{name}/variants", UpdateFeature),
    ("PUT PATCH", "projects/{project}/features/{name}/variants-batch", UpdateFeature),
    ("POST DELETE", "projects/{project}/features/{name}/dependencies", UpdateFeature),
    ("DELETE", "projects/{project}/features/{name}/dependencies/{parent}", UpdateFeature),
    ("POST", "projects/{project}/features/{name}/environments/{environment}/on", UpdateFeature),
    ("POST", "projects/{project}/features/{name}/environments/{environment}/off", UpdateFeature),
    ("PUT PATCH", "projects/{project}/features/{name}/environments/{environment}/variants", UpdateFeature),
    ("POST", "projects/{project}/features/{name}/environments/{environment}/strategies", UpdateFeature),
    (
        "POST",
        "projects/{project}/features/{name}/environments/{environment}/strategies/set-sort-order",
        UpdateFeature,
    ),
    (
        "PUT PATCH DELETE",
        "projects/{project}/features/{name}/environments/{environment}/strategies/{id}",
        UpdateFeature,
    ),
    ("POST", "projects/{project}/stale", UpdateFeature),
    ("POST", "projects/{project}/bulk_features/environments/{environment}/on", UpdateFeature),
    ("POST", "projects/{project}/bulk_features/environments/{environment}/off", UpdateFeature),
    ("POST", "projects/{project}/archive", DeleteFeature),
    ("POST", "projects/{project}/revive", UpdateFeature),
    ("PUT", "projects/{project}/tags", UpdateFeature),
    ("PUT", "features/{name}/tags", UpdateFeature),
    ("POST", "segments/strategies", UpdateFeature),
    ("POST", "context/{name}/legal-values", UpdateContextField),
    ("DELETE", "context/{name}/legal-values/{value}", UpdateContextField),
];
/// Requests of newer servers that read with POST.
const READS: [&str; 3] = ["events/search", "playground", "playground/advanced"];
/// Nouns whose responses contain secrets or users. Tokens of an upstream can be those of administrators, unlike the embedded
/// service's.
const SECRET_NOUNS: [&str; 11] = [
    "api-tokens",
    "user-admin",
    "access",
    "auth",
    "invite-link",
    "service-account",
    "login-history",
    "logs",
    "personal-dashboard",
    "event-creators",
    "flag-creators",
];
/// Characters at which servers end or divide a path after decoding. Only the value of a tag contains them.
const AMBIGUOUS: &[char] = &['/', '\\', '?', '#', ';', '%'];

/// Requirement of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Requirement {
    /// The request is not forwarded: it is about the sign-in or the sessions of the upstream.
    Unavailable,
    /// A session.
    Session,
    /// A session of a user with this permission.
    Permission(Permission),
}

/// Returns the requirement of a request with this method and path below the base path. The path is not decoded.
pub(super) fn find_requirement(method: &Method, path: &str) -> Requirement {
    let plain = normalize(path);
    let is_sign_in = plain == "/auth" || plain.starts_with("/auth/");
    if is_sign_in || SESSION_PATHS.contains(&plain.as_str()) || plain.ends_with("/logout") {
        return Requirement::Unavailable;
    }
    if has_secrets(&plain) {
        return Requirement::Permission(Admin);
    }
    let path = if method.is_safe() { &plain } else { path };
    let segments = path.strip_prefix(ADMIN).map(|path| path.split('/').collect::<Vec<_>>());
    let segments = segments.unwrap_or_default();
    let declared = find_authorization(method, &segments).map(|authorization| match authorization {
        Authorization::Permission(permission) => Requirement::Permission(permission),
        Authorization::Session | Authorization::Public | Authorization::ClientToken => Requirement::Session,
    });
    if method.is_safe() {
        return declared.unwrap_or(Requirement::Session);
    }
    if is_ambiguous(&segments) {
        return Requirement::Permission(Admin);
    }
    if *method == Method::POST && READS.iter().any(|pattern| matches_path(pattern, &segments)) {
        return Requirement::Session;
    }
    let is_match = |(methods, pattern, _): &&(&str, &str, Permission)| {
        methods.split(' ').any(|one| one == method.as_str()) && matches_path(pattern, &segments)
    };
    let newer = CHANGES.iter().find(is_match).map(|(.., permission)| Requirement::Permission(*permission));
    declared.or(newer).unwrap_or(Requirement::Permission(Admin))
}

/// Returns a path as the most tolerant server reads it: decoded, in lower case, and without slashes at its end.
fn normalize(path: &str) -> String {
    let mut text = path.to_owned();
    // As often as the proxy checks it.
    for _ in 0..3 {
        match percent_encoding::percent_decode_str(&text).decode_utf8_lossy() {
            Cow::Borrowed(_) => break,
            Cow::Owned(decoded) => text = decoded,
        }
    }
    text.trim_end_matches('/').to_lowercase()
}

/// Returns true if only administrators may read or change the resource of a path.
fn has_secrets(plain: &str) -> bool {
    let Some(path) = plain.strip_prefix(ADMIN) else { return false };
    let is_secret = |noun: &str| SECRET_NOUNS.contains(&noun);
    match path.split('/').collect::<Vec<_>>().as_slice() {
        // Personal tokens of the upstream's user.
        ["user", "tokens", ..] => true,
        ["projects", _, noun, ..] | [noun, ..] => is_secret(noun),
        [] => false,
    }
}

/// Returns true if a server could read a name in a path differently.
fn is_ambiguous(segments: &[&str]) -> bool {
    let names = match segments {
        [.., "tags", _, _value] => segments.get(..segments.len() - 1).unwrap_or_default(),
        all => all,
    };
    let is_plain = |segment: &&str| {
        let decoded = percent_encoding::percent_decode_str(segment).decode_utf8();
        decoded.is_ok_and(|name| !name.is_empty() && !name.contains(AMBIGUOUS))
    };
    !names.iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;

    use super::Requirement::{self, Session, Unavailable};
    use super::find_requirement;
    use crate::api_path::USER_PATH;
    use crate::config::Permission::{
        self, Admin, CreateAddon, CreateContextField, CreateFeature, CreateProject, CreateSegment, CreateTag,
        CreateTagType, DeleteFeature, DeleteStrategy, DeleteTag, UpdateAddon, UpdateApplication,
        UpdateContextField, UpdateFeature, UpdateStrategy,
    };
    use crate::flags::endpoint::Authorization;
    use crate::flags::endpoints;

    fn find(method: &str, path: &str) -> Requirement {
        find_requirement(&method.parse::<Method>().unwrap(), path)
    }

    #[test]
    fn changes_require_the_permission_of_the_embedded_service() {
        for endpoint in endpoints() {
            let Authorization::Permission(permission) = endpoint.authorization else { continue };
            let path = endpoint.path.replace(['{', '}'], "");
            // Tokens of an upstream can be those of administrators.
            let expected = if path.starts_with("/api-tokens") { Admin } else { permission };
            let found = find_requirement(&endpoint.method, &format!("/api/admin{path}"));
            assert_eq!(found, Requirement::Permission(expected), "{} {path}", endpoint.method);
        }
    }

    #[test]
    fn each_change_has_its_permission() {
        let strategies = "projects/p/features/x/environments/dev/strategies";
        let (order, one) = (format!("{strategies}/set-sort-order"), format!("{strategies}/7"));
        let cases: &[(&str, &str, Permission)] = &[
            ("POST", "features", CreateFeature),
            ("POST", "features/validate", CreateFeature),
            ("PUT", "features/x", UpdateFeature),
            ("DELETE", "features/x", DeleteFeature),
            ("POST", "features/x/toggle/on", UpdateFeature),
            ("POST", "features/x/stale/off", UpdateFeature),
            ("POST", "features/x/tags", UpdateFeature),
            ("DELETE", "features/x/tags/simple/a%2Fb", UpdateFeature),
            ("POST", "archive/revive/x", UpdateFeature),
            ("DELETE", "strategies/x", DeleteStrategy),
            ("POST", "strategies/x/deprecate", UpdateStrategy),
            ("POST", "context", CreateContextField),
            ("POST", "tag-types/validate", CreateTagType),
            ("POST", "tags", CreateTag),
            ("DELETE", "tags/simple/a%2Fb", DeleteTag),
            ("POST", "segments", CreateSegment),
            ("POST", "addons", CreateAddon),
            ("PUT", "addons/7", UpdateAddon),
            ("POST", "projects", CreateProject),
            ("POST", "metrics/applications/app", UpdateApplication),
            ("POST", "projects/p/features", CreateFeature),
            ("POST", "projects/p/features/x/clone", CreateFeature),
            ("PATCH", "projects/p/features/x", UpdateFeature),
            ("DELETE", "projects/p/features/x", DeleteFeature),
            ("PUT", "projects/p/features/x/variants-batch", UpdateFeature),
            ("POST", "projects/p/features/x/environments/dev/on", UpdateFeature),
            ("POST", strategies, UpdateFeature),
            ("POST", &order, UpdateFeature),
            ("DELETE", &one, UpdateFeature),
            ("POST", "projects/p/archive", DeleteFeature),
            ("POST", "context/x/legal-values", UpdateContextField),
            // Unknown changes.
            ("DELETE", "archive/x", Admin),
            ("POST", "projects/p/delete", Admin),
            ("POST", "projects/p/features/x/changeProject", Admin),
            ("POST", "state/import", Admin),
            ("POST", "features-batch/import", Admin),
            ("POST", "api-tokens", Admin),
            ("POST", "user/tokens", Admin),
            ("POST", "user-admin", Admin),
            ("POST", "environments/dev/off", Admin),
            ("MOVE", "features/x", Admin),
            ("PATCH", "features/x", Admin),
            ("POST", "features/x", Admin),
            // Other spellings of known changes.
            ("POST", "Features", Admin),
            ("POST", "%66eatures", Admin),
            ("POST", "features/", Admin),
            ("POST", "features/x/toggle%2Fon", Admin),
            ("DELETE", "features/x%2Ftags", Admin),
            ("DELETE", "features/x%3F/tags/simple/y", Admin),
            ("DELETE", "features/x;/tags/simple/y", Admin),
            ("DELETE", "features/x%252Ftags", Admin),
            ("DELETE", "features/%ff", Admin),
            ("DELETE", "", Admin),
        ];
        for (method, path, permission) in cases {
            assert_eq!(
                find(method, &format!("/api/admin/{path}")),
                Requirement::Permission(*permission),
                "{method} {path}"
            );
        }
        for (method, path) in [("POST", "/api/other"), ("DELETE", "/health"), ("POST", "/API/admin/features")]
        {
            assert_eq!(find(method, path), Requirement::Permission(Admin), "{method} {path}");
        }
    }

    #[test]
    fn reading_requires_a_session_and_secrets_an_administrator() {
        for (method, path, requirement) in [
            ("GET", USER_PATH, Session),
            ("GET", "/api/admin/features", Session),
            ("HEAD", "/api/admin/features/api-tokens", Session),
            ("GET", "/api/admin/projects/access/features", Session),
            ("GET", "/health", Session),
            ("POST", "/api/admin/events/search", Session),
            ("POST", "/api/admin/playground", Session),
            ("GET", "/api/admin/state/export", Requirement::Permission(Admin)),
            ("HEAD", "/api/admin/State/Export", Requirement::Permission(Admin)),
            ("GET", "/api/admin/api-tokens", Requirement::Permission(Admin)),
            ("GET", "/api/admin/API-tokens/", Requirement::Permission(Admin)),
            ("GET", "/api/admin/api%2Dtokens", Requirement::Permission(Admin)),
            ("GET", "/API/admin/api-tokens", Requirement::Permission(Admin)),
            ("GET", "/api/admin/projects/p/api-tokens", Requirement::Permission(Admin)),
            ("GET", "/api/admin/user/tokens", Requirement::Permission(Admin)),
            ("GET", "/api/admin/user-admin/7", Requirement::Permission(Admin)),
            ("GET", "/api/admin/personal-dashboard", Requirement::Permission(Admin)),
            ("GET", "/api/admin/personal-dashboard/default", Requirement::Permission(Admin)),
            ("GET", "/api/admin/event-creators", Requirement::Permission(Admin)),
            ("HEAD", "/api/admin/Flag-Creators/", Requirement::Permission(Admin)),
            ("GET", "/api/admin/projects/p/flag-creators", Requirement::Permission(Admin)),
        ] {
            assert_eq!(find(method, path), requirement, "{method} {path}");
        }
    }

    #[test]
    fn sign_in_and_sessions_of_the_upstream_are_unavailable() {
        for (method, path) in [
            ("POST", "/auth/demo/login"),
            ("GET", "/auth"),
            ("POST", "/Auth/simple/login"),
            ("POST", "/api/admin/login"),
            ("POST", "/api/admin/Login/"),
            ("POST", "/api/admin/%6cogin"),
            ("GET", "/api/admin/user/logout"),
            ("GET", "/api/admin/user/my-sessions"),
            ("GET", "/api/admin/User/my-sessions/"),
            ("GET", "/logout"),
            ("POST", "/x/LOGOUT/"),
        ] {
            assert_eq!(find(method, path), Unavailable, "{method} {path}");
        }
    }
}
