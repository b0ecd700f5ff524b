//! Validation of constraints, of strategies and segments.

use serde_json::Value;

use crate::api::Constraint;
use crate::api::limits::{MAX_CONSTRAINTS, MAX_OPERATOR_LENGTH, MAX_SHORT_TEXT_LENGTH};
use crate::flags::validation::fields::{Field, ValidationErrors};
use crate::flags::validation::parse_texts;

const PROPERTIES: [&str; 6] = ["contextName", "operator", "values", "value", "inverted", "caseInsensitive"];

/// Parses constraints. Returns `None` if they are missing or null.
pub(in crate::flags) fn parse(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<Vec<Constraint>> {
    let items = field.nullable_items(MAX_CONSTRAINTS, errors)?;
    Some(items.iter().map(|item| parse_constraint(item, errors)).collect())
}

fn parse_constraint(field: &Field<'_>, errors: &mut ValidationErrors) -> Constraint {
    reject_unknown_properties(field, errors);
    let values = field.get("values");
    Constraint {
        context_name: field.get("contextName").required_text(errors),
        operator: parse_operator(&field.get("operator"), errors),
        values: (!values.is_missing()).then(|| parse_texts(&values, errors)),
        value: parse_value(&field.get("value"), errors),
        inverted: field.get("inverted").nullable_bool(errors),
        case_insensitive: field.get("caseInsensitive").nullable_bool(errors),
    }
}

/// Unknown properties are errors because they can change the meaning of a constraint, as `inverted` does.
fn reject_unknown_properties(field: &Field<'_>, errors: &mut ValidationErrors) {
    for key in field.object(errors).into_iter().flat_map(|object| object.keys()) {
        if !PROPERTIES.contains(&key.as_str()) {
            field.get(key).add_error(errors, "object.unknown", "is not allowed");
        }
    }
}

/// Parses the name of an operator. Unknown names are valid because newer servers and client libraries add operators.
fn parse_operator(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let operator = field.required_text(errors);
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !operator.chars().all(is_name) {
        field.add_error(errors, "string.pattern.base", "must be the name of an operator, such as NOT_IN");
    }
    field.check_bounds(&operator, (0, MAX_OPERATOR_LENGTH), errors);
    operator
}

/// Parses the single value of a constraint. A number becomes a string because client libraries expect strings.
fn parse_value(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<String> {
    match field.value() {
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => field.nullable_short_text(MAX_SHORT_TEXT_LENGTH, errors),
    }
}
