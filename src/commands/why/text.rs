//! Describes a result and its reasons in words.

use std::fmt::Write as _;

use crate::evaluation::reason::{
    ConstraintProblem, ConstraintReason, Decision, EvaluationResult, Explanation, ParentProblem,
    ParentReason, RuleReason, SegmentReason, StrategyReason, VariantReason, VariantSelection, VariantShare,
};
use crate::evaluation::request::ContextResult;
use crate::evaluation::{ConstraintDefinition, Library, SegmentDefinition, ToggleDefinition};
use crate::terminal::Escaped;

/// Returns the description, one line per reason.
pub(super) fn describe(
    name: &str,
    toggle: Option<&ToggleDefinition>,
    segments: &[SegmentDefinition],
    result: &ContextResult,
    explanation: &Explanation,
    holds: &[String],
) -> String {
    let mut lines = vec![format!("{name} is {}.", describe_result(result.result, result.probability))];
    lines.push(describe_decision(explanation));
    lines.extend(holds.iter().map(|hold| format!("{hold}.")));
    if !explanation.differing.is_empty() {
        let libraries = list_libraries(&explanation.differing);
        lines.push(format!("Client libraries differ: the result may be another one in {libraries}."));
    }
    lines.extend(explanation.parents.iter().map(describe_parent));
    let definitions = toggle.map(|toggle| toggle.strategies.as_slice()).unwrap_or_default();
    for (index, (strategy, definition)) in explanation.strategies.iter().zip(definitions).enumerate() {
        lines.push(format!("{}. {}", index + 1, describe_strategy(strategy)));
        lines.push(format!("   {}", describe_rule(&strategy.rule)));
        lines.extend(describe_constraints("   constraint", &strategy.constraints, &definition.constraints));
        lines.extend(strategy.segments.iter().flat_map(|segment| describe_segment(segment, segments)));
    }
    lines.extend(explanation.variant.as_ref().map(|reason| describe_variant(result, reason)));
    // Texts of the server must not add lines.
    lines.iter().map(|line| Escaped::line(line).to_string()).collect::<Vec<_>>().join("\n")
}

fn describe_result(result: EvaluationResult, probability: Option<f64>) -> String {
    match result {
        EvaluationResult::Off => "off".to_owned(),
        EvaluationResult::On => "on".to_owned(),
        EvaluationResult::Application => "decided by the application".to_owned(),
        EvaluationResult::Random => {
            format!("on with a probability of {:.1} %", probability.unwrap_or_default() * 100.0)
        }
    }
}

fn list_libraries(libraries: &[Library]) -> String {
    libraries.iter().map(|library| library.name()).collect::<Vec<_>>().join(", ")
}

fn describe_decision(explanation: &Explanation) -> String {
    let strategy = explanation.strategy.map(|index| (index + 1).to_string()).unwrap_or_default();
    match explanation.decision {
        Decision::UnknownToggle => "There is no such toggle.".to_owned(),
        Decision::ToggleDisabled => "The toggle is switched off.".to_owned(),
        Decision::ParentNotSatisfied => "A condition on a parent toggle does not hold.".to_owned(),
        Decision::NoStrategies => "The toggle has no strategies.".to_owned(),
        Decision::AllStrategiesDisabled => "All strategies are disabled.".to_owned(),
        Decision::StrategyMatches => format!("Strategy {strategy} decides."),
        Decision::NoStrategyMatches => "No strategy matches.".to_owned(),
    }
}

fn describe_parent(parent: &ParentReason) -> String {
    let expected = if parent.expects_enabled { "on" } else { "off" };
    let found = match (parent.problem, parent.parent_result) {
        (Some(ParentProblem::Missing), _) => "it does not exist".to_owned(),
        (Some(ParentProblem::HasParents), _) => "it has parents itself, which is not allowed".to_owned(),
        (None, result) => {
            let result = result.map(|result| describe_result(result, parent.probability)).unwrap_or_default();
            let variant = parent.parent_variant.as_ref();
            variant.map_or_else(
                || format!("it is {result}"),
                |variant| format!("it is {result}, variant {variant}"),
            )
        }
    };
    let holds = match parent.result {
        EvaluationResult::On => "yes",
        EvaluationResult::Off => "no",
        EvaluationResult::Application | EvaluationResult::Random => "uncertain",
    };
    format!("parent {} must be {expected}: {found} → {holds}", parent.name)
}

fn describe_strategy(strategy: &StrategyReason) -> String {
    let result = describe_result(strategy.result, strategy.probability);
    if strategy.disabled {
        format!("{}: disabled", strategy.name)
    } else {
        format!("{}: {result}", strategy.name)
    }
}

