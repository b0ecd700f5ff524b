//! Validation of projects.

use serde_json::Value;

use crate::api::Project;
use crate::error::ApiError;
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Default project of a toggle.
pub const DEFAULT_PROJECT: &str = "default";

/// Parses the project to create.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_new_project(body: &Value) -> Result<Project, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let id = body.get("id").name(&mut errors);
    parse_project(id, &body, errors)
}

/// Parses the new version of the project `id`. An id in the body is ignored.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_project_replacement(id: String, body: &Value) -> Result<Project, ApiError> {
    parse_project(id, &Field::root(body)?, ValidationErrors::default())
}

/// Parses the id in a request that checks whether an id is valid and free.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_project_id(body: &Value) -> Result<String, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let id = body.get("id").name(&mut errors);
    errors.into_result(id)
}

fn parse_project(id: String, body: &Field<'_>, mut errors: ValidationErrors) -> Result<Project, ApiError> {
    let project = Project {
        id,
        name: body.get("name").required_text(&mut errors),
        description: body.get("description").nullable_text(&mut errors),
        created_at: None,
    };
    errors.into_result(project)
}
