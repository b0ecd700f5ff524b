//! Refuses cross-site requests (CSRF): requests that a page of another site sends in the name of a user.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, ORIGIN};

use super::client::Client;
use crate::api_path::EndpointClass;
use crate::config::{Origin, Public};
use crate::error::{ApiError, DomainError};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns true if the browser reports that a page of another site sent the request (`Sec-Fetch-Site`).
#[must_use]
pub fn is_from_other_site(headers: &HeaderMap) -> bool {
    headers.get(FETCH_SITE).is_some_and(|site| site == "cross-site" || site == "same-site")
}

/// Accepts changes from pages of the console, from pages of trusted sites and from programs.
///
/// Browsers send `Sec-Fetch-Site` to secure origins, and `Origin` with each unsafe request. A request with neither
/// comes from a program, which no page controls.
pub(crate) fn check(
    public: &Public,
    client: &Client,
    class: EndpointClass,
    headers: &HeaderMap,
) -> Result<(), ApiError> {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let (site, origin) = (text(&FETCH_SITE), text(&ORIGIN));
    if !class.requires_own_site()
        || matches!(site, Some("same-origin" | "none"))
        || (site.is_none() && origin.is_none())
    {
        return Ok(());
    }
    let from = origin.and_then(Origin::parse);
    let is_allowed = from.as_ref().is_some_and(|from| {
        let own_origin = public.url.clone().or_else(|| client.origin());
        own_origin.as_ref() == Some(from) || public.trusted_origins.contains(from)
    });
    if is_allowed { Ok(()) } else { Err(cross_site_error(origin.unwrap_or("unknown"))) }
}

/// Creates the error for a change that a page of this origin sent.
pub(crate) fn cross_site_error(origin: &str) -> ApiError {
    let message = format!(
        "Cross-site request refused: pages of {origin} may not make changes. To allow that site, add it to --trusted-origin"
    );
    DomainError::new("cross_site", StatusCode::FORBIDDEN, message).into()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderValue, ORIGIN};

    use super::{FETCH_SITE, check};
    use crate::api_path::EndpointClass;
    use crate::config::{Origin, Public};
    use crate::middleware::client::Client;

    #[test]
    fn refuses_changes_from_pages_of_other_sites() {
        let public = Public {
            trusted_origins: vec![Origin::parse("https://portal.example").unwrap()],
            ..Public::default()
        };
        let host = HeaderMap::from_iter([(
            actix_web::http::header::HOST,
            HeaderValue::from_static("flags.example:8080"),
        )]);
        let client = Client::new(&public, "192.0.2.1".parse().unwrap(), "http", &host);
        let passes = |class: EndpointClass, site: Option<&'static str>, origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            for (name, value) in [(FETCH_SITE, site), (ORIGIN, origin)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            check(&public, &client, class, &headers).is_ok()
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
            for class in [EndpointClass::OperatorState, EndpointClass::Session] {
                assert_eq!(passes(class, site, origin), fine, "{class:?} {site:?} {origin:?}");
            }
            assert!(
                passes(EndpointClass::Read, site, origin) && passes(EndpointClass::SdkReport, site, origin)
            );
        }
    }
}
