//! The rows of toggles.

use std::collections::HashSet;

use rusqlite::{OptionalExtension, Row, named_params};
use serde::Serialize;
use serde_json::value::RawValue;

use super::filter::ToggleFilter;
use super::service::NameState;
use crate::flags::database::{StoreError, Transaction};
use crate::flags::json_list::JsonList;
use crate::flags::model::{Toggle, ToggleDraft};

const COLUMNS: &str = "name, description, type, project, enabled, stale, strategies, variants, created_at, last_seen_at, \
                       dependencies, impression_data";

impl Transaction<'_> {
    /// Returns the toggles that match a filter and are not archived, sorted by name, as a JSON list of [`Toggle`].
    /// Stored JSON is copied as text: parsing it would be most of the work for a long list.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_toggles_json(&self, filter: &ToggleFilter) -> Result<Vec<u8>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM toggles WHERE archived = 0
             AND substr(name, 1, length(:prefix)) = :prefix
             AND (:projects = '[]' OR project IN (SELECT value FROM json_each(:projects)))
             AND (:tags = '[]' OR name IN (
                SELECT tagged.toggle FROM toggle_tags AS tagged JOIN json_each(:tags) AS wanted
                ON tagged.type = wanted.value ->> 'type' AND tagged.value = wanted.value ->> 'value'
             )) ORDER BY name"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let parameters = named_params! {
            ":prefix": filter.name_prefix,
            ":projects": serde_json::to_string(&filter.projects)?,
            ":tags": serde_json::to_string(&filter.tags)?,
        };
        let mut rows = statement.query(parameters)?;
        let mut list = JsonList::new(usize::MAX);
        while let Some(row) = rows.next()? {
            list.push(&ListedToggle::from_row(row)?)?;
        }
        Ok(list.into_json())
    }

    /// Returns the names of all toggles, including archived ones.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_toggle_names(&self) -> Result<HashSet<String>, StoreError> {
        self.connection
            .prepare_cached("SELECT name FROM toggles")?
            .query_and_then([], |row| Ok(row.get(0)?))?
            .collect()
    }

    /// Returns all toggles that are archived, or all that are not, sorted by name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_toggles(&self, archived: bool) -> Result<Vec<Toggle>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM toggles WHERE archived = ?1 ORDER BY name");
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.query_and_then([archived], toggle_from_row)?.collect()
    }

    /// Returns a toggle that is not archived.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_toggle(&self, name: &str) -> Result<Option<Toggle>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM toggles WHERE name = ?1 AND archived = 0");
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.query_and_then([name], toggle_from_row)?.next().transpose()
    }

    /// Returns whether a toggle has the name, and whether that toggle is archived.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn name_state(&self, name: &str) -> Result<NameState, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT archived FROM toggles WHERE name = ?1")?;
        Ok(match statement.query_row([name], |row| row.get(0)).optional()? {
            None => NameState::Free,
            Some(false) => NameState::Live,
            Some(true) => NameState::Archived,
        })
    }

    /// Returns the name of a toggle that depends on the toggle `parent` and is not archived.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_child(&self, parent: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT name FROM toggles, json_each(dependencies) AS dependency
                   WHERE archived = 0 AND dependencies IS NOT NULL AND dependency.value ->> 'feature' = ?1 LIMIT 1";
        Ok(self.connection.prepare_cached(sql)?.query_row([parent], |row| row.get(0)).optional()?)
    }

    /// Inserts a toggle. `now` is RFC 3339 in UTC.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name is taken.
    pub fn insert_toggle(&self, draft: &ToggleDraft, now: &str) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO toggles (name, description, type, project, enabled, stale, strategies, variants,
                 dependencies, impression_data, created_at)
                 VALUES (:name, :description, :type, :project, :enabled, :stale, :strategies, :variants,
                 :dependencies, :impression_data, :now)",
            )?
            .execute(named_params! {
                ":name": draft.name,
                ":description": draft.description,
                ":type": draft.kind,
                ":project": draft.project,
                ":enabled": draft.enabled,
                ":stale": draft.stale,
                ":strategies": serde_json::to_string(&draft.strategies)?,
                ":variants": serde_json::to_string(&draft.variants)?,
                ":dependencies": draft.dependencies.as_ref().map(serde_json::to_string).transpose()?,
                ":impression_data": draft.impression_data,
                ":now": now,
            })?;
        Ok(())
    }

    /// Replaces a toggle except its name and times. Returns false if it does not exist or is archived.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace_toggle(&self, draft: &ToggleDraft) -> Result<bool, StoreError> {
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE toggles SET description = :description, type = :type, project = :project,
                 enabled = :enabled, stale = :stale, strategies = :strategies, variants = :variants,
                 dependencies = :dependencies, impression_data = :impression_data
                 WHERE name = :name AND archived = 0",
            )?
            .execute(named_params! {
                ":name": draft.name,
                ":description": draft.description,
                ":type": draft.kind,
                ":project": draft.project,
                ":enabled": draft.enabled,
                ":stale": draft.stale,
                ":strategies": serde_json::to_string(&draft.strategies)?,
                ":variants": serde_json::to_string(&draft.variants)?,
                ":dependencies": draft.dependencies.as_ref().map(serde_json::to_string).transpose()?,
                ":impression_data": draft.impression_data,
            })?;
        Ok(changed > 0)
    }

    /// Switches a toggle on or off. Returns false if it does not exist or is archived.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn set_enabled(&self, name: &str, enabled: bool) -> Result<bool, StoreError> {
        let sql = "UPDATE toggles SET enabled = ?2 WHERE name = ?1 AND archived = 0";
        Ok(self.connection.prepare_cached(sql)?.execute((name, enabled))? > 0)
    }

    /// Marks a toggle as stale or active. Returns false if it does not exist or is archived.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn set_stale(&self, name: &str, stale: bool) -> Result<bool, StoreError> {
        let sql = "UPDATE toggles SET stale = ?2 WHERE name = ?1 AND archived = 0";
        Ok(self.connection.prepare_cached(sql)?.execute((name, stale))? > 0)
    }

    /// Archives or revives a toggle. In both cases it is off afterwards, so that reviving does not switch a feature on.
    /// Returns false if it does not exist or is already in that state.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn set_archived(&self, name: &str, archived: bool) -> Result<bool, StoreError> {
        let sql = "UPDATE toggles SET archived = ?2, enabled = 0 WHERE name = ?1 AND archived <> ?2";
        Ok(self.connection.prepare_cached(sql)?.execute((name, archived))? > 0)
    }
}

