//! Request bodies of client libraries.

use serde_json::{Value, json};

use crate::api::limits::{MAX_CLIENT_NAME_LENGTH, MAX_COUNT, MAX_REPORTED_TOGGLES};
use crate::flags::schema::{Components, RequestBody};
use crate::flags::usage::report::MAX_APPLICATION_STRATEGIES;

/// The registration of an application instance.
pub(crate) enum Registration {}

/// The evaluation counts of an instance.
pub(crate) enum Report {}

/// Registrations and evaluation counts of several applications.
pub(in crate::flags) enum BulkReport {}

impl RequestBody for BulkReport {
    const NAME: &'static str = "BulkReport";

    fn schema(components: &mut Components) -> Value {
        let count = json!({ "type": "integer", "minimum": 0, "maximum": MAX_COUNT, "default": 0 });
        let counts = json!({
            "type": "object",
            "required": ["appName", "featureName"],
            "properties": { "appName": name(), "featureName": { "type": "string", "minLength": 1 }, "yes": count, "no": count },
        });
        let mut application = Registration::schema(components);
        if let Some(fields) = application.as_object_mut() {
            fields.remove("examples");
        }
        json!({
            "type": "object",
            "required": ["applications", "metrics"],
            "properties": {
                "applications": { "type": "array", "maxItems": MAX_REPORTED_TOGGLES, "items": application },
                "metrics": { "type": "array", "maxItems": MAX_REPORTED_TOGGLES, "items": counts },
            },
            "examples": [{
                "applications": [{ "appName": "shop", "instanceId": "1" }],
                "metrics": [{ "appName": "shop", "featureName": "checkout.express", "yes": 3, "no": 1 }],
            }],
        })
    }
}

impl RequestBody for Registration {
    const NAME: &'static str = "Registration";

    fn schema(_: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["appName", "instanceId"],
            "properties": {
                "appName": name(), "instanceId": name(),
                "sdkVersion": { "type": ["string", "null"], "maxLength": MAX_CLIENT_NAME_LENGTH },
                "strategies": { "type": "array", "maxItems": MAX_APPLICATION_STRATEGIES, "items": name() },
            },
            "examples": [{ "appName": "shop", "instanceId": "1", "sdkVersion": "x:1", "strategies": ["default"] }],
        })
    }
}

impl RequestBody for Report {
    const NAME: &'static str = "Report";

    fn schema(_: &mut Components) -> Value {
        let count = json!({ "type": "integer", "minimum": 0, "maximum": MAX_COUNT, "default": 0 });
        let toggles = json!({
            "type": "object",
            "maxProperties": MAX_REPORTED_TOGGLES,
            "additionalProperties": { "type": "object", "properties": { "yes": count, "no": count } },
        });
        json!({
            "type": "object",
            "required": ["appName", "instanceId", "bucket"],
            "properties": {
                "appName": name(),
                "instanceId": name(),
                "bucket": { "type": "object", "properties": { "toggles": toggles } },
            },
            "examples": [{
                "appName": "shop", "instanceId": "1",
                "bucket": { "toggles": { "checkout.express": { "yes": 3, "no": 1 } } },
            }],
        })
    }
}

/// Returns the schema of a name that an application chooses.
fn name() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": MAX_CLIENT_NAME_LENGTH })
}
