//! Detects whether the database changed between two reads.

use super::{StoreError, Transaction};

/// The identity of the snapshot that a transaction reads. Equal ids mean equal data; different ids may also have equal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotId {
    /// The number of the connection: SQLite counts `data_version` separately for each connection.
    connection: usize,
    /// Changes when another connection commits, including those of other processes.
    data_version: i64,
    /// The number of commits of this process: `data_version` does not count a connection's own commits.
    commits: u64,
}

impl SnapshotId {
    /// Returns whether both ids were read on the same connection.
    #[must_use]
    pub fn is_same_connection(&self, other: &Self) -> bool {
        self.connection == other.connection
    }
}

impl Transaction<'_> {
    /// Returns the id of the snapshot that this transaction reads. `commits` is the value of [`super::Store::commits`]
    /// before the transaction began.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn read_snapshot_id(&self, commits: u64) -> Result<SnapshotId, StoreError> {
        // As the first query of a transaction, this also starts its snapshot.
        let data_version =
            self.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        Ok(SnapshotId { connection: self.connection_number, data_version, commits })
    }
}
