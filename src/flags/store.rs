//! Keeps everything in one SQLite database, behind named functions. All SQL of this program is in this folder.
//!
//! Every function here blocks: `Flags` calls them away from the threads that serve HTTP.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use self::open_files::OpenFiles;
use self::readers::Readers;
use crate::error::ApiError;

mod addons;
mod applications;
mod client_tokens;
mod copy;
mod definitions;
mod deliveries;
mod events;
mod fault;
pub mod inspect;
mod migrate;
mod open;
mod open_files;
mod projects;
mod readers;
mod reference;
mod schema;
mod sessions;
mod snapshot;
mod state;
mod surplus;
mod tags;
mod toggles;
mod usage;
mod users;

pub use applications::{ApplicationTexts, ToggleUse};
pub use copy::CopyError;
pub use deliveries::Delivery;
pub use events::{Entity, NewEvent};
pub use fault::StorageFault;
pub use open::{DataLocation, OpenError};
pub use sessions::Stay;
pub use snapshot::SnapshotId;
pub use toggles::{NameState, ToggleFilter};
pub use users::NewUser;

/// A database that is open and up to date.
#[derive(Debug)]
pub struct Store {
    writer: Mutex<Connection>,
    readers: Readers,
    files: OpenFiles,
    commits: AtomicU64,
}

/// The database while one piece of work is done: the named functions are its methods.
#[derive(Debug)]
pub struct Session<'c> {
    connection: &'c Connection,
    /// Number of the connection within this process.
    connection_number: usize,
}

/// Number of the connection that writes; readers count from 1.
const WRITER: usize = 0;

/// Why the database did not do as it was told. None of it is the caller's fault.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused, or its disk did.
    #[error("the database failed: {0}")]
    Database(#[from] rusqlite::Error),
    /// A column of JSON that does not fit its wire type.
    #[error("a stored value cannot be read or written: {0}")]
    Json(#[from] serde_json::Error),
}

impl From<StoreError> for ApiError {
    fn from(cause: StoreError) -> Self {
        let fault = match &cause {
            StoreError::Database(error) => StorageFault::of(error),
            StoreError::Json(_) => None,
        };
        let Some(fault) = fault else { return Self::internal(cause) };
        tracing::error!(%cause, "the database cannot be used");
        Self::Storage(fault)
    }
}

impl Store {
    /// How many pieces of work may read a file at once without waiting for each other.
    pub const READERS: usize = 4;

    /// Opens, or creates, the database and brings its schema up to date.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let writer = open::open(data)?;
        let readers = match data {
            // Each connection would have a database of its own: the one that writes reads too.
            DataLocation::Memory => Vec::new(),
            DataLocation::File(path) => {
                (0..Self::READERS).map(|_| open::reader(path)).collect::<Result<_, _>>()?
            }
        };
        let files = OpenFiles::record(data).map_err(|cause| OpenError::not_at_its_path(data, cause))?;
        let (writer, readers) = (Mutex::new(writer), Readers::new(readers));
        Ok(Self { writer, readers, files, commits: AtomicU64::default() })
    }

    /// Does work that changes nothing. It sees the database as it is at one moment, with every write that was
    /// acknowledged before.
    ///
    /// # Errors
    /// Those of the work.
    pub fn read<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let reader = self.readers.take();
        match reader.as_ref().and_then(|reader| reader.connection()) {
            Some((number, connection)) => Self::read_on(connection, number, work),
            None => Self::read_on(&self.writer(), WRITER, work),
        }
    }

    /// Does work that is kept as a whole, on disk before this returns, or not at all.
    ///
    /// # Errors
    /// Those of the work, and [`ApiError::Storage`] when it cannot be kept.
    pub fn write<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let connection = self.writer();
        // Immediate: another process that writes is waited for here, and not found out about in the middle.
        let transaction = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)
            .map_err(StoreError::from)?;
        let outcome = work(&Session { connection: &transaction, connection_number: WRITER })?;
        // A commit to a deleted file succeeds, and is lost when the program ends. The transaction is rolled back here.
        self.check_files()?;
        transaction.commit().map_err(StoreError::from)?;
        self.commits.fetch_add(1, Ordering::AcqRel);
        Ok(outcome)
    }

    /// Checks that the open files are still at their paths, so that writes to them are kept.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if a file was deleted, moved or replaced.
    pub fn check_files(&self) -> Result<(), ApiError> {
        self.files.check().map_err(ApiError::Storage)
    }

    /// How many writes this store has kept. What was read after asking is as new as that.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    /// Writes the database as it is now to a file that is not there yet.
    ///
    /// # Errors
    /// See [`CopyError`].
    pub fn copy_to(&self, file: &Path) -> Result<(), CopyError> {
        copy::copy(&self.writer(), file)
    }

    fn read_on<T>(
        connection: &Connection,
        connection_number: usize,
        work: impl FnOnce(&Session<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        // A transaction also here: what is read in several steps belongs together.
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Deferred)
            .map_err(StoreError::from)?;
        work(&Session { connection: &transaction, connection_number })
    }

    /// A panic while the lock was held left no half-done work: its transaction was rolled back when it was dropped.
    fn writer(&self) -> MutexGuard<'_, Connection> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
