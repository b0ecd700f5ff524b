//! Records the copies of the replica in the flight recorder. The task that refreshes a copy calls it, and no request waits.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::cache_key::{FeatureRequest, Keys};
use super::entries::Entry;
use super::source::is_control;
use crate::config::Upstream;
use crate::hold::Holds;
use crate::recorder::{RecordedScope, Recorder};

/// Records the copies of an upstream.
pub(super) struct CopyRecorder {
    recorder: Recorder,
    /// The identifiers of scopes have the salt of the recorder: the one of the replica changes without `replica-file`.
    keys: Keys,
}

/// Records the copies of one entry.
pub(super) struct EntryRecorder {
    recorder: Recorder,
    scope: Arc<RecordedScope>,
    /// The last recorded result: its number, and when the upstream confirmed it.
    last: Option<(u64, u64)>,
}

impl CopyRecorder {
    pub(super) fn new(recorder: Recorder, upstream: &Upstream) -> Self {
        let keys = Keys::new(upstream, recorder.salt());
        Self { recorder, keys }
    }

    /// Returns the identifier of the toggles for a request.
    pub(super) fn scope_id(&self, request: &FeatureRequest) -> String {
        self.keys.scope(request).id
    }

    /// Starts to record the copies for a request; `None` for a request of this program whose result must be empty.
    pub(super) fn start(&self, request: &FeatureRequest) -> Option<EntryRecorder> {
        if is_control(request.query()) {
            return None;
        }
        let scope = self.recorder.scope(self.keys.scope(request));
        Some(EntryRecorder { recorder: self.recorder.clone(), scope, last: None })
    }
}

impl EntryRecorder {
    /// Returns true if the upstream has confirmed toggles in this process.
    pub(super) fn has_recorded(&self) -> bool {
        self.last.is_some()
    }

    /// Records what SDKs get after a request to the upstream or a change of the holds.
    pub(super) fn update(&mut self, entry: &Entry, holds: &Holds) {
        if entry.is_refused.load(Ordering::SeqCst) {
            self.recorder.refuse(&self.scope);
            self.last = None;
            return;
        }
        let Some(served) = entry.serve_current(holds) else { return };
        let confirmed = entry.state.borrow().confirmed_at();
        if !self.scope.has_copy() || self.last.is_none_or(|(last, _)| last != served.number) {
            let after = self.last.map(|(_, confirmed)| confirmed);
            self.recorder.record(&self.scope, served.value.body.clone(), after);
        }
        self.scope.confirm(confirmed);
        self.last = Some((served.number, confirmed));
    }
}
