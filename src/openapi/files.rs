//! Describes the requests for files and plans, which are not endpoints of the flag service alone.

use serde_json::{Map, Value, json};

use super::operation::{ConsoleOperation, console_read};
use crate::api::{FileRequest, FileResponse, PlanRequest, PlanReview};
use crate::flags::endpoint::schema::Generator;

/// Returns the paths with their operations.
pub(super) fn path_items(generator: &mut Generator) -> Map<String, Value> {
    let review = ConsoleOperation {
        tag: "files",
        id: "postPlans",
        summary: "Plan the changes of files, or compare a plan with the stored toggles",
        description: "Changes nothing, and also works with --read-only. `flagdeck plan` writes plans."
            .to_owned(),
        parameters: json!([]),
        body: Some(generator.parsed_requests.subschema_for::<PlanRequest>().to_value()),
        response: ("200", generator.responses.subschema_for::<PlanReview>().to_value()),
        failures: &["400", "408", "413", "415"],
    };
    let write = ConsoleOperation {
        id: "postFiles",
        summary: "Write toggles as a file",
        description:
            "Changes nothing, and also works with --read-only. `flagdeck pull` writes the same files."
                .to_owned(),
        body: Some(generator.parsed_requests.subschema_for::<FileRequest>().to_value()),
        response: ("200", generator.responses.subschema_for::<FileResponse>().to_value()),
        parameters: json!([]),
        ..review
    };
    let schema = console_read(
        "files",
        "/-/files.schema.json",
        "getFilesSchema",
        "Get the JSON schema of files with toggles",
        "Editors check and complete files with it.".to_owned(),
        &json!([]),
        &json!({ "type": "object" }),
    );
    let post = |operation: &ConsoleOperation<'_>| json!({ "post": operation.to_json() });
    [("/-/plans", &review), ("/-/files", &write)]
        .into_iter()
        .map(|(path, operation)| (path.to_owned(), post(operation)))
        .chain([schema])
        .collect()
}
