//! Handlers for segments.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::rules::SegmentName;
use super::transactions;
use crate::api::{Segment, SegmentDraft, SegmentUsesResponse, SegmentsResponse};
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::flags::validation::RequestBody as _;
use crate::json_body::JsonBody;

pub(super) async fn list(database: Data<Database>) -> Result<Json<SegmentsResponse>, ApiError> {
    let segments = database.read(|tx| Ok(tx.list_segments()?)).await?;
    Ok(Json(SegmentsResponse { segments }))
}

pub(super) async fn show(
    database: Data<Database>,
    id: Path<String>,
) -> Result<TaggedJson<Segment>, ApiError> {
    let id = parse_id(&id)?;
    let segment = database.read(move |tx| transactions::find(tx, id)).await?;
    let tag = tag_of(&segment)?;
    Ok(TaggedJson::ok(segment, tag))
}

pub(super) async fn list_uses(
    database: Data<Database>,
    id: Path<String>,
) -> Result<Json<SegmentUsesResponse>, ApiError> {
    let id = parse_id(&id)?;
    let strategies = database.read(move |tx| transactions::list_uses(tx, id)).await?;
    Ok(Json(SegmentUsesResponse { strategies }))
}

pub(super) async fn validate(database: Data<Database>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let name = SegmentName::parse(&body.0)?.0;
    database.read(move |tx| transactions::check_name_free(tx, &name, None)).await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(super) async fn create(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<Segment>, ApiError> {
    let draft = SegmentDraft::parse(&body.0)?;
    let created = database.write(move |tx| transactions::create(tx, draft, &author.actor_now())).await?;
    let tag = tag_of(&created)?;
    Ok(TaggedJson::created(created, tag))
}

pub(super) async fn replace(
    database: Data<Database>,
    id: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let id = parse_id(&id)?;
    let parsed = SegmentDraft::parse(&body.0);
    let draft = database.check_before_body(parsed, move |tx| transactions::find(tx, id).map(drop)).await?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find(tx, id)?))?;
            transactions::replace(tx, id, draft, &actor)
        })
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(super) async fn delete(
    database: Data<Database>,
    id: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    let id = parse_id(&id)?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find(tx, id)?))?;
            transactions::delete(tx, id, &actor)
        })
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

fn parse_id(id: &str) -> Result<u32, ApiError> {
    id.parse().map_err(|_not_an_id| transactions::not_found(id))
}
