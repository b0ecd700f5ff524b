//! Parts of planned toggles that a server refuses, drops or changes, so that it would not store them as planned. Pure.
//!
//! The rules are those of the sources of Unleash 3.17.6, 4.2.2, 5.12.8 and 8.2.0; `make reach` compares them with servers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::json::{items_of, text_of};
use super::order::{Sides, is_plain};
use super::owned::{complete, new_toggle, normalize_property, normalize_strategy};
use super::places::{Located, describe_place, steps_of};
use super::plan::{Plan, PlannedAction, PlannedChange, ServerState, parents_in};
use super::server_rules::ServerRules;
use crate::evaluation::{is_common_pattern, is_unsafe_number, is_written_time};

/// Maximum numbers of 6.10 and newer.
const MAX_STRATEGIES: usize = 30;
const MAX_CONSTRAINTS: usize = 30;
const MAX_VALUES: usize = 250;
/// Maximum number of segments of a strategy, from 5 on.
const MAX_SEGMENTS: usize = 5;
/// Maximum length of a value of a constraint and of a name, in UTF-16 code units, as these servers count.
const MAX_LENGTH: usize = 100;
/// Sum of the weights of variants.
const WEIGHTS: u64 = 1000;
/// First version that is known to accept build metadata of versions; 7.6.5 refuses it.
const FIRST_WITH_BUILDS: (u32, u32) = (8, 2);
/// Types of payloads that servers with environments accept.
const PAYLOADS: [&str; 4] = ["json", "csv", "string", "number"];
/// Types of toggles, which 6 and newer require.
const TYPES: [&str; 5] = ["release", "experiment", "operational", "kill-switch", "permission"];
/// Order of the characters of names of variants in which servers with environments sort them.
const COLLATION: &str = "_-!.'()*~0123456789abcdefghijklmnopqrstuvwxyz";

/// The changes that a plan writes, with the stored toggles.
#[derive(Debug)]
pub(super) struct WrittenChanges {
    changes: Vec<(PlannedChange, Option<Value>)>,
    /// Faults of the dependencies after the plan, which all servers refuse.
    dependencies: Vec<Located>,
    /// Toggles that the plan does not change, and that would be on for others while a server with environments stores their parent.
    dependents: Vec<Located>,
}

impl WrittenChanges {
    /// Collects the changes. `server` contains the toggles of the plan, their parents and the toggles that depend on them.
    pub(super) fn collect(plan: &Plan, server: &ServerState) -> Self {
        let written = plan.written_changes(server);
        let changes: Vec<_> = written.map(|(change, stored)| (change.clone(), stored.cloned())).collect();
        let dependencies = find_dependency_faults(plan, server, &changes);
        let dependents = find_dependents(plan, server, &changes);
        Self { changes, dependencies, dependents }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Describes the parts that the server does not store as planned.
    pub(super) fn describe(&self, rules: ServerRules, target: &str) -> Vec<Located> {
        let mut problems = Vec::new();
        for (change, stored) in &self.changes {
            let state = written_state(change);
            let (stored, target) = (stored.as_ref(), target);
            let mut faults = Faults { change, state: &state, stored, target, problems: &mut problems };
            match rules {
                ServerRules::Embedded | ServerRules::Unknown | ServerRules::WithEnvironments(0, _) => {}
                ServerRules::WithoutEnvironments(major, minor) => faults.add_of_older(major, minor),
                ServerRules::WithEnvironments(major, minor) => faults.add_of_newer(major, minor),
            }
        }
        problems.extend(self.dependencies.iter().cloned());
        if !rules.is_atomic() {
            problems.extend(self.dependents.iter().cloned());
        }
        problems
    }
}

/// Returns the state with which a toggle is written. The stored properties of an archived toggle are not known.
fn written_state(change: &PlannedChange) -> Value {
    match change.action {
        PlannedAction::Create => complete(&change.name, &new_toggle(), &change.state),
        _ => change.state.clone(),
    }
}

/// The faults of one toggle.
struct Faults<'a> {
    change: &'a PlannedChange,
    state: &'a Value,
    stored: Option<&'a Value>,
    target: &'a str,
    problems: &'a mut Vec<Located>,
}

