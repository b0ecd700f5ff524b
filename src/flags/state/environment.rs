//! Converts an export of Unleash 4 or 5, which contains the state of all environments, to the format of version 1 with the
//! state of one environment. Pure.

use serde_json::{Value, json};

use crate::api::state::STATE_VERSION;
use crate::error::ApiError;
use crate::state_export::{EnvironmentState, rows, text};

/// Returns the export with the state of one environment. Without a name, the only environment is selected.
///
/// # Errors
/// [`ApiError::Invalid`] if the environment does not exist, or if there are several and none is named.
pub(super) fn select(export: &Value, environment: Option<&str>) -> Result<Value, ApiError> {
    let state = EnvironmentState::select(export, environment).map_err(|error| {
        ApiError::invalid("featureEnvironments", format!("the file cannot be read: {error}"))
    })?;
    let features = rows(export, "features").filter(|toggle| toggle.get("archived") != Some(&json!(true)));
    let features = features.map(|toggle| {
        let state = state.toggle(text(toggle, "name").unwrap_or_default());
        // Without strategies, the toggle would be on for everyone after it is switched on.
        let default = || vec![json!({ "name": "default" })];
        let strategies = if state.strategies.is_empty() { default() } else { state.strategies.to_vec() };
        let changes = [
            ("enabled", Some(state.is_enabled.into())),
            ("strategies", Some(strategies.into())),
            ("variants", state.variants.cloned()),
            ("dependencies", state.dependencies.cloned()),
        ];
        with_properties(toggle, changes)
    });
    let features: Value = features.collect();
    Ok(with_properties(export, [("version", Some(STATE_VERSION.into())), ("features", Some(features))]))
}

/// Returns the object with these properties; `None` keeps a property.
fn with_properties<const N: usize>(object: &Value, changes: [(&str, Option<Value>); N]) -> Value {
    let mut properties = object.as_object().cloned().unwrap_or_default();
    for (key, value) in changes {
        properties.extend(value.map(|value| (key.to_owned(), value)));
    }
    properties.into()
}
