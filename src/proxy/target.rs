//! Which requests go upstream, and what for. Pure, and on the undecoded path: what is checked is what is sent.

use std::borrow::Cow;

use actix_web::http::Uri;

use crate::config::{BasePath, Upstream};
use crate::error::ApiError;

/// What the upstream is asked for: the request's path below the base, percent-encoding untouched, and its query.
///
/// # Errors
/// [`ApiError::UnknownPath`] for a path that only looks forwarded after decoding, such as `/%61pi/admin`;
/// [`ApiError::BadPath`] for one that the upstream might read differently.
pub(super) fn forwarded(upstream: &Upstream, base_path: &BasePath, uri: &Uri) -> Result<String, ApiError> {
    let whole = uri.path_and_query().map_or("/", |whole| whole.as_str());
    let below = base_path.strip(whole).unwrap_or_default();
    let path = below.split('?').next().unwrap_or_default();
    let is_forwarded = upstream.prefixes.iter().any(|prefix| {
        path.strip_prefix(prefix.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if !is_forwarded {
        return Err(ApiError::UnknownPath(uri.path().to_owned()));
    }
    check(path)?;
    Ok(of(upstream, below))
}

/// How often a path is looked at: as it is, decoded as a server should, and decoded twice more by mistake, of which one is
/// to take `%2e` for a dot.
const DECODED: usize = 4;

/// Refuses what servers read in different ways: what was checked here would not be what is done there.
fn check(path: &str) -> Result<(), ApiError> {
    if path.contains("//") {
        return Err(ApiError::BadPath("it has an empty segment"));
    }
    let mut decoded = Cow::Borrowed(path.as_bytes());
    for _ in 0..DECODED {
        let text =
            str::from_utf8(&decoded).map_err(|_no_text| ApiError::BadPath("it does not decode to UTF-8"))?;
        if text.contains(|letter: char| letter.is_control() || letter == '\\') {
            return Err(ApiError::BadPath("it holds a control character or a backslash"));
        }
        // Some servers cut a segment at a semicolon, look for the query once they have decoded, or drop spaces at an end.
        let cut =
            |segment: &str| matches!(segment.split([';', '?', '#']).next().map(str::trim), Some("." | ".."));
        if text.split('/').any(cut) {
            return Err(ApiError::BadPath("it holds a dot segment"));
        }
        match Cow::from(percent_encoding::percent_decode(&decoded)) {
            Cow::Borrowed(_) => break,
            Cow::Owned(next) => decoded = Cow::Owned(next),
        }
    }
    Ok(())
}

/// The same for a path and query that are not the request's.
pub(super) fn of(upstream: &Upstream, path_and_query: &str) -> String {
    format!("{}{path_and_query}", upstream.path)
}

#[cfg(test)]
mod tests {
    use super::{Upstream, forwarded};
    use crate::config::BasePath;
    use crate::error::ApiError;

    #[test]
    fn paths_and_queries_go_upstream_byte_for_byte() {
        for path in [
            "/api/admin/features",
            "/api/admin/tags/simple/a%2Fb%3f%20;",
            "/api?x=/auth&y=%zz",
            "/api/x/a.b/..c/%2e%2e%2e",
            "/api/x/%C3%A9%2F%2F?..//",
            "/auth/simple/login",
        ] {
            let target =
                forwarded(&Upstream::below(""), &BasePath::default(), &path.parse().unwrap()).unwrap();
            assert_eq!(target, path);
        }
        let target =
            forwarded(&Upstream::below("/unleash"), &BasePath::default(), &"/api/x".parse().unwrap())
                .unwrap();
        assert_eq!(target, "/unleash/api/x");
    }

    #[test]
    fn what_servers_read_in_different_ways_goes_nowhere() {
        for path in [
            "/api/../internal",
            "/api/.",
            "/api/%2e%2e/internal",
            "/api/%2E./x",
            "/api/a%2f..%2fb",
            "/api/%252e%252e/x",
            "/api/..;/x",
            "/api/%2e%2e%3bx/y",
            "/api/..%23x/y",
            "/api/.%3Fx",
            "/api/..%20",
            "/api/%20.%2520/x",
            "/api/%252e%252e%253fx/y",
            "/api/%25252e%25252e",
            "/api/%00",
            "/api/a%0ab",
            "/api/a%5cb",
            "/api/%ff",
            "/api/%c0%ae%c0%ae/x",
            "/api//admin",
            "/api/admin//",
        ] {
            let refused = forwarded(&Upstream::below(""), &BasePath::default(), &path.parse().unwrap());
            assert!(matches!(refused, Err(ApiError::BadPath(_))), "{path}: {refused:?}");
        }
    }

    #[test]
    fn nothing_else_goes_upstream() {
        for path in ["/%61pi/admin", "/apis", "/", "/logout", "/api%2Fadmin", "/-/settings", "/?/api/"] {
            assert!(
                forwarded(&Upstream::below(""), &BasePath::default(), &path.parse().unwrap()).is_err(),
                "{path}"
            );
        }
    }
}
