//! The rows of projects.

use crate::api::Project;
use crate::database::{Row, StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns all projects, sorted by name and id.
    pub(crate) fn list_projects(&self) -> Result<Vec<Project>, StoreError> {
        let sql = "SELECT id, name, description, created_at FROM projects ORDER BY name, id";
        self.query(sql, &[], project_from_row)
    }

    /// Returns a project.
    pub(crate) fn find_project(&self, id: &str) -> Result<Option<Project>, StoreError> {
        let sql = "SELECT id, name, description, created_at FROM projects WHERE id = ?1";
        self.query_first(sql, params![id], project_from_row)
    }

    /// Inserts a project. `now` is RFC 3339 in UTC. Returns false if its id is taken.
    pub(crate) fn insert_project(&self, project: &Project, now: &str) -> Result<bool, StoreError> {
        let sql = "INSERT INTO projects (id, name, description, created_at) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT (id) DO NOTHING";
        let Project { id, name, description, .. } = project;
        Ok(self.execute(sql, params![id, name, description, now])? > 0)
    }

    /// Replaces a project except its id and creation time. Returns false if it does not exist.
    pub(crate) fn replace_project(&self, project: &Project) -> Result<bool, StoreError> {
        let sql = "UPDATE projects SET name = ?2, description = ?3 WHERE id = ?1";
        let Project { id, name, description, .. } = project;
        Ok(self.execute(sql, params![id, name, description])? > 0)
    }

    /// Returns the number of toggles of a project that are not archived.
    pub(crate) fn count_toggles_in_project(&self, project: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM toggles WHERE project = ?1 AND NOT archived";
        let count: i64 = self.query_value(sql, params![project])?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Moves the archived toggles of a project to the project `target`.
    pub(crate) fn move_archived_toggles(&self, project: &str, target: &str) -> Result<(), StoreError> {
        let sql = "UPDATE toggles SET project = ?2 WHERE project = ?1 AND archived";
        self.execute(sql, params![project, target])?;
        Ok(())
    }

    /// Deletes a project. Returns false if it does not exist.
    pub(crate) fn delete_project(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM projects WHERE id = ?1", params![id])? > 0)
    }
}

fn project_from_row(row: &Row<'_>) -> Result<Project, StoreError> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        created_at: Some(row.get("created_at")?),
    })
}
