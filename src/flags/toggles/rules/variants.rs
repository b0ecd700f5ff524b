//! Variants of a toggle or of a strategy.

use std::collections::BTreeSet;

use serde_json::json;

use crate::api::limits::{MAX_OVERRIDES, MAX_VARIANTS, MAX_WEIGHT, NAME_LENGTH};
use crate::api::{Override, Payload, PayloadType, Variant, WeightType};
use crate::flags::validation::{Field, RequestBody};

/// Default stickiness of a variant.
const DEFAULT_STICKINESS: &str = "default";

const WEIGHT_TYPES: [(&str, WeightType); 2] = [("variable", WeightType::Variable), ("fix", WeightType::Fix)];
const PAYLOAD_TYPES: [(&str, PayloadType); 4] = [
    ("string", PayloadType::String),
    ("json", PayloadType::Json),
    ("csv", PayloadType::Csv),
    ("number", PayloadType::Number),
];

/// Reads variants. Their names must be unique. Returns `None` if they are missing or null.
pub(super) fn read(field: &Field<'_>) -> Option<Vec<Variant>> {
    let mut names = BTreeSet::new();
    let read_variant = |item: &Field<'_>| {
        let variant: Variant = item.read();
        if !variant.name.is_empty() && !names.insert(variant.name.clone()) {
            item.add_error("array.unique", "contains a duplicate value");
        }
        variant
    };
    field.nullable(|list| list.optional_list(MAX_VARIANTS, read_variant))
}

impl RequestBody for Variant {
    const NAME: &'static str = "NewVariant";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "description": "The name must be unique within the toggle." }));
        Self {
            // Variant names do not occur in URLs.
            name: body.get("name").required_text_within(NAME_LENGTH),
            weight: read_weight(&body.get("weight")),
            weight_type: body.get("weightType").one_of_or(&WEIGHT_TYPES, WeightType::Variable),
            stickiness: Some(body.get("stickiness").text_or(DEFAULT_STICKINESS)),
            payload: read_payload(&body.get("payload")),
            overrides: body.get("overrides").optional_list(MAX_OVERRIDES, Field::read),
        }
    }
}

impl RequestBody for Override {
    const NAME: &'static str = "NewOverride";

    fn read(body: &Field<'_>) -> Self {
        let values = body.get("values");
        values.require();
        Self { context_name: body.get("contextName").required_text(), values: values.texts() }
    }
}

fn read_weight(field: &Field<'_>) -> u32 {
    field.describe(|| json!({ "type": "integer", "minimum": 0, "maximum": MAX_WEIGHT }));
    field.require();
    let Some(value) = field.value() else { return 0 };
    let Some(weight) = field.integer() else {
        let (rule, requirement) = if value.is_number() {
            ("number.integer", "must be an integer")
        } else {
            ("number.base", "must be a number")
        };
        field.add_error(rule, requirement);
        return 0;
    };
    if weight < 0 {
        field.add_error("number.min", "must be greater than or equal to 0");
        return 0;
    }
    let weight = u32::try_from(weight).ok().filter(|&weight| weight <= MAX_WEIGHT);
    if weight.is_none() {
        field.add_error("number.max", &format!("must be less than or equal to {MAX_WEIGHT}"));
    }
    weight.unwrap_or(MAX_WEIGHT)
}

fn read_payload(field: &Field<'_>) -> Option<Payload> {
    field.object().then(|| {
        let (kind, value) = (field.get("type"), field.get("value"));
        kind.require();
        value.require();
        Payload {
            kind: kind.one_of(&PAYLOAD_TYPES).unwrap_or(PayloadType::String),
            value: value.text().unwrap_or_default(),
        }
    })
}
