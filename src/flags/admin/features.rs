//! The toggles in use.

use actix_web::http::header::ContentType;
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::body::JsonBody;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::Editor;
use crate::flags::model::Toggle;
use crate::flags::model::answers::ENVELOPE_VERSION;
use crate::flags::store::Session;
use crate::flags::{rules, toggles};

/// What `FeaturesAnswer` is, from a list that is JSON already.
pub(in crate::flags) async fn list(
    flags: Data<Flags>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let filter = rules::toggle_filter(request.query_string())?;
    let features = flags.read(move |session| Ok(session.listed_toggles(&filter)?)).await?;
    let head = format!(r#"{{"version":{ENVELOPE_VERSION},"features":"#);
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body([head.as_bytes(), &features, b"}"].concat()))
}

pub(in crate::flags) async fn show(flags: Data<Flags>, name: Path<String>) -> Result<Json<Toggle>, ApiError> {
    Ok(Json(flags.read(move |session| toggles::find(session, &name)).await?))
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = rules::new_toggle(&body.0)?;
    let toggle = flags.write(move |session| toggles::create(session, &draft, &by.now())).await?;
    Ok(HttpResponse::Created().json(toggle))
}

pub(in crate::flags) async fn validate(flags: Data<Flags>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let name = rules::wanted_name(&body.0)?;
    flags.read(move |session| toggles::name_is_free(session, &name)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = rules::replaced_toggle(name.into_inner(), &body.0)?;
    flags.write(move |session| toggles::replace(session, &draft, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn archive(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |session| toggles::archive(session, &name, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn toggle_on(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<Json<Toggle>, ApiError> {
    set_enabled(&flags, name, true, by).await
}

pub(in crate::flags) async fn toggle_off(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<Json<Toggle>, ApiError> {
    set_enabled(&flags, name, false, by).await
}

pub(in crate::flags) async fn stale_on(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<Json<Toggle>, ApiError> {
    set_stale(&flags, name, true, by).await
}

pub(in crate::flags) async fn stale_off(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<Json<Toggle>, ApiError> {
    set_stale(&flags, name, false, by).await
}

async fn set_enabled(
    flags: &Flags,
    name: Path<String>,
    enabled: bool,
    by: Editor,
) -> Result<Json<Toggle>, ApiError> {
    let work = move |session: &Session<'_>| toggles::set_enabled(session, &name, enabled, &by.now());
    Ok(Json(flags.write(work).await?))
}

async fn set_stale(
    flags: &Flags,
    name: Path<String>,
    stale: bool,
    by: Editor,
) -> Result<Json<Toggle>, ApiError> {
    let work = move |session: &Session<'_>| toggles::set_stale(session, &name, stale, &by.now());
    Ok(Json(flags.write(work).await?))
}
