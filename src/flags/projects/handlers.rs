//! Handlers for projects.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::{rules, service};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::Author;
use crate::flags::model::ProjectsResponse;
use crate::flags::model::responses::ENVELOPE_VERSION;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<ProjectsResponse>, ApiError> {
    let projects = flags.read(|tx| Ok(tx.list_projects()?)).await?;
    Ok(Json(ProjectsResponse { version: ENVELOPE_VERSION, projects }))
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
) -> Result<HttpResponse, ApiError> {
    let project = rules::parse_new_project(&body.0)?;
    let created = flags.write(move |tx| service::create(tx, &project, &author.actor_now())).await?;
    Ok(HttpResponse::Created().json(created))
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    id: Path<String>,
    author: Author,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let project = rules::parse_project_replacement(id.into_inner(), &body.0)?;
    flags.write(move |tx| service::replace(tx, &project, &author.actor_now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    id: Path<String>,
    author: Author,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |tx| service::delete(tx, &id, &author.actor_now())).await?;
    Ok(HttpResponse::Ok().finish())
}
