//! The rows of strategy definitions.

use rusqlite::Row;

use crate::flags::database::{StoreError, Transaction};
use crate::flags::model::StrategyDefinition;

impl Transaction<'_> {
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
