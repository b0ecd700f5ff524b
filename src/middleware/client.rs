//! Identifies the client of a request. The headers in which a proxy describes its client count only if they come from a
//! trusted proxy.
//!
//! Addresses are in `X-Forwarded-For`, or in `Forwarded` (RFC 7239) of a request without it. A proxy must set the one and remove the
//! other: clients can send both.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::rc::Rc;

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{FORWARDED, HOST, HeaderMap, HeaderName};
use actix_web::{HttpMessage as _, HttpRequest};

use crate::config::{Origin, Public};
use crate::error::ApiError;
use crate::log_limit::LogLimit;

/// Addresses of the client and of the proxies; each proxy appends the address of its peer.
pub const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// Host that the browser requested.
pub const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
/// Scheme that the browser used: `http` or `https`.
pub const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// A trusted proxy sends an address that is none.
static UNUSABLE_ADDRESS: LogLimit = LogLimit::new();

/// The client of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Address of the other end of the connection.
    pub peer: IpAddr,
    /// The same address as text, formatted once.
    pub peer_text: String,
    /// True if the peer is a trusted proxy.
    pub is_trusted_proxy: bool,
    /// Address of the client: the last address in the chain of proxies that is not a trusted proxy.
    pub address: IpAddr,
    /// Scheme that the browser used: `http` or `https`.
    pub scheme: &'static str,
    /// Host that the browser requested; empty if the request names none.
    pub host: String,
}

/// Returns the client of a request, which the middleware has identified.
pub(crate) fn from_request(request: &HttpRequest) -> Result<Rc<Client>, ApiError> {
    let client = request.extensions().get::<Rc<Client>>().cloned();
    client.ok_or_else(|| ApiError::internal("the request has not passed the middleware"))
}

impl Client {
    /// Identifies the client of a request.
    pub(super) fn identify(public: &Public, request: &ServiceRequest) -> Self {
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        Self::new(public, peer, if public.has_tls { "https" } else { "http" }, request.headers())
    }

    /// Identifies a client by its connection and, if the peer is a trusted proxy, by the headers.
    #[must_use]
    pub fn new(public: &Public, peer: IpAddr, scheme: &'static str, headers: &HeaderMap) -> Self {
        let peer = peer.to_canonical();
        let is_trusted_proxy = public.trusts(peer);
        let trusted_header = |name: HeaderName| first_value(headers, &name).filter(|_| is_trusted_proxy);
        let own = public.url.as_ref().map_or(scheme, |url| url.scheme);
        Self {
            peer,
            peer_text: peer.to_string(),
            is_trusted_proxy,
            address: if is_trusted_proxy { client_address(public, peer, headers) } else { peer },
            scheme: match trusted_header(FORWARDED_PROTO) {
                Some("http") => "http",
                Some("https") => "https",
                _ => own,
            },
            host: trusted_header(FORWARDED_HOST)
                .or(first_value(headers, &HOST))
                .unwrap_or_default()
                .to_owned(),
        }
    }

    /// Returns this program as the client of its own requests.
    #[must_use]
    pub(crate) fn local() -> Self {
        Self::new(&Public::default(), IpAddr::V4(Ipv4Addr::LOCALHOST), "http", &HeaderMap::new())
    }

    /// Returns the address of the client as text.
    #[must_use]
    pub fn address_text(&self) -> Cow<'_, str> {
        if self.address == self.peer {
            Cow::Borrowed(&self.peer_text)
        } else {
            Cow::Owned(self.address.to_string())
        }
    }

    /// Returns the origin of the console as the browser sees it.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        Origin::parse(&format!("{}://{}", self.scheme, self.host))
    }
}

/// Returns the network that identifies the owner of an address: 64 bits of an IPv6 address, which one subscriber chooses
/// freely, and all of an IPv4 address.
#[must_use]
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// Returns the first value of a list, which the outermost proxy has set.
fn first_value<'headers>(headers: &'headers HeaderMap, name: &HeaderName) -> Option<&'headers str> {
    headers.get(name)?.to_str().ok()?.split(',').next().map(str::trim).filter(|value| !value.is_empty())
}

/// Returns the client's address. Each proxy appends the address of its peer, so that the list is read from its end
/// while the addresses are trusted proxies.
fn client_address(public: &Public, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let is_standard = !headers.contains_key(FORWARDED_FOR);
    let lines = headers.get_all(if is_standard { FORWARDED } else { FORWARDED_FOR });
    let lines: Vec<_> = lines.map(|line| line.to_str().unwrap_or_default()).collect();
    let mut address = peer;
    for hop in lines.iter().rev().flat_map(|line| split_from_end(line, ',')) {
        let node = if is_standard { find_for(hop) } else { Some(hop) };
        let Some(hop) = node.and_then(parse_node) else {
            if let Some(repeated) = UNUSABLE_ADDRESS.record() {
                tracing::warn!(
                    %peer,
                    repeated,
                    "a trusted proxy sends no usable address of its client, so that all its clients count as one; let it set X-Forwarded-For"
                );
            }
            break;
        };
        address = hop;
        if !public.trusts(hop) {
            break;
        }
    }
    address
}

