//! The toggles in use.

use actix_web::http::header::{CONTENT_ENCODING, ContentType, ETAG, VARY};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::body::JsonBody;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::Editor;
use crate::flags::model::Toggle;
use crate::flags::store::{ToggleFilter, Transaction};
use crate::flags::{rules, toggles};
use crate::negotiation::{accepts_gzip, matches_entity_tag};

/// The list of all toggles comes compressed from a cache, unless the client does not accept gzip.
pub(in crate::flags) async fn list(
    flags: Data<Flags>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let filter = rules::toggle_filter(request.query_string())?;
    if filter != ToggleFilter::default() || !accepts_gzip(&request) {
        let list = flags.toggle_list(filter).await?;
        return Ok(HttpResponse::Ok().content_type(ContentType::json()).body(list));
    }
    let list = flags.compressed_toggle_list().await?;
    let is_known = matches_entity_tag(request.headers(), &list.tag);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, list.tag)).insert_header((VARY, "Accept-Encoding"));
    if is_known {
        return Ok(response.finish());
    }
    if list.is_gzip {
        response.insert_header((CONTENT_ENCODING, "gzip"));
    }
    Ok(response.content_type(ContentType::json()).body(list.body))
}

pub(in crate::flags) async fn show(flags: Data<Flags>, name: Path<String>) -> Result<Json<Toggle>, ApiError> {
    Ok(Json(flags.read(move |tx| toggles::find(tx, &name)).await?))
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = rules::new_toggle(&body.0)?;
    // A large body would take its memory until the toggle is written.
    drop(body);
    let toggle = flags.write(move |tx| toggles::create(tx, &draft, &by.now())).await?;
    Ok(HttpResponse::Created().json(toggle))
}

pub(in crate::flags) async fn validate(flags: Data<Flags>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let name = rules::wanted_name(&body.0)?;
    flags.read(move |tx| toggles::check_name_free(tx, &name)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = rules::replaced_toggle(name.into_inner(), &body.0)?;
    // A large body would take its memory until the toggle is written.
    drop(body);
    flags.write(move |tx| toggles::replace(tx, &draft, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn archive(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |tx| toggles::archive(tx, &name, &by.now())).await?;
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
    let work = move |tx: &Transaction<'_>| toggles::set_enabled(tx, &name, enabled, &by.now());
    Ok(Json(flags.write(work).await?))
}

async fn set_stale(
    flags: &Flags,
    name: Path<String>,
    stale: bool,
    by: Editor,
) -> Result<Json<Toggle>, ApiError> {
    let work = move |tx: &Transaction<'_>| toggles::set_stale(tx, &name, stale, &by.now());
    Ok(Json(flags.write(work).await?))
}
