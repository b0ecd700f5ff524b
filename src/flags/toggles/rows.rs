//! The rows of toggles.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::Serialize;
use serde_json::value::RawValue;

use super::filter::ToggleFilter;
use super::transactions::NameState;
use crate::api::json_list::JsonList;
use crate::api::{Toggle, ToggleDraft};
use crate::database::{Parameter, Row, StoreError, Transaction, params};

const COLUMNS: &str = "name, description, type, project, enabled, stale, strategies, variants, created_at, last_seen_at, \
                       dependencies, impression_data";

impl Transaction<'_> {
    /// Returns the toggles that match a filter and are not archived, sorted by name, as a JSON list of [`Toggle`].
    /// Stored JSON is copied as text: parsing it would be most of the work for a long list.
    pub(crate) fn list_toggles_json(&self, filter: &ToggleFilter) -> Result<Vec<u8>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM toggles WHERE NOT archived
             AND substr(name, 1, length(?1)) = ?1
             AND (?2 = '[]' OR project IN (SELECT value FROM json_each(?2)))
             AND (?3 = '[]' OR name IN (
                SELECT tagged.toggle FROM toggle_tags AS tagged JOIN json_each(?3) AS wanted
                ON tagged.type = json_extract(wanted.value, '$.type')
                AND tagged.value = json_extract(wanted.value, '$.value')
             )) ORDER BY name"
        );
        let (projects, tags) =
            (serde_json::to_string(&filter.projects)?, serde_json::to_string(&filter.tags)?);
        let mut list = JsonList::new(usize::MAX);
        self.visit_rows(&sql, params![&filter.name_prefix, projects, tags], &mut |row| {
            Ok(list.push(&ListedToggle::from_row(row)?)?)
        })?;
        Ok(list.into_json())
    }

    /// Returns a hash of the times of the last reports about the toggles that are not archived.
    pub(crate) fn hash_last_seen(&self) -> Result<u64, StoreError> {
        let sql = "SELECT name, last_seen_at FROM toggles
             WHERE NOT archived AND last_seen_at IS NOT NULL ORDER BY name";
        let mut hasher = DefaultHasher::new();
        self.visit_rows(sql, &[], &mut |row| {
            (row.get::<&str>(0)?, row.get::<&str>(1)?).hash(&mut hasher);
            Ok(true)
        })?;
        Ok(hasher.finish())
    }

    /// Returns the names of all toggles, including archived ones.
    pub(crate) fn list_toggle_names(&self) -> Result<HashSet<String>, StoreError> {
        self.query("SELECT name FROM toggles", &[], |row| row.get(0))
    }

    /// Returns all toggles that are archived, or all that are not, sorted by name.
    pub(crate) fn list_toggles(&self, archived: bool) -> Result<Vec<Toggle>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM toggles WHERE archived = ?1 ORDER BY name");
        self.query(&sql, params![archived], toggle_from_row)
    }

    /// Returns a toggle that is not archived.
    pub(crate) fn find_toggle(&self, name: &str) -> Result<Option<Toggle>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM toggles WHERE name = ?1 AND NOT archived");
        self.query_first(&sql, params![name], toggle_from_row)
    }

    /// Returns whether a toggle has the name, and whether that toggle is archived.
    pub(crate) fn name_state(&self, name: &str) -> Result<NameState, StoreError> {
        Ok(match self.find_value("SELECT archived FROM toggles WHERE name = ?1", params![name])? {
            None => NameState::Free,
            Some(false) => NameState::Live,
            Some(true) => NameState::Archived,
        })
    }

    /// Returns the name of a toggle that depends on the toggle `parent` and is not archived.
    pub(crate) fn find_child(&self, parent: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT name FROM toggles, json_each(dependencies) AS dependency
                   WHERE NOT archived AND dependencies IS NOT NULL
                   AND json_extract(dependency.value, '$.feature') = ?1 LIMIT 1";
        self.find_value(sql, params![parent])
    }

    /// Inserts a toggle. `now` is RFC 3339 in UTC.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name is taken.
    pub(crate) fn insert_toggle(&self, draft: &ToggleDraft, now: &str) -> Result<(), StoreError> {
        let mut values = values_of(draft)?;
        values.push(now.into());
        self.execute(
            "INSERT INTO toggles (name, description, type, project, enabled, stale, strategies, variants,
                 dependencies, impression_data, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            &values,
        )?;
        Ok(())
    }

    /// Replaces a toggle except its name and times. Returns false if it does not exist or is archived.
    pub(crate) fn replace_toggle(&self, draft: &ToggleDraft) -> Result<bool, StoreError> {
        let changed = self.execute(
            "UPDATE toggles SET description = ?2, type = ?3, project = ?4,
                 enabled = ?5, stale = ?6, strategies = ?7, variants = ?8,
                 dependencies = ?9, impression_data = ?10
                 WHERE name = ?1 AND NOT archived",
            &values_of(draft)?,
        )?;
        Ok(changed > 0)
    }

    /// Switches a toggle on or off, and returns it. Returns `None` if it does not exist or is archived.
    pub(crate) fn set_enabled(&self, name: &str, enabled: bool) -> Result<Option<Toggle>, StoreError> {
        let sql =
            format!("UPDATE toggles SET enabled = ?2 WHERE name = ?1 AND NOT archived RETURNING {COLUMNS}");
        self.query_first(&sql, params![name, enabled], toggle_from_row)
    }

    /// Marks a toggle as stale or active, and returns it. Returns `None` if it does not exist or is archived.
    pub(crate) fn set_stale(&self, name: &str, stale: bool) -> Result<Option<Toggle>, StoreError> {
        let sql =
            format!("UPDATE toggles SET stale = ?2 WHERE name = ?1 AND NOT archived RETURNING {COLUMNS}");
        self.query_first(&sql, params![name, stale], toggle_from_row)
    }

    /// Archives or revives a toggle. In both cases it is off afterwards, so that reviving does not switch a feature on.
    /// Returns false if it does not exist or is already in that state.
    pub(crate) fn set_archived(&self, name: &str, archived: bool) -> Result<bool, StoreError> {
        let sql = "UPDATE toggles SET archived = ?2, enabled = FALSE WHERE name = ?1 AND archived <> ?2";
        Ok(self.execute(sql, params![name, archived])? > 0)
    }
}

