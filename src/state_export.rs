//! Reads exports of servers with environments: `GET /api/admin/state/export` (4.3 to 5.x), and `POST
//! /api/admin/features-batch/export` (5.x to 8.x), which contains one environment. An export of 4.x has the variants of one
//! environment only, and a state export has no dependencies. Pure.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

/// The properties that make the strategy of a toggle.
const STRATEGY_PROPERTIES: [&str; 7] =
    ["id", "parameters", "constraints", "segments", "variants", "title", "disabled"];

/// The reasons why no environment is selected. Each message names the remedy.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// There are several environments, and none is selected.
    #[error("it has several environments; select one with the option environment: {0}")]
    Ambiguous(String),
    /// The selected environment does not exist.
    #[error("it has no environment {selected:?}; its environments: {names}")]
    Unknown {
        /// The selected environment.
        selected: String,
        /// The environments of the export.
        names: String,
    },
}

/// The toggles of an export with their state in one environment.
#[derive(Debug)]
pub struct EnvironmentState<'e> {
    states: HashMap<&'e str, &'e Value>,
    strategies: HashMap<&'e str, Vec<Value>>,
    dependencies: HashMap<&'e str, &'e Value>,
}

/// The state of one toggle.
#[derive(Debug)]
pub struct ToggleState<'s> {
    /// Whether it is on. Servers with environments switch a toggle off that has no strategies.
    pub is_enabled: bool,
    /// The strategies in the order of evaluation, with the ids of their segments.
    pub strategies: &'s [Value],
    /// The variants in the environment; `None` if the export has none for it.
    pub variants: Option<&'s Value>,
    /// The dependencies on other toggles.
    pub dependencies: Option<&'s Value>,
}

/// Returns true if toggles of the export have a state in each environment.
#[must_use]
pub fn has_environments(export: &Value) -> bool {
    export.get("featureEnvironments").is_some_and(Value::is_array)
}

impl<'e> EnvironmentState<'e> {
    /// Reads the state in an environment. Without a name, the only environment is selected.
    pub(crate) fn select(export: &'e Value, selected: Option<&'e str>) -> Result<Self, SelectError> {
        let environment = find_environment(export, selected)?;
        // The rows of an export of one environment may have no name.
        let is_selected =
            |row: &&Value| text(row, "environment").is_none_or(|name| Some(name) == environment);
        let states = rows(export, "featureEnvironments").filter(is_selected);
        let dependencies = rows(export, "dependencies");
        Ok(Self {
            states: states.filter_map(|row| Some((text(row, "featureName")?, row))).collect(),
            strategies: strategies_by_toggle(export, is_selected),
            dependencies: dependencies
                .filter_map(|row| Some((text(row, "feature")?, row.get("dependencies")?)))
                .collect(),
        })
    }

    /// Returns the state of a toggle.
    #[must_use]
    pub fn toggle(&self, name: &str) -> ToggleState<'_> {
        let property = |key: &str| self.states.get(name).and_then(|state| state.get(key));
        let strategies = self.strategies.get(name).map_or(&[][..], Vec::as_slice);
        let is_enabled = property("enabled").and_then(Value::as_bool).unwrap_or_default();
        ToggleState {
            is_enabled: is_enabled && !strategies.is_empty(),
            strategies,
            variants: property("variants").filter(|variants| variants.is_array()),
            dependencies: self.dependencies.get(name).copied(),
        }
    }
}

/// Returns the selected or only environment; `None` if the export has no environment.
fn find_environment<'e>(
    export: &'e Value,
    selected: Option<&'e str>,
) -> Result<Option<&'e str>, SelectError> {
    let states = rows(export, "featureEnvironments").chain(rows(export, "featureStrategies"));
    let names: BTreeSet<_> = states.filter_map(|row| text(row, "environment")).collect();
    let list = || names.iter().copied().collect::<Vec<_>>().join(", ");
    match selected {
        Some(selected) if names.contains(selected) => Ok(Some(selected)),
        Some(selected) => Err(SelectError::Unknown { selected: selected.to_owned(), names: list() }),
        None if names.len() > 1 => Err(SelectError::Ambiguous(list())),
        None => Ok(names.first().copied()),
    }
}

/// Returns the selected strategies by the name of the toggle.
fn strategies_by_toggle(export: &Value, is_selected: impl Fn(&&Value) -> bool) -> HashMap<&str, Vec<Value>> {
    let mut segments = HashMap::<_, Vec<Value>>::new();
    for link in rows(export, "featureStrategySegments") {
        segments.entry(text(link, "featureStrategyId")).or_default().extend(link.get("segmentId").cloned());
    }
    let mut selected: Vec<&Value> = rows(export, "featureStrategies").filter(is_selected).collect();
    selected.sort_by_key(|row| row.get("sortOrder").and_then(Value::as_i64));
    let mut strategies = HashMap::<_, Vec<_>>::new();
    for row in selected {
        let name = row.get("strategyName").or(row.get("name")).cloned().unwrap_or_default();
        let mut strategy = Map::from_iter([("name".to_owned(), name)]);
        for key in STRATEGY_PROPERTIES {
            let value = row.get(key).filter(|value| !value.is_null());
            strategy.extend(value.map(|value| (key.to_owned(), value.clone())));
        }
        // State exports list the segments of strategies separately.
        let ids = text(row, "id").and_then(|id| segments.remove(&Some(id)));
        strategy.extend(ids.map(|ids| ("segments".to_owned(), ids.into())));
        strategies.entry(text(row, "featureName").unwrap_or_default()).or_default().push(strategy.into());
    }
    strategies
}

/// Returns the objects of a list of the export.
pub fn rows<'e>(export: &'e Value, name: &str) -> impl Iterator<Item = &'e Value> {
    export.get(name).and_then(Value::as_array).into_iter().flatten().filter(|row| row.is_object())
}

/// Returns a property that is a text.
#[must_use]
pub fn text<'e>(row: &'e Value, name: &str) -> Option<&'e str> {
    row.get(name)?.as_str()
}
