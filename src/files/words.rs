//! Changes of toggles in words, as the console shows them. Pure functions on the JSON of the API.
//!
//! The console has the same functions: `describeChange` in `frontend/src/features/plans/describePlan.ts`, and the functions that it
//! calls. Both read the cases in `planCases.json` beside that file.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::{Map, Value};

use super::document::percentage_parameter;
use super::managed::MANAGED_BY;
use crate::evaluation::SegmentDefinition;

/// Number of values of a list that are shown before "and n more".
const MAX_VALUES: usize = 5;
/// Prefixes of added and removed values.
const ADDED: &str = "+ ";
const REMOVED: &str = "− ";
/// Properties of a toggle that servers maintain, or that [`describe_changes`] describes by item.
const OTHER_PROPERTIES: [&str; 12] = [
    "name",
    "strategies",
    "variants",
    "dependencies",
    "createdAt",
    "updatedAt",
    "lastSeenAt",
    "otherEnvironments",
    "strategiesKnown",
    "hasStrategies",
    "children",
    MANAGED_BY,
];

/// Definitions that the words of changes use. Without them, segments have their id, and parameters are texts.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Names<'n> {
    /// Segments.
    pub(crate) segments: &'n [SegmentDefinition],
    /// Definitions of strategies, in the JSON of the API.
    pub(crate) strategies: &'n [Value],
}

/// The changes of a part of a toggle.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ChangeGroup {
    /// The changed part, such as a strategy or a variant.
    pub(crate) subject: String,
    /// Changes.
    pub(crate) lines: Vec<String>,
}

/// Returns true if the words of a strategy do not depend on its definition.
pub(crate) fn is_built_in(strategy: &str) -> bool {
    strategy == "default" || percentage_parameter(strategy).is_some() || list_parameter(strategy).is_some()
}

/// Describes the changes between two versions of a toggle.
pub(crate) fn describe_changes(before: &Value, after: &Value, names: Names<'_>) -> Vec<ChangeGroup> {
    let mut groups = vec![ChangeGroup {
        subject: "Toggle".to_owned(),
        lines: other_changes(before, after, &OTHER_PROPERTIES),
    }];
    groups.extend(strategy_groups(before, after, names));
    groups.extend(variant_groups(items_of(before, "variants"), items_of(after, "variants")));
    groups.push(ChangeGroup { subject: "Dependencies".to_owned(), lines: dependency_changes(before, after) });
    groups.push(ChangeGroup { subject: "Files".to_owned(), lines: manager_changes(before, after) });
    groups.retain(|group| !group.lines.is_empty());
    groups
}

/// Describes the name of the files that manage the toggle. No plan removes it.
fn manager_changes(before: &Value, after: &Value) -> Vec<String> {
    let name = after.get(MANAGED_BY).and_then(Value::as_str);
    let name = name.filter(|name| before.get(MANAGED_BY).and_then(Value::as_str) != Some(name));
    name.map(|name| format!("managed by {name}")).into_iter().collect()
}

fn dependency_changes(before: &Value, after: &Value) -> Vec<String> {
    let (old, now) = (items_of(before, "dependencies"), items_of(after, "dependencies"));
    if old == now {
        return Vec::new();
    }
    if now.is_empty() {
        return vec!["none".to_owned()];
    }
    vec![format!("depends on {}", describe_parents(now))]
}

/// Describes conditions on other toggles: `shop, shop.old (off)`.
pub(super) fn describe_parents(parents: &[Value]) -> String {
    let describe = |parent: &Value| {
        let name = text_of(parent, "feature");
        if parent.get("enabled") == Some(&false.into()) {
            return format!("{name} (off)");
        }
        let variants = texts_of(parent, "variants");
        match variants.as_slice() {
            [] => name.to_owned(),
            [variant] => format!("{name} (variant {variant})"),
            _ => format!("{name} (variants {})", variants.join(", ")),
        }
    };
    parents.iter().map(describe).collect::<Vec<_>>().join(", ")
}

