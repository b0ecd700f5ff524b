//! Handlers for context fields.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::transactions;
use crate::api::ContextField;
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::flags::validation::{NameCheck, RequestBody as _, name_of};
use crate::json_body::JsonBody;

/// Lists the context fields: a JSON array without an envelope, unlike the other lists.
pub(in crate::flags) async fn list(database: Data<Database>) -> Result<Json<Vec<ContextField>>, ApiError> {
    Ok(Json(database.read(|tx| Ok(tx.list_context_fields()?)).await?))
}

pub(in crate::flags) async fn show(
    database: Data<Database>,
    name: Path<String>,
) -> Result<TaggedJson<ContextField>, ApiError> {
    let field = database.read(move |tx| transactions::find_field(tx, &name)).await?;
    let tag = tag_of(&field)?;
    Ok(TaggedJson::ok(field, tag))
}

pub(in crate::flags) async fn validate(
    database: Data<Database>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let name = NameCheck::parse(&body.0)?.0;
    database.read(move |tx| transactions::check_field_name_is_free(tx, &name)).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn create(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (parsed, name) = (ContextField::parse(&body.0), name_of(&body.0));
    let check = move |tx: &Transaction<'_>| transactions::check_field_name_is_free(tx, &name);
    let field = database.check_before_body(parsed, check).await?;
    database.write(move |tx| transactions::create_field(tx, &field, &author.actor_now())).await?;
    Ok(HttpResponse::Created().finish())
}

pub(in crate::flags) async fn replace(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let parsed = ContextField::parse_replacement(&name, &body.0);
    let field = database.check_before_body(parsed, move |tx| transactions::find_field(tx, &name)).await?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&transactions::find_field(tx, &field.name)?))?;
            transactions::replace_field(tx, &field, &actor)
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
            let actor = author.actor_if_match(|| tag_of(&transactions::find_field(tx, &name)?))?;
            transactions::delete_field(tx, &name, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}