impl Faults<'_> {
    /// Adds a fault of the value at this path, a list of keys and indices. `reason` is the end of a sentence about the server.
    fn add(&mut self, path: Value, reason: &str) {
        let path = steps_of(path);
        let (place, _) = describe_place(&self.change.name, self.state, &path);
        let message = format!("{place}: {} {reason}", self.target);
        self.problems.push(Located::new(&self.change.name, &path, message));
    }

    /// Returns true if the plan writes another value of this property than the stored one.
    fn changes(&self, key: &str) -> bool {
        let normal = |toggle: Option<&Value>| {
            toggle.and_then(|toggle| toggle.get(key)).map(|value| normalize_property(key, value))
        };
        let is_empty = |value: &Option<Value>| value.as_ref().is_none_or(is_unset);
        let (stored, wanted) = (normal(self.stored), normal(Some(self.state)));
        stored != wanted && !(is_empty(&stored) && is_empty(&wanted))
    }

    /// Adds what 3.x to 4.2 refuse or drop. They replace a toggle with one request.
    fn add_of_older(&mut self, major: u32, minor: u32) {
        let state = self.state;
        if is_set(state, "impressionData") {
            self.add(json!(["impressionData"]), "does not store impressionData; remove it");
        }
        if is_set(state, "dependencies") {
            self.add(json!(["dependencies"]), "does not store dependencies, and the toggle would be on without its parent; remove them, or use a newer server");
        }
        for (index, strategy) in items_of(state, "strategies").iter().enumerate() {
            for key in ["title", "disabled", "segments", "variants"] {
                if is_set(strategy, key) {
                    let reason = format!("does not store {key} of strategies; remove it");
                    self.add(json!(["strategies", index, key]), &reason);
                }
            }
            for (at, constraint) in items_of(strategy, "constraints").iter().enumerate() {
                let path = |key: &str| json!(["strategies", index, "constraints", at, key]);
                // 4.2 stores constraints unread.
                let dropped = ["inverted", "caseInsensitive", "value"].into_iter().filter(|_| major < 4);
                for key in dropped.filter(|key| is_set(constraint, key)) {
                    self.add(path(key), &format!("does not store {key} of constraints; remove it"));
                }
                if items_of(constraint, "values").is_empty() {
                    self.add(path("values"), "requires a value of the constraint; add one");
                }
                self.add_lengths(constraint, &path("values"));
            }
        }
        self.add_variants(state, &[], false);
        if (major, minor) < (3, 17) {
            for (index, variant) in items_of(state, "variants").iter().enumerate() {
                if !["", "default"].contains(&text_of(variant, "stickiness")) {
                    self.add(
                        json!(["variants", index, "stickiness"]),
                        "does not store stickiness; remove it",
                    );
                }
            }
        }
        if major >= 4 {
            self.add_moved();
        }
    }

    /// Adds what servers with environments refuse, drop or change. They change one strategy with each request, and keep the others unread.
    fn add_of_newer(&mut self, major: u32, minor: u32) {
        let state = self.state;
        self.add_moved();
        let parents = items_of(state, "dependencies");
        if self.changes("dependencies") {
            if major < 5 && !parents.is_empty() {
                self.add(json!(["dependencies"]), "does not store dependencies, and the toggle would be on without its parent; remove them, or use a newer server");
            }
            if parents.len() > 1 {
                self.add(json!(["dependencies"]), "stores one parent of a toggle; remove the others");
            }
            for (index, parent) in parents.iter().enumerate() {
                if parent.get("enabled") == Some(&Value::Bool(false)) && is_set(parent, "variants") {
                    let path = json!(["dependencies", index, "variants"]);
                    self.add(path, "does not store variants of a parent that must be off; remove them");
                }
            }
        }
        let strategies = items_of(state, "strategies");
        let is_enabled = |strategy: &Value| !is_set(strategy, "disabled");
        let is_on = state.get("enabled") == Some(&Value::Bool(true));
        let names_strategies = state.get("strategies").is_some();
        if is_on
            && names_strategies
            && !strategies.iter().any(is_enabled)
            && (self.changes("enabled") || self.changes("strategies"))
        {
            let reason = "adds a rollout to everyone, or enables all strategies, if a toggle without enabled strategies is switched on, and it \
                          switches off one whose last enabled strategy is removed; write enabled: false, or an enabled strategy";
            self.add(json!(["enabled"]), reason);
        }
        if major >= 6 && self.changes("type") && !TYPES.contains(&text_of(state, "type")) {
            let reason = format!("stores only the types {}; correct it", TYPES.join(", "));
            self.add(json!(["type"]), &reason);
        }
        if major >= 6 && strategies.len() > MAX_STRATEGIES && self.changes("strategies") {
            let reason = format!("stores at most {MAX_STRATEGIES} strategies of a toggle; remove some");
            self.add(json!(["strategies"]), &reason);
        }
        let stored = self.stored.map(|stored| items_of(stored, "strategies")).unwrap_or_default();
        let kept: BTreeSet<String> =
            stored.iter().map(|strategy| normalize_strategy(strategy).to_string()).collect();
        for (index, strategy) in strategies.iter().enumerate() {
            if !kept.contains(&normalize_strategy(strategy).to_string()) {
                self.add_strategy(index, strategy, (major, minor));
            }
        }
        if self.changes("variants") {
            self.add_variants(state, &[], true);
        }
    }

    fn add_strategy(&mut self, index: usize, strategy: &Value, version: (u32, u32)) {
        let (major, _) = version;
        let path = |key: &str| json!(["strategies", index, key]);
        if items_of(strategy, "segments").len() > MAX_SEGMENTS {
            self.add(
                path("segments"),
                &format!("stores at most {MAX_SEGMENTS} segments of a strategy; remove some"),
            );
        }
        if text_of(strategy, "name") == "flexibleRollout" {
            for key in ["rollout", "stickiness", "groupId"] {
                if strategy.get("parameters").is_none_or(|parameters| text_of(parameters, key).is_empty()) {
                    let reason = format!("stores a default if the parameter {key} is missing; add it");
                    self.add(json!(["strategies", index, "parameters"]), &reason);
                }
            }
        }
        let constraints = items_of(strategy, "constraints");
        if major >= 6 && constraints.len() > MAX_CONSTRAINTS {
            let reason = format!("stores at most {MAX_CONSTRAINTS} constraints of a strategy; remove some");
            self.add(path("constraints"), &reason);
        }
        for (at, constraint) in constraints.iter().enumerate() {
            let path = |key: &str| json!(["strategies", index, "constraints", at, key]);
            let (operator, values) = (text_of(constraint, "operator"), items_of(constraint, "values"));
            if major >= 6 && values.len() > MAX_VALUES {
                let reason = format!("stores at most {MAX_VALUES} values of a constraint; use a segment");
                self.add(path("values"), &reason);
            }
            self.add_lengths(constraint, &path("values"));
            let has_list = operator.starts_with("STR_") || ["IN", "NOT_IN"].contains(&operator);
            if has_list && values.is_empty() {
                self.add(path("values"), "requires a value of the constraint; add one");
            }
            let has_single_value = ["NUM_", "DATE_", "SEMVER_"].iter().any(|kind| operator.starts_with(kind));
            if (has_single_value || operator == "REGEX") && text_of(constraint, "value").is_empty() {
                self.add(path("value"), "requires the value of the constraint; add it");
            }
            if let Some(reason) = describe_refusal(operator, text_of(constraint, "value"), version) {
                self.add(path("value"), reason);
            }
            if operator == "REGEX" && is_set(constraint, "inverted") {
                self.add(
                    path("inverted"),
                    "does not store inverted regular expressions; write another constraint",
                );
            }
        }
        self.add_variants(strategy, &[json!("strategies"), json!(index)], true);
    }

    /// Adds the values of a constraint that are empty or too long.
    fn add_lengths(&mut self, constraint: &Value, path: &Value) {
        let length = |value: &Value| value.as_str().map_or(0, |text| text.encode_utf16().count());
        let is_refused = |value: &Value| !(1..=MAX_LENGTH).contains(&length(value));
        if items_of(constraint, "values").iter().any(is_refused) {
            let reason = format!("requires values of 1 to {MAX_LENGTH} characters; correct them");
            self.add(path.clone(), &reason);
        }
    }

    /// Adds another project than that of the stored toggle.
    fn add_moved(&mut self) {
        let project = |toggle: &Value| text_of(toggle, "project").to_owned();
        if let Some(stored) = self.stored
            && self.state.get("project").is_some()
            && project(stored) != project(self.state)
        {
            self.add(json!(["project"]), "does not move toggles between projects; remove the project, or move the toggle in its console");
        }
    }

    /// Adds the faults of the variants of an item, the toggle or a strategy at this path.
    fn add_variants(&mut self, item: &Value, path: &[Value], is_newer: bool) {
        let variants = items_of(item, "variants");
        let at = |rest: Value| Value::Array(path.iter().cloned().chain(steps_of(rest)).collect());
        let mut has_faults = false;
        for (index, variant) in variants.iter().enumerate() {
            let mut faults: Vec<(&str, &str)> = Vec::new();
            let name = text_of(variant, "name");
            if !is_url_friendly(name) || name.encode_utf16().count() > MAX_LENGTH {
                faults.push(("name", "requires 1 to 100 letters, digits and - _ . ! ~ * ' ( ) in the name of a variant; rename it"));
            }
            let weight = variant.get("weight");
            if !weight.and_then(Value::as_f64).is_some_and(|weight| (0.0..=1000.0).contains(&weight))
                || (is_newer && weight.and_then(Value::as_u64).is_none())
            {
                faults.push(("weight", "requires a weight from 0 to 1000; correct it"));
            }
            if is_newer && !["variable", "fix"].contains(&text_of(variant, "weightType")) {
                faults.push(("weightType", "requires the weightType variable or fix; correct it"));
            }
            if variant.get("stickiness") == Some(&json!("")) {
                faults.push(("stickiness", "does not store an empty stickiness; remove it"));
            }
            if let Some(payload) = variant.get("payload").filter(|payload| !payload.is_null()) {
                let (kind, value) = (text_of(payload, "type"), text_of(payload, "value"));
                if kind.is_empty() || value.is_empty() {
                    faults.push((
                        "payload",
                        "requires the type and the value of a payload; add them, or remove the payload",
                    ));
                } else if is_newer && !PAYLOADS.contains(&kind) {
                    faults.push((
                        "payload",
                        "stores only payloads of the types json, csv, string and number; correct it",
                    ));
                } else if is_newer
                    && kind == "json"
                    && serde_json::from_str::<serde::de::IgnoredAny>(value).is_err()
                {
                    faults.push(("payload", "requires JSON in a payload of this type; correct it"));
                }
            }
            let overrides = items_of(variant, "overrides");
            let is_empty = |one: &Value| {
                text_of(one, "contextName").is_empty()
                    || items_of(one, "values").iter().any(|value| value == "")
            };
            if overrides.iter().any(is_empty) {
                faults.push(("overrides", "does not store empty names or values of overrides; correct them"));
            }
            has_faults |= !faults.is_empty();
            for (key, reason) in faults {
                self.add(at(json!(["variants", index, key])), reason);
            }
        }
        if is_newer && !has_faults {
            self.add_weights(variants, at(json!(["variants"])));
        }
    }

    /// Adds variants whose weights or order the server would change. Their names and weights are valid.
    fn add_weights(&mut self, variants: &[Value], path: Value) {
        let names: BTreeSet<_> = variants.iter().map(|variant| text_of(variant, "name")).collect();
        // Equal names are a fault of their own.
        if variants.is_empty() || names.len() < variants.len() {
            return;
        }
        let weight = |variant: &Value| variant.get("weight").and_then(Value::as_u64).unwrap_or_default();
        let (variable, fixed): (Vec<_>, Vec<_>) =
            variants.iter().partition(|variant| text_of(variant, "weightType") == "variable");
        let fixed_weights: u64 = fixed.iter().map(|variant| weight(variant)).sum();
        let (Ok(count), Some(rest)) = (u64::try_from(variable.len()), WEIGHTS.checked_sub(fixed_weights))
        else {
            return self.add(path, "requires fixed weights of 1000 at most; correct them");
        };
        let (Some(share), Some(remainder)) = (rest.checked_div(count), rest.checked_rem(count)) else {
            return self.add(path, "requires a variant with a variable weight; set weightType: variable");
        };
        let of_variable = variable
            .iter()
            .zip(0..)
            .map(|(variant, index)| (text_of(variant, "name"), share + u64::from(index < remainder)));
        let mut wanted: Vec<(&str, u64)> = of_variable
            .chain(fixed.iter().map(|variant| (text_of(variant, "name"), weight(variant))))
            .collect();
        wanted.sort_by_cached_key(|(name, _)| collation_key(name));
        let given: Vec<_> =
            variants.iter().map(|variant| (text_of(variant, "name"), weight(variant))).collect();
        if given != wanted {
            let list: Vec<_> = wanted.iter().map(|(name, weight)| format!("{name}: {weight}")).collect();
            let list = list.join(", ");
            self.add(
                path,
                &format!("sorts variants by name and divides variable weights equally; write {list}"),
            );
        }
    }
}

