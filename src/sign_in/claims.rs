//! Checks of the claims of a verified ID token (OpenID Connect Core 1.0, section 3.1.3.7), and what they say about the
//! user. Pure functions.

use serde_json::{Map, Value};

use super::identity::Identity;
use super::refusal::{Refusal, Refused, quote};
use crate::config::Oidc;

/// Tolerated difference between the clocks of the provider and of this machine, in seconds.
const LEEWAY: i64 = 60;
/// Maximum length of `sub` in characters (OpenID Connect Core 1.0, section 2).
const MAX_SUBJECT: usize = 255;
/// Maximum length of a name or an email address in characters. Longer ones are cut.
const MAX_LABEL: usize = 200;
/// Maximum number of groups that are read.
const MAX_GROUPS: usize = 2_000;

/// The claims of a token or of a UserInfo response.
pub(super) type Claims = Map<String, Value>;

/// The values that the token of a sign-in must contain.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
}

/// Checks that a token was issued by the provider, for this client and this sign-in, and is valid now. Returns the subject.
pub(super) fn check(claims: &Claims, expected: &Expected<'_>, now: i64) -> Result<String, Refused> {
    let Expected { issuer, client_id, nonce } = *expected;
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    let describe = |name: &str| match claims.get(name) {
        None => format!("the ID token has no {name}"),
        Some(value) => format!("{name} of the ID token is {}", quote(&value.to_string())),
    };
    // Byte for byte, with the issuer that the provider announces.
    if text("iss") != Some(issuer) {
        return Err(Refusal::Issuer.because(format!("{}, and not {}", describe("iss"), quote(issuer))));
    }
    let audiences: Vec<_> = match claims.get("aud") {
        Some(Value::String(audience)) => vec![audience.as_str()],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !audiences.contains(&client_id) {
        return Err(Refusal::Audience.because(describe("aud")));
    }
    let is_foreign = claims.contains_key("azp") && text("azp") != Some(client_id);
    if is_foreign || (audiences.len() > 1 && !claims.contains_key("azp")) {
        let reason = format!("{}, and {}", describe("azp"), describe("aud"));
        return Err(Refusal::AuthorizedParty.because(reason));
    }
    let seconds = |name: &str| {
        let time = claims.get(name).and_then(read_seconds);
        time.ok_or_else(|| Refusal::TimeInvalid.because(describe(name)))
    };
    if seconds("exp")?.saturating_add(LEEWAY) <= now {
        return Err(Refusal::Expired.because(format!("{}, and the time is {now}", describe("exp"))));
    }
    let is_late = |start: i64| start.saturating_sub(LEEWAY) > now;
    if is_late(seconds("iat")?) {
        return Err(Refusal::FromFuture.because(format!("{}, and the time is {now}", describe("iat"))));
    }
    if claims.contains_key("nbf") && is_late(seconds("nbf")?) {
        return Err(Refusal::FromFuture.because(format!("{}, and the time is {now}", describe("nbf"))));
    }
    if text("nonce") != Some(nonce) {
        let reason = if claims.contains_key("nonce") { "another nonce" } else { "no nonce" };
        return Err(Refusal::Nonce.because(format!("the ID token has {reason}")));
    }
    let subject = text("sub").filter(|subject| (1..=MAX_SUBJECT).contains(&subject.chars().count()));
    let subject = subject.ok_or_else(|| Refusal::Subject.because(describe("sub")))?;
    Ok(subject.to_owned())
}

/// Returns the groups in the claims; `None` if the claim is missing.
///
/// `path` is the name of a claim or a dotted path. A name may contain dots itself, such as `https://example.com/groups`.
pub(super) fn groups(claims: &Claims, path: &str) -> Result<Option<Vec<String>>, Refused> {
    let first = path.split('.').next().unwrap_or_default();
    let is_claim_name = |name: &str| name == path || name == first;
    let has_overage = match claims.get("_claim_names") {
        Some(Value::Object(names)) => names.keys().any(|name| is_claim_name(name)),
        _ => false,
    };
    // The mark of an implicit flow of Microsoft Entra ID.
    if has_overage || claims.get("hasgroups") == Some(&Value::Bool(true)) {
        return Err(Refusal::TooManyGroups.because(format!(
            "the provider sent a reference instead of the claim {} (too many groups; use app roles)",
            quote(path)
        )));
    }
    let invalid =
        || Refusal::GroupsInvalid.because(format!("the claim {} is not a list of texts", quote(path)));
    match find(claims, path) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(group)) => Ok(Some(vec![group.clone()])),
        Some(Value::Array(list)) if list.len() > MAX_GROUPS => {
            let reason = format!("the claim {} contains {} groups", quote(path), list.len());
            Err(Refusal::TooManyGroups.because(reason))
        }
        Some(Value::Array(list)) => {
            let groups: Option<_> = list.iter().map(|group| group.as_str().map(str::to_owned)).collect();
            Ok(Some(groups.ok_or_else(invalid)?))
        }
        Some(_) => Err(invalid()),
    }
}

