//! Logging: `tracing` events to standard error, so that standard output holds nothing but the address.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};

/// Installs the process-wide subscriber. A second call changes nothing: tests start many apps in one process.
pub fn init(log: &Log) {
    let builder = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(&log.filter))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    drop(match log.format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().try_init(),
    });
}
