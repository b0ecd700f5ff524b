//! The toggles, in use and archived.

use serde_json::json;

use super::super::operation::{Operation, delete, get, post, put};
use crate::flags::auth::Permission::{CreateFeature, DeleteFeature, UpdateFeature};
use crate::flags::model::{ArchiveAnswer, FeaturesAnswer, Tag, TagsAnswer, Toggle};
use crate::flags::rules::limits::MAX_FILTER_VALUES;

pub(super) fn operations() -> Vec<Operation> {
    let texts = json!({ "type": "array", "maxItems": MAX_FILTER_VALUES, "items": { "type": "string" } });
    let tags = json!({ "type": "array", "maxItems": MAX_FILTER_VALUES, "items": { "type": "string", "pattern": ":" } });
    vec![
        get("/api/admin/features", "The toggles in use")
            .query("tag", "Those with any of these tags, each as type:value", &tags)
            .query("project", "Those of any of these projects", &texts)
            .query("namePrefix", "Those whose name begins so", &json!({ "type": "string" }))
            .answers::<FeaturesAnswer>(200)
            .fails(&[400]),
        post("/api/admin/features", "Create a toggle")
            .needs(CreateFeature)
            .takes("NewToggle")
            .answers::<Toggle>(201)
            .fails(&[409]),
        post("/api/admin/features/validate", "Can a new toggle be called so?")
            .needs(CreateFeature)
            .takes("WantedName")
            .answers_nothing(200)
            .fails(&[409]),
        get("/api/admin/features/{name}", "One toggle in use").answers::<Toggle>(200).fails(&[404]),
        put("/api/admin/features/{name}", "Replace a toggle")
            .needs(UpdateFeature)
            .takes("ReplacedToggle")
            .answers_nothing(200)
            .fails(&[404]),
        delete("/api/admin/features/{name}", "Archive a toggle")
            .needs(DeleteFeature)
            .answers_nothing(200)
            .fails(&[404]),
        switch("/api/admin/features/{name}/toggle/on", "Switch a toggle on"),
        switch("/api/admin/features/{name}/toggle/off", "Switch a toggle off"),
        switch("/api/admin/features/{name}/stale/on", "Mark a toggle as stale"),
        switch("/api/admin/features/{name}/stale/off", "Mark a toggle as active"),
        get("/api/admin/features/{name}/tags", "The tags of a toggle")
            .answers::<TagsAnswer>(200)
            .fails(&[404]),
        post("/api/admin/features/{name}/tags", "Tag a toggle, which has at most 200 tags")
            .needs(UpdateFeature)
            .takes("NewTag")
            .answers::<Tag>(201)
            .fails(&[404, 409]),
        delete("/api/admin/features/{name}/tags/{type}/{value}", "Take a tag off a toggle")
            .needs(UpdateFeature)
            .answers_nothing(200),
        get("/api/admin/archive/features", "The archived toggles").answers::<ArchiveAnswer>(200),
        post("/api/admin/archive/revive/{name}", "Bring a toggle back from the archive, switched off")
            .remark(
                "Returns 404 if the archive has no toggle with this name, as Unleash 4 does; Unleash 3 returns 200 and \
                 changes nothing.",
            )
            .needs(UpdateFeature)
            .answers_nothing(200)
            .fails(&[404]),
    ]
}

fn switch(path: &'static str, summary: &'static str) -> Operation {
    post(path, summary).needs(UpdateFeature).answers::<Toggle>(200).fails(&[404])
}
