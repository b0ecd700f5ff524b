//! Addons.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::body::JsonBody;
use crate::error::ApiError;
use crate::flags::addons::providers::Provider;
use crate::flags::auth::Editor;
use crate::flags::model::{Addon, AddonsAnswer};
use crate::flags::{Flags, addons, rules};

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<AddonsAnswer>, ApiError> {
    let addons = flags.read(addons::all).await?;
    Ok(Json(AddonsAnswer { addons, providers: Provider::ALL.map(Provider::definition).to_vec() }))
}

pub(in crate::flags) async fn show(flags: Data<Flags>, id: Path<String>) -> Result<Json<Addon>, ApiError> {
    let id = number(&id)?;
    Ok(Json(flags.read(move |tx| addons::find(tx, id)).await?))
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = rules::addon(&body.0)?;
    let secrets = flags.secrets();
    let addon = flags.write(move |tx| addons::create(tx, &secrets, draft, &by.now())).await?;
    Ok(HttpResponse::Created().json(addon))
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    id: Path<String>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let draft = rules::addon(&body.0)?;
    let id = number(&id)?;
    let secrets = flags.secrets();
    flags.write(move |tx| addons::replace(tx, &secrets, id, draft, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    id: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    let id = number(&id)?;
    flags.write(move |tx| addons::delete(tx, id, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

fn number(id: &str) -> Result<i64, ApiError> {
    id.parse().map_err(|_no_number| ApiError::NotFound(format!("There is no addon with the id {id}")))
}
