//! Differences between the toggles of several targets. Pure.
//!
//! Sources tell different properties: client libraries get no descriptions and no disabled strategies, and files own what they name.
//! A property is compared between the targets that tell it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::document::percentage_parameter;
use super::owned::{is_default, normalize_property, normalize_value};
use crate::evaluation::SegmentDefinition;
use crate::field_differences::{self, FieldDifference, shorten};
use crate::terminal::Escaped;

/// Properties that are compared, in the order of the rows of a toggle.
const COMPARED: [&str; 9] = [
    "enabled",
    "strategies",
    "variants",
    "dependencies",
    "stale",
    "description",
    "type",
    "project",
    "impressionData",
];
/// Properties that responses for client libraries omit if they have their default. They do not contain other absent properties.
const OMITTED_DEFAULTS: [&str; 4] = ["variants", "dependencies", "stale", "impressionData"];
/// Maximum number of characters of a cell of the table.
const MAX_CELL: usize = 44;

/// The source of a target's toggles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// The admin API or an export. An absent property has its default.
    Server,
    /// The API for client libraries, without some properties and without disabled strategies.
    Client,
    /// Files, which own what they name.
    Files,
}

/// The toggles of a target.
#[derive(Debug)]
pub struct Snapshot {
    target: String,
    source: SourceKind,
    toggles: BTreeMap<String, Properties>,
}

/// The normalized JSON of each compared property; `None` if the source does not tell it. Texts need less memory than values.
type Properties = [Option<Box<str>>; COMPARED.len()];

/// The differences between targets.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Drift {
    /// Names of the targets.
    pub targets: Vec<String>,
    /// Number of compared toggles.
    pub compared: usize,
    /// Toggles that differ, sorted by name.
    pub toggles: Vec<DriftedToggle>,
}

/// A toggle that differs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DriftedToggle {
    /// Name of the toggle.
    pub name: String,
    /// Targets that do not have the toggle, although they contain all their toggles.
    pub missing: Vec<String>,
    /// Targets that have the toggle. Files that do not name it are in neither list.
    pub existing: Vec<String>,
    /// Properties that differ.
    pub differences: Vec<Difference>,
}

/// A property that differs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Difference {
    /// Name of the property, as in the API.
    pub property: &'static str,
    /// Value of each target that has the toggle and tells the property. Null is the default of the property, such as no variants.
    pub values: BTreeMap<String, Value>,
}

impl Snapshot {
    /// Creates the snapshot of a target without toggles.
    #[must_use]
    pub fn new(target: &str, source: SourceKind) -> Self {
        Self { target: target.to_owned(), source, toggles: BTreeMap::new() }
    }

    /// Adds a toggle in the JSON of the API.
    pub fn add(&mut self, name: &str, toggle: &Value, segments: &[SegmentDefinition]) {
        let read = |key: &str| -> Option<Box<str>> {
            let value = toggle.get(key).filter(|value| !value.is_null());
            let Some(value) = value else { return self.has_default(key).then(|| "null".into()) };
            let mut value = normalize_property(key, value);
            if key == "strategies" {
                add_constraints(&mut value, segments);
            }
            if is_default(key, &value) {
                value = Value::Null;
            }
            Some(value.to_string().into())
        };
        let properties = COMPARED.map(read);
        self.toggles.insert(name.to_owned(), properties);
    }

    /// Returns true if a property has its default if the source does not contain it.
    fn has_default(&self, key: &str) -> bool {
        match self.source {
            SourceKind::Server => true,
            SourceKind::Client => OMITTED_DEFAULTS.contains(&key),
            SourceKind::Files => false,
        }
    }
}

/// Replaces the ids of segments in strategies by their names and constraints, because ids differ between servers. Files contain names.
fn add_constraints(strategies: &mut Value, segments: &[SegmentDefinition]) {
    for strategy in strategies.as_array_mut().into_iter().flatten() {
        let Some(ids) = strategy.get_mut("segments").and_then(Value::as_array_mut) else { continue };
        for id in ids {
            let name = id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned);
            let segment = segments.iter().find(|segment| segment.id.as_ref() == Some(&name));
            let constraints = segment.map(constraints_of);
            let name = segment.and_then(|segment| segment.name.as_ref()).unwrap_or(&name);
            *id = json!({ "segment": name, "constraints": constraints });
        }
    }
}

pub(super) fn constraints_of(segment: &SegmentDefinition) -> Value {
    let constraints = segment.constraints.iter().map(|constraint| {
        json!({
            "contextName": constraint.context_name,
            "operator": constraint.operator,
            "inverted": constraint.inverted,
            "caseInsensitive": constraint.case_insensitive,
            "values": constraint.values,
            "value": constraint.value,
        })
    });
    normalize_value(&constraints.collect())
}

