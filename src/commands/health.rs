//! `flagdeck health`: asks the server that runs with the same settings whether it answers, for the probes of containers
//! that have no other program to ask with.

use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use actix_web::http::header;

use super::CommandError;
use crate::config::{Config, Listen};

/// A probe has little time, and an answer takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(3);

pub(super) async fn run(config: &Config) -> Result<(), CommandError> {
    let url = url(&config.listen)?;
    let client = awc::Client::builder().timeout(TIMEOUT).disable_redirects().finish();
    let mut request = client.get(&url);
    if let Some(public) = &config.public.url {
        // Requests for any other host are refused.
        request = request.insert_header((header::HOST, public.authority.as_str()));
    }
    let reason = match request.send().await {
        Ok(answer) if answer.status().is_success() => {
            // Nobody has to be there to read it.
            drop(writeln!(io::stdout(), "ok"));
            return Ok(());
        }
        Ok(answer) => format!("it answers {}", answer.status()),
        Err(error) => error.to_string(),
    };
    Err(CommandError::Unhealthy { url, reason })
}

/// A server on all addresses is asked on this machine's own.
fn url(listen: &Listen) -> Result<String, CommandError> {
    if listen.address.port() == 0 {
        return Err(CommandError::NoPort);
    }
    let ip = match listen.address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let address = SocketAddr::new(ip, listen.address.port());
    Ok(format!("http://{address}{}/-/health", listen.base_path.as_str()))
}