fn strategy_groups(before: &Value, after: &Value, names: Names<'_>) -> Vec<ChangeGroup> {
    let toggle = text_of(before, "name");
    let (old, now) = (items_of(before, "strategies"), items_of(after, "strategies"));
    let describe = |strategy: &Value| {
        describe_rule(strategy, RuleOptions { toggle, segments: names.segments, max_values: MAX_VALUES })
    };
    let origins = match_strategies(old, now);
    let mut groups = Vec::new();
    for (index, (strategy, origin)) in now.iter().zip(&origins).enumerate() {
        let lines = match origin.and_then(|origin| old.get(origin)) {
            Some(old) => strategy_changes(old, strategy, names),
            None => vec![format!("added: {}", describe(strategy))],
        };
        groups.push(ChangeGroup { subject: strategy_label(now, index), lines });
    }
    let kept: Vec<usize> = origins.iter().copied().flatten().collect();
    for (_, strategy) in old.iter().enumerate().filter(|(index, _)| !kept.contains(index)) {
        let lines = vec![format!("removed: {}", describe(strategy))];
        groups.push(ChangeGroup { subject: text_of(strategy, "name").to_owned(), lines });
    }
    if !kept.is_sorted() {
        let order: Vec<&str> = now.iter().map(|strategy| text_of(strategy, "name")).collect();
        groups.push(ChangeGroup {
            subject: "Order".to_owned(),
            lines: vec![format!("now {}", order.join(", "))],
        });
    }
    groups
}

/// Returns the name of a strategy, with a number if the toggle has several of that name: `userWithId (1 of 2)`.
fn strategy_label(strategies: &[Value], index: usize) -> String {
    let name_at = |strategy: &Value| text_of(strategy, "name").to_owned();
    let name = strategies.get(index).map(name_at).unwrap_or_default();
    let count =
        |strategies: &[Value]| strategies.iter().filter(|strategy| text_of(strategy, "name") == name).count();
    let all = count(strategies);
    if all < 2 {
        return name;
    }
    format!("{name} ({} of {all})", count(strategies.get(..=index).unwrap_or_default()))
}

/// A strategy before and after a change that may be two versions of one, by their indexes.
struct Pair {
    from: usize,
    to: usize,
    score: usize,
}

/// Returns the index in `before` of each strategy in `after`; `None` for a new strategy.
fn match_strategies(before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    let mut pairs = Vec::new();
    for (to, strategy) in after.iter().enumerate() {
        for (from, old) in before.iter().enumerate() {
            let score = similarity(old, strategy);
            if score > 0 {
                pairs.push(Pair { from, to, score });
            }
        }
    }
    pairs.sort_by_key(|pair| (usize::MAX - pair.score, pair.from.abs_diff(pair.to), pair.to));
    let mut origins = vec![None; after.len()];
    let mut taken = HashSet::new();
    for Pair { from, to, .. } in pairs {
        if let Some(origin @ None) = origins.get_mut(to)
            && taken.insert(from)
        {
            *origin = Some(from);
        }
    }
    origins
}

const IDENTICAL: usize = 1_000_000;

/// Returns how similar two strategies are; 0 if they cannot be versions of each other.
fn similarity(old: &Value, now: &Value) -> usize {
    if old.get("name") != now.get("name") {
        return 0;
    }
    if let (Some(old), Some(now)) = (old.get("id"), now.get("id")) {
        return if old == now { IDENTICAL } else { 0 };
    }
    if old == now {
        return IDENTICAL;
    }
    let (from, to) = (parameters_of(old), parameters_of(now));
    let shared = from.iter().filter(|(name, value)| to.get(*name) == Some(*value)).count();
    1 + shared + usize::from(items_of(old, "constraints") == items_of(now, "constraints"))
}

