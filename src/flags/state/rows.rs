//! Queries for the export and import of all data.

use crate::flags::database::{StoreError, Transaction};
use crate::flags::state::model::FeatureTag;

impl Transaction<'_> {
    /// Returns the tags of all toggles that are not archived, sorted by toggle, type and value.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_toggle_tags(&self) -> Result<Vec<FeatureTag>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT toggle, toggle_tags.type, value FROM toggle_tags JOIN toggles ON name = toggle
                 WHERE archived = 0 ORDER BY toggle, toggle_tags.type, value",
            )?
            .query_and_then([], |row| {
                let (feature_name, tag_type, tag_value) = row.try_into()?;
                Ok(FeatureTag { feature_name, tag_type, tag_value })
            })?
            .collect()
    }

    /// Deletes all toggles, including archived ones.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_all_toggles(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("DELETE FROM toggles")?)
    }

    /// Deletes all strategy definitions that are not built in.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_custom_strategies(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("DELETE FROM strategies WHERE editable = 1")?)
    }

    /// Deletes all projects except one.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_projects_except(&self, id: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM projects WHERE id <> ?1")?.execute([id])?;
        Ok(())
    }

    /// Deletes all tag types and, with them, all tags.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_all_tag_types(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("DELETE FROM tag_types")?)
    }

    /// Moves the archived toggles whose project does not exist to the project `target`.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn move_orphaned_archived_toggles(&self, target: &str) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "UPDATE toggles SET project = ?1 WHERE archived = 1 AND project NOT IN (SELECT id FROM projects)",
            )?
            .execute([target])?;
        Ok(())
    }

    /// Returns the name and the project of a toggle whose project does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_orphaned_toggle(&self) -> Result<Option<(String, String)>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, project FROM toggles WHERE project NOT IN (SELECT id FROM projects) LIMIT 1",
            )?
            .query_and_then([], |row| Ok(row.try_into()?))?
            .next()
            .transpose()
    }
}
