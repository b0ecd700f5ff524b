//! What toggles refer to: strategy definitions, context fields, and the identity of this installation.

use rusqlite::Row;

use super::{Session, StoreError};
use crate::flags::model::{ContextField, StrategyDefinition};

impl Session<'_> {
    /// The UUID of this installation, given when the database was created.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn instance_id(&self) -> Result<String, StoreError> {
        Ok(self.connection.query_row("SELECT id FROM instance", [], |row| row.get(0))?)
    }

    /// All strategy definitions by name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn strategies(&self) -> Result<Vec<StrategyDefinition>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, description, parameters, deprecated, editable FROM strategies ORDER BY name",
            )?
            .query_and_then([], strategy)?
            .collect()
    }

    /// One strategy definition.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn strategy(&self, name: &str) -> Result<Option<StrategyDefinition>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, description, parameters, deprecated, editable FROM strategies WHERE name = ?1",
            )?
            .query_and_then([name], strategy)?
            .next()
            .transpose()
    }

    /// All context fields in their order.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn context_fields(&self) -> Result<Vec<ContextField>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, description, stickiness, sort_order, legal_values, created_at
                 FROM context_fields ORDER BY sort_order, name",
            )?
            .query_and_then([], context_field)?
            .collect()
    }

    /// One context field.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn context_field(&self, name: &str) -> Result<Option<ContextField>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, description, stickiness, sort_order, legal_values, created_at
                 FROM context_fields WHERE name = ?1",
            )?
            .query_and_then([name], context_field)?
            .next()
            .transpose()
    }
}

fn strategy(row: &Row<'_>) -> Result<StrategyDefinition, StoreError> {
    let parameters: String = row.get("parameters")?;
    Ok(StrategyDefinition {
        name: row.get("name")?,
        display_name: None,
        editable: row.get("editable")?,
        description: row.get("description")?,
        parameters: serde_json::from_str(&parameters)?,
        deprecated: row.get("deprecated")?,
    })
}

fn context_field(row: &Row<'_>) -> Result<ContextField, StoreError> {
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
