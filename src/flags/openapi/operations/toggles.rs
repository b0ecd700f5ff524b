//! Operations for toggles, active and archived.

use serde_json::json;

use super::super::operation::{Operation, delete, get, post, put};
use crate::flags::auth::Permission::{CreateFeature, DeleteFeature, UpdateFeature};
use crate::flags::model::{ArchiveResponse, FeaturesResponse, Tag, TagsResponse, Toggle};
use crate::flags::validation::limits::MAX_FILTER_VALUES;

pub(super) fn operations() -> Vec<Operation> {
    let texts = json!({ "type": "array", "maxItems": MAX_FILTER_VALUES, "items": { "type": "string" } });
    let tags = json!({ "type": "array", "maxItems": MAX_FILTER_VALUES, "items": { "type": "string", "pattern": ":" } });
    vec![
        get("/api/admin/features", "List active toggles")
            .query("tag", "Only toggles with any of these tags, each as type:value", &tags)
            .query("project", "Only toggles of these projects", &texts)
            .query("namePrefix", "Only toggles whose name starts with this text", &json!({ "type": "string" }))
            .returns::<FeaturesResponse>(200)
            .fails_with(&[400]),
        post("/api/admin/features", "Create a toggle")
            .requires(CreateFeature)
            .with_body("NewToggle")
            .returns::<Toggle>(201)
            .fails_with(&[409]),
        post("/api/admin/features/validate", "Check that a toggle name is valid and free")
            .requires(CreateFeature)
            .with_body("NameCheck")
            .returns_empty(200)
            .fails_with(&[409]),
        get("/api/admin/features/{name}", "Get an active toggle").returns::<Toggle>(200).fails_with(&[404]),
        put("/api/admin/features/{name}", "Replace a toggle")
            .requires(UpdateFeature)
            .with_body("ReplacedToggle")
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/api/admin/features/{name}", "Archive a toggle")
            .requires(DeleteFeature)
            .returns_empty(200)
            .fails_with(&[404]),
        switch("/api/admin/features/{name}/toggle/on", "Switch a toggle on"),
        switch("/api/admin/features/{name}/toggle/off", "Switch a toggle off"),
        switch("/api/admin/features/{name}/stale/on", "Mark a toggle as stale"),
        switch("/api/admin/features/{name}/stale/off", "Mark a toggle as active"),
        get("/api/admin/features/{name}/tags", "List tags of a toggle")
            .returns::<TagsResponse>(200)
            .fails_with(&[404]),
        post("/api/admin/features/{name}/tags", "Add a tag to a toggle (at most 200)")
            .requires(UpdateFeature)
            .with_body("NewTag")
            .returns::<Tag>(201)
            .fails_with(&[404, 409]),
        delete("/api/admin/features/{name}/tags/{type}/{value}", "Remove a tag from a toggle")
            .requires(UpdateFeature)
            .returns_empty(200),
        get("/api/admin/archive/features", "List archived toggles").returns::<ArchiveResponse>(200),
        post("/api/admin/archive/revive/{name}", "Revive an archived toggle; it is off")
            .note(
                "Returns 404 if the archive has no toggle with this name, as Unleash 4 does; Unleash 3 returns 200 and \
                 changes nothing.",
            )
            .requires(UpdateFeature)
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}

fn switch(path: &'static str, summary: &'static str) -> Operation {
    post(path, summary).requires(UpdateFeature).returns::<Toggle>(200).fails_with(&[404])
}
