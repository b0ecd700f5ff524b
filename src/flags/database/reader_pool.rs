//! A pool of read connections. Reads do not wait for the write connection.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

/// The idle read connections with their numbers.
#[derive(Debug)]
pub(super) struct ReaderPool(Mutex<Vec<(usize, Connection)>>);

/// A connection that returns to the pool when dropped.
pub(super) struct PooledReader<'p> {
    connection: Option<(usize, Connection)>,
    pool: &'p ReaderPool,
}

impl ReaderPool {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        Self(Mutex::new((1..).zip(connections).collect()))
    }

    /// Takes an idle connection. Returns `None` if all are in use.
    pub(super) fn take(&self) -> Option<PooledReader<'_>> {
        let connection = self.lock().pop()?;
        Some(PooledReader { connection: Some(connection), pool: self })
    }

    /// A poisoned lock is safe to use: a panic cannot interrupt a push or pop.
    fn lock(&self) -> MutexGuard<'_, Vec<(usize, Connection)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PooledReader<'_> {
    pub(super) fn connection(&self) -> Option<(usize, &Connection)> {
        self.connection.as_ref().map(|(number, connection)| (*number, connection))
    }
}

impl Drop for PooledReader<'_> {
    fn drop(&mut self) {
        self.pool.lock().extend(self.connection.take());
    }
}
