//! Selects the environment of an export.

use serde_json::{Value, json};

use crate::state_export::{EnvironmentState, SelectError, rows, text};

/// The reasons why the toggles of an environment cannot be read. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// No environment is selected.
    #[error(transparent)]
    Select(#[from] SelectError),
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

/// Converts an export to the format of `/api/client/features`, with the state of one environment. Fails if the toggle or
/// its parents cannot be evaluated.
pub(super) fn select(
    export: &Value,
    toggle: &str,
    selected: Option<&str>,
) -> Result<Value, EnvironmentError> {
    let state = EnvironmentState::select(export, selected)?;
    let parents = state.toggle(toggle).dependencies.and_then(Value::as_array);
    let parents = parents.into_iter().flatten().filter_map(|parent| text(parent, "feature"));
    for name in parents.chain([toggle]) {
        check_segments(export, name, state.toggle(name).strategies)?;
    }
    let features = rows(export, "features").map(|row| {
        let name = text(row, "name").unwrap_or_default();
        let state = state.toggle(name);
        json!({
            "name": name,
            "enabled": state.is_enabled,
            "variants": state.variants.or_else(|| row.get("variants")),
            "strategies": state.strategies,
            "dependencies": state.dependencies,
        })
    });
    let features: Vec<_> = features.collect();
    Ok(json!({ "features": features, "segments": export.get("segments") }))
}

/// Checks that the export contains the constraints of all segments of these strategies. Exports of one environment contain
/// only the names of segments.
fn check_segments(export: &Value, toggle: &str, strategies: &[Value]) -> Result<(), EnvironmentError> {
    let used = strategies.iter().filter_map(|strategy| strategy.get("segments")?.as_array()).flatten();
    for id in used {
        let segment = rows(export, "segments").find(|row| row.get("id") == Some(id));
        if let Some(segment) = segment.filter(|segment| segment.get("constraints").is_none()) {
            let segment = text(segment, "name").unwrap_or_default().to_owned();
            return Err(EnvironmentError::NoConstraints { segment, toggle: toggle.to_owned() });
        }
    }
    Ok(())
}
