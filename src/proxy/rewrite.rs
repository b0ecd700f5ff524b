//! Rewrites URLs and cookies in response headers, so that they refer to the console instead of the upstream. Pure.

use std::borrow::Cow;

use actix_web::http::header::{self, HeaderMap, HeaderValue};
use percent_encoding::{AsciiSet, percent_encode};
use url::{ParseError, Position, Url};

use crate::config::{BasePath, Upstream};

/// Rewrites response headers from the upstream's origin and path to the console's.
pub(super) struct Rewriter<'a> {
    pub(super) upstream: &'a Upstream,
    pub(super) base_path: &'a BasePath,
    /// True if the browser uses https.
    pub(super) is_https: bool,
}

impl Rewriter<'_> {
    /// Rewrites `Location`, `Content-Location` and each `Set-Cookie`.
    pub(super) fn rewrite_headers(&self, headers: &mut HeaderMap) {
        for name in [header::LOCATION, header::CONTENT_LOCATION] {
            let Some(value) = headers.get(&name) else { continue };
            if let Ok(location) = HeaderValue::try_from(self.rewrite_location(&to_ascii(value))) {
                headers.insert(name, location);
            }
        }
        let cookies: Vec<_> = headers
            .remove(header::SET_COOKIE)
            .filter_map(|value| HeaderValue::try_from(self.rewrite_cookie(value.as_bytes())).ok())
            .collect();
        for cookie in cookies {
            headers.append(header::SET_COOKIE, cookie);
        }
    }

    /// Rewrites a URL of the upstream to one of the console. URLs of other origins and path-relative ones stay
    /// unchanged.
    ///
    /// The URL is parsed as browsers parse it (WHATWG URL Standard): they ignore the case of scheme and host, treat `\`
    /// as `/` and drop tabs. A text comparison would miss URLs of the upstream, and could turn a path of the upstream
    /// into the name of another host.
    pub(super) fn rewrite_location(&self, location: &str) -> String {
        let resolved = Url::parse(&self.upstream.origin).and_then(|own| Ok((own.join(location)?, own)));
        match resolved {
            Ok((url, own)) if url.origin() == own.origin() && !is_relative_to_path(location) => {
                let path = self.rewrite_path(&url[Position::BeforePath..]);
                // Browsers would parse a path that starts with two slashes as a host.
                if path.starts_with("//") { format!("/.{path}") } else { path }
            }
            _ => location.to_owned(),
        }
    }

    /// Rewrites a cookie of the upstream to one of the console. `Domain` is removed, because it names the upstream's
    /// host and browsers reject cookies for other hosts (RFC 6265, 5.3). `Secure` depends on the scheme that the
    /// browser uses, because browsers reject `Secure` cookies over http.
    pub(super) fn rewrite_cookie(&self, cookie: &[u8]) -> Vec<u8> {
        let mut parts = cookie.split(|byte| *byte == b';');
        let pair = parts.next().unwrap_or_default();
        let is_host_cookie = pair.trim_ascii_start().starts_with(b"__Host-");
        let is_secure = self.is_https || is_host_cookie || pair.trim_ascii_start().starts_with(b"__Secure-");
        let mut has_same_site = false;
        let mut attribute = |part| {
            let (name, value) = split_attribute(part);
            match name.to_ascii_lowercase().as_slice() {
                b"domain" | b"secure" => None,
                b"path" if is_host_cookie => Some(Cow::Borrowed(&b" Path=/"[..])),
                b"path" => {
                    // A path that is not UTF-8 cannot be compared with the upstream's, and becomes the root.
                    let path = self.rewrite_path(str::from_utf8(value).unwrap_or_default());
                    Some(Cow::Owned(format!(" Path={path}").into_bytes()))
                }
                // Browsers reject `SameSite=None` without `Secure`.
                b"samesite" if !is_secure && value.eq_ignore_ascii_case(b"none") => None,
                b"samesite" => {
                    has_same_site = true;
                    Some(Cow::Borrowed(part))
                }
                _ => Some(Cow::Borrowed(part)),
            }
        };
        let mut parts: Vec<_> =
            std::iter::once(Cow::Borrowed(pair)).chain(parts.filter_map(&mut attribute)).collect();
        parts.extend(is_secure.then_some(Cow::Borrowed(&b" Secure"[..])));
        parts.extend((!has_same_site).then_some(Cow::Borrowed(&b" SameSite=Lax"[..])));
        parts.join(&b';')
    }

    /// Moves a path from below the upstream's path to below the base path. A path outside the upstream's becomes the
    /// root.
    fn rewrite_path(&self, path: &str) -> String {
        let base = self.base_path.as_str();
        // An upstream that supports `X-Forwarded-Prefix` has already added the base path.
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
        // A cookie for `/flags/` would not be sent to `/flags`, which the console serves as well.
        if below == "/" && !base.is_empty() { base.to_owned() } else { format!("{base}{below}") }
    }
}