/// Returns the value of a claim, or of a claim inside another one.
fn find<'c>(claims: &'c Claims, path: &str) -> Option<&'c Value> {
    if let Some(value) = claims.get(path) {
        return Some(value);
    }
    path.match_indices('.').find_map(|(dot, _)| {
        let (name, rest) = (path.get(..dot)?, path.get(dot + 1..)?);
        find(claims.get(name)?.as_object()?, rest)
    })
}

/// Checks that UserInfo is about the user of the token (OpenID Connect Core 1.0, section 5.3.2).
pub(super) fn check_user_info(claims: &Claims, subject: &str) -> Result<(), Refused> {
    match claims.get("sub").and_then(Value::as_str) {
        Some(other) if other == subject => Ok(()),
        other => {
            let other = other.map_or_else(|| "missing".to_owned(), quote);
            let reason = format!("sub of UserInfo is {other}, and sub of the ID token {}", quote(subject));
            Err(Refusal::UserInfoSubject.because(reason))
        }
    }
}

/// Checks that the claim `at_hash`, if the token has one, is the hash of the access token.
pub(super) fn check_access_token_hash(claims: &Claims, hash: &str) -> Result<(), Refused> {
    match claims.get("at_hash") {
        None => Ok(()),
        Some(Value::String(found)) if found == hash => Ok(()),
        Some(found) => {
            let reason =
                format!("at_hash of the ID token is {}, and not {hash:?}", quote(&found.to_string()));
            Err(Refusal::AccessTokenHash.because(reason))
        }
    }
}

/// Adds the person of a verified token to a refusal. The groups are not known.
pub(super) fn with_person(refused: Refused, issuer: &str, subject: &str, claims: &Claims) -> Refused {
    let identity = read_identity(issuer, subject.to_owned(), Vec::new(), &[claims]);
    Refused { identity: Some(Box::new(identity)), ..refused }
}

/// Creates the identity if its groups may sign in. `sources` are the claims, the most reliable first.
pub(super) fn identify(
    oidc: &Oidc,
    issuer: &str,
    subject: String,
    groups: Vec<String>,
    sources: &[&Claims],
) -> Result<Identity, Refused> {
    let (is_allowed, count) = (oidc.allows(&groups), groups.len());
    let identity = read_identity(issuer, subject, oidc.relevant_groups(groups), sources);
    if is_allowed {
        return Ok(identity);
    }
    let reason = format!("none of the {count} groups of {} is in oidc-allow", quote(&identity.subject));
    Err(Refused { identity: Some(Box::new(identity)), ..Refusal::NotAllowed.because(reason) })
}

/// Reads what a session shows about the user. `sources` are the claims, the most reliable first.
fn read_identity(issuer: &str, subject: String, groups: Vec<String>, sources: &[&Claims]) -> Identity {
    let label = |name: &str| sources.iter().find_map(|claims| read_label(claims.get(name)?));
    let verified = sources.iter().find(|claims| claims.contains_key("email"));
    let email = verified.filter(|claims| is_true(claims.get("email_verified")));
    Identity {
        issuer: issuer.to_owned(),
        name: label("name").or_else(|| label("preferred_username")),
        // Some servers have accounts such as `admin`, under which a user could sign in with `upstream-sign-in`.
        email: email.and_then(|claims| read_label(claims.get("email")?)).filter(|email| email.contains('@')),
        groups,
        subject,
    }
}

/// Returns true if claims contain what a session shows about the user.
pub(super) fn has_labels(claims: &Claims) -> bool {
    claims.contains_key("email") && (claims.contains_key("name") || claims.contains_key("preferred_username"))
}

/// Some providers send the text "true".
fn is_true(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Bool(true))) || value.is_some_and(|value| value == "true")
}

