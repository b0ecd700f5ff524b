//! Operations on toggles. Each function runs in one transaction, which contains the change and its event.

use std::collections::BTreeSet;

use actix_web::http::header::EntityTag;

use crate::api::{Dependency, Strategy, Toggle, ToggleDraft};
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::events::{Actor, ToggleEvent, record_toggle_event, record_toggle_name};
use crate::flags::tagged_json::tag_of;

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
/// [`ApiError::NameTaken`] if a toggle, archived or not, has the name; [`ApiError::Invalid`] if it refers to an item that
/// does not exist.
pub fn create(tx: &Transaction<'_>, draft: &ToggleDraft, actor: &Actor) -> Result<Toggle, ApiError> {
    check_name_free(tx, &draft.name)?;
    check_draft(tx, draft)?;
    tx.insert_toggle(draft, actor.time())?;
    record_toggle_event(tx, ToggleEvent::Created, &draft.name, draft, actor)?;
    find(tx, &draft.name)
}

/// Replaces a toggle.
///
/// # Errors
/// [`ApiError::NotFound`] if the toggle does not exist or is archived; [`ApiError::Invalid`] if it refers to an item that
/// does not exist.
pub(crate) fn replace(tx: &Transaction<'_>, draft: &ToggleDraft, actor: &Actor) -> Result<(), ApiError> {
    check_draft(tx, draft)?;
    require_found(tx.replace_toggle(draft)?)?;
    Ok(record_toggle_event(tx, ToggleEvent::Updated, &draft.name, draft, actor)?)
}

/// Switches a toggle on or off and returns it.
pub(crate) fn set_enabled(
    tx: &Transaction<'_>,
    name: &str,
    enabled: bool,
    actor: &Actor,
) -> Result<Toggle, ApiError> {
    let toggle = tx.set_enabled(name, enabled)?.ok_or_else(not_found)?;
    record_toggle_event(tx, ToggleEvent::Updated, name, &toggle, actor)?;
    Ok(toggle)
}

/// Marks a toggle as stale or active and returns it.
pub(crate) fn set_stale(
    tx: &Transaction<'_>,
    name: &str,
    stale: bool,
    actor: &Actor,
) -> Result<Toggle, ApiError> {
    let toggle = tx.set_stale(name, stale)?.ok_or_else(not_found)?;
    let event = if stale { ToggleEvent::StaleOn } else { ToggleEvent::StaleOff };
    record_toggle_event(tx, event, name, &toggle, actor)?;
    Ok(toggle)
}

/// Archives a toggle.
///
/// # Errors
/// [`ApiError::NotFound`] if the toggle does not exist or is archived already; [`ApiError::Conflict`] if another toggle
/// depends on it.
pub(crate) fn archive(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if let Some(child) = tx.find_child(name)? {
        let message = format!("The toggle {child} depends on the toggle {name}. Archive it first");
        return Err(ApiError::Conflict(message));
    }
    require_found(tx.set_archived(name, true)?)?;
    Ok(record_toggle_name(tx, ToggleEvent::Archived, name, actor)?)
}

/// Revives an archived toggle. It is off afterwards.
///
/// # Errors
/// [`ApiError::NotFound`] if there is no archived toggle with that name; [`ApiError::Conflict`] if it may not depend on its
/// parents any more, because client libraries would evaluate it as off without a reason.
pub(crate) fn revive(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if !tx.set_archived(name, false)? {
        return Err(ApiError::NotFound("There is no archived toggle with that name".to_owned()));
    }
    let dependencies = find(tx, name)?.dependencies;
    if let Some(problem) = find_dependency_problem(tx, name, dependencies.as_deref())? {
        return Err(ApiError::Conflict(format!("The toggle {name} cannot be revived. {problem}")));
    }
    Ok(record_toggle_name(tx, ToggleEvent::Revived, name, actor)?)
}

/// Returns a toggle that is not archived.
pub(crate) fn find(tx: &Transaction<'_>, name: &str) -> Result<Toggle, ApiError> {
    tx.find_toggle(name)?.ok_or_else(not_found)
}

/// Returns the strong entity tag of a toggle that is not archived.
pub(crate) fn find_tag(tx: &Transaction<'_>, name: &str) -> Result<EntityTag, ApiError> {
    tag_of_toggle(&find(tx, name)?)
}

