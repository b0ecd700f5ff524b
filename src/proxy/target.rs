//! Validates the paths of forwarded requests. Pure, and on the encoded path: the bytes that are validated are those
//! that are sent.

use actix_web::http::{StatusCode, Uri};

use crate::config::{BasePath, Upstream};
use crate::error::{ApiError, DomainError};
use crate::path_rules;

/// Returns the request target for the upstream: the path below the base path with unchanged percent-encoding, and the
/// query.
///
/// # Errors
/// [`ApiError::UnknownPath`] if the path is not forwarded, also if it would be after decoding, such as `/%61pi/admin`;
/// the error of [`check_path`] if servers could interpret it differently.
pub(super) fn upstream_target(
    upstream: &Upstream,
    base_path: &BasePath,
    uri: &Uri,
) -> Result<String, ApiError> {
    let whole = uri.path_and_query().map_or("/", |whole| whole.as_str());
    let below = base_path.strip(whole).unwrap_or_default();
    let path = below.split('?').next().unwrap_or_default();
    let is_forwarded = upstream.prefixes.iter().any(|prefix| {
        path.strip_prefix(prefix.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if !is_forwarded {
        return Err(ApiError::UnknownPath(uri.path().to_owned()));
    }
    check_path(path)?;
    Ok(join_path(upstream, below))
}

/// Creates the error for a path that servers interpret differently.
fn bad_path(reason: &str) -> ApiError {
    let message = format!("The path cannot be forwarded: {reason}");
    DomainError::new("bad_path", StatusCode::BAD_REQUEST, message).into()
}

/// Refuses paths that servers interpret differently: the upstream could apply a request to another path than the one
/// that was checked.
fn check_path(path: &str) -> Result<(), ApiError> {
    path_rules::check(path).map_err(bad_path)
}

/// Returns the request target for another path and query than the request's.
pub(super) fn join_path(upstream: &Upstream, path_and_query: &str) -> String {
    format!("{}{path_and_query}", upstream.path)
}

#[cfg(test)]
mod tests {
    use super::{Upstream, upstream_target};
    use crate::config::BasePath;

    #[test]
    fn forwards_paths_and_queries_byte_for_byte() {
        for path in [
            "/api/admin/features",
            "/api/admin/tags/simple/a%2Fb%3f%20;",
            "/api?x=/auth&y=%zz",
            "/api/x/a.b/..c/%2e%2e%2e",
            "/api/x/%C3%A9%2F%2F?..//",
            "/auth/simple/login",
        ] {
            let target =
                upstream_target(&Upstream::with_path(""), &BasePath::default(), &path.parse().unwrap())
                    .unwrap();
            assert_eq!(target, path);
        }
        let target = upstream_target(
            &Upstream::with_path("/unleash"),
            &BasePath::default(),
            &"/api/x".parse().unwrap(),
        )
        .unwrap();
        assert_eq!(target, "/unleash/api/x");
    }

    #[test]
    fn refuses_paths_that_servers_interpret_differently() {
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
            let refused =
                upstream_target(&Upstream::with_path(""), &BasePath::default(), &path.parse().unwrap());
            assert_eq!(refused.unwrap_err().code(), "bad_path", "{path}");
        }
    }

    #[test]
    fn refuses_paths_outside_the_prefixes() {
        for path in ["/%61pi/admin", "/apis", "/", "/logout", "/api%2Fadmin", "/-/settings", "/?/api/"] {
            assert!(
                upstream_target(&Upstream::with_path(""), &BasePath::default(), &path.parse().unwrap())
                    .is_err(),
                "{path}"
            );
        }
    }
}
