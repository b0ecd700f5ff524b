//! The SQLite database of the embedded flag service: connections, transactions, schema and copies. The queries are in
//! the file `rows.rs` of each noun.
//!
//! Every function here blocks. `Flags` calls them on a thread pool, never on the threads that serve HTTP.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, TransactionBehavior};

use self::open_files::OpenFiles;
use self::reader_pool::ReaderPool;
use crate::config::DataLocation;
use crate::error::ApiError;

mod copy;
mod fault;
pub mod inspect;
mod migrate;
mod open;
mod open_files;
mod reader_pool;
mod schema;
mod snapshot;

pub use copy::CopyError;
pub use fault::StorageFault;
pub use open::OpenError;
pub use snapshot::SnapshotId;

/// An open database whose schema is up to date.
#[derive(Debug)]
pub struct Store {
    writer: Mutex<Connection>,
    readers: ReaderPool,
    files: OpenFiles,
    commits: AtomicU64,
}

/// A transaction of the database. Its methods are the queries and statements of this program: each noun implements its
/// own in `rows.rs`. They take and return plain types, so that another database engine can provide the same methods.
#[derive(Debug)]
pub struct Transaction<'c> {
    pub(super) connection: &'c Connection,
    /// The number of the connection within this process.
    connection_number: usize,
}

/// The number of the write connection. Read connections count from 1.
const WRITER: usize = 0;

/// An error of a statement. The caller's arguments are never the cause.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database returned an error.
    #[error("the database failed: {cause}")]
    Database {
        /// The fault, if an operator can fix it.
        fault: Option<StorageFault>,
        /// The error of the database engine.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A JSON column does not match its type in `model`.
    #[error("a stored value cannot be read or written: {0}")]
    Json(#[from] serde_json::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(cause: rusqlite::Error) -> Self {
        Self::Database { fault: StorageFault::from_sqlite(&cause), cause: cause.into() }
    }
}

impl From<StoreError> for ApiError {
    fn from(cause: StoreError) -> Self {
        let StoreError::Database { fault: Some(fault), .. } = cause else { return Self::internal(cause) };
        tracing::error!(%cause, "the database cannot be used");
        Self::Storage(fault)
    }
}

impl Store {
    /// The number of read connections to a database file, and so of concurrent read transactions.
    pub const READERS: usize = 4;

    /// Opens or creates the database and migrates its schema to the newest version.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let writer = open::open_writer(data)?;
        let readers = match data {
            // Each connection to `:memory:` has its own database. Reads use the write connection.
            DataLocation::Memory => Vec::new(),
            DataLocation::File(path) => {
                (0..Self::READERS).map(|_| open::open_reader(path)).collect::<Result<_, _>>()?
            }
        };
        let files = OpenFiles::record(data).map_err(|cause| OpenError::file_missing(data, cause))?;
        let (writer, readers) = (Mutex::new(writer), ReaderPool::new(readers));
        Ok(Self { writer, readers, files, commits: AtomicU64::default() })
    }

    /// Runs `work` in a read transaction. It sees one snapshot of the database, which includes every write that
    /// completed before.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`] or [`ApiError::Internal`] if the transaction cannot begin.
    pub fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let reader = self.readers.take();
        let writer;
        let numbered = reader.as_ref().and_then(|reader| reader.connection());
        let (connection_number, connection) = if let Some(numbered) = numbered {
            numbered
        } else {
            writer = self.writer();
            (WRITER, &*writer)
        };
        // A transaction makes several queries see the same snapshot.
        let transaction = begin(connection, TransactionBehavior::Deferred)?;
        work(&Transaction { connection: &transaction, connection_number })
    }

    /// Runs `work` in a write transaction. All its changes are on disk when this function returns `Ok`; none of them
    /// are if it returns an error.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`] if the transaction cannot be committed.
    pub fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let connection = self.writer();
        // Immediate: waits here for the write lock of another process, instead of failing at the first statement.
        let transaction = begin(&connection, TransactionBehavior::Immediate)?;
        let outcome = work(&Transaction { connection: &transaction, connection_number: WRITER })?;
        self.commit(transaction)?;
        Ok(outcome)
    }

    fn commit(&self, transaction: rusqlite::Transaction<'_>) -> Result<(), ApiError> {
        // A commit to a deleted file succeeds but is lost when the program ends. An error here rolls back.
        self.check_files()?;
        transaction.commit().map_err(StoreError::from)?;
        self.commits.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    /// Checks that the open files are still at their paths, so that writes to them are kept.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if a file was deleted, moved or replaced.
    pub fn check_files(&self) -> Result<(), ApiError> {
        self.files.check().map_err(ApiError::Storage)
    }

    /// Returns the number of transactions that this store has committed. A read that begins after this call sees all of
    /// them.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    /// Writes a copy of the database to a new file.
    ///
    /// # Errors
    /// See [`CopyError`].
    pub fn copy_to(&self, file: &Path) -> Result<(), CopyError> {
        copy::write_copy(&self.writer(), file)
    }

    /// Locks the write connection. A poisoned lock is safe to use: the panic rolled its transaction back.
    fn writer(&self) -> MutexGuard<'_, Connection> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn begin(
    connection: &Connection,
    behaviour: TransactionBehavior,
) -> Result<rusqlite::Transaction<'_>, StoreError> {
    Ok(rusqlite::Transaction::new_unchecked(connection, behaviour)?)
}
