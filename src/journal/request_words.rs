//! Describes a changing request in words, from its method and path. It is the text of refused changes, of changes in front of an
//! upstream, and of changes that record no event.

use std::borrow::Cow;

use actix_web::http::Method;
use percent_encoding::percent_decode_str;

use super::Item;

/// Prefix of the API for operators.
const ADMIN: &str = "/api/admin/";
/// Segments of paths, and the items that they contain.
const NOUNS: [(&str, &str); 17] = [
    ("features", "toggle"),
    ("strategies", "strategy"),
    ("context", "context field"),
    ("projects", "project"),
    ("tag-types", "tag type"),
    ("tags", "tag"),
    ("addons", "addon"),
    ("api-tokens", "API token"),
    ("segments", "segment"),
    ("applications", "application"),
    ("environments", "environment"),
    ("user-admin", "user"),
    ("users", "user"),
    ("roles", "role"),
    ("groups", "group"),
    ("change-requests", "change request"),
    ("feature-naming", "feature naming"),
];
/// Segments that tokens of SDKs or names of such tokens follow.
const TOKEN_PARENTS: [&str; 1] = ["api-tokens"];
/// Segments that secrets of invitations and of new passwords follow.
const SECRET_PARENTS: [&str; 4] = ["invite", "invite-link", "public-signup", "reset-password"];
/// Segments after such a parent that are no secrets.
const NO_SECRETS: [&str; 7] = ["", ".", "..", "tokens", "signup", "validate", "name"];
/// A segment of this length, or with a colon, may be a token.
const TOKEN_LENGTH: usize = 24;
/// Minimum length of the random part of a token.
const RANDOM_LENGTH: usize = 20;
/// Maximum number of times that a segment is decoded: a proxy and a server may both decode it.
const MAX_DECODINGS: usize = 3;

/// The description of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestDescription {
    /// The changed item, if the path names it.
    pub item: Option<Item>,
    /// The environment in the path.
    pub environment: Option<String>,
    /// The change as an imperative, such as "switch on the toggle shop.pay".
    pub words: String,
    /// The path without secrets.
    pub path: String,
}

/// Returns true if a request with an unsafe method changes nothing: it only validates a name or a definition.
#[must_use]
pub fn is_validation(method: &Method, path: &str) -> bool {
    let noun = path.strip_prefix(ADMIN).and_then(|path| path.strip_suffix("/validate"));
    *method == Method::POST && noun.is_some_and(|noun| NOUNS.iter().any(|(name, _)| *name == noun))
}

/// Returns true if the body of a change can contain the password of a user, at a server that manages users.
#[must_use]
pub fn may_contain_password(path: &str) -> bool {
    let path = percent_decode_str(path).decode_utf8_lossy().to_lowercase();
    path.split('/')
        .any(|segment| matches!(segment, "user-admin" | "users" | "invite") || segment.contains("password"))
}

/// Describes a request with this path below the base path.
#[must_use]
pub fn describe(method: &Method, path: &str) -> RequestDescription {
    let shown = mask_secrets(path);
    let segments: Vec<String> = shown
        .strip_prefix(ADMIN)
        .unwrap_or_default()
        .split('/')
        .map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned())
        .collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let environment = name_after(&segments, "environments").map(str::to_owned);
    let (item, words) =
        describe_segments(method, &segments).unwrap_or_else(|| (None, describe_other(method, path)));
    RequestDescription { item, environment, words, path: shown.into_owned() }
}

fn describe_other(method: &Method, path: &str) -> String {
    match (method.as_str(), path) {
        ("POST", "/-/examples") => "create example toggles".to_owned(),
        ("DELETE", path) if path.starts_with("/api/admin/sessions") => "revoke sessions".to_owned(),
        ("POST", "/-/holds") => "hold a toggle for SDKs".to_owned(),
        ("DELETE", path) if path.starts_with("/-/holds/") => "release the hold of a toggle".to_owned(),
        ("DELETE", "/-/replica") => "remove the copies of the replica".to_owned(),
        ("POST", "/api/admin/state/import" | "/api/admin/features-batch/import") => {
            "import toggles".to_owned()
        }
        _ => format!("send {method} {}", mask_secrets(path)),
    }
}

