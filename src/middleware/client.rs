//! Who sent a request and how they reached us. What a proxy says of the client it speaks for is believed from trusted
//! ones only: from anyone else it is a claim.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;

use actix_web::http::header::{HOST, HeaderMap, HeaderName};
use actix_web::web::Data;
use actix_web::{HttpMessage as _, HttpRequest};

use crate::config::{Origin, Public};

/// Proxies append whom they speak for.
pub const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The host that the browser asked.
pub const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
/// How the browser asked: `http` or `https`.
pub const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The client of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// The other end of the connection.
    pub peer: IpAddr,
    /// The same as text, which is written more than once.
    pub peer_text: String,
    /// Whether that is a trusted proxy.
    pub trusted: bool,
    /// The nearest address on the way here that is no trusted proxy.
    pub address: IpAddr,
    /// How the browser speaks to the outermost proxy, or to us: `http` or `https`.
    pub scheme: &'static str,
    /// The host that the browser asked, empty when it told none.
    pub host: String,
}

/// Who sent a request, which every request is asked once as it comes in.
pub(crate) fn of(request: &HttpRequest) -> Rc<Client> {
    request.extensions().get::<Rc<Client>>().cloned().unwrap_or_else(|| Rc::new(identify(request)))
}

/// Finds out who it is.
pub(super) fn identify(request: &HttpRequest) -> Client {
    let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    match request.app_data::<Data<Public>>() {
        Some(public) => {
            Client::of(public, peer, if public.has_tls { "https" } else { "http" }, request.headers())
        }
        None => Client::of(&Public::default(), peer, "http", request.headers()),
    }
}

impl Client {
    /// Reads it from the connection and, from a trusted proxy, from the headers.
    #[must_use]
    pub fn of(public: &Public, peer: IpAddr, scheme: &'static str, headers: &HeaderMap) -> Self {
        let peer = peer.to_canonical();
        let trusted = public.trusts(peer);
        let told = |name: HeaderName| first(headers, &name).filter(|_| trusted);
        let own = public.url.as_ref().map_or(scheme, |url| url.scheme);
        Self {
            peer,
            peer_text: peer.to_string(),
            trusted,
            address: if trusted { nearest(public, peer, headers) } else { peer },
            scheme: match told(FORWARDED_PROTO) {
                Some("http") => "http",
                Some("https") => "https",
                _ => own,
            },
            host: told(FORWARDED_HOST).or(first(headers, &HOST)).unwrap_or_default().to_owned(),
        }
    }

    /// Whom it speaks for, as text.
    #[must_use]
    pub fn address_text(&self) -> Cow<'_, str> {
        if self.address == self.peer {
            Cow::Borrowed(&self.peer_text)
        } else {
            Cow::Owned(self.address.to_string())
        }
    }

    /// Where the browser thinks the console is.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        Origin::parse(&format!("{}://{}", self.scheme, self.host))
    }
}

/// The first of the values, which the outermost proxy gave.
fn first<'headers>(headers: &'headers HeaderMap, name: &HeaderName) -> Option<&'headers str> {
    headers.get(name)?.to_str().ok()?.split(',').next().map(str::trim).filter(|value| !value.is_empty())
}

/// Each proxy appends whom it speaks for, so the list is read from its end for as long as proxies are trusted.
fn nearest(public: &Public, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let lines: Vec<_> =
        headers.get_all(FORWARDED_FOR).map(|line| line.to_str().unwrap_or_default()).collect();
    let mut nearest = peer;
    for hop in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        let Ok(address) = hop.trim().parse::<IpAddr>() else { break };
        nearest = address.to_canonical();
        if !public.trusts(address) {
            break;
        }
    }
    nearest
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
        Client::of(&public, peer.parse().unwrap(), "http", &headers)
    }

    #[test]
    fn the_client_is_the_nearest_address_that_is_no_proxy_of_ours() {
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

    #[test]
    fn how_the_browser_came_is_believed_from_proxies_of_ours_only() {
        let lines = [("host", "inner:1"), ("x-forwarded-host", "outer"), ("x-forwarded-proto", "http")];
        let (theirs, ours) = (client("192.0.2.1", &lines), client("10.0.0.1", &lines));
        assert_eq!((theirs.host.as_str(), theirs.scheme), ("inner:1", "https"));
        assert_eq!((ours.host.as_str(), ours.scheme), ("outer", "http"));
    }
}
