//! The rows of addons and of their secrets. Callers encrypt the secrets first.

mod deliveries;

use rusqlite::{OptionalExtension as _, Row, named_params};

use crate::flags::database::{StoreError, Transaction};
use crate::flags::model::{Addon, AddonDraft};

const COLUMNS: &str = "id, provider, description, enabled, parameters, events";

impl Transaction<'_> {
    /// Returns all addons without their secrets, sorted by id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_addons(&self) -> Result<Vec<Addon>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM addons ORDER BY id");
        self.connection.prepare_cached(&sql)?.query_and_then([], addon_from_row)?.collect()
    }

    /// Returns an addon without its secrets.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_addon(&self, id: i64) -> Result<Option<Addon>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM addons WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([id], addon_from_row)?.next().transpose()
    }

    /// Inserts an addon and returns its id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn insert_addon(&self, draft: &AddonDraft) -> Result<i64, StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO addons (provider, description, enabled, parameters, events)
                 VALUES (:provider, :description, :enabled, :parameters, :events)",
            )?
            .execute(named_params! {
                ":provider": draft.provider,
                ":description": draft.description,
                ":enabled": draft.enabled,
                ":parameters": serde_json::to_string(&draft.parameters)?,
                ":events": serde_json::to_string(&draft.events)?,
            })?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Replaces an addon except its id and its secrets.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace_addon(&self, id: i64, draft: &AddonDraft) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "UPDATE addons SET provider = :provider, description = :description, enabled = :enabled,
                 parameters = :parameters, events = :events WHERE id = :id",
            )?
            .execute(named_params! {
                ":id": id,
                ":provider": draft.provider,
                ":description": draft.description,
                ":enabled": draft.enabled,
                ":parameters": serde_json::to_string(&draft.parameters)?,
                ":events": serde_json::to_string(&draft.events)?,
            })?;
        Ok(())
    }

    /// Deletes an addon with its secrets and its pending deliveries. Returns false if it does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_addon(&self, id: i64) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM addons WHERE id = ?1")?.execute([id])? > 0)
    }

    /// Returns the sorted names of an addon's parameters that have a stored secret.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_secret_names(&self, addon: i64) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT parameter FROM addon_secrets WHERE addon = ?1 ORDER BY parameter";
        let mut statement = self.connection.prepare_cached(sql)?;
        let names = statement.query_map([addon], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }

    /// Returns an encrypted secret.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_secret(&self, addon: i64, parameter: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT sealed FROM addon_secrets WHERE addon = ?1 AND parameter = ?2";
        Ok(self.connection.prepare_cached(sql)?.query_row((addon, parameter), |row| row.get(0)).optional()?)
    }

    /// Inserts or replaces an encrypted secret.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn save_secret(&self, addon: i64, parameter: &str, sealed: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO addon_secrets (addon, parameter, sealed) VALUES (?1, ?2, ?3)";
        self.connection.prepare_cached(sql)?.execute((addon, parameter, sealed))?;
        Ok(())
    }

    /// Deletes a secret.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_secret(&self, addon: i64, parameter: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM addon_secrets WHERE addon = ?1 AND parameter = ?2";
        self.connection.prepare_cached(sql)?.execute((addon, parameter))?;
        Ok(())
    }
}

fn addon_from_row(row: &Row<'_>) -> Result<Addon, StoreError> {
    let parameters: String = row.get("parameters")?;
    let events: String = row.get("events")?;
    let draft = AddonDraft {
        provider: row.get("provider")?,
        enabled: row.get("enabled")?,
        description: row.get("description")?,
        parameters: serde_json::from_str(&parameters)?,
        events: serde_json::from_str(&events)?,
    };
    Ok(Addon { id: row.get("id")?, draft })
}
