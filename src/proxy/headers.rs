//! Which headers cross the proxy, and which are its own. Pure.

use std::borrow::Cow;
use std::collections::HashSet;

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};

use crate::config::{BasePath, Upstream};
use crate::error::ApiError;
use crate::middleware::client::{Client, FORWARDED_FOR, FORWARDED_HOST, FORWARDED_PROTO};
use crate::middleware::request_id;

/// Headers that speak of one connection and not of the message (RFC 9110, 7.6.1; `Keep-Alive` and `Proxy-Connection`
/// are older customs). `Proxy-Authenticate` and `Proxy-Authorization` are meant for the next proxy alone (11.7).
const HOP_BY_HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// What the request's new message gets anew. `Expect` was answered on this side.
const REQUEST_OWN: [&str; 11] = [
    "content-length",
    "expect",
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

/// What the requests that go upstream say beyond what the clients' said.
pub(super) struct Sender {
    /// What goes into `Host`.
    host: HeaderValue,
    /// The name by which this process knows its own requests.
    pseudonym: String,
    /// What it says of itself.
    via: String,
    /// Where the console is served.
    base_path: String,
    /// The headers of its own that the upstream is to get.
    added: Vec<(HeaderName, HeaderValue)>,
}

impl Sender {
    /// # Errors
    /// None that are known.
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
            added: upstream.added.clone(),
        })
    }

    /// Writes the headers of the request that goes upstream, a line each.
    ///
    /// # Errors
    /// [`ApiError::Loop`] for a request that came from here.
    pub(super) fn write(
        &self,
        head: &mut Vec<u8>,
        received: &HeaderMap,
        client: &Client,
        id: Option<&HeaderValue>,
    ) -> Result<(), ApiError> {
        let via = all(received, &header::VIA);
        if via.contains(&self.pseudonym) {
            return Err(ApiError::Loop);
        }
        let mut put = |name: &HeaderName, value: &[u8]| {
            // A credential of the operator's replaces the client's, however the client spells the name.
            if !self.added.iter().any(|(added, _)| is_read_as(name.as_str(), added.as_str())) {
                line(head, name, value);
            }
        };
        put(&header::HOST, self.host.as_bytes());
        put(&FORWARDED_PROTO, client.scheme.as_bytes());
        put(&header::VIA, behind(via, ", ", self.via.as_str()).as_bytes());
        for (name, value) in self.own(received, client).iter().filter(|(_, value)| !value.is_empty()) {
            put(name, value.as_bytes());
        }
        if let Some(id) = id {
            put(&request_id::HEADER, id.as_bytes());
        }
        let named = named_by_connection(received);
        for (name, value) in received {
            let text = name.as_str();
            if is_end_to_end(text, &named)
                && !REQUEST_OWN.iter().any(|own| is_read_as(text, own))
                && (!speaks_for_clients(text) || (client.trusted && is_hyphenated(text)))
            {
                put(name, value.as_bytes());
            }
        }
        for (name, value) in &self.added {
            line(head, name, value.as_bytes());
        }
        Ok(())
    }

    /// Who asks. What a trusted proxy said stands in front of what we add.
    fn own<'a>(&'a self, received: &HeaderMap, client: &'a Client) -> [(HeaderName, Cow<'a, str>); 5] {
        let told = |name: &HeaderName| if client.trusted { all(received, name) } else { String::new() };
        let (open, close) = if client.peer.is_ipv6() { ("\"[", "]\"") } else { ("", "") };
        let (scheme, host) = (client.scheme, client.host.replace(['"', '\\'], ""));
        let hop = ["for=", open, &client.peer_text, close, ";host=\"", &host, "\";proto=", scheme].concat();
        let prefix = told(&FORWARDED_PREFIX);
        [
            (FORWARDED_FOR, behind(told(&FORWARDED_FOR), ", ", client.peer_text.as_str())),
            (FORWARDED_HOST, Cow::Borrowed(&client.host)),
            (FORWARDED_PREFIX, behind(prefix.trim_end_matches('/').to_owned(), "", self.base_path.as_str())),
            (REAL_IP, client.address_text()),
            (header::FORWARDED, behind(told(&header::FORWARDED), ", ", hop)),
        ]
    }
}

