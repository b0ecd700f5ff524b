//! Writes the rows of strategy definitions and context fields; `reference` reads them.

use rusqlite::named_params;

use super::{StoreError, Transaction};
use crate::flags::model::{ContextField, StrategyDefinition};

impl Transaction<'_> {
    /// Inserts a strategy definition.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name is taken.
    pub fn insert_strategy(&self, strategy: &StrategyDefinition) -> Result<(), StoreError> {
        let parameters = serde_json::to_string(&strategy.parameters)?;
        self.connection
            .prepare_cached("INSERT INTO strategies (name, description, parameters) VALUES (?1, ?2, ?3)")?
            .execute((&strategy.name, &strategy.description, parameters))?;
        Ok(())
    }

    /// Replaces the description and the parameters of a strategy definition.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace_strategy(&self, strategy: &StrategyDefinition) -> Result<(), StoreError> {
        let parameters = serde_json::to_string(&strategy.parameters)?;
        self.connection
            .prepare_cached("UPDATE strategies SET description = ?2, parameters = ?3 WHERE name = ?1")?
            .execute((&strategy.name, &strategy.description, parameters))?;
        Ok(())
    }

    /// Deletes a strategy definition.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_strategy(&self, name: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM strategies WHERE name = ?1")?.execute([name])?;
        Ok(())
    }

    /// Marks a strategy as deprecated or not. Returns false if it does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn set_deprecated(&self, name: &str, deprecated: bool) -> Result<bool, StoreError> {
        let sql = "UPDATE strategies SET deprecated = ?2 WHERE name = ?1";
        Ok(self.connection.prepare_cached(sql)?.execute((name, deprecated))? > 0)
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
