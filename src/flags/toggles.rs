//! What can be done to toggles. Each function is the work of one transaction: the change and its event.

use super::events::{Actor, ToggleEvent, record_toggle_event, record_toggle_name};
use super::model::{Toggle, ToggleDraft};
use super::store::{NameState, Session};
use crate::error::ApiError;

/// Adds a toggle and answers it.
///
/// # Errors
/// [`ApiError::NameTaken`], also by an archived toggle; [`ApiError::Invalid`] where there is no such project.
pub fn create(session: &Session<'_>, draft: &ToggleDraft, actor: &Actor) -> Result<Toggle, ApiError> {
    name_is_free(session, &draft.name)?;
    project_exists(session, &draft.project)?;
    session.insert_toggle(draft, actor.time())?;
    record_toggle_event(session, ToggleEvent::Created, &draft.name, draft, actor)?;
    find(session, &draft.name)
}

/// Replaces a toggle.
///
/// # Errors
/// [`ApiError::NotFound`], also for an archived toggle; [`ApiError::Invalid`] where there is no such project.
pub fn replace(session: &Session<'_>, draft: &ToggleDraft, actor: &Actor) -> Result<(), ApiError> {
    project_exists(session, &draft.project)?;
    known(session.replace_toggle(draft)?)?;
    Ok(record_toggle_event(session, ToggleEvent::Updated, &draft.name, draft, actor)?)
}

/// Switches a toggle on or off and answers it.
///
/// # Errors
/// [`ApiError::NotFound`], also for an archived toggle.
pub fn set_enabled(
    session: &Session<'_>,
    name: &str,
    enabled: bool,
    actor: &Actor,
) -> Result<Toggle, ApiError> {
    known(session.set_enabled(name, enabled)?)?;
    let toggle = find(session, name)?;
    record_toggle_event(session, ToggleEvent::Updated, name, &toggle, actor)?;
    Ok(toggle)
}

/// Marks a toggle as stale or active and answers it.
///
/// # Errors
/// [`ApiError::NotFound`], also for an archived toggle.
pub fn set_stale(session: &Session<'_>, name: &str, stale: bool, actor: &Actor) -> Result<Toggle, ApiError> {
    known(session.set_stale(name, stale)?)?;
    let toggle = find(session, name)?;
    let event = if stale { ToggleEvent::StaleOn } else { ToggleEvent::StaleOff };
    record_toggle_event(session, event, name, &toggle, actor)?;
    Ok(toggle)
}

/// Moves a toggle to the archive.
///
/// # Errors
/// [`ApiError::NotFound`], also for one that is there already.
pub fn archive(session: &Session<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    known(session.set_archived(name, true)?)?;
    Ok(record_toggle_name(session, ToggleEvent::Archived, name, actor)?)
}

/// Brings a toggle back from the archive, switched off.
///
/// # Errors
/// [`ApiError::NotFound`] for one that is not there.
pub fn revive(session: &Session<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if !session.set_archived(name, false)? {
        return Err(ApiError::NotFound("There is no archived toggle with that name".to_owned()));
    }
    Ok(record_toggle_name(session, ToggleEvent::Revived, name, actor)?)
}

/// One toggle in use.
///
/// # Errors
/// [`ApiError::NotFound`], also for an archived toggle.
pub fn find(session: &Session<'_>, name: &str) -> Result<Toggle, ApiError> {
    session.toggle(name)?.ok_or_else(not_found)
}

/// Proves that a name can be given to a new toggle.
///
/// # Errors
/// [`ApiError::NameTaken`], worded by what has it.
pub fn name_is_free(session: &Session<'_>, name: &str) -> Result<(), ApiError> {
    let taken_by = match session.name_state(name)? {
        NameState::Free => return Ok(()),
        NameState::Live => "A toggle",
        NameState::Archived => "An archived toggle",
    };
    Err(ApiError::NameTaken(format!("{taken_by} with that name already exists")))
}

/// Proves that there is a project for a toggle.
///
/// # Errors
/// [`ApiError::Invalid`].
pub(super) fn project_exists(session: &Session<'_>, id: &str) -> Result<(), ApiError> {
    if session.project(id)?.is_some() {
        return Ok(());
    }
    Err(ApiError::invalid("project", format!("There is no project with the id {id}; create it first")))
}

fn known(found: bool) -> Result<(), ApiError> {
    if found { Ok(()) } else { Err(not_found()) }
}

fn not_found() -> ApiError {
    ApiError::NotFound("Could not find feature".to_owned())
}
