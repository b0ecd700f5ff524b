//! The strategy definitions.

use actix_web::web::{Data, Json, Path};

use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::model::answers::ENVELOPE_VERSION;
use crate::flags::model::{StrategiesAnswer, StrategyDefinition};

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<StrategiesAnswer>, ApiError> {
    let strategies = flags.read(|session| Ok(session.strategies()?)).await?;
    Ok(Json(StrategiesAnswer { version: ENVELOPE_VERSION, strategies }))
}

pub(in crate::flags) async fn show(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<StrategyDefinition>, ApiError> {
    let strategy = flags.read(move |session| Ok(session.strategy(&name)?)).await?;
    strategy.map(Json).ok_or_else(|| ApiError::NotFound("Could not find strategy".to_owned()))
}
