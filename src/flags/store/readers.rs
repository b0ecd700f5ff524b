//! Connections that only read: none of them waits for the one that writes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

/// Connections with their numbers, each of which one piece of work has at a time.
#[derive(Debug)]
pub(super) struct Readers(Mutex<Vec<(usize, Connection)>>);

/// A connection that goes back when the work is done.
pub(super) struct Reader<'p> {
    connection: Option<(usize, Connection)>,
    readers: &'p Readers,
}

impl Readers {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        Self(Mutex::new((1..).zip(connections).collect()))
    }

    /// An idle one; nothing where all are taken.
    pub(super) fn take(&self) -> Option<Reader<'_>> {
        let connection = self.lock().pop()?;
        Some(Reader { connection: Some(connection), readers: self })
    }

    /// Pushing and popping are whole also after a panic.
    fn lock(&self) -> MutexGuard<'_, Vec<(usize, Connection)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reader<'_> {
    pub(super) fn connection(&self) -> Option<(usize, &Connection)> {
        self.connection.as_ref().map(|(number, connection)| (*number, connection))
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.readers.lock().extend(self.connection.take());
    }
}
