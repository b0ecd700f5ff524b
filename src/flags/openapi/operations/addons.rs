//! Operations for addons.

use super::super::operation::{Operation, delete, get, post, put};
use crate::flags::auth::Permission::{CreateAddon, DeleteAddon, UpdateAddon};
use crate::flags::model::{Addon, AddonsResponse};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/admin/addons", "List addons and providers").returns::<AddonsResponse>(200),
        post("/api/admin/addons", "Create an addon")
            .requires(CreateAddon)
            .with_body("NewAddon")
            .returns::<Addon>(201),
        get("/api/admin/addons/{id}", "Get an addon").returns::<Addon>(200).fails_with(&[404]),
        put("/api/admin/addons/{id}", "Replace an addon; secrets of five asterisks keep their value")
            .requires(UpdateAddon)
            .with_body("NewAddon")
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/api/admin/addons/{id}", "Delete an addon and its pending deliveries")
            .requires(DeleteAddon)
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}
