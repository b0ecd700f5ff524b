//! Constraints of strategies and segments.

use serde_json::{Value, json};

use crate::api::Constraint;
use crate::api::limits::{MAX_CONSTRAINTS, MAX_OPERATOR_LENGTH, MAX_SHORT_TEXT_LENGTH, MAX_VALUES};
use crate::flags::validation::{Field, RequestBody};

/// Reads constraints. Returns `None` if they are missing or null.
pub(in crate::flags) fn read(field: &Field<'_>) -> Option<Vec<Constraint>> {
    field.nullable(|list| list.optional_list(MAX_CONSTRAINTS, Field::read))
}

impl RequestBody for Constraint {
    const NAME: &'static str = "NewConstraint";

    fn read(body: &Field<'_>) -> Self {
        let constraint = Self {
            context_name: body.get("contextName").required_text(),
            operator: read_operator(&body.get("operator")),
            values: body
                .get("values")
                .optional_list(MAX_VALUES, |item| item.non_empty_text().unwrap_or_default()),
            value: body.get("value").nullable(read_value),
            inverted: body.get("inverted").nullable(Field::bool),
            case_insensitive: body.get("caseInsensitive").nullable(Field::bool),
        };
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

/// Reads the single value of a constraint. A number becomes a string because client libraries expect strings.
fn read_value(field: &Field<'_>) -> Option<String> {
    let text = match field.value() {
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => field.short_text(MAX_SHORT_TEXT_LENGTH),
    };
    field.describe(
        || json!({ "type": ["string", "number"], "description": "A number is stored as a string." }),
    );
    text
}