/// Returns the key by which servers with environments sort names that are URL friendly.
fn collation_key(name: &str) -> (Vec<Option<usize>>, Vec<bool>) {
    let letter = |letter: char| COLLATION.find(letter.to_ascii_lowercase());
    (name.chars().map(letter).collect(), name.chars().map(|letter| letter.is_ascii_uppercase()).collect())
}

/// Returns true if a URL contains the name without an encoding.
fn is_url_friendly(name: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.!~*'()".contains(letter);
    !name.is_empty() && name.chars().all(is_allowed)
}

/// Returns true if a property has another value than the default.
fn is_set(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(|value| !is_unset(value))
}

fn is_unset(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(properties) => properties.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// Returns why a server with environments refuses the single value of a constraint: the end of a sentence about the server. Values that the
/// embedded flag service refuses as well have messages of their own.
fn describe_refusal(operator: &str, value: &str, version: (u32, u32)) -> Option<&'static str> {
    let has_digit = value.contains(|letter: char| letter.is_ascii_digit());
    let reason = match operator {
        "REGEX" if !value.is_empty() && !is_common_pattern(value) => {
            "refuses invalid regular expressions, and apply cannot check this one; simplify it, or write it in the console of the server"
        }
        _ if operator.starts_with("NUM_") && is_unsafe_number(value) => {
            "refuses numbers that JavaScript does not represent exactly: those above 9007199254740991 or with more than about 15 digits; use \
             another number"
        }
        _ if operator.starts_with("DATE_") && has_digit && !is_written_time(value) => {
            "refuses invalid dates, and apply cannot check this one; write it with time and time zone, such as 2026-12-31T12:00:00Z"
        }
        _ if operator.starts_with("SEMVER_") && value.trim() != value => {
            "refuses spaces before and after a version; remove them"
        }
        _ if operator.starts_with("SEMVER_") && version < FIRST_WITH_BUILDS && value.contains('+') => {
            "refuses build metadata of versions; remove + and the text after it, which no comparison uses"
        }
        _ => return None,
    };
    Some(reason)
}

