//! Tells whether the database changed between two reads.

use super::{Session, StoreError};

/// Identifies the state of the database that a transaction reads. Equal ids mean equal data; different ids may too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotId {
    /// The connection: SQLite counts changes for each one apart.
    connection: usize,
    /// Changes as soon as another connection, also one of another process, has committed.
    data_version: i64,
    /// Commits of this process: the connection that writes does not see its own commits in `data_version`.
    commits: u64,
}

impl SnapshotId {
    /// Returns whether both ids are of the same connection.
    #[must_use]
    pub fn is_same_connection(&self, other: &Self) -> bool {
        self.connection == other.connection
    }
}

impl Session<'_> {
    /// Returns the id of the state that this transaction reads. `commits` is [`super::Store::commits`], read before the
    /// transaction began.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn snapshot_id(&self, commits: u64) -> Result<SnapshotId, StoreError> {
        // Begins the snapshot of a transaction that has read nothing yet.
        let data_version =
            self.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        Ok(SnapshotId { connection: self.connection_number, data_version, commits })
    }
}
