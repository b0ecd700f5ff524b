//! Plans a save: the requests that turn the stored toggle into the wanted one, in one environment. Pure.

use serde_json::{Value, json};

use super::strategies::{self, MAX_CHANGES, Position, Remaining, Strategy, StrategyChange, Unsaveable};
use crate::compat::confirmation::Confirmation;
use crate::compat::failure::unsupported;
use crate::compat::toggle::Toggle;
use crate::error::ApiError;

/// The properties that are the same in all environments.
const METADATA: [&str; 4] = ["description", "type", "stale", "impressionData"];

/// A request of a save.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::compat) enum Step {
    /// Changes properties of the toggle. The value is a JSON Patch (RFC 6902).
    Metadata(Value),
    /// Changes a strategy.
    Strategy(StrategyChange),
    /// Orders the strategies.
    Order(Vec<Position>),
    /// Replaces the variants.
    Variants(Value),
    /// Sets the condition on the parent, which replaces the one on another parent.
    Parent(Value),
    /// Removes the condition on the parent.
    NoParent,
    /// Adds a tag.
    Tag(Value),
    /// Switches the toggle on. It has these strategies then.
    On(Remaining),
    /// Switches the toggle off.
    Off,
}

/// The requests of a save.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::compat) struct SavePlan {
    /// The requests, to be sent one after the other.
    pub(in crate::compat) steps: Vec<Step>,
    /// Question that the user must confirm first.
    pub(in crate::compat) question: Option<Confirmation>,
}

/// Plans a save. Properties that `desired` does not contain stay.
///
/// Switching off comes first and switching on last, so that the toggle is never on with strategies that are saved in part. A new parent
/// comes before the strategies, and the removal of a parent after them: the toggle is then never on for users who get it neither before
/// nor after the save. If both the parent and the strategies are replaced, the toggle is off meanwhile.
///
/// # Errors
/// If the toggle has another format, or the server cannot store it.
pub(in crate::compat) fn plan(current: &Toggle, desired: &Toggle) -> Result<SavePlan, ApiError> {
    let was_on = current.get("enabled") == Some(&Value::Bool(true));
    let is_on = match desired.get("enabled") {
        None | Some(Value::Null) => was_on,
        Some(Value::Bool(is_on)) => *is_on,
        Some(_) => return Err(ApiError::invalid("enabled", "\"enabled\" must be a boolean".to_owned())),
    };
    let stored = strategies_of(current)?;
    let wanted = if desired.contains_key("strategies") { strategies_of(desired)? } else { stored.clone() };
    let strategies = strategies::plan(&stored, &wanted).map_err(to_api_error)?;
    let parent = parent_step(current, desired)?;
    let replaces_parent = matches!(parent, Some(Step::Parent(_))) && !parents_of(current)?.is_empty();
    let is_off_meanwhile = was_on && is_on && replaces_parent && !strategies.changes.is_empty();
    let (parent, no_parent): (Vec<_>, Vec<_>) = parent.into_iter().partition(|step| *step != Step::NoParent);
    let mut steps = Vec::new();
    let variants = changed(current, desired, "variants").map(|variants| Step::Variants(variants.clone()));
    let has_variants = current.get("variants").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let (first, last) = if has_variants { (None, variants) } else { (variants, None) };
    // Servers may refuse the first variants of a toggle. The user is asked then, before anything is stored.
    steps.extend(first);
    if was_on && (!is_on || is_off_meanwhile) {
        steps.push(Step::Off);
    }
    steps.extend(parent);
    steps.extend(metadata(current, desired));
    steps.extend(strategies.changes.into_iter().map(Step::Strategy));
    steps.extend(strategies.order.map(Step::Order));
    steps.extend(last);
    steps.extend(no_parent);
    let (remaining, switches_off) = (strategies.remaining, strategies.switches_off);
    let question = match remaining {
        _ if !is_on => None,
        Remaining::Enabled => None,
        _ if was_on => switches_off.then_some(Confirmation::DisableToggle),
        remaining => remaining.question(),
    };
    if is_on && (!was_on || is_off_meanwhile || (switches_off && remaining == Remaining::Enabled)) {
        steps.push(Step::On(remaining));
    }
    Ok(SavePlan { steps, question })
}

