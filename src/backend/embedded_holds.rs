//! Ends the holds of toggles that the embedded flag service itself has switched off.

use std::time::Duration;

use actix_web::web::Data;
use tokio::time::timeout;

use crate::api::SegmentFormat;
use crate::flags::Flags;
use crate::hold::ToggleState;

/// Interval in which changes that are not observed are found while toggles are held.
const RECHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Compares the stored toggles with the holds until the future is dropped.
pub(super) async fn end_holds_of_switched_off_toggles(flags: Data<Flags>) {
    let holds = flags.snapshots.holds().clone();
    let mut changes = holds.changes();
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
        drop(timeout(RECHECK_INTERVAL, flags.database.wait_for_change()).await);
    }
}