/// Returns the values of the columns name, description, type, project, enabled, stale, strategies, variants, dependencies
/// and `impression_data`.
fn values_of(draft: &ToggleDraft) -> Result<Vec<Parameter<'_>>, StoreError> {
    let values = params![
        &draft.name,
        &draft.description,
        &draft.kind,
        &draft.project,
        &draft.enabled,
        &draft.stale,
        serde_json::to_string(&draft.strategies)?,
        serde_json::to_string(&draft.variants)?,
        draft.dependencies.as_ref().map(serde_json::to_string).transpose()?,
        draft.impression_data
    ];
    Ok(values.to_vec())
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
    fn from_row(row: &Row<'row>) -> Result<Self, StoreError> {
        Ok(Self {
            name: row.get(0)?,
            description: row.get(1)?,
            kind: row.get(2)?,
            project: row.get(3)?,
            enabled: row.get(4)?,
            stale: row.get(5)?,
            strategies: row.json(6)?,
            variants: row.json(7)?,
            created_at: row.get(8)?,
            last_seen_at: row.get(9)?,
            dependencies: row.json(10)?,
            impression_data: row.get(11)?,
        })
    }
}

fn toggle_from_row(row: &Row<'_>) -> Result<Toggle, StoreError> {
    Ok(Toggle {
        name: row.get("name")?,
        description: row.get("description")?,
        kind: row.get("type")?,
        project: row.get("project")?,
        enabled: row.get("enabled")?,
        stale: row.get("stale")?,
        strategies: row.json("strategies")?,
        variants: row.json("variants")?,
        created_at: row.get("created_at")?,
        last_seen_at: row.get("last_seen_at")?,
        dependencies: row.json("dependencies")?,
        impression_data: row.get("impression_data")?,
    })
}
