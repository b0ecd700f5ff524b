//! Handlers for strategy definitions.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::transactions;
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{StrategiesResponse, StrategyDefinition};
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::flags::validation::RequestBody as _;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(database: Data<Database>) -> Result<Json<StrategiesResponse>, ApiError> {
    let strategies = database.read(|tx| Ok(tx.list_strategies()?)).await?;
    Ok(Json(StrategiesResponse { version: ENVELOPE_VERSION, strategies }))
}

pub(in crate::flags) async fn show(
    database: Data<Database>,
    name: Path<String>,
) -> Result<TaggedJson<StrategyDefinition>, ApiError> {
    let strategy = database.read(move |tx| transactions::find(tx, &name)).await?;
    let tag = tag_of(&strategy)?;
    Ok(TaggedJson::ok(strategy, tag))
}

pub(in crate::flags) async fn create(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let strategy = StrategyDefinition::parse(&body.0)?;
    database.write(move |tx| transactions::create_strategy(tx, &strategy, &author.actor_now())).await?;
    Ok(HttpResponse::Created().finish())
}

pub(in crate::flags) async fn replace(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let strategy = StrategyDefinition::parse_replacement(&name, &body.0)?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find(tx, &strategy.name)?))?;
            transactions::replace_strategy(tx, &strategy, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find(tx, &name)?))?;
            transactions::delete_strategy(tx, &name, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn deprecate(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    set_deprecated(&database, name, true, author).await
}

pub(in crate::flags) async fn reactivate(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    set_deprecated(&database, name, false, author).await
}

async fn set_deprecated(
    database: &Database,
    name: Path<String>,
    deprecated: bool,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find(tx, &name)?))?;
            transactions::set_deprecated(tx, &name, deprecated, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}
