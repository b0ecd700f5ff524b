//! Operations on strategy definitions. Each function runs in one transaction: the change and its event.

use serde_json::json;

use crate::api::StrategyDefinition;
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::events::{Actor, Entity, record_event};

/// Name of the default strategy.
const DEFAULT_STRATEGY: &str = "default";

/// Adds a strategy definition.
pub(crate) fn create_strategy(
    tx: &Transaction<'_>,
    strategy: &StrategyDefinition,
    actor: &Actor,
) -> Result<(), ApiError> {
    if tx.find_strategy(&strategy.name)?.is_some() {
        return Err(ApiError::NameTaken(format!("A strategy called {} already exists", strategy.name)));
    }
    tx.insert_strategy(strategy)?;
    Ok(record_event(tx, "strategy-created", Entity::Strategy, &strategy.name, strategy, actor)?)
}

/// Replaces a strategy definition. Does not change whether it is deprecated.
///
/// # Errors
/// [`ApiError::BuiltIn`] for a built-in strategy, [`ApiError::NotFound`].
pub(crate) fn replace_strategy(
    tx: &Transaction<'_>,
    strategy: &StrategyDefinition,
    actor: &Actor,
) -> Result<(), ApiError> {
    let name = &strategy.name;
    let deprecated = find_editable_strategy(tx, name, "edited")?.deprecated;
    let strategy = StrategyDefinition { deprecated, ..strategy.clone() };
    tx.replace_strategy(&strategy)?;
    Ok(record_event(tx, "strategy-updated", Entity::Strategy, name, &strategy, actor)?)
}

/// Deletes a strategy definition.
///
/// # Errors
/// [`ApiError::BuiltIn`] for a built-in strategy, [`ApiError::NotFound`].
pub(crate) fn delete_strategy(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    find_editable_strategy(tx, name, "deleted")?;
    tx.delete_strategy(name)?;
    Ok(record_event(tx, "strategy-deleted", Entity::Strategy, name, &json!({ "name": name }), actor)?)
}

/// Deprecates or reactivates a strategy definition.
///
/// # Errors
/// [`ApiError::BuiltIn`] for the default strategy, [`ApiError::NotFound`].
pub(crate) fn set_deprecated(
    tx: &Transaction<'_>,
    name: &str,
    deprecated: bool,
    actor: &Actor,
) -> Result<(), ApiError> {
    if name == DEFAULT_STRATEGY {
        return Err(ApiError::BuiltIn("The default strategy cannot be deprecated".to_owned()));
    }
    if !tx.set_deprecated(name, deprecated)? {
        return Err(strategy_not_found());
    }
    let kind = if deprecated { "strategy-deprecated" } else { "strategy-reactivated" };
    Ok(record_event(tx, kind, Entity::Strategy, name, &json!({ "name": name }), actor)?)
}

/// Returns a strategy definition.
pub(crate) fn find(tx: &Transaction<'_>, name: &str) -> Result<StrategyDefinition, ApiError> {
    tx.find_strategy(name)?.ok_or_else(strategy_not_found)
}

/// Returns a strategy definition that is not built in.
fn find_editable_strategy(
    tx: &Transaction<'_>,
    name: &str,
    action: &str,
) -> Result<StrategyDefinition, ApiError> {
    let strategy = find(tx, name)?;
    if !strategy.editable {
        return Err(ApiError::BuiltIn(format!("{name} is built in and cannot be {action}")));
    }
    Ok(strategy)
}

fn strategy_not_found() -> ApiError {
    ApiError::NotFound("Could not find strategy".to_owned())
}
