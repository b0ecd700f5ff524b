//! The rows of strategy definitions.

use crate::api::StrategyDefinition;
use crate::database::{Row, StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns all strategy definitions, sorted by name.
    pub(crate) fn list_strategies(&self) -> Result<Vec<StrategyDefinition>, StoreError> {
        self.query(
            "SELECT name, description, parameters, deprecated, editable FROM strategies ORDER BY name",
            &[],
            strategy_from_row,
        )
    }

    /// Returns a strategy definition.
    pub(crate) fn find_strategy(&self, name: &str) -> Result<Option<StrategyDefinition>, StoreError> {
        self.query_first(
            "SELECT name, description, parameters, deprecated, editable FROM strategies WHERE name = ?1",
            params![name],
            strategy_from_row,
        )
    }

    /// Inserts a strategy definition.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name is taken.
    pub(crate) fn insert_strategy(&self, strategy: &StrategyDefinition) -> Result<(), StoreError> {
        let parameters = serde_json::to_string(&strategy.parameters)?;
        self.execute(
            "INSERT INTO strategies (name, description, parameters) VALUES (?1, ?2, ?3)",
            params![&strategy.name, &strategy.description, parameters],
        )?;
        Ok(())
    }

    /// Replaces the description and the parameters of a strategy definition.
    pub(crate) fn replace_strategy(&self, strategy: &StrategyDefinition) -> Result<(), StoreError> {
        let parameters = serde_json::to_string(&strategy.parameters)?;
        self.execute(
            "UPDATE strategies SET description = ?2, parameters = ?3 WHERE name = ?1",
            params![&strategy.name, &strategy.description, parameters],
        )?;
        Ok(())
    }

    /// Deletes a strategy definition.
    pub(crate) fn delete_strategy(&self, name: &str) -> Result<(), StoreError> {
        self.execute("DELETE FROM strategies WHERE name = ?1", params![name])?;
        Ok(())
    }

    /// Marks a strategy as deprecated or not. Returns false if it does not exist.
    pub(crate) fn set_deprecated(&self, name: &str, deprecated: bool) -> Result<bool, StoreError> {
        let sql = "UPDATE strategies SET deprecated = ?2 WHERE name = ?1";
        Ok(self.execute(sql, params![name, deprecated])? > 0)
    }
}

fn strategy_from_row(row: &Row<'_>) -> Result<StrategyDefinition, StoreError> {
    Ok(StrategyDefinition {
        name: row.get("name")?,
        display_name: None,
        editable: row.get("editable")?,
        description: row.get("description")?,
        parameters: row.json("parameters")?,
        deprecated: row.get("deprecated")?,
    })
}
