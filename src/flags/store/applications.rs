//! The applications that reported, and what they use.

use rusqlite::{Row, named_params};

use super::{Session, StoreError};
use crate::flags::model::{Instance, SeenApp};

const COLUMNS: &str = "name, created_at, updated_at, created_by, strategies, description, url, icon";

/// The maximum number of instances in the description of an application; the newest are listed.
const MAX_LISTED_INSTANCES: u32 = 2_000;

/// An application that asked for a toggle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToggleUse {
    /// The name that it asked for.
    pub toggle: String,
    /// Its name.
    pub application: String,
    /// False if no toggle has that name.
    pub exists: bool,
}

/// What people may say about an application; nothing said leaves it as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApplicationTexts {
    /// The name of an icon.
    pub icon: Option<String>,
    /// Where it runs or is described.
    pub url: Option<String>,
    /// Free text.
    pub description: Option<String>,
}

impl Session<'_> {
    /// All applications by name, or those that implement a strategy.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn applications(&self, strategy: Option<&str>) -> Result<Vec<SeenApp>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM applications
             WHERE ?1 IS NULL OR EXISTS (SELECT 1 FROM json_each(strategies) WHERE value = ?1) ORDER BY name"
        );
        self.connection.prepare_cached(&sql)?.query_and_then([strategy], application)?.collect()
    }

    /// One application.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn application(&self, name: &str) -> Result<Option<SeenApp>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM applications WHERE name = ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([name], application)?.next().transpose()
    }

    /// All pairs of a toggle and an application that asked for it, by toggle and application.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn toggle_uses(&self) -> Result<Vec<ToggleUse>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT toggle, application, EXISTS (SELECT 1 FROM toggles WHERE name = toggle)
                 FROM toggle_uses ORDER BY toggle, application",
            )?
            .query_and_then([], |row| {
                Ok(ToggleUse { toggle: row.get(0)?, application: row.get(1)?, exists: row.get(2)? })
            })?
            .collect()
    }

    /// The instances of an application that were heard of lately, at most [`MAX_LISTED_INSTANCES`].
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn instances(&self, application: &str) -> Result<Vec<Instance>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT * FROM (
                    SELECT application, id, sdk_version, address, last_seen_at, created_at
                    FROM instances WHERE application = ?1 ORDER BY last_seen_at DESC, id LIMIT ?2
                 ) ORDER BY id",
            )?
            .query_and_then((application, MAX_LISTED_INSTANCES), instance)?
            .collect()
    }

    /// The names of the toggles that an application asked for, also of those that do not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn toggles_used_by(&self, application: &str) -> Result<Vec<String>, StoreError> {
        self.connection
            .prepare_cached("SELECT toggle FROM toggle_uses WHERE application = ?1 ORDER BY toggle")?
            .query_and_then([application], |row| Ok(row.get("toggle")?))?
            .collect()
    }

    /// Writes what somebody says about an application. False where there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn describe_application(&self, name: &str, texts: &ApplicationTexts) -> Result<bool, StoreError> {
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE applications SET icon = coalesce(:icon, icon), url = coalesce(:url, url),
                 description = coalesce(:description, description) WHERE name = :name",
            )?
            .execute(named_params! {
                ":name": name,
                ":icon": texts.icon,
                ":url": texts.url,
                ":description": texts.description,
            })?;
        Ok(changed > 0)
    }

    /// Forgets an application with its instances, until it reports again.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_application(&self, name: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM applications WHERE name = ?1")?.execute([name])?;
        Ok(())
    }
}

fn application(row: &Row<'_>) -> Result<SeenApp, StoreError> {
    let strategies: String = row.get("strategies")?;
    Ok(SeenApp {
        app_name: row.get("name")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        description: row.get("description")?,
        strategies: serde_json::from_str(&strategies)?,
        created_by: row.get("created_by")?,
        url: row.get("url")?,
        color: None,
        icon: row.get("icon")?,
    })
}

fn instance(row: &Row<'_>) -> Result<Instance, StoreError> {
    Ok(Instance {
        app_name: row.get("application")?,
        instance_id: row.get("id")?,
        sdk_version: row.get("sdk_version")?,
        client_ip: row.get("address")?,
        last_seen: row.get("last_seen_at")?,
        created_at: row.get("created_at")?,
    })
}
