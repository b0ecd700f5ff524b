//! Endpoints of addons.

use super::handlers;
use crate::api::{Addon, AddonDraft, AddonsResponse};
use crate::flags::auth::Permission::{CreateAddon, DeleteAddon, UpdateAddon};
use crate::flags::endpoint::{Endpoint, delete, get, post, put};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/addons", handlers::list).summary("List addons and providers").returns::<AddonsResponse>(200),
        post("/addons", CreateAddon, handlers::create)
            .summary("Create an addon")
            .tagged()
            .body::<AddonDraft>()
            .returns::<Addon>(201),
        get("/addons/{id}", handlers::show)
            .summary("Get an addon")
            .tagged()
            .returns::<Addon>(200)
            .fails_with(&[404]),
        put("/addons/{id}", UpdateAddon, handlers::replace)
            .summary("Replace an addon; secrets of five asterisks keep their value")
            .conditional()
            .body::<AddonDraft>()
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/addons/{id}", DeleteAddon, handlers::delete)
            .summary("Delete an addon and its pending deliveries")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}
