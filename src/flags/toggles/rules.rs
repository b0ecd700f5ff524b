//! Validation of request bodies. Pure functions: each takes JSON and returns a typed value or all validation errors.
//!
//! Unknown properties are ignored, except in constraints; missing properties get their default.

pub(in crate::flags) mod constraints;
mod dependencies;
mod strategies;
pub(super) mod variants;

use serde_json::Value;

use crate::api::ToggleDraft;
use crate::api::limits::MAX_PROJECT_ID_LENGTH;
use crate::error::ApiError;
use crate::flags::projects::rules::DEFAULT_PROJECT;
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Default type of a toggle.
pub(in crate::flags) const DEFAULT_TOGGLE_TYPE: &str = "release";

/// Parses the toggle to create.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_new_toggle(body: &Value) -> Result<ToggleDraft, ApiError> {
    parse_named_toggle(body, ValidationErrors::default())
}

/// Parses a toggle of an exported state. Limits on list lengths do not apply.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_imported_toggle(body: &Value) -> Result<ToggleDraft, ApiError> {
    parse_named_toggle(body, ValidationErrors::for_import())
}

/// Parses the new version of the toggle `name`. A name in the body is ignored.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_toggle_replacement(name: String, body: &Value) -> Result<ToggleDraft, ApiError> {
    parse_toggle(name, &Field::root(body)?, ValidationErrors::default())
}

fn parse_named_toggle(body: &Value, mut errors: ValidationErrors) -> Result<ToggleDraft, ApiError> {
    let body = Field::root(body)?;
    let name = body.get("name").name(&mut errors);
    parse_toggle(name, &body, errors)
}

fn parse_toggle(
    name: String,
    body: &Field<'_>,
    mut errors: ValidationErrors,
) -> Result<ToggleDraft, ApiError> {
    let draft = ToggleDraft {
        name,
        description: body.get("description").nullable_text(&mut errors),
        kind: body.get("type").text_or(DEFAULT_TOGGLE_TYPE, &mut errors),
        enabled: body.get("enabled").bool_or(false, &mut errors),
        stale: body.get("stale").bool_or(false, &mut errors),
        project: parse_project(&body.get("project"), &mut errors),
        strategies: strategies::parse(&body.get("strategies"), &mut errors),
        variants: variants::parse(&body.get("variants"), &mut errors),
        dependencies: dependencies::parse(&body.get("dependencies"), &mut errors),
        impression_data: body.get("impressionData").nullable_bool(&mut errors),
    };
    errors.into_result(draft)
}

/// Parses a project id.
fn parse_project(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let id = field.text_or(DEFAULT_PROJECT, errors);
    field.check_bounds(&id, (0, MAX_PROJECT_ID_LENGTH), errors);
    id
}

#[cfg(test)]
mod tests;