/// Splits a header at separators outside of quoted strings, the last part first. The part of the nearest proxy is therefore found
/// also if what a client has sent before it has an open quote.
fn split_from_end(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    text.rsplit(move |letter| {
        is_quoted ^= letter == '"';
        letter == separator && !is_quoted
    })
}

/// Returns the node of the parameter `for` in an element of `Forwarded` (RFC 7239, 4).
fn find_for(element: &str) -> Option<&str> {
    let pairs = split_from_end(element, ';').filter_map(|pair| pair.split_once('='));
    let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    let (_, node) = nodes.next()?;
    let node = node.trim();
    Some(node.strip_prefix('"').and_then(|node| node.strip_suffix('"')).unwrap_or(node))
}

/// Parses an address that may have a port, and then has brackets if it is an IPv6 address (RFC 7239, 6). Ports may be obfuscated.
fn parse_node(node: &str) -> Option<IpAddr> {
    let node = node.trim();
    let address = match node.strip_prefix('[').and_then(|node| node.split_once(']')) {
        Some((address, port)) if port.is_empty() || port.starts_with(':') => address,
        Some(_) => return None,
        None => {
            node.split_once(':').filter(|(_, port)| !port.contains(':')).map_or(node, |(address, _)| address)
        }
    };
    address.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::Client;
    use crate::config::{Origin, Public};

    fn client(peer: &str, lines: &[(&'static str, &'static str)]) -> Client {
        let public = Public {
            trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()],
            url: Origin::parse("https://flags.example"),
            ..Public::default()
        };
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        Client::new(&public, peer.parse().unwrap(), "http", &headers)
    }

    #[test]
    fn address_is_the_last_one_that_is_not_a_trusted_proxy() {
        for (peer, forwarded, address) in [
            ("192.0.2.1", &["198.51.100.1"][..], "192.0.2.1"),
            ("::ffff:192.0.2.1", &[], "192.0.2.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("::ffff:10.0.0.1", &["::ffff:198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["6.6.6.6, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", &["6.6.6.6", "198.51.100.1", "10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", &["198.51.100.1, unknown, 10.0.0.2"], "10.0.0.2"),
        ] {
            let lines: Vec<_> = forwarded.iter().map(|value| ("x-forwarded-for", *value)).collect();
            assert_eq!(client(peer, &lines).address_text(), address, "{peer} {forwarded:?}");
        }
    }

    /// The examples of RFC 7239, sections 4, 6.3 and 7.1, and what common proxies send.
    #[test]
    fn addresses_have_ports_brackets_and_the_notation_of_rfc_7239() {
        for (name, value, address) in [
            ("x-forwarded-for", "198.51.100.1:51234", "198.51.100.1"),
            ("x-forwarded-for", "[2001:db8::1]:80", "2001:db8::1"),
            ("x-forwarded-for", "[2001:db8::1]", "2001:db8::1"),
            ("x-forwarded-for", "2001:db8::1", "2001:db8::1"),
            ("x-forwarded-for", "6.6.6.6:1, 198.51.100.1:2, 10.0.0.2:3", "198.51.100.1"),
            ("x-forwarded-for", "[2001:db8::1]x", "10.0.0.1"),
            ("x-forwarded-for", "198.51.100.1:80:80", "10.0.0.1"),
            ("forwarded", "for=\"_gazonk\"", "10.0.0.1"),
            ("forwarded", "For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("forwarded", "for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
            ("forwarded", "for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
            ("forwarded", "for=192.0.2.43:47011", "192.0.2.43"),
            ("forwarded", "for=\"192.0.2.43:47011\"", "192.0.2.43"),
            ("forwarded", "for=192.0.2.43,for=\"[2001:db8:cafe::17]\",for=unknown", "10.0.0.1"),
            ("forwarded", "for=\"192.0.2.43:_port\"", "192.0.2.43"),
            ("forwarded", "for=192.0.2.43, for=10.0.0.2", "192.0.2.43"),
            ("forwarded", "proto=http", "10.0.0.1"),
            // A client has sent the first part.
            ("forwarded", "for=\"6.6.6.6, for=198.51.100.17", "198.51.100.17"),
            ("forwarded", "for=198.51.100.17;host=\"a;for=6.6.6.6\"", "198.51.100.17"),
        ] {
            assert_eq!(client("10.0.0.1", &[(name, value)]).address_text(), address, "{name}: {value}");
            assert_eq!(client("192.0.2.9", &[(name, value)]).address_text(), "192.0.2.9", "{name}: {value}");
        }
        let both = [("x-forwarded-for", "198.51.100.1"), ("forwarded", "for=6.6.6.6")];
        assert_eq!(client("10.0.0.1", &both).address_text(), "198.51.100.1");
    }

    #[test]
    fn scheme_and_host_are_taken_from_trusted_proxies_only() {
        let lines = [("host", "inner:1"), ("x-forwarded-host", "outer"), ("x-forwarded-proto", "http")];
        let (untrusted, trusted) = (client("192.0.2.1", &lines), client("10.0.0.1", &lines));
        assert_eq!((untrusted.host.as_str(), untrusted.scheme), ("inner:1", "https"));
        assert_eq!((trusted.host.as_str(), trusted.scheme), ("outer", "http"));
    }
}
