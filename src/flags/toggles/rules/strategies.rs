//! Validation of a toggle's strategies and their constraints.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::flags::model::{Constraint, ConstraintOperator, Strategy};
use crate::flags::validation::fields::{Field, ValidationErrors};
use crate::flags::validation::limits::{MAX_CONSTRAINTS, MAX_PARAMETERS, MAX_STRATEGIES};
use crate::flags::validation::parse_texts;

const OPERATORS: [(&str, ConstraintOperator); 2] =
    [("IN", ConstraintOperator::In), ("NOT_IN", ConstraintOperator::NotIn)];

/// Parses the strategies of a toggle, at least one.
pub(super) fn parse(field: &Field<'_>, errors: &mut ValidationErrors) -> Vec<Strategy> {
    field.require(errors);
    let items = field.items(MAX_STRATEGIES, errors);
    if field.value().is_some_and(|value| value.as_array().is_some_and(Vec::is_empty)) {
        field.add_error(errors, "array.min", "must contain at least 1 items");
    }
    items.iter().map(|item| parse_strategy(item, errors)).collect()
}

fn parse_strategy(field: &Field<'_>, errors: &mut ValidationErrors) -> Strategy {
    field.object(errors);
    Strategy {
        id: field.get("id").text(errors),
        name: field.get("name").name(errors),
        parameters: parse_parameters(&field.get("parameters"), errors),
        constraints: parse_constraints(&field.get("constraints"), errors),
    }
}

/// Parses parameters. Numbers and booleans become strings because clients expect strings.
fn parse_parameters(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<BTreeMap<String, String>> {
    let object = field.object_with_limit(MAX_PARAMETERS, errors)?;
    let mut parameters = BTreeMap::new();
    for (key, value) in object {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => {
                field.get(key).add_error(errors, "string.base", "must be a string");
                continue;
            }
        };
        parameters.insert(key.clone(), text);
    }
    Some(parameters)
}

fn parse_constraints(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<Vec<Constraint>> {
    if field.is_missing() || field.is_null() {
        return None;
    }
    Some(field.items(MAX_CONSTRAINTS, errors).iter().map(|item| parse_constraint(item, errors)).collect())
}

fn parse_constraint(field: &Field<'_>, errors: &mut ValidationErrors) -> Constraint {
    field.object(errors);
    let operator = field.get("operator");
    operator.require(errors);
    let values = field.get("values");
    Constraint {
        context_name: field.get("contextName").required_text(errors),
        operator: operator.one_of(&OPERATORS, errors).unwrap_or(ConstraintOperator::In),
        values: (!values.is_missing()).then(|| parse_texts(&values, errors)),
    }
}
