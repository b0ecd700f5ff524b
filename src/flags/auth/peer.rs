//! Address and protocol of the client of a sign-in.

use std::net::IpAddr;

use actix_web::HttpRequest;

use crate::error::ApiError;
use crate::middleware::client::{self, FORWARDED_PROTO};

/// Returns the address that sign-in attempts are counted for. Forwarding headers count only from trusted proxies,
/// because a forged address would lock out somebody else.
pub(super) fn client_address(request: &HttpRequest) -> Result<IpAddr, ApiError> {
    Ok(client::from_request(request)?.address)
}

/// Returns true if the browser uses TLS, to this server or to a proxy in front. Any client may claim it, because a
/// false claim affects only that client's cookie.
pub(super) fn is_https(request: &HttpRequest) -> bool {
    client::from_request(request).is_ok_and(|client| client.scheme == "https")
        || request.headers().get(FORWARDED_PROTO).is_some_and(|value| value == "https")
}