fn describe_segments(method: &Method, segments: &[&str]) -> Option<(Option<Item>, String)> {
    let item = |kind: &str, name: &str| Item { kind: kind.to_owned(), name: name.to_owned() };
    if let ["archive", "revive", name] = segments {
        let item = item("toggle", name);
        return Some((Some(item), format!("revive the toggle {name}")));
    }
    // Toggles of servers with environments are below their project, and more specific than it.
    let (kind, name) = if let Some(name) = name_after(segments, "features") {
        ("toggle", Some(name))
    } else {
        let (first, rest) = segments.split_first()?;
        let (_, kind) = NOUNS.iter().find(|(noun, _)| noun == first)?;
        let is_new_toggle = segments.last() == Some(&"features");
        if is_new_toggle { ("toggle", None) } else { (*kind, rest.first().copied()) }
    };
    let Some(name) = name else {
        let article = if kind.starts_with(['a', 'e', 'A']) { "an" } else { "a" };
        let verb = if *method == Method::POST { "create" } else { "change" };
        return Some((None, format!("{verb} {article} {kind}")));
    };
    let words = match (method.as_str(), segments) {
        (
            "POST",
            [.., "toggle", state @ ("on" | "off")] | [.., "environments", _, state @ ("on" | "off")],
        ) => {
            format!("switch {state} the {kind} {name}")
        }
        ("POST", [.., "stale", "on"]) => format!("mark the {kind} {name} as stale"),
        ("POST", [.., "stale", "off"]) => format!("mark the {kind} {name} as active"),
        ("POST", [.., "clone"]) => format!("copy the {kind} {name}"),
        ("POST", [.., "tags"]) => format!("add a tag to the {kind} {name}"),
        ("DELETE", [.., "tags", _, _]) => format!("remove a tag from the {kind} {name}"),
        ("DELETE", [.., last]) if *last == name && kind == "toggle" => format!("archive the toggle {name}"),
        ("DELETE", [.., last]) if *last == name => format!("delete the {kind} {name}"),
        _ => format!("change the {kind} {name}"),
    };
    Some((Some(item(kind, name)), words))
}

/// Returns the segment after the last one with this name.
fn name_after<'s>(segments: &[&'s str], noun: &str) -> Option<&'s str> {
    let position = segments.iter().position(|segment| *segment == noun)?;
    segments.get(position + 1).copied().filter(|name| !name.is_empty())
}

/// Replaces segments that may be secrets: servers have paths with tokens of SDKs and of invitations. Servers and proxies decode
/// paths, and some ignore the case, empty segments and dot segments. Therefore a secret may follow its parent at any distance.
pub(crate) fn mask_secrets(path: &str) -> Cow<'_, str> {
    let is_parent = |segment: &str| find_parent(segment).is_some();
    if !path.contains([':', '%']) && !path.split('/').any(is_parent) {
        return path.into();
    }
    let mut state = SecretSearch::default();
    let segments = path.split('/').map(|segment| {
        let decoded = decode(segment);
        // An encoded slash can separate segments.
        let secrets = decoded.split(['/', '\\']).filter(|part| state.next_is_secret(part)).count();
        if secrets > 0 { "…" } else { segment }
    });
    segments.collect::<Vec<_>>().join("/").into()
}

/// A segment that secrets follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SecretParent {
    /// Tokens of SDKs follow, or names of tokens.
    Tokens,
    /// Only secrets follow.
    Secrets,
}

fn find_parent(segment: &str) -> Option<SecretParent> {
    let is_in = |parents: &[&str]| parents.iter().any(|parent| parent.eq_ignore_ascii_case(segment));
    if is_in(&TOKEN_PARENTS) {
        Some(SecretParent::Tokens)
    } else {
        is_in(&SECRET_PARENTS).then_some(SecretParent::Secrets)
    }
}

/// The search for secrets in the segments of a path.
#[derive(Debug, Default)]
struct SecretSearch {
    parent: Option<SecretParent>,
    /// True if the last segment announces the name of an item, which may be the word of a parent.
    precedes_name: bool,
}