fn strategy_changes(before: &Value, after: &Value, names: Names<'_>) -> Vec<String> {
    let (from, to) = (parameters_of(before), parameters_of(after));
    let keys: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let mut lines = Vec::new();
    for key in keys {
        let kind = parameter_kind(text_of(after, "name"), key, names.strategies);
        lines.extend(parameter_change(key, kind, &text_in(&from, key), &text_in(&to, key)));
    }
    lines.extend(constraint_changes(items_of(before, "constraints"), items_of(after, "constraints")));
    let (old, now) = (items_of(before, "segments"), items_of(after, "segments"));
    if old != now {
        let names = |ids: &[Value]| ids.iter().map(|id| segment_name(id, names.segments)).collect::<Vec<_>>();
        lines.push(list_change("segments", &names(old), &names(now)));
    }
    let known = ["id", "sortOrder", "name", "parameters", "constraints", "segments"];
    lines.extend(other_changes(before, after, &known));
    lines
}

/// Returns the type of a parameter, as in the definition of its strategy.
fn parameter_kind<'d>(strategy: &str, parameter: &str, definitions: &'d [Value]) -> &'d str {
    let definition = definitions.iter().find(|definition| text_of(definition, "name") == strategy);
    let parameters = definition.map_or(&[][..], |definition| items_of(definition, "parameters"));
    match parameters.iter().find(|one| text_of(one, "name") == parameter) {
        Some(definition) => text_of(definition, "type"),
        None => match parameter {
            "percentage" | "rollout" => "percentage",
            "userIds" | "hostNames" | "IPs" => "list",
            _ => "",
        },
    }
}

fn parameter_change(name: &str, kind: &str, before: &str, after: &str) -> Vec<String> {
    if before == after {
        return Vec::new();
    }
    let or_zero = |text: &str| if text.is_empty() { "0".to_owned() } else { text.to_owned() };
    match kind {
        "list" => vec![list_change(name, &split_list(before), &split_list(after))],
        "percentage" => vec![format!("{name} {} → {} %", or_zero(before), or_zero(after))],
        _ => value_change(name, Some(&before.into()), Some(&after.into())),
    }
}

fn constraint_changes(before: &[Value], after: &[Value]) -> Vec<String> {
    let mut removed: Vec<&Value> = before.iter().filter(|one| !after.contains(one)).collect();
    let mut lines = Vec::new();
    for one in after.iter().filter(|one| !before.contains(one)) {
        let is_version = |old: &&Value| {
            old.get("contextName") == one.get("contextName") && old.get("operator") == one.get("operator")
        };
        let Some(old) = removed.iter().position(is_version).map(|at| removed.remove(at)) else {
            lines.push(format!("constraint added: {}", describe_constraint(one, MAX_VALUES)));
            continue;
        };
        let operator = text_of(one, "operator");
        let label = find_operator(operator).map_or(operator, |known| known.label);
        let place = format!("{} {label}", text_of(one, "contextName"));
        if items_of(old, "values") != items_of(one, "values") {
            lines.push(list_change(&place, &texts_of(old, "values"), &texts_of(one, "values")));
        }
        let others = other_changes(old, one, &["contextName", "operator", "values"]);
        lines.extend(others.iter().map(|change| format!("{place}: {change}")));
    }
    lines.extend(
        removed.iter().map(|one| format!("constraint removed: {}", describe_constraint(one, MAX_VALUES))),
    );
    lines
}

fn variant_groups(before: &[Value], after: &[Value]) -> Vec<ChangeGroup> {
    let has_name = |variants: &[Value], name: &str| variants.iter().any(|one| text_of(one, "name") == name);
    let mut groups = Vec::new();
    for variant in after {
        let name = text_of(variant, "name");
        let lines = if let Some(old) = before.iter().find(|old| text_of(old, "name") == name) {
            variant_changes(old, variant)
        } else {
            let mut lines = vec![format!("added: {} %", share_of(variant))];
            lines.extend(value_change("payload", None, variant.get("payload")));
            lines.extend(override_changes(&[], items_of(variant, "overrides")));
            lines
        };
        groups.push(ChangeGroup { subject: format!("Variant {name}"), lines });
    }
    for old in before.iter().filter(|old| !has_name(after, text_of(old, "name"))) {
        let subject = format!("Variant {}", text_of(old, "name"));
        groups.push(ChangeGroup { subject, lines: vec!["removed".to_owned()] });
    }
    groups
}

