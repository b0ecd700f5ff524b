//! Handlers for toggles that are not archived, and for toggle types.

use std::ops::ControlFlow;

use actix_web::http::header::{CONTENT_ENCODING, ContentType};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::filter::parse_toggle_filter;
use super::list::{ToggleListCache, list_json};
use super::transactions;
use super::types::feature_types;
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{FeatureTypesResponse, Toggle, ToggleDraft};
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::TaggedJson;
use crate::flags::validation::{NameCheck, RequestBody as _, name_of};
use crate::json_body::JsonBody;
use crate::negotiation::{accepts_gzip, conditional_response};

/// Lists the toggles. The unfiltered list comes compressed from a cache if the client accepts gzip.
pub(in crate::flags) async fn list(
    database: Data<Database>,
    cache: Data<ToggleListCache>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let filter = parse_toggle_filter(request.query_string())?;
    if !filter.is_empty() || !accepts_gzip(&request) {
        let list = database.read(move |tx| list_json(tx, &filter)).await?;
        return Ok(HttpResponse::Ok().content_type(ContentType::json()).body(list));
    }
    let list = cache.read(&database).await?;
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
    database: Data<Database>,
    name: Path<String>,
) -> Result<TaggedJson<Toggle>, ApiError> {
    let toggle = database.read(move |tx| transactions::find(tx, &name)).await?;
    let tag = transactions::tag_of_toggle(&toggle)?;
    Ok(TaggedJson::ok(toggle, tag))
}

pub(in crate::flags) async fn create(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<Toggle>, ApiError> {
    let (parsed, name) = (ToggleDraft::parse(&body.0), name_of(&body.0));
    let draft =
        database.check_before_body(parsed, move |tx| transactions::check_name_free(tx, &name)).await?;
    // Frees the memory of a large body before the write.
    drop(body);
    let toggle = database.write(move |tx| transactions::create(tx, &draft, &author.actor_now())).await?;
    let tag = transactions::tag_of_toggle(&toggle)?;
    Ok(TaggedJson::created(toggle, tag))
}

pub(in crate::flags) async fn validate(
    database: Data<Database>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let name = NameCheck::parse(&body.0)?.0;
    database.read(move |tx| transactions::check_name_free(tx, &name)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn replace(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let parsed = ToggleDraft::parse_replacement(&name, &body.0);
    let draft = database.check_before_body(parsed, move |tx| transactions::find(tx, &name)).await?;
    // Frees the memory of a large body before the write.
    drop(body);
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| transactions::find_tag(tx, &draft.name))?;
            transactions::replace(tx, &draft, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn archive(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| transactions::find_tag(tx, &name))?;
            transactions::archive(tx, &name, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn flip(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    write_and_return(&database, move |tx| {
        let actor = author.actor_if_match(|| transactions::find_tag(tx, &name))?;
        let is_enabled = transactions::find(tx, &name)?.enabled;
        transactions::set_enabled(tx, &name, !is_enabled, &actor)
    })
    .await
}

pub(in crate::flags) async fn toggle_on(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    set_enabled(&database, name, true, author).await
}

pub(in crate::flags) async fn toggle_off(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    set_enabled(&database, name, false, author).await
}

pub(in crate::flags) async fn stale_on(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    set_stale(&database, name, true, author).await
}

pub(in crate::flags) async fn stale_off(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    set_stale(&database, name, false, author).await
}

async fn set_enabled(
    database: &Database,
    name: Path<String>,
    enabled: bool,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    write_and_return(database, move |tx| {
        let actor = author.actor_if_match(|| transactions::find_tag(tx, &name))?;
        transactions::set_enabled(tx, &name, enabled, &actor)
    })
    .await
}

async fn set_stale(
    database: &Database,
    name: Path<String>,
    stale: bool,
    author: ConditionalAuthor,
) -> Result<TaggedJson<Toggle>, ApiError> {
    write_and_return(database, move |tx| {
        let actor = author.actor_if_match(|| transactions::find_tag(tx, &name))?;
        transactions::set_stale(tx, &name, stale, &actor)
    })
    .await
}

async fn write_and_return(
    database: &Database,
    work: impl FnOnce(&Transaction<'_>) -> Result<Toggle, ApiError> + Send + 'static,
) -> Result<TaggedJson<Toggle>, ApiError> {
    let toggle = database.write(work).await?;
    let tag = transactions::tag_of_toggle(&toggle)?;
    Ok(TaggedJson::ok(toggle, tag))
}

pub(in crate::flags) async fn list_types() -> Json<FeatureTypesResponse> {
    Json(FeatureTypesResponse { version: ENVELOPE_VERSION, types: feature_types() })
}
