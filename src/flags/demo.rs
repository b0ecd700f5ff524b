//! Data of `--demo`: an event history by several authors, and applications that poll and report while the program
//! runs.
//!
//! The demo calls the same functions as the HTTP handlers. The history and the applications are in
//! `examples/demo.json`. The share of "yes" evaluations follows the current toggles, so that changes in the console
//! are visible at once.

mod applications;
mod history;
mod random;
mod yes_rate;

use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use tokio::time::{MissedTickBehavior, interval};

use self::applications::{Application, Fleet};
use self::history::Step;
use super::service::Flags;
use crate::error::ApiError;
use crate::log_limit::LogLimit;

/// The demo applications cannot poll.
static FAILED_POLLS: LogLimit = LogLimit::new();

const DATA: &str = include_str!("../../examples/demo.json");

/// Poll interval of the applications. Real libraries poll every 15 seconds; the demo reacts faster.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The running demo.
#[derive(Debug)]
pub struct Demo {
    flags: Flags,
    fleet: Fleet,
}

#[derive(Debug, Deserialize)]
struct DemoData {
    history: Vec<Step>,
    applications: Vec<Application>,
}

impl Demo {
    /// Writes the history and the reports of the last week into an empty service.
    pub(crate) async fn prepare(flags: &Flags) -> Result<Self, ApiError> {
        let now = Timestamp::now();
        let DemoData { history, applications } = serde_json::from_str(DATA).map_err(ApiError::internal)?;
        let secrets = flags.secrets.clone();
        flags.database.write(move |tx| history::apply_all(tx, &secrets, &history, now)).await?;
        let mut fleet = Fleet::register(flags, applications, now).await?;
        fleet.poll(flags).await?;
        fleet.report_last_week(flags, now).await;
        flags.usage.write_pending().await?;
        Ok(Self { flags: flags.clone(), fleet })
    }

    /// Polls and reports until it is dropped.
    pub async fn run(mut self) {
        let mut ticks = interval(POLL_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(cause) = self.fleet.poll(&self.flags).await
                && let Some(repeated) = FAILED_POLLS.record()
            {
                tracing::warn!(%cause, repeated, "the demo applications cannot poll; retrying every second");
            }
            self.fleet.report_due(&self.flags, Timestamp::now()).await;
        }
    }
}
