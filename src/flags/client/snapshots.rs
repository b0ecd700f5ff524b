//! Toggles in memory: the responses for SDKs, and the definitions for evaluations.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;

use super::snapshot::{self, ClientSnapshot, SnapshotCache};
use crate::api::SegmentFormat;
use crate::database::{Database, StorageFault};
use crate::error::ApiError;
use crate::flags::toggles::list;
use crate::hold::{CopyScope, HeldCache, Holds, Served, Source};

/// Identifier of the only selection of toggles in the flight recorder. Filters of requests select from it.
pub(crate) const SCOPE_ID: &str = "all";
/// The selection, for holds. The service has no environments.
static SCOPE: CopyScope = CopyScope { environment: None, is_filtered: false };

/// The toggles in memory. Clones share them.
#[derive(Debug, Clone)]
pub struct Snapshots {
    database: Database,
    listed_segments: Arc<SnapshotCache<ClientSnapshot>>,
    inline_segments: Arc<SnapshotCache<ClientSnapshot>>,
    definitions: Arc<SnapshotCache<Bytes>>,
    holds: Holds,
    held: Arc<HeldSnapshots>,
}

/// The list that SDKs get while toggles are held.
#[derive(Debug, Default)]
struct HeldSnapshots {
    listed_segments: HeldCache<ClientSnapshot>,
    inline_segments: HeldCache<ClientSnapshot>,
    definitions: HeldCache<Bytes>,
}

impl Snapshots {
    /// Creates the snapshots, which are read when they are needed.
    #[must_use]
    pub fn new(database: &Database) -> Self {
        Self {
            database: database.clone(),
            listed_segments: Arc::new(SnapshotCache::new(|tx, event| {
                snapshot::read_list(tx, SegmentFormat::Listed, event)
            })),
            inline_segments: Arc::new(SnapshotCache::new(|tx, event| {
                snapshot::read_list(tx, SegmentFormat::Inline, event)
            })),
            definitions: Arc::new(SnapshotCache::new(|tx, _event| list::definitions_json(tx))),
            holds: Holds::none(),
            held: Arc::default(),
        }
    }

    /// Applies holds to everything that SDKs get.
    #[must_use]
    pub(crate) fn with_holds(self, holds: &Holds) -> Self {
        Self { holds: holds.clone(), ..self }
    }

    /// Reads everything that SDKs request, so that it is in memory when a shared database fails. Snapshots without recent
    /// requests stay as they are.
    pub(crate) async fn prepare(&self) -> Result<(), ApiError> {
        self.prepare_one(&self.listed_segments).await?;
        self.prepare_one(&self.inline_segments).await?;
        self.prepare_one(&self.definitions).await
    }

    async fn prepare_one<T>(&self, cache: &Arc<SnapshotCache<T>>) -> Result<(), ApiError>
    where
        T: Clone + Send + Sync + 'static,
    {
        if cache.is_in_use(Instant::now()) {
            self.refresh(cache).await?;
        }
        Ok(())
    }

    /// Returns the response for SDKs in a format, from its cache. It includes every completed change of this process, and changes of
    /// other processes after a short delay. While a shared database cannot be read, it is the last known one.
    pub(crate) async fn for_client(&self, format: SegmentFormat) -> Result<Source<ClientSnapshot>, ApiError> {
        let cache = match format {
            SegmentFormat::Listed => &self.listed_segments,
            SegmentFormat::Inline => &self.inline_segments,
        };
        self.read(cache).await
    }

    /// Returns the toggles that a hold can concern. While a shared database cannot be read, SDKs may poll the other format, whose
    /// list can be newer.
    pub(crate) async fn for_holds(&self) -> Result<ClientSnapshot, ApiError> {
        let listed = self.for_client(SegmentFormat::Listed).await?.list;
        if !self.database.changes().is_unreachable() {
            return Ok(listed);
        }
        let inline = self.inline_segments.get_last().map(|inline| inline.list);
        Ok(inline.filter(|inline| inline.event > listed.event).unwrap_or(listed))
    }

    /// Returns what SDKs get in a format: [`Self::for_client`] with the held toggles. Its number belongs to the holds too.
    pub(crate) async fn serve(&self, format: SegmentFormat) -> Result<Served<ClientSnapshot>, ApiError> {
        let snapshot = self.for_client(format).await?;
        let held = match format {
            SegmentFormat::Listed => &self.held.listed_segments,
            SegmentFormat::Inline => &self.held.inline_segments,
        };
        // The number of an unheld snapshot matters too: streams compare it.
        Ok(held.get(&self.holds, &snapshot, &SCOPE).await)
    }

    /// Returns [`Self::definitions`] with the held toggles.
    pub(crate) async fn serve_definitions(&self) -> Result<Served<Bytes>, ApiError> {
        let definitions = self.read(&self.definitions).await?;
        if self.holds.is_empty() {
            return Ok(Served::original(definitions.list));
        }
        Ok(self.held.definitions.get(&self.holds, &definitions, &SCOPE).await)
    }

    /// Returns the holds.
    pub(crate) fn holds(&self) -> &Holds {
        &self.holds
    }

    /// Returns all toggles that are not archived, their tags, and all segments, in the JSON that the evaluation reads, from
    /// its cache. The memory of the JSON is the same until a toggle changes.
    pub(crate) async fn definitions(&self) -> Result<Bytes, ApiError> {
        Ok(self.read(&self.definitions).await?.list)
    }

    async fn read<T>(&self, cache: &Arc<SnapshotCache<T>>) -> Result<Source<T>, ApiError>
    where
        T: Clone + Send + Sync + 'static,
    {
        cache.record_use();
        self.refresh(cache).await
    }

    async fn refresh<T>(&self, cache: &Arc<SnapshotCache<T>>) -> Result<Source<T>, ApiError>
    where
        T: Clone + Send + Sync + 'static,
    {
        let changes = self.database.changes();
        let commits = changes.commits();
        if let Some(snapshot) = cache.get_fresh(changes, Instant::now()) {
            return Ok(snapshot);
        }
        if changes.is_unreachable()
            && let Some(snapshot) = cache.get_last()
        {
            return Ok(snapshot);
        }
        let refreshed = Arc::clone(cache);
        let outcome = tokio::select! {
            outcome = self.database.read(move |tx| refreshed.refresh(tx, commits)) => outcome,
            // A server that hangs is detected before this read fails.
            () = changes.wait_until_unreachable(), if cache.get_last().is_some() => {
                Err(ApiError::Storage(StorageFault::Unreachable))
            }
        };
        match outcome {
            Err(ApiError::Storage(fault)) if self.database.is_shared() => {
                if fault == StorageFault::Unreachable {
                    changes.mark_unreachable(&fault);
                }
                cache.get_last().ok_or(ApiError::Storage(fault))
            }
            outcome => outcome,
        }
    }

    /// Checks that requests of SDKs can be handled: the database can be used, or is shared and the toggles are in memory. A fault of
    /// a shared database concerns all instances, and a check of a server that hangs would not end in time.
    pub(crate) async fn check_ready(&self) -> Result<(), ApiError> {
        if self.database.is_shared() && self.listed_segments.get_last().is_some() {
            return Ok(());
        }
        self.database.check().await
    }
}
