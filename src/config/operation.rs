//! Monitoring and shutdown: `admin-listen`, `toggle-metrics`, `shutdown-delay` and `shutdown-timeout`.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::kind::{Optional, Switch, TIMEOUT, TimeSpan};
use super::setting::Setting;
use super::{ConfigError, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&ADMIN_LISTEN, &TOGGLE_METRICS, &SHUTDOWN_DELAY, &SHUTDOWN_TIMEOUT];

pub(super) static ADMIN_LISTEN: Setting<Optional<SocketAddr>> = Setting {
    name: "admin-listen",
    help: "Address, or port on 127.0.0.1, for liveness (/livez), readiness (/readyz) and Prometheus metrics (/metrics)",
    default: "none",
    kind: Optional("[ADDRESS:]PORT", parse_address),
};

pub(super) static TOGGLE_METRICS: Setting<Switch> = Setting {
    name: "toggle-metrics",
    help: "Count the evaluations that SDKs report for each application and toggle as feature_toggle_usage_total, as Unleash Edge does; two time series for each pair, at most 20000",
    default: "false",
    kind: Switch,
};

static SHUTDOWN_DELAY: Setting<TimeSpan> = Setting {
    name: "shutdown-delay",
    help: "Time after SIGTERM in which requests are still accepted while readiness fails, {bounds}",
    default: "0s",
    kind: TimeSpan { min: Duration::ZERO, max: TIMEOUT.max },
};

static SHUTDOWN_TIMEOUT: Setting<TimeSpan> = Setting {
    name: "shutdown-timeout",
    help: "Time for requests in flight after that, {bounds}",
    // Shorter than the time after which service managers kill a process (systemd 90 s, containers 10 s).
    default: "8s",
    // The server rounds it down to seconds.
    kind: TimeSpan { min: Duration::from_secs(1), max: TIMEOUT.max },
};

/// Settings for operators and their tools.
#[derive(Debug, Clone)]
pub struct Operation {
    /// `ADMIN_LISTEN`: a port without an address means 127.0.0.1.
    pub admin: Option<SocketAddr>,
    /// `TOGGLE_METRICS`: counts evaluations by application and toggle.
    pub toggle_metrics: bool,
    /// `SHUTDOWN_DELAY`: time between the first failed readiness check and the end of the listener, so that load
    /// balancers can react.
    pub delay: Duration,
    /// `SHUTDOWN_TIMEOUT`: time for requests in flight after that.
    pub timeout: Duration,
}

impl Operation {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            admin: ADMIN_LISTEN.resolve(settings)?,
            toggle_metrics: TOGGLE_METRICS.resolve(settings)?,
            delay: SHUTDOWN_DELAY.resolve(settings)?,
            timeout: SHUTDOWN_TIMEOUT.resolve(settings)?,
        })
    }
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_no_port| text.parse()).map_err(|_no_address| {
        format!("{text:?} is neither a port nor an address with a port, such as 9090 or 0.0.0.0:9090")
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
