//! Operations on projects. Each function runs in one transaction, which contains the change and its event.

use serde_json::json;

use super::rules::DEFAULT_PROJECT;
use crate::api::Project;
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::events::{Actor, Entity, record_event};

/// Returns a project.
pub(crate) fn find(tx: &Transaction<'_>, id: &str) -> Result<Project, ApiError> {
    tx.find_project(id)?.ok_or_else(|| not_found(id))
}

/// Checks that no project has the id.
pub(crate) fn check_id_free(tx: &Transaction<'_>, id: &str) -> Result<(), ApiError> {
    if tx.find_project(id)?.is_some() { Err(taken(id)) } else { Ok(()) }
}

/// Creates a project and returns it.
pub(crate) fn create(tx: &Transaction<'_>, project: &Project, actor: &Actor) -> Result<Project, ApiError> {
    if !tx.insert_project(project, actor.time())? {
        return Err(taken(&project.id));
    }
    record_event(tx, "project-created", Entity::Project, &project.id, project, actor)?;
    find(tx, &project.id)
}

/// Replaces a project.
pub(crate) fn replace(tx: &Transaction<'_>, project: &Project, actor: &Actor) -> Result<(), ApiError> {
    if !tx.replace_project(project)? {
        return Err(not_found(&project.id));
    }
    Ok(record_event(tx, "project-updated", Entity::Project, &project.id, project, actor)?)
}

/// Deletes a project. Its archived toggles move to the default project, so that they can be revived.
///
/// # Errors
/// [`ApiError::BuiltIn`] for the default project; [`ApiError::Conflict`] if the project has toggles that are not
/// archived; [`ApiError::NotFound`] if it does not exist.
pub(crate) fn delete(tx: &Transaction<'_>, id: &str, actor: &Actor) -> Result<(), ApiError> {
    if id == DEFAULT_PROJECT {
        return Err(ApiError::BuiltIn("The default project cannot be deleted".to_owned()));
    }
    let toggles = tx.count_toggles_in_project(id)?;
    if toggles > 0 {
        let message =
            format!("The project {id} still has active toggles: {toggles}. Archive or move them first");
        return Err(ApiError::Conflict(message));
    }
    tx.move_archived_toggles(id, DEFAULT_PROJECT)?;
    if !tx.delete_project(id)? {
        return Err(not_found(id));
    }
    Ok(record_event(tx, "project-deleted", Entity::Project, id, &json!({ "id": id }), actor)?)
}

fn not_found(id: &str) -> ApiError {
    ApiError::NotFound(format!("There is no project with the id {id}"))
}

fn taken(id: &str) -> ApiError {
    ApiError::NameTaken(format!("A project with the id {id} already exists"))
}
