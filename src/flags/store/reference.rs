//! Reads the rows of strategy definitions and context fields, and the id of this installation.

use rusqlite::Row;

use super::{StoreError, Transaction};
use crate::flags::model::{ContextField, StrategyDefinition};

impl Transaction<'_> {
    /// Returns the UUID of this installation, which was generated when the database was created.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn read_instance_id(&self) -> Result<String, StoreError> {
        Ok(self.connection.query_row("SELECT id FROM instance", [], |row| row.get(0))?)
    }

    /// Returns all strategy definitions, sorted by name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_strategies(&self) -> Result<Vec<StrategyDefinition>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, description, parameters, deprecated, editable FROM strategies ORDER BY name",
            )?
            .query_and_then([], strategy_from_row)?
            .collect()
    }

    /// Returns a strategy definition.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_strategy(&self, name: &str) -> Result<Option<StrategyDefinition>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT name, description, parameters, deprecated, editable FROM strategies WHERE name = ?1",
            )?
            .query_and_then([name], strategy_from_row)?
            .next()
            .transpose()
    }

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
}

fn strategy_from_row(row: &Row<'_>) -> Result<StrategyDefinition, StoreError> {
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
