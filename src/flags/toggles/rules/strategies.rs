//! Strategies of a toggle.

use std::collections::BTreeMap;

use serde_json::json;

use super::{constraints, variants};
use crate::api::Strategy;
use crate::api::limits::{MAX_PARAMETERS, MAX_REFERENCES, MAX_SHORT_TEXT_LENGTH, NAME_LENGTH};
use crate::flags::validation::{Field, RequestBody};

impl RequestBody for Strategy {
    const NAME: &'static str = "NewStrategy";

    fn read(body: &Field<'_>) -> Self {
        Self {
            id: body.get("id").text(),
            name: body.get("name").name(NAME_LENGTH),
            parameters: read_parameters(&body.get("parameters")),
            constraints: constraints::read(&body.get("constraints")),
            segments: body
                .get("segments")
                .describe(|| json!({ "description": "Ids of existing segments." }))
                .nullable(|list| list.optional_list(MAX_REFERENCES, Field::id)),
            variants: variants::read(&body.get("variants")),
            title: body.get("title").nullable(|title| title.short_text(MAX_SHORT_TEXT_LENGTH)),
            disabled: body.get("disabled").nullable(Field::bool),
        }
    }
}

/// Reads parameters. Numbers and booleans become strings because clients expect strings.
fn read_parameters(field: &Field<'_>) -> Option<BTreeMap<String, String>> {
    field.describe(|| json!({ "description": "Numbers and booleans are stored as strings." }));
    let entries = field.entries(MAX_PARAMETERS)?;
    Some(entries.iter().filter_map(|(key, value)| Some(((*key).to_owned(), value.scalar_text()?))).collect())
}
