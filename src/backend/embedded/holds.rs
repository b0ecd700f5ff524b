//! Ends the holds of toggles that the embedded flag service itself has switched off, and announces holds to its addons.

use std::time::Duration;

use actix_web::web::Data;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{sleep, timeout};

use crate::api::SegmentFormat;
use crate::flags::Flags;
use crate::hold::{HoldEvent, ToggleState};

/// Interval in which changes that are not observed are found while toggles are held.
const RECHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Pause after the start or end of a hold could not be queued for addons.
const RETRY_PAUSE: Duration = Duration::from_secs(10);

/// Compares the stored toggles with the holds until the future is dropped.
pub(super) async fn end_holds_of_switched_off_toggles(flags: Data<Flags>) {
    let holds = flags.snapshots.holds().clone();
    let (mut changes, mut commits) = (holds.changes(), flags.database.changes().subscribe());
    loop {
        if holds.is_empty() {
            drop(changes.changed().await);
            continue;
        }
        // Nothing confirms the toggles in memory while a shared database does not respond.
        if let Ok(served) = flags.snapshots.serve(SegmentFormat::Listed).await
            && !flags.database.changes().is_unreachable()
        {
            let states = &served.held.states;
            holds.end_switched_off(|active| states.get(&active.hold.toggle) == Some(&ToggleState::Off));
        }
        drop(timeout(RECHECK_INTERVAL, commits.changed()).await);
    }
}

/// Queues the starts and ends of holds for the addons that listen to them, until the future is dropped. Holds do not wait for
/// it. A start or end immediately before the program stops can be lost.
pub(super) async fn announce(flags: Data<Flags>, mut events: Receiver<HoldEvent>) {
    loop {
        let event = match events.recv().await {
            Ok(event) => event,
            Err(RecvError::Lagged(missed)) => {
                tracing::error!(
                    missed,
                    "starts and ends of holds were not queued for addons, because the database did not respond"
                );
                continue;
            }
            Err(RecvError::Closed) => return,
        };
        while let Err(cause) = flags.record_hold_event(event.clone()).await {
            tracing::error!(%cause, "the start or end of a hold cannot be queued for addons; retrying in 10 s");
            sleep(RETRY_PAUSE).await;
        }
    }
}