impl SecretSearch {
    /// Returns true if the next decoded segment may be a secret.
    fn next_is_secret(&mut self, segment: &str) -> bool {
        let is_harmless = NO_SECRETS.iter().any(|word| word.eq_ignore_ascii_case(segment));
        let may_be_token = segment.len() >= TOKEN_LENGTH || segment.contains(':');
        let is_secret = match self.parent {
            Some(SecretParent::Secrets) => !is_harmless,
            Some(SecretParent::Tokens) => may_be_token,
            None => is_token(segment),
        };
        if let Some(parent) = find_parent(segment) {
            let parent = if self.precedes_name { SecretParent::Tokens } else { parent };
            self.parent.get_or_insert(parent);
        }
        if !matches!(segment, "" | ".") {
            self.precedes_name = NOUNS.iter().any(|(noun, _)| noun.eq_ignore_ascii_case(segment));
        }
        is_secret
    }
}

/// Returns true for the form of tokens of SDKs: project, environment and random digits.
fn is_token(segment: &str) -> bool {
    segment.rsplit_once('.').is_some_and(|(scope, random)| {
        scope.contains(':')
            && random.len() >= RANDOM_LENGTH
            && random.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Decodes a segment until nothing is encoded any more.
fn decode(segment: &str) -> Cow<'_, str> {
    let mut decoded = Cow::Borrowed(segment);
    for _ in 0..MAX_DECODINGS {
        if !decoded.contains('%') {
            break;
        }
        decoded = percent_decode_str(&decoded).decode_utf8_lossy().into_owned().into();
    }
    decoded
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;

    use super::{describe, is_validation, may_contain_password};

    #[test]
    fn describes_requests_by_method_and_path() {
        for (method, path, words, item, environment) in [
            ("POST", "/api/admin/features", "create a toggle", None, None),
            ("PUT", "/api/admin/features/shop.pay", "change the toggle shop.pay", Some("shop.pay"), None),
            ("DELETE", "/api/admin/features/a%20b", "archive the toggle a b", Some("a b"), None),
            ("POST", "/api/admin/features/x/toggle/on", "switch on the toggle x", Some("x"), None),
            ("POST", "/api/admin/features/x/toggle/off", "switch off the toggle x", Some("x"), None),
            ("POST", "/api/admin/features/x/stale/on", "mark the toggle x as stale", Some("x"), None),
            ("POST", "/api/admin/features/x/stale/off", "mark the toggle x as active", Some("x"), None),
            ("POST", "/api/admin/features/x/tags", "add a tag to the toggle x", Some("x"), None),
            (
                "DELETE",
                "/api/admin/features/x/tags/simple/y",
                "remove a tag from the toggle x",
                Some("x"),
                None,
            ),
            ("POST", "/api/admin/archive/revive/x", "revive the toggle x", Some("x"), None),
            ("POST", "/api/admin/projects/p/features", "create a toggle", None, None),
            (
                "POST",
                "/api/admin/projects/p/features/x/environments/production/on",
                "switch on the toggle x",
                Some("x"),
                Some("production"),
            ),
            (
                "PUT",
                "/api/admin/projects/p/features/x/environments/dev/strategies/7",
                "change the toggle x",
                Some("x"),
                Some("dev"),
            ),
            ("POST", "/api/admin/addons", "create an addon", None, None),
            ("DELETE", "/api/admin/tag-types/t", "delete the tag type t", Some("t"), None),
            ("POST", "/api/admin/state/import", "import toggles", None, None),
            ("PATCH", "/api/other", "send PATCH /api/other", None, None),
        ] {
            let described = describe(&method.parse::<Method>().unwrap(), path);
            let name = described.item.as_ref().map(|item| item.name.as_str());
            assert_eq!(
                (described.words.as_str(), name, described.environment.as_deref()),
                (words, item, environment),
                "{method} {path}"
            );
        }
    }

    /// Paths of `unleash-server` 3.17.6, 4.2.2, 5.12.8 and 8.2.0, and other forms of them that a server, a proxy or a client may
    /// understand.
    #[test]
    fn secrets_in_paths_are_masked() {
        for (path, shown) in [
            ("/api/admin/api-tokens/*:development.0a1b2c3d4e5f", "/api/admin/api-tokens/…"),
            ("/api/admin/api-tokens/%2A%3Adevelopment.0a1b", "/api/admin/api-tokens/…"),
            ("/api/admin/api%2Dtokens/*:development.0a1b2c3d4e5f", "/api/admin/api%2Dtokens/…"),
            ("/api/admin/API-Tokens/*:development.0a1b2c3d4e5f", "/api/admin/API-Tokens/…"),
            ("/api/admin/api-tokens//*:development.0a1b2c3d4e5f", "/api/admin/api-tokens//…"),
            ("/api/admin/api-tokens/./*:development.0a1b2c3d4e5f/", "/api/admin/api-tokens/./…/"),
            ("/api/admin/api-tokens/x/../*:development.0a1b2c3d4e5f", "/api/admin/api-tokens/x/../…"),
            ("/api/admin/api-tokens%2F*:development.0a1b2c3d4e5f", "/api/admin/…"),
            ("/api/admin%2fapi-tokens%2f*:development.0a1b2c3d4e5f", "/api/…"),
            ("/api/admin/api-tokens%252F*:development.0a1b2c3d4e5f", "/api/admin/…"),
            ("/api/admin/api%252Dtokens/%252A%253Adevelopment.0a1b", "/api/admin/api%252Dtokens/…"),
            ("/api/admin/api-tokens%5C*:development.0a1b2c3d4e5f", "/api/admin/…"),
            ("/api/admin/api-tokens/0a1b2c3d4e5f0a1b2c3d4e5f", "/api/admin/api-tokens/…"),
            (
                "/flags/api/admin/projects/shop/api-tokens/shop:development.0a1b2c",
                "/flags/api/admin/projects/shop/api-tokens/…",
            ),
            ("/api/client/shop:development.0a1b2c3d4e5f0a1b2c3d4e5f", "/api/client/…"),
            ("/api/admin/api-tokens/shop", "/api/admin/api-tokens/shop"),
            ("/api/admin/invite-link/tokens/0a1b", "/api/admin/invite-link/tokens/…"),
            ("/api/admin/invite-link//tokens//0a1b", "/api/admin/invite-link//tokens//…"),
            ("/api/admin/Invite%2Dlink/TOKENS/0a1b", "/api/admin/Invite%2Dlink/TOKENS/…"),
            ("/api/admin/invite-link/tokens%2f0a1b", "/api/admin/invite-link/…"),
            ("/api/admin/invite-link/tokens", "/api/admin/invite-link/tokens"),
            ("/invite/0a1b/signup", "/invite/…/signup"),
            ("/flags//INVITE//0a1b/validate", "/flags//INVITE//…/validate"),
            ("/invite%2F0a1b/signup", "/…/signup"),
            // Names of items.
            ("/api/admin/features/invite/toggle/on", "/api/admin/features/invite/toggle/on"),
            ("/api/admin/projects/invite/features/x", "/api/admin/projects/invite/features/x"),
            ("/api/admin/features/a%3Ab", "/api/admin/features/a%3Ab"),
            ("/api/admin/features/a%2Fb", "/api/admin/features/a%2Fb"),
        ] {
            let described = describe(&Method::DELETE, path);
            assert_eq!(described.path, shown);
            assert!(!format!("{described:?}").contains("0a1b"), "{described:?}");
        }
    }

    #[test]
    fn requests_with_passwords_are_recognized() {
        for (path, expected) in [
            ("/api/admin/user-admin", true),
            ("/api/admin/user-admin/7/change-password", true),
            ("/api/admin/user%2Dadmin/7", true),
            ("/api/admin/user/change-password", true),
            ("/api/admin/users", true),
            ("/api/admin/features/x", false),
        ] {
            assert_eq!(may_contain_password(path), expected, "{path}");
        }
    }

    #[test]
    fn validations_are_no_changes() {
        for (method, path, expected) in [
            ("POST", "/api/admin/features/validate", true),
            ("POST", "/api/admin/tag-types/validate", true),
            ("PUT", "/api/admin/features/validate", false),
            ("POST", "/api/admin/features/validate/toggle/on", false),
            ("POST", "/api/admin/other/validate", false),
        ] {
            assert_eq!(is_validation(&method.parse::<Method>().unwrap(), path), expected, "{method} {path}");
        }
    }
}
