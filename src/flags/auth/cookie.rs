//! The session cookie. Pure functions.

use actix_web::http::header::{COOKIE, HeaderMap};

/// Name of the session cookie.
const NAME: &str = "flagdeck-session";

/// Returns the session token of the `Cookie` headers.
pub(super) fn read(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == NAME)
        .map(|(_, value)| value)
}

/// Returns the `Set-Cookie` value of a session token. Scripts cannot read the cookie, and forms and frames of other
/// sites do not send it.
pub(super) fn format_set_cookie(token: &str, base_path: &str, seconds: i64, secure: bool) -> String {
    let path = if base_path.is_empty() { "/" } else { base_path };
    let secure = if secure { "; Secure" } else { "" };
    format!("{NAME}={token}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{COOKIE, HeaderMap, HeaderValue};

    use super::{format_set_cookie, read};

    #[test]
    fn finds_the_session_among_other_cookies() {
        for (cookies, found) in [
            (&["flagdeck-session=abc"][..], Some("abc")),
            (&["theme=dark; flagdeck-session=abc; x=y"], Some("abc")),
            (&["theme=dark", "flagdeck-session=abc"], Some("abc")),
            (&["flagdeck-session=first; flagdeck-session=second"], Some("first")),
            (&["xflagdeck-session=abc; flagdeck-session"], None),
            (&[], None),
        ] {
            let mut headers = HeaderMap::new();
            for cookie in cookies {
                headers.append(COOKIE, HeaderValue::from_static(cookie));
            }
            assert_eq!(read(&headers), found, "{cookies:?}");
        }
    }

    #[test]
    fn limits_the_cookie_to_the_base_path() {
        assert_eq!(
            format_set_cookie("abc", "", 60, false),
            "flagdeck-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"
        );
        assert_eq!(
            format_set_cookie("abc", "/flags", 60, true),
            "flagdeck-session=abc; Path=/flags; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
    }
}
