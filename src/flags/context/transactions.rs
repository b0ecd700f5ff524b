//! Operations on context fields. Each function runs in one transaction: the change and its event.

use serde_json::json;

use crate::api::ContextField;
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::events::{Actor, Entity, record_event};

/// Returns a context field.
pub(crate) fn find_field(tx: &Transaction<'_>, name: &str) -> Result<ContextField, ApiError> {
    tx.find_context_field(name)?.ok_or_else(field_not_found)
}

/// Checks that no context field has this name.
pub(crate) fn check_field_name_is_free(tx: &Transaction<'_>, name: &str) -> Result<(), ApiError> {
    if tx.find_context_field(name)?.is_some() {
        return Err(ApiError::NameTaken(format!("A context field called {name} already exists")));
    }
    Ok(())
}

/// Adds a context field.
pub(crate) fn create_field(
    tx: &Transaction<'_>,
    field: &ContextField,
    actor: &Actor,
) -> Result<(), ApiError> {
    check_field_name_is_free(tx, &field.name)?;
    tx.insert_context_field(field, actor.time())?;
    Ok(record_event(tx, "context-field-created", Entity::ContextField, &field.name, field, actor)?)
}

/// Replaces a context field.
pub(crate) fn replace_field(
    tx: &Transaction<'_>,
    field: &ContextField,
    actor: &Actor,
) -> Result<(), ApiError> {
    if !tx.replace_context_field(field)? {
        return Err(field_not_found());
    }
    Ok(record_event(tx, "context-field-updated", Entity::ContextField, &field.name, field, actor)?)
}

/// Deletes a context field.
pub(crate) fn delete_field(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if !tx.delete_context_field(name)? {
        return Err(field_not_found());
    }
    let data = json!({ "name": name });
    Ok(record_event(tx, "context-field-deleted", Entity::ContextField, name, &data, actor)?)
}

fn field_not_found() -> ApiError {
    ApiError::NotFound("Could not find context field".to_owned())
}
