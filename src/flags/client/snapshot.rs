//! Caches of data about all toggles that client libraries poll.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use actix_web::http::header::EntityTag;
use bytes::Bytes;
use flate2::Compression;

use crate::error::ApiError;
use crate::flags::client::model::SegmentFormat;
use crate::flags::database::Transaction;
use crate::flags::model::responses::ENVELOPE_VERSION;
use crate::flags::model::{ClientFeature, ClientFeaturesResponse, Segment};
use crate::negotiation::{entity_tag, gzip};

/// Version of the envelope of responses that list segments.
const SEGMENTS_ENVELOPE_VERSION: u32 = 2;

/// Maximum delay until a change by another process is visible. Checking the database costs a thread and a query.
/// Changes by this process are visible at once.
const RECHECK_INTERVAL: Duration = Duration::from_millis(200);

/// The toggle list for client libraries, with its entity tag.
#[derive(Debug, Clone)]
pub struct ClientSnapshot {
    /// `ClientFeaturesResponse` as JSON.
    pub body: Bytes,
    /// The body compressed with gzip.
    pub gzip: Bytes,
    /// Weak entity tag, the same for both bodies.
    pub etag: EntityTag,
    /// Id of the newest event in the snapshot.
    pub event: u64,
}

/// Caches the last snapshot of data that changes only with events.
#[derive(Debug)]
pub(in crate::flags) struct SnapshotCache<T> {
    build: fn(&Transaction<'_>) -> Result<T, ApiError>,
    last: RwLock<Option<CachedSnapshot<T>>>,
    /// Held during a refresh, so that concurrent requests build one snapshot only.
    refreshing: Mutex<()>,
}

/// A snapshot and its version.
#[derive(Debug)]
struct CachedSnapshot<T> {
    snapshot: T,
    /// Id of the newest event in the snapshot.
    event: i64,
    /// Number of commits of this process before the snapshot was read.
    commits: u64,
    /// Time of the last check for changes by other processes.
    checked_at: Instant,
}

impl<T: Clone> SnapshotCache<T> {
    /// Creates an empty cache of snapshots that `build` reads.
    pub(in crate::flags) fn new(build: fn(&Transaction<'_>) -> Result<T, ApiError>) -> Self {
        Self { build, last: RwLock::default(), refreshing: Mutex::default() }
    }

    /// Returns the cached snapshot if this process has not committed since, and the last check is recent.
    pub(in crate::flags) fn get_fresh(&self, commits: u64, now: Instant) -> Option<T> {
        let last = self.last.read().unwrap_or_else(PoisonError::into_inner);
        let cached = last.as_ref()?;
        let is_fresh = cached.commits >= commits && now.duration_since(cached.checked_at) < RECHECK_INTERVAL;
        is_fresh.then(|| cached.snapshot.clone())
    }

    /// Returns the cached snapshot if there are no new events, otherwise a new one. Every change of a toggle records
    /// an event. `commits` must have been read before the transaction started.
    pub(in crate::flags) fn refresh(&self, tx: &Transaction<'_>, commits: u64) -> Result<T, ApiError> {
        let _guard = self.lock_refresh();
        let checked_at = Instant::now();
        if let Some(snapshot) = self.get_fresh(commits, checked_at) {
            return Ok(snapshot);
        }
        let event = tx.newest_event_id()?;
        let mut last = self.last.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = last.as_mut().filter(|cached| cached.event == event) {
            (cached.commits, cached.checked_at) = (cached.commits.max(commits), checked_at);
            return Ok(cached.snapshot.clone());
        }
        drop(last);
        let snapshot = (self.build)(tx)?;
        let cached = CachedSnapshot { snapshot: snapshot.clone(), event, commits, checked_at };
        *self.last.write().unwrap_or_else(PoisonError::into_inner) = Some(cached);
        Ok(snapshot)
    }

    /// Locks the refresh. A poisoned lock is safe to use because snapshots are replaced as a whole.
    fn lock_refresh(&self) -> MutexGuard<'_, ()> {
        self.refreshing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the toggle list of client libraries in a format.
pub(in crate::flags) fn read_list(
    tx: &Transaction<'_>,
    format: SegmentFormat,
) -> Result<ClientSnapshot, ApiError> {
    let segments = tx.list_segments()?.into_iter().filter(|listed| listed.used_in_features > 0);
    let segments: Vec<Segment> = segments.map(|listed| listed.segment).collect();
    let toggles = tx.list_toggles(false)?.into_iter();
    let features = toggles.map(|toggle| ClientFeature::new(toggle, format, &segments)).collect();
    let (version, segments) = match format {
        SegmentFormat::Listed => {
            (SEGMENTS_ENVELOPE_VERSION, Some(segments.into_iter().map(Into::into).collect()))
        }
        SegmentFormat::Inline => (ENVELOPE_VERSION, None),
    };
    let body = serde_json::to_vec(&ClientFeaturesResponse { version, features, segments })
        .map_err(ApiError::internal)?;
    let etag = entity_tag(&body);
    let gzip = gzip(&body, Compression::default()).map_err(ApiError::internal)?;
    let event = u64::try_from(tx.newest_event_id()?).unwrap_or_default();
    Ok(ClientSnapshot { body: body.into(), gzip: gzip.into(), etag, event })
}
