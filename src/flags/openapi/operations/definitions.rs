//! Operations for items that toggles refer to: toggle types, strategies, context fields, tag types, tags and projects.

use super::super::operation::{Operation, delete, get, post, put};
use crate::flags::auth::Permission::{
    CreateContextField, CreateProject, CreateStrategy, CreateTag, CreateTagType, DeleteContextField,
    DeleteProject, DeleteStrategy, DeleteTag, DeleteTagType, UpdateContextField, UpdateProject,
    UpdateStrategy, UpdateTagType,
};
use crate::flags::model::{
    ContextField, FeatureTypesResponse, Project, ProjectsResponse, StrategiesResponse, StrategyDefinition,
    TagType, TagTypeResponse, TagTypesResponse, TagsResponse, ValidTagType,
};

pub(super) fn operations() -> Vec<Operation> {
    let types =
        vec![get("/api/admin/feature-types", "List toggle types").returns::<FeatureTypesResponse>(200)];
    [types, strategies(), context_fields(), tag_types(), tags(), projects()].into_iter().flatten().collect()
}

fn strategies() -> Vec<Operation> {
    vec![
        get("/api/admin/strategies", "List strategy definitions").returns::<StrategiesResponse>(200),
        post("/api/admin/strategies", "Create a strategy definition")
            .requires(CreateStrategy)
            .with_body("NewStrategyDefinition")
            .returns_empty(201)
            .fails_with(&[409]),
        get("/api/admin/strategies/{name}", "Get a strategy definition")
            .returns::<StrategyDefinition>(200)
            .fails_with(&[404]),
        put("/api/admin/strategies/{name}", "Replace a strategy definition that is not built in")
            .requires(UpdateStrategy)
            .with_body("ReplacedStrategyDefinition")
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/api/admin/strategies/{name}", "Delete a strategy definition that is not built in")
            .requires(DeleteStrategy)
            .returns_empty(200)
            .fails_with(&[404]),
        post("/api/admin/strategies/{name}/deprecate", "Deprecate a strategy: do not offer it for new use")
            .requires(UpdateStrategy)
            .returns_empty(200)
            .fails_with(&[404]),
        post("/api/admin/strategies/{name}/reactivate", "Reactivate a deprecated strategy")
            .requires(UpdateStrategy)
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}

fn context_fields() -> Vec<Operation> {
    vec![
        get("/api/admin/context", "List context fields by sort order").returns::<Vec<ContextField>>(200),
        post("/api/admin/context", "Create a context field")
            .requires(CreateContextField)
            .with_body("NewContextField")
            .returns_empty(201)
            .fails_with(&[409]),
        post("/api/admin/context/validate", "Check that a context field name is valid and free")
            .requires(CreateContextField)
            .with_body("NameCheck")
            .returns_empty(200)
            .fails_with(&[409]),
        get("/api/admin/context/{name}", "Get a context field")
            .returns::<ContextField>(200)
            .fails_with(&[404]),
        put("/api/admin/context/{name}", "Replace a context field")
            .requires(UpdateContextField)
            .with_body("ReplacedContextField")
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/api/admin/context/{name}", "Delete a context field")
            .requires(DeleteContextField)
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}

fn tag_types() -> Vec<Operation> {
    vec![
        get("/api/admin/tag-types", "List tag types").returns::<TagTypesResponse>(200),
        post("/api/admin/tag-types", "Create a tag type")
            .requires(CreateTagType)
            .with_body("NewTagType")
            .returns::<TagType>(201)
            .fails_with(&[409]),
        post("/api/admin/tag-types/validate", "Check that a tag type is valid and its name is free")
            .requires(CreateTagType)
            .with_body("NewTagType")
            .returns::<ValidTagType>(200)
            .fails_with(&[409]),
        get("/api/admin/tag-types/{name}", "Get a tag type")
            .returns::<TagTypeResponse>(200)
            .fails_with(&[404]),
        put("/api/admin/tag-types/{name}", "Replace a tag type")
            .requires(UpdateTagType)
            .with_body("ReplacedTagType")
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/api/admin/tag-types/{name}", "Delete a tag type and its tags, if it exists")
            .requires(DeleteTagType)
            .returns_empty(200),
    ]
}

fn tags() -> Vec<Operation> {
    vec![
        get("/api/admin/tags", "List tags").returns::<TagsResponse>(200),
        post("/api/admin/tags", "Create a tag")
            .requires(CreateTag)
            .with_body("NewTag")
            .returns_empty(201)
            .fails_with(&[409]),
        get("/api/admin/tags/{type}", "List tags of a type").returns::<TagsResponse>(200),
        delete("/api/admin/tags/{type}/{value}", "Delete a tag, also from all toggles, if it exists")
            .requires(DeleteTag)
            .returns_empty(200),
    ]
}

fn projects() -> Vec<Operation> {
    vec![
        get("/api/admin/projects", "List projects").returns::<ProjectsResponse>(200),
        post("/api/admin/projects", "Create a project")
            .requires(CreateProject)
            .with_body("NewProject")
            .returns::<Project>(201)
            .fails_with(&[409]),
        post("/api/admin/projects/validate", "Check that a project id is valid and free")
            .requires(CreateProject)
            .with_body("IdCheck")
            .returns_empty(200)
            .fails_with(&[409]),
        put("/api/admin/projects/{id}", "Replace a project")
            .requires(UpdateProject)
            .with_body("ReplacedProject")
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/api/admin/projects/{id}", "Delete a project that has no active toggles")
            .requires(DeleteProject)
            .returns_empty(200)
            .fails_with(&[404, 409]),
    ]
}
