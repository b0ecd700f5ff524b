//! Reads the header `Accept` (RFC 9110, 12.5.1).

use actix_web::http::header::{ACCEPT, HeaderMap};

/// Browsers list it when they open a page, and in no other request.
pub const HTML: &str = "text/html";
/// Listed by API clients.
pub const JSON: &str = "application/json";

/// Returns true if a request lists this media type. Wildcards do not count, because most programs send one.
#[must_use]
pub fn lists_media_type(headers: &HeaderMap, media_type: &str) -> bool {
    headers.get_all(ACCEPT).any(|value| value.to_str().is_ok_and(|list| list.contains(media_type)))
}
