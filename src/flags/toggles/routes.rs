//! Endpoints of toggles: active and archived toggles, and toggle types.

use super::{archive, handlers};
use crate::api::{ArchiveResponse, FeatureTypesResponse, FeaturesResponse, Toggle, ToggleDraft};
use crate::flags::auth::Permission::{CreateFeature, DeleteFeature, UpdateFeature};
use crate::flags::endpoint::{Endpoint, delete, get, post, post_only, put};
use crate::flags::validation::NameCheck;

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    [toggles(), switches(), archived_toggles(), toggle_types()].into_iter().flatten().collect()
}

fn toggles() -> Vec<Endpoint> {
    vec![
        get("/features", handlers::list)
            .summary("List active toggles")
            .toggle_filter()
            .returns::<FeaturesResponse>(200)
            .fails_with(&[400]),
        post("/features", CreateFeature, handlers::create)
            .summary("Create a toggle")
            .tagged()
            .body::<ToggleDraft>()
            .returns::<Toggle>(201)
            .fails_with(&[409]),
        post_only("/features/validate", CreateFeature, handlers::validate)
            .summary("Check that a toggle name is valid and free")
            .body::<NameCheck>()
            .returns_empty(200)
            .fails_with(&[409]),
        get("/features/{name}", handlers::show)
            .summary("Get an active toggle")
            .tagged()
            .returns::<Toggle>(200)
            .fails_with(&[404]),
        put("/features/{name}", UpdateFeature, handlers::replace)
            .summary("Replace a toggle")
            .conditional()
            .replacement::<ToggleDraft>()
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/features/{name}", DeleteFeature, handlers::archive)
            .summary("Archive a toggle on which no other toggle depends")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404, 409]),
    ]
}

fn switches() -> Vec<Endpoint> {
    vec![
        post("/features/{name}/toggle", UpdateFeature, handlers::flip)
            .summary("Switch a toggle off if it is on, otherwise on"),
        post("/features/{name}/toggle/on", UpdateFeature, handlers::toggle_on).summary("Switch a toggle on"),
        post("/features/{name}/toggle/off", UpdateFeature, handlers::toggle_off)
            .summary("Switch a toggle off"),
        post("/features/{name}/stale/on", UpdateFeature, handlers::stale_on)
            .summary("Mark a toggle as stale"),
        post("/features/{name}/stale/off", UpdateFeature, handlers::stale_off)
            .summary("Mark a toggle as active"),
    ]
    .into_iter()
    .map(|switch| switch.conditional().tagged().returns::<Toggle>(200).fails_with(&[404]))
    .collect()
}

fn archived_toggles() -> Vec<Endpoint> {
    vec![
        get("/archive/features", archive::list).summary("List archived toggles").returns::<ArchiveResponse>(200),
        post("/archive/revive/{name}", UpdateFeature, archive::revive)
            .summary("Revive an archived toggle; it is off")
            .note(
                "Returns 404 if the archive has no toggle with this name, as Unleash 4 does; Unleash 3 returns 200 and \
                 changes nothing. Returns 409 if the toggle may not depend on its parents any more, such as an archived \
                 parent.",
            )
            .returns_empty(200)
            .fails_with(&[404, 409]),
    ]
}

fn toggle_types() -> Vec<Endpoint> {
    vec![
        get("/feature-types", handlers::list_types)
            .summary("List toggle types")
            .returns::<FeatureTypesResponse>(200),
    ]
}
