//! Who is at the other end, and how they came.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, HeaderName};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The address that counts against attempts to sign in: the one at the other end of the connection. A proxy on this
/// machine is believed what it added itself, which is the end of the list; the rest could be made up.
pub(super) fn address(request: &HttpRequest) -> IpAddr {
    let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    if !peer.to_canonical().is_loopback() {
        return peer;
    }
    let forwarded = request.headers().get_all(FORWARDED_FOR).last().and_then(|value| value.to_str().ok());
    let added = forwarded.and_then(|value| value.rsplit(',').next());
    added.and_then(|address| address.trim().parse().ok()).unwrap_or(peer)
}

/// Whether the browser speaks TLS, with a proxy in front. To claim it harms nobody but who does.
pub(super) fn is_https(headers: &HeaderMap) -> bool {
    headers.get(FORWARDED_PROTO).is_some_and(|value| value == "https")
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::address;

    #[test]
    fn a_proxy_on_this_machine_tells_who_it_speaks_for_and_nobody_else_does() {
        for (peer, forwarded, found) in [
            ("192.0.2.1:1", None, "192.0.2.1"),
            ("192.0.2.1:1", Some("198.51.100.1"), "192.0.2.1"),
            ("127.0.0.1:1", None, "127.0.0.1"),
            ("127.0.0.1:1", Some("203.0.113.9, 198.51.100.1"), "198.51.100.1"),
            ("[::1]:1", Some("2001:db8::1"), "2001:db8::1"),
            ("127.0.0.1:1", Some("unknown"), "127.0.0.1"),
        ] {
            let mut request = TestRequest::default().peer_addr(peer.parse().unwrap());
            if let Some(forwarded) = forwarded {
                request = request.insert_header(("x-forwarded-for", forwarded));
            }
            let found: std::net::IpAddr = found.parse().unwrap();
            assert_eq!(address(&request.to_http_request()), found, "{peer} {forwarded:?}");
        }
    }
}
