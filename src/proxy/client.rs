//! The HTTP client by which commands ask a server a question or two.

use awc::Connector;
use awc::http::Version;

use super::connection;
use crate::config::Upstream;

/// Awc follows redirects, adds headers of its own and stops reading answers after 5 s unless told.
/// Without its compression features it leaves `Content-Encoding` alone.
pub(crate) fn build(upstream: &Upstream) -> awc::Client {
    let connector = Connector::new()
        .connector(connection::to(upstream))
        .timeout(upstream.connect_timeout)
        .handshake_timeout(upstream.connect_timeout)
        // The h2 release that awc is bound to has a known advisory, and admin traffic gains nothing from it.
        .max_http_version(Version::HTTP_11);
    awc::Client::builder()
        .connector(connector)
        .max_http_version(Version::HTTP_11)
        .disable_redirects()
        .disable_timeout()
        .no_default_headers()
        .finish()
}
