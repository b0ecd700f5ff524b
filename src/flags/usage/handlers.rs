//! Handlers for the usage counts of toggles.

use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use jiff::Timestamp;

use super::{UsageReports, history};
use crate::api::{MetricsOfToggle, ToggleMetrics, UsageHistory};
use crate::error::ApiError;

pub(in crate::flags) async fn toggle_metrics(usage: Data<UsageReports>) -> Json<ToggleMetrics> {
    Json(usage.metrics().await)
}

/// Returns empty counts for a toggle without reports, also if it does not exist.
pub(in crate::flags) async fn metrics_of_toggle(
    usage: Data<UsageReports>,
    name: Path<String>,
) -> Json<MetricsOfToggle> {
    Json(usage.metrics_of(&name).await)
}

/// Returns an empty list for a toggle without reports, also if it does not exist.
pub(in crate::flags) async fn minutes(
    usage: Data<UsageReports>,
    name: Path<String>,
) -> Result<Json<UsageHistory>, ApiError> {
    let now = Timestamp::now();
    Ok(Json(usage.read_with_pending(move |tx| history::list_minutes(tx, &name, now)).await?))
}

/// Returns an empty list for a toggle without reports, also if it does not exist.
pub(in crate::flags) async fn hours(
    usage: Data<UsageReports>,
    request: HttpRequest,
    name: Path<String>,
) -> Result<Json<UsageHistory>, ApiError> {
    let (hours, now) = (history::parse_hours_back(request.query_string()), Timestamp::now());
    Ok(Json(usage.read_with_pending(move |tx| history::list_hours(tx, &name, hours, now)).await?))
}
