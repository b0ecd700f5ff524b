//! Properties of the proxy that must hold for any input: paths, headers, cookies and locations. The tests below generate
//! input, and so do the fuzz targets (`src/fuzz`). Compiled for both only.

use actix_web::http::Uri;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::http::uri::PathAndQuery;
use percent_encoding::percent_decode_str;
use url::Url;

use super::{request_headers, response_headers, rewrite, target};
use crate::config::{BasePath, Upstream};
use crate::middleware::client::Client;

/// Checks that a forwarded path is unchanged, and below a forwarded prefix after any number of decoding steps.
///
/// # Panics
/// If the property does not hold.
pub fn check_path(path: &str) {
    let Ok(uri) = path.parse::<Uri>() else { return };
    let Ok(sent) = target::upstream_target(&Upstream::with_path(""), &BasePath::default(), &uri) else {
        return;
    };
    assert_eq!(Some(sent.as_str()), uri.path_and_query().map(PathAndQuery::as_str), "byte for byte");
    assert!(!sent.contains(|letter: char| letter.is_whitespace() || letter.is_control()), "{path}");
    for times in 0..3 {
        let decode = |read: String, _| percent_decode_str(&read).decode_utf8().ok().map(String::from);
        let read = (0..times).try_fold(uri.path().to_owned(), decode);
        assert!(read.is_some(), "{path} is no text");
        let read = read.unwrap_or_default();
        // Browsers and most servers resolve a path in this way.
        let resolved = Url::parse(&format!("http://flags{read}"));
        let first = resolved.as_ref().ok().and_then(|url| url.path().split('/').nth(1));
        assert!(matches!(first, Some("api" | "auth")), "{path} is {resolved:?}");
        assert!(!read.contains('\\') && !read.contains(char::is_control), "{path} is {read:?}");
    }
}

/// Checks that hop-by-hop headers and the client's claims about itself are never forwarded, and that the other headers
/// are, in their order.
///
/// # Panics
/// If the property does not hold.
pub fn check_headers(lines: &str) {
    let mut received = HeaderMap::new();
    for (name, value) in lines.lines().filter_map(|line| line.split_once(':')) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value.trim())) {
            received.append(name, value);
        }
    }
    let named: Vec<_> = received
        .get_all("connection")
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(|name| name.trim().to_ascii_lowercase()))
        .collect();
    let address = std::net::IpAddr::from([192, 0, 2, 7]);
    let (peer_text, host) = (address.to_string(), "console.example".to_owned());
    let client = Client { peer: address, peer_text, is_trusted_proxy: false, address, scheme: "http", host };
    let pseudonym = "flagdeck-1".to_owned();
    let key = (HeaderName::from_static("x-api-key"), HeaderValue::from_static("of-the-operator"));
    let upstream = Upstream { added_headers: vec![key], ..Upstream::with_path("") };
    let writer = request_headers::RequestHeaders::new(&upstream, &BasePath::default(), pseudonym);
    let Ok(writer) = writer else { return };
    let mut returned = received.clone();
    response_headers::remove_upstream_headers(&mut returned);
    assert_forwarded(&received, &returned, &named);
    for (name, _) in &returned {
        assert!(!response_headers::is_dropped(name.as_str()), "{name}");
    }
    let mut written = Vec::new();
    if writer.write(&mut written, &received, &client, None).is_err() {
        return;
    }
    let sent = parse_headers(&written);
    for (name, own) in [
        ("host", "flags:4243"),
        ("x-forwarded-for", "192.0.2.7"),
        ("x-real-ip", "192.0.2.7"),
        ("x-api-key", "of-the-operator"),
    ] {
        assert!(sent.get_all(name).eq([own]), "{name}");
    }
    let ours = |name: &str| {
        ["host", "via", "forwarded", "x-real-ip", "x-api-key"].contains(&name)
            || name.starts_with("x-forwarded-")
    };
    let mut theirs = HeaderMap::new();
    for (name, value) in &sent {
        let text = name.as_str();
        let folded = text.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        let twin = folded != text && ours(&folded);
        assert!(!twin, "{text}");
        if !ours(text) {
            theirs.append(name.clone(), value.clone());
        }
    }
    assert_forwarded(&received, &theirs, &named);
}

