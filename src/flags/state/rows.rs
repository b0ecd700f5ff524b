//! Queries for the export and import of all data.

use crate::api::state::FeatureTag;
use crate::database::{StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns the tags of all toggles that are not archived, sorted by toggle, type and value.
    pub(crate) fn list_toggle_tags(&self) -> Result<Vec<FeatureTag>, StoreError> {
        self.query(
            "SELECT toggle, toggle_tags.type, value FROM toggle_tags JOIN toggles ON name = toggle
                 WHERE NOT archived ORDER BY toggle, toggle_tags.type, value",
            &[],
            |row| Ok(FeatureTag { feature_name: row.get(0)?, tag_type: row.get(1)?, tag_value: row.get(2)? }),
        )
    }

    /// Deletes all toggles, including archived ones.
    pub(crate) fn delete_all_toggles(&self) -> Result<(), StoreError> {
        self.execute("DELETE FROM toggles", &[])?;
        Ok(())
    }

    /// Deletes all strategy definitions that are not built in.
    pub(crate) fn delete_custom_strategies(&self) -> Result<(), StoreError> {
        self.execute("DELETE FROM strategies WHERE editable", &[])?;
        Ok(())
    }

    /// Deletes all projects except one.
    pub(crate) fn delete_projects_except(&self, id: &str) -> Result<(), StoreError> {
        self.execute("DELETE FROM projects WHERE id <> ?1", params![id])?;
        Ok(())
    }

    /// Deletes all tag types and, with them, all tags.
    pub(crate) fn delete_all_tag_types(&self) -> Result<(), StoreError> {
        self.execute("DELETE FROM tag_types", &[])?;
        Ok(())
    }

    /// Moves the archived toggles whose project does not exist to the project `target`.
    pub(crate) fn move_orphaned_archived_toggles(&self, target: &str) -> Result<(), StoreError> {
        self.execute(
            "UPDATE toggles SET project = ?1 WHERE archived AND project NOT IN (SELECT id FROM projects)",
            params![target],
        )?;
        Ok(())
    }

    /// Returns the name and the project of a toggle whose project does not exist.
    pub(crate) fn find_orphaned_toggle(&self) -> Result<Option<(String, String)>, StoreError> {
        self.query_first(
            "SELECT name, project FROM toggles WHERE project NOT IN (SELECT id FROM projects) LIMIT 1",
            &[],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }
}
