//! Reviews of plans: a pure function of files and of the state of the flag service that a client has read.
//!
//! The console reads and writes the flag service itself, with the requests of all its other changes, so that permissions, the journal
//! and the history are those of the person who applies a plan.

use serde_json::{Map, Value, json};

use super::document::{Document, FileToggle};
use super::owned::TAGS;
use super::plan::{
    Plan, PlannedChange, ServerState, body_of, missing_toggles, parents_in, planned_toggles, words_of,
};
use super::references::{ItemKind, NewReferences};
use super::source::Source;
use crate::api::{FileRequest, FileResponse, PlanRequest, PlanReview, PlannedAction, ReviewedChange};
use crate::evaluation::{Stopped, Work};

/// The error of a review.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReviewError {
    /// The request cannot be used; a sentence for the user.
    #[error("{0}")]
    Invalid(String),
    /// The review takes too long.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Makes the plan of files, or compares a plan with the stored toggles.
pub(super) fn review(request: PlanRequest, work: &mut Work) -> Result<PlanReview, ReviewError> {
    let PlanRequest { files, target, existing, archived, toggles, segments } = request;
    let named = |toggle: Value| Some((toggle.get("name")?.as_str()?.to_owned(), toggle));
    let server = ServerState { toggles: toggles.into_iter().filter_map(named).collect(), archived, segments };
    let source = Source::read(&files).map_err(ReviewError::Invalid)?;
    if let Some(reason) = find_unsupported(&source) {
        return Err(ReviewError::Invalid(reason));
    }
    let planned: Vec<(&str, Vec<String>)> = match &source {
        Source::Toggles(document) => planned_toggles(document),
        Source::Plan(plan) => {
            plan.changes.iter().map(|change| (change.name.as_str(), parents_in(&change.state))).collect()
        }
    };
    let missing = missing_toggles(&planned, &existing, &server.toggles);
    if !missing.is_empty() {
        return Ok(PlanReview {
            missing: missing.into_iter().collect(),
            is_stored: matches!(source, Source::Plan(_)),
            plan: Value::Null,
            target,
            summary: String::new(),
            changes: Vec::new(),
        });
    }
    let invalid = |cause: serde_json::Error| {
        ReviewError::Invalid(format!("A toggle is not in the format of the API: {cause}"))
    };
    let (mut plan, is_stored) = match source {
        Source::Toggles(document) => {
            let plan = Plan::compare(&target, &document, &server).map_err(invalid)?;
            let known_toggles = existing.keys().chain(document.toggles.keys()).cloned().collect();
            let segments = server.segments.iter().filter_map(|segment| segment.id.clone()).collect();
            let references = NewReferences::collect(&document, &plan, &server);
            for (kind, existing) in [(ItemKind::Parent, known_toggles), (ItemKind::Segment, segments)] {
                let missing = references.describe_missing(kind, &existing, &target, &files);
                if let Some(text) = missing.first() {
                    return Err(ReviewError::Invalid(format!("{text}; {}", kind.remedy())));
                }
            }
            (plan, false)
        }
        Source::Plan(plan) => (plan, true),
    };
    // A plan is only a file: its effects are computed again.
    plan.rate(&server, work).map_err(invalid)??;
    let changes = plan.changes.iter().map(|change| review_change(change, &server)).collect();
    let json = serde_json::to_value(&plan).map_err(invalid)?;
    Ok(PlanReview {
        missing: Vec::new(),
        is_stored,
        plan: json,
        summary: plan.summary(),
        target: plan.target,
        changes,
    })
}

/// Returns the reason why the console cannot apply files or a plan: it changes neither tags nor toggles that no file names.
fn find_unsupported(source: &Source) -> Option<String> {
    let (tagged, archived) = match source {
        Source::Toggles(document) => {
            (document.toggles.iter().find(|(_, toggle)| toggle.tags.is_some()).map(|(name, _)| name), None)
        }
        Source::Plan(plan) => {
            let find = |is_found: &dyn Fn(&PlannedChange) -> bool| {
                plan.changes.iter().find(|change| is_found(change)).map(|change| &change.name)
            };
            (
                find(&|change| change.state.get(TAGS).is_some()),
                find(&|change| change.action == PlannedAction::Archive),
            )
        }
    };
    let reason = match (tagged, archived) {
        (Some(name), _) => format!("The tags of {name} are in the file"),
        (None, Some(name)) => format!("The plan archives {name}"),
        (None, None) => return None,
    };
    Some(format!("{reason}, which the console does not change. Use flagdeck apply"))
}

fn review_change(change: &PlannedChange, server: &ServerState) -> ReviewedChange {
    let PlannedChange { name, action, effect, state, .. } = change;
    let stored = server.toggles.get(name);
    let before = complete(name, stored.unwrap_or(&Value::Null), &Value::Null);
    ReviewedChange {
        name: name.clone(),
        action: *action,
        status: change.status(stored),
        effect: *effect,
        effect_text: words_of(*effect).to_owned(),
        after: complete(name, stored.unwrap_or(&Value::Null), state),
        before,
        body: match action {
            PlannedAction::Revive => state.clone(),
            PlannedAction::Create | PlannedAction::Change | PlannedAction::Archive => body_of(name, state),
        },
    }
}

/// Returns a toggle with all properties of the API: those of `changes`, else those of `stored`, else none.
fn complete(name: &str, stored: &Value, changes: &Value) -> Value {
    let mut toggle = json!({
        "description": null, "type": "release", "project": "default", "enabled": false, "stale": false,
        "strategies": [], "variants": [], "createdAt": "", "lastSeenAt": null,
    });
    if let Some(toggle) = toggle.as_object_mut() {
        let layers = [stored.as_object(), changes.as_object()].into_iter().flatten();
        for layer in layers.map(Map::clone) {
            toggle.extend(layer);
        }
        toggle.insert("name".to_owned(), name.into());
    }
    toggle
}

/// Writes toggles as a file, without their state, as `flagdeck pull` does.
pub(super) fn write_file(request: &FileRequest) -> Result<FileResponse, serde_saphyr::ser::Error> {
    let entry = |toggle: &crate::api::Toggle| (toggle.name.clone(), FileToggle::from_toggle(toggle, false));
    let document = Document { version: 1, toggles: request.toggles.iter().map(entry).collect() };
    Ok(FileResponse { yaml: document.to_yaml()? })
}
