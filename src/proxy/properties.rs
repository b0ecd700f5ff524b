//! What holds whatever is sent: paths, headers, cookies, locations and answers that nobody thought of. The tests below
//! make them up, and so does the fuzzer (`src/fuzz`), which is the one other reason for this to be compiled.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::http::uri::PathAndQuery;
use actix_web::http::{Method, Uri};
use bytes::{Bytes, BytesMut};
use percent_encoding::percent_decode_str;
use url::Url;

use super::answer::{Head, Read};
use super::{headers, response_headers, rewrite, target};
use crate::config::{BasePath, Upstream};
use crate::middleware::client::Client;

/// What goes upstream is what was asked, and below a prefix however often it is decoded.
///
/// # Panics
/// When that is not so.
pub fn path(path: &str) {
    let Ok(uri) = path.parse::<Uri>() else { return };
    let Ok(sent) = target::forwarded(&Upstream::below(""), &BasePath::default(), &uri) else { return };
    assert_eq!(Some(sent.as_str()), uri.path_and_query().map(PathAndQuery::as_str), "byte for byte");
    assert!(!sent.contains(|letter: char| letter.is_whitespace() || letter.is_control()), "{path}");
    for times in 0..3 {
        let decode = |read: String, _| percent_decode_str(&read).decode_utf8().ok().map(String::from);
        let read = (0..times).try_fold(uri.path().to_owned(), decode);
        assert!(read.is_some(), "{path} is no text");
        let read = read.unwrap_or_default();
        // How browsers and most servers resolve a path.
        let resolved = Url::parse(&format!("http://flags{read}"));
        let first = resolved.as_ref().ok().and_then(|url| url.path().split('/').nth(1));
        assert!(matches!(first, Some("api" | "auth")), "{path} is {resolved:?}");
        assert!(!read.contains('\\') && !read.contains(char::is_control), "{path} is {read:?}");
    }
}

/// What speaks of a connection or for a client crosses in neither direction; the rest does, in its order.
///
/// # Panics
/// When that is not so.
pub fn headers(lines: &str) {
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
    let client = Client { peer: address, peer_text, trusted: false, address, scheme: "http", host };
    let pseudonym = "flagdeck-1".to_owned();
    let key = (HeaderName::from_static("x-api-key"), HeaderValue::from_static("of-the-operator"));
    let upstream = Upstream { added: vec![key], ..Upstream::below("") };
    let sender = headers::Sender::new(&upstream, &BasePath::default(), pseudonym);
    let Ok(sender) = sender else { return };
    let mut answered = received.clone();
    response_headers::keep_for_clients(&mut answered);
    assert_crossed(&received, &answered, &named);
    for (name, _) in &answered {
        assert!(!response_headers::is_dropped(name.as_str()), "{name}");
    }
    let mut written = Vec::new();
    if sender.write(&mut written, &received, &client, None).is_err() {
        return;
    }
    let sent = parse(&written);
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
    assert_crossed(&received, &theirs, &named);
}

/// Parses header lines, each of which must be valid.
fn parse(written: &[u8]) -> HeaderMap {
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

fn assert_crossed(received: &HeaderMap, crossed: &HeaderMap, named: &[String]) {
    for hop in [
        "connection",
        "keep-alive",
        "te",
        "upgrade",
        "content-length",
        "transfer-encoding",
        "proxy-authorization",
    ] {
        assert!(!crossed.contains_key(hop), "{hop}");
    }
    for name in crossed.keys() {
        assert!(!named.iter().any(|other| other == name.as_str()), "{name} was named by Connection");
        assert!(crossed.get_all(name).eq(received.get_all(name)), "{name}");
    }
}

/// A cookie keeps its value and is for this site alone.
///
/// # Panics
/// When that is not so.
pub fn cookie(written: &[u8]) {
    let Ok(base_path) = BasePath::parse("/flags") else { return };
    let upstream = Upstream::below("/unleash");
    // A character for each byte, so that all bytes can be compared as text.
    let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
    let (bytes, written) = (written, text(written));
    let pair = written.split(';').next().unwrap_or_default();
    let given = |wanted: &str| {
        let names =
            written.split(';').skip(1).map(|part| trimmed(part.split('=').next().unwrap_or_default()));
        names.filter(|name| name.eq_ignore_ascii_case(wanted)).count()
    };
    for is_https in [false, true] {
        let sides = rewrite::Sides { upstream: &upstream, base_path: &base_path, is_https };
        let cookie = text(&sides.cookie(bytes));
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
        let of_host = pair.starts_with("__Host-");
        assert_eq!(
            count("secure"),
            usize::from(is_https || of_host || pair.starts_with("__Secure-")),
            "{cookie}"
        );
        assert_eq!(count("httponly"), given("httponly"), "{cookie}");
        assert_eq!(count("path"), given("path"), "{cookie}");
        for (_, path) in attributes.iter().filter(|(name, _)| name == "path") {
            assert!(path.starts_with(if of_host { "/" } else { "/flags" }), "{cookie}");
        }
    }
}

/// Without the white space of ASCII, as browsers read attributes: other letters belong to the name.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_ascii_whitespace())
}

