//! Writes what an export says. The caller's transaction keeps all of it or nothing.

use serde::Serialize;
use serde_json::json;

use crate::error::ApiError;
use crate::flags::events::{Actor, record_other};
use crate::flags::model::{Project, StrategyDefinition, Tag, TagType, Toggle, ToggleDraft};
use crate::flags::rules::{DEFAULT_PROJECT, DatedToggle, Import, ImportError, Item};
use crate::flags::store::{Entity, NameState, Transaction};
use crate::flags::{tags, toggles};

/// What happens to what is there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportMode {
    /// Each kind of thing that the file has a section for is removed first.
    pub drop_before_import: bool,
    /// What is there stays as it is.
    pub keep_existing: bool,
}

/// What an import did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many things are new.
    pub added: usize,
    /// How many were replaced.
    pub updated: usize,
    /// How many stayed as they were.
    pub unchanged: usize,
    /// What was left out, and why: a sentence each.
    pub left_out: Vec<String>,
}

/// What happened to one thing.
enum Outcome {
    Added,
    Updated,
    Unchanged,
    LeftOut(String),
}

/// Somebody who imports into a session.
struct Importer<'i> {
    tx: &'i Transaction<'i>,
    actor: &'i Actor,
    keep: bool,
    imported: Imported,
}

/// Writes all of it: first what toggles refer to, then the toggles.
///
/// # Errors
/// The first item that cannot be written, with its place in the file.
pub fn import(
    tx: &Transaction<'_>,
    import: &Import,
    mode: ImportMode,
    actor: &Actor,
) -> Result<Imported, ImportError> {
    if mode.drop_before_import {
        drop_sections(tx, import, actor)
            .map_err(|cause| ImportError { place: "drop-before-import".to_owned(), cause })?;
    }
    let mut importer = Importer { tx, actor, keep: mode.keep_existing, imported: Imported::default() };
    importer.each(import.projects.as_deref(), Importer::project)?;
    importer.each(import.strategies.as_deref(), Importer::strategy)?;
    importer.each(import.tag_types.as_deref(), Importer::tag_type)?;
    importer.each(import.tags.as_deref(), Importer::tag)?;
    importer.each(import.features.as_deref(), Importer::feature)?;
    importer.each(import.feature_tags.as_deref(), Importer::feature_tag)?;
    every_toggle_has_a_project(tx).map_err(|cause| ImportError { place: "projects".to_owned(), cause })?;
    Ok(importer.imported)
}

fn drop_sections(tx: &Transaction<'_>, import: &Import, actor: &Actor) -> Result<(), ApiError> {
    let record =
        |kind, entity, name: &str| record_other(tx, kind, entity, name, &json!({ "name": name }), actor);
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
    if import.projects.is_some() {
        tx.delete_projects_except(DEFAULT_PROJECT)?;
        record("drop-projects", Entity::Project, "all-projects")?;
    }
    Ok(())
}

fn every_toggle_has_a_project(tx: &Transaction<'_>) -> Result<(), ApiError> {
    tx.move_orphaned_archived_toggles(DEFAULT_PROJECT)?;
    let Some((toggle, project)) = tx.find_orphaned_toggle()? else { return Ok(()) };
    let message = format!("the toggle {toggle} belongs to the project {project}, which would not be there");
    Err(ApiError::invalid("project", message))
}

