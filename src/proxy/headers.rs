//! Which headers cross the proxy, and which are its own. Pure.

use std::collections::HashSet;

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

use crate::error::ERROR_HEADER;

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

/// What the request's new message gets anew: its framing and its host. `Expect` was answered on this side.
const REQUEST_OWN: [&str; 3] = ["content-length", "expect", "host"];

/// What an upstream says of itself or of its origin, which is not the console's.
const ANSWER_OWN: [&str; 7] = [
    "alt-svc",
    "clear-site-data",
    "content-length",
    "content-security-policy",
    "server",
    "strict-transport-security",
    "x-powered-by",
];

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The headers of the request that goes upstream.
pub(super) fn to_upstream(request: &HttpRequest, authority: &str) -> HeaderMap {
    let mut headers =
        kept(request.headers(), |name| !REQUEST_OWN.contains(&name) && !speaks_for_clients(name));
    let mut set = |name: HeaderName, value: Option<HeaderValue>| {
        if let Some(value) = value {
            headers.insert(name, value);
        }
    };
    set(FORWARDED_HOST, request.headers().get(header::HOST).cloned());
    set(FORWARDED_PROTO, Some(HeaderValue::from_static("http")));
    set(FORWARDED_FOR, request.peer_addr().and_then(|peer| peer.ip().to_string().parse().ok()));
    set(header::HOST, authority.parse().ok());
    headers
}

/// The headers of the answer that goes to the client.
pub(super) fn from_upstream(answer: &HeaderMap) -> HeaderMap {
    kept(answer, |name| {
        !ANSWER_OWN.contains(&name) && !name.starts_with("access-control-") && name != ERROR_HEADER.as_str()
    })
}

/// End-to-end headers that pass `also`, each with all its values in their order.
fn kept(headers: &HeaderMap, also: impl Fn(&str) -> bool) -> HeaderMap {
    let named = named_by_connection(headers);
    let mut kept = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        let text = name.as_str();
        if !named.contains(text) && !HOP_BY_HOP.contains(&text) && also(text) {
            kept.append(name.clone(), value.clone());
        }
    }
    kept
}

/// "Intermediaries MUST parse a received Connection header field […] and […] remove any header field(s) from the
/// message with the same name" (RFC 9110, 7.6.1), in all its values.
fn named_by_connection(headers: &HeaderMap) -> HashSet<String> {
    headers
        .get_all(header::CONNECTION)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect()
}

/// Headers by which a proxy tells who its client is: from anyone but a trusted proxy they are claims. Some servers
/// read an underscore as a hyphen.
fn speaks_for_clients(name: &str) -> bool {
    let name = name.replace('_', "-");
    name == "forwarded" || name == "x-real-ip" || name.starts_with("x-forwarded-")
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::{from_upstream, to_upstream};
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    fn lines(headers: &HeaderMap) -> Vec<String> {
        let mut lines: Vec<_> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        lines.sort_by(|a, b| a.split(':').next().cmp(&b.split(':').next()));
        lines
    }

    fn map(lines: &[(&str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in lines {
            map.append(HeaderName::try_from(*name).unwrap(), HeaderValue::from_str(value).unwrap());
        }
        map
    }

    #[test]
    fn requests_keep_what_is_end_to_end_and_lose_the_rest() {
        let mut request = TestRequest::default().peer_addr("192.0.2.7:5555".parse().unwrap());
        for line in [
            ("Host", "console.example"),
            ("Accept", "a"),
            ("Accept", "b"),
            ("Cookie", "unleash-session=1"),
            ("Connection", "close, X-Secret"),
            ("Connection", "x-other"),
            ("X-Secret", "s"),
            ("X-Other", "o"),
            ("Keep-Alive", "timeout=5"),
            ("Proxy-Authorization", "Basic x"),
            ("TE", "trailers"),
            ("Expect", "100-continue"),
            ("X-Forwarded-For", "10.0.0.1"),
            ("X_Forwarded_Proto", "https"),
            ("Forwarded", "for=10.0.0.1"),
            ("X-Real-IP", "10.0.0.1"),
            ("Content-Length", "3"),
        ] {
            request = request.append_header(line);
        }
        assert_eq!(
            lines(&to_upstream(&request.to_http_request(), "flags:4243")),
            [
                "accept: a",
                "accept: b",
                "cookie: unleash-session=1",
                "host: flags:4243",
                "x-forwarded-for: 192.0.2.7",
                "x-forwarded-host: console.example",
                "x-forwarded-proto: http",
            ]
        );
    }

    #[test]
    fn answers_keep_every_cookie_and_lose_what_speaks_of_the_upstream() {
        let answer = map(&[
            ("set-cookie", "a=1; Path=/"),
            ("set-cookie", "b=2; Path=/"),
            ("etag", "W/\"x\""),
            ("content-encoding", "gzip"),
            ("connection", "keep-alive, x-hop"),
            ("x-hop", "1"),
            ("keep-alive", "timeout=5"),
            ("transfer-encoding", "chunked"),
            ("content-length", "3"),
            ("server", "nginx"),
            ("x-powered-by", "Express"),
            ("access-control-allow-origin", "*"),
            ("clear-site-data", "\"*\""),
            ("x-flagdeck-error", "forged"),
        ]);
        assert_eq!(
            lines(&from_upstream(&answer)),
            ["content-encoding: gzip", "etag: W/\"x\"", "set-cookie: a=1; Path=/", "set-cookie: b=2; Path=/"]
        );
    }
}