/// Parses header lines, each of which must be valid.
fn parse_headers(written: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in String::from_utf8_lossy(written).split_terminator("\r\n") {
        let (name, value) = line.split_once(": ").unwrap_or_default();
        let header = (HeaderName::try_from(name), HeaderValue::from_str(value));
        assert!(matches!(header, (Ok(_), Ok(_))), "{line:?}");
        if let (Ok(name), Ok(value)) = header {
            headers.append(name, value);
        }
    }
    headers
}

fn assert_forwarded(received: &HeaderMap, forwarded: &HeaderMap, named: &[String]) {
    for hop in [
        "connection",
        "http2-settings",
        "keep-alive",
        "te",
        "upgrade",
        "content-length",
        "transfer-encoding",
        "proxy-authorization",
    ] {
        assert!(!forwarded.contains_key(hop), "{hop}");
    }
    for name in forwarded.keys() {
        assert!(!named.iter().any(|other| other == name.as_str()), "{name} was listed in Connection");
        assert!(forwarded.get_all(name).eq(received.get_all(name)), "{name}");
    }
}

/// Checks that a rewritten cookie keeps its value and is limited to the console's host.
///
/// # Panics
/// If the property does not hold.
pub fn check_cookie(written: &[u8]) {
    let Ok(base_path) = BasePath::parse("/flags") else { return };
    let upstream = Upstream::with_path("/unleash");
    // One character per byte, so that arbitrary bytes can be compared as text.
    let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
    let (bytes, written) = (written, text(written));
    let pair = written.split(';').next().unwrap_or_default();
    let given = |wanted: &str| {
        let names =
            written.split(';').skip(1).map(|part| trimmed(part.split('=').next().unwrap_or_default()));
        names.filter(|name| name.eq_ignore_ascii_case(wanted)).count()
    };
    for is_https in [false, true] {
        let rewriter = rewrite::Rewriter { upstream: &upstream, base_path: &base_path, is_https };
        let cookie = text(&rewriter.rewrite_cookie(bytes));
        let mut parts = cookie.split(';');
        assert_eq!(parts.next(), Some(pair));
        let attributes: Vec<_> = parts
            .map(|part| part.split_once('=').unwrap_or((part, "")))
            .map(|(name, value)| (trimmed(name).to_ascii_lowercase(), trimmed(value)))
            .collect();
        let count = |name: &str| attributes.iter().filter(|(found, _)| found == name).count();
        assert_eq!(count("domain"), 0, "{cookie}");
        assert!(count("samesite") >= 1, "{cookie}");
        let pair = trimmed(pair);
        let is_host_cookie = pair.starts_with("__Host-");
        assert_eq!(
            count("secure"),
            usize::from(is_https || is_host_cookie || pair.starts_with("__Secure-")),
            "{cookie}"
        );
        assert_eq!(count("httponly"), given("httponly"), "{cookie}");
        assert_eq!(count("path"), given("path"), "{cookie}");
        for (_, path) in attributes.iter().filter(|(name, _)| name == "path") {
            assert!(path.starts_with(if is_host_cookie { "/" } else { "/flags" }), "{cookie}");
        }
    }
}

/// Trims ASCII white space, as browsers do in cookie attributes.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_ascii_whitespace())
}

