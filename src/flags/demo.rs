//! What `--demo` shows: a history by several people, and applications that poll and report while the program runs.
//!
//! All of it goes through the functions that HTTP handlers call too, so it is held to the same rules and counted the
//! same way. What happened and who reports is data: `examples/demo.json`. How often the answer is yes follows the
//! toggles as they are: what somebody changes in the console shows a moment later.

mod applications;
mod dice;
mod history;
mod odds;

use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use tokio::time::{MissedTickBehavior, interval};

use self::applications::{Application, Fleet};
use self::history::Step;
use super::Flags;
use crate::error::ApiError;

const DATA: &str = include_str!("../../examples/demo.json");

/// How often the applications poll. A library would do so every 15 seconds: who tries something out is less patient.
const POLLING: Duration = Duration::from_secs(1);

/// The applications of the demo, ready to go on reporting.
#[derive(Debug)]
pub struct Demo {
    flags: Flags,
    fleet: Fleet,
}

#[derive(Debug, Deserialize)]
struct Data {
    history: Vec<Step>,
    applications: Vec<Application>,
}

impl Demo {
    /// Writes the history into an empty service, and what the applications reported in the last hour.
    ///
    /// # Errors
    /// Those of the functions that it calls; none of them where the data keeps to the rules.
    pub async fn prepare(flags: &Flags) -> Result<Self, ApiError> {
        let now = Timestamp::now();
        let Data { history, applications } = serde_json::from_str(DATA).map_err(ApiError::internal)?;
        let secrets = flags.secrets();
        flags.write(move |tx| history::write(tx, &secrets, &history, now)).await?;
        let mut fleet = Fleet::register(flags, applications, now).await?;
        fleet.poll(flags).await?;
        fleet.report_last_hour(flags, now).await;
        flags.write_usage().await?;
        Ok(Self { flags: flags.clone(), fleet })
    }

    /// Polls and reports for as long as it is let.
    pub async fn run(mut self) {
        let mut ticks = interval(POLLING);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(cause) = self.fleet.poll(&self.flags).await {
                tracing::warn!(%cause, "the demo's applications cannot poll");
            }
            self.fleet.report_due(&self.flags, Timestamp::now()).await;
        }
    }
}
