//! Endpoints of projects.

use super::handlers;
use super::rules::IdCheck;
use crate::api::{Project, ProjectsResponse};
use crate::flags::auth::Permission::{CreateProject, DeleteProject, UpdateProject};
use crate::flags::endpoint::{Endpoint, delete, get, post, post_only, put};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/projects", handlers::list).summary("List projects").returns::<ProjectsResponse>(200),
        post("/projects", CreateProject, handlers::create)
            .summary("Create a project")
            .tagged()
            .body::<Project>()
            .returns::<Project>(201)
            .fails_with(&[409]),
        post_only("/projects/validate", CreateProject, handlers::validate)
            .summary("Check that a project id is valid and free")
            .body::<IdCheck>()
            .returns_empty(200)
            .fails_with(&[409]),
        get("/projects/{id}", handlers::show)
            .summary("Get a project")
            .tagged()
            .returns::<Project>(200)
            .fails_with(&[404]),
        put("/projects/{id}", UpdateProject, handlers::replace)
            .summary("Replace a project")
            .conditional()
            .replacement::<Project>()
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/projects/{id}", DeleteProject, handlers::delete)
            .summary("Delete a project that has no active toggles")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404, 409]),
    ]
}
