//! The rows of segments.

use rusqlite::Row;

use crate::flags::database::{StoreError, Transaction};
use crate::flags::model::{ListedSegment, Segment};

impl Transaction<'_> {
    /// Returns all segments, sorted by id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_segments(&self) -> Result<Vec<ListedSegment>, StoreError> {
        let sql = "WITH uses AS (
                SELECT DISTINCT toggles.name AS toggle, project, segment.value AS id
                FROM toggles, json_each(strategies) AS strategy, json_each(strategy.value, '$.segments') AS segment
                WHERE archived = 0 AND EXISTS (SELECT 1 FROM segments)
            )
            SELECT segments.*, count(DISTINCT project) AS projects, count(toggle) AS toggles
            FROM segments LEFT JOIN uses USING (id) GROUP BY id ORDER BY id";
        self.connection.prepare_cached(sql)?.query_and_then([], listed_segment_from_row)?.collect()
    }

    /// Returns a segment.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_segment(&self, id: u32) -> Result<Option<Segment>, StoreError> {
        let sql = "SELECT * FROM segments WHERE id = ?1";
        self.connection.prepare_cached(sql)?.query_and_then([id], segment_from_row)?.next().transpose()
    }

    /// Inserts or replaces a segment.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn put_segment(&self, segment: &Segment) -> Result<(), StoreError> {
        let sql =
            "INSERT OR REPLACE INTO segments (id, name, description, constraints, created_by, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let Segment { id, name, description, constraints, created_by, created_at } = segment;
        let constraints = serde_json::to_string(constraints)?;
        let row = (id, name, description, constraints, created_by, created_at);
        self.connection.prepare_cached(sql)?.execute(row)?;
        Ok(())
    }

    /// Deletes all segments.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_all_segments(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("DELETE FROM segments")?)
    }
}

fn segment_from_row(row: &Row<'_>) -> Result<Segment, StoreError> {
    let constraints = row.get_ref("constraints")?.as_str().map_err(rusqlite::Error::from)?;
    Ok(Segment {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        constraints: serde_json::from_str(constraints)?,
        created_by: row.get("created_by")?,
        created_at: row.get("created_at")?,
    })
}

fn listed_segment_from_row(row: &Row<'_>) -> Result<ListedSegment, StoreError> {
    Ok(ListedSegment {
        segment: segment_from_row(row)?,
        used_in_projects: row.get("projects")?,
        used_in_features: row.get("toggles")?,
    })
}
