//! Caches of data about all toggles that client libraries poll.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use actix_web::http::header::EntityTag;
use actix_web::web;
use bytes::Bytes;
use flate2::Compression;
use jiff::Timestamp;
use parking_lot::{Mutex, RwLock};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::api::responses::ENVELOPE_VERSION;
use crate::api::state::FeatureTag;
use crate::api::{ClientFeature, ClientFeaturesResponse, ClientQuery, Segment, SegmentFormat, Tag, Toggle};
use crate::database::{Changes, Transaction};
use crate::error::ApiError;
use crate::flags::events::rows::EventIdentity;
use crate::flags::toggles::filter::{FilterProperties, ToggleFilter};
use crate::hold::{Source, SourceNumber, ToggleList};
use crate::negotiation::{entity_tag, gzip};

/// Version of the envelope of responses that list segments.
const SEGMENTS_ENVELOPE_VERSION: u32 = 2;

/// Maximum delay until a change by another process is visible, if it is not observed. Checking the database costs a thread
/// and a query. Known changes are visible at once.
const RECHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Time after its last use in which a snapshot is kept current for an outage of the database. It is longer than the interval
/// in which SDKs poll.
const TIME_IN_USE: Duration = Duration::from_mins(1);

/// The toggle list for client libraries, with its entity tag.
#[derive(Debug, Clone)]
pub struct ClientSnapshot {
    /// `ClientFeaturesResponse` as JSON.
    pub body: Bytes,
    /// The body compressed with gzip.
    pub gzip: Bytes,
    /// Weak entity tag, the same for both bodies.
    pub etag: EntityTag,
    /// Id of the newest change in the snapshot. It may be lower than in an earlier snapshot, after a failover to a
    /// standby without the last changes.
    pub event: u64,
    /// Time of that change in milliseconds since 1970; `None` without one.
    pub event_time: Option<i64>,
    /// The properties that filters compare, of each toggle of the body in its order.
    filter_properties: Arc<[FilterProperties]>,
}

/// The parts of a list of toggles, as they are written in it.
#[derive(Serialize, Deserialize)]
struct EncodedList<'b> {
    version: u32,
    #[serde(borrow)]
    features: Vec<&'b RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    segments: Option<&'b RawValue>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    query: Option<ClientQuery>,
}

impl ClientSnapshot {
    /// Returns the body with the toggles that match a filter, and with the filter. Segments that only other toggles use
    /// remain in it. Lists with a filter are not cached, because clients can vary filters without limit. A thread that may
    /// block computes them, which takes some milliseconds for thousands of toggles.
    pub(super) async fn filter(self, filter: ToggleFilter) -> Result<Bytes, ApiError> {
        if filter.is_empty() {
            return Ok(self.body);
        }
        let body = web::block(move || self.filter_body(&filter)).await.map_err(ApiError::internal)?;
        body.map_err(ApiError::internal)
    }

    fn filter_body(&self, filter: &ToggleFilter) -> Result<Bytes, serde_json::Error> {
        let mut list: EncodedList<'_> = serde_json::from_slice(&self.body)?;
        let mut properties = self.filter_properties.iter();
        list.features.retain(|_| properties.next().is_some_and(|toggle| filter.matches(toggle)));
        list.query = Some(filter.into());
        Ok(serde_json::to_vec(&list)?.into())
    }
}

impl ToggleList for ClientSnapshot {
    fn body(&self) -> &Bytes {
        &self.body
    }

    /// The order of the toggles is the same, for filters.
    fn with_body(&self, body: Bytes) -> Result<Self, ApiError> {
        // It is replaced soon, and SDKs wait for it.
        let gzip = gzip(&body, Compression::fast()).map_err(ApiError::internal)?.into();
        Ok(Self { etag: entity_tag(&body), gzip, body, ..self.clone() })
    }
}

impl From<&ToggleFilter> for ClientQuery {
    fn from(filter: &ToggleFilter) -> Self {
        let ToggleFilter { tags, projects, name_prefix } = filter.clone();
        let tag = tags.into_iter().map(|tag| (tag.kind, tag.value)).collect();
        Self { name_prefix, project: projects, tag }
    }
}

