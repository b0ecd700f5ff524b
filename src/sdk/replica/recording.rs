//! Records the copies of the replica in the flight recorder. The task that refreshes a copy calls it, and no request waits.
//!
//! Only the unfiltered toggles of a token are recorded: clients choose filters and headers freely, and a record stays for weeks. A
//! token has a few scopes, one for each version of the client specification, and their number is bounded like that of the copies.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::Mutex;

use super::cache_key::{FeatureRequest, Keys, Salt};
use super::entries::{BOUNDS, Entry};
use crate::config::Upstream;
use crate::hold::{Source, SourceNumber};
use crate::log_limit::LogLimit;
use crate::recorder::{RecordedScope, Recorder, ScopeKey, ServedScope};

/// Maximum number of recorded scopes of one token.
const MAX_SCOPES_OF_TOKEN: usize = 4;

/// Toggles are not recorded, because there are too many scopes.
static TOO_MANY_SCOPES: LogLimit = LogLimit::new();

/// Records the copies of an upstream.
pub(super) struct CopyRecorder {
    recorder: Recorder,
    /// Their hashes have no salt: the recorder adds its own before it stores them.
    keys: Keys,
    recorded: Arc<RecordedScopes>,
}

/// The scopes that this process records, by the hash of their credential.
#[derive(Default)]
struct RecordedScopes(Mutex<HashMap<[u8; 32], HashSet<ScopeKey>>>);

/// Records the copies of one entry.
pub(super) struct EntryRecorder {
    recorder: Recorder,
    recorded: Arc<RecordedScopes>,
    /// The scope, until the first copy: credentials that the upstream refuses need no memory.
    new: Option<ServedScope>,
    scope: Option<Arc<RecordedScope>>,
    /// The last recorded copy: its number, and when the upstream confirmed it.
    last: Option<(SourceNumber, u64)>,
}

impl CopyRecorder {
    pub(super) fn new(recorder: Recorder, upstream: &Upstream) -> Self {
        let keys = Keys::new(upstream, Salt::default());
        Self { recorder, keys, recorded: Arc::default() }
    }

    /// Starts to record the copies for a request; `None` for one with a filter.
    pub(super) fn start(&self, request: &FeatureRequest) -> Option<EntryRecorder> {
        request.query().is_empty().then(|| EntryRecorder {
            recorder: self.recorder.clone(),
            recorded: Arc::clone(&self.recorded),
            new: Some(self.keys.scope(request)),
            scope: None,
            last: None,
        })
    }
}

impl RecordedScopes {
    /// Adds a scope. Returns false if there are too many.
    fn add(&self, credential: [u8; 32], scope: &ServedScope) -> bool {
        let mut recorded = self.0.lock();
        let total: usize = recorded.values().map(HashSet::len).sum();
        let of_token = recorded.entry(credential).or_default();
        if of_token.contains(&scope.key) {
            return true;
        }
        let has_room = of_token.len() < MAX_SCOPES_OF_TOKEN && total < BOUNDS.copies;
        if has_room {
            of_token.insert(scope.key.clone());
        } else if let Some(repeated) = TOO_MANY_SCOPES.record() {
            tracing::warn!(
                repeated,
                "the toggles of a token are not recorded: too many tokens, or versions of the client specification for one token"
            );
        }
        has_room
    }
}

impl EntryRecorder {
    /// Records the copy that SDKs get after a request to the upstream, without holds.
    pub(super) fn update(&mut self, entry: &Entry) {
        if entry.is_refused.load(Ordering::SeqCst) {
            if let Some(scope) = &self.scope {
                self.recorder.refuse(scope);
            }
            self.last = None;
            return;
        }
        let Some((Source { list: copy, number }, confirmed)) = entry.current() else { return };
        if let Some(new) = self.new.take()
            && self.recorded.add(entry.key.credential, &new)
        {
            self.scope = Some(self.recorder.scope(new));
        }
        let Some(scope) = &self.scope else { return };
        if !scope.has_copy() || self.last.is_none_or(|(last, _)| last != number) {
            let after = self.last.map(|(_, confirmed)| confirmed);
            self.recorder.record(scope, copy.body.clone(), after, None);
        }
        scope.confirm(confirmed);
        self.last = Some((number, confirmed));
    }
}
