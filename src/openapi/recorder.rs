//! Describes the reads of the flight recorder, which are not endpoints of the flag service alone.

use serde_json::{Map, Value, json};

use super::operation::console_read;
use crate::api::past::HeldChanges;
use crate::flags::endpoint::schema::Generator;
use crate::recorder::reader::{MAX_CHANGES, PastState, RecorderStatus};

/// Returns the paths with their operations.
pub(super) fn path_items(generator: &mut Generator) -> Map<String, Value> {
    let status = generator.responses.subschema_for::<RecorderStatus>().to_value();
    let state = generator.responses.subschema_for::<PastState>().to_value();
    let changes = generator.responses.subschema_for::<HeldChanges>().to_value();
    let time = |name: &str, default: &str| {
        json!({
            "name": name, "in": "query", "description": format!("Time in RFC 3339. Default: {default}."),
            "schema": { "type": "string", "format": "date-time" },
        })
    };
    let selection = [("scope", "Identifier or name of a token's toggles."), ("environment", "Environment of the token.")]
        .map(|(name, description)| {
            json!({ "name": name, "in": "query", "description": description, "schema": { "type": "string" } })
        });
    let with_selection = |times: &[Value]| Value::from([times, &selection].concat());
    let items = [
        (
            "/-/recorder",
            "getRecorder",
            "Get the status of the flight recorder",
            "The times and the scopes that can be read.".to_owned(),
            json!([]),
            status,
        ),
        (
            "/-/state",
            "getState",
            "Get the toggles that SDKs got at a time",
            "The format of an export. Without a scope, the token of the only environment that receives most toggles.".to_owned(),
            with_selection(&[time("at", "now")]),
            state,
        ),
        (
            "/-/changes",
            "getChanges",
            "List the toggles that changed between two times",
            format!("At most {MAX_CHANGES} toggles and segments, and 8 MiB of states. A change has an interval: the flag service was changed in \
                     it, and SDKs of this instance got the change at its end or later."),
            with_selection(&[time("from", "an hour before `to`, or the first record"), time("to", "now")]),
            changes,
        ),
    ];
    let describe = |(path, id, summary, description, parameters, schema)| {
        console_read("recorder", path, id, summary, description, &parameters, &schema)
    };
    items.into_iter().map(describe).collect()
}
