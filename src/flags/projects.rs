//! What can be done to projects. Each function is the work of one transaction: the change and its event.

use serde_json::json;

use super::events::{Actor, record_event};
use super::model::Project;
use super::rules::DEFAULT_PROJECT;
use super::store::{Entity, Session};
use crate::error::ApiError;

/// Proves that an id can be given to a new project.
///
/// # Errors
/// [`ApiError::NameTaken`].
pub fn id_is_free(session: &Session<'_>, id: &str) -> Result<(), ApiError> {
    if session.project(id)?.is_some() { Err(taken(id)) } else { Ok(()) }
}

/// Adds a project and answers it.
///
/// # Errors
/// [`ApiError::NameTaken`].
pub fn create(session: &Session<'_>, project: &Project, actor: &Actor) -> Result<Project, ApiError> {
    if !session.insert_project(project, actor.time())? {
        return Err(taken(&project.id));
    }
    record_event(session, "project-created", Entity::Project, &project.id, project, actor)?;
    session.project(&project.id)?.ok_or_else(|| not_found(&project.id))
}

/// Replaces a project.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn replace(session: &Session<'_>, project: &Project, actor: &Actor) -> Result<(), ApiError> {
    if !session.replace_project(project)? {
        return Err(not_found(&project.id));
    }
    Ok(record_event(session, "project-updated", Entity::Project, &project.id, project, actor)?)
}

/// Removes a project. Its archived toggles go to the default one, so that they can be revived.
///
/// # Errors
/// [`ApiError::BuiltIn`] for the default project, [`ApiError::Conflict`] for one with toggles in use,
/// [`ApiError::NotFound`].
pub fn delete(session: &Session<'_>, id: &str, actor: &Actor) -> Result<(), ApiError> {
    if id == DEFAULT_PROJECT {
        return Err(ApiError::BuiltIn("The default project cannot be deleted".to_owned()));
    }
    let toggles = session.toggles_in(id)?;
    if toggles > 0 {
        let message =
            format!("The project {id} still has active toggles: {toggles}. Archive or move them first");
        return Err(ApiError::Conflict(message));
    }
    if !session.delete_project(id, DEFAULT_PROJECT)? {
        return Err(not_found(id));
    }
    Ok(record_event(session, "project-deleted", Entity::Project, id, &json!({ "id": id }), actor)?)
}

fn not_found(id: &str) -> ApiError {
    ApiError::NotFound(format!("There is no project with the id {id}"))
}

fn taken(id: &str) -> ApiError {
    ApiError::NameTaken(format!("There already is a project with the id {id}"))
}