impl Importer<'_> {
    fn each<T>(
        &mut self,
        items: Option<&[Item<T>]>,
        write: impl Fn(&Self, &T) -> Result<Outcome, ApiError>,
    ) -> Result<(), ImportError> {
        for Item { place, value } in items.unwrap_or_default() {
            let outcome = write(self, value).map_err(|cause| ImportError { place: place.clone(), cause })?;
            match outcome {
                Outcome::Added => self.imported.added += 1,
                Outcome::Updated => self.imported.updated += 1,
                Outcome::Unchanged => self.imported.unchanged += 1,
                Outcome::LeftOut(why) => self.imported.left_out.push(format!("{place}: {why}")),
            }
        }
        Ok(())
    }

    fn project(&self, project: &Project) -> Result<Outcome, ApiError> {
        let tx = self.tx;
        let outcome = match tx.find_project(&project.id)? {
            None => {
                let created_at = project.created_at.as_deref().unwrap_or(self.actor.time());
                tx.insert_project(project, created_at)?;
                Outcome::Added
            }
            Some(there) => {
                if self.keep || (&there.name, &there.description) == (&project.name, &project.description) {
                    return Ok(Outcome::Unchanged);
                }
                tx.replace_project(project)?;
                Outcome::Updated
            }
        };
        self.record("project-import", Entity::Project, &project.id, project)?;
        Ok(outcome)
    }

    fn strategy(&self, strategy: &StrategyDefinition) -> Result<Outcome, ApiError> {
        let tx = self.tx;
        let outcome = match tx.find_strategy(&strategy.name)? {
            Some(there) if !there.editable => {
                return Ok(Outcome::LeftOut("this strategy is built in and stays as it is".to_owned()));
            }
            Some(there) if self.keep || there == *strategy => return Ok(Outcome::Unchanged),
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

    fn tag_type(&self, tag_type: &TagType) -> Result<Outcome, ApiError> {
        let outcome = match self.tx.find_tag_type(&tag_type.name)? {
            Some(there) if self.keep || there == *tag_type => return Ok(Outcome::Unchanged),
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

    fn tag(&self, tag: &Tag) -> Result<Outcome, ApiError> {
        tags::check_type_exists(self.tx, tag)?;
        if !self.tx.insert_tag(tag)? {
            return Ok(Outcome::Unchanged);
        }
        self.record("tag-import", Entity::Tag, &tags::label(tag), tag)?;
        Ok(Outcome::Added)
    }

    fn feature(&self, DatedToggle { draft, created_at }: &DatedToggle) -> Result<Outcome, ApiError> {
        let tx = self.tx;
        toggles::check_project_exists(tx, &draft.project)?;
        let name = &draft.name;
        let outcome = match tx.name_state(name)? {
            NameState::Free => {
                tx.insert_toggle(draft, created_at.as_deref().unwrap_or(self.actor.time()))?;
                Outcome::Added
            }
            _ if self.keep => return Ok(Outcome::Unchanged),
            NameState::Live => {
                if tx.find_toggle(name)?.is_some_and(|there| says_the_same(&there, draft)) {
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

    /// Real exports hold the tags of archived toggles without the toggles.
    fn feature_tag(&self, (toggle, tag): &(String, Tag)) -> Result<Outcome, ApiError> {
        if self.tx.name_state(toggle)? == NameState::Free {
            return Ok(Outcome::LeftOut(format!("there is no toggle called {toggle}")));
        }
        tags::check_type_exists(self.tx, tag)?;
        self.tx.insert_tag(tag)?;
        if !self.tx.tag_toggle(toggle, tag)? {
            return Ok(Outcome::Unchanged);
        }
        tags::record_on_toggle(self.tx, "feature-tag-import", toggle, tag, self.actor)?;
        Ok(Outcome::Added)
    }

    fn record(
        &self,
        kind: &'static str,
        entity: Entity,
        name: &str,
        data: &impl Serialize,
    ) -> Result<(), ApiError> {
        Ok(record_other(self.tx, kind, entity, name, data, self.actor)?)
    }
}

fn says_the_same(toggle: &Toggle, draft: &ToggleDraft) -> bool {
    let Toggle { name, description, kind, project, enabled, stale, strategies, variants, .. } = toggle;
    let there = ToggleDraft {
        name: name.clone(),
        description: description.clone(),
        kind: kind.clone(),
        project: project.clone(),
        enabled: *enabled,
        stale: *stale,
        strategies: strategies.clone(),
        variants: variants.clone().unwrap_or_default(),
    };
    there == *draft
}
