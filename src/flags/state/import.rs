//! Writes an imported state. The caller's transaction commits all of it or nothing.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::json;

use crate::api::state::ImportSummary;
use crate::api::{Project, Segment, StrategyDefinition, Tag, TagType, Toggle, ToggleDraft};
use crate::config::DEFAULT_PROJECT;
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::events::{Actor, Entity, ToggleEvent, record_event, record_toggle_name};
use crate::flags::state::rules::{DatedToggle, Import, ImportError, ImportItem};
use crate::flags::toggles::transactions::NameState;
use crate::flags::{tags, toggles};

/// How an import treats existing items.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportMode {
    /// Deletes the existing items of each section in the file first.
    pub drop_before_import: bool,
    /// Does not change existing items.
    pub keep_existing: bool,
    /// Archives the toggles that the file does not contain, and removes its other segments and tags.
    pub replace_all: bool,
}

/// Outcome of one item.
enum Outcome {
    Added,
    Updated,
    Unchanged,
    Skipped(String),
}

/// Writes the items in one transaction.
struct Importer<'i> {
    tx: &'i Transaction<'i>,
    actor: &'i Actor,
    keeps_existing: bool,
    summary: ImportSummary,
}

/// Writes the state: first the items that toggles refer to, then the toggles.
pub(crate) fn import(
    tx: &Transaction<'_>,
    import: &Import,
    mode: ImportMode,
    actor: &Actor,
) -> Result<ImportSummary, ImportError> {
    if mode.drop_before_import {
        drop_sections(tx, import, actor)
            .map_err(|cause| ImportError { location: "drop-before-import".to_owned(), cause })?;
    }
    if mode.replace_all {
        remove_others(tx, import, actor)
            .map_err(|cause| ImportError { location: "the previous state".to_owned(), cause })?;
    }
    let mut importer =
        Importer { tx, actor, keeps_existing: mode.keep_existing, summary: ImportSummary::default() };
    importer.import_items(import.projects.as_deref(), Importer::import_project)?;
    importer.import_items(import.strategies.as_deref(), Importer::import_strategy)?;
    importer.import_items(import.tag_types.as_deref(), Importer::import_tag_type)?;
    importer.import_items(import.tags.as_deref(), Importer::import_tag)?;
    importer.import_items(import.segments.as_deref(), Importer::import_segment)?;
    importer.import_items(import.features.as_deref(), Importer::import_feature)?;
    importer.import_items(import.feature_tags.as_deref(), Importer::import_feature_tag)?;
    check_toggle_projects(tx).map_err(|cause| ImportError { location: "projects".to_owned(), cause })?;
    if mode.replace_all {
        // Toggles are served as they are, and their parents may be in projects that the file does not contain.
        return Ok(importer.summary);
    }
    let toggles = tx
        .list_toggles(false)
        .map_err(|cause| ImportError { location: "toggles".to_owned(), cause: cause.into() })?;
    for toggle in toggles {
        check_references(tx, &toggle)
            .map_err(|cause| ImportError { location: format!("the toggle {}", toggle.name), cause })?;
    }
    Ok(importer.summary)
}

fn drop_sections(tx: &Transaction<'_>, import: &Import, actor: &Actor) -> Result<(), ApiError> {
    let record =
        |kind, entity, name: &str| record_event(tx, kind, entity, name, &json!({ "name": name }), actor);
    if import.features.is_some() {
        tx.delete_all_toggles()?;
        record("drop-features", Entity::Feature, "all-features")?;
    }
    if import.strategies.is_some() {
        tx.delete_custom_strategies()?;
        record("drop-strategies", Entity::Strategy, "all-strategies")?;
    }
    if import.tag_types.is_some() {
        tx.delete_all_tag_types()?;
        record("drop-tag-types", Entity::TagType, "all-tag-types")?;
    }
    if import.segments.is_some() {
        tx.delete_all_segments()?;
        record("drop-segments", Entity::Segment, "all-segments")?;
    }
    if import.projects.is_some() {
        tx.delete_projects_except(DEFAULT_PROJECT)?;
        record("drop-projects", Entity::Project, "all-projects")?;
    }
    Ok(())
}

