//! Operations on segments. Each function runs in one transaction, which contains the change and its event.

use std::fmt::Display;

use serde_json::json;

use crate::api::limits::MAX_SEGMENTS;
use crate::api::{Segment, SegmentDraft, SegmentUse, Strategy};
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::events::{Actor, Entity, record_event};
use crate::flags::segments::rows::ToggleWithSegment;

/// Maximum number of toggles that the refusal of a deletion names.
const MAX_NAMED_TOGGLES: usize = 5;

/// Environment of all strategies: this service has only one.
const ENVIRONMENT: &str = "default";

/// Returns a segment.
pub(crate) fn find(tx: &Transaction<'_>, id: u32) -> Result<Segment, ApiError> {
    tx.find_segment(id)?.ok_or_else(|| not_found(id))
}

/// Returns the strategies that use a segment, of toggles that are not archived.
pub(crate) fn list_uses(tx: &Transaction<'_>, id: u32) -> Result<Vec<SegmentUse>, ApiError> {
    find(tx, id)?;
    let toggles = tx.list_toggles_with_segment(id)?.into_iter().filter(|toggle| !toggle.is_archived);
    let uses = toggles.flat_map(|ToggleWithSegment { name, project, strategies, .. }| {
        let uses_segment =
            move |strategy: &Strategy| strategy.segments.iter().flatten().any(|used| *used == id);
        strategies.into_iter().filter(uses_segment).map(move |strategy| SegmentUse {
            id: strategy.id.unwrap_or_default(),
            strategy_name: strategy.name,
            feature_name: name.clone(),
            project_id: project.clone(),
            environment: ENVIRONMENT.to_owned(),
        })
    });
    Ok(uses.collect())
}

/// Checks that no segment except `owner` has the name.
pub(crate) fn check_name_free(tx: &Transaction<'_>, name: &str, owner: Option<u32>) -> Result<(), ApiError> {
    if tx.is_segment_name_taken(name, owner.unwrap_or_default())? {
        return Err(ApiError::NameTaken(format!("A segment with the name {name} already exists")));
    }
    Ok(())
}

/// Creates a segment and returns it.
///
/// # Errors
/// [`ApiError::Conflict`] if there are too many segments, [`ApiError::NameTaken`] if a segment has the name.
pub(crate) fn create(tx: &Transaction<'_>, draft: SegmentDraft, actor: &Actor) -> Result<Segment, ApiError> {
    if tx.count_segments()? >= MAX_SEGMENTS {
        let message = format!("There are already {MAX_SEGMENTS} segments, the maximum; delete one first");
        return Err(ApiError::Conflict(message));
    }
    check_name_free(tx, &draft.name, None)?;
    let SegmentDraft { name, description, constraints } = draft;
    let id = tx.next_segment_id()?.ok_or_else(|| {
        ApiError::Conflict("There is no free segment id: an import has used the highest one".to_owned())
    })?;
    let (created_by, created_at) = (Some(actor.name().to_owned()), actor.time().to_owned());
    let segment = Segment { id, name, description, constraints, created_by, created_at };
    tx.put_segment(&segment)?;
    record_event(tx, "segment-created", Entity::Segment, &id.to_string(), &segment, actor)?;
    Ok(segment)
}

/// Replaces a segment. SDKs receive the new constraints in all toggles that use it.
///
/// # Errors
/// [`ApiError::NotFound`] if it does not exist, [`ApiError::NameTaken`] if another segment has the name.
pub(crate) fn replace(
    tx: &Transaction<'_>,
    id: u32,
    draft: SegmentDraft,
    actor: &Actor,
) -> Result<(), ApiError> {
    let stored = find(tx, id)?;
    let SegmentDraft { name, description, constraints } = draft;
    // An import may have written several segments with one name. They can be edited.
    if name != stored.name {
        check_name_free(tx, &name, Some(id))?;
    }
    let segment = Segment { name, description, constraints, ..stored };
    tx.put_segment(&segment)?;
    Ok(record_event(tx, "segment-updated", Entity::Segment, &id.to_string(), &segment, actor)?)
}

/// Deletes a segment that no toggle uses.
///
/// # Errors
/// [`ApiError::NotFound`] if it does not exist; [`ApiError::Conflict`] if toggles use it, also archived ones: they can be
/// revived, and their strategies would then be off without a reason.
pub(crate) fn delete(tx: &Transaction<'_>, id: u32, actor: &Actor) -> Result<(), ApiError> {
    let Segment { name, .. } = find(tx, id)?;
    let toggles = tx.list_toggles_with_segment(id)?;
    if !toggles.is_empty() {
        let named = toggles
            .iter()
            .take(MAX_NAMED_TOGGLES)
            .map(|toggle| toggle.name.clone() + if toggle.is_archived { " (archived)" } else { "" });
        let named = named.collect::<Vec<_>>().join(", ");
        let more = match toggles.len().saturating_sub(MAX_NAMED_TOGGLES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message =
            format!("The segment {name} is used by {named}{more}. Remove it from their strategies first");
        return Err(ApiError::Conflict(message));
    }
    tx.delete_segment(id)?;
    let data = json!({ "id": id, "name": name });
    Ok(record_event(tx, "segment-deleted", Entity::Segment, &id.to_string(), &data, actor)?)
}

pub(super) fn not_found(id: impl Display) -> ApiError {
    ApiError::NotFound(format!("There is no segment with the id {id}"))
}
