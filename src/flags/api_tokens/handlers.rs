//! Handlers for tokens.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::{rules, service};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::Author;
use crate::flags::auth::token::Token;
use crate::flags::model::{ApiTokensResponse, CreatedApiToken};
use crate::json_body::JsonBody;

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<ApiTokensResponse>, ApiError> {
    let tokens = flags.read(|tx| Ok(tx.list_api_tokens()?)).await?;
    Ok(Json(ApiTokensResponse { tokens }))
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    author: Author,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = rules::parse_new_token(&body.0)?;
    let secret = Token::random()?;
    let hash = secret.hash();
    let token = flags.write(move |tx| service::create(tx, &draft, &hash, &author.actor_now())).await?;
    Ok(HttpResponse::Created().json(CreatedApiToken { token, secret: secret.as_str().to_owned() }))
}

pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    name: Path<String>,
    author: Author,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |tx| service::delete(tx, &name, &author.actor_now())).await?;
    Ok(HttpResponse::Ok().finish())
}