/// Archives the toggles that the file does not contain. Removes all segments and tags, without events, because the import adds most of
/// them again.
fn remove_others(tx: &Transaction<'_>, import: &Import, actor: &Actor) -> Result<(), ApiError> {
    let features = import.features.iter().flatten();
    let names: HashSet<_> = features.map(|item| item.value.draft.name.as_str()).collect();
    for toggle in tx.list_toggles(false)? {
        if !names.contains(toggle.name.as_str()) {
            tx.set_archived(&toggle.name, true)?;
            record_toggle_name(tx, ToggleEvent::Archived, &toggle.name, actor)?;
        }
    }
    tx.delete_all_segments()?;
    if import.tag_types.is_some() {
        tx.delete_all_tag_types()?;
    }
    Ok(())
}

fn check_toggle_projects(tx: &Transaction<'_>) -> Result<(), ApiError> {
    tx.move_orphaned_archived_toggles(DEFAULT_PROJECT)?;
    let Some((toggle, project)) = tx.find_orphaned_toggle()? else { return Ok(()) };
    let message = format!(
        "the toggle {toggle} belongs to the project {project}, which would not exist after the import"
    );
    Err(ApiError::invalid("project", message))
}

/// Checks the references of a toggle to segments and other toggles. Toggles can precede those to which they refer.
fn check_references(tx: &Transaction<'_>, toggle: &Toggle) -> Result<(), ApiError> {
    toggles::transactions::check_segments_exist(tx, &toggle.strategies)?;
    toggles::transactions::check_dependencies(tx, &toggle.name, toggle.dependencies.as_deref())
}

