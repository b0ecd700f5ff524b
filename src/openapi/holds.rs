//! Describes the requests for holds, which are not endpoints of the flag service alone.

use serde_json::{Map, Value, json};

use super::operation::ConsoleOperation;
use crate::flags::endpoint::schema::Generator;
use crate::hold::{HoldDraft, HoldList, HoldPreview, NewHold, ReleasedHolds};

/// Returns the paths with their operations.
pub(super) fn path_items(generator: &mut Generator) -> Map<String, Value> {
    let environment = json!({
        "name": "environment", "in": "query", "description": "Environment of the tokens. Default: all.",
        "schema": { "type": "string" },
    });
    let name = json!({
        "name": "name", "in": "path", "required": true, "description": "Name of the toggle.",
        "schema": { "type": "string", "minLength": 1 },
    });
    let of_toggle = json!([name, environment]);
    let operation = |id, summary, description: &str, response| ConsoleOperation {
        tag: "holds",
        id,
        summary,
        description: description.to_owned(),
        parameters: json!([]),
        body: None,
        response: ("200", response),
        failures: &["404"],
    };
    let list = operation(
        "getHolds",
        "List the toggles that SDKs get as off for a limited time",
        "The holds of this instance, and those that have ended since its start.",
        generator.responses.subschema_for::<HoldList>().to_value(),
    );
    let create = ConsoleOperation {
        body: Some(generator.parsed_requests.subschema_for::<HoldDraft>().to_value()),
        failures: &["400", "403", "404", "408", "409", "413", "415"],
        ..operation(
            "postHolds",
            "Hold a toggle for SDKs",
            "Requires the permission UPDATE_FEATURE. The flag service is not changed.",
            generator.responses.subschema_for::<NewHold>().to_value(),
        )
    };
    let create = ConsoleOperation { response: ("201", create.response.1.clone()), ..create };
    let preview = ConsoleOperation {
        parameters: of_toggle.clone(),
        ..operation(
            "getHoldsName",
            "Get the effect that a hold of a toggle would have",
            "Changes nothing.",
            generator.responses.subschema_for::<HoldPreview>().to_value(),
        )
    };
    let release = ConsoleOperation {
        parameters: of_toggle,
        failures: &["403", "404"],
        ..operation(
            "deleteHoldsName",
            "Release the holds of a toggle",
            "Requires the permission UPDATE_FEATURE. Without an environment, all holds of the toggle end.",
            generator.responses.subschema_for::<ReleasedHolds>().to_value(),
        )
    };
    let items = [
        ("/-/holds", json!({ "get": list.to_json(), "post": create.to_json() })),
        ("/-/holds/{name}", json!({ "get": preview.to_json(), "delete": release.to_json() })),
    ];
    items.into_iter().map(|(path, item)| (path.to_owned(), item)).collect()
}
