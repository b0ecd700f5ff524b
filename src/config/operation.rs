//! Monitoring and shutdown: `admin-listen`, `shutdown-delay` and `shutdown-timeout`.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::ConfigError;
use super::value::{TIMEOUT, duration};
use crate::cli::Settings;

/// The bounds of `shutdown-delay`.
const DELAY_BOUNDS: (Duration, Duration) = (Duration::ZERO, TIMEOUT.1);
/// The bounds of `shutdown-timeout`, which the server rounds down to seconds.
const TIMEOUT_BOUNDS: (Duration, Duration) = (Duration::from_secs(1), TIMEOUT.1);

/// Settings for operators and their tools.
#[derive(Debug, Clone)]
pub struct Operation {
    /// `--admin-listen`, `FLAGDECK_ADMIN_LISTEN`; none by default. A port without an address means 127.0.0.1.
    pub admin: Option<SocketAddr>,
    /// `--shutdown-delay`, `FLAGDECK_SHUTDOWN_DELAY`; none by default. Time between the first failed readiness check
    /// and the end of the listener, so that load balancers can react.
    pub delay: Duration,
    /// `--shutdown-timeout`, `FLAGDECK_SHUTDOWN_TIMEOUT`; 8 s by default. Time for requests in flight after that.
    /// Shorter than the time after which service managers kill a process (systemd 90 s, containers 10 s).
    pub timeout: Duration,
}

impl Operation {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            admin: settings.admin_listen.as_deref().map(parse_address).transpose()?,
            delay: duration("shutdown-delay", settings.shutdown_delay.as_deref(), 0, DELAY_BOUNDS)?,
            timeout: duration("shutdown-timeout", settings.shutdown_timeout.as_deref(), 8, TIMEOUT_BOUNDS)?,
        })
    }
}

fn parse_address(text: &str) -> Result<SocketAddr, ConfigError> {
    let port = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_no_port| text.parse()).map_err(|_no_address| {
        let fault =
            format!("{text:?} is neither a port nor an address with a port, such as 9090 or 0.0.0.0:9090");
        ConfigError::setting("admin-listen", fault)
    })
}

#[cfg(test)]
mod tests {
    use super::parse_address;

    #[test]
    fn port_without_address_means_loopback() {
        for (text, found) in [
            ("9090", Some("127.0.0.1:9090")),
            ("0.0.0.0:9090", Some("0.0.0.0:9090")),
            ("[::1]:9090", Some("[::1]:9090")),
            ("localhost", None),
            ("99999", None),
        ] {
            assert_eq!(
                parse_address(text).ok().map(|address| address.to_string()).as_deref(),
                found,
                "{text}"
            );
        }
    }
}
