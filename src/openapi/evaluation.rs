//! Describes `POST /-/evaluate`, which is not an endpoint of the flag service alone.

use serde_json::{Value, json};

use super::operation::error_reference;
use crate::evaluation::request::{
    EvaluateResponse, MAX_CONTEXTS, MAX_EVALUATIONS, MAX_EXPLANATIONS, MAX_TIME, MAX_TOGGLES,
};
use crate::flags::schema::{Components, Generator, RequestBody};

/// The path of the endpoint.
pub(super) const PATH: &str = "/-/evaluate";

enum Evaluation {}

enum EvaluatedToggle {}

enum EvaluatedSegment {}

enum EvaluatedConstraint {}

enum EvaluatedVariant {}

/// Returns the operations of the path.
pub(super) fn path_item(generator: &mut Generator) -> Value {
    let failures = ["400", "408", "413", "415", "5XX"];
    let mut responses: serde_json::Map<_, _> = failures
        .map(|status| (status.to_owned(), error_reference(&format!("Failure{status}"))))
        .into_iter()
        .chain([("401".to_owned(), error_reference("SignIn"))])
        .collect();
    let response = generator.responses.subschema_for::<EvaluateResponse>().to_value();
    let request = generator.requests.reference::<Evaluation>();
    let content = json!({ "application/json": { "schema": response } });
    responses.insert("200".to_owned(), json!({ "description": "Success.", "content": content }));
    json!({ "post": {
        "operationId": "postEvaluate",
        "tags": ["evaluation"],
        "summary": "Evaluate toggles for contexts, with reasons",
        "description": format!(
            "Changes nothing, and also works with --read-only. At most {MAX_EVALUATIONS} evaluations (contexts × \
             toggles, twice with `compare`), {MAX_EXPLANATIONS} with reasons, and {} seconds. With an upstream that \
             requires sign-in, a session of it is necessary.",
            MAX_TIME.as_secs(),
        ),
        "parameters": [],
        "security": [{}, { "session": [] }],
        "requestBody": {
            "required": true, "content": { "application/json": { "schema": request } },
        },
        "responses": responses,
    }})
}

impl RequestBody for Evaluation {
    const NAME: &'static str = "Evaluation";

    fn schema(components: &mut Components) -> Value {
        let mut toggles = |description: &str| {
            let mut list = components.list_or_null::<EvaluatedToggle>(MAX_TOGGLES);
            list["description"] = description.into();
            list
        };
        json!({
            "type": "object",
            "required": ["contexts"],
            "properties": {
                "toggles": toggles("Toggles as servers send them. Default: the toggles of this service."),
                "compare": toggles("Edited versions of toggles, to compare with."),
                "names": {
                    "type": ["array", "null"], "items": { "type": "string" },
                    "description": "Names of the toggles to evaluate. Default: all.",
                },
                "segments": components.list_or_null::<EvaluatedSegment>(MAX_TOGGLES),
                "contexts": {
                    "type": "array", "minItems": 1, "maxItems": MAX_CONTEXTS,
                    "items": {
                        "type": "object",
                        "properties": { "properties": { "type": "object", "additionalProperties": value() } },
                        "additionalProperties": value(),
                    },
                    "description": "Fields by name, also in `properties`. Without `currentTime`, the current time.",
                },
                "detail": {
                    "enum": ["counts", "results", "reasons"], "default": "results",
                    "description": "Extent of the response.",
                },
                "variantSeed": {
                    "type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX, "default": null,
                    "description": "Seed of the variant hash; 0 for client libraries from before October 2023.",
                },
            },
            "examples": [{
                "toggles": [{
                    "name": "shop.pay", "enabled": true,
                    "strategies": [{ "name": "userWithId", "parameters": { "userIds": "7,8" } }],
                }],
                "contexts": [{ "userId": "7" }],
                "detail": "reasons",
            }],
        })
    }
}

/// Value of a context field or parameter.
fn value() -> Value {
    json!({ "description": "A text, number or boolean; other values are ignored." })
}

impl RequestBody for EvaluatedToggle {
    const NAME: &'static str = "EvaluatedToggle";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": { "type": "string" },
                "enabled": { "type": ["boolean", "null"] },
                "strategies": {
                    "type": ["array", "null"],
                    "items": {
                        "type": "object",
                        "required": ["name"],
                        "properties": {
                            "name": { "type": "string" },
                            "disabled": { "type": ["boolean", "null"] },
                            "parameters": { "type": ["object", "null"], "additionalProperties": value() },
                            "constraints": list::<EvaluatedConstraint>(components),
                            "segments": { "type": ["array", "null"], "items": { "type": "integer" } },
                            "variants": list::<EvaluatedVariant>(components),
                        },
                    },
                },
                "variants": list::<EvaluatedVariant>(components),
                "dependencies": {
                    "type": ["array", "null"],
                    "items": {
                        "type": "object",
                        "properties": {
                            "feature": { "type": "string" },
                            "enabled": { "type": ["boolean", "null"] },
                            "variants": { "type": ["array", "null"], "items": { "type": "string" } },
                        },
                    },
                },
            },
        })
    }
}

/// Returns the schema of a list that the size of the body limits.
fn list<B: RequestBody>(components: &mut Components) -> Value {
    json!({ "type": ["array", "null"], "items": components.reference::<B>() })
}

impl RequestBody for EvaluatedSegment {
    const NAME: &'static str = "EvaluatedSegment";

    fn schema(components: &mut Components) -> Value {
        json!({
            "type": "object",
            "required": ["id"],
            "properties": { "id": { "type": "integer" }, "constraints": list::<EvaluatedConstraint>(components) },
        })
    }
}

impl RequestBody for EvaluatedConstraint {
    const NAME: &'static str = "EvaluatedConstraint";

    fn schema(_: &mut Components) -> Value {
        json!({
            "type": "object",
            "properties": {
                "contextName": { "type": "string" },
                "operator": { "type": "string" },
                "inverted": { "type": ["boolean", "null"] },
                "caseInsensitive": { "type": ["boolean", "null"] },
                "values": { "type": ["array", "null"], "items": { "type": "string" } },
                "value": { "type": ["string", "null"] },
            },
        })
    }
}

impl RequestBody for EvaluatedVariant {
    const NAME: &'static str = "EvaluatedVariant";

    fn schema(_: &mut Components) -> Value {
        let text = json!({ "type": "string" });
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": text,
                "weight": { "type": ["number", "null"] },
                "stickiness": { "type": ["string", "null"] },
                "payload": { "type": ["object", "null"], "properties": { "type": text, "value": text } },
                "overrides": {
                    "type": ["array", "null"],
                    "items": {
                        "type": "object",
                        "properties": { "contextName": text, "values": { "type": "array", "items": text } },
                    },
                },
            },
        })
    }
}
