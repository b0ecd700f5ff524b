//! Describes the APIs that evaluate toggles for browsers and OpenFeature clients, which are not endpoints of the flag
//! service.

use serde_json::{Map, Value, json};

use super::operation::{error_reference, events};
use crate::evaluation::request::MAX_VALUE_LENGTH;
use crate::flags::usage::report::{Registration, UsageReport};
use crate::flags::validation::description::Components;
use crate::sdk::MAX_FIELDS;

/// An operation: its method, its id, its summary, and the names of its parameters.
struct Operation {
    method: &'static str,
    id: String,
    summary: &'static str,
    /// Whether requests without a token are allowed while there are no client tokens.
    allows_no_token: bool,
    parameters: Value,
    body: Option<Value>,
    responses: Vec<(&'static str, Value)>,
}

/// Returns the paths with their operations.
pub(super) fn path_items(components: &Components) -> Map<String, Value> {
    let (metrics, registration) =
        (components.reference::<UsageReport>(), components.reference::<Registration>());
    let items = [
        ("/api/frontend", frontend_all(components)),
        ("/api/frontend/features/{name}", frontend_one(components)),
        (
            "/api/frontend/client/metrics",
            vec![report("postFrontendMetrics", "Report evaluation counts of a browser or phone", metrics)],
        ),
        (
            "/api/frontend/client/register",
            vec![report("postFrontendRegister", "Register a browser or phone", registration)],
        ),
        ("/ofrep/v1/evaluate/flags", vec![ofrep_all(components)]),
        ("/ofrep/v1/evaluate/flags/{key}", vec![ofrep_one(components)]),
        ("/ofrep/v1/events", vec![ofrep_events()]),
    ];
    let to_json = |operations: Vec<Operation>| {
        operations.into_iter().map(|operation| (operation.method.to_owned(), operation.into_json())).collect()
    };
    items
        .into_iter()
        .map(|(path, operations)| (path.to_owned(), Value::Object(to_json(operations))))
        .collect()
}

fn frontend_all(components: &Components) -> Vec<Operation> {
    let toggle = components.add("FrontendToggle", frontend_toggle());
    let toggles = json!({
        "type": "object", "required": ["toggles"],
        "properties": { "toggles": { "type": "array", "items": toggle } },
    });
    let summary = "Evaluate all toggles that the frontend token can see, and return those that are on";
    ["get", "post"].map(|method| frontend(method, "Frontend", summary, &[], &toggles, components)).into()
}

fn frontend_one(components: &Components) -> Vec<Operation> {
    let toggle = components.add("FrontendToggle", frontend_toggle());
    let summary = "Evaluate a toggle that the frontend token can see";
    let name = [path_parameter("name")];
    let operations = ["get", "post"]
        .map(|method| frontend(method, "FrontendFeature", summary, &name, &toggle, components));
    let with_not_found = |mut operation: Operation| {
        operation.responses.push(("404", error_reference("Failure404")));
        operation
    };
    operations.map(with_not_found).into()
}

/// Returns an operation of the browser API. The context is in the query or in the body.
fn frontend(
    method: &'static str,
    name: &str,
    summary: &'static str,
    in_path: &[Value],
    response: &Value,
    components: &Components,
) -> Operation {
    let in_query = [context_parameter("userId"), context_parameter("sessionId"), properties_parameter()];
    let in_query = if method == "get" { &in_query[..] } else { &[] };
    Operation {
        method,
        id: format!("{method}{name}"),
        summary,
        allows_no_token: false,
        parameters: [in_path, in_query].concat().into(),
        body: (method == "post").then(|| components.add("FrontendContext", frontend_context())),
        responses: vec![("200", success(response)), ("304", json!({ "description": "Not modified." }))],
    }
}

fn report(id: &str, summary: &'static str, body: Value) -> Operation {
    Operation {
        method: "post",
        id: id.to_owned(),
        summary,
        allows_no_token: false,
        parameters: json!([]),
        body: Some(body),
        responses: vec![("202", json!({ "description": "Success." }))],
    }
}

fn ofrep_all(components: &Components) -> Operation {
    let flags = json!({
        "type": "object", "required": ["flags"],
        "properties": {
            "flags": { "type": "array", "items": components.add("OfrepFlag", ofrep_flag()) },
            "metadata": { "type": "object" },
            "eventStreams": {
                "type": "array",
                "items": {
                    "type": "object", "required": ["type", "endpoint"],
                    "properties": {
                        "type": { "const": "sse" },
                        "endpoint": {
                            "type": "object", "required": ["requestUri"],
                            "properties": { "requestUri": { "type": "string" } },
                        },
                        "inactivityDelaySec": { "type": "integer" },
                    },
                },
            },
        },
    });
    Operation {
        method: "post",
        id: "postOfrepFlags".to_owned(),
        summary: "Evaluate all flags that the token can see (OpenFeature); never counts as usage",
        allows_no_token: true,
        parameters: json!([]),
        body: Some(components.add("OfrepRequest", ofrep_request())),
        responses: vec![
            ("200", success(&flags)),
            ("304", json!({ "description": "Not modified." })),
            ("400", failure(components, "The body is not JSON, or the context is not valid.")),
        ],
    }
}

fn ofrep_events() -> Operation {
    let id = json!({
        "name": "id", "in": "query", "required": true, "schema": { "type": "string", "minLength": 1 },
        "description": "Id from `eventStreams` of an evaluation. It expires after 12 to 24 hours.",
    });
    Operation {
        method: "get",
        id: "getOfrepEvents".to_owned(),
        summary: "Receive an event when the results of flags may have changed (OpenFeature)",
        allows_no_token: true,
        parameters: json!([id]),
        body: None,
        responses: vec![("200", json!({ "description": "Success.", "content": events() }))],
    }
}

fn ofrep_one(components: &Components) -> Operation {
    Operation {
        method: "post",
        id: "postOfrepFlag".to_owned(),
        summary: "Evaluate a flag (OpenFeature): the name of a toggle, also with `:enabled` or `:variant`",
        allows_no_token: true,
        parameters: json!([path_parameter("key")]),
        body: Some(components.add("OfrepRequest", ofrep_request())),
        responses: vec![
            ("200", success(&components.add("OfrepFlag", ofrep_flag()))),
            ("304", json!({ "description": "Not modified." })),
            ("400", failure(components, "The body is not JSON, or the context is not valid.")),
            ("404", failure(components, "The toggle does not exist, or the token cannot see it.")),
        ],
    }
}

impl Operation {
    fn into_json(self) -> Value {
        let Self { id, summary, allows_no_token, parameters, body, responses, .. } = self;
        let failures = ["400", "401", "403", "408", "413", "429", "431", "5XX"];
        let mut all: Map<String, Value> = failures
            .map(|status| (status.to_owned(), error_reference(&format!("Failure{status}"))))
            .into_iter()
            .collect();
        all.extend(responses.into_iter().map(|(status, response)| (status.to_owned(), response)));
        let security = if allows_no_token { json!([{}, { "token": [] }]) } else { json!([{ "token": [] }]) };
        let mut operation = json!({
            "operationId": id, "tags": ["sdk"], "summary": summary, "parameters": parameters,
            "security": security, "responses": all,
        });
        if let Some(schema) = body {
            let content = json!({ "application/json": { "schema": schema } });
            operation["requestBody"] = json!({ "required": true, "content": content });
        }
        operation
    }
}

fn success(schema: &Value) -> Value {
    json!({ "description": "Success.", "content": { "application/json": { "schema": schema } } })
}

fn failure(components: &Components, description: &str) -> Value {
    let schema = components.add("OfrepFailure", ofrep_failure());
    json!({ "description": description, "content": { "application/json": { "schema": schema } } })
}

fn path_parameter(name: &str) -> Value {
    json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
}

fn context_parameter(name: &str) -> Value {
    json!({ "name": name, "in": "query", "required": false, "schema": value(), "description": "Context field." })
}

fn properties_parameter() -> Value {
    json!({
        "name": "properties", "in": "query", "required": false, "style": "deepObject", "explode": true,
        "description": "Other context fields, such as `properties[region]=eu`.",
        "schema": { "type": "object", "additionalProperties": value() },
    })
}

/// Returns the schema of the value of a context field.
fn value() -> Value {
    json!({ "type": "string", "maxLength": MAX_VALUE_LENGTH })
}

/// Returns the schema of a value of a context in JSON.
fn any_value() -> Value {
    json!({
        "description": "A text, number or boolean; other values are ignored.",
        "maxLength": MAX_VALUE_LENGTH,
    })
}

fn frontend_context() -> Value {
    json!({
        "type": "object",
        "description": "Context fields, or an object with the context in `context`.",
        "maxProperties": MAX_FIELDS,
        "properties": { "properties": { "type": "object", "additionalProperties": any_value() } },
        "additionalProperties": any_value(),
        "examples": [{ "context": { "userId": "7", "properties": { "region": "eu" } } }],
    })
}

fn ofrep_request() -> Value {
    json!({
        "type": "object",
        "properties": {
            "context": {
                "type": ["object", "null"],
                "maxProperties": MAX_FIELDS,
                "properties": { "targetingKey": any_value() },
                "additionalProperties": any_value(),
                "description": "Context fields. The targeting key is also the user id.",
            },
        },
        "examples": [{ "context": { "targetingKey": "7", "region": "eu" } }],
    })
}

fn frontend_toggle() -> Value {
    let (text, boolean) = (json!({ "type": "string" }), json!({ "type": "boolean" }));
    json!({
        "type": "object",
        "required": ["name", "enabled", "impressionData", "variant"],
        "properties": {
            "name": text, "enabled": boolean, "impressionData": boolean,
            "variant": {
                "type": "object",
                "required": ["name", "enabled", "feature_enabled", "featureEnabled"],
                "properties": {
                    "name": text, "enabled": boolean, "feature_enabled": boolean, "featureEnabled": boolean,
                    "payload": {
                        "type": "object", "required": ["type", "value"],
                        "properties": { "type": text, "value": text },
                    },
                },
            },
        },
    })
}

fn ofrep_flag() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "type": "object",
        "required": ["key", "value", "reason", "variant", "metadata"],
        "properties": {
            "key": text,
            "value": {
                "type": ["boolean", "string", "number", "object", "array"],
                "additionalProperties": true, "items": {},
            },
            "reason": { "enum": ["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED", "UNKNOWN"] },
            "variant": text,
            "metadata": {
                "type": "object",
                "properties": { "type": text, "impressionData": { "type": "boolean" } },
            },
        },
    })
}

fn ofrep_failure() -> Value {
    json!({
        "type": "object",
        "required": ["errorCode"],
        "properties": {
            "key": { "type": "string" },
            "errorCode": { "enum": ["PARSE_ERROR", "INVALID_CONTEXT", "FLAG_NOT_FOUND"] },
            "errorDetails": { "type": "string" },
        },
    })
}
