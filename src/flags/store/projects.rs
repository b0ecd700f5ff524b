//! The rows of projects.

use rusqlite::Row;

use super::{Session, StoreError};
use crate::flags::model::Project;

impl Session<'_> {
    /// All projects by name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn projects(&self) -> Result<Vec<Project>, StoreError> {
        let sql = "SELECT id, name, description, created_at FROM projects ORDER BY name, id";
        self.connection.prepare_cached(sql)?.query_and_then([], project)?.collect()
    }

    /// One project.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn project(&self, id: &str) -> Result<Option<Project>, StoreError> {
        let sql = "SELECT id, name, description, created_at FROM projects WHERE id = ?1";
        self.connection.prepare_cached(sql)?.query_and_then([id], project)?.next().transpose()
    }

    /// Adds a project. False where its id is taken.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn insert_project(&self, project: &Project, now: &str) -> Result<bool, StoreError> {
        let sql =
            "INSERT OR IGNORE INTO projects (id, name, description, created_at) VALUES (?1, ?2, ?3, ?4)";
        let Project { id, name, description, .. } = project;
        Ok(self.connection.prepare_cached(sql)?.execute((id, name, description, now))? > 0)
    }

    /// Replaces all of a project but its id. False where there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace_project(&self, project: &Project) -> Result<bool, StoreError> {
        let sql = "UPDATE projects SET name = ?2, description = ?3 WHERE id = ?1";
        let Project { id, name, description, .. } = project;
        Ok(self.connection.prepare_cached(sql)?.execute((id, name, description))? > 0)
    }

    /// How many toggles in use belong to a project.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn toggles_in(&self, project: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM toggles WHERE project = ?1 AND archived = 0";
        let count: i64 = self.connection.prepare_cached(sql)?.query_row([project], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Removes a project; its archived toggles go to another one. False where there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_project(&self, id: &str, heir: &str) -> Result<bool, StoreError> {
        self.connection
            .prepare_cached("UPDATE toggles SET project = ?2 WHERE project = ?1 AND archived = 1")?
            .execute((id, heir))?;
        Ok(self.connection.prepare_cached("DELETE FROM projects WHERE id = ?1")?.execute([id])? > 0)
    }
}

fn project(row: &Row<'_>) -> Result<Project, StoreError> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        created_at: Some(row.get("created_at")?),
    })
}
