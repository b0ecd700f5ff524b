//! `flagdeck health` and `flagdeck ready`: check the server with the same settings. For probes of containers that contain no HTTP
//! client.

use std::net::SocketAddr;
use std::time::Duration;

use actix_web::http::header;

use super::CommandError;
use crate::cli::EdgeProbe;
use crate::config::{Config, Upstream, local_address};
use crate::terminal;
use crate::upstream::awc_client;
use crate::upstream::error::ExchangeError;

/// Probes have short timeouts, and a response takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(3);

pub(super) async fn run(config: &Config) -> Result<(), CommandError> {
    let address = probe_address(config.listen.address)?;
    let upstream = Upstream::for_local_server(address, config.listen.tls.is_some())
        .map_err(|error| CommandError::Failed(error.into()))?;
    let url = format!("{}{}/-/health", upstream.connect_url, config.listen.base_path.as_str());
    // Requests for any other host than the public one are refused.
    let host = config.public.url.as_ref().map_or(&upstream.authority, |public| &public.authority);
    probe(&upstream, &url, host).await
}

/// Checks that the server is ready.
pub(super) async fn run_ready(config: &Config) -> Result<(), CommandError> {
    let address = probe_address(config.operation.admin.ok_or(CommandError::NoAdminListener)?)?;
    let server =
        Upstream::for_local_server(address, false).map_err(|error| CommandError::Failed(error.into()))?;
    probe(&server, &format!("{}/readyz", server.connect_url), &server.authority).await
}

/// Runs `flagdeck edge health` or `flagdeck edge ready`.
///
/// # Errors
/// [`CommandError::Unhealthy`] if the response is not successful; [`CommandError::Failed`] if a variable is invalid.
pub async fn probe_edge(
    arguments: EdgeProbe,
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<(), CommandError> {
    let EdgeProbe { endpoint, target, values } = arguments;
    let server = target.resolve(values, environment).map_err(|error| CommandError::Failed(error.into()))?;
    let url = format!("{}{}/internal-backstage/{endpoint}", server.connect_url, server.path);
    probe(&server, &url, &server.authority).await
}

/// Prints `ok` if the response is successful.
async fn probe(server: &Upstream, url: &str, host: &str) -> Result<(), CommandError> {
    let client = awc_client::for_upstream(server);
    let request = client.get(url).insert_header((header::HOST, host)).send();
    let reason = match tokio::time::timeout(TIMEOUT, request).await {
        Ok(Ok(response)) if response.status().is_success() => {
            // Standard output may be closed, which is not an error.
            drop(terminal::print("ok"));
            return Ok(());
        }
        Ok(Ok(response)) => format!("it responds with {}", response.status()),
        Ok(Err(error)) => ExchangeError::from(error).reason(),
        Err(_elapsed) => format!("no response within {} s", TIMEOUT.as_secs()),
    };
    Err(CommandError::Unhealthy { url: url.to_owned(), reason })
}

/// Returns the address for a request to the server of this machine.
pub(super) fn probe_address(address: SocketAddr) -> Result<SocketAddr, CommandError> {
    if address.port() == 0 { Err(CommandError::NoPort) } else { Ok(local_address(address)) }
}
