//! Handlers for addons.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::providers::Provider;
use super::secrets::Secrets;
use super::transactions;
use crate::api::{Addon, AddonDraft, AddonsResponse};
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::TaggedJson;
use crate::flags::validation::RequestBody as _;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(database: Data<Database>) -> Result<Json<AddonsResponse>, ApiError> {
    let addons = database.read(transactions::list).await?;
    Ok(Json(AddonsResponse { addons, providers: Provider::ALL.map(Provider::definition).to_vec() }))
}

pub(in crate::flags) async fn show(
    database: Data<Database>,
    id: Path<String>,
) -> Result<TaggedJson<Addon>, ApiError> {
    let id = parse_id(&id)?;
    let (addon, tag) =
        database.read(move |tx| Ok((transactions::find(tx, id)?, transactions::find_tag(tx, id)?))).await?;
    Ok(TaggedJson::ok(addon, tag))
}

pub(in crate::flags) async fn create(
    database: Data<Database>,
    secrets: Data<Secrets>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<Addon>, ApiError> {
    let draft = AddonDraft::parse(&body.0)?;
    let secrets = secrets.into_inner();
    let (addon, tag) = database
        .write(move |tx| {
            let addon = transactions::create(tx, &secrets, draft, &author.actor_now())?;
            let tag = transactions::find_tag(tx, addon.id)?;
            Ok((addon, tag))
        })
        .await?;
    Ok(TaggedJson::created(addon, tag))
}

pub(in crate::flags) async fn replace(
    database: Data<Database>,
    secrets: Data<Secrets>,
    id: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = AddonDraft::parse(&body.0)?;
    let id = parse_id(&id)?;
    let secrets = secrets.into_inner();
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| transactions::find_tag(tx, id))?;
            transactions::replace(tx, &secrets, id, draft, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    database: Data<Database>,
    id: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    let id = parse_id(&id)?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| transactions::find_tag(tx, id))?;
            transactions::delete(tx, id, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

fn parse_id(id: &str) -> Result<i64, ApiError> {
    id.parse().map_err(|_not_a_number| ApiError::NotFound(format!("There is no addon with the id {id}")))
}
