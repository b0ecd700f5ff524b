//! Handlers for the applications that use toggles.

use std::borrow::Cow;

use actix_web::http::header::ContentType;
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::rules::ApplicationTexts;
use super::{seen_apps, transactions};
use crate::api::{Application, ApplicationToggles, ApplicationsResponse};
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::endpoint::query_value;
use crate::flags::usage::UsageReports;
use crate::flags::validation::RequestBody as _;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(
    usage: Data<UsageReports>,
    request: HttpRequest,
) -> Result<Json<ApplicationsResponse>, ApiError> {
    let strategy = query_value(request.query_string(), "strategyName").map(Cow::into_owned);
    let work = move |tx: &Transaction<'_>| Ok(tx.list_applications(strategy.as_deref())?);
    Ok(Json(ApplicationsResponse { applications: usage.read_with_pending(work).await? }))
}

pub(in crate::flags) async fn show(
    usage: Data<UsageReports>,
    name: Path<String>,
) -> Result<Json<Application>, ApiError> {
    Ok(Json(usage.read_with_pending(move |tx| transactions::find(tx, &name)).await?))
}

pub(in crate::flags) async fn describe(
    database: Data<Database>,
    usage: Data<UsageReports>,
    name: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let texts = ApplicationTexts::parse(&body.0)?;
    usage.write_pending().await?;
    database.write(move |tx| transactions::update_texts(tx, &name, &texts)).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Deletes an application. Returns 200 also if it does not exist.
pub(in crate::flags) async fn delete(
    database: Data<Database>,
    usage: Data<UsageReports>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    usage.write_pending().await?;
    database.write(move |tx| Ok(tx.delete_application(&name)?)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn seen_toggles(
    usage: Data<UsageReports>,
) -> Result<Json<Vec<ApplicationToggles>>, ApiError> {
    Ok(Json(usage.read_with_pending(transactions::list_seen_toggles).await?))
}

pub(in crate::flags) async fn seen_apps(usage: Data<UsageReports>) -> Result<HttpResponse, ApiError> {
    let body = usage.read_with_pending(seen_apps::list_json).await?;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(body))
}
