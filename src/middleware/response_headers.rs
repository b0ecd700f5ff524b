//! Adds security headers to every response.

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

const ALWAYS: [(HeaderName, HeaderValue); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CROSS_ORIGIN_OPENER_POLICY, HeaderValue::from_static("same-origin")),
    (header::CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
    (header::PERMISSIONS_POLICY, HeaderValue::from_static("camera=(), geolocation=(), microphone=()")),
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
];

/// Headers that a response gets unless it has them. Pages set their own policy. With this one, a browser that displays
/// another response runs nothing in it, so that HTML from an upstream cannot act as the console. API responses are not
/// cached.
const WHEN_ABSENT: [(HeaderName, HeaderValue); 2] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("sandbox; default-src 'none'; frame-ancestors 'none'"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// For browsers that use https: they must not use http for a year.
const OVER_HTTPS: (HeaderName, HeaderValue) =
    (header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));

/// Adds the headers.
pub(super) fn add(headers: &mut HeaderMap, is_https: bool) {
    for (name, value) in ALWAYS.into_iter().chain(is_https.then_some(OVER_HTTPS)) {
        headers.insert(name, value);
    }
    for (name, value) in WHEN_ABSENT {
        if !headers.contains_key(&name) {
            headers.insert(name, value);
        }
    }
}
