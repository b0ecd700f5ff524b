//! Describes `POST /-/evaluate`, which is not an endpoint of the flag service alone.

use serde_json::{Value, json};

use super::operation::error_reference;
use crate::evaluation::request::{EvaluateRequest, MAX_EVALUATIONS, MAX_EXPLANATIONS, MAX_TIME};
use crate::flags::endpoint::schema::Generator;
use crate::recorder::reader::RecordedEvaluation;

/// The path of the endpoint.
pub(super) const PATH: &str = "/-/evaluate";

/// Returns the operations of the path.
pub(super) fn path_item(generator: &mut Generator) -> Value {
    let failures = ["400", "404", "408", "413", "415", "5XX"];
    let mut responses: serde_json::Map<_, _> = failures
        .map(|status| (status.to_owned(), error_reference(&format!("Failure{status}"))))
        .into_iter()
        .chain([("401".to_owned(), error_reference("SignIn"))])
        .collect();
    let response = generator.responses.subschema_for::<RecordedEvaluation>().to_value();
    let request = generator.parsed_requests.subschema_for::<EvaluateRequest>().to_value();
    let content = json!({ "application/json": { "schema": response } });
    responses.insert("200".to_owned(), json!({ "description": "Success.", "content": content }));
    json!({ "post": {
        "operationId": "postEvaluate",
        "tags": ["evaluation"],
        "summary": "Evaluate toggles for contexts, with reasons",
        "description": format!(
            "Changes nothing, and also works with --read-only. At most {MAX_EVALUATIONS} evaluations (contexts × \
             toggles, twice with `compare`), {MAX_EXPLANATIONS} with reasons, and {} seconds. With an upstream that \
             requires sign-in, a session of it is necessary. With `at`, the toggles come from the flight recorder \
             (`GET /-/state`).",
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