impl Drift {
    /// Compares the toggles of targets.
    #[must_use]
    pub fn new(snapshots: &[Snapshot]) -> Self {
        let names: BTreeSet<&String> = snapshots.iter().flat_map(|one| one.toggles.keys()).collect();
        let toggles = names.iter().filter_map(|name| compare(name, snapshots)).collect();
        Self {
            targets: snapshots.iter().map(|one| one.target.clone()).collect(),
            compared: names.len(),
            toggles,
        }
    }

    /// Returns the differences as a table: a row for each field that differs, and a column for each target.
    #[must_use]
    pub fn to_text(&self) -> String {
        let plural = if self.compared == 1 { "" } else { "s" };
        if self.toggles.is_empty() {
            return format!(
                "{} toggle{plural} compared, no differences between {}",
                self.compared,
                self.targets.join(", ")
            );
        }
        let header = ["toggle", "difference"].map(ToOwned::to_owned);
        let mut rows = vec![header.into_iter().chain(self.targets.iter().cloned()).collect::<Vec<_>>()];
        for toggle in &self.toggles {
            rows.extend(self.rows_of(toggle));
        }
        let mut text =
            format!("{} of {} toggle{plural} differ between targets\n", self.toggles.len(), self.compared);
        let columns = rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                // Writing to a string cannot fail.
                let _infallible = write!(line, "{cell:width$}  ");
            }
            text.push('\n');
            text.push_str(line.trim_end());
        }
        text
    }

    fn rows_of(&self, toggle: &DriftedToggle) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let mut add = |field: &str, cell: &dyn Fn(&str) -> String| {
            let name = if rows.is_empty() { toggle.name.as_str() } else { "" };
            let cells: Vec<_> = self.targets.iter().map(|target| cell(target)).collect();
            let cells: Vec<_> = cells.iter().map(String::as_str).collect();
            let mut row: Vec<_> = [name, field].map(|text| Escaped::line(text).to_string()).into();
            // Texts of servers must neither add lines nor control the terminal.
            row.extend(shorten(&cells, MAX_CELL).iter().map(|cell| Escaped::line(cell).to_string()));
            rows.push(row);
        };
        if !toggle.missing.is_empty() {
            let is_in = |targets: &[String], target: &str| targets.iter().any(|name| name == target);
            let cell = |target: &str| {
                if is_in(&toggle.missing, target) {
                    "missing"
                } else if is_in(&toggle.existing, target) {
                    "exists"
                } else {
                    // The files do not name it.
                    "-"
                }
            };
            add("toggle", &|target| cell(target).to_owned());
        }
        for Difference { property, values } in &toggle.differences {
            let sides: Vec<_> = values.values().collect();
            for FieldDifference { path, values: fields } in field_differences::compare(property, &sides) {
                let fields: BTreeMap<_, _> = values.keys().map(String::as_str).zip(&fields).collect();
                add(&path, &|target| match fields.get(target) {
                    Some(Value::Null) if path == *property => "none".to_owned(),
                    // The target does not have the field, or does not tell it.
                    None | Some(Value::Null) => "-".to_owned(),
                    Some(value) => value.to_string(),
                });
            }
        }
        rows
    }
}

/// Compares one toggle. Returns `None` if all targets agree.
fn compare(name: &str, snapshots: &[Snapshot]) -> Option<DriftedToggle> {
    let found: Vec<(&Snapshot, &Properties)> =
        snapshots.iter().filter_map(|one| Some((one, one.toggles.get(name)?))).collect();
    let is_missing = |one: &&Snapshot| one.source != SourceKind::Files && !one.toggles.contains_key(name);
    let missing: Vec<_> = snapshots.iter().filter(is_missing).map(|one| one.target.clone()).collect();
    let mut differences = Vec::new();
    for (index, property) in COMPARED.into_iter().enumerate() {
        let known: Vec<(&Snapshot, &str)> = found
            .iter()
            .filter_map(|(one, properties)| Some((*one, properties.get(index)?.as_deref()?)))
            .collect();
        if known.iter().zip(known.iter().skip(1)).all(|((_, one), (_, other))| one == other) {
            continue;
        }
        let told = known.iter().map(|(_, text)| serde_json::from_str(text).unwrap_or_default());
        let values: Vec<Value> = if property == "strategies" {
            let told: Vec<_> = told.zip(known.iter().map(|(one, _)| one.source)).collect();
            reconcile_all(&told)
        } else {
            told.collect()
        };
        if values.iter().zip(values.iter().skip(1)).all(|(one, other)| one == other) {
            continue;
        }
        let targets = known.iter().map(|(one, _)| one.target.clone());
        differences.push(Difference { property, values: targets.zip(values).collect() });
    }
    (!missing.is_empty() || !differences.is_empty()).then(|| DriftedToggle {
        name: name.to_owned(),
        missing,
        existing: found.iter().map(|(one, _)| one.target.clone()).collect(),
        differences,
    })
}

