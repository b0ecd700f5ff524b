//! HTTP client (awc) of the commands `check` and `health`, which send a few requests.

use awc::Connector;
use awc::http::Version;

use super::connector;
use crate::config::Upstream;

/// Builds a client without the redirects, the default headers and the timeout of 5 s that awc has by default. Without its
/// compression features, awc does not decode `Content-Encoding`.
pub(crate) fn build(upstream: &Upstream) -> awc::Client {
    let connector = Connector::new()
        .connector(connector::awc_connector(upstream))
        .timeout(upstream.connect_timeout)
        .handshake_timeout(upstream.connect_timeout)
        // The h2 release that awc depends on has a known advisory, and admin traffic gains nothing from HTTP/2.
        .max_http_version(Version::HTTP_11);
    awc::Client::builder()
        .connector(connector)
        .max_http_version(Version::HTTP_11)
        .disable_redirects()
        .disable_timeout()
        .no_default_headers()
        .finish()
}
