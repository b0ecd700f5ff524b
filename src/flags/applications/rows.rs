//! The rows of applications that reported usage, their instances, and the toggles that they use.

use super::rules::ApplicationTexts;
use super::seen_apps::ToggleUse;
use crate::api::{ClientApi, Instance, SeenApp};
use crate::database::{Row, StoreError, Transaction, params};

const COLUMNS: &str = "name, created_at, updated_at, created_by, strategies, description, url, icon";

impl Transaction<'_> {
    /// Returns all applications, or those that implement `strategy`, sorted by name.
    pub(crate) fn list_applications(&self, strategy: Option<&str>) -> Result<Vec<SeenApp>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM applications
             WHERE ?1 IS NULL OR EXISTS (SELECT 1 FROM json_each(strategies) WHERE value = ?1) ORDER BY name"
        );
        self.query(&sql, params![strategy], application_from_row)
    }

    /// Returns an application.
    pub(crate) fn find_application(&self, name: &str) -> Result<Option<SeenApp>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM applications WHERE name = ?1");
        self.query_first(&sql, params![name], application_from_row)
    }

    /// Returns all uses of toggles by applications, sorted by toggle and application.
    pub(crate) fn list_toggle_uses(&self) -> Result<Vec<ToggleUse>, StoreError> {
        self.query(
            "SELECT toggle, application, EXISTS (SELECT 1 FROM toggles WHERE name = toggle)
                 FROM toggle_uses ORDER BY toggle, application",
            &[],
            |row| Ok(ToggleUse { toggle: row.get(0)?, application: row.get(1)?, exists: row.get(2)? }),
        )
    }

    /// Returns the instances of an application with the newest reports, at most `max`, sorted by id.
    pub(crate) fn list_newest_instances(
        &self,
        application: &str,
        max: u32,
    ) -> Result<Vec<Instance>, StoreError> {
        self.query(
            "SELECT * FROM (
                    SELECT application, id, sdk_version, address, api, last_seen_at, created_at
                    FROM instances WHERE application = ?1 ORDER BY last_seen_at DESC, id LIMIT ?2
                 ) AS newest ORDER BY id",
            params![application, max],
            instance_from_row,
        )
    }

    /// Returns the names of the toggles that an application uses, including names that do not exist.
    pub(crate) fn list_toggles_used_by(&self, application: &str) -> Result<Vec<String>, StoreError> {
        self.query(
            "SELECT toggle FROM toggle_uses WHERE application = ?1 ORDER BY toggle",
            params![application],
            |row| row.get("toggle"),
        )
    }

    /// Updates the texts of an application. Returns false if it does not exist.
    pub(crate) fn update_application_texts(
        &self,
        name: &str,
        texts: &ApplicationTexts,
    ) -> Result<bool, StoreError> {
        let changed = self.execute(
            "UPDATE applications SET icon = coalesce(?2, icon), url = coalesce(?3, url),
                 description = coalesce(?4, description) WHERE name = ?1",
            params![name, &texts.icon, &texts.url, &texts.description],
        )?;
        Ok(changed > 0)
    }

    /// Deletes an application with its instances. Its next report creates it again.
    pub(crate) fn delete_application(&self, name: &str) -> Result<(), StoreError> {
        self.execute("DELETE FROM applications WHERE name = ?1", params![name])?;
        Ok(())
    }
}

fn application_from_row(row: &Row<'_>) -> Result<SeenApp, StoreError> {
    Ok(SeenApp {
        app_name: row.get("name")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        description: row.get("description")?,
        strategies: row.json("strategies")?,
        created_by: row.get("created_by")?,
        url: row.get("url")?,
        color: None,
        icon: row.get("icon")?,
    })
}

fn instance_from_row(row: &Row<'_>) -> Result<Instance, StoreError> {
    Ok(Instance {
        app_name: row.get("application")?,
        instance_id: row.get("id")?,
        sdk_version: row.get("sdk_version")?,
        client_ip: row.get("address")?,
        api: row.get::<Option<String>>("api")?.and_then(|name| ClientApi::from_name(&name)),
        last_seen: row.get("last_seen_at")?,
        created_at: row.get("created_at")?,
    })
}