/// Reads a snapshot with this newest change.
type BuildSnapshot<T> = fn(&Transaction<'_>, &EventIdentity) -> Result<T, ApiError>;

/// Caches the last snapshot of data that changes only with events.
#[derive(Debug)]
pub(in crate::flags) struct SnapshotCache<T> {
    build: BuildSnapshot<T>,
    last: RwLock<Option<CachedSnapshot<T>>>,
    /// Number of the last snapshot. Held during a refresh, so that concurrent requests build one snapshot only.
    refreshing: Mutex<SourceNumber>,
    /// Whether a request has used the snapshot since the last call of [`Self::is_in_use`].
    was_used: AtomicBool,
    /// Time when the last use was noticed.
    used_at: Mutex<Option<Instant>>,
}

/// A snapshot and its version.
#[derive(Debug)]
struct CachedSnapshot<T> {
    snapshot: Source<T>,
    /// The newest change in the snapshot.
    event: EventIdentity,
    /// Number of known commits before the snapshot was read.
    commits: u64,
    /// Time of the last check for unknown changes.
    checked_at: Instant,
}

impl<T: Clone> SnapshotCache<T> {
    /// Creates an empty cache of snapshots that `build` reads.
    pub(in crate::flags) fn new(build: BuildSnapshot<T>) -> Self {
        Self {
            build,
            last: RwLock::default(),
            refreshing: Mutex::default(),
            was_used: AtomicBool::default(),
            used_at: Mutex::default(),
        }
    }

    /// Records that a request uses the snapshot.
    pub(in crate::flags) fn record_use(&self) {
        // Most requests only read, so that the workers do not compete for the memory.
        if !self.was_used.load(Ordering::Relaxed) {
            self.was_used.store(true, Ordering::Relaxed);
        }
    }

    /// Returns whether the snapshot was used recently. The first call counts as a use, so that each snapshot exists.
    pub(in crate::flags) fn is_in_use(&self, now: Instant) -> bool {
        let mut used_at = self.used_at.lock();
        if self.was_used.swap(false, Ordering::Relaxed) {
            *used_at = Some(now);
        }
        now.duration_since(*used_at.get_or_insert(now)) < TIME_IN_USE
    }

    /// Returns the cached snapshot if no change is known since, and either other processes are observed or the last check
    /// is recent.
    pub(in crate::flags) fn get_fresh(&self, changes: &Changes, now: Instant) -> Option<Source<T>> {
        self.get_after(changes.commits(), changes.is_observed(), now)
    }

    fn get_after(&self, commits: u64, is_observed: bool, now: Instant) -> Option<Source<T>> {
        let last = self.last.read();
        let cached = last.as_ref()?;
        let is_recent = is_observed || now.duration_since(cached.checked_at) < RECHECK_INTERVAL;
        (cached.commits >= commits && is_recent).then(|| cached.snapshot.clone())
    }

    /// Returns the cached snapshot, of any age.
    pub(in crate::flags) fn get_last(&self) -> Option<Source<T>> {
        let last = self.last.read();
        Some(last.as_ref()?.snapshot.clone())
    }

    /// Returns the cached snapshot if there are no new events about changes, otherwise a new one. Every change of a toggle
    /// records such an event; results of deliveries do not count. `commits` is the number of known commits before the transaction
    /// started.
    pub(in crate::flags) fn refresh(
        &self,
        tx: &Transaction<'_>,
        commits: u64,
    ) -> Result<Source<T>, ApiError> {
        let mut number = self.refreshing.lock();
        let checked_at = Instant::now();
        if let Some(snapshot) = self.get_after(commits, false, checked_at) {
            return Ok(snapshot);
        }
        let event = tx.newest_change()?;
        let mut last = self.last.write();
        if let Some(cached) = last.as_mut().filter(|cached| cached.event == event) {
            (cached.commits, cached.checked_at) = (cached.commits.max(commits), checked_at);
            return Ok(cached.snapshot.clone());
        }
        drop(last);
        number.0 += 1;
        let snapshot = Source { list: (self.build)(tx, &event)?, number: *number };
        let cached = CachedSnapshot { snapshot: snapshot.clone(), event, commits, checked_at };
        *self.last.write() = Some(cached);
        Ok(snapshot)
    }
}

/// Reads the toggle list of client libraries in a format, as the snapshot with this newest change.
pub(in crate::flags) fn read_list(
    tx: &Transaction<'_>,
    format: SegmentFormat,
    event: &EventIdentity,
) -> Result<ClientSnapshot, ApiError> {
    let segments = tx.list_segments()?.into_iter().filter(|listed| listed.used_in_features > 0);
    let segments: Vec<Segment> = segments.map(|listed| listed.segment).collect();
    let toggles = tx.list_toggles(false)?;
    let filter_properties = read_filter_properties(tx, &toggles)?;
    let toggles = toggles.into_iter();
    let features = toggles.map(|toggle| ClientFeature::new(toggle, format, &segments)).collect();
    let (version, segments) = match format {
        SegmentFormat::Listed => {
            (SEGMENTS_ENVELOPE_VERSION, Some(segments.into_iter().map(Into::into).collect()))
        }
        SegmentFormat::Inline => (ENVELOPE_VERSION, None),
    };
    let body = serde_json::to_vec(&ClientFeaturesResponse { version, features, segments, query: None })
        .map_err(ApiError::internal)?;
    let etag = entity_tag(&body);
    let gzip = gzip(&body, Compression::default()).map_err(ApiError::internal)?;
    let (body, gzip) = (body.into(), gzip.into());
    let event_time = event.created_at.parse().ok().map(Timestamp::as_millisecond);
    let event = u64::try_from(event.id).unwrap_or_default();
    Ok(ClientSnapshot { body, gzip, etag, event, event_time, filter_properties })
}

fn read_filter_properties(
    tx: &Transaction<'_>,
    toggles: &[Toggle],
) -> Result<Arc<[FilterProperties]>, ApiError> {
    let mut tags: HashMap<String, Vec<Tag>> = HashMap::new();
    for FeatureTag { feature_name, tag_type, tag_value } in tx.list_toggle_tags()? {
        tags.entry(feature_name).or_default().push(Tag { kind: tag_type, value: tag_value });
    }
    let properties = toggles.iter().map(|toggle| FilterProperties {
        name: toggle.name.clone(),
        project: toggle.project.clone(),
        tags: tags.remove(&toggle.name).unwrap_or_default(),
    });
    Ok(properties.collect())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::SnapshotCache;

    #[test]
    fn snapshots_are_in_use_for_a_minute_after_a_request() {
        let cache = SnapshotCache::new(|_tx, _event| Ok(()));
        let start = Instant::now();
        let in_use = |seconds| cache.is_in_use(start + Duration::from_secs(seconds));
        assert_eq!([in_use(0), in_use(59), in_use(60)], [true, true, false], "from the start");
        cache.record_use();
        assert_eq!([in_use(100), in_use(159), in_use(160)], [true, true, false], "from the request");
    }
}
