//! What tells other services about changes.

use super::super::operation::{Operation, delete, get, post, put};
use crate::flags::auth::Permission::{CreateAddon, DeleteAddon, UpdateAddon};
use crate::flags::model::{Addon, AddonsAnswer};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/admin/addons", "The addons, and the providers that there are").answers::<AddonsAnswer>(200),
        post("/api/admin/addons", "Create an addon")
            .needs(CreateAddon)
            .takes("NewAddon")
            .answers::<Addon>(201),
        get("/api/admin/addons/{id}", "One addon").answers::<Addon>(200).fails(&[404]),
        put("/api/admin/addons/{id}", "Replace an addon; secrets of five asterisks stay as they are")
            .needs(UpdateAddon)
            .takes("NewAddon")
            .answers_nothing(200)
            .fails(&[404]),
        delete("/api/admin/addons/{id}", "Delete an addon and what was still to be delivered to it")
            .needs(DeleteAddon)
            .answers_nothing(200)
            .fails(&[404]),
    ]
}
