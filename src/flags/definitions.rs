//! What can be done to strategy definitions and context fields. Each function is the work of one transaction: the
//! change and its event.

use serde_json::json;

use super::events::{Actor, record_other};
use super::model::{ContextField, StrategyDefinition};
use super::store::{Entity, Transaction};
use crate::error::ApiError;

/// The strategy that is used where nothing else was chosen.
const DEFAULT_STRATEGY: &str = "default";

/// Adds a strategy definition.
///
/// # Errors
/// [`ApiError::NameTaken`].
pub fn create_strategy(
    tx: &Transaction<'_>,
    strategy: &StrategyDefinition,
    actor: &Actor,
) -> Result<(), ApiError> {
    if tx.find_strategy(&strategy.name)?.is_some() {
        return Err(ApiError::NameTaken(format!("There already is a strategy called {}", strategy.name)));
    }
    tx.insert_strategy(strategy)?;
    Ok(record_other(tx, "strategy-created", Entity::Strategy, &strategy.name, strategy, actor)?)
}

/// Replaces a strategy definition; whether it is deprecated stays as it is.
///
/// # Errors
/// [`ApiError::BuiltIn`], [`ApiError::NotFound`].
pub fn replace_strategy(
    tx: &Transaction<'_>,
    strategy: &StrategyDefinition,
    actor: &Actor,
) -> Result<(), ApiError> {
    let name = &strategy.name;
    let deprecated = own_strategy(tx, name, "edited")?.deprecated;
    let strategy = StrategyDefinition { deprecated, ..strategy.clone() };
    tx.replace_strategy(&strategy)?;
    Ok(record_other(tx, "strategy-updated", Entity::Strategy, name, &strategy, actor)?)
}

/// Removes a strategy definition.
///
/// # Errors
/// [`ApiError::BuiltIn`], [`ApiError::NotFound`].
pub fn delete_strategy(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    own_strategy(tx, name, "deleted")?;
    tx.delete_strategy(name)?;
    Ok(record_other(tx, "strategy-deleted", Entity::Strategy, name, &json!({ "name": name }), actor)?)
}

/// Offers a strategy for new use no longer, or again.
///
/// # Errors
/// [`ApiError::BuiltIn`] for the default one, [`ApiError::NotFound`].
pub fn set_deprecated(
    tx: &Transaction<'_>,
    name: &str,
    deprecated: bool,
    actor: &Actor,
) -> Result<(), ApiError> {
    if name == DEFAULT_STRATEGY {
        return Err(ApiError::BuiltIn("The default strategy cannot be deprecated".to_owned()));
    }
    if !tx.set_deprecated(name, deprecated)? {
        return Err(unknown_strategy());
    }
    let kind = if deprecated { "strategy-deprecated" } else { "strategy-reactivated" };
    Ok(record_other(tx, kind, Entity::Strategy, name, &json!({ "name": name }), actor)?)
}

/// Proves that a name can be given to a new context field.
///
/// # Errors
/// [`ApiError::NameTaken`].
pub fn field_name_is_free(tx: &Transaction<'_>, name: &str) -> Result<(), ApiError> {
    if tx.find_context_field(name)?.is_some() {
        return Err(ApiError::NameTaken(format!("There already is a context field called {name}")));
    }
    Ok(())
}

/// Adds a context field.
///
/// # Errors
/// [`ApiError::NameTaken`].
pub fn create_field(tx: &Transaction<'_>, field: &ContextField, actor: &Actor) -> Result<(), ApiError> {
    field_name_is_free(tx, &field.name)?;
    tx.insert_context_field(field, actor.time())?;
    Ok(record_other(tx, "context-field-created", Entity::ContextField, &field.name, field, actor)?)
}

/// Replaces a context field.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn replace_field(tx: &Transaction<'_>, field: &ContextField, actor: &Actor) -> Result<(), ApiError> {
    if !tx.replace_context_field(field)? {
        return Err(unknown_field());
    }
    Ok(record_other(tx, "context-field-updated", Entity::ContextField, &field.name, field, actor)?)
}

/// Removes a context field.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn delete_field(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if !tx.delete_context_field(name)? {
        return Err(unknown_field());
    }
    let data = json!({ "name": name });
    Ok(record_other(tx, "context-field-deleted", Entity::ContextField, name, &data, actor)?)
}

/// A strategy that did not come with the service.
fn own_strategy(tx: &Transaction<'_>, name: &str, done: &str) -> Result<StrategyDefinition, ApiError> {
    let strategy = tx.find_strategy(name)?.ok_or_else(unknown_strategy)?;
    if !strategy.editable {
        return Err(ApiError::BuiltIn(format!("{name} is built in and cannot be {done}")));
    }
    Ok(strategy)
}

fn unknown_strategy() -> ApiError {
    ApiError::NotFound("Could not find strategy".to_owned())
}

fn unknown_field() -> ApiError {
    ApiError::NotFound("Could not find context field".to_owned())
}
