//! Addresses inside an answer's headers, turned from the upstream's side to the console's. Pure.

use actix_web::http::header::{self, HeaderMap, HeaderValue};

use crate::config::{BasePath, Upstream};

/// Where the upstream and the console have their roots.
pub(super) struct Sides<'a> {
    pub(super) upstream: &'a Upstream,
    pub(super) base_path: &'a BasePath,
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
        HeaderValue::from_str(&rewritten(self, value.to_str().ok()?)).ok()
    }

    /// An address at the upstream becomes the console's; one elsewhere stays.
    fn location(&self, location: &str) -> String {
        match location.strip_prefix(self.upstream.origin.as_str()) {
            Some("") => self.path("/"),
            Some(path) if path.starts_with('/') => self.path(path),
            _ if location.starts_with('/') && !location.starts_with("//") => self.path(location),
            _ => location.to_owned(),
        }
    }

    /// A cookie for the upstream's path becomes one for the console's. `Domain` goes: it names the upstream's host,
    /// and a browser drops cookies for hosts that it did not ask (RFC 6265, 5.3).
    fn cookie(&self, cookie: &str) -> String {
        let attribute = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match name.trim().to_ascii_lowercase().as_str() {
                "domain" => None,
                "path" => Some(format!(" Path={}", self.path(value.trim()))),
                _ => Some(part.to_owned()),
            }
        };
        let mut parts = cookie.split(';');
        let pair = parts.next().unwrap_or_default().to_owned();
        std::iter::once(pair).chain(parts.filter_map(attribute)).collect::<Vec<_>>().join(";")
    }

    /// A path below the upstream's, moved below the base path. One outside belongs to the whole upstream: the root.
    fn path(&self, path: &str) -> String {
        let below = match path.strip_prefix(self.upstream.path.as_str()) {
            Some("") => "/",
            Some(rest) if rest.starts_with(['/', '?', '#']) => rest,
            _ => "/",
        };
        match self.base_path.as_str() {
            // A cookie for `/flags/` would not be sent to `/flags`, and the console answers there too.
            base if below == "/" && !base.is_empty() => base.to_owned(),
            base => format!("{base}{below}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sides;
    use crate::config::{BasePath, Upstream};

    /// Rewrites with the upstream below one path and the console below another.
    fn with<T>(upstream: &str, base: &str, check: impl FnOnce(&Sides<'_>) -> T) -> T {
        let upstream = Upstream::below(upstream);
        check(&Sides { upstream: &upstream, base_path: &BasePath::parse(base).unwrap() })
    }

    #[test]
    fn cookies_are_for_the_consoles_paths() {
        for (upstream, base, cookie, rewritten) in [
            ("", "", "s=1; Path=/; HttpOnly", "s=1; Path=/; HttpOnly"),
            ("", "/flags", "s=1; path=/; HttpOnly", "s=1; Path=/flags; HttpOnly"),
            ("/unleash", "", "s=1; Path=/unleash; Secure", "s=1; Path=/; Secure"),
            ("/unleash", "/flags", "s=1; Path=/unleash/api", "s=1; Path=/flags/api"),
            ("/unleash", "", "s=1; Path=/unleashed", "s=1; Path=/"),
            (
                "",
                "",
                "s=a=b; Domain=flags.example; Expires=Mon, 23 Nov 2026",
                "s=a=b; Expires=Mon, 23 Nov 2026",
            ),
            ("", "/flags", "s=1", "s=1"),
        ] {
            assert_eq!(with(upstream, base, |sides| sides.cookie(cookie)), rewritten);
        }
    }

    #[test]
    fn locations_at_the_upstream_are_the_consoles() {
        for (upstream, base, location, rewritten) in [
            ("", "", "/features?x=1#y", "/features?x=1#y"),
            ("", "/flags", "http://flags:4243/features", "/flags/features"),
            ("/unleash", "", "http://flags:4243/unleash/", "/"),
            ("/unleash", "/flags", "/unleash?x", "/flags?x"),
            ("", "/flags", "http://flags:42431/x", "http://flags:42431/x"),
            ("", "/flags", "https://sso.example/x", "https://sso.example/x"),
            ("", "/flags", "//sso.example/x", "//sso.example/x"),
            ("", "/flags", "next", "next"),
        ] {
            assert_eq!(with(upstream, base, |sides| sides.location(location)), rewritten);
        }
    }
}
