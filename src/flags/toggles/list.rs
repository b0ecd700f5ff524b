//! The JSON list of toggles for the console, and a cache of its compressed form.

use std::sync::Arc;

use actix_web::http::header::EntityTag;
use bytes::Bytes;
use flate2::Compression;
use parking_lot::Mutex;

use super::filter::ToggleFilter;
use crate::api::responses::ENVELOPE_VERSION;
use crate::database::{Database, SnapshotId, StoreError, Transaction};
use crate::error::ApiError;
use crate::flags::events::rows::EventIdentity;
use crate::negotiation::{MIN_COMPRESSED, entity_tag, gzip};

/// The unfiltered list as sent to clients that accept gzip.
#[derive(Debug, Clone)]
pub struct CompressedList {
    /// The weak entity tag.
    pub tag: EntityTag,
    /// The JSON body, compressed if `is_gzip`.
    pub body: Bytes,
    /// Whether the body is compressed with gzip. Short lists are not.
    pub is_gzip: bool,
}

/// A cache of the compressed list, which saves reading and compressing all rows at each poll. It is valid until a toggle
/// changes: after other commits, such as results of deliveries, only the version of the list is read again. The
/// uncompressed form is not cached: it is ten times as large, and only scripts request it.
#[derive(Debug, Default)]
pub struct ToggleListCache(Mutex<Option<CacheEntry>>);

#[derive(Debug)]
struct CacheEntry {
    list: CompressedList,
    version: ListVersion,
    /// The database snapshots that contain this list, at most one for each connection.
    snapshots: Vec<SnapshotId>,
}

/// Identifies the content of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ListVersion {
    /// The newest change of any item.
    change: EventIdentity,
    /// Hash of `lastSeenAt` of all toggles. Reports of applications change it without an event.
    last_seen: u64,
}

impl ListVersion {
    fn read(tx: &Transaction<'_>) -> Result<Self, StoreError> {
        Ok(Self { change: tx.newest_change()?, last_seen: tx.hash_last_seen()? })
    }
}

impl ToggleListCache {
    /// Returns the list, which includes every change that completed before the call.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn read(self: &Arc<Self>, database: &Database) -> Result<CompressedList, ApiError> {
        let (cache, commits) = (Arc::clone(self), database.changes().commits());
        database.read(move |tx| cache.get(tx, commits)).await
    }

    /// Returns the list as the transaction sees it. `commits` must have been read before the transaction began.
    fn get(&self, tx: &Transaction<'_>, commits: u64) -> Result<CompressedList, ApiError> {
        let snapshot = tx.read_snapshot_id(commits)?;
        let hit = self
            .0
            .lock()
            .as_ref()
            .filter(|cached| cached.snapshots.contains(&snapshot))
            .map(|cached| cached.list.clone());
        if let Some(list) = hit {
            return Ok(list);
        }
        let version = ListVersion::read(tx)?;
        if let Some(list) = self.revalidate(&version, snapshot) {
            return Ok(list);
        }
        let body = list_json(tx, &ToggleFilter::default())?;
        let tag = entity_tag(&body);
        let is_gzip = body.len() >= MIN_COMPRESSED;
        let body = if is_gzip { gzip(&body, Compression::fast()).map_err(ApiError::internal)? } else { body };
        let list = CompressedList { tag, body: body.into(), is_gzip };
        *self.0.lock() = Some(CacheEntry { list: list.clone(), version, snapshots: vec![snapshot] });
        Ok(list)
    }

    /// Returns the cached list if it has this version, and adds `snapshot` to its snapshots: other rows changed.
    fn revalidate(&self, version: &ListVersion, snapshot: SnapshotId) -> Option<CompressedList> {
        let mut last = self.0.lock();
        let cached = last.as_mut().filter(|cached| cached.version == *version)?;
        cached.snapshots.retain(|known| !known.is_same_connection(&snapshot));
        cached.snapshots.push(snapshot);
        Some(cached.list.clone())
    }
}

/// Returns the toggles that match a filter as `FeaturesResponse` in JSON. Stored JSON is copied without parsing.
pub(in crate::flags) fn list_json(tx: &Transaction<'_>, filter: &ToggleFilter) -> Result<Vec<u8>, ApiError> {
    let features = tx.list_toggles_json(filter)?;
    let head = format!(r#"{{"version":{ENVELOPE_VERSION},"features":"#);
    Ok([head.as_bytes(), &features, b"}"].concat())
}

/// Returns all toggles that are not archived, all segments, and the tags of the toggles, in the JSON that the evaluation
/// reads. The format is the format of exports. Disabled strategies are included, unlike in the responses for client libraries, so
/// that the reasons refer to the stored strategies.
pub(crate) fn definitions_json(tx: &Transaction<'_>) -> Result<Bytes, ApiError> {
    let features = tx.list_toggles_json(&ToggleFilter::default())?;
    let segments = serde_json::to_vec(&tx.list_segments()?).map_err(ApiError::internal)?;
    let tags = serde_json::to_vec(&tx.list_toggle_tags()?).map_err(ApiError::internal)?;
    let parts: [&[u8]; 7] =
        [br#"{"features":"#, &features, br#","segments":"#, &segments, br#","featureTags":"#, &tags, b"}"];
    Ok(parts.concat().into())
}
