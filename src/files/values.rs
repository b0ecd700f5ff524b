//! Values of planned toggles that a flag service refuses: names, operators, values of constraints, variants and tags. Pure.

use serde_json::{Value, json};

use super::document::percentage_parameter;
use super::json::{items_of, text_of};
use super::owned::{new_toggle, normalize_strategy};
use super::owned_tags::{TAGS, is_tag_property};
use super::places::{Located, describe_place, steps_of};
use super::plan::{Plan, PlannedChange, ServerState, body_of, missing_properties};
use super::server_rules::ServerRules;
use crate::api::{Constraint, PlannedAction, Tag, TagType, ToggleDraft};
use crate::console_api::Operators;
use crate::error::{ApiError, Detail, label_of};
use crate::flags::validation::RequestBody as _;

/// Values that some server refuses.
#[derive(Debug)]
pub(super) struct SuspectValues(Vec<SuspectValue>);

#[derive(Debug)]
struct SuspectValue {
    toggle: String,
    /// The place of the value in words.
    place: String,
    /// Keys and indices below the toggle.
    path: Vec<Value>,
    fault: Fault,
}

#[derive(Debug)]
enum Fault {
    /// The embedded flag service refuses the value.
    Invalid {
        detail: Detail,
        /// The error as a sentence about the item at the place.
        reason: String,
        /// The constraint with the value.
        constraint: Option<Constraint>,
        /// True if the value belongs to a stored strategy, which servers with environments keep unread.
        is_stored: bool,
    },
    /// An operator that not all servers know.
    Operator { name: String, is_stored: bool },
    /// A percentage outside of 0 to 100, which no server checks.
    Percentage { parameter: &'static str, value: String },
}

/// Verdict of a server about a value.
enum Verdict {
    Accepted,
    /// Accepted, with the reason why it is probably a mistake.
    Suspicious(String),
    /// Refused, with cause and remedy: the end of a sentence about the server.
    Refused(String),
}

impl SuspectValues {
    /// Collects the values of the changes that a plan writes.
    pub(super) fn collect(plan: &Plan, server: &ServerState) -> Self {
        let mut values = Vec::new();
        for (change, stored) in plan.written_changes(server) {
            let state = written_state(change);
            let mut add = |path: Vec<Value>, fault| {
                let (place, _) = describe_place(&change.name, &state, &path);
                values.push(SuspectValue { toggle: change.name.clone(), place, path, fault });
            };
            let has_only_tags = change.action == PlannedAction::Change
                && stored.is_some_and(|stored| {
                    missing_properties(&state, stored).iter().all(|key| is_tag_property(key))
                });
            if !has_only_tags {
                let stored = stored.map(|stored| items_of(stored, "strategies")).unwrap_or_default();
                let kept: Vec<Value> = stored.iter().map(normalize_strategy).collect();
                let strategies = items_of(&state, "strategies");
                let is_stored = |index: usize| {
                    strategies.get(index).is_some_and(|one| kept.contains(&normalize_strategy(one)))
                };
                add_invalid(change, &state, &is_stored, &mut add);
                add_operators(strategies, &is_stored, &mut add);
                add_percentages(strategies, &is_stored, &mut add);
            }
            for tag in items_of(&state, TAGS) {
                // A tag without a type is a simple one, but its type is created before.
                let kind = tag.get("type").filter(|kind| *kind == "").map(|kind| json!({ "name": kind }));
                let of_kind = kind.map(|body| details_of(TagType::parse(&body))).unwrap_or_default();
                for detail in details_of(Tag::parse(tag)).into_iter().chain(of_kind) {
                    let (kind, value) = (text_of(tag, "type"), text_of(tag, "value"));
                    let reason = format!("of its tag {kind}:{value}, {}", detail.message);
                    // The order of the tags in the file is not known.
                    let path = vec![TAGS.into()];
                    let detail = Detail { path: path.clone(), ..detail };
                    add(path, Fault::Invalid { detail, reason, constraint: None, is_stored: false });
                }
            }
        }
        Self(values)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the values that the server refuses, and those that it accepts but that are probably mistakes.
    pub(super) fn describe(&self, rules: ServerRules, target: &str) -> (Vec<Located>, Vec<Located>) {
        let (mut problems, mut warnings) = (Vec::new(), Vec::new());
        for SuspectValue { toggle, place, path, fault } in &self.0 {
            let (list, message) = match fault.verdict(rules) {
                Verdict::Accepted => continue,
                Verdict::Suspicious(reason) => (&mut warnings, format!("{place}: {reason}")),
                Verdict::Refused(reason) => (&mut problems, format!("{place}: {target} {reason}")),
            };
            list.push(Located::new(toggle, path, message));
        }
        (problems, warnings)
    }
}

impl Fault {
    fn verdict(&self, rules: ServerRules) -> Verdict {
        let keeps_stored = matches!(rules, ServerRules::WithEnvironments(..));
        match self {
            Self::Invalid { is_stored: true, .. } | Self::Operator { is_stored: true, .. }
                if keeps_stored =>
            {
                Verdict::Accepted
            }
            Self::Invalid { detail, reason, constraint, .. }
                if rules.refuses(detail, constraint.as_ref()) =>
            {
                Verdict::Refused(format!("refuses it: {reason}; {}", remedy(detail, constraint.as_ref())))
            }
            Self::Invalid { .. } => Verdict::Accepted,
            Self::Operator { name, .. } => {
                let known = rules.known_operators();
                if known.names().contains(&name.as_str())
                    || (rules == ServerRules::Embedded && !is_name(name))
                {
                    return Verdict::Accepted;
                }
                let remedy = if Operators::WithNetworks.names().contains(&name.as_str()) {
                    "use another operator, or a newer server".to_owned()
                } else {
                    suggest_operator(name, known)
                };
                if rules.required_operators().is_some() {
                    Verdict::Refused(format!("does not know the operator {name}; {remedy}"))
                } else {
                    Verdict::Suspicious(format!(
                        "with the unknown operator {name}, it never matches unless applications implement it; {remedy}"
                    ))
                }
            }
            Self::Percentage { parameter, value } => Verdict::Suspicious(format!(
                "{parameter} is {value:?}, which is no percentage; write a number from 0 to 100"
            )),
        }
    }
}

/// Adds the errors that the embedded flag service finds in the request that writes a toggle.
fn add_invalid(
    change: &PlannedChange,
    state: &Value,
    is_stored: &dyn Fn(usize) -> bool,
    add: &mut dyn FnMut(Vec<Value>, Fault),
) {
    let body = body_of(&change.name, state);
    let result = match change.action {
        PlannedAction::Create => ToggleDraft::parse(&body),
        _ => ToggleDraft::parse_replacement(&change.name, &body),
    };
    for detail in details_of(result) {
        let index = detail.path.get(1).and_then(Value::as_u64).and_then(|index| index.try_into().ok());
        let is_stored =
            detail.path.first().is_some_and(|key| key == "strategies") && index.is_some_and(is_stored);
        let constraint = find_constraint(&body, &detail.path);
        let (_, rest) = describe_place(&change.name, &body, &detail.path);
        let subject = if rest.is_empty() { "it".to_owned() } else { format!("\"{}\"", label_of(rest)) };
        let requirement = detail.requirement().map(|requirement| format!("{subject} {requirement}"));
        let reason = requirement.unwrap_or_else(|| detail.message.clone());
        add(detail.path.clone(), Fault::Invalid { detail, reason, constraint, is_stored });
    }
}

/// Returns the constraint of a strategy that contains the value at a path.
fn find_constraint(toggle: &Value, path: &[Value]) -> Option<Constraint> {
    let [strategies, strategy, constraints, constraint, ..] = path else { return None };
    let find = |value: &Value, list: &Value, index: &Value| {
        value.get(list.as_str()?)?.get(usize::try_from(index.as_u64()?).ok()?).cloned()
    };
    let constraint = find(&find(toggle, strategies, strategy)?, constraints, constraint)?;
    serde_json::from_value(constraint).ok().filter(|_| constraints == "constraints")
}

/// Adds the operators that not every server knows.
fn add_operators(
    strategies: &[Value],
    is_stored: &dyn Fn(usize) -> bool,
    add: &mut dyn FnMut(Vec<Value>, Fault),
) {
    let basic = Operators::Basic.names();
    for (strategy_index, strategy) in strategies.iter().enumerate() {
        for (index, constraint) in items_of(strategy, "constraints").iter().enumerate() {
            let Some(name) = constraint.get("operator").and_then(Value::as_str) else { continue };
            if basic.contains(&name) {
                continue;
            }
            let path = json!(["strategies", strategy_index, "constraints", index, "operator"]);
            let fault = Fault::Operator { name: name.to_owned(), is_stored: is_stored(strategy_index) };
            add(steps_of(path), fault);
        }
    }
}

/// Adds the percentages that are none, unless the stored toggle already has them.
fn add_percentages(
    strategies: &[Value],
    is_stored: &dyn Fn(usize) -> bool,
    add: &mut dyn FnMut(Vec<Value>, Fault),
) {
    for (index, strategy) in strategies.iter().enumerate() {
        let Some(parameter) = percentage_parameter(text_of(strategy, "name")) else { continue };
        let value = strategy.get("parameters").and_then(|parameters| parameters.get(parameter));
        let Some(Value::String(value)) = value else { continue };
        if !is_stored(index) && !value.trim().parse().is_ok_and(|number: f64| (0.0..=100.0).contains(&number))
        {
            let path = json!(["strategies", index, "parameters", parameter]);
            add(steps_of(path), Fault::Percentage { parameter, value: value.clone() });
        }
    }
}

/// Returns the state with which a toggle is written. The stored properties of an archived toggle are not known.
fn written_state(change: &PlannedChange) -> Value {
    let mut state = change.state.clone();
    // Names of segments that do not exist are problems of their own.
    for strategy in state.get_mut("strategies").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(segments) = strategy.get_mut("segments").and_then(Value::as_array_mut) {
            segments.retain(|segment| !segment.is_string());
        }
    }
    if change.action == PlannedAction::Revive
        && let (Some(state), Value::Object(defaults)) = (state.as_object_mut(), new_toggle())
    {
        for (key, value) in defaults {
            state.entry(key).or_insert(value);
        }
    }
    state
}

fn details_of<T>(result: Result<T, ApiError>) -> Vec<Detail> {
    match result {
        Err(ApiError::Invalid(details)) => details,
        _ => Vec::new(),
    }
}

/// Returns true if a text can be the name of an operator of a newer server.
fn is_name(operator: &str) -> bool {
    !operator.is_empty()
        && operator
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

/// Returns the remedy for an error of the embedded flag service.
fn remedy(Detail { rule, .. }: &Detail, constraint: Option<&Constraint>) -> String {
    let text = match rule.as_str() {
        "isUrlFriendly.base" => "use only letters, digits and - _ . ! ~ * ' ( )",
        "string.pattern.base" => {
            let operator = constraint.map_or("", |constraint| constraint.operator.as_str());
            return suggest_operator(&operator.to_ascii_uppercase(), Operators::WithNetworks);
        }
        "string.max" => "shorten it",
        "array.unique" => "rename or remove one of them",
        "array.min" => "add one, or remove the property",
        "array.max" | "errors.omitted" => "use fewer",
        "any.required" => "add it",
        "object.unknown" => "remove it",
        _ => "correct it",
    };
    text.to_owned()
}

/// Names the known operator that is most similar to an unknown one.
fn suggest_operator(name: &str, known: Operators) -> String {
    let similarity = |other: &str| strsim::jaro_winkler(name, other);
    let nearest = known.names().iter().max_by(|one, other| similarity(one).total_cmp(&similarity(other)));
    format!("did you mean {}?", nearest.copied().unwrap_or("IN"))
}
