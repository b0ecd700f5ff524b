//! The rows of addons and of their secrets, which are sealed before they get here.

use rusqlite::{OptionalExtension as _, Row, named_params};

use super::{Session, StoreError};
use crate::flags::model::{Addon, AddonDraft};

const COLUMNS: &str = "id, provider, description, enabled, parameters, events";

impl Session<'_> {
    /// All addons by id, without their secrets.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn addons(&self) -> Result<Vec<Addon>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM addons ORDER BY id");
        self.connection.prepare_cached(&sql)?.query_and_then([], addon)?.collect()
    }

    /// One addon, without its secrets.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn addon(&self, id: i64) -> Result<Option<Addon>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM addons WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([id], addon)?.next().transpose()
    }

    /// Adds an addon, and answers its id.
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

    /// Replaces all of an addon but its id and its secrets.
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

    /// Removes an addon with its secrets and all that is still to be delivered to it. False where there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_addon(&self, id: i64) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM addons WHERE id = ?1")?.execute([id])? > 0)
    }

    /// The names of the parameters of which an addon has a secret.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn names_of_secrets(&self, addon: i64) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT parameter FROM addon_secrets WHERE addon = ?1 ORDER BY parameter";
        let mut statement = self.connection.prepare_cached(sql)?;
        let names = statement.query_map([addon], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }

    /// A secret as it was sealed.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn secret(&self, addon: i64, parameter: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT sealed FROM addon_secrets WHERE addon = ?1 AND parameter = ?2";
        Ok(self.connection.prepare_cached(sql)?.query_row((addon, parameter), |row| row.get(0)).optional()?)
    }

    /// Keeps a sealed secret in the place of the one before.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn keep_secret(&self, addon: i64, parameter: &str, sealed: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO addon_secrets (addon, parameter, sealed) VALUES (?1, ?2, ?3)";
        self.connection.prepare_cached(sql)?.execute((addon, parameter, sealed))?;
        Ok(())
    }

    /// Forgets a secret.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn forget_secret(&self, addon: i64, parameter: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM addon_secrets WHERE addon = ?1 AND parameter = ?2";
        self.connection.prepare_cached(sql)?.execute((addon, parameter))?;
        Ok(())
    }
}

fn addon(row: &Row<'_>) -> Result<Addon, StoreError> {
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
