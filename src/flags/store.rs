//! Keeps everything in one SQLite database, behind named functions. All SQL of this program is in this folder.
//!
//! Every function here blocks: `Flags` calls them away from the threads that serve HTTP.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::ApiError;

mod addons;
mod applications;
mod definitions;
mod deliveries;
mod events;
mod open;
mod projects;
mod reference;
mod schema;
mod tags;
mod toggles;
mod usage;

pub use applications::ApplicationTexts;
pub use deliveries::Delivery;
pub use events::{Entity, NewEvent};
pub use open::{DataLocation, OpenError};
pub use toggles::{NameState, ToggleFilter};

/// A database that is open and up to date.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
}

/// The database while one piece of work is done: the named functions are its methods.
#[derive(Debug)]
pub struct Session<'c> {
    connection: &'c Connection,
}

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
        Self::internal(cause)
    }
}

impl Store {
    /// Opens, or creates, the database and brings its schema up to date.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        Ok(Self { connection: Mutex::new(open::open(data)?) })
    }

    /// Does work that changes nothing.
    ///
    /// # Errors
    /// Those of the work.
    pub fn read<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        work(&Session { connection: &self.lock() })
    }

    /// Does work that is kept as a whole, on disk before this returns, or not at all.
    ///
    /// # Errors
    /// Those of the work, and [`ApiError::Internal`] when it cannot be kept.
    pub fn write<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let connection = self.lock();
        // Immediate: another process that writes is waited for here, and not found out about in the middle.
        let transaction = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)
            .map_err(StoreError::from)?;
        let outcome = work(&Session { connection: &transaction })?;
        transaction.commit().map_err(StoreError::from)?;
        Ok(outcome)
    }

    /// Writes the database as it is now to a file that is empty.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        self.lock().execute("VACUUM INTO ?1", [file.to_string_lossy()])?;
        Ok(())
    }

    /// A panic while the lock was held left no half-done work: its transaction was rolled back when it was dropped.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
