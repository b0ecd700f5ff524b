//! Handlers for the applications that use toggles.

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::{rules, service};
use crate::api::{Application, ApplicationsResponse};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::database::Transaction;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(
    flags: Data<Flags>,
    request: HttpRequest,
) -> Result<Json<ApplicationsResponse>, ApiError> {
    let strategy = url::form_urlencoded::parse(request.query_string().as_bytes())
        .find(|(key, _)| key == "strategyName")
        .map(|(_, name)| name.into_owned());
    let work = move |tx: &Transaction<'_>| Ok(tx.list_applications(strategy.as_deref())?);
    Ok(Json(ApplicationsResponse { applications: flags.read_with_usage(work).await? }))
}

pub(in crate::flags) async fn show(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<Application>, ApiError> {
    Ok(Json(flags.read_with_usage(move |tx| service::find(tx, &name)).await?))
}

pub(in crate::flags) async fn describe(
    flags: Data<Flags>,
    name: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let texts = rules::parse_application_texts(&body.0)?;
    flags.write_usage().await?;
    flags.write(move |tx| service::update_texts(tx, &name, &texts)).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Deletes an application. Returns 200 also if it does not exist.
pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    flags.write_usage().await?;
    flags.write(move |tx| Ok(tx.delete_application(&name)?)).await?;
    Ok(HttpResponse::Ok().finish())
}
