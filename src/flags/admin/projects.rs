//! The projects.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::body::JsonBody;
use crate::error::ApiError;
use crate::flags::auth::Editor;
use crate::flags::model::ProjectsAnswer;
use crate::flags::model::answers::ENVELOPE_VERSION;
use crate::flags::{Flags, projects, rules};

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<ProjectsAnswer>, ApiError> {
    let projects = flags.read(|tx| Ok(tx.list_projects()?)).await?;
    Ok(Json(ProjectsAnswer { version: ENVELOPE_VERSION, projects }))
}

pub(in crate::flags) async fn validate(flags: Data<Flags>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let id = rules::wanted_project_id(&body.0)?;
    flags.read(move |tx| projects::check_id_free(tx, &id)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let project = rules::new_project(&body.0)?;
    let created = flags.write(move |tx| projects::create(tx, &project, &by.now())).await?;
    Ok(HttpResponse::Created().json(created))
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    id: Path<String>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let project = rules::replaced_project(id.into_inner(), &body.0)?;
    flags.write(move |tx| projects::replace(tx, &project, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    id: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |tx| projects::delete(tx, &id, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}
