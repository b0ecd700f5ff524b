//! The rows of segments.

use crate::api::{ListedSegment, Segment, Strategy};
use crate::database::{Row, StoreError, Transaction, params};

/// A toggle with a strategy that uses a segment.
pub(crate) struct ToggleWithSegment {
    pub(crate) name: String,
    pub(crate) project: String,
    pub(crate) is_archived: bool,
    pub(crate) strategies: Vec<Strategy>,
}

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

    /// Returns the number of segments.
    pub(crate) fn count_segments(&self) -> Result<usize, StoreError> {
        let count: i64 = self.query_value("SELECT count(*) FROM segments", &[])?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Returns whether a segment except `owner` has the name.
    pub(crate) fn is_segment_name_taken(&self, name: &str, owner: u32) -> Result<bool, StoreError> {
        let sql = "SELECT id FROM segments WHERE name = ?1 AND id <> ?2 LIMIT 1";
        Ok(self.find_value::<i64>(sql, params![name, owner])?.is_some())
    }

    /// Returns an id to which nothing refers: no segment, no strategy of a toggle, also of an archived one, and no event.
    /// Otherwise a new segment would continue the history of a deleted one, or change toggles. Returns `None` after an import
    /// has used the highest id.
    pub(crate) fn next_segment_id(&self) -> Result<Option<u32>, StoreError> {
        let sql = "SELECT 1 + max(id) FROM (
                SELECT 0 AS id UNION ALL SELECT id FROM segments
                UNION ALL SELECT CAST(segment.value AS BIGINT) FROM toggles, json_each(strategies) AS strategy,
                    json_each(json_extract(strategy.value, '$.segments')) AS segment
                UNION ALL SELECT CAST(json_extract(data, '$.id') AS BIGINT) FROM events
                    WHERE entity = 'segment' AND entity_name <> 'all-segments'
            ) AS ids";
        Ok(u32::try_from(self.query_value::<i64>(sql, &[])?).ok())
    }

    /// Returns the toggles that use a segment, sorted by name: archived ones last.
    pub(crate) fn list_toggles_with_segment(&self, id: u32) -> Result<Vec<ToggleWithSegment>, StoreError> {
        let sql = "SELECT name, project, archived, strategies FROM toggles WHERE EXISTS (
                SELECT 1 FROM json_each(strategies) AS strategy,
                    json_each(json_extract(strategy.value, '$.segments')) AS segment
                WHERE CAST(segment.value AS BIGINT) = ?1
            ) ORDER BY archived, name";
        self.query(sql, params![id], |row| {
            Ok(ToggleWithSegment {
                name: row.get("name")?,
                project: row.get("project")?,
                is_archived: row.get("archived")?,
                strategies: row.json("strategies")?,
            })
        })
    }

    /// Deletes a segment.
    pub(crate) fn delete_segment(&self, id: u32) -> Result<(), StoreError> {
        self.execute("DELETE FROM segments WHERE id = ?1", params![id])?;
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
