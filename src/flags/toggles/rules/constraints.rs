//! Constraints of strategies and segments.

use serde_json::{Value, json};

use crate::api::Constraint;
use crate::api::limits::{MAX_CONSTRAINTS, MAX_OPERATOR_LENGTH, MAX_SHORT_TEXT_LENGTH, MAX_VALUES};
use crate::evaluation::ConstraintDefinition;
use crate::evaluation::reason::ConstraintProblem;
use crate::flags::validation::{Field, RequestBody};

/// The operator whose values are networks.
const NETWORK_OPERATOR: &str = "IN_CIDR";
/// The operator whose value is a regular expression.
const PATTERN_OPERATOR: &str = "REGEX";

/// Reads constraints. Returns `None` if they are missing or null.
pub(in crate::flags) fn read(field: &Field<'_>) -> Option<Vec<Constraint>> {
    field.nullable(|list| list.optional_list(MAX_CONSTRAINTS, Field::read))
}

impl RequestBody for Constraint {
    const NAME: &'static str = "NewConstraint";

    fn read(body: &Field<'_>) -> Self {
        let operator = read_operator(&body.get("operator"));
        let (list, single) = (body.get("values"), body.get("value"));
        let constraint = Self {
            context_name: body.get("contextName").required_text(),
            values: list.optional_list(MAX_VALUES, |item| read_listed_value(item, &operator)),
            value: single.nullable(read_value),
            inverted: body.get("inverted").nullable(Field::bool),
            case_insensitive: body.get("caseInsensitive").nullable(Field::bool),
            operator,
        };
        check_value(&single, &constraint);
        // They can change the meaning of a constraint, as `inverted` does.
        body.reject_unknown_properties();
        constraint
    }
}

/// Reads the name of an operator. Unknown names are valid because newer servers and client libraries add operators.
fn read_operator(field: &Field<'_>) -> String {
    let operator = field.required_text();
    field.describe(|| {
        json!({
            "pattern": "^[A-Z0-9_]+$",
            "description": "A constraint with an unknown operator never matches.",
        })
    });
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !operator.chars().all(is_name) {
        field.add_error("string.pattern.base", "must be the name of an operator, such as NOT_IN");
    }
    field.check_bounds(&operator, (0, MAX_OPERATOR_LENGTH));
    operator
}

/// Reads a value of the list. Constraints without values are valid; they match nobody.
fn read_listed_value(item: &Field<'_>, operator: &str) -> String {
    let text = item.non_empty_text().unwrap_or_default();
    if operator == NETWORK_OPERATOR && !text.is_empty() && !item.trusts_values() {
        let values = vec![text.clone()];
        add_problem(
            item,
            &ConstraintDefinition { operator: operator.to_owned(), values, ..Default::default() },
        );
    }
    text
}

/// Checks that the single value fits the operator. An evaluation would treat an unfit value as no match.
fn check_value(single: &Field<'_>, constraint: &Constraint) {
    let Constraint { operator, value, case_insensitive, .. } = constraint;
    if operator == NETWORK_OPERATOR || single.trusts_values() {
        return;
    }
    let is_missing = match single.value() {
        None | Some(Value::Null) => true,
        Some(value) => value.as_str().is_some_and(|text| text.trim().is_empty()),
    };
    let definition = ConstraintDefinition {
        operator: operator.clone(),
        value: value.clone(),
        case_insensitive: case_insensitive.unwrap_or_default(),
        ..Default::default()
    };
    if is_missing && (operator == PATTERN_OPERATOR || describe_problem(&definition).is_some()) {
        single.add_error("any.required", "is required");
    } else if value.is_some() {
        add_problem(single, &definition);
    }
}

/// Adds an error if the values of a constraint do not fit its operator.
fn add_problem(field: &Field<'_>, definition: &ConstraintDefinition) {
    if let Some((rule, requirement)) = describe_problem(definition) {
        field.add_error(rule, requirement);
    }
}

/// Returns the rule and the requirement that the values of a constraint do not meet.
fn describe_problem(definition: &ConstraintDefinition) -> Option<(&'static str, &'static str)> {
    Some(match definition.find_problem()? {
        ConstraintProblem::UnknownOperator => return None,
        ConstraintProblem::InvalidNumber => ("number.base", "must be a number, such as 1.5"),
        ConstraintProblem::InvalidTime => {
            ("date.format", "must be a date with time and time zone, such as 2026-12-31T12:00:00Z")
        }
        ConstraintProblem::InvalidVersion => ("string.version", "must be a semantic version, such as 1.2.3"),
        ConstraintProblem::InvalidPattern => (
            "string.pattern",
            "must be a regular expression without look-around and back references, of at most 1000 bytes and of limited complexity",
        ),
        ConstraintProblem::InvalidNetwork => {
            ("string.network", "must be an IP address or a network, such as 10.0.0.0/8")
        }
    })
}

/// Reads the single value of a constraint. A number becomes a string because client libraries expect strings.
fn read_value(field: &Field<'_>) -> Option<String> {
    let text = match field.value() {
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => field.short_text(MAX_SHORT_TEXT_LENGTH),
    };
    field.describe(
        || json!({
            "type": ["string", "number"],
            "description": "Of the operators NUM_*, DATE_*, SEMVER_* and REGEX. A number is stored as a string.",
        }),
    );
    text
}
