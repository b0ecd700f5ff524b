//! Keys of the caches that contain what one user can see.
//!
//! Servers with private projects show each user other projects, toggles and counts. Therefore a cached response is only
//! for requests with the same credentials. A key is a hash, so that the caches contain no credentials.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use sha2::{Digest as _, Sha256};

use crate::api_path::ApiPath;
use crate::path_rules;

/// Hash of the headers of a request that can identify a user.
pub(super) type CredentialHash = [u8; 32];

/// Headers that do not identify a user, and that can differ between two requests of the same user. All other headers
/// count as credentials: besides `Cookie` and `Authorization`, proxies for single sign-on add headers with any name.
const NO_CREDENTIALS: [&str; 36] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "b3",
    "baggage",
    "cache-control",
    "cf-ray",
    "connection",
    "content-length",
    "content-type",
    "date",
    "dnt",
    "expect",
    "flagdeck-environment",
    "flagdeck-user",
    "forwarded",
    "host",
    "keep-alive",
    "origin",
    "pragma",
    "priority",
    "range",
    "referer",
    "save-data",
    "te",
    "traceparent",
    "tracestate",
    "transfer-encoding",
    "upgrade-insecure-requests",
    "user-agent",
    "via",
    "x-amzn-trace-id",
    "x-real-ip",
    "x-request-id",
    "x-requested-with",
];
/// Starts of the names of further such headers.
const NO_CREDENTIAL_PREFIXES: [&str; 7] = [
    "sec-",
    "x-b3-",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-prefix",
    "x-forwarded-proto",
];

/// Time without requests after which a sign-in is forgotten: longer than the age of any entry with a key, because the key of
/// the user before the sign-in then counts again. `sessions.rs` keeps the oldest entries.
const MAX_IDLE: Duration = Duration::from_hours(13);
/// Maximum number of remembered sign-ins.
const MAX_SIGN_INS: u64 = 10_000;

/// Identifies a user in the keys of caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct UserKey {
    credentials: CredentialHash,
    /// Number of the last sign-in with these credentials: a session can belong to another user afterwards.
    sign_in: u64,
}

/// The sign-ins that this program has forwarded.
#[derive(Debug)]
pub(super) struct SignIns {
    last: Cache<CredentialHash, u64>,
    count: AtomicU64,
}

impl Default for SignIns {
    fn default() -> Self {
        // The default policy can refuse a new entry: the key would still belong to the user before the sign-in.
        let last = Cache::builder()
            .max_capacity(MAX_SIGN_INS)
            .eviction_policy(EvictionPolicy::lru())
            .time_to_idle(MAX_IDLE)
            .build();
        Self { last, count: AtomicU64::new(0) }
    }
}

impl SignIns {
    /// Returns the key of the user with these credentials.
    pub(super) async fn key(&self, credentials: CredentialHash) -> UserKey {
        UserKey { credentials, sign_in: self.last.get(&credentials).await.unwrap_or_default() }
    }

    /// Notes that the user of a session may have changed.
    pub(super) async fn observe(&self, credentials: CredentialHash) {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        self.last.insert(credentials, number).await;
    }
}

/// Returns true if a forwarded request can change the user of a session: it signs in or out.
pub(super) fn changes_user(method: &Method, path: &str) -> bool {
    if matches!(ApiPath::find_tolerant(method, path), Some(ApiPath::SignIn | ApiPath::SignOut)) {
        return true;
    }
    let path = path_rules::tolerant(path);
    // Also a changed password ends sessions.
    path.ends_with("/logout") || (!method.is_safe() && path.starts_with("/auth/"))
}

/// Computes the hash of the headers that can identify a user.
pub(super) fn hash(headers: &HeaderMap) -> CredentialHash {
    let mut fields: Vec<_> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .filter(|(name, _)| can_identify(name))
        .collect();
    // Stable: the values of one header keep their order.
    fields.sort_by_key(|(name, _)| *name);
    let mut hash = Sha256::new();
    for part in fields.into_iter().flat_map(|(name, value)| [name.as_bytes(), value]) {
        // With the length, two sequences of parts never have the same bytes.
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Returns true if a request header with this name can identify a user.
pub(crate) fn can_identify(name: &str) -> bool {
    !name.starts_with("if-")
        && !NO_CREDENTIALS.contains(&name)
        && !NO_CREDENTIAL_PREFIXES.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::{MAX_SIGN_INS, SignIns, hash};

    fn headers(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        headers
    }

    #[tokio::test]
    async fn new_sign_in_has_another_key_if_the_maximum_number_is_in_use() {
        let sign_ins = SignIns::default();
        let credentials = |number: u64| std::array::from_fn(|index| number.to_be_bytes()[index % 8]);
        for number in 0..MAX_SIGN_INS {
            sign_ins.observe(credentials(number)).await;
        }
        for number in (0..MAX_SIGN_INS).cycle().take(30_000) {
            sign_ins.key(credentials(number)).await;
        }
        let new = credentials(MAX_SIGN_INS);
        let before = sign_ins.key(new).await;
        sign_ins.observe(new).await;
        sign_ins.last.run_pending_tasks().await;
        assert_ne!(sign_ins.key(new).await, before);
        assert_eq!(sign_ins.last.entry_count(), MAX_SIGN_INS);
    }

    #[test]
    fn depends_on_each_header_that_can_identify_a_user() {
        let one = headers(&[("cookie", "s=1"), ("authorization", "user:1"), ("x-remote-user", "ann")]);
        let reordered = headers(&[
            ("x-remote-user", "ann"),
            ("accept", "*/*"),
            ("sec-fetch-site", "same-origin"),
            ("authorization", "user:1"),
            ("if-match", "\"1\""),
            ("cookie", "s=1"),
            ("x-forwarded-for", "192.0.2.1"),
        ]);
        assert_eq!(hash(&one), hash(&reordered));
        for other in [
            headers(&[("cookie", "s=2"), ("authorization", "user:1"), ("x-remote-user", "ann")]),
            headers(&[("cookie", "s=1"), ("authorization", "user:2"), ("x-remote-user", "ann")]),
            headers(&[("cookie", "s=1"), ("authorization", "user:1"), ("x-remote-user", "bob")]),
            headers(&[("cookie", "s=1"), ("authorization", "user:1")]),
            headers(&[("cookie", "s=1authorization"), ("x-remote-user", "ann")]),
        ] {
            assert_ne!(hash(&one), hash(&other), "{other:?}");
        }
    }
}
