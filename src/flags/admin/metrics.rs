//! What applications reported. Nothing takes reports yet, so that there is never any.

use std::collections::BTreeMap;

use actix_web::web::Json;

use crate::flags::model::{SeenApp, ToggleMetrics};

pub(in crate::flags) async fn of_toggles() -> Json<ToggleMetrics> {
    Json(ToggleMetrics::default())
}

pub(in crate::flags) async fn seen_apps() -> Json<BTreeMap<String, Vec<SeenApp>>> {
    Json(BTreeMap::new())
}
