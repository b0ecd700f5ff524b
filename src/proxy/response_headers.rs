//! Removes response headers of the upstream that must not reach clients. Pure.
//!
//! Browsers apply many response headers to the whole origin, not only to the response. Through the proxy, the origin is
//! the console's: an upstream must not configure it, open it to other sites, or make its pages load anything.

use std::sync::LazyLock;

use actix_web::http::header::HeaderMap;

use super::request_headers::is_end_to_end;
use crate::error::ERROR_HEADER;
use crate::upstream::connection_header::connection_header_names;

/// Headers that are removed from every response. `Location`, `Content-Location` and `Set-Cookie` are rewritten instead.
const DROPPED: [&str; 54] = [
    // The proxy sets the framing itself.
    "content-length",
    // Identify the software of the upstream.
    "server",
    "x-aspnet-version",
    "x-aspnetmvc-version",
    "x-generator",
    "x-powered-by",
    // Settings of the whole origin, which browsers remember beyond the response.
    "accept-ch",
    "accept-ch-lifetime",
    "activate-storage-access",
    "alt-svc",
    "clear-site-data",
    "critical-ch",
    "expect-ct",
    "nel",
    "observe-browsing-topics",
    "origin-agent-cluster",
    "origin-trial",
    "public-key-pins",
    "public-key-pins-report-only",
    "report-to",
    "reporting-endpoints",
    "secure-session-challenge",
    "secure-session-registration",
    "sec-session-challenge",
    "sec-session-registration",
    "service-worker-allowed",
    "set-login",
    "strict-transport-security",
    // Policies of a document. The console sends its own; reports would be sent to the upstream's address.
    "content-security-policy",
    "content-security-policy-report-only",
    "cross-origin-embedder-policy",
    "cross-origin-embedder-policy-report-only",
    "cross-origin-opener-policy-report-only",
    "document-isolation-policy",
    "document-isolation-policy-report-only",
    "document-policy",
    "document-policy-report-only",
    "feature-policy",
    "permissions-policy-report-only",
    "require-document-policy",
    // Make a browser load or open another address.
    "link",
    "refresh",
    "sourcemap",
    "speculation-rules",
    "supports-loading-mode",
    "use-as-dictionary",
    "x-dns-prefetch-control",
    "x-sourcemap",
    // Open the response to other origins.
    "timing-allow-origin",
    "x-permitted-cross-domain-policies",
    // An obsolete form of `Set-Cookie`, which is not rewritten.
    "set-cookie2",
    // Names the user, whom only this program may name (`middleware/signed_in_user.rs`).
    "flagdeck-user",
    // Make a web server in front of this program send a file of its own.
    "x-lighttpd-send-file",
    "x-sendfile",
];

/// [`DROPPED`] by length: each header of a response is compared with one or two of them.
static DROPPED_BY_LENGTH: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let longest = DROPPED.iter().map(|name| name.len()).max().unwrap_or_default();
    let of_length = |length| DROPPED.into_iter().filter(|name| name.len() == length).collect();
    (0..=longest).map(of_length).collect()
});

/// Prefixes of removed headers: CORS, ad measurement, and commands to an nginx in front of this program.
const DROPPED_PREFIXES: [&str; 3] = ["access-control-", "attribution-reporting-", "x-accel-"];

/// Removes hop-by-hop headers and the headers listed above.
pub(super) fn remove_upstream_headers(headers: &mut HeaderMap) {
    let named = connection_header_names(headers);
    headers.retain(|name, _| {
        let text = name.as_str();
        is_end_to_end(text, &named) && !is_dropped(text) && *name != ERROR_HEADER
    });
}

/// Returns true if a header is removed from every response.
pub(super) fn is_dropped(name: &str) -> bool {
    DROPPED_BY_LENGTH.get(name.len()).is_some_and(|dropped| dropped.contains(&name))
        || DROPPED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::remove_upstream_headers;

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
    fn keeps_all_cookies_and_removes_headers_about_the_upstream() {
        let mut headers = map(&[
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
        remove_upstream_headers(&mut headers);
        assert_eq!(
            lines(&headers),
            ["content-encoding: gzip", "etag: W/\"x\"", "set-cookie: a=1; Path=/", "set-cookie: b=2; Path=/"]
        );
    }
}
