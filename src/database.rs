//! The database: connections, transactions, schema and copies. The queries are in the file
//! `rows.rs` of each noun; their text is valid for both engines.
//!
//! SQLite is the default: `sqlite` and the modules for files, such as `copy` and `migrate`. `postgres` is the engine for
//! several processes on one database. `query` runs a statement on either, and `dialect` contains the differences.
//!
//! The functions of [`Store`] and [`Transaction`] block. [`Database`] calls them on a thread pool, never on the threads that serve
//! HTTP.

use std::path::Path;
use std::sync::Arc;

use jiff::SignedDuration;

use self::postgres::{Postgres, Session};
use self::sqlite::Sqlite;
use crate::config::DataLocation;
use crate::error::ApiError;
use crate::log_limit::LogLimit;

mod blocking;
mod changes;
mod copy;
mod data_lock;
mod dialect;
mod fault;
pub mod inspect;
mod instance;
mod kept;
mod migrate;
mod open;
mod open_error;
mod open_files;
mod opening;
mod parameter;
mod postgres;
mod query;
mod reader_pool;
mod row;
mod schema;
mod sqlite;
pub mod transfer;
mod write_queue;

/// Time by which the clock of another process on the same database can be ahead. A stored time above it was written before the clock
/// was set back, and is replaced.
pub(crate) const MAX_CLOCK_DIFFERENCE: SignedDuration = SignedDuration::from_hours(1);

pub use blocking::Database;
pub use changes::Changes;
pub use copy::CopyError;
pub use data_lock::DataLock;
pub use dialect::SnapshotId;
pub use fault::StorageFault;
pub use kept::{KeptDatabase, KeptReader};
pub use open_error::OpenError;
pub(crate) use opening::run_thread;
pub use parameter::Parameter;
pub(crate) use parameter::params;
pub use row::Row;

/// An open database whose schema is up to date.
#[derive(Debug)]
pub struct Store {
    engine: Engine,
    changes: Arc<Changes>,
    event_hook: EventHook,
}

/// A function that runs for each recorded event, in the transaction of the change. If it fails, the change fails.
///
/// The caller of [`Store::open`] sets it: events are recorded in a lower layer than their receivers.
pub type EventHook = fn(&Transaction<'_>, &RecordedEvent<'_>) -> Result<(), StoreError>;

/// An event that was inserted.
#[derive(Debug)]
pub struct RecordedEvent<'e> {
    /// The id of the event.
    pub id: i64,
    /// The type of the event, such as `feature-created`.
    pub kind: &'e str,
    /// The tags of the toggle, as a JSON list; empty for other items.
    pub tags: &'e str,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// A transaction of the database. Its methods are the queries and statements of this program: each noun implements its
/// own in `rows.rs`.
#[derive(Debug)]
pub struct Transaction<'c> {
    connection: Connection<'c>,
    /// The number of the connection within this process.
    connection_number: usize,
    event_hook: EventHook,
}

/// The connection of a transaction.
#[derive(Debug, Clone, Copy)]
enum Connection<'c> {
    Sqlite(&'c rusqlite::Connection),
    Postgres(&'c Session),
}

/// The database server is away. Each transaction fails.
static OUTAGE: LogLimit = LogLimit::new();
/// The database has another fault, such as a full disk. Reads may succeed.
static OTHER_FAULT: LogLimit = LogLimit::new();

/// Whether a transaction may change the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
    /// Like [`Access::Write`], but the change is internal: see [`Store::write_internal`].
    WriteInternal,
    /// Like [`Access::Write`], but the change concerns only the tables of [`KeptDatabase`], which have no version.
    WriteKept,
}

