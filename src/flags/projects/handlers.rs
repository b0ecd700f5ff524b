//! Handlers for projects.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::rules::IdCheck;
use super::transactions;
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{Project, ProjectsResponse};
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::flags::validation::RequestBody as _;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(database: Data<Database>) -> Result<Json<ProjectsResponse>, ApiError> {
    let projects = database.read(|tx| Ok(tx.list_projects()?)).await?;
    Ok(Json(ProjectsResponse { version: ENVELOPE_VERSION, projects }))
}

pub(in crate::flags) async fn show(
    database: Data<Database>,
    id: Path<String>,
) -> Result<TaggedJson<Project>, ApiError> {
    let project = database.read(move |tx| transactions::find(tx, &id)).await?;
    let tag = tag_of(&project)?;
    Ok(TaggedJson::ok(project, tag))
}

pub(in crate::flags) async fn validate(
    database: Data<Database>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let id = IdCheck::parse(&body.0)?.0;
    database.read(move |tx| transactions::check_id_free(tx, &id)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn create(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<Project>, ApiError> {
    let project = Project::parse(&body.0)?;
    let created = database.write(move |tx| transactions::create(tx, &project, &author.actor_now())).await?;
    let tag = tag_of(&created)?;
    Ok(TaggedJson::created(created, tag))
}

pub(in crate::flags) async fn replace(
    database: Data<Database>,
    id: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let parsed = Project::parse_replacement(&id, &body.0);
    let project = database.check_before_body(parsed, move |tx| transactions::find(tx, &id)).await?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find(tx, &project.id)?))?;
            transactions::replace(tx, &project, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    database: Data<Database>,
    id: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find(tx, &id)?))?;
            transactions::delete(tx, &id, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}
