//! Which requests of other sites' pages are refused: those that could change something.

use actix_web::http::Method;
use actix_web::http::header::{HeaderMap, HeaderName, ORIGIN};

use super::client::Client;
use crate::config::{Origin, Public};
use crate::error::ApiError;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a method may change something (RFC 9110, 9.2.1).
#[must_use]
pub fn is_unsafe(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE)
}

/// Lets unsafe requests pass that come from a page of our own or of a trusted site, or from no page at all.
///
/// Browsers send `Sec-Fetch-Site` to secure addresses, and `Origin` with each unsafe request: what has neither comes from
/// a program, which nobody can make act in another's name.
///
/// # Errors
/// [`ApiError::CrossSite`], with the origin to trust if it is one's own.
pub fn check(public: &Public, client: &Client, method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let (site, origin) = (text(&FETCH_SITE), text(&ORIGIN));
    if !is_unsafe(method)
        || matches!(site, Some("same-origin" | "none"))
        || (site.is_none() && origin.is_none())
    {
        return Ok(());
    }
    let from = origin.and_then(Origin::parse);
    let is_known = from.as_ref().is_some_and(|from| {
        let own = public.url.clone().or_else(|| client.origin());
        own.as_ref() == Some(from) || public.trusted_origins.contains(from)
    });
    if is_known {
        Ok(())
    } else {
        Err(ApiError::CrossSite { origin: origin.unwrap_or("unknown").to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;
    use actix_web::http::header::{HeaderMap, HeaderValue, ORIGIN};

    use super::{FETCH_SITE, check};
    use crate::config::{Origin, Public};
    use crate::middleware::client::Client;

    #[test]
    fn pages_of_other_sites_change_nothing() {
        let public = Public {
            trusted_origins: vec![Origin::parse("https://portal.example").unwrap()],
            ..Public::default()
        };
        let host = HeaderMap::from_iter([(
            actix_web::http::header::HOST,
            HeaderValue::from_static("flags.example:8080"),
        )]);
        let client = Client::of(&public, "192.0.2.1".parse().unwrap(), "http", &host);
        let passes = |method: Method, site: Option<&'static str>, origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            for (name, value) in [(FETCH_SITE, site), (ORIGIN, origin)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            check(&public, &client, &method, &headers).is_ok()
        };
        for (site, origin, fine) in [
            (Some("same-origin"), Some("http://flags.example:8080"), true),
            (Some("none"), None, true),
            (None, None, true),
            (None, Some("http://flags.example:8080"), true),
            (None, Some("https://flags.example:8080"), false),
            (None, Some("http://flags.example"), false),
            (None, Some("http://evil.example"), false),
            (None, Some("null"), false),
            (Some("cross-site"), None, false),
            (Some("cross-site"), Some("https://evil.example"), false),
            (Some("cross-site"), Some("https://portal.example"), true),
            (Some("same-site"), Some("http://other.example:8080"), false),
            (Some("odd"), None, false),
        ] {
            for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                assert_eq!(passes(method.clone(), site, origin), fine, "{method} {site:?} {origin:?}");
            }
            assert!(passes(Method::GET, site, origin) && passes(Method::HEAD, site, origin));
        }
    }
}
