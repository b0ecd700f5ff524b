//! Selects and adds the headers of the request that is sent upstream. Pure.

use std::borrow::Cow;
use std::collections::HashSet;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};

use crate::config::{BasePath, Upstream};
use crate::error::{ApiError, DomainError};
use crate::middleware::client::{Client, FORWARDED_FOR, FORWARDED_HOST, FORWARDED_PROTO};
use crate::request_id;
use crate::upstream::connection_header::connection_header_names;

/// Hop-by-hop headers, which describe one connection and not the message (RFC 9110, 7.6.1; `HTTP2-Settings`, `Keep-Alive`
/// and `Proxy-Connection` are older). `Proxy-Authenticate` and `Proxy-Authorization` are for the next proxy only (RFC 9110,
/// 11.7).
const HOP_BY_HOP: [&str; 10] = [
    "connection",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Request headers that the proxy sets itself or handles itself (`Expect`, `Flagdeck-Environment`,
/// `Flagdeck-User`).
const SET_BY_PROXY: [&str; 13] = [
    "content-length",
    "expect",
    "flagdeck-environment",
    "flagdeck-user",
    "forwarded",
    "host",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-prefix",
    "x-forwarded-proto",
    "x-real-ip",
    "x-request-id",
];

const FORWARDED_PREFIX: HeaderName = HeaderName::from_static("x-forwarded-prefix");
const REAL_IP: HeaderName = HeaderName::from_static("x-real-ip");

/// Writes the headers of requests that are sent upstream.
pub(super) struct RequestHeaders {
    /// Value of `Host`.
    host: HeaderValue,
    /// Name of this process in `Via`, which detects request loops.
    pseudonym: String,
    /// Entry that this process adds to `Via`.
    via: String,
    /// Path below which the console is served.
    base_path: String,
    /// Additional headers from the setting `upstream-header`.
    added_headers: Vec<(HeaderName, HeaderValue)>,
    /// False if the cookies of clients are not forwarded.
    forwards_cookies: bool,
}

impl RequestHeaders {
    /// Prepares the values that are the same for all requests.
    pub(super) fn new(
        upstream: &Upstream,
        base_path: &BasePath,
        pseudonym: String,
    ) -> Result<Self, InvalidHeaderValue> {
        Ok(Self {
            host: HeaderValue::from_str(&upstream.authority)?,
            via: format!("1.1 {pseudonym}"),
            pseudonym,
            base_path: base_path.as_str().to_owned(),
            added_headers: upstream.added_headers.clone(),
            forwards_cookies: true,
        })
    }

    /// Returns the headers of requests of SDKs if users sign in at this program: their cookies are for it alone.
    pub(super) fn for_sdks(&self, upstream: &Upstream) -> Self {
        Self {
            host: self.host.clone(),
            pseudonym: self.pseudonym.clone(),
            via: self.via.clone(),
            base_path: self.base_path.clone(),
            added_headers: upstream.headers_for_sdks().to_vec(),
            forwards_cookies: false,
        }
    }

    /// Writes the headers of the request that is sent upstream, one per line.
    ///
    /// # Errors
    /// If this process has forwarded the request before (RFC 9110, 7.6.3).
    pub(super) fn write(
        &self,
        head: &mut Vec<u8>,
        received: &HeaderMap,
        client: &Client,
        id: Option<&HeaderValue>,
    ) -> Result<(), ApiError> {
        let via = joined_values(received, &header::VIA);
        if via.contains(&self.pseudonym) {
            let message =
                "Request loop: --upstream leads back to Flagdeck. Set it to the address of the flag service";
            return Err(DomainError::new("loop", StatusCode::LOOP_DETECTED, message).into());
        }
        let mut put = |name: &HeaderName, value: &[u8]| {
            // A configured credential replaces the client's, whatever spelling of the name the client uses.
            if !self.added_headers.iter().any(|(added, _)| is_equivalent_name(name.as_str(), added.as_str()))
            {
                write_line(head, name, value);
            }
        };
        put(&header::HOST, self.host.as_bytes());
        put(&FORWARDED_PROTO, client.scheme.as_bytes());
        put(&header::VIA, append(via, ", ", self.via.as_str()).as_bytes());
        for (name, value) in
            self.client_headers(received, client).iter().filter(|(_, value)| !value.is_empty())
        {
            put(name, value.as_bytes());
        }
        if let Some(id) = id {
            put(&request_id::HEADER, id.as_bytes());
        }
        let named = connection_header_names(received);
        for (name, value) in received {
            let text = name.as_str();
            if is_end_to_end(text, &named)
                && (self.forwards_cookies || *name != header::COOKIE)
                && !SET_BY_PROXY.iter().any(|own| is_equivalent_name(text, own))
                && (!is_client_header(text) || (client.is_trusted_proxy && is_hyphenated(text)))
            {
                put(name, value.as_bytes());
            }
        }
        for (name, value) in &self.added_headers {
            write_line(head, name, value.as_bytes());
        }
        Ok(())
    }

    /// Returns the headers that describe the client. The values of a trusted proxy come first (RFC 7239, 4).
    fn client_headers<'a>(
        &'a self,
        received: &HeaderMap,
        client: &'a Client,
    ) -> [(HeaderName, Cow<'a, str>); 5] {
        let trusted_value = |name: &HeaderName| {
            if client.is_trusted_proxy { joined_values(received, name) } else { String::new() }
        };
        let (open, close) = if client.peer.is_ipv6() { ("\"[", "]\"") } else { ("", "") };
        let (scheme, host) = (client.scheme, client.host.replace(['"', '\\'], ""));
        let hop = ["for=", open, &client.peer_text, close, ";host=\"", &host, "\";proto=", scheme].concat();
        let prefix = trusted_value(&FORWARDED_PREFIX);
        [
            (FORWARDED_FOR, append(trusted_value(&FORWARDED_FOR), ", ", client.peer_text.as_str())),
            (FORWARDED_HOST, Cow::Borrowed(&client.host)),
            (FORWARDED_PREFIX, append(prefix.trim_end_matches('/').to_owned(), "", self.base_path.as_str())),
            (REAL_IP, client.address_text()),
            (header::FORWARDED, append(trusted_value(&header::FORWARDED), ", ", hop)),
        ]
    }
}

fn write_line(head: &mut Vec<u8>, name: &HeaderName, value: &[u8]) {
    for piece in [name.as_str().as_bytes(), b": ", value, b"\r\n"] {
        head.extend_from_slice(piece);
    }
}

/// Returns all values of a header as one comma-separated list.
fn joined_values(headers: &HeaderMap, name: &HeaderName) -> String {
    headers.get_all(name).filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(", ")
}

fn append<'a>(list: String, separator: &str, value: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
    let value = value.into();
    if list.is_empty() { value } else { Cow::Owned(list + separator + &value) }
}

pub(super) fn is_end_to_end(name: &str, named: &HashSet<String>) -> bool {
    !named.contains(name) && !HOP_BY_HOP.iter().any(|hop| is_equivalent_name(name, hop))
}

/// Returns true if a server may treat both header names as the same. CGI and its successors replace every character
/// except letters and digits by an underscore, so that `X_API_KEY` and `X-API-Key` are the same header.
pub(super) fn is_equivalent_name(name: &str, other: &str) -> bool {
    let same = |(one, other): (u8, u8)| {
        one == other || !(one.is_ascii_alphanumeric() || other.is_ascii_alphanumeric())
    };
    name.len() == other.len() && name.bytes().zip(other.bytes()).all(same)
}

/// Returns true if all servers read the name in the same way: it contains only letters, digits and hyphens.
fn is_hyphenated(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Returns true for headers in which a proxy describes its client. They are removed unless the proxy is trusted.
fn is_client_header(name: &str) -> bool {
    const PREFIX: &str = "x-forwarded-";
    let has_prefix = name.get(..PREFIX.len()).is_some_and(|start| is_equivalent_name(start, PREFIX));
    has_prefix || name == "forwarded" || is_equivalent_name(name, "x-real-ip")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::{RequestHeaders, is_equivalent_name};
    use crate::config::{BasePath, Upstream};
    use crate::error::ApiError;
    use crate::middleware::client::Client;

    fn map(lines: &[(&str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in lines {
            map.append(HeaderName::try_from(*name).unwrap(), HeaderValue::from_str(value).unwrap());
        }
        map
    }

    const RECEIVED: [(&str, &str); 19] = [
        ("host", "console.example"),
        ("accept", "a"),
        ("accept", "b"),
        ("cookie", "unleash-session=1"),
        ("connection", "close, X-Secret"),
        ("connection", "x-other"),
        ("x-secret", "s"),
        ("x-other", "o"),
        ("keep-alive", "timeout=5"),
        ("proxy-authorization", "Basic x"),
        ("te", "trailers"),
        ("expect", "100-continue"),
        ("x-forwarded-for", "10.0.0.1"),
        ("x_forwarded_proto", "https"),
        ("forwarded", "for=10.0.0.1"),
        ("x-real-ip", "10.0.0.1"),
        ("x-forwarded-port", "443"),
        ("via", "1.0 outer"),
        ("content-length", "3"),
    ];

    fn sent(trusted: bool, base_path: &str, received: &[(&str, &str)]) -> Result<Vec<String>, ApiError> {
        let client = Client {
            peer: "192.0.2.7".parse().unwrap(),
            peer_text: "192.0.2.7".to_owned(),
            is_trusted_proxy: trusted,
            address: "192.0.2.7".parse().unwrap(),
            scheme: "http",
            host: "console.example".to_owned(),
        };
        let added = [(HeaderName::from_static("authorization"), HeaderValue::from_static("secret"))];
        let upstream = Upstream { added_headers: added.to_vec(), ..Upstream::with_path("") };
        let base_path = BasePath::parse(base_path).unwrap();
        let headers = RequestHeaders::new(&upstream, &base_path, "flagdeck-1".to_owned()).unwrap();
        let mut sent = Vec::new();
        headers.write(&mut sent, &map(received), &client, Some(&HeaderValue::from_static("7")))?;
        let mut sent: Vec<_> = str::from_utf8(&sent).unwrap().lines().map(str::to_owned).collect();
        sent.sort();
        Ok(sent)
    }

    #[test]
    fn keeps_end_to_end_headers_and_removes_hop_by_hop_headers() {
        assert_eq!(
            sent(false, "", &RECEIVED).unwrap(),
            [
                "accept: a",
                "accept: b",
                "authorization: secret",
                "cookie: unleash-session=1",
                "forwarded: for=192.0.2.7;host=\"console.example\";proto=http",
                "host: flags:4243",
                "via: 1.0 outer, 1.1 flagdeck-1",
                "x-forwarded-for: 192.0.2.7",
                "x-forwarded-host: console.example",
                "x-forwarded-proto: http",
                "x-real-ip: 192.0.2.7",
                "x-request-id: 7",
            ]
        );
    }

    #[test]
    fn forwards_the_client_headers_of_a_trusted_proxy() {
        let sent = sent(true, "/flags", &RECEIVED).unwrap();
        for line in [
            "x-forwarded-for: 10.0.0.1, 192.0.2.7",
            "forwarded: for=10.0.0.1, for=192.0.2.7;host=\"console.example\";proto=http",
            "x-forwarded-port: 443",
            "x-forwarded-prefix: /flags",
            "x-real-ip: 192.0.2.7",
        ] {
            assert!(sent.iter().any(|sent| sent == line), "{line} in {sent:#?}");
        }
        assert!(!sent.iter().any(|line| line.starts_with("x_")), "{sent:#?}");
    }

    #[test]
    fn replaces_its_own_headers_in_every_spelling() {
        for name in [
            "Authorization",
            "x_request_id",
            "X-Request_Id",
            "x.real.ip",
            "X_Forwarded-Host",
            "content_length",
            "transfer_encoding",
            "proxy_authorization",
        ] {
            for trusted in [false, true] {
                let sent = sent(trusted, "", &[(name, "forged")]).unwrap();
                assert!(!sent.iter().any(|line| line.contains("forged")), "{name}: {sent:#?}");
                assert!(sent.contains(&"authorization: secret".to_owned()), "{sent:#?}");
            }
        }
        for (name, other, same) in [
            ("x_api_key", "x-api-key", true),
            ("x-api.key", "x_api-key", true),
            ("x-api-keys", "x-api-key", false),
            ("xxapi-key", "x-api-key", false),
        ] {
            assert_eq!(is_equivalent_name(name, other), same, "{name} {other}");
        }
    }

    #[test]
    fn refuses_a_request_that_it_has_forwarded_before() {
        let forwarded = sent(false, "", &[("via", "1.1 a"), ("via", "1.1 b, 1.1 flagdeck-1")]);
        assert_eq!(forwarded.unwrap_err().code(), "loop");
        assert!(sent(false, "", &[("via", "1.1 flagdeck-2")]).is_ok());
    }
}
