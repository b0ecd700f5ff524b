//! Rewrites the addresses in the headers of a response from the upstream's side to the console's. Pure.

use std::borrow::Cow;

use actix_web::http::header::{self, HeaderMap, HeaderValue};
use percent_encoding::{AsciiSet, percent_encode};
use url::{ParseError, Position, Url};

use crate::config::{BasePath, Upstream};

/// Where the upstream and the console have their roots.
pub(super) struct Sides<'a> {
    pub(super) upstream: &'a Upstream,
    pub(super) base_path: &'a BasePath,
    /// Whether the browser came by https.
    pub(super) is_https: bool,
}

impl Sides<'_> {
    /// Rewrites `Location`, `Content-Location` and each `Set-Cookie`.
    pub(super) fn rewrite(&self, headers: &mut HeaderMap) {
        for name in [header::LOCATION, header::CONTENT_LOCATION] {
            let Some(value) = headers.get(&name) else { continue };
            if let Ok(location) = HeaderValue::try_from(self.location(&ascii(value))) {
                headers.insert(name, location);
            }
        }
        let cookies: Vec<_> = headers
            .remove(header::SET_COOKIE)
            .filter_map(|value| HeaderValue::try_from(self.cookie(value.as_bytes())).ok())
            .collect();
        for cookie in cookies {
            headers.append(header::SET_COOKIE, cookie);
        }
    }

    /// Rewrites an address at the upstream to one at the console. Any other address, and one that is relative to the
    /// requested path, stays as it is.
    ///
    /// The address is read as browsers read it (WHATWG URL Standard): they ignore the case of the scheme and the host,
    /// read `\` as `/` and drop tabs. A comparison of the text would miss addresses at the upstream, and would let a
    /// path at the upstream become the name of another host.
    pub(super) fn location(&self, location: &str) -> String {
        let resolved = Url::parse(&self.upstream.origin).and_then(|own| Ok((own.join(location)?, own)));
        match resolved {
            Ok((url, own)) if url.origin() == own.origin() && !is_relative_to_path(location) => {
                let path = self.path(&url[Position::BeforePath..]);
                // A browser would read a second slash as the beginning of a host.
                if path.starts_with("//") { format!("/.{path}") } else { path }
            }
            _ => location.to_owned(),
        }
    }

    /// Rewrites a cookie for the upstream's path to one for the console's. `Domain` goes: it names the upstream's host,
    /// and a browser drops cookies for hosts that it did not ask (RFC 6265, 5.3). So it does with `Secure` ones that come
    /// by http: whether it is there depends on how the browser came.
    pub(super) fn cookie(&self, cookie: &[u8]) -> Vec<u8> {
        let mut parts = cookie.split(|byte| *byte == b';');
        let pair = parts.next().unwrap_or_default();
        let of_host = pair.trim_ascii_start().starts_with(b"__Host-");
        let secure = self.is_https || of_host || pair.trim_ascii_start().starts_with(b"__Secure-");
        let mut same_site = false;
        let mut attribute = |part| {
            let (name, value) = name_and_value(part);
            match name.to_ascii_lowercase().as_slice() {
                b"domain" | b"secure" => None,
                b"path" if of_host => Some(Cow::Borrowed(&b" Path=/"[..])),
                b"path" => {
                    // A path of other bytes cannot be compared with the upstream's: it becomes the root.
                    let path = self.path(str::from_utf8(value).unwrap_or_default());
                    Some(Cow::Owned(format!(" Path={path}").into_bytes()))
                }
                // Without `Secure` a browser drops it.
                b"samesite" if !secure && value.eq_ignore_ascii_case(b"none") => None,
                b"samesite" => {
                    same_site = true;
                    Some(Cow::Borrowed(part))
                }
                _ => Some(Cow::Borrowed(part)),
            }
        };
        let mut parts: Vec<_> =
            std::iter::once(Cow::Borrowed(pair)).chain(parts.filter_map(&mut attribute)).collect();
        parts.extend(secure.then_some(Cow::Borrowed(&b" Secure"[..])));
        parts.extend((!same_site).then_some(Cow::Borrowed(&b" SameSite=Lax"[..])));
        parts.join(&b';')
    }

    /// A path below the upstream's, moved below the base path. One outside belongs to the whole upstream: the root.
    fn path(&self, path: &str) -> String {
        let base = self.base_path.as_str();
        // An upstream that reads `X-Forwarded-Prefix` has put it there already.
        if !base.is_empty()
            && path
                .strip_prefix(base)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
        {
            return path.to_owned();
        }
        let below = match path.strip_prefix(self.upstream.path.as_str()) {
            Some("") => "/",
            Some(rest) if rest.starts_with(['/', '?', '#']) => rest,
            _ => "/",
        };
        // A cookie for `/flags/` would not be sent to `/flags`, and the console answers there too.
        if below == "/" && !base.is_empty() { base.to_owned() } else { format!("{base}{below}") }
    }
}

