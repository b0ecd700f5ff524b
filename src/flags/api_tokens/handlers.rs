//! Handlers for tokens.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::transactions;
use crate::api::{ApiTokenDraft, ApiTokensResponse, CreatedApiToken, DeletedApiToken};
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::auth::token::Token;
use crate::flags::auth::{Access, Author};
use crate::flags::validation::RequestBody as _;
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(database: Data<Database>) -> Result<Json<ApiTokensResponse>, ApiError> {
    let tokens = database.read(|tx| Ok(tx.list_api_tokens()?)).await?;
    Ok(Json(ApiTokensResponse { tokens }))
}

pub(in crate::flags) async fn create(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = ApiTokenDraft::parse(&body.0)?;
    let secret = Token::random()?;
    let hash = secret.hash();
    let token =
        database.write(move |tx| transactions::create(tx, &draft, &hash, &author.actor_now())).await?;
    Ok(HttpResponse::Created().json(CreatedApiToken { token, secret: secret.as_str().to_owned() }))
}

pub(in crate::flags) async fn delete(
    database: Data<Database>,
    access: Data<Access>,
    name: Path<String>,
    author: Author,
) -> Result<Json<DeletedApiToken>, ApiError> {
    let requires_client_tokens = access.requires_client_tokens();
    let work = move |tx: &Transaction<'_>| {
        transactions::delete(tx, &name, &author.actor_now())?;
        let is_client_api_public = !requires_client_tokens && !tx.has_client_tokens()?;
        Ok(DeletedApiToken { name: name.into_inner(), is_client_api_public })
    };
    Ok(Json(database.write(work).await?))
}