/// Returns the strong entity tag of a toggle. It does not cover `lastSeenAt`, which reports of applications change: otherwise
/// no save of a used toggle would succeed. A conditional GET therefore does not reveal a newer `lastSeenAt`.
pub(crate) fn tag_of_toggle(toggle: &Toggle) -> Result<EntityTag, ApiError> {
    tag_of(&Toggle { last_seen_at: None, ..toggle.clone() })
}

/// Checks that no toggle has the name.
///
/// # Errors
/// [`ApiError::NameTaken`]. The message says whether the existing toggle is archived.
pub(crate) fn check_name_free(tx: &Transaction<'_>, name: &str) -> Result<(), ApiError> {
    let taken_by = match tx.name_state(name)? {
        NameState::Free => return Ok(()),
        NameState::Live => "A toggle",
        NameState::Archived => "An archived toggle",
    };
    Err(ApiError::NameTaken(format!("{taken_by} with that name already exists")))
}

/// Checks that the project of a toggle exists.
pub(in crate::flags) fn check_project_exists(tx: &Transaction<'_>, id: &str) -> Result<(), ApiError> {
    if tx.find_project(id)?.is_some() {
        return Ok(());
    }
    Err(ApiError::invalid("project", format!("There is no project with the id {id}; create it first")))
}

fn check_draft(tx: &Transaction<'_>, draft: &ToggleDraft) -> Result<(), ApiError> {
    check_project_exists(tx, &draft.project)?;
    check_segments_exist(tx, &draft.strategies)?;
    check_dependencies(tx, &draft.name, draft.dependencies.as_deref())
}

/// Checks that the segments of strategies exist.
pub(in crate::flags) fn check_segments_exist(
    tx: &Transaction<'_>,
    strategies: &[Strategy],
) -> Result<(), ApiError> {
    let ids: BTreeSet<u32> =
        strategies.iter().flat_map(|strategy| &strategy.segments).flatten().copied().collect();
    for id in ids {
        if tx.find_segment(id)?.is_none() {
            let message = format!("There is no segment with the id {id}; create it first");
            return Err(ApiError::invalid("segments", message));
        }
    }
    Ok(())
}

/// Checks that the parents of the toggle `name` exist and have no parents. Evaluation does not follow chains.
pub(in crate::flags) fn check_dependencies(
    tx: &Transaction<'_>,
    name: &str,
    dependencies: Option<&[Dependency]>,
) -> Result<(), ApiError> {
    match find_dependency_problem(tx, name, dependencies)? {
        Some(problem) => Err(ApiError::invalid("dependencies", problem)),
        None => Ok(()),
    }
}

/// Returns the reason why the toggle `name` may not have these dependencies, with a remedy.
fn find_dependency_problem(
    tx: &Transaction<'_>,
    name: &str,
    dependencies: Option<&[Dependency]>,
) -> Result<Option<String>, ApiError> {
    let Some(dependencies @ [_, ..]) = dependencies else { return Ok(None) };
    if let Some(child) = tx.find_child(name)? {
        let problem = format!(
            "The toggle {name} cannot have dependencies because {child} depends on it; remove that dependency first"
        );
        return Ok(Some(problem));
    }
    for Dependency { feature, .. } in dependencies {
        let Some(parent) = tx.find_toggle(feature)? else {
            let problem = match tx.name_state(feature)? {
                NameState::Archived => "is archived; revive it first",
                NameState::Live | NameState::Free => "does not exist; create it first",
            };
            return Ok(Some(format!("The parent toggle {feature} {problem}")));
        };
        if parent.name == name {
            return Ok(Some(format!("The toggle {name} cannot depend on itself")));
        }
        if parent.dependencies.is_some_and(|own| !own.is_empty()) {
            return Ok(Some(format!(
                "The toggle {feature} cannot be a parent of {name} because it has dependencies itself; remove them first"
            )));
        }
    }
    Ok(None)
}

fn require_found(found: bool) -> Result<(), ApiError> {
    if found { Ok(()) } else { Err(not_found()) }
}

fn not_found() -> ApiError {
    ApiError::NotFound("Could not find feature".to_owned())
}
