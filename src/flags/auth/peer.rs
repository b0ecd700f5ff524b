//! Who is at the other end, and how they came.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::{HttpMessage as _, HttpRequest};

use crate::middleware::client::{Client, FORWARDED_PROTO};

/// The address that counts against attempts to sign in. What proxies say of it is believed from trusted ones alone: it
/// could be made up, and would lock somebody else out.
pub(super) fn address(request: &HttpRequest) -> IpAddr {
    let known = request.extensions().get().map(|client: &Client| client.address);
    known.or_else(|| request.peer_addr().map(|peer| peer.ip())).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// Whether the browser speaks TLS, with us or with a proxy in front. Any may tell so: to claim it harms nobody but who
/// does.
pub(super) fn is_https(request: &HttpRequest) -> bool {
    request.extensions().get().is_some_and(|client: &Client| client.scheme == "https")
        || request.headers().get(FORWARDED_PROTO).is_some_and(|value| value == "https")
}
