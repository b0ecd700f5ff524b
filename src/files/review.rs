//! Reviews of plans: a pure function of files and of the state of the flag service that a client has read.
//!
//! The console reads and writes the flag service itself, with the requests of all its other changes, so that permissions, the journal
//! and the history are those of the person who applies a plan.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::checks::{Findings, PlanChecks};
use super::document::{Document, FileToggle};
use super::managed::MANAGED_BY;
use super::owned::TAGS;
use super::owned_tags::{OwnedTags, is_tag_property};
use super::plan::{
    Plan, PlannedChange, ServerState, body_of, find_dependent, missing_properties, missing_toggles,
    parents_in, planned_toggles, words_of,
};
use super::source::Source;
use crate::api::{
    FileRequest, FileResponse, NamedText, PlanRequest, PlanReview, PlannedAction, ReviewedChange,
};
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
    let PlanRequest {
        files,
        target,
        existing,
        archived,
        toggles,
        tags,
        prune,
        segments,
        server: facts,
        items,
    } = request;
    let source = Source::read(&files).map_err(ReviewError::Invalid)?;
    let others =
        if prune { find_others(&source, &existing).map_err(ReviewError::Invalid)? } else { BTreeSet::new() };
    let (mut planned, owned) = (find_planned(&source), find_owned_tags(&source));
    planned.extend(others.iter().map(|name| (name.as_str(), Vec::new())));
    let named = |toggle: Value| {
        let name = toggle.get("name")?.as_str()?.to_owned();
        let owned = owned.get(name.as_str()).copied().unwrap_or_default();
        let toggle = owned.set(toggle, tags.get(&name).cloned().unwrap_or_default());
        Some((name, toggle))
    };
    let toggles: BTreeMap<String, Value> = toggles.into_iter().filter_map(named).collect();
    let missing = missing_toggles(&planned, &existing, &toggles);
    let is_missing = |name: &&str| existing.contains_key(*name) && !tags.contains_key(*name);
    let missing_tags: Vec<String> = owned.keys().copied().filter(is_missing).map(ToOwned::to_owned).collect();
    let is_stored = matches!(source, Source::Plan(_));
    let incomplete = PlanReview {
        missing: Vec::new(),
        missing_tags: Vec::new(),
        missing_items: Vec::new(),
        problems: Vec::new(),
        warnings: Vec::new(),
        is_stored,
        plan: Value::Null,
        target: target.clone(),
        digest: String::new(),
        needs_another_person: false,
        summary: String::new(),
        changes: Vec::new(),
    };
    if !missing.is_empty() || !missing_tags.is_empty() {
        return Ok(PlanReview { missing: missing.into_iter().collect(), missing_tags, ..incomplete });
    }
    let server = ServerState { toggles, archived, segments, ..ServerState::default() };
    let invalid = |cause: serde_json::Error| {
        ReviewError::Invalid(format!("A toggle is not in the format of the API: {cause}"))
    };
    let (mut plan, texts) = match source {
        Source::Toggles(document) => {
            if let Some((child, parent)) = find_dependent(&document, &server, &others) {
                return Err(ReviewError::Invalid(format!(
                    "{parent} would be archived, and {child} depends on it. Add {parent} to the files, or remove the dependency"
                )));
            }
            (Plan::compare(&target, &document, &server, &others).map_err(invalid)?, files)
        }
        Source::Plan(plan) => (plan, files.into_iter().map(NamedText::without_text).collect()),
    };
    let checks = PlanChecks::new(&plan, &server);
    let missing_items: Vec<_> = checks.lists().into_iter().filter(|list| !items.contains_key(list)).collect();
    if !missing_items.is_empty() {
        return Ok(PlanReview { missing_items, ..incomplete });
    }
    let Findings { problems, warnings } = checks.run(facts.as_ref(), &items, &target, &texts);
    if !problems.is_empty() {
        return Ok(PlanReview { problems, warnings, ..incomplete });
    }
    // A plan is only a file: its effects are computed again.
    plan.rate(&server, work).map_err(invalid)??;
    let changes = plan.changes.iter().map(|change| review_change(change, &server)).collect();
    let json = serde_json::to_value(&plan).map_err(invalid)?;
    Ok(PlanReview {
        warnings,
        plan: json,
        digest: plan.content_digest(),
        summary: plan.summary(),
        target: plan.target,
        changes,
        ..incomplete
    })
}