/// Finds written toggles that would depend on themselves, or that would have a parent that has parents.
fn find_dependency_faults(
    plan: &Plan,
    server: &ServerState,
    written: &[(PlannedChange, Option<Value>)],
) -> Vec<Located> {
    let mut parents: BTreeMap<&str, Vec<String>> =
        server.toggles.iter().map(|(name, toggle)| (name.as_str(), parents_in(toggle))).collect();
    for change in &plan.changes {
        parents.insert(&change.name, parents_in(&change.state));
    }
    let mut child_of: BTreeMap<&str, &str> = BTreeMap::new();
    for (child, names) in &parents {
        for parent in names.iter().filter(|parent| parent.as_str() != *child) {
            child_of.entry(parent).or_insert(child);
        }
    }
    let mut faults = Vec::new();
    for (change, _) in written {
        let name = change.name.as_str();
        let own = parents.get(name).map(Vec::as_slice).unwrap_or_default();
        for (index, parent) in own.iter().enumerate() {
            let grandparents = parents.get(parent.as_str()).map(Vec::as_slice).unwrap_or_default();
            let reason = if parent == name {
                "it depends on itself; remove the dependency".to_owned()
            } else if let Some(grandparent) = grandparents.first() {
                format!(
                    "its parent {parent} depends on {grandparent}, and a parent has no parents itself; remove one of both dependencies"
                )
            } else if let Some(child) = child_of.get(name) {
                format!(
                    "{child} depends on it, so that it has no parents itself; remove one of both dependencies"
                )
            } else {
                continue;
            };
            let path = steps_of(json!(["dependencies", index]));
            faults.push(Located::new(name, &path, format!("toggle {name}: {reason}")));
        }
    }
    faults
}

