//! The engine SQLite: one connection for writes, and a pool of connections for reads.

use std::path::Path;

use parking_lot::Mutex;
use rusqlite::TransactionBehavior;

use super::copy::{self, CopyError};
use super::open;
use super::open_error::OpenError;
use super::open_files::OpenFiles;
use super::reader_pool::ReaderPool;
use super::{Connection, StorageFault, Store, StoreError, Work};
use crate::error::ApiError;

/// The number of the write connection. Read connections count from 1.
const WRITER: usize = 0;

/// The error of transactions that begin after the end of the server.
const CLOSED: &str = "the database is closed, because the program ends";

/// An open database in a file or in memory.
#[derive(Debug)]
pub(super) struct Sqlite {
    /// `None` after the database was closed.
    writer: Mutex<Option<rusqlite::Connection>>,
    readers: ReaderPool,
    files: OpenFiles,
}

impl From<rusqlite::Error> for StoreError {
    fn from(cause: rusqlite::Error) -> Self {
        Self::Database { fault: StorageFault::from_sqlite(&cause), cause: cause.into() }
    }
}

impl Sqlite {
    /// Opens a file, or a database in memory without a path.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, OpenError> {
        let writer = open::open_writer(path)?;
        match path {
            Some(path) => Self::with_readers(writer, path, Store::READERS),
            // Each connection to `:memory:` has its own database. Reads use the write connection.
            None => Ok(Self {
                writer: Mutex::new(Some(writer)),
                readers: ReaderPool::new(Vec::new()),
                files: OpenFiles::default(),
            }),
        }
    }

    /// Opens a file with this write connection, and with connections for concurrent reads.
    pub(super) fn with_readers(
        writer: rusqlite::Connection,
        path: &Path,
        readers: usize,
    ) -> Result<Self, OpenError> {
        let readers = (0..readers).map(|_| open::open_reader(path)).collect::<Result<_, _>>()?;
        let missing = |cause| OpenError::File { path: path.to_owned(), cause };
        let files = OpenFiles::record(path).map_err(missing)?;
        Ok(Self { writer: Mutex::new(Some(writer)), readers: ReaderPool::new(readers), files })
    }

    /// Uses a connection for reads only.
    pub(super) fn read_only(reader: rusqlite::Connection) -> Self {
        let readers = ReaderPool::new(vec![reader]);
        Self { writer: Mutex::new(None), readers, files: OpenFiles::default() }
    }

    pub(super) fn read(&self, work: Work<'_>) -> Result<(), ApiError> {
        let reader = self.readers.take();
        let writer;
        let numbered = reader.as_ref().and_then(|reader| reader.connection());
        let (connection_number, connection) = if let Some(numbered) = numbered {
            numbered
        } else {
            writer = self.writer.lock();
            (WRITER, writer.as_ref().ok_or_else(closed)?)
        };
        // A transaction makes several queries see the same snapshot.
        let transaction = begin(connection, TransactionBehavior::Deferred)?;
        work(Connection::Sqlite(&transaction), connection_number)
    }

    pub(super) fn write(&self, work: Work<'_>) -> Result<(), ApiError> {
        let writer = self.writer.lock();
        // Immediate: waits here for the write lock of another process, instead of failing at the first statement.
        let connection = writer.as_ref().ok_or_else(closed)?;
        let transaction = begin(connection, TransactionBehavior::Immediate)?;
        work(Connection::Sqlite(&transaction), WRITER)?;
        // A commit to a deleted file succeeds but is lost when the program ends. An error here rolls back.
        self.check_files()?;
        Ok(transaction.commit().map_err(StoreError::from)?)
    }

    pub(super) fn check_files(&self) -> Result<(), ApiError> {
        self.files.check().map_err(ApiError::Storage)
    }

    pub(super) fn copy_to(&self, file: &Path) -> Result<(), CopyError> {
        let writer = self.writer.lock();
        let connection = writer.as_ref().ok_or_else(|| CopyError::Database(CLOSED.to_owned()))?;
        copy::write_copy(connection, file)
    }

    /// Closes the connections. The last one moves the write-ahead log into the file and removes it. Waits for a write; a connection that
    /// reads is closed afterwards.
    pub(super) fn close(&self) {
        self.readers.close();
        if let Some(writer) = self.writer.lock().take()
            && let Err((_, cause)) = writer.close()
        {
            tracing::warn!(%cause, "the database cannot be closed; its write-ahead log remains beside it");
        }
    }
}

fn closed() -> ApiError {
    ApiError::internal(CLOSED)
}

fn begin(
    connection: &rusqlite::Connection,
    behaviour: TransactionBehavior,
) -> Result<rusqlite::Transaction<'_>, StoreError> {
    Ok(rusqlite::Transaction::new_unchecked(connection, behaviour)?)
}
