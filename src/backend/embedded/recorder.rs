//! Records the toggles of the embedded flag service in the flight recorder. The task that watches the database calls it, and no
//! request waits.

use std::sync::Arc;

use actix_web::web::Data;

use crate::api::SegmentFormat;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::client::SCOPE_ID;
use crate::recorder::{self, RecordedScope, Recorder, Scope};

/// Records the toggles of the embedded flag service.
#[derive(Clone)]
pub(super) struct EmbeddedRecorder {
    recorder: Recorder,
    scope: Arc<RecordedScope>,
    flags: Data<Flags>,
    /// Number of the last recorded result.
    last: Option<u64>,
    /// Time of the last read that found no change. Milliseconds since 1970.
    checked_at: Option<u64>,
}

impl EmbeddedRecorder {
    pub(super) fn new(recorder: &Recorder, flags: &Data<Flags>) -> Self {
        let scope = Scope {
            id: SCOPE_ID.to_owned(),
            name: SCOPE_ID.to_owned(),
            environment: None,
            query: String::new(),
            lists_segments: true,
        };
        let scope = recorder.scope(scope);
        Self { recorder: recorder.clone(), scope, flags: flags.clone(), last: None, checked_at: None }
    }

    /// Records the current toggles if they have changed.
    ///
    /// # Errors
    /// Faults of the database.
    pub(super) async fn record(&mut self) -> Result<(), ApiError> {
        let started = recorder::now();
        let served = self.flags.snapshots.serve(SegmentFormat::Listed).await?;
        if self.last != Some(served.number) {
            self.recorder.record(&self.scope, served.value.body, self.checked_at);
            self.last = Some(served.number);
        }
        // During an outage of a shared database, SDKs get the last known toggles, which nothing confirms.
        if !self.flags.database.changes().is_unreachable() {
            self.scope.confirm(started);
            self.checked_at = Some(started);
        }
        Ok(())
    }
}
