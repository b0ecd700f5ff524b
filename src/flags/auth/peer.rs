//! Who is at the other end, and how they came.

use std::net::IpAddr;

use actix_web::HttpRequest;

use crate::middleware::client::{self, FORWARDED_PROTO};

/// The address that counts against attempts to sign in. What proxies say of it is believed from trusted ones alone: it
/// could be made up, and would lock somebody else out.
pub(super) fn address(request: &HttpRequest) -> IpAddr {
    client::from_request(request).address
}

/// Whether the browser speaks TLS, with us or with a proxy in front. Any may tell so: to claim it harms nobody but who
/// does.
pub(super) fn is_https(request: &HttpRequest) -> bool {
    client::from_request(request).scheme == "https"
        || request.headers().get(FORWARDED_PROTO).is_some_and(|value| value == "https")
}
