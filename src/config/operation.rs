//! How the program is watched and ended: `admin-listen`, `shutdown-delay` and `shutdown-timeout`.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::ConfigError;
use super::value::{TIMEOUT, duration};
use crate::cli::Settings;

/// The bounds of `shutdown-delay`.
const DELAY: (Duration, Duration) = (Duration::ZERO, TIMEOUT.1);
/// The bounds of `shutdown-timeout`; the server counts it in whole seconds.
const END: (Duration, Duration) = (Duration::from_secs(1), TIMEOUT.1);

/// What operators and their tools need.
#[derive(Debug, Clone)]
pub struct Operation {
    /// `--admin-listen`, `FLAGDECK_ADMIN_LISTEN`; none by default. A port alone is one of this machine.
    pub admin: Option<SocketAddr>,
    /// `--shutdown-delay`, `FLAGDECK_SHUTDOWN_DELAY`; none by default. Between the first failed readiness and the end
    /// of the listener, so that whoever sends requests hears of it first.
    pub delay: Duration,
    /// `--shutdown-timeout`, `FLAGDECK_SHUTDOWN_TIMEOUT`; 8 s by default. How long requests under way may take then:
    /// less than service managers wait before they kill (systemd 90 s, containers 10 s).
    pub timeout: Duration,
}

impl Operation {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            admin: settings.admin_listen.as_deref().map(address).transpose()?,
            delay: duration("shutdown-delay", settings.shutdown_delay.as_deref(), 0, DELAY)?,
            timeout: duration("shutdown-timeout", settings.shutdown_timeout.as_deref(), 8, END)?,
        })
    }
}

fn address(text: &str) -> Result<SocketAddr, ConfigError> {
    let port = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_no_port| text.parse()).map_err(|_no_address| {
        let fault =
            format!("{text:?} is neither a port nor an address with a port, such as 9090 or 0.0.0.0:9090");
        ConfigError::setting("admin-listen", fault)
    })
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_port_alone_is_one_of_this_machine() {
        for (text, found) in [
            ("9090", Some("127.0.0.1:9090")),
            ("0.0.0.0:9090", Some("0.0.0.0:9090")),
            ("[::1]:9090", Some("[::1]:9090")),
            ("localhost", None),
            ("99999", None),
        ] {
            assert_eq!(address(text).ok().map(|address| address.to_string()).as_deref(), found, "{text}");
        }
    }
}
