//! Validation of request bodies. Pure functions: each takes JSON and returns a typed value or all validation errors.
//!
//! Unknown properties are ignored; missing properties get their default.

pub(super) mod addons;
pub(super) mod definitions;
pub(super) mod fields;
pub mod limits;
mod projects;
pub(super) mod reports;
mod state;
mod strategies;
pub(super) mod tags;
pub(super) mod users;
pub(super) mod variants;

use serde_json::Value;

use self::fields::{Field, ValidationErrors, is_valid_name};
use super::model::ToggleDraft;
use crate::error::ApiError;

pub use self::addons::parse_addon;
pub use self::definitions::{
    parse_context_field_replacement, parse_imported_strategy, parse_new_context_field, parse_new_strategy,
    parse_strategy_replacement,
};
pub use self::projects::{parse_new_project, parse_project_id, parse_project_replacement};
pub use self::reports::{parse_application_texts, parse_registration, parse_report};
pub use self::state::{DatedToggle, Import, ImportError, ImportItem, parse_import};
pub use self::tags::{
    DEFAULT_TAG_TYPE, parse_new_tag_type, parse_tag, parse_tag_type_replacement, parse_toggle_filter,
};
pub use self::users::{Credentials, is_email, is_user_name, parse_credentials, parse_email};

/// Default type of a toggle.
pub(in crate::flags) const DEFAULT_TOGGLE_TYPE: &str = "release";
/// Default project of a toggle.
pub const DEFAULT_PROJECT: &str = "default";
/// Maximum length of a project id in characters.
pub(in crate::flags) const MAX_PROJECT_ID_LENGTH: usize = 100;

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

/// Parses the name in a request that checks whether a name is valid and free.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_name(body: &Value) -> Result<String, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let name = body.get("name").name(&mut errors);
    errors.into_result(name)
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
    };
    errors.into_result(draft)
}

/// Parses a project id. The length is limited because the error for an unknown project repeats the id.
fn parse_project(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let id = field.text_or(DEFAULT_PROJECT, errors);
    field.check_bounds(&id, (0, MAX_PROJECT_ID_LENGTH), errors);
    id
}

/// Parses a list of non-empty strings.
fn parse_texts(field: &Field<'_>, errors: &mut ValidationErrors) -> Vec<String> {
    field
        .items(limits::MAX_VALUES, errors)
        .iter()
        .map(|item| item.non_empty_text(errors).unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests;
