//! The rules of a toggle's variants.

use std::collections::BTreeSet;

use super::fields::{Faults, Field};
use super::limits::{MAX_OVERRIDES, MAX_VARIANTS};
use crate::flags::model::{Override, Payload, PayloadType, Variant, WeightType};

/// All of the traffic, in tenths of a percent.
const FULL_WEIGHT: u32 = 1000;
/// What a variant that names no stickiness sticks to.
const DEFAULT_STICKINESS: &str = "default";

const WEIGHT_TYPES: [(&str, WeightType); 2] = [("variable", WeightType::Variable), ("fix", WeightType::Fix)];
const PAYLOAD_TYPES: [(&str, PayloadType); 3] =
    [("string", PayloadType::String), ("json", PayloadType::Json), ("csv", PayloadType::Csv)];

/// Reads variants with unique names.
pub(super) fn read(field: &Field<'_>, faults: &mut Faults) -> Vec<Variant> {
    if field.is_null() {
        return Vec::new();
    }
    let mut names = BTreeSet::new();
    let mut variants = Vec::new();
    for item in field.items(MAX_VARIANTS, faults) {
        let variant = variant(&item, faults);
        if !variant.name.is_empty() && !names.insert(variant.name.clone()) {
            item.fault(faults, "array.unique", "contains a duplicate value");
        }
        variants.push(variant);
    }
    variants
}

fn variant(field: &Field<'_>, faults: &mut Faults) -> Variant {
    field.object(faults);
    Variant {
        name: name(&field.get("name"), faults),
        weight: weight(&field.get("weight"), faults),
        weight_type: field.get("weightType").one_of(&WEIGHT_TYPES, faults).unwrap_or(WeightType::Variable),
        stickiness: Some(field.get("stickiness").text_or(DEFAULT_STICKINESS, faults)),
        payload: payload(&field.get("payload"), faults),
        overrides: overrides(&field.get("overrides"), faults),
    }
}

/// It never stands in a URL.
fn name(field: &Field<'_>, faults: &mut Faults) -> String {
    let name = field.required_text(faults);
    if !name.is_empty() {
        field.check_length(&name, faults);
    }
    name
}

fn weight(field: &Field<'_>, faults: &mut Faults) -> u32 {
    field.require(faults);
    let Some(value) = field.value() else { return 0 };
    let Some(weight) = field.whole() else {
        let (rule, complaint) = if value.is_number() {
            ("number.integer", "must be an integer")
        } else {
            ("number.base", "must be a number")
        };
        field.fault(faults, rule, complaint);
        return 0;
    };
    if weight < 0 {
        field.fault(faults, "number.min", "must be greater than or equal to 0");
        return 0;
    }
    let weight = u32::try_from(weight).ok().filter(|&weight| weight <= FULL_WEIGHT);
    if weight.is_none() {
        field.fault(faults, "number.max", &format!("must be less than or equal to {FULL_WEIGHT}"));
    }
    weight.unwrap_or(FULL_WEIGHT)
}

fn payload(field: &Field<'_>, faults: &mut Faults) -> Option<Payload> {
    field.object(faults)?;
    let (kind, value) = (field.get("type"), field.get("value"));
    kind.require(faults);
    value.require(faults);
    Some(Payload {
        kind: kind.one_of(&PAYLOAD_TYPES, faults).unwrap_or(PayloadType::String),
        value: value.text(faults).unwrap_or_default(),
    })
}

fn overrides(field: &Field<'_>, faults: &mut Faults) -> Option<Vec<Override>> {
    if field.is_missing() {
        return None;
    }
    Some(field.items(MAX_OVERRIDES, faults).iter().map(|item| one_override(item, faults)).collect())
}

fn one_override(field: &Field<'_>, faults: &mut Faults) -> Override {
    field.object(faults);
    let values = field.get("values");
    values.require(faults);
    Override {
        context_name: field.get("contextName").required_text(faults),
        values: super::texts(&values, faults),
    }
}
