//! The rows of addons and of their secrets. Callers encrypt the secrets first.

mod deliveries;

use crate::api::{Addon, AddonDraft};
use crate::database::inspect::{LIST_SECRETS, StoredSecret};
use crate::database::{Row, StoreError, Transaction, params};

const COLUMNS: &str = "id, provider, description, enabled, parameters, events";

impl Transaction<'_> {
    /// Returns all addons without their secrets, sorted by id.
    pub(crate) fn list_addons(&self) -> Result<Vec<Addon>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM addons ORDER BY id");
        self.query(&sql, &[], addon_from_row)
    }

    /// Returns an addon without its secrets.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_addon(&self, id: i64) -> Result<Option<Addon>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM addons WHERE id = ?1");
        self.query_first(&sql, params![id], addon_from_row)
    }

    /// Inserts an addon and returns its id.
    pub(crate) fn insert_addon(&self, draft: &AddonDraft) -> Result<i64, StoreError> {
        self.query_value(
            "INSERT INTO addons (provider, description, enabled, parameters, events)
                 VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
            params![
                &draft.provider,
                &draft.description,
                &draft.enabled,
                serde_json::to_string(&draft.parameters)?,
                serde_json::to_string(&draft.events)?
            ],
        )
    }

    /// Replaces an addon except its id and its secrets.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace_addon(&self, id: i64, draft: &AddonDraft) -> Result<(), StoreError> {
        self.execute(
            "UPDATE addons SET provider = ?2, description = ?3, enabled = ?4,
                 parameters = ?5, events = ?6 WHERE id = ?1",
            params![
                id,
                &draft.provider,
                &draft.description,
                &draft.enabled,
                serde_json::to_string(&draft.parameters)?,
                serde_json::to_string(&draft.events)?
            ],
        )?;
        Ok(())
    }

    /// Deletes an addon with its secrets and its pending deliveries. Returns false if it does not exist.
    pub(crate) fn delete_addon(&self, id: i64) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM addons WHERE id = ?1", params![id])? > 0)
    }

    /// Returns the sorted names of an addon's parameters that have a stored secret.
    pub(crate) fn list_secret_names(&self, addon: i64) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT parameter FROM addon_secrets WHERE addon = ?1 ORDER BY parameter";
        self.query(sql, params![addon], |row| row.get(0))
    }

    /// Returns the encrypted secrets of all addons: id of the addon, name of the parameter, and ciphertext.
    pub(crate) fn list_secrets(&self) -> Result<Vec<StoredSecret>, StoreError> {
        self.query(LIST_SECRETS, &[], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    /// Returns an encrypted secret.
    pub(crate) fn find_secret(&self, addon: i64, parameter: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT sealed FROM addon_secrets WHERE addon = ?1 AND parameter = ?2";
        self.find_value(sql, params![addon, parameter])
    }

    /// Inserts or replaces an encrypted secret.
    pub(crate) fn save_secret(&self, addon: i64, parameter: &str, sealed: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT INTO addon_secrets (addon, parameter, sealed) VALUES (?1, ?2, ?3)
                   ON CONFLICT (addon, parameter) DO UPDATE SET sealed = excluded.sealed";
        self.execute(sql, params![addon, parameter, sealed])?;
        Ok(())
    }

    /// Deletes a secret.
    pub(crate) fn delete_secret(&self, addon: i64, parameter: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM addon_secrets WHERE addon = ?1 AND parameter = ?2";
        self.execute(sql, params![addon, parameter])?;
        Ok(())
    }
}

fn addon_from_row(row: &Row<'_>) -> Result<Addon, StoreError> {
    let draft = AddonDraft {
        provider: row.get("provider")?,
        enabled: row.get("enabled")?,
        description: row.get("description")?,
        parameters: row.json("parameters")?,
        events: row.json("events")?,
    };
    Ok(Addon { id: row.get("id")?, draft })
}