/// Checks that a location of the upstream leads to the console, and that other locations are unchanged.
///
/// # Panics
/// If the property does not hold.
pub fn check_location(rest: &str) {
    for (path, base) in [("", ""), ("/unleash", "/flags")] {
        let Ok(base_path) = BasePath::parse(base) else { return };
        let upstream = Upstream::with_path(path);
        let rewriter = rewrite::Rewriter { upstream: &upstream, base_path: &base_path, is_https: false };
        for start in ["http://flags:4243", "HTTP://user@FLAGS:4243", "ht\ttp:\\\\flags:4243", "", "\t"] {
            for location in [format!("{start}/{rest}"), format!("{start}{path}/{rest}")] {
                // Without a host in front, two slashes start the name of another host.
                let seen = |letter: &char| !matches!(letter, '\t' | '\n' | '\r');
                let begin: String = location.chars().filter(seen).take(2).collect();
                if matches!(begin.replace('\\', "/").as_str(), "//") {
                    continue;
                }
                let ours = rewriter.rewrite_location(&location);
                assert!(ours.starts_with('/') && ours.starts_with(base), "{location:?}: {ours}");
                for scheme in ["http", "https"] {
                    let console = Url::parse(&format!("{scheme}://console.example/"));
                    let read = console.and_then(|console| console.join(&ours));
                    assert!(read.is_ok_and(|url| url.host_str() == Some("console.example")), "{ours}");
                }
            }
        }
        for elsewhere in [format!("https://sso.example/{rest}"), format!("//sso.example/{rest}")] {
            assert_eq!(rewriter.rewrite_location(&elsewhere), elsewhere);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn settings() -> ProptestConfig {
        ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() }
    }

    /// Generates paths from parts that servers interpret differently.
    fn path() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-z.;~-]{1,3}",
            "%[0-9a-fA-F]{2}",
            prop::sample::select(vec![
                "/", "//", "/api", "/auth/", ".", "..", "%2e", "%2E", "%2f", "%252e", "%5c", "%00", "%c0%ae",
                "%ff", "?", "%", "%23", "%3f",
            ])
            .prop_map(str::to_owned),
        ];
        let start = prop::sample::select(vec!["/api/", "/auth", "/api", "/apix", "/", "/%61pi/"]);
        (start, prop::collection::vec(piece, 0..8))
            .prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
    }

    fn header() -> impl Strategy<Value = String> {
        let name = prop_oneof![
            "[a-z][a-z_-]{0,8}",
            prop::sample::select(vec![
                "connection",
                "keep-alive",
                "te",
                "upgrade",
                "http2-settings",
                "host",
                "content-length",
                "transfer-encoding",
                "via",
                "x-forwarded-for",
                "x_forwarded_for",
                "x-forwarded_host",
                "x-real-ip",
                "x_real_ip",
                "x-api-key",
                "x_api_key",
                "x.api-key",
                "nel",
                "set-cookie2",
                "forwarded",
                "proxy-authorization",
                "server",
                "x-request-id",
            ])
            .prop_map(str::to_owned),
        ];
        (name, "[ -~]{0,20}").prop_map(|(name, value)| format!("{name}: {value}\n"))
    }

    proptest! {
        #![proptest_config(settings())]

        #[test]
        fn forwarded_paths_stay_below_a_prefix_when_decoded(path in path()) {
            super::check_path(&path);
        }

        #[test]
        fn hop_by_hop_and_client_headers_are_never_forwarded(lines in prop::collection::vec(header(), 0..12)) {
            super::check_headers(&lines.concat());
        }

        #[test]
        fn cookies_keep_their_value_and_are_limited_to_the_console(
            pair in "(__Secure-|__Host-)?[!-:<-~]{1,12}",
            attributes in prop::collection::vec("(?i)(domain=[a-z.]{0,6}|path=/?[a-z/]{0,8}|secure|httponly|samesite=(none|lax|strict)|max-age=[0-9]{1,4}|[ -:<-~]{0,6})", 0..6),
        ) {
            super::check_cookie(std::iter::once(pair).chain(attributes).collect::<Vec<_>>().join("; ").as_bytes());
        }

        #[test]
        fn cookies_of_any_bytes_are_limited_to_the_console(
            pair in "[a-z]{1,3}=",
            value in prop::collection::vec(0x80_u8.., 1..8),
            attributes in "(; (?i)(domain=x|path=/x|samesite=none)){0,4}",
        ) {
            super::check_cookie(&[pair.as_bytes(), &value, attributes.as_bytes()].concat());
        }

        #[test]
        fn locations_of_the_upstream_lead_to_the_console(
            slashes in prop::sample::select(vec!["", "/", "\\", "\t/", "\t\\", "/\t/"]),
            rest in "[!-~\t]{0,16}",
        ) {
            super::check_location(&format!("{slashes}{rest}"));
        }
    }
}
