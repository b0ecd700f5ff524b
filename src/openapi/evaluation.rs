//! Describes `POST /-/evaluate`, which is not an endpoint of the flag service alone.

use serde_json::{Value, json};

use super::operation::ConsoleOperation;
use crate::api::past::RecordedEvaluation;
use crate::evaluation::request::{EvaluateRequest, MAX_EVALUATIONS, MAX_EXPLANATIONS, MAX_TIME};
use crate::flags::endpoint::schema::Generator;

/// The path of the endpoint.
pub(super) const PATH: &str = "/-/evaluate";

/// Returns the operations of the path.
pub(super) fn path_item(generator: &mut Generator) -> Value {
    let operation = ConsoleOperation {
        tag: "evaluation",
        id: "postEvaluate",
        summary: "Evaluate toggles for contexts, with reasons",
        description: format!(
            "Changes nothing, and also works with --read-only. At most {MAX_EVALUATIONS} evaluations (contexts × \
             toggles, twice with `compare`), {MAX_EXPLANATIONS} with reasons, and {} seconds. With an upstream that \
             requires sign-in, a session of it is necessary. With `at`, the toggles come from the flight recorder \
             (`GET /-/state`).",
            MAX_TIME.as_secs(),
        ),
        parameters: json!([]),
        body: Some(generator.parsed_requests.subschema_for::<EvaluateRequest>().to_value()),
        response: ("200", generator.responses.subschema_for::<RecordedEvaluation>().to_value()),
        failures: &["400", "404", "408", "413", "415"],
    };
    json!({ "post": operation.to_json() })
}
