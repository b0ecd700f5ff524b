//! The strategy definitions.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::body::JsonBody;
use crate::error::ApiError;
use crate::flags::auth::Editor;
use crate::flags::model::answers::ENVELOPE_VERSION;
use crate::flags::model::{StrategiesAnswer, StrategyDefinition};
use crate::flags::{Flags, definitions, rules};

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<StrategiesAnswer>, ApiError> {
    let strategies = flags.read(|tx| Ok(tx.list_strategies()?)).await?;
    Ok(Json(StrategiesAnswer { version: ENVELOPE_VERSION, strategies }))
}

pub(in crate::flags) async fn show(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<StrategyDefinition>, ApiError> {
    let strategy = flags.read(move |tx| Ok(tx.find_strategy(&name)?)).await?;
    strategy.map(Json).ok_or_else(|| ApiError::NotFound("Could not find strategy".to_owned()))
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let strategy = rules::new_strategy(&body.0)?;
    flags.write(move |tx| definitions::create_strategy(tx, &strategy, &by.now())).await?;
    Ok(HttpResponse::Created().finish())
}

pub(in crate::flags) async fn replace(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let strategy = rules::replaced_strategy(name.into_inner(), &body.0)?;
    flags.write(move |tx| definitions::replace_strategy(tx, &strategy, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |tx| definitions::delete_strategy(tx, &name, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn deprecate(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    set_deprecated(&flags, name, true, by).await
}

pub(in crate::flags) async fn reactivate(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    set_deprecated(&flags, name, false, by).await
}

async fn set_deprecated(
    flags: &Flags,
    name: Path<String>,
    deprecated: bool,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |tx| definitions::set_deprecated(tx, &name, deprecated, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}
