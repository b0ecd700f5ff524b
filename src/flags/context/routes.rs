//! Endpoints of context fields.

use super::handlers;
use crate::api::ContextField;
use crate::flags::auth::Permission::{CreateContextField, DeleteContextField, UpdateContextField};
use crate::flags::endpoint::{Endpoint, delete, get, post, post_only, put};
use crate::flags::validation::NameCheck;

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/context", handlers::list)
            .summary("List context fields by sort order")
            .returns::<Vec<ContextField>>(200),
        post("/context", CreateContextField, handlers::create)
            .summary("Create a context field")
            .body::<ContextField>()
            .returns_empty(201)
            .fails_with(&[409]),
        post_only("/context/validate", CreateContextField, handlers::validate)
            .summary("Check that a context field name is valid and free")
            .body::<NameCheck>()
            .returns_empty(200)
            .fails_with(&[409]),
        get("/context/{name}", handlers::show)
            .summary("Get a context field")
            .tagged()
            .returns::<ContextField>(200)
            .fails_with(&[404]),
        put("/context/{name}", UpdateContextField, handlers::replace)
            .summary("Replace a context field")
            .conditional()
            .replacement::<ContextField>()
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/context/{name}", DeleteContextField, handlers::delete)
            .summary("Delete a context field")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}
