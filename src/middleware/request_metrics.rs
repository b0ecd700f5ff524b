//! Records the metrics of requests.

use actix_web::dev::ServiceRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::Data;

use super::RequestStart;
use crate::config::BasePath;
use crate::metrics::{self, InFlight, Metrics};

/// A request whose response has not started.
pub(super) struct RequestMetrics {
    metrics: Data<Metrics>,
    route: &'static str,
    in_flight: InFlight,
}

/// Counts a request as in flight; `None` if the app has no metrics.
pub(super) fn start(request: &ServiceRequest) -> Option<RequestMetrics> {
    let metrics = request.app_data::<Data<Metrics>>()?.clone();
    let path = request.uri().path();
    let below = request.app_data::<Data<BasePath>>().and_then(|base| base.strip(path)).unwrap_or(path);
    let in_flight = metrics.start_request();
    Some(RequestMetrics { metrics, route: metrics::route_label(below), in_flight })
}

impl RequestMetrics {
    /// Records the start of the response.
    pub(super) fn finish(self, request: &RequestStart, status: StatusCode, headers: &HeaderMap) {
        let seconds = request.time.elapsed().as_secs_f64();
        self.metrics.record_response(&request.method, self.route, status, headers, seconds);
        drop(self.in_flight);
    }
}
