//! Handlers for the usage counts of toggles.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::{Data, Json};

use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::applications::seen_apps;
use crate::flags::model::ToggleMetrics;

pub(in crate::flags) async fn toggle_metrics(flags: Data<Flags>) -> Json<ToggleMetrics> {
    Json(flags.metrics().await)
}

pub(in crate::flags) async fn seen_apps(flags: Data<Flags>) -> Result<HttpResponse, ApiError> {
    let body = flags.read_with_usage(seen_apps::list_json).await?;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(body))
}
