//! The rows of context fields.

use rusqlite::{Row, named_params};

use crate::flags::database::{StoreError, Transaction};
use crate::flags::model::ContextField;

impl Transaction<'_> {
    /// Returns all context fields, sorted by `sort_order` and name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_context_fields(&self) -> Result<Vec<ContextField>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, description, stickiness, sort_order, legal_values, created_at
                 FROM context_fields ORDER BY sort_order, name",
            )?
            .query_and_then([], context_field_from_row)?
            .collect()
    }

    /// Returns a context field.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_context_field(&self, name: &str) -> Result<Option<ContextField>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, description, stickiness, sort_order, legal_values, created_at
                 FROM context_fields WHERE name = ?1",
            )?
            .query_and_then([name], context_field_from_row)?
            .next()
            .transpose()
    }

    /// Inserts a context field. `now` is RFC 3339 in UTC.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name is taken.
    pub fn insert_context_field(&self, field: &ContextField, now: &str) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO context_fields (name, description, stickiness, sort_order, legal_values, created_at)
                 VALUES (:name, :description, :stickiness, :sort_order, :legal_values, :now)",
            )?
            .execute(named_params! {
                ":name": field.name,
                ":description": field.description,
                ":stickiness": field.stickiness,
                ":sort_order": field.sort_order,
                ":legal_values": field.legal_values.as_ref().map(serde_json::to_string).transpose()?,
                ":now": now,
            })?;
        Ok(())
    }

    /// Replaces a context field except its name and creation time. Returns false if it does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace_context_field(&self, field: &ContextField) -> Result<bool, StoreError> {
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE context_fields SET description = :description, stickiness = :stickiness,
                 sort_order = :sort_order, legal_values = :legal_values WHERE name = :name",
            )?
            .execute(named_params! {
                ":name": field.name,
                ":description": field.description,
                ":stickiness": field.stickiness,
                ":sort_order": field.sort_order,
                ":legal_values": field.legal_values.as_ref().map(serde_json::to_string).transpose()?,
            })?;
        Ok(changed > 0)
    }

    /// Deletes a context field. Returns false if it does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_context_field(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM context_fields WHERE name = ?1")?.execute([name])? > 0)
    }
}

fn context_field_from_row(row: &Row<'_>) -> Result<ContextField, StoreError> {
    let legal_values: Option<String> = row.get("legal_values")?;
    Ok(ContextField {
        name: row.get("name")?,
        description: row.get("description")?,
        stickiness: row.get("stickiness")?,
        sort_order: row.get("sort_order")?,
        legal_values: legal_values.map(|values| serde_json::from_str(&values)).transpose()?,
        created_at: row.get("created_at")?,
    })
}