fn describe_rule(rule: &RuleReason) -> String {
    match rule {
        RuleReason::Always => "matches everyone".to_owned(),
        RuleReason::Listed { value } => format!("the user {value:?} is listed"),
        RuleReason::NotListed { value: Some(value) } => format!("the user {value:?} is not listed"),
        RuleReason::NotListed { value: None } => "the context has no userId".to_owned(),
        RuleReason::InNetwork { value } => format!("the address {value:?} is in a listed network"),
        RuleReason::NotInNetwork { value: Some(value) } => {
            format!("the address {value:?} is in no listed network")
        }
        RuleReason::NotInNetwork { value: None } => "the context has no remoteAddress".to_owned(),
        RuleReason::Bucket { field, value, group, bucket, percentage } => {
            let matches = describe_match(f64::from(*bucket) <= *percentage);
            format!("{percentage} % by {field} in group {group:?}: {value:?} falls on {bucket} → {matches}")
        }
        RuleReason::MissingField { field, percentage } => {
            format!("{percentage} % by {field}: the context has no {field} → no")
        }
        RuleReason::Random { percentage } => format!("{percentage} % at random"),
        RuleReason::InvalidPercentage { value } => {
            format!("the percentage {:?} is not a number → no", value.as_deref().unwrap_or_default())
        }
        RuleReason::Application => "only the application can evaluate this strategy".to_owned(),
    }
}

fn describe_match(matches: bool) -> &'static str {
    if matches { "yes" } else { "no" }
}

fn describe_constraints<'a>(
    label: &'a str,
    reasons: &'a [ConstraintReason],
    definitions: &'a [ConstraintDefinition],
) -> impl Iterator<Item = String> + 'a {
    reasons
        .iter()
        .zip(definitions)
        .map(move |(reason, definition)| format!("{label} {}", describe_constraint(reason, definition)))
}

fn describe_constraint(reason: &ConstraintReason, definition: &ConstraintDefinition) -> String {
    let not = if definition.inverted { "not " } else { "" };
    let mut values: Vec<_> = definition.values.iter().chain(&definition.value).map(String::as_str).collect();
    if values.len() > 5 {
        values.truncate(5);
        values.push("…");
    }
    let problem = match reason.problem {
        None => "",
        Some(ConstraintProblem::UnknownOperator) => " (unknown operator)",
        Some(ConstraintProblem::InvalidNumber) => " (not a number)",
        Some(ConstraintProblem::InvalidTime) => " (not a time)",
        Some(ConstraintProblem::InvalidVersion) => " (not a version)",
        Some(ConstraintProblem::InvalidPattern) => " (not a supported pattern)",
        Some(ConstraintProblem::InvalidNetwork) => " (not a network)",
    };
    let found = reason.value.as_ref().map_or("absent".to_owned(), |value| format!("{value:?}"));
    let ConstraintDefinition { context_name, operator, .. } = definition;
    let values = values.join(", ");
    let matches = describe_match(reason.matches);
    let mut text =
        format!("{not}{context_name} {operator} {values}{problem}: {context_name} is {found} → {matches}");
    if !reason.differing.is_empty() {
        // Writing to a string cannot fail.
        let _infallible = write!(text, " (may differ in {})", list_libraries(&reason.differing));
    }
    text
}

fn describe_segment(segment: &SegmentReason, definitions: &[SegmentDefinition]) -> Vec<String> {
    let SegmentReason { id, name, missing, matches, constraints } = segment;
    let name = name.as_ref().unwrap_or(id);
    if *missing {
        return vec![format!("   segment {name} does not exist → no")];
    }
    let definition = definitions.iter().rfind(|definition| definition.id.as_ref() == Some(id));
    let definitions = definition.map(|definition| definition.constraints.as_slice()).unwrap_or_default();
    let mut lines = vec![format!("   segment {name} → {}", describe_match(*matches))];
    lines.extend(describe_constraints("      constraint", constraints, definitions));
    lines
}

fn describe_variant(result: &ContextResult, reason: &VariantReason) -> String {
    let variant = result.variant.as_deref().unwrap_or("none");
    let cause = match &reason.selection {
        VariantSelection::None => String::new(),
        VariantSelection::Override { field, value } => format!(": override for {field} {value:?}"),
        VariantSelection::Single => ": it has all the weight".to_owned(),
        VariantSelection::Bucket { field, value, bucket, buckets, .. } => {
            format!(": {field} {value:?} falls on {bucket} of {buckets}")
        }
        VariantSelection::Random { shares } => {
            let share = |share: &VariantShare| format!("{} {:.1} %", share.name, share.probability * 100.0);
            return format!("variant: random, {}", shares.iter().map(share).collect::<Vec<_>>().join(", "));
        }
    };
    let doubt = if reason.certain { "" } else { ", unless an earlier strategy matches" };
    format!("variant {variant}{cause}{doubt}")
}
