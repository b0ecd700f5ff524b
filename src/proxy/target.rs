//! Which requests go upstream, and to which URL. Pure, and on the undecoded path: what is checked is what is sent.

use actix_web::http::header::{self, HeaderMap};
use actix_web::http::{Method, Uri};

use super::FORWARDED;
use crate::config::{BasePath, Upstream};
use crate::error::ApiError;

/// The upstream's URL for a request: its path below the base, percent-encoding untouched, and its query.
///
/// # Errors
/// [`ApiError::UnknownPath`] for a path that only looks forwarded after decoding, such as `/%61pi/admin`.
pub(super) fn forwarded(upstream: &Upstream, base_path: &BasePath, uri: &Uri) -> Result<Uri, ApiError> {
    let whole = uri.path_and_query().map_or("/", |whole| whole.as_str());
    let below = base_path.strip(whole).unwrap_or_default();
    let path = below.split('?').next().unwrap_or_default();
    if FORWARDED
        .iter()
        .any(|prefix| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    {
        of(upstream, below)
    } else {
        Err(ApiError::UnknownPath(uri.path().to_owned()))
    }
}

/// The upstream's URL for a path and query of its own.
pub(super) fn of(upstream: &Upstream, path_and_query: &str) -> Result<Uri, ApiError> {
    format!("{}{}{path_and_query}", upstream.origin, upstream.path).parse().map_err(ApiError::internal)
}

/// Tunnels and echoes have no place in front of an admin API, and an upgraded connection has no end.
pub(super) fn refuse_tunnels(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    let is_tunnel =
        matches!(*method, Method::CONNECT | Method::TRACE) || headers.contains_key(header::UPGRADE);
    if is_tunnel { Err(ApiError::UpgradeRefused) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::{Upstream, forwarded};
    use crate::config::BasePath;

    #[test]
    fn paths_and_queries_go_upstream_byte_for_byte() {
        for (path, sent) in [
            ("/api/admin/features", "http://flags:4243/api/admin/features"),
            ("/api/admin/tags/simple/a%2Fb%3f%20;", "http://flags:4243/api/admin/tags/simple/a%2Fb%3f%20;"),
            ("/api?x=/auth&y=%zz", "http://flags:4243/api?x=/auth&y=%zz"),
            ("/auth/simple/login", "http://flags:4243/auth/simple/login"),
        ] {
            let target =
                forwarded(&Upstream::below(""), &BasePath::default(), &path.parse().unwrap()).unwrap();
            assert_eq!(target.to_string(), sent);
        }
        let target =
            forwarded(&Upstream::below("/unleash"), &BasePath::default(), &"/api/x".parse().unwrap())
                .unwrap();
        assert_eq!(target.to_string(), "http://flags:4243/unleash/api/x");
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
