//! The row with the id of this installation.

use super::{StoreError, Transaction};

impl Transaction<'_> {
    /// Returns the UUID of this installation, which was generated when the database was created.
    pub(crate) fn read_instance_id(&self) -> Result<String, StoreError> {
        self.query_value("SELECT id FROM instance", &[])
    }
}
