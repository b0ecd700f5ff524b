//! The content of files: toggles, or a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

use serde::de::IgnoredAny;

use super::document::Document;
use super::managed;
use super::owned_tags::OwnedTags;
use super::plan::{Plan, planned_toggles};
use crate::api::NamedText;

/// The content of files.
#[derive(Debug)]
pub enum Source {
    /// Toggles, from all files together.
    Toggles(Document),
    /// A plan, from one file.
    Plan(Plan),
}

impl Source {
    /// Reads files. The fault names the file, with line and column.
    ///
    /// # Errors
    /// A sentence about the first fault.
    pub fn read(files: &[NamedText]) -> Result<Self, String> {
        let mut documents = Vec::new();
        for NamedText { name, text } in files {
            if let Some(plan) = read_plan(name, text)? {
                return if files.len() == 1 {
                    Ok(Self::Plan(plan))
                } else {
                    Err(format!("{name} is a plan; it must be the only file"))
                };
            }
            documents.push((name.clone(), read_document(name, text)?));
        }
        join(documents).map(Self::Toggles)
    }
}

impl Source {
    /// Returns the toggles of files or of a plan, with the toggles that must be read for them.
    #[must_use]
    pub(crate) fn planned_toggles(&self) -> Vec<(&str, Vec<String>)> {
        match self {
            Self::Toggles(document) => planned_toggles(document),
            Self::Plan(plan) => plan.planned_toggles(),
        }
    }

    /// Returns the owned tags of toggles whose tags are needed, by the names of the toggles.
    #[must_use]
    pub(crate) fn owned_tags(&self) -> BTreeMap<&str, OwnedTags> {
        match self {
            Self::Toggles(document) => document.owned_tags(),
            Self::Plan(plan) => plan.owned_tags(),
        }
    }
}

/// Reads a file with toggles. One whose name ends with `.json` must be JSON, of which YAML accepts other forms.
///
/// # Errors
/// A sentence with the name of the file, line and column.
pub(crate) fn read_document(name: &str, text: &str) -> Result<Document, String> {
    let extension = Path::new(name).extension().and_then(OsStr::to_str);
    if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
        && let Err(fault) = serde_json::from_str::<IgnoredAny>(text)
    {
        let (line, column) = (fault.line(), fault.column());
        let fault = fault.to_string();
        let cause = fault.rsplit_once(" at line ").map_or(fault.as_str(), |(cause, _)| cause);
        return Err(format!(
            "{name}, line {line}, column {column}: it is not JSON: {cause}; correct it, or rename a YAML file to .yaml"
        ));
    }
    Document::parse(text).map_err(|fault| format!("{name}, {fault}"))
}

/// Returns the plan in a file; `None` if the file contains toggles.
///
/// # Errors
/// A sentence about a plan that this program cannot read.
pub fn read_plan(name: &str, text: &str) -> Result<Option<Plan>, String> {
    let Ok(json) = serde_json::from_str::<serde_json::Value>(text) else { return Ok(None) };
    if json.get("changes").is_none() {
        return Ok(None);
    }
    let plan: Plan =
        serde_json::from_value(json).map_err(|cause| format!("{name} is not a plan: {cause}"))?;
    if plan.version != 1 {
        return Err(format!("{name} is a plan of version {}, and this program reads 1", plan.version));
    }
    Ok(Some(plan))
}

/// Joins files, which must not contain a toggle twice. Each toggle gets the name of its files.
///
/// # Errors
/// A sentence that names a toggle and the two files that own it, or a toggle whose list of tags contains a mark.
pub fn join(files: impl IntoIterator<Item = (String, Document)>) -> Result<Document, String> {
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    let mut toggles = BTreeMap::new();
    let mut empty_managers = BTreeSet::new();
    for (file, document) in files {
        if let Some(name) = document.find_mark_in_tags() {
            return Err(format!(
                "{file}: the tags of {name} contain one of the type {}, which only managedBy sets; remove it, and write managedBy at the top of the file",
                managed::TAG_TYPE
            ));
        }
        if document.toggles.is_empty() {
            empty_managers.extend(document.managed_by.clone());
        }
        let document = match document.managed_by.clone() {
            Some(owner) => document.managed_by(&owner),
            None => document,
        };
        for (name, toggle) in document.toggles {
            if let Some(owner) = owners.insert(name.clone(), file.clone()) {
                return Err(format!(
                    "{owner} and {file} both own the toggle {name}; remove it from one of them"
                ));
            }
            toggles.insert(name, toggle);
        }
    }
    Ok(Document { empty_managers, ..Document::new(toggles) })
}
