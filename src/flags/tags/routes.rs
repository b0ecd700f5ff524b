//! Endpoints of tag types, tags, and tags of toggles.

use super::handlers;
use crate::api::limits::MAX_TAGS_PER_TOGGLE;
use crate::api::{Tag, TagResponse, TagType, TagTypeResponse, TagTypesResponse, TagsResponse, ValidTagType};
use crate::flags::auth::Permission::{
    CreateTag, CreateTagType, DeleteTag, DeleteTagType, UpdateFeature, UpdateTagType,
};
use crate::flags::endpoint::{Endpoint, delete, get, post, post_only, put};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    [tag_types(), tags(), tags_of_toggle()].into_iter().flatten().collect()
}

fn tag_types() -> Vec<Endpoint> {
    vec![
        get("/tag-types", handlers::list_types).summary("List tag types").returns::<TagTypesResponse>(200),
        post("/tag-types", CreateTagType, handlers::create_type)
            .summary("Create a tag type")
            .tagged()
            .body::<TagType>()
            .returns::<TagType>(201)
            .fails_with(&[409]),
        post_only("/tag-types/validate", CreateTagType, handlers::validate_type)
            .summary("Check that a tag type is valid and its name is free")
            .body::<TagType>()
            .returns::<ValidTagType>(200)
            .fails_with(&[409]),
        get("/tag-types/{name}", handlers::show_type)
            .summary("Get a tag type")
            .tagged()
            .returns::<TagTypeResponse>(200)
            .fails_with(&[404]),
        put("/tag-types/{name}", UpdateTagType, handlers::replace_type)
            .summary("Replace a tag type")
            .conditional()
            .replacement::<TagType>()
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/tag-types/{name}", DeleteTagType, handlers::delete_type)
            .summary("Delete a tag type and its tags, if it exists")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}

fn tags() -> Vec<Endpoint> {
    vec![
        get("/tags", handlers::list).summary("List tags").returns::<TagsResponse>(200),
        post("/tags", CreateTag, handlers::create)
            .summary("Create a tag")
            .body::<Tag>()
            .returns_empty(201)
            .fails_with(&[409]),
        post_only("/tags/validate", CreateTag, handlers::validate)
            .summary("Check that a tag is valid and does not exist")
            .body::<Tag>()
            .returns_empty(200)
            .fails_with(&[409]),
        get("/tags/{type}", handlers::list_by_type)
            .summary("List tags of a type")
            .returns::<TagsResponse>(200),
        get("/tags/{type}/{value}", handlers::show)
            .summary("Get a tag")
            .returns::<TagResponse>(200)
            .fails_with(&[404]),
        delete("/tags/{type}/{value}", DeleteTag, handlers::delete)
            .summary("Delete a tag, also from all toggles, if it exists")
            .returns_empty(200),
    ]
}

fn tags_of_toggle() -> Vec<Endpoint> {
    vec![
        get("/features/{name}/tags", handlers::list_by_toggle)
            .summary("List tags of a toggle")
            .returns::<TagsResponse>(200)
            .fails_with(&[404]),
        post("/features/{name}/tags", UpdateFeature, handlers::tag_toggle)
            .summary(format!("Add a tag to a toggle (at most {MAX_TAGS_PER_TOGGLE})"))
            .body::<Tag>()
            .returns::<Tag>(201)
            .fails_with(&[404, 409]),
        delete("/features/{name}/tags/{type}/{value}", UpdateFeature, handlers::untag_toggle)
            .summary("Remove a tag from a toggle")
            .returns_empty(200),
    ]
}