fn variant_changes(before: &Value, after: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    if before.get("weight") != after.get("weight") {
        lines.push(format!("weight {} → {} %", share_of(before), share_of(after)));
    }
    lines.extend(other_changes(before, after, &["name", "weight", "overrides"]));
    lines.extend(override_changes(items_of(before, "overrides"), items_of(after, "overrides")));
    lines
}

/// Returns the weight of a variant in percent. Weights are tenths of a percent.
pub(super) fn share_of(variant: &Value) -> String {
    let weight = variant.get("weight").and_then(Value::as_u64).unwrap_or_default();
    match weight % 10 {
        0 => (weight / 10).to_string(),
        tenth => format!("{}.{tenth}", weight / 10),
    }
}

fn override_changes(before: &[Value], after: &[Value]) -> Vec<String> {
    if before == after {
        return Vec::new();
    }
    let (old, now) = (values_by_context(before), values_by_context(after));
    let find = |all: &[(String, Vec<String>)], field: &str| {
        all.iter().find(|(name, _)| name == field).map(|(_, values)| values.clone()).unwrap_or_default()
    };
    let is_new = |(field, _): &&(String, Vec<String>)| !old.iter().any(|(name, _)| name == field);
    let mut lines = Vec::new();
    for (field, _) in old.iter().chain(now.iter().filter(is_new)) {
        let (from, to) = (find(&old, field), find(&now, field));
        if from != to {
            lines.push(list_change(&format!("override {field}"), &from, &to));
        }
    }
    if lines.is_empty() {
        let order: Vec<_> = after.iter().map(|one| text_of(one, "contextName")).collect();
        lines.push(format!("overrides: new order {}", order.join(", ")));
    }
    lines
}

fn values_by_context(overrides: &[Value]) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for one in overrides {
        let (field, values) = (text_of(one, "contextName"), texts_of(one, "values"));
        match all.iter_mut().find(|(name, _)| name == field) {
            Some((_, known)) => known.extend(values),
            None => all.push((field.to_owned(), values)),
        }
    }
    all
}

/// Describes the changed properties of objects, except known ones.
fn other_changes(before: &Value, after: &Value, known: &[&str]) -> Vec<String> {
    let keys = |value: &Value| value.as_object().into_iter().flat_map(Map::keys).cloned().collect::<Vec<_>>();
    let keys: BTreeSet<String> = keys(before).into_iter().chain(keys(after)).collect();
    let others = keys.iter().filter(|key| !known.contains(&key.as_str()));
    others.flat_map(|key| value_change(key, before.get(key), after.get(key))).collect()
}

fn value_change(name: &str, before: Option<&Value>, after: Option<&Value>) -> Vec<String> {
    if before == after || (is_blank(before) && is_blank(after)) {
        return Vec::new();
    }
    if let (Some(old), Some(now)) = (list_in(before), list_in(after)) {
        return vec![items_change(name, old, now)];
    }
    let text = |value: Option<&Value>| value.map(value_text).unwrap_or_default();
    vec![if is_unset(before) {
        format!("{name} set to {}", text(after))
    } else if is_unset(after) {
        format!("{name} {} cleared", text(before))
    } else {
        format!("{name} {} → {}", text(before), text(after))
    }]
}

/// Returns true if a value is absent, null or an empty text.
fn is_unset(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(_) => false,
    }
}

/// Returns true if a value means the same as an absent one.
fn is_blank(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(value)) => !value,
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(properties)) => properties.is_empty(),
        _ => is_unset(value),
    }
}

fn list_in(value: Option<&Value>) -> Option<&[Value]> {
    match value {
        None | Some(Value::Null) => Some(&[]),
        Some(Value::Array(items)) => Some(items),
        Some(_) => None,
    }
}

