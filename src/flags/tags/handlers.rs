//! Handlers for tag types, tags and the tags of toggles.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::transactions;
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{
    Tag, TagResponse, TagType, TagTypeName, TagTypeResponse, TagTypesResponse, TagsResponse, ValidTagType,
};
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::flags::validation::RequestBody as _;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list_types(
    database: Data<Database>,
) -> Result<Json<TagTypesResponse>, ApiError> {
    let tag_types = database.read(|tx| Ok(tx.list_tag_types()?)).await?;
    Ok(Json(TagTypesResponse { version: ENVELOPE_VERSION, tag_types }))
}

pub(in crate::flags) async fn show_type(
    database: Data<Database>,
    name: Path<String>,
) -> Result<TaggedJson<TagTypeResponse>, ApiError> {
    let tag_type = database.read(move |tx| transactions::find_type(tx, &name)).await?;
    let tag = tag_of(&tag_type)?;
    Ok(TaggedJson::ok(TagTypeResponse { version: ENVELOPE_VERSION, tag_type }, tag))
}

pub(in crate::flags) async fn validate_type(
    database: Data<Database>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let name = TagType::parse(&body.0)?.name;
    let response = ValidTagType { valid: true, tag_type: TagTypeName { name: name.clone() } };
    database.read(move |tx| transactions::check_type_name_free(tx, &name)).await?;
    Ok(HttpResponse::Ok().json(response))
}

pub(in crate::flags) async fn create_type(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<TagType>, ApiError> {
    let tag_type = TagType::parse(&body.0)?;
    let created = tag_type.clone();
    database.write(move |tx| transactions::create_type(tx, &tag_type, &author.actor_now())).await?;
    let tag = tag_of(&created)?;
    Ok(TaggedJson::created(created, tag))
}

pub(in crate::flags) async fn replace_type(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let tag_type = TagType::parse_replacement(&name, &body.0)?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find_type(tx, &tag_type.name)?))?;
            transactions::replace_type(tx, &tag_type, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete_type(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find_type(tx, &name)?))?;
            transactions::delete_type(tx, &name, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn list(database: Data<Database>) -> Result<Json<TagsResponse>, ApiError> {
    let tags = database.read(|tx| Ok(tx.list_tags(None)?)).await?;
    Ok(Json(TagsResponse { version: ENVELOPE_VERSION, tags }))
}

pub(in crate::flags) async fn list_by_type(
    database: Data<Database>,
    kind: Path<String>,
) -> Result<Json<TagsResponse>, ApiError> {
    let tags = database.read(move |tx| Ok(tx.list_tags(Some(&kind))?)).await?;
    Ok(Json(TagsResponse { version: ENVELOPE_VERSION, tags }))
}

pub(in crate::flags) async fn show(
    database: Data<Database>,
    path: Path<(String, String)>,
) -> Result<Json<TagResponse>, ApiError> {
    let (kind, value) = path.into_inner();
    let tag = Tag { kind, value };
    let tag = database.read(move |tx| transactions::find(tx, tag)).await?;
    Ok(Json(TagResponse { version: ENVELOPE_VERSION, tag }))
}

pub(in crate::flags) async fn validate(
    database: Data<Database>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let tag = Tag::parse(&body.0)?;
    database.read(move |tx| transactions::check_free(tx, &tag)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn create(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let tag = Tag::parse(&body.0)?;
    database.write(move |tx| transactions::create(tx, &tag, &author.actor_now())).await?;
    Ok(HttpResponse::Created().finish())
}

pub(in crate::flags) async fn delete(
    database: Data<Database>,
    path: Path<(String, String)>,
    author: Author,
) -> Result<HttpResponse, ApiError> {
    let (kind, value) = path.into_inner();
    let tag = Tag { kind, value };
    database.write(move |tx| transactions::delete(tx, &tag, &author.actor_now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn list_by_toggle(
    database: Data<Database>,
    name: Path<String>,
) -> Result<Json<TagsResponse>, ApiError> {
    let tags = database.read(move |tx| transactions::list_for_toggle(tx, &name)).await?;
    Ok(Json(TagsResponse { version: ENVELOPE_VERSION, tags }))
}

pub(in crate::flags) async fn tag_toggle(
    database: Data<Database>,
    name: Path<String>,
    author: Author,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let tag = Tag::parse(&body.0)?;
    let tagged = tag.clone();
    database.write(move |tx| transactions::tag(tx, &name, &tag, &author.actor_now())).await?;
    Ok(HttpResponse::Created().json(tagged))
}

pub(in crate::flags) async fn untag_toggle(
    database: Data<Database>,
    path: Path<(String, String, String)>,
    author: Author,
) -> Result<HttpResponse, ApiError> {
    let (name, kind, value) = path.into_inner();
    let tag = Tag { kind, value };
    database.write(move |tx| transactions::untag(tx, &name, &tag, &author.actor_now())).await?;
    Ok(HttpResponse::Ok().finish())
}
