//! What applications reported about toggles.

use std::collections::BTreeMap;

use actix_web::web::{Data, Json};

use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::model::{SeenApp, ToggleMetrics};

pub(in crate::flags) async fn of_toggles(flags: Data<Flags>) -> Json<ToggleMetrics> {
    Json(flags.metrics())
}

pub(in crate::flags) async fn seen_apps(
    flags: Data<Flags>,
) -> Result<Json<BTreeMap<String, Vec<SeenApp>>>, ApiError> {
    Ok(Json(flags.read_reported(|session| Ok(session.seen_apps()?)).await?))
}
