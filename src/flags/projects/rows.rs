//! The rows of projects.

use rusqlite::Row;

use crate::flags::database::{StoreError, Transaction};
use crate::flags::model::Project;

impl Transaction<'_> {
    /// Returns all projects, sorted by name and id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_projects(&self) -> Result<Vec<Project>, StoreError> {
        let sql = "SELECT id, name, description, created_at FROM projects ORDER BY name, id";
        self.connection.prepare_cached(sql)?.query_and_then([], project_from_row)?.collect()
    }

    /// Returns a project.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_project(&self, id: &str) -> Result<Option<Project>, StoreError> {
        let sql = "SELECT id, name, description, created_at FROM projects WHERE id = ?1";
        self.connection.prepare_cached(sql)?.query_and_then([id], project_from_row)?.next().transpose()
    }

    /// Inserts a project. `now` is RFC 3339 in UTC. Returns false if its id is taken.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn insert_project(&self, project: &Project, now: &str) -> Result<bool, StoreError> {
        let sql =
            "INSERT OR IGNORE INTO projects (id, name, description, created_at) VALUES (?1, ?2, ?3, ?4)";
        let Project { id, name, description, .. } = project;
        Ok(self.connection.prepare_cached(sql)?.execute((id, name, description, now))? > 0)
    }

    /// Replaces a project except its id and creation time. Returns false if it does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace_project(&self, project: &Project) -> Result<bool, StoreError> {
        let sql = "UPDATE projects SET name = ?2, description = ?3 WHERE id = ?1";
        let Project { id, name, description, .. } = project;
        Ok(self.connection.prepare_cached(sql)?.execute((id, name, description))? > 0)
    }

    /// Returns the number of toggles of a project that are not archived.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn count_toggles_in_project(&self, project: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM toggles WHERE project = ?1 AND archived = 0";
        let count: i64 = self.connection.prepare_cached(sql)?.query_row([project], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Moves the archived toggles of a project to the project `target`.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn move_archived_toggles(&self, project: &str, target: &str) -> Result<(), StoreError> {
        let sql = "UPDATE toggles SET project = ?2 WHERE project = ?1 AND archived = 1";
        self.connection.prepare_cached(sql)?.execute((project, target))?;
        Ok(())
    }

    /// Deletes a project. Returns false if it does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_project(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM projects WHERE id = ?1")?.execute([id])? > 0)
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
