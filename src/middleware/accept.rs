//! Reads `Accept`.

use actix_web::http::header::{ACCEPT, HeaderMap};

/// Browsers name it when they open a page, and in no other request.
pub const HTML: &str = "text/html";
/// Named by clients that read data.
pub const JSON: &str = "application/json";

/// Whether a client names this media type. A wildcard does not count: every program sends one.
#[must_use]
pub fn names(headers: &HeaderMap, media_type: &str) -> bool {
    headers.get_all(ACCEPT).any(|value| value.to_str().is_ok_and(|accept| accept.contains(media_type)))
}
