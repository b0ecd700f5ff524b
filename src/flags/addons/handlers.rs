//! Handlers for addons.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::providers::Provider;
use super::{rules, service};
use crate::api::{Addon, AddonsResponse};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::TaggedJson;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<AddonsResponse>, ApiError> {
    let addons = flags.read(service::list).await?;
    Ok(Json(AddonsResponse { addons, providers: Provider::ALL.map(Provider::definition).to_vec() }))
}

pub(in crate::flags) async fn show(
    flags: Data<Flags>,
    id: Path<String>,
) -> Result<TaggedJson<Addon>, ApiError> {
    let id = parse_id(&id)?;
    let (addon, tag) = flags.read(move |tx| Ok((service::find(tx, id)?, service::find_tag(tx, id)?))).await?;
    Ok(TaggedJson::ok(addon, tag))
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<Addon>, ApiError> {
    let draft = rules::parse_addon(&body.0)?;
    let secrets = flags.secrets();
    let (addon, tag) = flags
        .write(move |tx| {
            let addon = service::create(tx, &secrets, draft, &author.actor_now())?;
            let tag = service::find_tag(tx, addon.id)?;
            Ok((addon, tag))
        })
        .await?;
    Ok(TaggedJson::created(addon, tag))
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    id: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = rules::parse_addon(&body.0)?;
    let id = parse_id(&id)?;
    let secrets = flags.secrets();
    flags
        .write(move |tx| {
            let actor = author.actor_if_match(|| service::find_tag(tx, id))?;
            service::replace(tx, &secrets, id, draft, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    id: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    let id = parse_id(&id)?;
    flags
        .write(move |tx| {
            let actor = author.actor_if_match(|| service::find_tag(tx, id))?;
            service::delete(tx, id, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

fn parse_id(id: &str) -> Result<i64, ApiError> {
    id.parse().map_err(|_not_a_number| ApiError::NotFound(format!("There is no addon with the id {id}")))
}
