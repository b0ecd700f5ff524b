//! The list of toggles that the console reads, in JSON, and a cache of its compressed form.

use std::sync::{Mutex, MutexGuard, PoisonError};

use actix_web::http::header::HeaderValue;
use bytes::Bytes;
use flate2::Compression;

use super::model::responses::ENVELOPE_VERSION;
use super::store::{Session, SnapshotId, ToggleFilter};
use crate::error::ApiError;
use crate::negotiation::{MIN_COMPRESSED, entity_tag, gzip};

/// The unfiltered list as it is sent to clients that accept gzip.
#[derive(Debug, Clone)]
pub struct CompressedList {
    /// A weak entity tag, `W/` and quotes included.
    pub tag: HeaderValue,
    /// JSON.
    pub body: Bytes,
    /// Whether the body is in gzip: a short list is not.
    pub is_gzip: bool,
}

/// Keeps the compressed list until the database changes, so that a reload or a poll costs neither a read of all rows nor
/// a compression. The plain form is not kept: it is ten times as large, and only scripts ask for it.
#[derive(Debug, Default)]
pub(super) struct ToggleListCache(Mutex<Option<Cached>>);

#[derive(Debug)]
struct Cached {
    list: CompressedList,
    /// The states of the database that the list was read from, at most one for each connection.
    snapshots: Vec<SnapshotId>,
}

impl ToggleListCache {
    /// Returns the list as the transaction sees it. `commits` was asked for before the transaction began.
    pub(super) fn get(&self, session: &Session<'_>, commits: u64) -> Result<CompressedList, ApiError> {
        let snapshot = session.snapshot_id(commits)?;
        let hit =
            self.lock().as_ref().filter(|cached| cached.snapshots.contains(&snapshot)).map(Cached::list);
        if let Some(list) = hit {
            return Ok(list);
        }
        let body = json(session, &ToggleFilter::default())?;
        let tag = entity_tag(&body).map_err(ApiError::internal)?;
        if let Some(list) = self.confirm(&tag, snapshot) {
            return Ok(list);
        }
        let is_gzip = body.len() >= MIN_COMPRESSED;
        let body = if is_gzip { gzip(&body, Compression::fast()).map_err(ApiError::internal)? } else { body };
        let list = CompressedList { tag, body: body.into(), is_gzip };
        *self.lock() = Some(Cached { list: list.clone(), snapshots: vec![snapshot] });
        Ok(list)
    }

    /// Returns the cached list if it has this tag, and notes that it is valid in this state of the database too: the
    /// change was to something else.
    fn confirm(&self, tag: &HeaderValue, snapshot: SnapshotId) -> Option<CompressedList> {
        let mut last = self.lock();
        let cached = last.as_mut().filter(|cached| cached.list.tag == *tag)?;
        cached.snapshots.retain(|known| !known.is_same_connection(&snapshot));
        cached.snapshots.push(snapshot);
        Some(cached.list())
    }

    /// A panic cannot leave a half-written entry: entries are replaced whole.
    fn lock(&self) -> MutexGuard<'_, Option<Cached>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cached {
    fn list(&self) -> CompressedList {
        self.list.clone()
    }
}

/// Returns `FeaturesResponse` in JSON, from rows that hold most of it in JSON already.
pub(super) fn json(session: &Session<'_>, filter: &ToggleFilter) -> Result<Vec<u8>, ApiError> {
    let features = session.listed_toggles(filter)?;
    let head = format!(r#"{{"version":{ENVELOPE_VERSION},"features":"#);
    Ok([head.as_bytes(), &features, b"}"].concat())
}
