//! Logging: `tracing` events to standard error, so that standard output holds nothing but the address.

use std::io::IsTerminal as _;

use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt, registry};

use crate::config::{Log, LogFormat};

/// Installs the process-wide subscriber. A second call changes nothing: tests start many apps in one process.
pub fn init(log: &Log) {
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    let lines = match log.format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    drop(registry().with(lines).with(log.filter.clone()).try_init());
}