fn items_change(name: &str, before: &[Value], after: &[Value]) -> String {
    let (old_names, old) = by_name(before);
    let (now_names, now) = by_name(after);
    let added = now_names.iter().filter(|one| !old.contains_key(*one)).map(|one| format!("{ADDED}{one}"));
    let removed = old_names.iter().filter(|one| !now.contains_key(*one)).map(|one| format!("{REMOVED}{one}"));
    let is_changed = |one: &&String| old.get(*one).is_some_and(|item| now.get(*one) != Some(item));
    let changed = now_names.iter().filter(is_changed).map(|one| format!("{one} changed"));
    let parts: Vec<String> = added.chain(removed).chain(changed).collect();
    if parts.is_empty() {
        format!("{name}: new order {}", join_first(&now_names, MAX_VALUES))
    } else {
        format!("{name}: {}", join_first(&parts, MAX_VALUES))
    }
}

/// Returns the names of items in their order, and the items by name.
fn by_name(items: &[Value]) -> (Vec<String>, HashMap<String, &Value>) {
    let (mut names, mut all) = (Vec::new(), HashMap::new());
    for item in items {
        let name = item_name(item);
        if all.insert(name.clone(), item).is_none() {
            names.push(name);
        }
    }
    (names, all)
}

/// Returns the text that identifies an item in its list.
fn item_name(item: &Value) -> String {
    if let Value::String(text) = item {
        return text.clone();
    }
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match (text("contextName").or_else(|| text("name")), text("type"), text("value")) {
        (Some(name), _, _) => name.to_owned(),
        (None, Some(kind), Some(value)) => format!("{kind}: {value}"),
        _ => item.to_string(),
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("“{text}”"),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}

/// Describes the added and removed values of a list.
fn list_change(name: &str, before: &[String], after: &[String]) -> String {
    let (old, now): (HashSet<&String>, HashSet<&String>) = (before.iter().collect(), after.iter().collect());
    let missing_in = |all: &[String], others: &HashSet<&String>, prefix: &str| {
        let values = distinct(all);
        values
            .iter()
            .filter(|one| !others.contains(one))
            .map(|one| format!("{prefix}{one}"))
            .collect::<Vec<_>>()
    };
    let (added, removed) = (missing_in(after, &old, ADDED), missing_in(before, &now, REMOVED));
    let parts: Vec<String> = [added, removed]
        .iter()
        .filter(|values| !values.is_empty())
        .map(|values| join_first(values, MAX_VALUES))
        .collect();
    if parts.is_empty() {
        format!("{name}: new order {}", join_first(after, MAX_VALUES))
    } else {
        format!("{name}: {}", parts.join(", "))
    }
}

/// Options of the sentence of a rule.
#[derive(Debug, Clone, Copy)]
pub(super) struct RuleOptions<'o> {
    /// Name of the toggle. A group that differs from it is named.
    pub(super) toggle: &'o str,
    /// Segments, which are named. Others have their id.
    pub(super) segments: &'o [SegmentDefinition],
    /// Maximum number of values of each list and constraint.
    pub(super) max_values: usize,
}

/// Describes a strategy as a sentence without a period: `25 % of users where region is Nordics, sticky on userId`.
pub(super) fn describe_rule(strategy: &Value, options: RuleOptions<'_>) -> String {
    let RuleOptions { toggle, segments, max_values } = options;
    let name = text_of(strategy, "name");
    let parameters = parameters_of(strategy);
    let share = percentage_parameter(name);
    let mut parts = subject_parts(strategy, &parameters, max_values);
    let names: Vec<String> =
        items_of(strategy, "segments").iter().map(|id| segment_name(id, segments)).collect();
    if !names.is_empty() {
        parts.push(format!(
            "in {} {}",
            if names.len() == 1 { "segment" } else { "segments" },
            join_and(&names)
        ));
    }
    for (index, constraint) in items_of(strategy, "constraints").iter().enumerate() {
        let word = if index == 0 { "where" } else { "and" };
        parts.push(format!("{word} {}", describe_constraint(constraint, max_values)));
    }
    let stickiness = text_in(&parameters, "stickiness");
    if name == "flexibleRollout" && !["", "default", "random", "sessionId"].contains(&stickiness.as_str()) {
        parts.push(format!(", sticky on {stickiness}"));
    }
    let group = text_in(&parameters, "groupId");
    if share.is_some() && !group.is_empty() && group != toggle {
        parts.push(format!(", group {group}"));
    }
    let variants: Vec<String> =
        items_of(strategy, "variants").iter().map(|one| text_of(one, "name").to_owned()).collect();
    if !variants.is_empty() {
        let word = if variants.len() == 1 { "variant" } else { "variants" };
        parts.push(format!(", with {word} {}", join_and(&variants)));
    }
    if strategy.get("disabled") == Some(&true.into()) {
        parts.push("(disabled)".to_owned());
    }
    join_parts(&parts)
}

