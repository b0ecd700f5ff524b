//! `flagdeck health`: asks the server that runs with the same settings whether it answers, for the probes of containers
//! that have no other program to ask with.

use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use actix_web::http::header;

use super::CommandError;
use crate::config::{Config, Listen, Upstream};
use crate::proxy::{client, outcome};

/// A probe has little time, and an answer takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(3);

pub(super) async fn run(config: &Config) -> Result<(), CommandError> {
    let address = address(&config.listen)?;
    let itself = Upstream::itself(address, config.listen.tls.is_some())
        .map_err(|error| CommandError::Failed(error.into()))?;
    let url = format!("{}{}/-/health", itself.dialled, config.listen.base_path.as_str());
    // Requests for any other host than the public one are refused.
    let host = config.public.url.as_ref().map_or(&itself.authority, |public| &public.authority);
    let client = client::build(&itself);
    let request = client.get(&url).insert_header((header::HOST, host.as_str())).send();
    let reason = match tokio::time::timeout(TIMEOUT, request).await {
        Ok(Ok(answer)) if answer.status().is_success() => {
            // Nobody has to be there to read it.
            drop(writeln!(io::stdout(), "ok"));
            return Ok(());
        }
        Ok(Ok(answer)) => format!("it answers {}", answer.status()),
        Ok(Err(error)) => outcome::reason(&error),
        Err(_elapsed) => format!("no answer within {} s", TIMEOUT.as_secs()),
    };
    Err(CommandError::Unhealthy { url, reason })
}

/// A server on all addresses is asked on this machine's own.
fn address(listen: &Listen) -> Result<SocketAddr, CommandError> {
    if listen.address.port() == 0 {
        return Err(CommandError::NoPort);
    }
    let ip = match listen.address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    Ok(SocketAddr::new(ip, listen.address.port()))
}
