//! The rows of segments.

use crate::api::{ListedSegment, Segment};
use crate::flags::database::{Row, StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns all segments, sorted by id.
    pub(crate) fn list_segments(&self) -> Result<Vec<ListedSegment>, StoreError> {
        let sql = "WITH uses AS (
                SELECT DISTINCT toggles.name AS toggle, project, CAST(segment.value AS BIGINT) AS segment
                FROM toggles, json_each(strategies) AS strategy,
                    json_each(json_extract(strategy.value, '$.segments')) AS segment
                WHERE NOT archived AND EXISTS (SELECT 1 FROM segments)
            )
            SELECT id, name, description, constraints, created_by, created_at,
                count(DISTINCT project) AS projects, count(toggle) AS toggles
            FROM segments LEFT JOIN uses ON segment = id GROUP BY id ORDER BY id";
        self.query(sql, &[], listed_segment_from_row)
    }

    /// Returns a segment.
    pub(crate) fn find_segment(&self, id: u32) -> Result<Option<Segment>, StoreError> {
        let sql =
            "SELECT id, name, description, constraints, created_by, created_at FROM segments WHERE id = ?1";
        self.query_first(sql, params![id], segment_from_row)
    }

    /// Inserts or replaces a segment.
    pub(crate) fn put_segment(&self, segment: &Segment) -> Result<(), StoreError> {
        let sql = "INSERT INTO segments (id, name, description, constraints, created_by, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                   ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
                   constraints = excluded.constraints, created_by = excluded.created_by,
                   created_at = excluded.created_at";
        let Segment { id, name, description, constraints, created_by, created_at } = segment;
        let constraints = serde_json::to_string(constraints)?;
        let row = params![id, name, description, constraints, created_by, created_at];
        self.execute(sql, row)?;
        Ok(())
    }

    /// Deletes all segments.
    pub(crate) fn delete_all_segments(&self) -> Result<(), StoreError> {
        self.execute("DELETE FROM segments", &[])?;
        Ok(())
    }
}

fn segment_from_row(row: &Row<'_>) -> Result<Segment, StoreError> {
    Ok(Segment {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        constraints: row.json("constraints")?,
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
