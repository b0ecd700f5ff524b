//! Writes the copies to the file, so that a later write is never replaced by an earlier one.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::web;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::cache_key::Salt;
use super::entries::{Entries, Entry};
use super::file::{self, CopyToWrite, Stored};
use crate::error::ApiError;
use crate::log_limit::LogLimit;
use crate::private_file;

/// The file cannot be written.
static UNWRITTEN_FILE: LogLimit = LogLimit::new();

/// The file, and the order of the writes.
#[derive(Debug)]
pub(super) struct Storage {
    path: Option<PathBuf>,
    has_changes: AtomicBool,
    /// Wakes the task that writes changes.
    pub(super) changed: Notify,
    /// Number of the last started write.
    started: Mutex<u64>,
    /// Number of the last completed write.
    written: Arc<Mutex<u64>>,
}

impl Storage {
    pub(super) fn new(path: Option<PathBuf>) -> Self {
        Self {
            path,
            has_changes: AtomicBool::new(false),
            changed: Notify::new(),
            started: Mutex::default(),
            written: Arc::default(),
        }
    }

    /// Reads the file. One that cannot be used is logged and replaced by the next write.
    pub(super) fn read(&self) -> Option<Stored> {
        let path = self.path.as_ref()?;
        file::read(path).unwrap_or_else(|error| {
            tracing::warn!(path = %path.display(), %error, "replica: the file is not used");
            None
        })
    }

    /// Remembers that a copy was confirmed, which the next write stores.
    pub(super) fn record_confirmation(&self) {
        self.has_changes.store(true, Ordering::Relaxed);
    }

    /// Requests a write, because a copy has changed.
    pub(super) fn record_change(&self) {
        self.record_confirmation();
        self.changed.notify_one();
    }

    /// Writes all copies if there are changes.
    pub(super) async fn write_changes(&self, salt: Salt, entries: &Entries) {
        if self.has_changes.swap(false, Ordering::Relaxed)
            && let Err(error) = self.write(salt, entries).await
        {
            self.has_changes.store(true, Ordering::Relaxed);
            if let Some(repeated) = UNWRITTEN_FILE.record() {
                tracing::error!(path = ?self.path, %error, repeated, "replica: the file cannot be written");
            }
        }
    }

    /// Writes all copies, except those that were removed or whose credential the upstream has refused. If that fails, removes the
    /// file, because it may contain one of them.
    pub(super) async fn write_or_remove(&self, salt: Salt, entries: &Entries) {
        let (Err(error), Some(path)) = (self.write(salt, entries).await, &self.path) else { return };
        let removed = fs::remove_file(path).err().map(|error| error.to_string());
        tracing::error!(
            path = %path.display(),
            %error,
            removal_error = removed,
            "replica: the file cannot be written without a refused or removed copy, and was removed"
        );
    }

    async fn write(&self, salt: Salt, entries: &Entries) -> Result<(), ApiError> {
        let Some(path) = self.path.clone() else { return Ok(()) };
        let (number, copies, accepted) = {
            let mut started = self.started.lock();
            *started += 1;
            (*started, copies_to_write(entries), entries.accepted.list())
        };
        let written = Arc::clone(&self.written);
        // The thread continues if this future is dropped. Therefore the order is checked in the thread.
        let work = move || -> Result<(), ApiError> {
            let mut written = written.lock();
            if *written < number {
                let content = file::encode(&salt, &copies, &accepted).map_err(ApiError::internal)?;
                private_file::replace(&path, &content).map_err(ApiError::internal)?;
                *written = number;
            }
            Ok(())
        };
        web::block(work).await.map_err(ApiError::internal)?
    }
}

fn copies_to_write(entries: &Entries) -> Vec<CopyToWrite> {
    let stored = |entry: Arc<Entry>| -> Option<CopyToWrite> {
        let state = entry.state.borrow();
        let copy = state.copy().filter(|_| entry.is_storable())?;
        Some((entry.key, state.confirmed_at(), Arc::clone(copy)))
    };
    entries.list().into_iter().filter_map(stored).collect()
}
