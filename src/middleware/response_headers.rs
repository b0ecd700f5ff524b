//! Headers that keep a browser from being used against the console, on every answer.

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

const ALWAYS: [(HeaderName, HeaderValue); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CROSS_ORIGIN_OPENER_POLICY, HeaderValue::from_static("same-origin")),
    (header::CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
    (header::PERMISSIONS_POLICY, HeaderValue::from_static("camera=(), geolocation=(), microphone=()")),
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
];

/// What an answer gets that has none of its own. Pages bring their policy; anything else is inert when a browser
/// shows it, so that HTML from an upstream cannot act for the console. API answers are not kept by caches.
const WHEN_ABSENT: [(HeaderName, HeaderValue); 2] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("sandbox; default-src 'none'; frame-ancestors 'none'"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// For browsers that came by https: they shall not come by http again for a year.
const OVER_HTTPS: (HeaderName, HeaderValue) =
    (header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));

/// Adds them.
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