fn line(head: &mut Vec<u8>, name: &HeaderName, value: &[u8]) {
    for piece in [name.as_str().as_bytes(), b": ", value, b"\r\n"] {
        head.extend_from_slice(piece);
    }
}

/// All values of a header as one list.
fn all(headers: &HeaderMap, name: &HeaderName) -> String {
    headers.get_all(name).filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(", ")
}

fn behind<'a>(before: String, between: &str, own: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
    let own = own.into();
    if before.is_empty() { own } else { Cow::Owned(before + between + &own) }
}

pub(super) fn is_end_to_end(name: &str, named: &HashSet<String>) -> bool {
    !named.contains(name) && !HOP_BY_HOP.iter().any(|hop| is_read_as(name, hop))
}

/// Whether a server may read one header name as another. CGI and its successors turn every character but letters and
/// digits into an underscore: to them, `X_API_KEY` and `X-API-Key` are the same header.
pub(super) fn is_read_as(name: &str, other: &str) -> bool {
    let same = |(one, other): (u8, u8)| {
        one == other || !(one.is_ascii_alphanumeric() || other.is_ascii_alphanumeric())
    };
    name.len() == other.len() && name.bytes().zip(other.bytes()).all(same)
}

/// What `Connection` says, in all its values.
pub(super) fn connection_options(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(header::CONNECTION).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// "Intermediaries MUST parse a received Connection header field […] and […] remove any header field(s) from the
/// message with the same name" (RFC 9110, 7.6.1), in all its values. Without those that are removed anyway.
pub(super) fn named_by_connection(headers: &HeaderMap) -> HashSet<String> {
    connection_options(headers)
        .filter(|name| !name.eq_ignore_ascii_case("keep-alive"))
        .map(str::to_ascii_lowercase)
        .collect()
}

/// Whether a name has only characters that every server reads in the same way.
fn is_hyphenated(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Headers by which a proxy tells who its client is: from anyone but a trusted proxy they are claims.
fn speaks_for_clients(name: &str) -> bool {
    const PREFIX: &str = "x-forwarded-";
    let has_prefix = name.get(..PREFIX.len()).is_some_and(|start| is_read_as(start, PREFIX));
    has_prefix || name == "forwarded" || is_read_as(name, "x-real-ip")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::{Sender, is_read_as};
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
            trusted,
            address: "192.0.2.7".parse().unwrap(),
            scheme: "http",
            host: "console.example".to_owned(),
        };
        let added = [(HeaderName::from_static("authorization"), HeaderValue::from_static("secret"))];
        let upstream = Upstream { added: added.to_vec(), ..Upstream::below("") };
        let base_path = BasePath::parse(base_path).unwrap();
        let sender = Sender::new(&upstream, &base_path, "flagdeck-1".to_owned()).unwrap();
        let mut sent = Vec::new();
        sender.write(&mut sent, &map(received), &client, Some(&HeaderValue::from_static("7")))?;
        let mut sent: Vec<_> = str::from_utf8(&sent).unwrap().lines().map(str::to_owned).collect();
        sent.sort();
        Ok(sent)
    }

    #[test]
    fn requests_keep_what_is_end_to_end_and_lose_the_rest() {
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
    fn what_a_trusted_proxy_says_of_its_client_is_passed_on() {
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
    fn headers_of_ours_are_replaced_in_every_spelling() {
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
            assert_eq!(is_read_as(name, other), same, "{name} {other}");
        }
    }

    #[test]
    fn a_request_that_comes_back_is_a_loop() {
        assert!(matches!(
            sent(false, "", &[("via", "1.1 a"), ("via", "1.1 b, 1.1 flagdeck-1")]),
            Err(ApiError::Loop)
        ));
        assert!(sent(false, "", &[("via", "1.1 flagdeck-2")]).is_ok());
    }
}