/// Joins parts with spaces, except before a comma or a colon.
fn join_parts(parts: &[String]) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() && !part.starts_with([',', ':']) {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

fn subject_parts(strategy: &Value, parameters: &Map<String, Value>, max_values: usize) -> Vec<String> {
    let name = text_of(strategy, "name");
    if name == "default" {
        return vec!["everyone".to_owned()];
    }
    if let Some(list) = list_parameter(name) {
        let is_followed = ["constraints", "segments"].iter().any(|key| !items_of(strategy, key).is_empty());
        return list_parts(list, &split_list(&text_in(parameters, list)), is_followed, max_values);
    }
    let Some(share) = percentage_parameter(name) else { return custom_parts(name, parameters) };
    let stickiness = text_in(parameters, "stickiness");
    let whole = match (name, stickiness.as_str()) {
        ("gradualRolloutRandom", _) | ("flexibleRollout", "random") => "requests, at random",
        ("gradualRolloutSessionId", _) | ("flexibleRollout", "sessionId") => "sessions",
        _ => "users",
    };
    let percentage = text_in(parameters, share);
    let percentage = if percentage.is_empty() { "0" } else { &percentage };
    vec![format!("{percentage} % of {whole}")]
}

fn list_parts(list: &str, entries: &[String], is_followed: bool, max_values: usize) -> Vec<String> {
    let (one, many) = match list {
        "userIds" => ("user", "users"),
        "hostNames" => ("host", "hosts"),
        _ => ("address", "addresses"),
    };
    if entries.is_empty() {
        return vec![format!("no {many}")];
    }
    let shown = join_first(entries, max_values);
    let count = format!("{} {}", entries.len(), if entries.len() == 1 { one } else { many });
    vec![count, if is_followed { format!("({shown})") } else { format!(": {shown}") }]
}

/// Only the application knows which users its own strategy selects.
fn custom_parts(name: &str, parameters: &Map<String, Value>) -> Vec<String> {
    let mut parts = vec![format!("users selected by {name}")];
    let set = parameters.keys().map(|key| (key, text_in(parameters, key)));
    for (index, (key, value)) in set.filter(|(_, value)| !value.trim().is_empty()).enumerate() {
        let word = if index == 0 { "with" } else { "," };
        parts.push(format!("{word} {key} {}", space_commas(&value)));
    }
    parts
}

/// Adds a space after the commas of a list, which is stored without spaces.
fn space_commas(text: &str) -> String {
    let mut spaced = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        spaced.push(letter);
        if letter == ',' && letters.peek().is_some_and(|next| !next.is_whitespace() && !next.is_ascii_digit())
        {
            spaced.push(' ');
        }
    }
    spaced
}

