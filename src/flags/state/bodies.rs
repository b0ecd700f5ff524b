//! Request body of an import.

use serde_json::{Value, json};

use crate::flags::schema::{Components, RequestBody};

/// An exported state. The import validates each item like the request that creates it.
pub(super) enum ImportedState {}

impl RequestBody for ImportedState {
    const NAME: &'static str = "ImportedState";

    fn schema(_: &mut Components) -> Value {
        let sections = ["features", "strategies", "projects", "tagTypes", "tags", "featureTags", "segments"];
        let list = json!({ "type": ["array", "null"], "items": { "type": "object" } });
        let properties = sections.map(|section| (section.to_owned(), list.clone()));
        json!({
            "type": "object", "properties": serde_json::Map::from_iter(properties),
            "description": "The response of an export. A missing section remains as it is.",
            "examples": [{ "version": 1, "tagTypes": [{ "name": "team" }], "tags": [{ "type": "team", "value": "web" }] }],
        })
    }
}
