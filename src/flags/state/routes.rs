//! Endpoints of the export and the import.

use serde_json::json;

use super::handlers;
use super::rules::ImportedState;
use crate::api::state::{ImportSummary, State};
use crate::flags::auth::Permission::Admin;
use crate::flags::endpoint::{Endpoint, get_with, post};
use crate::flags::media_type::IMPORT_PATH;

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    let flag = || json!({ "type": "boolean", "default": true });
    let off = || json!({ "type": "boolean", "default": false });
    vec![
        get_with("/state/export", Admin, handlers::export)
            .summary("Export toggles, strategies, projects and tags")
            .note("The format is the same as in Unleash 3.x and in the command flagdeck export.")
            .query("format", "Format of the response", || json!({ "enum": ["json", "yaml"], "default": "json" }))
            .query("download", "Lets browsers save the response as a file", off)
            .query("featureToggles", "Include toggles and segments", flag)
            .query("strategies", "Include strategy definitions", flag)
            .query("projects", "Include projects", flag)
            .query("tags", "Include tag types, tags, and the tags of toggles", flag)
            .returns::<State>(200)
            .or_as("text/yaml")
            .fails_with(&[400]),
        post(IMPORT_PATH, Admin, handlers::import)
            .summary("Import an exported state, completely or not at all")
            .note(
                "The body is JSON or YAML (application/yaml), or a form (multipart/form-data) with the file in the field \
                 \"file\", whose name ends in .yml or .yaml if it contains YAML.",
            )
            .query("drop", "First delete all items of each section in the file", off)
            .query("keep", "Do not change existing items", off)
            .query(
                "environment",
                "Environment whose state is imported, for an export of Unleash 4 or 5 with several",
                || json!({ "type": "string" }),
            )
            .body::<ImportedState>()
            .returns::<ImportSummary>(202)
            .fails_with(&[400]),
    ]
}
