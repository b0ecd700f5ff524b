//! Handlers for projects.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::{rules, service};
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{Project, ProjectsResponse};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<ProjectsResponse>, ApiError> {
    let projects = flags.read(|tx| Ok(tx.list_projects()?)).await?;
    Ok(Json(ProjectsResponse { version: ENVELOPE_VERSION, projects }))
}

pub(in crate::flags) async fn show(
    flags: Data<Flags>,
    id: Path<String>,
) -> Result<TaggedJson<Project>, ApiError> {
    let project = flags.read(move |tx| service::find(tx, &id)).await?;
    let tag = tag_of(&project)?;
    Ok(TaggedJson::ok(project, tag))
}

pub(in crate::flags) async fn validate(flags: Data<Flags>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let id = rules::parse_project_id(&body.0)?;
    flags.read(move |tx| service::check_id_free(tx, &id)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<Project>, ApiError> {
    let project = rules::parse_new_project(&body.0)?;
    let created = flags.write(move |tx| service::create(tx, &project, &author.actor_now())).await?;
    let tag = tag_of(&created)?;
    Ok(TaggedJson::created(created, tag))
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    id: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let parsed = rules::parse_project_replacement(id.clone(), &body.0);
    let project = flags.check_before_body(parsed, move |tx| service::find(tx, &id)).await?;
    flags
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&service::find(tx, &project.id)?))?;
            service::replace(tx, &project, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    id: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    flags
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&service::find(tx, &id)?))?;
            service::delete(tx, &id, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}
