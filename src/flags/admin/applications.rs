//! Handlers for the applications that use toggles.

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::body::JsonBody;
use crate::error::ApiError;
use crate::flags::model::{Application, ApplicationsResponse};
use crate::flags::store::Session;
use crate::flags::{Flags, applications, rules};

pub(in crate::flags) async fn list(
    flags: Data<Flags>,
    request: HttpRequest,
) -> Result<Json<ApplicationsResponse>, ApiError> {
    let strategy = url::form_urlencoded::parse(request.query_string().as_bytes())
        .find(|(key, _)| key == "strategyName")
        .map(|(_, name)| name.into_owned());
    let work = move |session: &Session<'_>| Ok(session.applications(strategy.as_deref())?);
    Ok(Json(ApplicationsResponse { applications: flags.read_reported(work).await? }))
}

pub(in crate::flags) async fn show(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<Application>, ApiError> {
    Ok(Json(flags.read_reported(move |session| applications::find(session, &name)).await?))
}

pub(in crate::flags) async fn describe(
    flags: Data<Flags>,
    name: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let texts = rules::parse_application_texts(&body.0)?;
    flags.write_reported().await?;
    flags.write(move |session| applications::describe(session, &name, &texts)).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Deletes an application. Returns 200 also if it does not exist.
pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    flags.write_reported().await?;
    flags.write(move |session| Ok(session.delete_application(&name)?)).await?;
    Ok(HttpResponse::Ok().finish())
}
