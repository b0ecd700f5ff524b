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

/// Returns the hash of the session that the identity provider has confirmed last, if the browser did not sign out since then. A
/// cookie without a hash is ignored: it could not be revoked.
pub(super) fn returning(request: &HttpRequest) -> Option<TokenHash> {
    let cookie = request.cookie_raw(RETURNING)?;
    HEXLOWER.decode(cookie.value().as_bytes()).ok()?.try_into().ok()
}

/// Returns the session cookie of a request. Its value is the token.
pub(super) fn read(request: &HttpRequest) -> Option<Cookie<'static>> {
    request.cookie_raw(NAME)
}

/// Returns the `Set-Cookie` value of a session token. Scripts cannot read the cookie, and forms and frames of other
/// sites do not send it.
pub(super) fn format_set_cookie(token: &str, base_path: &str, seconds: i64, secure: bool) -> String {
    format_cookie((NAME, token), base_path, seconds, secure)
}

/// Returns the `Set-Cookie` value that [`returning`] reads; 0 seconds remove it.
pub(super) fn format_returning(
    confirmed: Option<&TokenHash>,
    base_path: &str,
    seconds: i64,
    secure: bool,
) -> String {
    let value = confirmed.map(|hash| HEXLOWER.encode(hash)).unwrap_or_default();
    format_cookie((RETURNING, &value), base_path, seconds, secure)
}

fn format_cookie((name, value): (&str, &str), base_path: &str, seconds: i64, secure: bool) -> String {
    Cookie::build(name, value)
        .path(if base_path.is_empty() { "/" } else { base_path })
        .max_age(Duration::seconds(seconds))
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(secure)
        .finish()
        .to_string()
}

#[cfg(test)]
mod tests {
    use actix_web::cookie::Cookie;
    use actix_web::http::header::COOKIE;
    use actix_web::test::TestRequest;

    use super::{format_set_cookie, read};

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
            let cookie = read(&request.to_http_request());
            assert_eq!(cookie.as_ref().map(Cookie::value), found, "{cookies:?}");
        }
    }

    #[test]
    fn limits_the_cookie_to_the_base_path() {
        assert_eq!(
            format_set_cookie("abc", "", 60, false),
            "flagdeck-session=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=60"
        );
        assert_eq!(
            format_set_cookie("abc", "/flags", 60, true),
            "flagdeck-session=abc; HttpOnly; SameSite=Lax; Secure; Path=/flags; Max-Age=60"
        );
    }
}
