//! What can be done to tag types, tags, and tags on toggles. Each function is the work of one transaction.

use serde_json::json;

use super::events::{Actor, record_event};
use super::model::{Tag, TagType};
use super::rules::limits::MAX_TAGS_PER_TOGGLE;
use super::store::{Entity, NameState, Session};
use super::toggles;
use crate::error::ApiError;

/// One tag type.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn find_type(session: &Session<'_>, name: &str) -> Result<TagType, ApiError> {
    session.tag_type(name)?.ok_or_else(|| unknown_type(name))
}

/// Proves that a name can be given to a new tag type.
///
/// # Errors
/// [`ApiError::NameTaken`].
pub fn type_name_is_free(session: &Session<'_>, name: &str) -> Result<(), ApiError> {
    if session.tag_type(name)?.is_some() { Err(type_taken(name)) } else { Ok(()) }
}

/// Adds a tag type.
///
/// # Errors
/// [`ApiError::NameTaken`].
pub fn create_type(session: &Session<'_>, tag_type: &TagType, actor: &Actor) -> Result<(), ApiError> {
    if !session.insert_tag_type(tag_type)? {
        return Err(type_taken(&tag_type.name));
    }
    record_type(session, "tag-type-created", tag_type, actor)
}

/// Replaces a tag type.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn replace_type(session: &Session<'_>, tag_type: &TagType, actor: &Actor) -> Result<(), ApiError> {
    if !session.replace_tag_type(tag_type)? {
        return Err(unknown_type(&tag_type.name));
    }
    record_type(session, "tag-type-updated", tag_type, actor)
}

/// Removes a tag type with its tags. One that is not there is gone already.
///
/// # Errors
/// Those of the store.
pub fn delete_type(session: &Session<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if session.delete_tag_type(name)? {
        record_event(session, "tag-type-deleted", Entity::TagType, name, &json!({ "name": name }), actor)?;
    }
    Ok(())
}

/// Adds a tag.
///
/// # Errors
/// [`ApiError::Invalid`] where its type is unknown, [`ApiError::NameTaken`] where it exists.
pub fn create(session: &Session<'_>, tag: &Tag, actor: &Actor) -> Result<(), ApiError> {
    if insert(session, tag, actor)? {
        return Ok(());
    }
    Err(ApiError::NameTaken(format!("The tag {}:{} already exists", tag.kind, tag.value)))
}

/// Removes a tag, also from all toggles. One that is not there is gone already.
///
/// # Errors
/// Those of the store.
pub fn delete(session: &Session<'_>, tag: &Tag, actor: &Actor) -> Result<(), ApiError> {
    if session.delete_tag(tag)? {
        record_event(session, "tag-deleted", Entity::Tag, &label(tag), tag, actor)?;
    }
    Ok(())
}

/// The tags of a toggle, which may be archived.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn of_toggle(session: &Session<'_>, toggle: &str) -> Result<Vec<Tag>, ApiError> {
    if session.name_state(toggle)? == NameState::Free {
        toggles::find(session, toggle)?;
    }
    Ok(session.tags_of(toggle)?)
}

/// Puts a tag on a toggle, and adds the tag where it is new.
///
/// # Errors
/// [`ApiError::NotFound`] where there is no such toggle, [`ApiError::Invalid`] where the tag's type is unknown,
/// [`ApiError::AlreadyTagged`] where the toggle has the tag, [`ApiError::Conflict`] if it has as many tags as it can.
pub fn tag(session: &Session<'_>, toggle: &str, tag: &Tag, actor: &Actor) -> Result<(), ApiError> {
    toggles::find(session, toggle)?;
    insert(session, tag, actor)?;
    if !session.tag_toggle(toggle, tag)? {
        return Err(ApiError::AlreadyTagged(format!("{toggle} already has the tag {}", label(tag))));
    }
    if session.tags_of(toggle)?.len() > MAX_TAGS_PER_TOGGLE {
        let message =
            format!("{toggle} already has {MAX_TAGS_PER_TOGGLE} tags, the maximum; remove one first");
        return Err(ApiError::Conflict(message));
    }
    record_on_toggle(session, "feature-tagged", toggle, tag, actor)
}

/// Takes a tag off a toggle. One that is not there is gone already.
///
/// # Errors
/// Those of the store.
pub fn untag(session: &Session<'_>, toggle: &str, tag: &Tag, actor: &Actor) -> Result<(), ApiError> {
    if session.untag_toggle(toggle, tag)? {
        record_on_toggle(session, "feature-untagged", toggle, tag, actor)?;
    }
    Ok(())
}

/// Proves that there is a tag's type.
///
/// # Errors
/// [`ApiError::Invalid`].
pub(super) fn type_exists(session: &Session<'_>, tag: &Tag) -> Result<(), ApiError> {
    if session.tag_type(&tag.kind)?.is_some() {
        return Ok(());
    }
    let message = format!("There is no tag type called {}; create it first", tag.kind);
    Err(ApiError::invalid("type", message))
}

fn insert(session: &Session<'_>, tag: &Tag, actor: &Actor) -> Result<bool, ApiError> {
    type_exists(session, tag)?;
    let is_new = session.insert_tag(tag)?;
    if is_new {
        record_event(session, "tag-created", Entity::Tag, &label(tag), tag, actor)?;
    }
    Ok(is_new)
}

fn record_type(
    session: &Session<'_>,
    kind: &'static str,
    tag_type: &TagType,
    actor: &Actor,
) -> Result<(), ApiError> {
    Ok(record_event(session, kind, Entity::TagType, &tag_type.name, tag_type, actor)?)
}

/// Records what happened to a tag on a toggle.
///
/// # Errors
/// Those of the store.
pub(super) fn record_on_toggle(
    session: &Session<'_>,
    kind: &'static str,
    toggle: &str,
    tag: &Tag,
    actor: &Actor,
) -> Result<(), ApiError> {
    // No toggle's name holds a blank: no two pairs share a name.
    let name = format!("{toggle} {}", label(tag));
    let data = json!({ "featureName": toggle, "tag": tag });
    Ok(record_event(session, kind, Entity::TagOnFeature, &name, &data, actor)?)
}

/// A tag as people write it.
pub(super) fn label(tag: &Tag) -> String {
    format!("{}:{}", tag.kind, tag.value)
}

fn unknown_type(name: &str) -> ApiError {
    ApiError::NotFound(format!("There is no tag type called {name}"))
}

fn type_taken(name: &str) -> ApiError {
    ApiError::NameTaken(format!("There already is a tag type called {name}"))
}
