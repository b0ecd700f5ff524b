//! Operations on toggles. Each function runs in one transaction, which contains the change and its event.

use crate::error::ApiError;
use crate::flags::database::Transaction;
use crate::flags::events::{Actor, ToggleEvent, record_toggle_event, record_toggle_name};
use crate::flags::model::{Toggle, ToggleDraft};

/// The state of a toggle name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameState {
    /// No toggle has the name.
    Free,
    /// A toggle that is not archived has the name.
    Live,
    /// An archived toggle has the name.
    Archived,
}

/// Creates a toggle and returns it.
///
/// # Errors
/// [`ApiError::NameTaken`] if a toggle, archived or not, has the name; [`ApiError::Invalid`] if the project does not
/// exist.
pub fn create(tx: &Transaction<'_>, draft: &ToggleDraft, actor: &Actor) -> Result<Toggle, ApiError> {
    check_name_free(tx, &draft.name)?;
    check_project_exists(tx, &draft.project)?;
    tx.insert_toggle(draft, actor.time())?;
    record_toggle_event(tx, ToggleEvent::Created, &draft.name, draft, actor)?;
    find(tx, &draft.name)
}

/// Replaces a toggle.
///
/// # Errors
/// [`ApiError::NotFound`] if the toggle does not exist or is archived; [`ApiError::Invalid`] if the project does not
/// exist.
pub fn replace(tx: &Transaction<'_>, draft: &ToggleDraft, actor: &Actor) -> Result<(), ApiError> {
    check_project_exists(tx, &draft.project)?;
    require_found(tx.replace_toggle(draft)?)?;
    Ok(record_toggle_event(tx, ToggleEvent::Updated, &draft.name, draft, actor)?)
}

/// Switches a toggle on or off and returns it.
///
/// # Errors
/// [`ApiError::NotFound`] if the toggle does not exist or is archived.
pub fn set_enabled(
    tx: &Transaction<'_>,
    name: &str,
    enabled: bool,
    actor: &Actor,
) -> Result<Toggle, ApiError> {
    require_found(tx.set_enabled(name, enabled)?)?;
    let toggle = find(tx, name)?;
    record_toggle_event(tx, ToggleEvent::Updated, name, &toggle, actor)?;
    Ok(toggle)
}

/// Marks a toggle as stale or active and returns it.
///
/// # Errors
/// [`ApiError::NotFound`] if the toggle does not exist or is archived.
pub fn set_stale(tx: &Transaction<'_>, name: &str, stale: bool, actor: &Actor) -> Result<Toggle, ApiError> {
    require_found(tx.set_stale(name, stale)?)?;
    let toggle = find(tx, name)?;
    let event = if stale { ToggleEvent::StaleOn } else { ToggleEvent::StaleOff };
    record_toggle_event(tx, event, name, &toggle, actor)?;
    Ok(toggle)
}

/// Archives a toggle.
///
/// # Errors
/// [`ApiError::NotFound`] if the toggle does not exist or is archived already.
pub fn archive(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    require_found(tx.set_archived(name, true)?)?;
    Ok(record_toggle_name(tx, ToggleEvent::Archived, name, actor)?)
}

/// Revives an archived toggle. It is off afterwards.
///
/// # Errors
/// [`ApiError::NotFound`] if there is no archived toggle with that name.
pub fn revive(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if !tx.set_archived(name, false)? {
        return Err(ApiError::NotFound("There is no archived toggle with that name".to_owned()));
    }
    Ok(record_toggle_name(tx, ToggleEvent::Revived, name, actor)?)
}

/// Returns a toggle that is not archived.
///
/// # Errors
/// [`ApiError::NotFound`] if the toggle does not exist or is archived.
pub fn find(tx: &Transaction<'_>, name: &str) -> Result<Toggle, ApiError> {
    tx.find_toggle(name)?.ok_or_else(not_found)
}

/// Checks that no toggle has the name.
///
/// # Errors
/// [`ApiError::NameTaken`]. The message says whether the existing toggle is archived.
pub fn check_name_free(tx: &Transaction<'_>, name: &str) -> Result<(), ApiError> {
    let taken_by = match tx.name_state(name)? {
        NameState::Free => return Ok(()),
        NameState::Live => "A toggle",
        NameState::Archived => "An archived toggle",
    };
    Err(ApiError::NameTaken(format!("{taken_by} with that name already exists")))
}

/// Checks that the project of a toggle exists.
///
/// # Errors
/// [`ApiError::Invalid`] if not.
pub(in crate::flags) fn check_project_exists(tx: &Transaction<'_>, id: &str) -> Result<(), ApiError> {
    if tx.find_project(id)?.is_some() {
        return Ok(());
    }
    Err(ApiError::invalid("project", format!("There is no project with the id {id}; create it first")))
}

fn require_found(found: bool) -> Result<(), ApiError> {
    if found { Ok(()) } else { Err(not_found()) }
}

fn not_found() -> ApiError {
    ApiError::NotFound("Could not find feature".to_owned())
}
