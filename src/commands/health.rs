//! `flagdeck health`: checks that the server with the same settings responds. For health probes of containers that contain
//! no HTTP client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use actix_web::http::header;

use super::CommandError;
use crate::config::{Config, Upstream};
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
    let client = awc_client::for_upstream(&upstream);
    let request = client.get(&url).insert_header((header::HOST, host.as_str())).send();
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
    Err(CommandError::Unhealthy { url, reason })
}

/// Returns the address for the request. A server that listens on all addresses is reached by the loopback address.
pub(super) fn probe_address(address: SocketAddr) -> Result<SocketAddr, CommandError> {
    if address.port() == 0 {
        return Err(CommandError::NoPort);
    }
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    Ok(SocketAddr::new(ip, address.port()))
}
