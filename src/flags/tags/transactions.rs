//! Operations on tag types, tags, and tags of toggles. Each function runs in one transaction, which contains the change
//! and its event.

use serde_json::json;

use crate::api::limits::MAX_TAGS_PER_TOGGLE;
use crate::api::{Tag, TagType};
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::events::{Actor, Entity, record_event};
use crate::flags::toggles;
use crate::flags::toggles::transactions::NameState;

/// Returns a tag type.
pub(crate) fn find_type(tx: &Transaction<'_>, name: &str) -> Result<TagType, ApiError> {
    tx.find_tag_type(name)?.ok_or_else(|| unknown_type(name))
}

/// Checks that no tag type has the name.
pub(crate) fn check_type_name_free(tx: &Transaction<'_>, name: &str) -> Result<(), ApiError> {
    if tx.find_tag_type(name)?.is_some() { Err(type_taken(name)) } else { Ok(()) }
}

/// Creates a tag type.
pub(crate) fn create_type(tx: &Transaction<'_>, tag_type: &TagType, actor: &Actor) -> Result<(), ApiError> {
    if !tx.insert_tag_type(tag_type)? {
        return Err(type_taken(&tag_type.name));
    }
    record_type(tx, "tag-type-created", tag_type, actor)
}

/// Replaces a tag type.
pub(crate) fn replace_type(tx: &Transaction<'_>, tag_type: &TagType, actor: &Actor) -> Result<(), ApiError> {
    if !tx.replace_tag_type(tag_type)? {
        return Err(unknown_type(&tag_type.name));
    }
    record_type(tx, "tag-type-updated", tag_type, actor)
}

/// Deletes a tag type and its tags. Does nothing if it does not exist.
pub(crate) fn delete_type(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if tx.delete_tag_type(name)? {
        record_event(tx, "tag-type-deleted", Entity::TagType, name, &json!({ "name": name }), actor)?;
    }
    Ok(())
}

/// Returns a tag.
pub(crate) fn find(tx: &Transaction<'_>, tag: Tag) -> Result<Tag, ApiError> {
    if tx.has_tag(&tag)? {
        return Ok(tag);
    }
    Err(ApiError::NotFound(format!("There is no tag {}", label(&tag))))
}

/// Checks that a tag can be created: its type exists, and the tag does not.
///
/// # Errors
/// [`ApiError::Invalid`] if its type does not exist, [`ApiError::NameTaken`] if the tag exists.
pub(crate) fn check_free(tx: &Transaction<'_>, tag: &Tag) -> Result<(), ApiError> {
    check_type_exists(tx, tag)?;
    if tx.has_tag(tag)? { Err(already_exists(tag)) } else { Ok(()) }
}

/// Creates a tag.
///
/// # Errors
/// [`ApiError::Invalid`] if its type does not exist, [`ApiError::NameTaken`] if the tag exists.
pub(crate) fn create(tx: &Transaction<'_>, tag: &Tag, actor: &Actor) -> Result<(), ApiError> {
    if insert(tx, tag, actor)? { Ok(()) } else { Err(already_exists(tag)) }
}

fn already_exists(tag: &Tag) -> ApiError {
    ApiError::NameTaken(format!("The tag {} already exists", label(tag)))
}

/// Deletes a tag and removes it from all toggles. Does nothing if it does not exist.
pub(crate) fn delete(tx: &Transaction<'_>, tag: &Tag, actor: &Actor) -> Result<(), ApiError> {
    if tx.delete_tag(tag)? {
        record_event(tx, "tag-deleted", Entity::Tag, &label(tag), tag, actor)?;
    }
    Ok(())
}

/// Returns the tags of a toggle, which may be archived.
pub(crate) fn list_for_toggle(tx: &Transaction<'_>, toggle: &str) -> Result<Vec<Tag>, ApiError> {
    if tx.name_state(toggle)? == NameState::Free {
        toggles::transactions::find(tx, toggle)?;
    }
    Ok(tx.list_tags_of_toggle(toggle)?)
}

/// Adds a tag to a toggle. Creates the tag if it does not exist.
///
/// # Errors
/// [`ApiError::NotFound`] if the toggle does not exist, [`ApiError::Invalid`] if the tag's type does not exist,
/// [`ApiError::AlreadyTagged`] if the toggle has the tag, [`ApiError::Conflict`] if the toggle has the maximum number of
/// tags.
pub(crate) fn tag(tx: &Transaction<'_>, toggle: &str, tag: &Tag, actor: &Actor) -> Result<(), ApiError> {
    toggles::transactions::find(tx, toggle)?;
    insert(tx, tag, actor)?;
    if !tx.tag_toggle(toggle, tag)? {
        return Err(ApiError::AlreadyTagged(format!("{toggle} already has the tag {}", label(tag))));
    }
    if tx.list_tags_of_toggle(toggle)?.len() > MAX_TAGS_PER_TOGGLE {
        let message =
            format!("{toggle} already has {MAX_TAGS_PER_TOGGLE} tags, the maximum; remove one first");
        return Err(ApiError::Conflict(message));
    }
    record_on_toggle(tx, "feature-tagged", toggle, tag, actor)
}

/// Removes a tag from a toggle. Does nothing if the toggle does not have it.
pub(crate) fn untag(tx: &Transaction<'_>, toggle: &str, tag: &Tag, actor: &Actor) -> Result<(), ApiError> {
    if tx.untag_toggle(toggle, tag)? {
        record_on_toggle(tx, "feature-untagged", toggle, tag, actor)?;
    }
    Ok(())
}

/// Checks that the type of a tag exists.
pub(in crate::flags) fn check_type_exists(tx: &Transaction<'_>, tag: &Tag) -> Result<(), ApiError> {
    if tx.find_tag_type(&tag.kind)?.is_some() {
        return Ok(());
    }
    let message = format!("There is no tag type called {}; create it first", tag.kind);
    Err(ApiError::invalid("type", message))
}

fn insert(tx: &Transaction<'_>, tag: &Tag, actor: &Actor) -> Result<bool, ApiError> {
    check_type_exists(tx, tag)?;
    let is_new = tx.insert_tag(tag)?;
    if is_new {
        record_event(tx, "tag-created", Entity::Tag, &label(tag), tag, actor)?;
    }
    Ok(is_new)
}

fn record_type(
    tx: &Transaction<'_>,
    kind: &'static str,
    tag_type: &TagType,
    actor: &Actor,
) -> Result<(), ApiError> {
    Ok(record_event(tx, kind, Entity::TagType, &tag_type.name, tag_type, actor)?)
}

/// Records an event about a tag of a toggle.
pub(in crate::flags) fn record_on_toggle(
    tx: &Transaction<'_>,
    kind: &'static str,
    toggle: &str,
    tag: &Tag,
    actor: &Actor,
) -> Result<(), ApiError> {
    // Toggle names contain no space, so each pair has its own name.
    let name = format!("{toggle} {}", label(tag));
    let data = json!({ "featureName": toggle, "tag": tag });
    Ok(record_event(tx, kind, Entity::TagOnFeature, &name, &data, actor)?)
}

/// Returns a tag as `type:value`.
pub(in crate::flags) fn label(tag: &Tag) -> String {
    format!("{}:{}", tag.kind, tag.value)
}

fn unknown_type(name: &str) -> ApiError {
    ApiError::NotFound(format!("There is no tag type called {name}"))
}

fn type_taken(name: &str) -> ApiError {
    ApiError::NameTaken(format!("A tag type called {name} already exists"))
}
