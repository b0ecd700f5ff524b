//! Validation of a toggle's strategies.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{constraints, variants};
use crate::api::Strategy;
use crate::api::limits::{MAX_PARAMETERS, MAX_REFERENCES, MAX_SHORT_TEXT_LENGTH, MAX_STRATEGIES};
use crate::flags::validation::fields::{Field, ValidationErrors};

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
    let variants = field.get("variants");
    Strategy {
        id: field.get("id").text(errors),
        name: field.get("name").name(errors),
        parameters: parse_parameters(&field.get("parameters"), errors),
        constraints: constraints::parse(&field.get("constraints"), errors),
        segments: parse_segments(&field.get("segments"), errors),
        variants: (!variants.is_missing() && !variants.is_null()).then(|| variants::parse(&variants, errors)),
        title: field.get("title").nullable_short_text(MAX_SHORT_TEXT_LENGTH, errors),
        disabled: field.get("disabled").nullable_bool(errors),
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

/// Parses the ids of segments.
fn parse_segments(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<Vec<u32>> {
    let items = field.nullable_items(MAX_REFERENCES, errors)?;
    Some(items.iter().map(|item| item.id(errors)).collect())
}
