//! Exports of servers with environments: `GET /api/admin/state/export` (4.3 to 5.x), and `POST
//! /api/admin/features-batch/export` (5.x to 8.x), which contains one environment. An export of 4.x has the variants of one
//! environment only, and a state export has no dependencies.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

/// The reasons why the toggles of an environment cannot be read. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// There are several environments, and none is selected.
    #[error("it has several environments; select one with --environment: {0}")]
    Ambiguous(String),
    /// The selected environment does not exist.
    #[error("it has no environment {selected:?}; its environments: {names}")]
    Unknown {
        /// The selected environment.
        selected: String,
        /// The environments of the export.
        names: String,
    },
    /// Toggles have the same state in all environments.
    #[error("its toggles have no environments; remove --environment")]
    None,
    /// A strategy uses a segment of which the export contains only the name.
    #[error(
        "it has no constraints of segment {segment:?}, which {toggle} uses; read the toggles from the server with --to"
    )]
    NoConstraints {
        /// Name of the segment.
        segment: String,
        /// Name of the toggle.
        toggle: String,
    },
}

/// Returns true if toggles of the export have a state in each environment.
pub(super) fn has_environments(export: &Value) -> bool {
    export.get("featureStrategies").is_some() && export.get("featureEnvironments").is_some()
}

/// Converts an export to the format of `/api/client/features`, with the state of one environment. Fails if the toggle or
/// its parents cannot be evaluated.
pub(super) fn select(
    export: &Value,
    toggle: &str,
    selected: Option<&str>,
) -> Result<Value, EnvironmentError> {
    let environment = find_environment(export, selected)?;
    let is_selected = |row: &&Value| text(row, "environment").is_none_or(|name| Some(name) == environment);
    let states: HashMap<_, _> = rows(export, "featureEnvironments")
        .filter(is_selected)
        .map(|row| (text(row, "featureName"), row))
        .collect();
    let dependencies: HashMap<_, _> =
        rows(export, "dependencies").map(|row| (text(row, "feature"), row.get("dependencies"))).collect();
    let mut strategies = strategies_by_toggle(export, is_selected);
    let parents = dependencies.get(&Some(toggle)).copied().flatten().and_then(Value::as_array);
    let parents = parents.into_iter().flatten().map(|parent| text(parent, "feature"));
    for name in parents.chain([Some(toggle)]) {
        check_segments(export, name.unwrap_or_default(), strategies.get(&name).map_or(&[], Vec::as_slice))?;
    }
    let features = rows(export, "features").map(|row| {
        let name = text(row, "name");
        let state = |field: &str| states.get(&name).and_then(|state| state.get(field));
        let strategies = strategies.remove(&name).unwrap_or_default();
        json!({
            "name": name,
            // Servers with environments switch a toggle off that has no strategies.
            "enabled": !strategies.is_empty() && state("enabled").and_then(Value::as_bool).unwrap_or_default(),
            "variants": state("variants").or_else(|| row.get("variants")),
            "strategies": strategies,
            "dependencies": dependencies.get(&name),
        })
    });
    let features: Vec<_> = features.collect();
    Ok(json!({ "features": features, "segments": export.get("segments") }))
}

/// Returns the selected or only environment; `None` if the export has no environment.
fn find_environment<'e>(
    export: &'e Value,
    selected: Option<&'e str>,
) -> Result<Option<&'e str>, EnvironmentError> {
    let states = rows(export, "featureEnvironments").chain(rows(export, "featureStrategies"));
    let names: BTreeSet<_> = states.filter_map(|row| text(row, "environment")).collect();
    let list = || names.iter().copied().collect::<Vec<_>>().join(", ");
    match selected {
        Some(selected) if names.contains(selected) => Ok(Some(selected)),
        Some(selected) => Err(EnvironmentError::Unknown { selected: selected.to_owned(), names: list() }),
        None if names.len() > 1 => Err(EnvironmentError::Ambiguous(list())),
        None => Ok(names.first().copied()),
    }
}

/// Returns the selected strategies of each toggle.
fn strategies_by_toggle(
    export: &Value,
    is_selected: impl Fn(&&Value) -> bool,
) -> HashMap<Option<&str>, Vec<Value>> {
    let segments = segments_by_strategy(export);
    let mut strategies = HashMap::<_, Vec<_>>::new();
    for row in rows(export, "featureStrategies").filter(is_selected) {
        let mut strategy = row.clone();
        if let Some(name) = row.get("strategyName") {
            set(&mut strategy, "name", name.clone());
        }
        if let Some(ids) = segments.get(&text(row, "id")) {
            set(&mut strategy, "segments", json!(ids));
        }
        strategies.entry(text(row, "featureName")).or_default().push(strategy);
    }
    strategies
}

/// Checks that the export contains the constraints of all segments of these strategies. Exports of one environment contain
/// only the names of segments.
fn check_segments(export: &Value, toggle: &str, strategies: &[Value]) -> Result<(), EnvironmentError> {
    let used = strategies.iter().flat_map(|strategy| rows(strategy, "segments"));
    for id in used {
        let segment = rows(export, "segments").find(|row| row.get("id") == Some(id));
        if let Some(segment) = segment.filter(|segment| segment.get("constraints").is_none()) {
            let name = text(segment, "name").unwrap_or_default();
            return Err(EnvironmentError::NoConstraints {
                segment: name.to_owned(),
                toggle: toggle.to_owned(),
            });
        }
    }
    Ok(())
}

/// Returns the ids of the segments of each strategy, which state exports list separately.
fn segments_by_strategy(export: &Value) -> HashMap<Option<&str>, Vec<&Value>> {
    let mut segments = HashMap::<_, Vec<_>>::new();
    for row in rows(export, "featureStrategySegments") {
        segments.entry(text(row, "featureStrategyId")).or_default().extend(row.get("segmentId"));
    }
    segments
}

fn rows<'e>(export: &'e Value, name: &str) -> impl Iterator<Item = &'e Value> {
    export.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn text<'e>(row: &'e Value, name: &str) -> Option<&'e str> {
    row.get(name)?.as_str()
}

fn set(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.insert(name.to_owned(), value);
    }
}