/// The work of a transaction on a connection, which has a number within this process.
type Work<'w> = &'w mut dyn FnMut(Connection<'_>, usize) -> Result<(), ApiError>;

/// An error of a statement.
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
    /// A text contains the character U+0000, which PostgreSQL cannot store.
    #[error("a text contains the character U+0000")]
    Nul,
    /// A JSON column does not match its type in `api`.
    #[error("a stored value cannot be read or written: {0}")]
    Json(#[from] serde_json::Error),
}

impl StoreError {
    /// Returns the fault, if an operator can fix it.
    fn fault(&self) -> Option<StorageFault> {
        match self {
            Self::Database { fault, .. } => *fault,
            Self::Nul | Self::Json(_) => None,
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(cause: StoreError) -> Self {
        match cause {
            StoreError::Database { fault: Some(fault), .. } => {
                let limit = if fault == StorageFault::Unreachable { &OUTAGE } else { &OTHER_FAULT };
                if let Some(repeated) = limit.record() {
                    tracing::error!(%cause, repeated, "the database cannot be used");
                }
                Self::Storage(fault)
            }
            StoreError::Nul => Self::BadBody(
                "A text contains the character U+0000, which the database cannot store".to_owned(),
            ),
            _ => Self::internal(cause),
        }
    }
}

impl Transaction<'_> {
    /// Runs the event hook of the database for an event that this transaction has inserted.
    pub(crate) fn run_event_hook(&self, event: &RecordedEvent<'_>) -> Result<(), StoreError> {
        (self.event_hook)(self, event)
    }

    /// Sets a savepoint. Returns false on SQLite, whose transactions contain one write each, because they need no server.
    fn set_savepoint(&self) -> Result<bool, StoreError> {
        match self.connection {
            Connection::Sqlite(_) => Ok(false),
            Connection::Postgres(session) => session.set_savepoint().map(|()| true),
        }
    }

    /// Undoes what was written since the last savepoint, also after a failed statement.
    fn roll_back_to_savepoint(&self) -> Result<(), StoreError> {
        match self.connection {
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(session) => session.roll_back_to_savepoint(),
        }
    }
}

impl Store {
    /// The number of read connections to a database file, and so of concurrent read transactions.
    pub const READERS: usize = 4;

    /// Opens or creates the database and migrates its schema to the newest version. `event_hook` runs for each event that a
    /// transaction records.
    pub(crate) fn open(data: &DataLocation, event_hook: EventHook) -> Result<Self, OpenError> {
        Self::open_with(data, event_hook, Arc::default())
    }

    /// Does the same, and counts commits in `changes`.
    fn open_with(
        data: &DataLocation,
        event_hook: EventHook,
        changes: Arc<Changes>,
    ) -> Result<Self, OpenError> {
        let engine = match data {
            DataLocation::Postgres(location) => {
                Engine::Postgres(Postgres::open(location, Arc::clone(&changes))?)
            }
            DataLocation::Memory => {
                changes.observe_alone();
                Engine::Sqlite(Sqlite::open(None)?)
            }
            DataLocation::File(path) => Engine::Sqlite(Sqlite::open(Some(path))?),
        };
        Ok(Self { engine, changes, event_hook })
    }

    /// Runs `work` in a read transaction. It sees one snapshot of the database, which includes every write that
    /// completed before.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`] or [`ApiError::Internal`] if the transaction cannot begin.
    pub fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        self.run(Access::Read, work)
    }

    /// Runs `work` in a write transaction. All its changes are on disk when this function returns `Ok`; none of them
    /// are if it returns an error. Only one write transaction runs at a time, also of other processes.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`] if the transaction cannot be committed.
    pub fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.write_as(Access::Write, work)
    }

    /// Runs `work` in a write transaction like [`Self::write`], but does not wake the tasks of other processes that wait for
    /// a change. `work` must change only data that SDKs do not receive, such as deliveries and usage.
    pub(crate) fn write_internal<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.write_as(Access::WriteInternal, work)
    }

    fn write_as<T>(
        &self,
        access: Access,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let outcome = self.run(access, work)?;
        if !self.is_shared() {
            self.changes.count_commit();
        }
        Ok(outcome)
    }

    /// Runs `work` once. Only this function is generic: the code of a transaction then exists once for each engine.
    fn run<T>(
        &self,
        access: Access,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let (mut work, mut outcome) = (Some(work), None);
        let event_hook = self.event_hook;
        let run: Work<'_> = &mut |connection, connection_number| {
            if let Some(work) = work.take() {
                outcome = Some(work(&Transaction { connection, connection_number, event_hook })?);
            }
            Ok(())
        };
        match (&self.engine, access) {
            (Engine::Sqlite(database), Access::Read) => database.read(run)?,
            (Engine::Sqlite(database), _) => database.write(run)?,
            (Engine::Postgres(database), access) => database.run(access, run)?,
        }
        // `Changes` logs the end of an outage.
        OUTAGE.end();
        if access == Access::Write
            && let Some(repeated) = OTHER_FAULT.end()
        {
            tracing::info!(repeated, "the database can be used again");
        }
        outcome.ok_or_else(|| ApiError::internal("a transaction did not run"))
    }

    /// Checks that the open files of SQLite are still at their paths, so that writes to them are kept.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if a file was deleted, moved or replaced.
    pub(crate) fn check_files(&self) -> Result<(), ApiError> {
        match &self.engine {
            Engine::Sqlite(database) => database.check_files(),
            Engine::Postgres(_) => Ok(()),
        }
    }

    /// Closes the files of SQLite. Later transactions fail.
    pub(crate) fn close(&self) {
        if let Engine::Sqlite(database) = &self.engine {
            database.close();
        }
    }

    /// Returns whether other processes may use the database at the same time: with PostgreSQL.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }

    /// Starts to observe the commits of other processes, if the database is shared.
    pub fn observe(&self) {
        if let Engine::Postgres(database) = &self.engine {
            database.observe();
        }
    }

    /// Returns the changes that this process knows of.
    #[must_use]
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Returns the number of commits that this process knows of. A read that begins after this call sees all of them.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.changes.commits()
    }

    /// Writes a copy of the database to a new file.
    pub(crate) fn copy_to(&self, file: &Path) -> Result<(), CopyError> {
        match &self.engine {
            Engine::Sqlite(database) => database.copy_to(file),
            Engine::Postgres(_) => Err(CopyError::Postgres),
        }
    }
}
