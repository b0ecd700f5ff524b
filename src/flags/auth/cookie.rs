//! The cookie that holds a session. Pure.

use actix_web::http::header::{COOKIE, HeaderMap};

/// Its name.
const NAME: &str = "flagdeck-session";

/// What `Cookie` headers hold under our name.
pub(super) fn read(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == NAME)
        .map(|(_, value)| value)
}

/// A `Set-Cookie` value that scripts cannot read and that other sites' forms and frames do not send.
pub(super) fn set(token: &str, base_path: &str, seconds: i64, secure: bool) -> String {
    let path = if base_path.is_empty() { "/" } else { base_path };
    let secure = if secure { "; Secure" } else { "" };
    format!("{NAME}={token}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{COOKIE, HeaderMap, HeaderValue};

    use super::{read, set};

    #[test]
    fn a_session_is_found_among_other_cookies() {
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
    fn a_session_is_set_for_the_console_alone() {
        assert_eq!(
            set("abc", "", 60, false),
            "flagdeck-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"
        );
        assert_eq!(
            set("abc", "/flags", 60, true),
            "flagdeck-session=abc; Path=/flags; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
    }
}
