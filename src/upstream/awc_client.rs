//! HTTP client (awc) of the users that send few requests: the commands `check` and `health`, deliveries to addons and
//! to the webhook of holds, and requests to the sign-in provider.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use actix_service::Service;
use actix_tls::connect::{ConnectError, ConnectInfo, Connection};
use actix_web::rt::net::ActixStream;
use awc::Connector;
use awc::http::{Uri, Version};
use rustls::ClientConfig;

use super::connector;
use crate::config::Upstream;

/// Builds a client that connects to this upstream only, whatever URL a request has.
pub(crate) fn for_upstream(upstream: &Upstream) -> awc::Client {
    build(Connector::new().connector(connector::awc_connector(upstream)), upstream.connect_timeout, None)
}

/// Builds a client that connects to the server in the URL of each request, and trusts the authorities of this TLS configuration.
/// Those of awc's own configuration are only the bundled ones.
pub(crate) fn for_any_server(connect_timeout: Duration, tls: Arc<ClientConfig>) -> awc::Client {
    build(Connector::new().connector(connector::tcp_connector()), connect_timeout, Some(tls))
}

/// Builds a client without the redirects, the default headers and the timeout of 5 s that awc has by default. Without its
/// compression features, awc does not decode `Content-Encoding`.
fn build<S, Io>(
    connector: Connector<S>,
    connect_timeout: Duration,
    tls: Option<Arc<ClientConfig>>,
) -> awc::Client
where
    S: Service<ConnectInfo<Uri>, Response = Connection<Uri, Io>, Error = ConnectError> + Clone + 'static,
    Io: ActixStream + Debug + 'static,
{
    let mut connector = connector
        .timeout(connect_timeout)
        .handshake_timeout(connect_timeout)
        // The h2 release that awc depends on has a known advisory, and these requests gain nothing from HTTP/2.
        .max_http_version(Version::HTTP_11);
    if let Some(tls) = tls {
        // After the version, which replaces the TLS configuration. So would the version of the builder. Without ALPN, servers use
        // HTTP/1.1.
        connector = connector.rustls_0_23(tls);
    }
    awc::Client::builder()
        .connector(connector)
        .disable_redirects()
        .disable_timeout()
        .no_default_headers()
        .finish()
}
