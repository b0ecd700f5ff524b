//! Toggles in memory: the responses for SDKs and for the console.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;

use super::Flags;
use crate::api::SegmentFormat;
use crate::error::ApiError;
use crate::flags::client::snapshot::{ClientSnapshot, SnapshotCache};
use crate::flags::database::StorageFault;
use crate::flags::toggles::filter::ToggleFilter;
use crate::flags::toggles::list::{self, CompressedList};
use crate::metrics::DatabaseMetrics;
use crate::negotiation::CopyAge;

impl Flags {
    /// Waits for a change, for the one task that sends changes to event streams.
    pub async fn wait_for_change(&self) {
        self.store.changes().wait().await;
    }

    /// Returns the age of the toggles for SDKs while a shared database does not respond; `None` while it does.
    #[must_use]
    pub fn copy_age(&self) -> Option<CopyAge> {
        let changes = self.store.changes();
        let millis = || u64::try_from(changes.age().as_millis()).unwrap_or(u64::MAX);
        changes.is_unreachable().then(|| CopyAge { millis: millis(), is_stale: true })
    }

    /// Returns the metrics of a shared database; `None` for one of this process alone.
    #[must_use]
    pub fn metrics_of_database(&self) -> Option<&DatabaseMetrics> {
        self.is_shared().then_some(&self.metrics)
    }

    /// Updates the metrics that are computed when they are read.
    pub fn update_metrics(&self) {
        self.metrics.set_age(self.copy_age().map(|age| age.millis / 1000));
    }

    /// Reads everything that SDKs request, so that it is in memory when a shared database fails. Snapshots without recent
    /// requests stay as they are.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn prepare_snapshots(&self) -> Result<(), ApiError> {
        self.prepare(&self.listed_segments).await?;
        self.prepare(&self.inline_segments).await?;
        self.prepare(&self.definitions).await
    }

    async fn prepare<T>(&self, cache: &Arc<SnapshotCache<T>>) -> Result<(), ApiError>
    where
        T: Clone + Send + Sync + 'static,
    {
        if cache.is_in_use(Instant::now()) {
            self.refresh_snapshot(cache).await?;
        }
        Ok(())
    }

    /// Returns the response for SDKs in a format, from its cache. It includes every completed change of this process, and changes of
    /// other processes after a short delay. While a shared database cannot be read, it is the last known one.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn client_snapshot(&self, format: SegmentFormat) -> Result<ClientSnapshot, ApiError> {
        let cache = match format {
            SegmentFormat::Listed => &self.listed_segments,
            SegmentFormat::Inline => &self.inline_segments,
        };
        self.read_snapshot(cache).await
    }

    /// Returns all toggles that are not archived, their tags, and all segments, in the JSON that the evaluation reads, from
    /// its cache. The memory of the JSON is the same until a toggle changes.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn definitions(&self) -> Result<Bytes, ApiError> {
        self.read_snapshot(&self.definitions).await
    }

    async fn read_snapshot<T>(&self, cache: &Arc<SnapshotCache<T>>) -> Result<T, ApiError>
    where
        T: Clone + Send + Sync + 'static,
    {
        cache.record_use();
        self.refresh_snapshot(cache).await
    }

    async fn refresh_snapshot<T>(&self, cache: &Arc<SnapshotCache<T>>) -> Result<T, ApiError>
    where
        T: Clone + Send + Sync + 'static,
    {
        let changes = self.store.changes();
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
        match self.read(move |tx| refreshed.refresh(tx, commits)).await {
            Err(ApiError::Storage(fault)) if self.is_shared() => {
                if fault == StorageFault::Unreachable {
                    changes.mark_unreachable(&fault);
                }
                cache.get_last().ok_or(ApiError::Storage(fault))
            }
            outcome => outcome,
        }
    }

    /// Returns the toggles that match a filter and are not archived: `FeaturesResponse` in JSON.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn toggle_list(&self, filter: ToggleFilter) -> Result<Vec<u8>, ApiError> {
        self.read(move |tx| list::list_json(tx, &filter)).await
    }

    /// Returns all toggles that are not archived, compressed. Includes every change that completed before the call.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn compressed_toggle_list(&self) -> Result<CompressedList, ApiError> {
        let commits = self.store.commits();
        let cache = Arc::clone(&self.toggle_list);
        self.read(move |tx| cache.get(tx, commits)).await
    }

    /// Checks that requests of SDKs can be handled: the database can be used, or is shared and does not respond or is
    /// read-only while the toggles are in memory.
    pub(crate) async fn check_ready(&self) -> Result<(), ApiError> {
        let can_wait = self.is_shared() && self.listed_segments.get_last().is_some();
        if can_wait && self.store.changes().is_unreachable() {
            return Ok(());
        }
        match self.check_storage().await {
            Err(ApiError::Storage(StorageFault::Unreachable | StorageFault::ReadOnlyServer)) if can_wait => {
                Ok(())
            }
            outcome => outcome,
        }
    }
}
