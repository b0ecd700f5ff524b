//! The rules of projects.

use serde_json::Value;

use super::fields::{Faults, Field};
use crate::error::ApiError;
use crate::flags::model::Project;

/// Reads a project to be created.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn new_project(body: &Value) -> Result<Project, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let id = body.get("id").name(&mut faults);
    project(id, &body, faults)
}

/// Reads a project to replace the one with this id; an id inside the body does not count.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn replaced_project(id: String, body: &Value) -> Result<Project, ApiError> {
    project(id, &Field::root(body)?, Faults::default())
}

/// Reads an id that somebody wants to give.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn wanted_project_id(body: &Value) -> Result<String, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let id = body.get("id").name(&mut faults);
    faults.into_result(id)
}

fn project(id: String, body: &Field<'_>, mut faults: Faults) -> Result<Project, ApiError> {
    let project = Project {
        id,
        name: body.get("name").required_text(&mut faults),
        description: body.get("description").nullable_text(&mut faults),
        created_at: None,
    };
    faults.into_result(project)
}