/// A [`Toggle`] whose JSON columns are not parsed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedToggle<'row> {
    name: &'row str,
    description: Option<&'row str>,
    #[serde(rename = "type")]
    kind: &'row str,
    project: &'row str,
    enabled: bool,
    stale: bool,
    strategies: &'row RawValue,
    variants: &'row RawValue,
    created_at: &'row str,
    last_seen_at: Option<&'row str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<&'row RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impression_data: Option<bool>,
}

impl<'row> ListedToggle<'row> {
    /// Reads the [`COLUMNS`] by index: by name, each row would look up each name.
    fn from_row(row: &'row Row<'_>) -> Result<Self, StoreError> {
        let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        let text_or_null =
            |column: usize| row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from);
        Ok(Self {
            name: text(0)?,
            description: text_or_null(1)?,
            kind: text(2)?,
            project: text(3)?,
            enabled: row.get(4)?,
            stale: row.get(5)?,
            strategies: serde_json::from_str(text(6)?)?,
            variants: serde_json::from_str(text(7)?)?,
            created_at: text(8)?,
            last_seen_at: text_or_null(9)?,
            dependencies: text_or_null(10)?.map(serde_json::from_str).transpose()?,
            impression_data: row.get(11)?,
        })
    }
}

fn toggle_from_row(row: &Row<'_>) -> Result<Toggle, StoreError> {
    let dependencies = row.get_ref("dependencies")?.as_str_or_null().map_err(rusqlite::Error::from)?;
    Ok(Toggle {
        name: row.get("name")?,
        description: row.get("description")?,
        kind: row.get("type")?,
        project: row.get("project")?,
        enabled: row.get("enabled")?,
        stale: row.get("stale")?,
        strategies: serde_json::from_str(
            row.get_ref("strategies")?.as_str().map_err(rusqlite::Error::from)?,
        )?,
        variants: serde_json::from_str(row.get_ref("variants")?.as_str().map_err(rusqlite::Error::from)?)?,
        created_at: row.get("created_at")?,
        last_seen_at: row.get("last_seen_at")?,
        dependencies: dependencies.map(serde_json::from_str).transpose()?,
        impression_data: row.get("impression_data")?,
    })
}
