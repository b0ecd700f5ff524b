//! The rules of a toggle's strategies and their constraints.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::{Faults, Field};
use super::limits::{MAX_CONSTRAINTS, MAX_PARAMETERS, MAX_STRATEGIES};
use crate::flags::model::{Constraint, ConstraintOperator, Strategy};

const OPERATORS: [(&str, ConstraintOperator); 2] =
    [("IN", ConstraintOperator::In), ("NOT_IN", ConstraintOperator::NotIn)];

/// At least one strategy.
pub(super) fn read(field: &Field<'_>, faults: &mut Faults) -> Vec<Strategy> {
    field.require(faults);
    let items = field.items(MAX_STRATEGIES, faults);
    if field.value().is_some_and(|value| value.as_array().is_some_and(Vec::is_empty)) {
        field.fault(faults, "array.min", "must contain at least 1 items");
    }
    items.iter().map(|item| strategy(item, faults)).collect()
}

fn strategy(field: &Field<'_>, faults: &mut Faults) -> Strategy {
    field.object(faults);
    Strategy {
        id: field.get("id").text(faults),
        name: field.get("name").name(faults),
        parameters: parameters(&field.get("parameters"), faults),
        constraints: constraints(&field.get("constraints"), faults),
    }
}

/// Numbers and booleans are kept as text: what clients read is always text.
fn parameters(field: &Field<'_>, faults: &mut Faults) -> Option<BTreeMap<String, String>> {
    let object = field.object_within(MAX_PARAMETERS, faults)?;
    let mut parameters = BTreeMap::new();
    for (key, value) in object {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => {
                field.get(key).fault(faults, "string.base", "must be a string");
                continue;
            }
        };
        parameters.insert(key.clone(), text);
    }
    Some(parameters)
}

fn constraints(field: &Field<'_>, faults: &mut Faults) -> Option<Vec<Constraint>> {
    if field.is_missing() || field.is_null() {
        return None;
    }
    Some(field.items(MAX_CONSTRAINTS, faults).iter().map(|item| constraint(item, faults)).collect())
}

fn constraint(field: &Field<'_>, faults: &mut Faults) -> Constraint {
    field.object(faults);
    let operator = field.get("operator");
    operator.require(faults);
    let values = field.get("values");
    Constraint {
        context_name: field.get("contextName").required_text(faults),
        operator: operator.one_of(&OPERATORS, faults).unwrap_or(ConstraintOperator::In),
        values: (!values.is_missing()).then(|| super::texts(&values, faults)),
    }
}
