//! The impact metrics that applications report. The routes check that the user is signed in.

use actix_web::{HttpRequest, HttpResponse};
use url::form_urlencoded;

use crate::error::ApiError;
use crate::impact_metrics::ImpactMetrics;

/// Maximum number of applications in a request.
const MAX_APPLICATIONS: usize = 100;

/// Returns the metrics of a toggle (`toggle`), and those that applications (`application`, several times) report without a toggle.
pub(crate) fn show(metrics: &ImpactMetrics, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let (mut toggle, mut applications) = (None, Vec::new());
    for (name, value) in form_urlencoded::parse(request.query_string().as_bytes()) {
        match &*name {
            "toggle" => toggle = Some(value),
            "application" if applications.len() < MAX_APPLICATIONS => applications.push(value.into_owned()),
            _ => {}
        }
    }
    let Some(toggle) = toggle else {
        return Err(ApiError::invalid("toggle", "\"toggle\" must be the name of a toggle".to_owned()));
    };
    Ok(HttpResponse::Ok().json(metrics.of_toggle(&toggle, &applications)))
}
