//! Handlers for toggles that are not archived, and for toggle types.

use std::ops::ControlFlow;

use actix_web::http::header::{CONTENT_ENCODING, ContentType};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::filter::parse_toggle_filter;
use super::types::feature_types;
use super::{rules, service};
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{FeatureTypesResponse, Toggle};
use crate::error::ApiError;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::database::Transaction;
use crate::flags::tagged_json::TaggedJson;
use crate::flags::{Flags, validation};
use crate::json_body::JsonBody;
use crate::negotiation::{accepts_gzip, conditional_response};

/// Lists the toggles. The unfiltered list comes compressed from a cache if the client accepts gzip.
pub(in crate::flags) async fn list(
    flags: Data<Flags>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let filter = parse_toggle_filter(request.query_string())?;
    if !filter.is_empty() || !accepts_gzip(&request) {
        let list = flags.toggle_list(filter).await?;
        return Ok(HttpResponse::Ok().content_type(ContentType::json()).body(list));
    }
    let list = flags.compressed_toggle_list().await?;
    let mut response = match conditional_response(&request, list.tag) {
        ControlFlow::Continue(response) => response,
        ControlFlow::Break(not_modified) => return Ok(not_modified),
    };
    if list.is_gzip {
        response.insert_header((CONTENT_ENCODING, "gzip"));
    }
    Ok(response.content_type(ContentType::json()).body(list.body))
}

pub(in crate::flags) async fn show(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<TaggedJson<Toggle>, ApiError> {
    let toggle = flags.read(move |tx| service::find(tx, &name)).await?;
    let tag = service::tag_of_toggle(&toggle)?;
    Ok(TaggedJson::ok(toggle, tag))
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<Toggle>, ApiError> {
    let (parsed, name) = (rules::parse_new_toggle(&body.0), validation::name_of(&body.0));
    let draft = flags.check_before_body(parsed, move |tx| service::check_name_free(tx, &name)).await?;
    // Frees the memory of a large body before the write.
    drop(body);
    let toggle = flags.write(move |tx| service::create(tx, &draft, &author.actor_now())).await?;
    let tag = service::tag_of_toggle(&toggle)?;
    Ok(TaggedJson::created(toggle, tag))
}

pub(in crate::flags) async fn validate(flags: Data<Flags>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let name = validation::parse_name(&body.0)?;
    flags.read(move |tx| service::check_name_free(tx, &name)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    name: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let parsed = rules::parse_toggle_replacement(name.clone(), &body.0);
    let draft = flags.check_before_body(parsed, move |tx| service::find(tx, &name)).await?;
    // Frees the memory of a large body before the write.
    drop(body);
    flags
        .write(move |tx| {
            let actor = author.actor_if_match(|| service::find_tag(tx, &draft.name))?;
            service::replace(tx, &draft, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn archive(
    flags: Data<Flags>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    flags
        .write(move |tx| {
            let actor = author.actor_if_match(|| service::find_tag(tx, &name))?;
            service::archive(tx, &name, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn flip(
    flags: Data<Flags>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    write_and_return(&flags, move |tx| {
        let actor = author.actor_if_match(|| service::find_tag(tx, &name))?;
        let is_enabled = service::find(tx, &name)?.enabled;
        service::set_enabled(tx, &name, !is_enabled, &actor)
    })
    .await
}

pub(in crate::flags) async fn toggle_on(
    flags: Data<Flags>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    set_enabled(&flags, name, true, author).await
}

pub(in crate::flags) async fn toggle_off(
    flags: Data<Flags>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    set_enabled(&flags, name, false, author).await
}

pub(in crate::flags) async fn stale_on(
    flags: Data<Flags>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    set_stale(&flags, name, true, author).await
}

pub(in crate::flags) async fn stale_off(
    flags: Data<Flags>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    set_stale(&flags, name, false, author).await
}

async fn set_enabled(
    flags: &Flags,
    name: Path<String>,
    enabled: bool,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    write_and_return(flags, move |tx| {
        let actor = author.actor_if_match(|| service::find_tag(tx, &name))?;
        service::set_enabled(tx, &name, enabled, &actor)
    })
    .await
}

async fn set_stale(
    flags: &Flags,
    name: Path<String>,
    stale: bool,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    write_and_return(flags, move |tx| {
        let actor = author.actor_if_match(|| service::find_tag(tx, &name))?;
        service::set_stale(tx, &name, stale, &actor)
    })
    .await
}

async fn write_and_return(
    flags: &Flags,
    work: impl FnOnce(&Transaction<'_>) -> Result<Toggle, ApiError> + Send + 'static,
) -> Result<TaggedJson<Toggle>, ApiError> {
    let toggle = flags.write(work).await?;
    let tag = service::tag_of_toggle(&toggle)?;
    Ok(TaggedJson::ok(toggle, tag))
}

pub(in crate::flags) async fn list_types() -> Json<FeatureTypesResponse> {
    Json(FeatureTypesResponse { version: ENVELOPE_VERSION, types: feature_types() })
}