/// Describes a constraint: `userId is one of 7, 8 and 12 more`.
fn describe_constraint(constraint: &Value, max_values: usize) -> String {
    let operator = text_of(constraint, "operator");
    let known = find_operator(operator);
    let is_inverted = constraint.get("inverted") == Some(&true.into());
    let values = match known {
        Some(Operator { is_single: true, .. }) => {
            let value = text_of(constraint, "value");
            if value.is_empty() { Vec::new() } else { vec![value.to_owned()] }
        }
        _ => distinct(&texts_of(constraint, "values")),
    };
    let comparison = match known {
        None => operator,
        Some(known) => {
            let of_one = known.of_one.filter(|_| values.len() == 1);
            let (label, inverse) = of_one.unwrap_or((known.label, known.inverse));
            if is_inverted { inverse } else { label }
        }
    };
    let has_list = constraint.get("values").is_none_or(Value::is_array);
    let listed = if values.is_empty() && has_list && ["IN", "NOT_IN"].contains(&operator) {
        "(no values)".to_owned()
    } else {
        join_first(&values, max_values)
    };
    let field = Some(text_of(constraint, "contextName")).filter(|field| !field.is_empty());
    let mut parts = vec![field.unwrap_or("(no field)").to_owned(), comparison.to_owned(), listed];
    parts.extend(constraint_options(constraint, known).iter().map(|option| format!("({option})")));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// Describes the properties of a constraint that its sentence does not contain.
fn constraint_options(constraint: &Value, known: Option<Operator>) -> Vec<String> {
    let mut options = Vec::new();
    if let Some(known) = known.filter(|_| constraint.get("caseInsensitive") == Some(&true.into())) {
        let words = if known.has_case { "ignoring case" } else { "ignoring case has no effect" };
        options.push(words.to_owned());
    }
    let properties = constraint.as_object();
    let property = |key: &'static str| properties.and_then(|all| Some((key, all.get(key)?)));
    let mut others = Vec::new();
    others.extend(property("values").filter(|(_, values)| !values.is_array()));
    others.extend(property("value").filter(|_| !known.is_some_and(|known| known.is_single)));
    if known.is_none() {
        others.extend(property("inverted").into_iter().chain(property("caseInsensitive")));
    }
    let shown = ["contextName", "operator", "values", "value", "inverted", "caseInsensitive"];
    let more = properties.into_iter().flatten().map(|(key, value)| (key.as_str(), value));
    others.extend(more.filter(|(key, _)| !shown.contains(key)));
    let is_set = |(_, value): &(&str, &Value)| !is_unset(Some(*value)) && **value != Value::Bool(false);
    options.extend(others.into_iter().filter(is_set).map(|(key, value)| match value {
        Value::String(text) => format!("{key}: {text}"),
        other => format!("{key}: {other}"),
    }));
    options
}

/// Words of an operator of constraints.
#[derive(Debug, Clone, Copy)]
struct Operator {
    label: &'static str,
    /// Label of the inverted comparison.
    inverse: &'static str,
    /// Both labels for a list with one value.
    of_one: Option<(&'static str, &'static str)>,
    /// The operator compares with a single value.
    is_single: bool,
    /// The comparison can ignore the case of letters.
    has_case: bool,
}

fn find_operator(name: &str) -> Option<Operator> {
    let single = |label, inverse| Operator { label, inverse, of_one: None, is_single: true, has_case: false };
    let list = |label, inverse, of_one| Operator {
        label,
        inverse,
        of_one: Some(of_one),
        is_single: false,
        has_case: false,
    };
    let texts = |label, inverse, of_one| Operator { has_case: true, ..list(label, inverse, of_one) };
    Some(match name {
        "IN" => list("is one of", "is not one of", ("is", "is not")),
        "NOT_IN" => list("is not one of", "is one of", ("is not", "is")),
        "STR_STARTS_WITH" => {
            texts("starts with one of", "starts with none of", ("starts with", "does not start with"))
        }
        "STR_ENDS_WITH" => texts("ends with one of", "ends with none of", ("ends with", "does not end with")),
        "STR_CONTAINS" => texts("contains one of", "contains none of", ("contains", "does not contain")),
        "NUM_EQ" => single("equals", "does not equal"),
        "NUM_GT" => single("is greater than", "is not greater than"),
        "NUM_GTE" => single("is at least", "is not at least"),
        "NUM_LT" => single("is less than", "is not less than"),
        "NUM_LTE" => single("is at most", "is not at most"),
        "DATE_AFTER" => single("is after", "is not after"),
        "DATE_BEFORE" => single("is before", "is not before"),
        "SEMVER_EQ" => single("is version", "is not version"),
        "SEMVER_GT" => single("is above version", "is not above version"),
        "SEMVER_LT" => single("is below version", "is not below version"),
        "SEMVER_GTE" => single("is at least version", "is not at least version"),
        "SEMVER_LTE" => single("is at most version", "is not at most version"),
        "IN_CIDR" => list(
            "is in one of the networks",
            "is in none of the networks",
            ("is in the network", "is not in the network"),
        ),
        "REGEX" => Operator { has_case: true, ..single("matches the pattern", "does not match the pattern") },
        _ => return None,
    })
}

/// Returns the parameter with the list of a built-in strategy.
fn list_parameter(strategy: &str) -> Option<&'static str> {
    match strategy {
        "userWithId" => Some("userIds"),
        "applicationHostname" => Some("hostNames"),
        "remoteAddress" => Some("IPs"),
        _ => None,
    }
}