/// Returns the toggles that no file names, which are archived.
fn find_others(
    source: &Source,
    existing: &BTreeMap<String, Vec<String>>,
) -> Result<BTreeSet<String>, String> {
    match source {
        Source::Plan(_) => {
            Err("A plan contains all its changes. Review it without archiving toggles that no file names"
                .to_owned())
        }
        Source::Toggles(document) if document.toggles.is_empty() => {
            Err("The files name no toggles, and all toggles would be archived. Name the toggles to keep"
                .to_owned())
        }
        Source::Toggles(document) => {
            Ok(existing.keys().filter(|name| !document.toggles.contains_key(*name)).cloned().collect())
        }
    }
}

/// Returns the toggles of files or of a plan with their parents after the change.
fn find_planned(source: &Source) -> Vec<(&str, Vec<String>)> {
    match source {
        Source::Toggles(document) => planned_toggles(document),
        Source::Plan(plan) => {
            let parents = |change: &PlannedChange| parents_in(&change.state);
            plan.changes.iter().map(|change| (change.name.as_str(), parents(change))).collect()
        }
    }
}

/// Returns the owned tags of toggles whose tags are needed, by the names of the toggles.
fn find_owned_tags(source: &Source) -> BTreeMap<&str, OwnedTags> {
    let mut owned: BTreeMap<_, _> = match source {
        Source::Toggles(document) => {
            let toggles = document.toggles.iter();
            toggles.map(|(name, toggle)| (name.as_str(), OwnedTags::of_file(toggle))).collect()
        }
        Source::Plan(plan) => {
            let of_change = |change: &PlannedChange| OwnedTags::of_state(&change.state);
            plan.changes.iter().map(|change| (change.name.as_str(), of_change(change))).collect()
        }
    };
    owned.retain(|_, owned| owned.is_any());
    owned
}

fn review_change(change: &PlannedChange, server: &ServerState) -> ReviewedChange {
    let PlannedChange { name, action, effect, state, .. } = change;
    let stored = server.toggles.get(name);
    let (before, after) = change.sides(stored);
    let has_only_tags = *action == PlannedAction::Change
        && stored.is_some_and(|stored| {
            let missing = missing_properties(state, stored);
            !missing.is_empty() && missing.iter().all(|key| is_tag_property(key))
        });
    ReviewedChange {
        name: name.clone(),
        action: *action,
        status: change.status(stored),
        effect: *effect,
        effect_text: words_of(*effect).to_owned(),
        before: without_mark(before),
        after: without_mark(after),
        managed_by: managed_by(state).filter(|name| stored.and_then(managed_by).as_ref() != Some(name)),
        body: match action {
            PlannedAction::Revive => OwnedTags::default().set(state.clone(), BTreeSet::new()),
            PlannedAction::Create | PlannedAction::Change | PlannedAction::Archive => body_of(name, state),
        },
        tags: state.get(TAGS).cloned(),
        has_only_tags,
    }
}

fn managed_by(toggle: &Value) -> Option<String> {
    toggle.get(MANAGED_BY)?.as_str().map(ToOwned::to_owned)
}

/// Removes the mark of files, which the API of the flag service does not have.
fn without_mark(mut toggle: Value) -> Value {
    if let Some(properties) = toggle.as_object_mut() {
        properties.remove(MANAGED_BY);
    }
    toggle
}

/// Writes toggles as a file, as `flagdeck pull` does.
pub(super) fn write_file(request: &FileRequest) -> Result<FileResponse, serde_saphyr::ser::Error> {
    let entry =
        |toggle: &crate::api::Toggle| (toggle.name.clone(), FileToggle::from_toggle(toggle, request.state));
    let document =
        Document { version: 1, managed_by: None, toggles: request.toggles.iter().map(entry).collect() };
    Ok(FileResponse { yaml: document.to_yaml()? })
}
