//! Handlers for the usage counts of toggles.

use actix_web::http::header::ContentType;
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;

use super::history;
use crate::api::{MetricsOfToggle, SeenToggles, ToggleMetrics, UsageHistory};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::applications::{seen_apps, service as applications};

pub(in crate::flags) async fn toggle_metrics(flags: Data<Flags>) -> Json<ToggleMetrics> {
    Json(flags.metrics().await)
}

/// Returns empty counts for a toggle without reports, also if it does not exist.
pub(in crate::flags) async fn metrics_of_toggle(
    flags: Data<Flags>,
    name: Path<String>,
) -> Json<MetricsOfToggle> {
    Json(flags.metrics_of(&name).await)
}

pub(in crate::flags) async fn seen_toggles(flags: Data<Flags>) -> Result<Json<Vec<SeenToggles>>, ApiError> {
    Ok(Json(flags.read_with_usage(applications::list_seen_toggles).await?))
}

pub(in crate::flags) async fn seen_apps(flags: Data<Flags>) -> Result<HttpResponse, ApiError> {
    let body = flags.read_with_usage(seen_apps::list_json).await?;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(body))
}

/// Returns an empty list for a toggle without reports, also if it does not exist.
pub(in crate::flags) async fn minutes(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<UsageHistory>, ApiError> {
    let now = Timestamp::now();
    Ok(Json(flags.read_with_usage(move |tx| history::list_minutes(tx, &name, now)).await?))
}

/// Returns an empty list for a toggle without reports, also if it does not exist.
pub(in crate::flags) async fn hours(
    flags: Data<Flags>,
    request: HttpRequest,
    name: Path<String>,
) -> Result<Json<UsageHistory>, ApiError> {
    let (hours, now) = (history::parse_hours_back(request.query_string()), Timestamp::now());
    Ok(Json(flags.read_with_usage(move |tx| history::list_hours(tx, &name, hours, now)).await?))
}