impl Importer<'_> {
    fn import_items<T>(
        &mut self,
        items: Option<&[ImportItem<T>]>,
        write: impl Fn(&Self, &T) -> Result<Outcome, ApiError>,
    ) -> Result<(), ImportError> {
        for ImportItem { location, value } in items.unwrap_or_default() {
            let outcome =
                write(self, value).map_err(|cause| ImportError { location: location.clone(), cause })?;
            match outcome {
                Outcome::Added => self.summary.added += 1,
                Outcome::Updated => self.summary.updated += 1,
                Outcome::Unchanged => self.summary.unchanged += 1,
                Outcome::Skipped(reason) => self.summary.skipped.push(format!("{location}: {reason}")),
            }
        }
        Ok(())
    }

    fn import_project(&self, project: &Project) -> Result<Outcome, ApiError> {
        let tx = self.tx;
        let outcome = match tx.find_project(&project.id)? {
            None => {
                let created_at = project.created_at.as_deref().unwrap_or(self.actor.time());
                tx.insert_project(project, created_at)?;
                Outcome::Added
            }
            Some(existing) => {
                if self.keeps_existing
                    || (&existing.name, &existing.description) == (&project.name, &project.description)
                {
                    return Ok(Outcome::Unchanged);
                }
                tx.replace_project(project)?;
                Outcome::Updated
            }
        };
        self.record("project-import", Entity::Project, &project.id, project)?;
        Ok(outcome)
    }

    fn import_strategy(&self, strategy: &StrategyDefinition) -> Result<Outcome, ApiError> {
        let tx = self.tx;
        let outcome = match tx.find_strategy(&strategy.name)? {
            Some(existing) if !existing.editable => {
                return Ok(Outcome::Skipped("built-in strategies cannot be changed".to_owned()));
            }
            Some(existing) if self.keeps_existing || existing == *strategy => return Ok(Outcome::Unchanged),
            Some(_) => {
                tx.replace_strategy(strategy)?;
                Outcome::Updated
            }
            None => {
                tx.insert_strategy(strategy)?;
                Outcome::Added
            }
        };
        tx.set_deprecated(&strategy.name, strategy.deprecated)?;
        self.record("strategy-import", Entity::Strategy, &strategy.name, strategy)?;
        Ok(outcome)
    }

    fn import_tag_type(&self, tag_type: &TagType) -> Result<Outcome, ApiError> {
        let outcome = match self.tx.find_tag_type(&tag_type.name)? {
            Some(existing) if self.keeps_existing || existing == *tag_type => return Ok(Outcome::Unchanged),
            Some(_) => {
                self.tx.replace_tag_type(tag_type)?;
                Outcome::Updated
            }
            None => {
                self.tx.insert_tag_type(tag_type)?;
                Outcome::Added
            }
        };
        self.record("tag-type-import", Entity::TagType, &tag_type.name, tag_type)?;
        Ok(outcome)
    }

    fn import_tag(&self, tag: &Tag) -> Result<Outcome, ApiError> {
        tags::transactions::check_type_exists(self.tx, tag)?;
        if !self.tx.insert_tag(tag)? {
            return Ok(Outcome::Unchanged);
        }
        self.record("tag-import", Entity::Tag, &tags::transactions::label(tag), tag)?;
        Ok(Outcome::Added)
    }

    fn import_segment(&self, segment: &Segment) -> Result<Outcome, ApiError> {
        let existing = self.tx.find_segment(segment.id)?;
        let mut segment = segment.clone();
        if segment.created_at.is_empty() {
            let known = existing.as_ref().map(|existing| existing.created_at.as_str());
            known.unwrap_or(self.actor.time()).clone_into(&mut segment.created_at);
        }
        if existing.as_ref().is_some_and(|existing| self.keeps_existing || *existing == segment) {
            return Ok(Outcome::Unchanged);
        }
        self.tx.put_segment(&segment)?;
        self.record("segment-import", Entity::Segment, &segment.id.to_string(), &segment)?;
        Ok(if existing.is_some() { Outcome::Updated } else { Outcome::Added })
    }

    fn import_feature(&self, DatedToggle { draft, created_at }: &DatedToggle) -> Result<Outcome, ApiError> {
        let tx = self.tx;
        toggles::transactions::check_project_exists(tx, &draft.project)?;
        let name = &draft.name;
        let outcome = match tx.name_state(name)? {
            NameState::Free => {
                tx.insert_toggle(draft, created_at.as_deref().unwrap_or(self.actor.time()))?;
                Outcome::Added
            }
            _ if self.keeps_existing => return Ok(Outcome::Unchanged),
            NameState::Live => {
                if tx.find_toggle(name)?.is_some_and(|existing| ToggleDraft::from(existing) == *draft) {
                    return Ok(Outcome::Unchanged);
                }
                tx.replace_toggle(draft)?;
                Outcome::Updated
            }
            NameState::Archived => {
                tx.set_archived(name, false)?;
                tx.replace_toggle(draft)?;
                Outcome::Updated
            }
        };
        self.record("feature-import", Entity::Feature, name, draft)?;
        Ok(outcome)
    }

    /// Writes a tag of a toggle. Exports contain the tags of archived toggles but not the toggles, so that unknown
    /// toggles are skipped.
    fn import_feature_tag(&self, (toggle, tag): &(String, Tag)) -> Result<Outcome, ApiError> {
        if self.tx.name_state(toggle)? == NameState::Free {
            return Ok(Outcome::Skipped(format!("there is no toggle named {toggle}")));
        }
        tags::transactions::check_type_exists(self.tx, tag)?;
        self.tx.insert_tag(tag)?;
        if !self.tx.tag_toggle(toggle, tag)? {
            return Ok(Outcome::Unchanged);
        }
        tags::transactions::record_on_toggle(self.tx, "feature-tag-import", toggle, tag, self.actor)?;
        Ok(Outcome::Added)
    }

    fn record(
        &self,
        kind: &'static str,
        entity: Entity,
        name: &str,
        data: &impl Serialize,
    ) -> Result<(), ApiError> {
        Ok(record_event(self.tx, kind, entity, name, data, self.actor)?)
    }
}
