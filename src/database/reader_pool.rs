//! A pool of read connections. Reads do not wait for the write connection.

use parking_lot::Mutex;
use rusqlite::Connection;

/// The idle read connections with their numbers; `None` after the pool was closed.
#[derive(Debug)]
pub(super) struct ReaderPool(Mutex<Option<Vec<(usize, Connection)>>>);

/// A connection that returns to the pool when dropped.
pub(super) struct PooledReader<'p> {
    connection: Option<(usize, Connection)>,
    pool: &'p ReaderPool,
}

impl ReaderPool {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        Self(Mutex::new(Some((1..).zip(connections).collect())))
    }

    /// Takes an idle connection. Returns `None` if all are in use.
    pub(super) fn take(&self) -> Option<PooledReader<'_>> {
        let connection = self.0.lock().as_mut()?.pop()?;
        Some(PooledReader { connection: Some(connection), pool: self })
    }

    /// Closes the idle connections, and later those that are in use.
    pub(super) fn close(&self) {
        drop(self.0.lock().take());
    }
}

impl PooledReader<'_> {
    pub(super) fn connection(&self) -> Option<(usize, &Connection)> {
        self.connection.as_ref().map(|(number, connection)| (*number, connection))
    }
}

impl Drop for PooledReader<'_> {
    fn drop(&mut self) {
        if let Some(idle) = self.pool.0.lock().as_mut() {
            idle.extend(self.connection.take());
        }
    }
}