/// Finds toggles that the plan does not change, and that are on for users for whom their parent is off, or has other variants. A server
/// with environments stores several strategies of the parent one after the other, and the toggle could meanwhile be on for others.
fn find_dependents(
    plan: &Plan,
    server: &ServerState,
    written: &[(PlannedChange, Option<Value>)],
) -> Vec<Located> {
    let planned: BTreeSet<&str> = plan.changes.iter().map(|change| change.name.as_str()).collect();
    let mut faults = Vec::new();
    for (change, stored) in written {
        let sides = Sides { name: &change.name, before: stored.as_ref(), after: Some(&change.state) };
        if !sides.changes_strategies() {
            continue;
        }
        let unchanged = server.toggles.iter().filter(|(name, toggle)| {
            !planned.contains(name.as_str()) && toggle.get("enabled") == Some(&Value::Bool(true))
        });
        for (name, toggle) in unchanged {
            let depends =
                |condition: &Value| text_of(condition, "feature") == change.name && !is_plain(condition);
            if items_of(toggle, "dependencies").iter().any(depends) {
                let message = format!(
                    "toggle {}: {name} depends on it being off, or on its variants, and would be on for others while several strategies are \
                     stored one after the other; switch {name} off first",
                    change.name
                );
                faults.push(Located::new(&change.name, &[json!("strategies")], message));
            }
        }
    }
    faults
}