/// Splits a cookie attribute into its name and value, without surrounding white space.
fn split_attribute(attribute: &[u8]) -> (&[u8], &[u8]) {
    let mut halves = attribute.splitn(2, |byte| *byte == b'=');
    let mut next = || halves.next().unwrap_or_default().trim_ascii();
    (next(), next())
}

/// Returns true if a URL is relative to the path of the request: it has no scheme and does not start with a slash.
fn is_relative_to_path(location: &str) -> bool {
    let is_relative = matches!(Url::parse(location), Err(ParseError::RelativeUrlWithoutBase));
    is_relative && !location.trim_start_matches(|letter| letter <= ' ').starts_with(['/', '\\'])
}

/// Returns the value as ASCII. Other bytes are percent-encoded, as browsers do.
fn to_ascii(value: &HeaderValue) -> String {
    percent_encode(value.as_bytes(), &AsciiSet::EMPTY).to_string()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{CONTENT_LOCATION, HeaderMap, HeaderValue, LOCATION, SET_COOKIE};

    use super::Rewriter;
    use crate::config::{BasePath, Upstream};

    /// Runs a check with an upstream below the path `upstream` and a console below the path `base`.
    fn with_rewriter<T>(
        upstream: &str,
        base: &str,
        is_https: bool,
        check: impl FnOnce(&Rewriter<'_>) -> T,
    ) -> T {
        let upstream = Upstream::with_path(upstream);
        check(&Rewriter { upstream: &upstream, base_path: &BasePath::parse(base).unwrap(), is_https })
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn rewrites_cookies_to_the_paths_of_the_console() {
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
            assert_eq!(
                with_rewriter(upstream, base, false, |rewriter| text(
                    rewriter.rewrite_cookie(cookie.as_bytes())
                )),
                lax
            );
        }
    }

    #[test]
    fn rewrites_cookies_that_are_not_ascii() {
        let mut headers = HeaderMap::new();
        headers.append(SET_COOKIE, HeaderValue::from_bytes("s=é; Domain=flags".as_bytes()).unwrap());
        headers.append(SET_COOKIE, HeaderValue::from_bytes(b"s=\xff; Domain=flags; path=/\xff").unwrap());
        with_rewriter("", "", false, |rewriter| rewriter.rewrite_headers(&mut headers));
        let cookies: Vec<_> = headers.get_all(SET_COOKIE).map(HeaderValue::as_bytes).collect();
        assert_eq!(cookies, ["s=é; SameSite=Lax".as_bytes(), b"s=\xff; Path=/; SameSite=Lax"]);
    }

    #[test]
    fn sets_secure_if_the_browser_uses_https() {
        for (https, cookie, rewritten) in [
            (true, "s=1", "s=1; Secure; SameSite=Lax"),
            (true, "s=1; secure; SameSite=Strict", "s=1; SameSite=Strict; Secure"),
            (true, "s=1; SameSite=None", "s=1; SameSite=None; Secure"),
            (false, "s=1; SameSite=Strict", "s=1; SameSite=Strict"),
            (false, "__Secure-s=1; Path=/x", "__Secure-s=1; Path=/flags/x; Secure; SameSite=Lax"),
            (true, "__Host-s=1; Path=/; Secure", "__Host-s=1; Path=/; Secure; SameSite=Lax"),
        ] {
            assert_eq!(
                with_rewriter("", "/flags", https, |rewriter| text(
                    rewriter.rewrite_cookie(cookie.as_bytes())
                )),
                rewritten
            );
        }
    }

    #[test]
    fn rewrites_locations_of_the_upstream_to_the_console() {
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
                with_rewriter(upstream, base, false, |rewriter| rewriter.rewrite_location(location)),
                rewritten,
                "{location}"
            );
        }
    }

    #[test]
    fn rewrites_locations_that_are_not_ascii() {
        let mut headers = HeaderMap::new();
        headers.insert(LOCATION, HeaderValue::from_bytes(b"/up//evil.example/\xff").unwrap());
        headers.insert(CONTENT_LOCATION, HeaderValue::from_static("http://flags:4243/up/x"));
        with_rewriter("/up", "", false, |rewriter| rewriter.rewrite_headers(&mut headers));
        assert_eq!(headers.get(LOCATION).unwrap(), "/.//evil.example/%FF");
        assert_eq!(headers.get(CONTENT_LOCATION).unwrap(), "/x");
    }
}