/// Returns comparable strategies of all targets. If two targets differ in a part that a third one does not tell, the strategies of
/// each target are as the target tells them.
fn reconcile_all(told: &[(Value, SourceKind)]) -> Vec<Value> {
    let reconciled = |targets: &[(Value, SourceKind)]| -> Vec<Value> {
        let (mut lists, sources): (Vec<_>, Vec<_>) = targets.iter().cloned().unzip();
        reconcile(&mut lists, &sources);
        lists
    };
    let all = reconciled(told);
    let targets = || told.iter().zip(&all);
    let hides_difference = targets().enumerate().any(|(index, (one, in_all))| {
        targets().skip(index + 1).any(|(other, other_in_all)| {
            in_all == other_in_all && {
                let pair = reconciled(&[one.clone(), other.clone()]);
                pair.first() != pair.last()
            }
        })
    });
    if hides_difference {
        told.iter().flat_map(|target| reconciled(std::slice::from_ref(target))).collect()
    } else {
        all
    }
}

/// Removes from the strategies of all targets the parts that one of the targets does not tell, and their order if it is not
/// known and has no effect.
fn reconcile(lists: &mut [Value], sources: &[SourceKind]) {
    let has_client = sources.contains(&SourceKind::Client);
    let lacks_percentage = lists.iter().zip(sources).any(|(list, source)| {
        *source == SourceKind::Files && strategies(list).any(|strategy| percentage_of(strategy) == Some(None))
    });
    let lacks_constraints = lists.iter().any(|list| {
        strategies(list)
            .flat_map(segments)
            .any(|segment| segment.get("constraints").is_none_or(Value::is_null))
    });
    for list in &mut *lists {
        let Some(items) = list.as_array_mut() else { continue };
        if has_client {
            items.retain(|strategy| strategy.get("disabled").is_none());
        }
        for strategy in items.iter_mut().filter_map(Value::as_object_mut) {
            if has_client {
                strategy.remove("title");
            }
            if lacks_percentage {
                let name = strategy.get("name").and_then(Value::as_str).and_then(percentage_parameter);
                if let (Some(name), Some(Value::Object(parameters))) = (name, strategy.get_mut("parameters"))
                {
                    parameters.remove(name);
                    // Like an absent property, which files omit.
                    if parameters.is_empty() {
                        strategy.remove("parameters");
                    }
                }
            }
            resolve_segments(strategy, lacks_constraints);
        }
        if items.is_empty() {
            *list = Value::Null;
        }
    }
    // Unleash 4 sends strategies to client libraries in another order than to the admin API. A toggle is on if any strategy
    // matches, so that only variants of strategies depend on the order: those of the first match count. Servers that have them
    // send one order.
    if has_client && !lists.iter().flat_map(strategies).any(has_variants) {
        for items in lists.iter_mut().filter_map(Value::as_array_mut) {
            items.sort_by_cached_key(Value::to_string);
        }
    }
}

fn has_variants(strategy: &Value) -> bool {
    strategy.get("variants").and_then(Value::as_array).is_some_and(|variants| !variants.is_empty())
}

/// Replaces segments by their constraints, or by their names. All constraints must match, so that their order has no meaning.
fn resolve_segments(strategy: &mut Map<String, Value>, is_by_name: bool) {
    let segments = match strategy.remove("segments") {
        Some(Value::Array(segments)) => segments,
        _ => Vec::new(),
    };
    if is_by_name {
        let mut names: Vec<Value> = segments.iter().filter_map(|one| one.get("segment").cloned()).collect();
        names.sort_by_cached_key(Value::to_string);
        if !names.is_empty() {
            strategy.insert("segments".to_owned(), names.into());
        }
    }
    let mut constraints = match strategy.remove("constraints") {
        Some(Value::Array(constraints)) => constraints,
        _ => Vec::new(),
    };
    if !is_by_name {
        let own = segments.iter().filter_map(|one| one.get("constraints")?.as_array());
        constraints.extend(own.flatten().cloned());
    }
    constraints.sort_by_cached_key(Value::to_string);
    if !constraints.is_empty() {
        strategy.insert("constraints".to_owned(), constraints.into());
    }
}

fn strategies(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn segments(strategy: &Value) -> impl Iterator<Item = &Value> {
    strategy.get("segments").and_then(Value::as_array).into_iter().flatten()
}

/// Returns the percentage of a strategy; `None` for strategies that have none.
#[expect(clippy::option_option, reason = "a strategy with a percentage may lack its value")]
fn percentage_of(strategy: &Value) -> Option<Option<&str>> {
    let parameter = percentage_parameter(strategy.get("name")?.as_str()?)?;
    Some(strategy.get("parameters").and_then(|parameters| parameters.get(parameter)?.as_str()))
}
