//! Reviews of plans: a pure function of files and of the state of the flag service that a client has read.
//!
//! The console reads and writes the flag service itself, with the requests of all its other changes, so that permissions, the journal
//! and the history are those of the person who applies a plan.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::checks::{Findings, PlanChecks};
use super::document::{Document, FileToggle};
use super::managed::{MANAGED_BY, split_tags};
use super::owned::TAGS;
use super::owned_tags::{OwnedTags, is_tag_property};
use super::plan::{
    Plan, PlannedChange, ServerState, body_of, find_dependent, missing_properties, missing_toggles,
};
use super::segments::SegmentNames;
use super::source::Source;
use crate::api::{
    ChangeStatus, FileRequest, FileResponse, NamedText, PlanRequest, PlanReview, PlannedAction,
    ReviewedChange, Tag,
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
        managed,
        segments,
        server: facts,
        items,
    } = request;
    let source = Source::read(&files).map_err(ReviewError::Invalid)?;
    let read = Read { existing: &existing, managed: &managed, tags: &tags };
    let pruned = if prune { find_others(&source, &read) } else { Ok(Pruned::default()) };
    let Pruned { missing_managed, candidates, others } = pruned.map_err(ReviewError::Invalid)?;
    let (mut planned, mut owned) = (source.planned_toggles(), source.owned_tags());
    planned.extend(others.iter().map(|name| (name.as_str(), Vec::new())));
    owned.extend(others.iter().map(|name| (name.as_str(), OwnedTags::MARK)));
    let named = |toggle: Value| {
        let name = toggle.get("name")?.as_str()?.to_owned();
        let owned = owned.get(name.as_str()).copied().unwrap_or_default();
        let toggle = owned.set(toggle, tags.get(&name).cloned().unwrap_or_default());
        Some((name, toggle))
    };
    let toggles: BTreeMap<String, Value> = toggles.into_iter().filter_map(named).collect();
    let missing = missing_toggles(&planned, &existing, &toggles);
    let is_missing = |name: &&str| existing.contains_key(*name) && !tags.contains_key(*name);
    let missing_tags: BTreeSet<String> =
        owned.keys().copied().chain(candidates).filter(is_missing).map(ToOwned::to_owned).collect();
    let is_stored = matches!(source, Source::Plan(_));
    let incomplete = PlanReview {
        missing: Vec::new(),
        missing_tags: Vec::new(),
        missing_managed: Vec::new(),
        missing_items: Vec::new(),
        problems: Vec::new(),
        warnings: Vec::new(),
        is_stored,
        plan: Value::Null,
        target: target.clone(),
        changes: Vec::new(),
    };
    if !missing.is_empty() || !missing_tags.is_empty() || !missing_managed.is_empty() {
        let (missing, missing_tags) = (missing.into_iter().collect(), missing_tags.into_iter().collect());
        return Ok(PlanReview { missing, missing_tags, missing_managed, ..incomplete });
    }
    let server = ServerState { toggles, archived, segments };
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
    let Findings { mut problems, warnings } = checks.run(facts.as_ref(), &items, &target, &texts);
    problems.extend(PlanChecks::find_unsafe(&plan, &server, facts.as_ref(), &texts));
    if !problems.is_empty() {
        return Ok(PlanReview { problems, warnings, ..incomplete });
    }
    // A plan is only a file: its effects are computed again.
    plan.rate(&server, work).map_err(invalid)??;
    let outdated = plan.find_outdated_effects(&server);
    let review = |change| review_change(change, &server, &outdated);
    let changes = plan.changes.iter().map(review).collect();
    let json = serde_json::to_value(&plan).map_err(invalid)?;
    Ok(PlanReview { warnings, plan: json, target: plan.target, changes, ..incomplete })
}

/// State that a client has read to archive toggles.
struct Read<'r> {
    existing: &'r BTreeMap<String, Vec<String>>,
    managed: &'r BTreeMap<String, Vec<String>>,
    tags: &'r BTreeMap<String, BTreeSet<Tag>>,
}

/// The toggles that the files managed until now and name no more.
#[derive(Default)]
struct Pruned<'r> {
    /// Names of files whose toggles the request does not contain.
    missing_managed: Vec<String>,
    /// Toggles whose tags decide.
    candidates: BTreeSet<&'r str>,
    /// Toggles that are archived, as far as their tags are known.
    others: BTreeSet<String>,
}

/// Finds the toggles with the mark of the files that they do not name.
fn find_others<'r>(source: &Source, read: &Read<'r>) -> Result<Pruned<'r>, String> {
    let Source::Toggles(document) = source else {
        return Err(
            "A plan contains all its changes. Review it without archiving toggles that no file names"
                .to_owned(),
        );
    };
    let managers = document
        .managers()
        .map_err(|reason| format!("Toggles that no file names cannot be archived: {reason}"))?;
    let mut pruned = Pruned::default();
    for manager in &managers {
        match read.managed.get(*manager) {
            Some(names) => pruned.candidates.extend(names.iter().map(String::as_str)),
            None => pruned.missing_managed.push((*manager).to_owned()),
        }
    }
    pruned
        .candidates
        .retain(|name| read.existing.contains_key(*name) && !document.toggles.contains_key(*name));
    for name in &pruned.candidates {
        let tags = read.tags.get(*name).cloned().unwrap_or_default();
        if split_tags(tags).1.is_some_and(|mark| managers.contains(mark.as_str())) {
            pruned.others.insert((*name).to_owned());
        }
    }
    Ok(pruned)
}

fn review_change(
    change: &PlannedChange,
    server: &ServerState,
    outdated: &BTreeMap<String, String>,
) -> ReviewedChange {
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
        status: if outdated.contains_key(name) { ChangeStatus::Outdated } else { change.status(stored) },
        outdated_effect: outdated.get(name).cloned(),
        effect: *effect,
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
pub(super) fn write_file(
    FileRequest { toggles, segments, state }: FileRequest,
) -> Result<FileResponse, String> {
    let names = SegmentNames::of_segments(&segments);
    let entry = |toggle: crate::api::Toggle| {
        let name = toggle.name.clone();
        match FileToggle::from_toggle(toggle, &names, state) {
            Ok(file) => Ok((name, file)),
            Err(cause) => Err(format!("{name}: {cause}")),
        }
    };
    let toggles = toggles.into_iter().map(entry).collect::<Result<_, _>>()?;
    let yaml = Document::new(toggles).to_yaml();
    yaml.map(|yaml| FileResponse { yaml }).map_err(|cause| cause.to_string())
}
