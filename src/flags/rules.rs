//! What may be written. Pure: a body goes in, and what is to be kept comes out, or every rule that it breaks.
//!
//! Properties that nobody knows are left out of what is kept; those that are missing get their defaults.

mod addons;
mod definitions;
mod fields;
pub mod limits;
mod projects;
mod reports;
mod state;
mod strategies;
mod tags;
mod users;
mod variants;

use serde_json::Value;

use self::fields::{Faults, Field, is_name};
use super::model::ToggleDraft;
use crate::error::ApiError;

pub use self::addons::addon;
pub use self::definitions::{
    imported_strategy, new_context_field, new_strategy, replaced_context_field, replaced_strategy,
};
pub use self::projects::{new_project, replaced_project, wanted_project_id};
pub use self::reports::{application_texts, registration, report};
pub use self::state::{DatedToggle, Import, ImportError, Item, import};
pub use self::tags::{DEFAULT_TAG_TYPE, new_tag_type, replaced_tag_type, tag, toggle_filter};
pub use self::users::{Credentials, credentials, email, is_email, is_user_name};

/// What a toggle that names no type is.
const DEFAULT_TYPE: &str = "release";
/// Where a toggle that names no project belongs.
pub const DEFAULT_PROJECT: &str = "default";
/// Characters of a project's id.
const MAX_PROJECT_ID: usize = 100;

/// Reads a toggle to be created.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn new_toggle(body: &Value) -> Result<ToggleDraft, ApiError> {
    named_toggle(body, Faults::default())
}

/// Reads a toggle of an exported state. Its lists may be longer than those of a new toggle.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn imported_toggle(body: &Value) -> Result<ToggleDraft, ApiError> {
    named_toggle(body, Faults::of_import())
}

/// Reads a toggle to replace the one called `name`; a name inside the body does not count.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn replaced_toggle(name: String, body: &Value) -> Result<ToggleDraft, ApiError> {
    toggle(name, &Field::root(body)?, Faults::default())
}

/// Reads a name that somebody wants to give.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn wanted_name(body: &Value) -> Result<String, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let name = body.get("name").name(&mut faults);
    faults.into_result(name)
}

fn named_toggle(body: &Value, mut faults: Faults) -> Result<ToggleDraft, ApiError> {
    let body = Field::root(body)?;
    let name = body.get("name").name(&mut faults);
    toggle(name, &body, faults)
}

fn toggle(name: String, body: &Field<'_>, mut faults: Faults) -> Result<ToggleDraft, ApiError> {
    let draft = ToggleDraft {
        name,
        description: body.get("description").nullable_text(&mut faults),
        kind: body.get("type").text_or(DEFAULT_TYPE, &mut faults),
        enabled: body.get("enabled").flag_or(false, &mut faults),
        stale: body.get("stale").flag_or(false, &mut faults),
        project: project(&body.get("project"), &mut faults),
        strategies: strategies::read(&body.get("strategies"), &mut faults),
        variants: variants::read(&body.get("variants"), &mut faults),
    };
    faults.into_result(draft)
}

/// No project has a longer id, and the error for an unknown project repeats the id.
fn project(field: &Field<'_>, faults: &mut Faults) -> String {
    let id = field.text_or(DEFAULT_PROJECT, faults);
    field.check_bounds(&id, (0, MAX_PROJECT_ID), faults);
    id
}

/// Reads a list of texts, none of them empty.
fn texts(field: &Field<'_>, faults: &mut Faults) -> Vec<String> {
    field
        .items(limits::MAX_VALUES, faults)
        .iter()
        .map(|item| item.filled_text(faults).unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests;
