//! Addresses inside an answer's headers, turned from the upstream's side to the console's. Pure.

use actix_web::http::header::{self, HeaderMap, HeaderValue};

use crate::config::{BasePath, Upstream};

/// Where the upstream and the console have their roots.
pub(super) struct Sides<'a> {
    pub(super) upstream: &'a Upstream,
    pub(super) base_path: &'a BasePath,
    /// Whether the browser came by https.
    pub(super) is_https: bool,
}

impl Sides<'_> {
    /// Rewrites `Location` and each `Set-Cookie`; what is not text stays as it is.
    pub(super) fn rewrite(&self, headers: &mut HeaderMap) {
        if let Some(location) =
            headers.get(header::LOCATION).and_then(|value| self.value(value, Self::location))
        {
            headers.insert(header::LOCATION, location);
        }
        let cookies: Vec<_> = headers
            .remove(header::SET_COOKIE)
            .map(|value| self.value(&value, Self::cookie).unwrap_or(value))
            .collect();
        for cookie in cookies {
            headers.append(header::SET_COOKIE, cookie);
        }
    }

    fn value(&self, value: &HeaderValue, rewritten: impl Fn(&Self, &str) -> String) -> Option<HeaderValue> {
        HeaderValue::try_from(rewritten(self, str::from_utf8(value.as_bytes()).ok()?)).ok()
    }

    /// An address at the upstream becomes the console's; one elsewhere stays.
    pub(super) fn location(&self, location: &str) -> String {
        match location.strip_prefix(self.upstream.origin.as_str()) {
            Some("") => self.path("/"),
            Some(path) if path.starts_with('/') => local(self.path(path)),
            _ if location.starts_with('/') && !location.starts_with("//") => self.path(location),
            _ => location.to_owned(),
        }
    }

    /// A cookie for the upstream's path becomes one for the console's. `Domain` goes: it names the upstream's host,
    /// and a browser drops cookies for hosts that it did not ask (RFC 6265, 5.3). So it does with `Secure` ones that come
    /// by http: whether it is there depends on how the browser came.
    pub(super) fn cookie(&self, cookie: &str) -> String {
        let mut parts = cookie.split(';');
        let pair = parts.next().unwrap_or_default().to_owned();
        let of_host = pair.trim_start().starts_with("__Host-");
        let secure = self.is_https || of_host || pair.trim_start().starts_with("__Secure-");
        let mut same_site = false;
        let mut attribute = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match name.trim().to_ascii_lowercase().as_str() {
                "domain" | "secure" => None,
                "path" if of_host => Some(" Path=/".to_owned()),
                "path" => Some(format!(" Path={}", self.path(value.trim()))),
                // Without `Secure` a browser drops it.
                "samesite" if !secure && value.trim().eq_ignore_ascii_case("none") => None,
                "samesite" => {
                    same_site = true;
                    Some(part.to_owned())
                }
                _ => Some(part.to_owned()),
            }
        };
        let mut parts: Vec<_> = std::iter::once(pair).chain(parts.filter_map(&mut attribute)).collect();
        parts.extend(secure.then(|| " Secure".to_owned()));
        parts.extend((!same_site).then(|| " SameSite=Lax".to_owned()));
        parts.join(";")
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

/// The same path where a browser would take it for another host, as it does with `//host` and `/\\host`.
fn local(path: String) -> String {
    let second = path.chars().skip(1).find(|letter| !matches!(letter, '\t' | '\n' | '\r'));
    if matches!(second, Some('/' | '\\')) { format!("/.{path}") } else { path }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderValue, SET_COOKIE};

    use super::Sides;
    use crate::config::{BasePath, Upstream};

    /// Rewrites with the upstream below one path and the console below another.
    fn with<T>(upstream: &str, base: &str, is_https: bool, check: impl FnOnce(&Sides<'_>) -> T) -> T {
        let upstream = Upstream::below(upstream);
        check(&Sides { upstream: &upstream, base_path: &BasePath::parse(base).unwrap(), is_https })
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
            assert_eq!(with(upstream, base, false, |sides| sides.cookie(cookie)), lax);
        }
    }

    #[test]
    fn cookies_of_all_letters_are_rewritten() {
        let mut headers = HeaderMap::new();
        headers.append(SET_COOKIE, HeaderValue::from_bytes("s=é; Domain=flags".as_bytes()).unwrap());
        headers.append(SET_COOKIE, HeaderValue::from_bytes(b"s=\xff; Domain=flags").unwrap());
        with("", "", false, |sides| sides.rewrite(&mut headers));
        let cookies: Vec<_> = headers.get_all(SET_COOKIE).map(HeaderValue::as_bytes).collect();
        assert_eq!(cookies, ["s=é; SameSite=Lax".as_bytes(), b"s=\xff; Domain=flags"]);
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
            assert_eq!(with("", "/flags", https, |sides| sides.cookie(cookie)), rewritten);
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
            ("", "", "http://flags:4243/\\evil.example", "/./\\evil.example"),
            ("", "", "http://flags:4243/\t/evil.example", "/./\t/evil.example"),
            ("", "/flags", "http://flags:42431/x", "http://flags:42431/x"),
            ("", "/flags", "https://sso.example/x", "https://sso.example/x"),
            ("", "/flags", "//sso.example/x", "//sso.example/x"),
            ("", "/flags", "next", "next"),
        ] {
            assert_eq!(with(upstream, base, false, |sides| sides.location(location)), rewritten);
        }
    }
}
