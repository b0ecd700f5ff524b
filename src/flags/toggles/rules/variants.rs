//! Validation of a toggle's variants.

use std::collections::BTreeSet;

use crate::api::limits::{MAX_OVERRIDES, MAX_VARIANTS, MAX_WEIGHT};
use crate::api::{Override, Payload, PayloadType, Variant, WeightType};
use crate::flags::validation::fields::{Field, ValidationErrors};
use crate::flags::validation::parse_texts;

/// Default stickiness of a variant.
pub(in crate::flags) const DEFAULT_STICKINESS: &str = "default";

const WEIGHT_TYPES: [(&str, WeightType); 2] = [("variable", WeightType::Variable), ("fix", WeightType::Fix)];
const PAYLOAD_TYPES: [(&str, PayloadType); 4] = [
    ("string", PayloadType::String),
    ("json", PayloadType::Json),
    ("csv", PayloadType::Csv),
    ("number", PayloadType::Number),
];

/// Parses variants. Their names must be unique.
pub(super) fn parse(field: &Field<'_>, errors: &mut ValidationErrors) -> Vec<Variant> {
    if field.is_null() {
        return Vec::new();
    }
    let mut names = BTreeSet::new();
    let mut variants = Vec::new();
    for item in field.items(MAX_VARIANTS, errors) {
        let variant = parse_variant(&item, errors);
        if !variant.name.is_empty() && !names.insert(variant.name.clone()) {
            item.add_error(errors, "array.unique", "contains a duplicate value");
        }
        variants.push(variant);
    }
    variants
}

fn parse_variant(field: &Field<'_>, errors: &mut ValidationErrors) -> Variant {
    field.object(errors);
    Variant {
        name: parse_name(&field.get("name"), errors),
        weight: parse_weight(&field.get("weight"), errors),
        weight_type: field.get("weightType").one_of(&WEIGHT_TYPES, errors).unwrap_or(WeightType::Variable),
        stickiness: Some(field.get("stickiness").text_or(DEFAULT_STICKINESS, errors)),
        payload: parse_payload(&field.get("payload"), errors),
        overrides: parse_overrides(&field.get("overrides"), errors),
    }
}

/// Parses a name of any characters: variant names do not occur in URLs.
fn parse_name(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let name = field.required_text(errors);
    if !name.is_empty() {
        field.check_name_length(&name, errors);
    }
    name
}

fn parse_weight(field: &Field<'_>, errors: &mut ValidationErrors) -> u32 {
    field.require(errors);
    let Some(value) = field.value() else { return 0 };
    let Some(weight) = field.integer() else {
        let (rule, requirement) = if value.is_number() {
            ("number.integer", "must be an integer")
        } else {
            ("number.base", "must be a number")
        };
        field.add_error(errors, rule, requirement);
        return 0;
    };
    if weight < 0 {
        field.add_error(errors, "number.min", "must be greater than or equal to 0");
        return 0;
    }
    let weight = u32::try_from(weight).ok().filter(|&weight| weight <= MAX_WEIGHT);
    if weight.is_none() {
        field.add_error(errors, "number.max", &format!("must be less than or equal to {MAX_WEIGHT}"));
    }
    weight.unwrap_or(MAX_WEIGHT)
}

fn parse_payload(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<Payload> {
    field.object(errors)?;
    let (kind, value) = (field.get("type"), field.get("value"));
    kind.require(errors);
    value.require(errors);
    Some(Payload {
        kind: kind.one_of(&PAYLOAD_TYPES, errors).unwrap_or(PayloadType::String),
        value: value.text(errors).unwrap_or_default(),
    })
}

fn parse_overrides(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<Vec<Override>> {
    if field.is_missing() {
        return None;
    }
    Some(field.items(MAX_OVERRIDES, errors).iter().map(|item| parse_override(item, errors)).collect())
}

fn parse_override(field: &Field<'_>, errors: &mut ValidationErrors) -> Override {
    field.object(errors);
    let values = field.get("values");
    values.require(errors);
    Override {
        context_name: field.get("contextName").required_text(errors),
        values: parse_texts(&values, errors),
    }
}
