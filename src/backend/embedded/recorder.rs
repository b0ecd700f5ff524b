//! Records the toggles of the embedded flag service in the flight recorder. The task that watches the database calls it, and no
//! request waits.

use std::sync::Arc;

use actix_web::web::Data;

use crate::api::SegmentFormat;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::client::SCOPE_ID;
use crate::hold::{Source, SourceNumber};
use crate::number::to_i64;
use crate::recorder::{self, NewestEvent, RecordedScope, Recorder, ScopeKey, ServedScope};

/// Records the toggles of the embedded flag service.
#[derive(Clone)]
pub(super) struct EmbeddedRecorder {
    recorder: Recorder,
    scope: Arc<RecordedScope>,
    flags: Data<Flags>,
    /// Number of the last recorded snapshot.
    last: Option<SourceNumber>,
    /// Time of the last read that found no change. Milliseconds since 1970.
    checked_at: Option<u64>,
}

impl EmbeddedRecorder {
    pub(super) fn new(recorder: &Recorder, flags: &Data<Flags>) -> Self {
        let scope = ServedScope {
            key: ScopeKey::Name(SCOPE_ID),
            name: SCOPE_ID.to_owned(),
            environment: None,
            query: String::new(),
            lists_segments: true,
        };
        let scope = recorder.scope(scope);
        recorder.observe(flags.database.changes().subscribe());
        Self { recorder: recorder.clone(), scope, flags: flags.clone(), last: None, checked_at: None }
    }

    /// Records the current toggles if they have changed, without holds.
    ///
    /// # Errors
    /// Faults of the database.
    pub(super) async fn record(&mut self) -> Result<(), ApiError> {
        let started = recorder::now();
        self.recorder.begin_read();
        let Source { list: snapshot, number } =
            self.flags.snapshots.for_client(SegmentFormat::Listed).await?;
        if self.last != Some(number) {
            let event = snapshot.event_time.map(|time| NewestEvent { id: to_i64(snapshot.event), time });
            self.recorder.record(&self.scope, snapshot.body, self.checked_at, event);
            self.last = Some(number);
        }
        // During an outage of a shared database, SDKs get the last known toggles, which nothing confirms.
        if !self.flags.database.changes().is_unreachable() {
            self.recorder.end_read();
            self.scope.confirm(started);
            self.checked_at = Some(started);
        }
        Ok(())
    }
}