/// A location at the upstream leads to the console, and one elsewhere stays.
///
/// # Panics
/// When that is not so.
pub fn location(rest: &str) {
    for (path, base) in [("", ""), ("/unleash", "/flags")] {
        let Ok(base_path) = BasePath::parse(base) else { return };
        let upstream = Upstream::below(path);
        let sides = rewrite::Sides { upstream: &upstream, base_path: &base_path, is_https: false };
        for start in ["http://flags:4243", "HTTP://user@FLAGS:4243", "ht\ttp:\\\\flags:4243", "", "\t"] {
            for location in [format!("{start}/{rest}"), format!("{start}{path}/{rest}")] {
                // Where no host stands in front, two slashes of the upstream's own name another one.
                let seen = |letter: &char| !matches!(letter, '\t' | '\n' | '\r');
                let begin: String = location.chars().filter(seen).take(2).collect();
                if matches!(begin.replace('\\', "/").as_str(), "//") {
                    continue;
                }
                let ours = sides.location(&location);
                assert!(ours.starts_with('/') && ours.starts_with(base), "{location:?}: {ours}");
                for scheme in ["http", "https"] {
                    let console = Url::parse(&format!("{scheme}://console.example/"));
                    let read = console.and_then(|console| console.join(&ours));
                    assert!(read.is_ok_and(|url| url.host_str() == Some("console.example")), "{ours}");
                }
            }
        }
        for elsewhere in [format!("https://sso.example/{rest}"), format!("//sso.example/{rest}")] {
            assert_eq!(sides.location(&elsewhere), elsewhere);
        }
    }
}

/// An answer is read in one way, in however many pieces it comes.
///
/// # Panics
/// When that is not so.
pub fn answer(bytes: &[u8]) {
    let at_once = read(bytes, bytes.len().max(1));
    for size in [1, 2, 7] {
        assert_eq!(read(bytes, size), at_once, "{size} bytes at a time");
    }
    let is_interim = |status: u16| (100..200).contains(&status);
    assert!(!at_once.is_ok_and(|(status, ..)| status.is_some_and(is_interim)));
}

/// The status, the body, and whether that has ended, of what comes in pieces of this size; `Err` for what is no answer.
fn read(bytes: &[u8], size: usize) -> Result<(Option<u16>, Vec<u8>, bool), ()> {
    let (mut came, mut status, mut whole) = (BytesMut::new(), None, Vec::new());
    let mut body = None;
    for piece in bytes.chunks(size) {
        came.extend_from_slice(piece);
        let mut now = Bytes::from(came);
        if body.is_none()
            && let Some((head, end)) = Head::read(&now, &Method::GET).map_err(drop)?
        {
            status = Some(head.response.status().as_u16());
            body = Some(head.body);
            now = now.slice(end..);
        }
        if let Some(body) = &mut body {
            loop {
                match body.read(&mut now).map_err(drop)? {
                    Read::Piece(piece) => whole.extend_from_slice(&piece),
                    Read::End => return Ok((status, whole, true)),
                    Read::Waits => break,
                }
            }
        }
        came = now.into();
    }
    Ok((status, whole, false))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn settings() -> ProptestConfig {
        ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() }
    }

    /// Paths of the pieces that servers disagree about.
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

    /// Answers of the pieces that heads are made of.
    fn answer() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "HTTP/1.1 ",
            "HTTP/1.0 ",
            "100",
            "103",
            "101",
            "200",
            "204",
            "304",
            " OK",
            "\r\n",
            "\n",
            "X: y",
            "Content-Length: 5",
            "Transfer-Encoding: chunked",
            "4",
            "0",
            ";",
            "body",
            "\0",
        ]);
        prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(settings())]

        #[test]
        fn what_goes_upstream_is_below_a_prefix_however_often_it_is_decoded(path in path()) {
            super::path(&path);
        }

        #[test]
        fn what_speaks_of_a_connection_or_for_a_client_never_crosses(lines in prop::collection::vec(header(), 0..12)) {
            super::headers(&lines.concat());
        }

        #[test]
        fn a_cookie_keeps_its_value_and_is_for_this_site_alone(
            pair in "(__Secure-|__Host-)?[!-:<-~]{1,12}",
            attributes in prop::collection::vec("(?i)(domain=[a-z.]{0,6}|path=/?[a-z/]{0,8}|secure|httponly|samesite=(none|lax|strict)|max-age=[0-9]{1,4}|[ -:<-~]{0,6})", 0..6),
        ) {
            super::cookie(std::iter::once(pair).chain(attributes).collect::<Vec<_>>().join("; ").as_bytes());
        }

        #[test]
        fn a_cookie_of_any_bytes_is_for_this_site_alone(
            pair in "[a-z]{1,3}=",
            value in prop::collection::vec(0x80_u8.., 1..8),
            attributes in "(; (?i)(domain=x|path=/x|samesite=none)){0,4}",
        ) {
            super::cookie(&[pair.as_bytes(), &value, attributes.as_bytes()].concat());
        }

        #[test]
        fn a_location_at_the_upstream_leads_to_the_console(
            slashes in prop::sample::select(vec!["", "/", "\\", "\t/", "\t\\", "/\t/"]),
            rest in "[!-~\t]{0,16}",
        ) {
            super::location(&format!("{slashes}{rest}"));
        }

        #[test]
        fn an_answer_is_read_in_one_way_however_it_comes(bytes in answer()) {
            super::answer(bytes.as_bytes());
        }
    }
}