fn segment_name(id: &Value, segments: &[SegmentDefinition]) -> String {
    let id = id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned);
    let segment = segments.iter().find(|segment| segment.id.as_ref() == Some(&id));
    segment.and_then(|segment| segment.name.clone()).unwrap_or(id)
}

/// Returns a text of an object; empty without one.
pub(super) fn text_of<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the items of a list of an object; none without one.
pub(super) fn items_of<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the items of a list as texts.
fn texts_of(value: &Value, key: &str) -> Vec<String> {
    let text = |item: &Value| item.as_str().map_or_else(|| item.to_string(), ToOwned::to_owned);
    items_of(value, key).iter().map(text).collect()
}

fn parameters_of(strategy: &Value) -> Map<String, Value> {
    strategy.get("parameters").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn text_in(parameters: &Map<String, Value>, name: &str) -> String {
    match parameters.get(name) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Splits a text at commas and line feeds, without empty entries and duplicates.
fn split_list(text: &str) -> Vec<String> {
    let entries = text.split([',', '\n']).map(str::trim).filter(|entry| !entry.is_empty());
    distinct(&entries.map(ToOwned::to_owned).collect::<Vec<_>>())
}

fn distinct(texts: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.iter().filter(|text| seen.insert(*text)).cloned().collect()
}

/// Joins the first texts: `a, b and 3 more`.
fn join_first(texts: &[String], max: usize) -> String {
    let shown = texts.get(..max).unwrap_or(texts).join(", ");
    match texts.len().saturating_sub(max) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Joins texts: `a, b, and c`.
fn join_and(texts: &[String]) -> String {
    match texts {
        [first, second] => format!("{first} and {second}"),
        [first @ .., last] if !first.is_empty() => format!("{}, and {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::{ChangeGroup, Names, describe_changes};

    #[derive(Deserialize)]
    struct Table {
        segments: Value,
        strategies: Vec<Value>,
        cases: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        before: Value,
        after: Value,
        words: Vec<String>,
    }

    #[test]
    fn plans_have_the_sentences_of_the_console() {
        let text = include_str!("../../frontend/src/features/plans/planCases.json");
        let Table { segments, strategies, cases } = serde_json::from_str(text).unwrap();
        let segments: Vec<_> = serde_json::from_value(segments).unwrap();
        assert!(cases.len() > 50);
        for Case { before, after, words } in cases {
            let [from, to] = [&before, &after].map(|side| {
                let mut toggle = json!({ "name": "shop.pay", "strategies": [], "variants": [] });
                toggle.as_object_mut().unwrap().extend(side.as_object().unwrap().clone());
                toggle
            });
            let names = Names { segments: &segments, strategies: &strategies };
            let lines = |group: &ChangeGroup| format!("{}: {}", group.subject, group.lines.join("; "));
            let described: Vec<_> = describe_changes(&from, &to, names).iter().map(lines).collect();
            assert_eq!(described, words, "{before} → {after}");
        }
    }
}
