//! The rows of context fields.

use crate::api::ContextField;
use crate::database::{Row, StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns all context fields, sorted by `sort_order` and name.
    pub(crate) fn list_context_fields(&self) -> Result<Vec<ContextField>, StoreError> {
        self.query(
            "SELECT name, description, stickiness, sort_order, legal_values, created_at
                 FROM context_fields ORDER BY sort_order, name",
            &[],
            context_field_from_row,
        )
    }

    /// Returns a context field.
    pub(crate) fn find_context_field(&self, name: &str) -> Result<Option<ContextField>, StoreError> {
        self.query_first(
            "SELECT name, description, stickiness, sort_order, legal_values, created_at
                 FROM context_fields WHERE name = ?1",
            params![name],
            context_field_from_row,
        )
    }

    /// Inserts a context field. `now` is RFC 3339 in UTC.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name is taken.
    pub(crate) fn insert_context_field(&self, field: &ContextField, now: &str) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO context_fields (name, description, stickiness, sort_order, legal_values, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                &field.name,
                &field.description,
                &field.stickiness,
                &field.sort_order,
                field.legal_values.as_ref().map(serde_json::to_string).transpose()?,
                now
            ],
        )?;
        Ok(())
    }

    /// Replaces a context field except its name and creation time. Returns false if it does not exist.
    pub(crate) fn replace_context_field(&self, field: &ContextField) -> Result<bool, StoreError> {
        let changed = self.execute(
            "UPDATE context_fields SET description = ?2, stickiness = ?3,
                 sort_order = ?4, legal_values = ?5 WHERE name = ?1",
            params![
                &field.name,
                &field.description,
                &field.stickiness,
                &field.sort_order,
                field.legal_values.as_ref().map(serde_json::to_string).transpose()?
            ],
        )?;
        Ok(changed > 0)
    }

    /// Deletes a context field. Returns false if it does not exist.
    pub(crate) fn delete_context_field(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM context_fields WHERE name = ?1", params![name])? > 0)
    }
}

fn context_field_from_row(row: &Row<'_>) -> Result<ContextField, StoreError> {
    Ok(ContextField {
        name: row.get("name")?,
        description: row.get("description")?,
        stickiness: row.get("stickiness")?,
        sort_order: row.get("sort_order")?,
        legal_values: row.json("legal_values")?,
        created_at: row.get("created_at")?,
    })
}