/// The name and the value of an attribute, without white space around them.
fn name_and_value(attribute: &[u8]) -> (&[u8], &[u8]) {
    let mut halves = attribute.splitn(2, |byte| *byte == b'=');
    let mut next = || halves.next().unwrap_or_default().trim_ascii();
    (next(), next())
}

/// Whether an address is relative to the path of the request: it has no scheme and does not begin with a slash.
fn is_relative_to_path(location: &str) -> bool {
    let is_relative = matches!(Url::parse(location), Err(ParseError::RelativeUrlWithoutBase));
    is_relative && !location.trim_start_matches(|letter| letter <= ' ').starts_with(['/', '\\'])
}

/// The value of an address as text: browsers percent-encode the other bytes as well.
fn ascii(value: &HeaderValue) -> String {
    percent_encode(value.as_bytes(), &AsciiSet::EMPTY).to_string()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{CONTENT_LOCATION, HeaderMap, HeaderValue, LOCATION, SET_COOKIE};

    use super::Sides;
    use crate::config::{BasePath, Upstream};

    /// Rewrites with the upstream below one path and the console below another.
    fn with<T>(upstream: &str, base: &str, is_https: bool, check: impl FnOnce(&Sides<'_>) -> T) -> T {
        let upstream = Upstream::below(upstream);
        check(&Sides { upstream: &upstream, base_path: &BasePath::parse(base).unwrap(), is_https })
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn cookies_are_for_the_consoles_paths() {
        for (upstream, base, cookie, rewritten) in [
            ("", "", "s=1; Path=/; HttpOnly", "s=1; Path=/; HttpOnly"),
            ("", "/flags", "s=1; path=/; HttpOnly", "s=1; Path=/flags; HttpOnly"),
            ("", "/flags", "s=1; path=/flags; HttpOnly", "s=1; Path=/flags; HttpOnly"),
            ("/unleash", "", "s=1; Path=/unleash; Secure", "s=1; Path=/"),
            ("/unleash", "/flags", "s=1; Path=/unleash/api", "s=1; Path=/flags/api"),
            ("/unleash", "", "s=1; Path=/unleashed", "s=1; Path=/"),
            (
                "",
                "",
                "s=a=b; Domain=flags.example; Expires=Mon, 23 Nov 2026",
                "s=a=b; Expires=Mon, 23 Nov 2026",
            ),
            ("", "/flags", "s=1", "s=1"),
            ("", "", "s=1; SameSite=None; Secure", "s=1"),
        ] {
            let lax = format!("{rewritten}; SameSite=Lax");
            assert_eq!(with(upstream, base, false, |sides| text(sides.cookie(cookie.as_bytes()))), lax);
        }
    }

    #[test]
    fn cookies_of_all_letters_are_rewritten() {
        let mut headers = HeaderMap::new();
        headers.append(SET_COOKIE, HeaderValue::from_bytes("s=é; Domain=flags".as_bytes()).unwrap());
        headers.append(SET_COOKIE, HeaderValue::from_bytes(b"s=\xff; Domain=flags; path=/\xff").unwrap());
        with("", "", false, |sides| sides.rewrite(&mut headers));
        let cookies: Vec<_> = headers.get_all(SET_COOKIE).map(HeaderValue::as_bytes).collect();
        assert_eq!(cookies, ["s=é; SameSite=Lax".as_bytes(), b"s=\xff; Path=/; SameSite=Lax"]);
    }

    #[test]
    fn cookies_are_secure_where_the_browser_came_by_https() {
        for (https, cookie, rewritten) in [
            (true, "s=1", "s=1; Secure; SameSite=Lax"),
            (true, "s=1; secure; SameSite=Strict", "s=1; SameSite=Strict; Secure"),
            (true, "s=1; SameSite=None", "s=1; SameSite=None; Secure"),
            (false, "s=1; SameSite=Strict", "s=1; SameSite=Strict"),
            (false, "__Secure-s=1; Path=/x", "__Secure-s=1; Path=/flags/x; Secure; SameSite=Lax"),
            (true, "__Host-s=1; Path=/; Secure", "__Host-s=1; Path=/; Secure; SameSite=Lax"),
        ] {
            assert_eq!(with("", "/flags", https, |sides| text(sides.cookie(cookie.as_bytes()))), rewritten);
        }
    }

    #[test]
    fn locations_at_the_upstream_are_the_consoles() {
        for (upstream, base, location, rewritten) in [
            ("", "", "/features?x=1#y", "/features?x=1#y"),
            ("", "/flags", "http://flags:4243/features", "/flags/features"),
            ("/unleash", "", "http://flags:4243/unleash/", "/"),
            ("/unleash", "/flags", "/unleash?x", "/flags?x"),
            ("", "/flags", "/flags/features", "/flags/features"),
            ("", "/flags", "/flagship", "/flags/flagship"),
            ("", "", "http://flags:4243//evil.example/x", "/.//evil.example/x"),
            ("", "", "http://flags:4243/\\evil.example", "/.//evil.example"),
            ("", "", "http://flags:4243/\t/evil.example", "/.//evil.example"),
            ("/up", "", "/up//evil.example/x", "/.//evil.example/x"),
            ("/up", "", "/up/\\evil.example/x", "/.//evil.example/x"),
            ("/up", "", "/up\\\\evil.example/x", "/.//evil.example/x"),
            ("/up", "", "/up/\t/evil.example/x", "/.//evil.example/x"),
            ("/up", "", "\t/up//evil.example/x", "/.//evil.example/x"),
            ("/up", "/flags", "/up//evil.example/x", "/flags//evil.example/x"),
            ("/up", "", "/up/../other", "/"),
            ("", "", "HTTP://FLAGS:4243/x", "/x"),
            ("", "", "Http:/x", "/x"),
            ("/up", "", "h\tttp://user@flags:4243/up//evil.example", "/.//evil.example"),
            ("", "", "/caf\u{e9}", "/caf%C3%A9"),
            ("", "", "http://flags:4243@evil.example/x", "http://flags:4243@evil.example/x"),
            ("", "/flags", "http://flags:42431/x", "http://flags:42431/x"),
            ("", "/flags", "https://sso.example/x", "https://sso.example/x"),
            ("", "/flags", "//sso.example/x", "//sso.example/x"),
            ("", "/flags", "next", "next"),
            ("", "/flags", "?page=2", "?page=2"),
        ] {
            assert_eq!(
                with(upstream, base, false, |sides| sides.location(location)),
                rewritten,
                "{location}"
            );
        }
    }

    #[test]
    fn locations_of_all_bytes_are_rewritten() {
        let mut headers = HeaderMap::new();
        headers.insert(LOCATION, HeaderValue::from_bytes(b"/up//evil.example/\xff").unwrap());
        headers.insert(CONTENT_LOCATION, HeaderValue::from_static("http://flags:4243/up/x"));
        with("/up", "", false, |sides| sides.rewrite(&mut headers));
        assert_eq!(headers.get(LOCATION).unwrap(), "/.//evil.example/%FF");
        assert_eq!(headers.get(CONTENT_LOCATION).unwrap(), "/x");
    }
}