/// Reads a text to show: one line without control characters.
fn read_label(value: &Value) -> Option<String> {
    let text: String = value.as_str()?.chars().filter(|c| !c.is_control()).take(MAX_LABEL).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reads a time in seconds since 1970. RFC 7519 allows fractions.
fn read_seconds(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let whole = value.as_f64()?.floor();
        // Beyond the years that are meant: the conversion has no loss.
        (whole.abs() < 1e12).then(|| format!("{whole}").parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Claims, Expected, check, groups};
    use crate::sign_in::refusal::Refusal::{
        self, Audience, AuthorizedParty, Expired, FromFuture, GroupsInvalid, Issuer, Nonce, Subject,
        TimeInvalid, TooManyGroups,
    };

    const NOW: i64 = 1_000_000;

    fn claims(changes: &Value) -> Claims {
        let mut claims = json!({
            "iss": "https://login.example/", "aud": "flagdeck", "exp": NOW + 300, "iat": NOW, "nonce": "n", "sub": "1",
        });
        for (name, value) in changes.as_object().unwrap() {
            if value == "-" {
                claims.as_object_mut().unwrap().remove(name);
            } else {
                claims[name] = value.clone();
            }
        }
        claims.as_object().unwrap().clone()
    }

    #[test]
    fn refuses_claims_of_other_providers_clients_times_and_sign_ins() {
        let checked = |changes: &Value| {
            let expected = Expected { issuer: "https://login.example/", client_id: "flagdeck", nonce: "n" };
            check(&claims(changes), &expected, NOW).map_err(|refused| refused.refusal)
        };
        let cases: [(Value, Result<&str, Refusal>); 34] = [
            (json!({}), Ok("1")),
            (json!({ "iss": "https://login.example" }), Err(Issuer)),
            (json!({ "iss": "https://LOGIN.example/" }), Err(Issuer)),
            (json!({ "iss": "-" }), Err(Issuer)),
            (json!({ "iss": ["https://login.example/"] }), Err(Issuer)),
            (json!({ "aud": ["flagdeck"] }), Ok("1")),
            (json!({ "aud": "other" }), Err(Audience)),
            (json!({ "aud": [] }), Err(Audience)),
            (json!({ "aud": "-" }), Err(Audience)),
            (json!({ "aud": { "flagdeck": 1 } }), Err(Audience)),
            (json!({ "aud": ["flagdeck", "other"] }), Err(AuthorizedParty)),
            (json!({ "aud": ["flagdeck", "other"], "azp": "flagdeck" }), Ok("1")),
            (json!({ "aud": ["flagdeck", "other"], "azp": "other" }), Err(AuthorizedParty)),
            (json!({ "azp": "other" }), Err(AuthorizedParty)),
            (json!({ "azp": null }), Err(AuthorizedParty)),
            (json!({ "exp": NOW - 59 }), Ok("1")),
            (json!({ "exp": NOW - 60 }), Err(Expired)),
            (json!({ "exp": "-" }), Err(TimeInvalid)),
            (json!({ "exp": "1000300" }), Err(TimeInvalid)),
            (json!({ "exp": 1_000_300.5 }), Ok("1")),
            (json!({ "iat": NOW + 60 }), Ok("1")),
            (json!({ "iat": NOW + 61 }), Err(FromFuture)),
            (json!({ "iat": "-" }), Err(TimeInvalid)),
            (json!({ "nbf": NOW + 60 }), Ok("1")),
            (json!({ "nbf": NOW + 61 }), Err(FromFuture)),
            (json!({ "nbf": "soon" }), Err(TimeInvalid)),
            (json!({ "nonce": "other" }), Err(Nonce)),
            (json!({ "nonce": "-" }), Err(Nonce)),
            (json!({ "nonce": null }), Err(Nonce)),
            (json!({ "sub": "-" }), Err(Subject)),
            (json!({ "sub": "" }), Err(Subject)),
            (json!({ "sub": 1 }), Err(Subject)),
            (json!({ "sub": "x".repeat(255) }), Ok("x")),
            (json!({ "sub": "x".repeat(256) }), Err(Subject)),
        ];
        for (changes, expected) in cases {
            let found = checked(&changes);
            let found = found.as_deref().map(|subject| subject.get(..1).unwrap()).map_err(|refusal| *refusal);
            assert_eq!(found, expected, "{changes}");
        }
    }

    #[test]
    fn groups_are_found_by_name_and_by_path() {
        let found = |claims: &Value, path: &str| {
            groups(claims.as_object().unwrap(), path).map_err(|refused| refused.refusal)
        };
        let names =
            |names: &[&str]| Ok(Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()));
        let nested = json!({ "realm_access": { "roles": ["a", "b"] }, "https://x.example/groups": ["c"] });
        for (claims, path, expected) in [
            (json!({ "groups": ["a"] }), "groups", names(&["a"])),
            (json!({ "groups": [] }), "groups", names(&[])),
            (json!({ "groups": "a" }), "groups", names(&["a"])),
            (json!({}), "groups", Ok(None)),
            (json!({ "groups": null }), "groups", Ok(None)),
            (nested.clone(), "realm_access.roles", names(&["a", "b"])),
            (nested.clone(), "https://x.example/groups", names(&["c"])),
            (nested.clone(), "realm_access.groups", Ok(None)),
            (nested, "realm_access", Err(GroupsInvalid)),
            (json!({ "groups": ["a", 1] }), "groups", Err(GroupsInvalid)),
            (json!({ "groups": vec!["a"; 2_001] }), "groups", Err(TooManyGroups)),
            (json!({ "_claim_names": { "groups": "src1" } }), "groups", Err(TooManyGroups)),
            (json!({ "_claim_names": { "roles": "src1" }, "groups": ["a"] }), "groups", names(&["a"])),
            (json!({ "hasgroups": true }), "groups", Err(TooManyGroups)),
        ] {
            assert_eq!(found(&claims, path), expected, "{claims} {path}");
        }
    }
}
