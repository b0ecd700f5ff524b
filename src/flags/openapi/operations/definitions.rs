//! What toggles refer to: their types, strategies, context fields, tag types, tags and projects.

use super::super::operation::{Operation, delete, get, post, put};
use crate::flags::auth::Permission::{
    CreateContextField, CreateProject, CreateStrategy, CreateTag, CreateTagType, DeleteContextField,
    DeleteProject, DeleteStrategy, DeleteTag, DeleteTagType, UpdateContextField, UpdateProject,
    UpdateStrategy, UpdateTagType,
};
use crate::flags::model::{
    ContextField, FeatureTypesAnswer, Project, ProjectsAnswer, StrategiesAnswer, StrategyDefinition, TagType,
    TagTypeAnswer, TagTypesAnswer, TagsAnswer, ValidTagType,
};

pub(super) fn operations() -> Vec<Operation> {
    let types =
        vec![get("/api/admin/feature-types", "The kinds of toggles").answers::<FeatureTypesAnswer>(200)];
    [types, strategies(), context_fields(), tag_types(), tags(), projects()].into_iter().flatten().collect()
}

fn strategies() -> Vec<Operation> {
    vec![
        get("/api/admin/strategies", "The strategy definitions").answers::<StrategiesAnswer>(200),
        post("/api/admin/strategies", "Create a strategy definition")
            .needs(CreateStrategy)
            .takes("NewStrategyDefinition")
            .answers_nothing(201)
            .fails(&[409]),
        get("/api/admin/strategies/{name}", "One strategy definition")
            .answers::<StrategyDefinition>(200)
            .fails(&[404]),
        put("/api/admin/strategies/{name}", "Replace a strategy definition that is not built in")
            .needs(UpdateStrategy)
            .takes("ReplacedStrategyDefinition")
            .answers_nothing(200)
            .fails(&[404]),
        delete("/api/admin/strategies/{name}", "Delete a strategy definition that is not built in")
            .needs(DeleteStrategy)
            .answers_nothing(200)
            .fails(&[404]),
        post("/api/admin/strategies/{name}/deprecate", "Offer a strategy for new use no longer")
            .needs(UpdateStrategy)
            .answers_nothing(200)
            .fails(&[404]),
        post("/api/admin/strategies/{name}/reactivate", "Offer a strategy for new use again")
            .needs(UpdateStrategy)
            .answers_nothing(200)
            .fails(&[404]),
    ]
}

fn context_fields() -> Vec<Operation> {
    vec![
        get("/api/admin/context", "The context fields, by their place").answers::<Vec<ContextField>>(200),
        post("/api/admin/context", "Create a context field")
            .needs(CreateContextField)
            .takes("NewContextField")
            .answers_nothing(201)
            .fails(&[409]),
        post("/api/admin/context/validate", "Can a new context field be called so?")
            .needs(CreateContextField)
            .takes("WantedName")
            .answers_nothing(200)
            .fails(&[409]),
        get("/api/admin/context/{name}", "One context field").answers::<ContextField>(200).fails(&[404]),
        put("/api/admin/context/{name}", "Replace a context field")
            .needs(UpdateContextField)
            .takes("ReplacedContextField")
            .answers_nothing(200)
            .fails(&[404]),
        delete("/api/admin/context/{name}", "Delete a context field")
            .needs(DeleteContextField)
            .answers_nothing(200)
            .fails(&[404]),
    ]
}

fn tag_types() -> Vec<Operation> {
    vec![
        get("/api/admin/tag-types", "The tag types").answers::<TagTypesAnswer>(200),
        post("/api/admin/tag-types", "Create a tag type")
            .needs(CreateTagType)
            .takes("NewTagType")
            .answers::<TagType>(201)
            .fails(&[409]),
        post("/api/admin/tag-types/validate", "Can a new tag type be like this?")
            .needs(CreateTagType)
            .takes("NewTagType")
            .answers::<ValidTagType>(200)
            .fails(&[409]),
        get("/api/admin/tag-types/{name}", "One tag type").answers::<TagTypeAnswer>(200).fails(&[404]),
        put("/api/admin/tag-types/{name}", "Replace a tag type")
            .needs(UpdateTagType)
            .takes("ReplacedTagType")
            .answers_nothing(200)
            .fails(&[404]),
        delete("/api/admin/tag-types/{name}", "Delete a tag type with its tags, if it is there")
            .needs(DeleteTagType)
            .answers_nothing(200),
    ]
}

fn tags() -> Vec<Operation> {
    vec![
        get("/api/admin/tags", "The tags").answers::<TagsAnswer>(200),
        post("/api/admin/tags", "Create a tag")
            .needs(CreateTag)
            .takes("NewTag")
            .answers_nothing(201)
            .fails(&[409]),
        get("/api/admin/tags/{type}", "The tags of a type").answers::<TagsAnswer>(200),
        delete("/api/admin/tags/{type}/{value}", "Delete a tag, also from all toggles, if it is there")
            .needs(DeleteTag)
            .answers_nothing(200),
    ]
}

fn projects() -> Vec<Operation> {
    vec![
        get("/api/admin/projects", "The projects").answers::<ProjectsAnswer>(200),
        post("/api/admin/projects", "Create a project")
            .needs(CreateProject)
            .takes("NewProject")
            .answers::<Project>(201)
            .fails(&[409]),
        post("/api/admin/projects/validate", "Can a new project have this id?")
            .needs(CreateProject)
            .takes("WantedId")
            .answers_nothing(200)
            .fails(&[409]),
        put("/api/admin/projects/{id}", "Replace a project")
            .needs(UpdateProject)
            .takes("ReplacedProject")
            .answers_nothing(200)
            .fails(&[404]),
        delete("/api/admin/projects/{id}", "Delete a project without toggles in use")
            .needs(DeleteProject)
            .answers_nothing(200)
            .fails(&[404, 409]),
    ]
}