/// Returns the change of the metadata. It tests that the texts are still those that were read.
fn metadata(current: &Toggle, desired: &Toggle) -> Option<Step> {
    let operations = |key: &&str| {
        let value = changed(current, desired, key)?;
        let path = format!("/{key}");
        let test = current.get(*key).filter(|stored| stored.is_string());
        let test = test.map(|stored| json!({ "op": "test", "path": path, "value": stored }));
        Some(test.into_iter().chain([json!({ "op": "replace", "path": path, "value": value })]))
    };
    let operations: Vec<Value> = METADATA.iter().filter_map(operations).flatten().collect();
    (!operations.is_empty()).then(|| Step::Metadata(operations.into()))
}

/// Returns the change of the condition on the parent. Servers from 5.5 on store one, with a request of its own.
fn parent_step(current: &Toggle, desired: &Toggle) -> Result<Option<Step>, ApiError> {
    if desired.get("dependencies").is_none_or(Value::is_null) {
        return Ok(None);
    }
    let (stored, wanted) = (parents_of(current)?, parents_of(desired)?);
    match wanted.as_slice() {
        _ if stored == wanted => Ok(None),
        [] => Ok(Some(Step::NoParent)),
        [parent] => Ok(Some(Step::Parent(parent.clone()))),
        _ => Err(unsupported("This server stores one parent of a toggle.")),
    }
}

/// Returns the conditions on parents with all their properties, so that all forms of a condition are equal.
fn parents_of(toggle: &Toggle) -> Result<Vec<Value>, ApiError> {
    let Some(list) = toggle.get("dependencies").filter(|list| !list.is_null()) else { return Ok(Vec::new()) };
    let invalid =
        || ApiError::invalid("dependencies", "\"dependencies\" must be a list of objects".to_owned());
    let complete = |parent: &Value| {
        let feature = parent.get("feature").and_then(Value::as_str).ok_or_else(invalid)?;
        let is_on = parent.get("enabled") != Some(&Value::Bool(false));
        let variants = parent.get("variants").and_then(Value::as_array).filter(|_| is_on).cloned();
        Ok(json!({ "feature": feature, "enabled": is_on, "variants": variants.unwrap_or_default() }))
    };
    list.as_array().ok_or_else(invalid)?.iter().map(complete).collect()
}

/// Returns the wanted value of a property if it differs. Only a description can be null, which is equal to an empty one.
fn changed<'a>(current: &Toggle, desired: &'a Toggle, key: &str) -> Option<&'a Value> {
    let (stored, wanted) = (current.get(key), desired.get(key)?);
    let is_empty = |value: &Value| value.is_null() || value == "";
    let is_equal = match key {
        "description" => is_empty(wanted) && stored.is_none_or(is_empty),
        _ => wanted.is_null(),
    };
    (!is_equal && stored != Some(wanted)).then_some(wanted)
}

/// Returns the strategies of a toggle.
fn strategies_of(toggle: &Toggle) -> Result<Vec<Strategy>, ApiError> {
    let list = toggle.get("strategies").and_then(Value::as_array);
    let objects =
        list.map(|list| list.iter().map(|one| one.as_object().cloned()).collect::<Option<Vec<_>>>());
    objects
        .flatten()
        .ok_or_else(|| ApiError::invalid("strategies", "\"strategies\" must be a list of objects".to_owned()))
}

fn to_api_error(reason: Unsaveable) -> ApiError {
    match reason {
        Unsaveable::DuplicateId(id) => {
            ApiError::invalid("strategies", format!("\"strategies\" contains the id {id:?} twice"))
        }
        Unsaveable::TooMany => {
            ApiError::invalid("strategies", format!("A save can change at most {MAX_CHANGES} strategies"))
        }
    }
}

#[cfg(test)]
mod tests;
