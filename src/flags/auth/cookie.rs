//! The session cookie, and the cookie of browsers whose session the identity provider has confirmed. Pure functions.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use data_encoding::HEXLOWER;

use super::token::TokenHash;

/// Name of the session cookie.
const NAME: &str = "flagdeck-session";

/// Name of the cookie of a browser whose last session the identity provider has confirmed: the next one may start without a
/// question, unless that session was revoked. Its value is the hash of the session's token, which is no secret: a forged one
/// only causes a question to the provider.
const RETURNING: &str = "flagdeck-returning";

/// Prefix of cookies that only this host can set, over https. Their path must be `/`
/// ([RFC 6265bis, section 4.1.3](https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-4.1.3)).
const HOST_PREFIX: &str = "__Host-";
/// Prefix of cookies that are set over https. Below a base path, a cookie with [`HOST_PREFIX`] would also be sent to the other
/// programs of the host.
const SECURE_PREFIX: &str = "__Secure-";

/// How the cookies of a browser are named and set. A cookie with another name is ignored: over https, another host of the domain,
/// or somebody in the network, could have set it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CookieScope<'s> {
    pub(super) base_path: &'s str,
    pub(super) is_https: bool,
}

impl CookieScope<'_> {
    fn name(self, name: &str) -> String {
        let prefix = match (self.is_https, self.base_path) {
            (false, _) => "",
            (true, "") => HOST_PREFIX,
            (true, _) => SECURE_PREFIX,
        };
        format!("{prefix}{name}")
    }

    /// Returns the session cookie of a request. Its value is the token.
    pub(super) fn read(self, request: &HttpRequest) -> Option<Cookie<'static>> {
        request.cookie_raw(&self.name(NAME))
    }

    /// Returns the hash of the session that the identity provider has confirmed last, if the browser did not sign out since then. A
    /// cookie without a hash is ignored: it could not be revoked.
    pub(super) fn returning(self, request: &HttpRequest) -> Option<TokenHash> {
        let cookie = request.cookie_raw(&self.name(RETURNING))?;
        HEXLOWER.decode(cookie.value().as_bytes()).ok()?.try_into().ok()
    }

    /// Returns the `Set-Cookie` value of a session token. Scripts cannot read the cookie, and forms and frames of other
    /// sites do not send it.
    pub(super) fn format_set_cookie(self, token: &str, seconds: i64) -> String {
        self.format(NAME, token, seconds)
    }

    /// Returns the `Set-Cookie` value that [`Self::returning`] reads; 0 seconds remove it.
    pub(super) fn format_returning(self, confirmed: Option<&TokenHash>, seconds: i64) -> String {
        let value = confirmed.map(|hash| HEXLOWER.encode(hash)).unwrap_or_default();
        self.format(RETURNING, &value, seconds)
    }

    fn format(self, name: &str, value: &str, seconds: i64) -> String {
        Cookie::build(self.name(name), value)
            .path(if self.base_path.is_empty() { "/" } else { self.base_path })
            .max_age(Duration::seconds(seconds))
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.is_https)
            .finish()
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use actix_web::cookie::Cookie;
    use actix_web::http::header::COOKIE;
    use actix_web::test::TestRequest;

    use super::CookieScope;

    const HTTP: CookieScope<'_> = CookieScope { base_path: "", is_https: false };
    const HTTPS: CookieScope<'_> = CookieScope { is_https: true, ..HTTP };
    const BELOW_PATH: CookieScope<'_> = CookieScope { base_path: "/flags", is_https: true };

    #[test]
    fn finds_the_session_among_other_cookies() {
        for (cookies, found) in [
            (&["flagdeck-session=abc"][..], Some("abc")),
            (&["theme=dark; flagdeck-session=abc; x=y"], Some("abc")),
            (&["theme=dark", "flagdeck-session=abc"], Some("abc")),
            (&["name=J\u{f6}rg; =x; flagdeck-session=abc"], Some("abc")),
            (&["flagdeck-session=first; flagdeck-session=second"], Some("first")),
            (&["xflagdeck-session=abc; flagdeck-session"], None),
            (&["%66lagdeck-session=abc"], None),
            (&[], None),
        ] {
            let request = cookies.iter().fold(TestRequest::get(), |request, cookie| {
                request.append_header((COOKIE, cookie.as_bytes()))
            });
            let cookie = HTTP.read(&request.to_http_request());
            assert_eq!(cookie.as_ref().map(Cookie::value), found, "{cookies:?}");
        }
    }

    #[test]
    fn reads_only_the_cookie_with_the_prefix_that_it_sets() {
        let cookies =
            "flagdeck-session=plain; __Secure-flagdeck-session=secure; __Host-flagdeck-session=host";
        let request = TestRequest::get().insert_header((COOKIE, cookies)).to_http_request();
        for (scope, found) in [(HTTP, "plain"), (BELOW_PATH, "secure"), (HTTPS, "host")] {
            assert_eq!(scope.read(&request).unwrap().value(), found, "{scope:?}");
        }
        let request = TestRequest::get().insert_header((COOKIE, "flagdeck-session=tossed")).to_http_request();
        assert!(HTTPS.read(&request).is_none() && BELOW_PATH.read(&request).is_none());
    }

    #[test]
    fn limits_the_cookie_to_the_host_or_the_base_path() {
        for (scope, expected) in [
            (HTTP, "flagdeck-session=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=60"),
            (HTTPS, "__Host-flagdeck-session=abc; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=60"),
            (
                BELOW_PATH,
                "__Secure-flagdeck-session=abc; HttpOnly; SameSite=Lax; Secure; Path=/flags; Max-Age=60",
            ),
        ] {
            assert_eq!(scope.format_set_cookie("abc", 60), expected);
        }
    }
}
