//! Request bodies of toggles: their validation and schemas.

pub(in crate::flags) mod constraints;
mod strategies;
mod variants;

use serde_json::{Value, json};

use crate::api::limits::{MAX_PROJECT_ID_LENGTH, MAX_REFERENCES, MAX_STRATEGIES, MAX_VARIANTS, NAME_LENGTH};
use crate::api::{Dependency, ToggleDraft};
use crate::config::DEFAULT_PROJECT;
use crate::flags::validation::{Field, RequestBody};

/// Default type of a toggle.
const DEFAULT_TOGGLE_TYPE: &str = "release";

impl RequestBody for ToggleDraft {
    const NAME: &'static str = "NewToggle";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [example()] }));
        Self {
            name: body.get("name").key(NAME_LENGTH),
            description: body.get("description").nullable(Field::text),
            kind: body.get("type").text_or(DEFAULT_TOGGLE_TYPE),
            enabled: body.get("enabled").bool_or(false),
            stale: body.get("stale").bool_or(false),
            project: read_project(&body.get("project")),
            strategies: {
                let strategies = body.get("strategies");
                strategies.require();
                strategies.require_items("must contain at least 1 items");
                strategies.list(MAX_STRATEGIES, Field::read)
            },
            variants: variants::read(&body.get("variants")).unwrap_or_default(),
            dependencies: body
                .get("dependencies")
                .nullable(|list| list.optional_list(MAX_REFERENCES, Field::read)),
            impression_data: body.get("impressionData").nullable(Field::bool),
        }
    }
}

impl RequestBody for Dependency {
    const NAME: &'static str = "NewDependency";

    fn read(body: &Field<'_>) -> Self {
        body.describe(
            || json!({ "description": "The parent must exist, and must have no dependencies itself." }),
        );
        Self {
            feature: body.get("feature").name(NAME_LENGTH),
            enabled: body.get("enabled").nullable(Field::bool),
            variants: body.get("variants").nullable(|list| {
                list.optional_list(MAX_VARIANTS, |item| item.non_empty_text().unwrap_or_default())
            }),
        }
    }
}

fn read_project(field: &Field<'_>) -> String {
    let id = field.text_or(DEFAULT_PROJECT);
    field.check_bounds(&id, (0, MAX_PROJECT_ID_LENGTH));
    id
}

fn example() -> Value {
    let constraint = json!({ "contextName": "environment", "operator": "IN", "values": ["test"] });
    json!({
        "name": "checkout.express", "description": "One page", "type": "release", "project": "default",
        "enabled": true, "stale": false,
        "strategies": [{
            "id": "1", "name": "flexibleRollout", "parameters": { "rollout": "40", "stickiness": "default" },
            "constraints": [constraint],
        }],
        "variants": [{
            "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default",
            "payload": { "type": "string", "value": "x" },
            "overrides": [{ "contextName": "userId", "values": ["1"] }],
        }],
    })
}

#[cfg(test)]
mod tests;
