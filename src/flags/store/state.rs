//! Reads and drops what an export holds as a whole.

use super::{Session, StoreError};
use crate::flags::model::state::FeatureTag;

impl Session<'_> {
    /// The tags on all toggles in use, by toggle, type and value.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn feature_tags(&self) -> Result<Vec<FeatureTag>, StoreError> {
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

    /// Removes all toggles, also from the archive.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn drop_toggles(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("DELETE FROM toggles")?)
    }

    /// Removes all strategy definitions that are not built in.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn drop_strategies(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("DELETE FROM strategies WHERE editable = 1")?)
    }

    /// Removes all projects but one.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn drop_projects_but(&self, id: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM projects WHERE id <> ?1")?.execute([id])?;
        Ok(())
    }

    /// Removes all tag types, and with them all tags.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn drop_tag_types(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("DELETE FROM tag_types")?)
    }

    /// Moves archived toggles without a project to another one, and answers a toggle in use that has none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn toggle_without_project(&self, heir: &str) -> Result<Option<(String, String)>, StoreError> {
        self.connection
            .prepare_cached(
                "UPDATE toggles SET project = ?1 WHERE archived = 1 AND project NOT IN (SELECT id FROM projects)",
            )?
            .execute([heir])?;
        self.connection
            .prepare_cached(
                "SELECT name, project FROM toggles WHERE project NOT IN (SELECT id FROM projects) LIMIT 1",
            )?
            .query_and_then([], |row| Ok(row.try_into()?))?
            .next()
            .transpose()
    }
}
