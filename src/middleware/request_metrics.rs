//! Records the metrics of requests.

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::Data;

use super::{MiddlewareState, RequestStart};
use crate::error::ERROR_HEADER;
use crate::metrics::{self, InFlight, Metrics};

/// A request whose response has not started.
pub(super) struct RequestMetrics {
    metrics: Data<Metrics>,
    route: &'static str,
    in_flight: InFlight,
}

impl RequestMetrics {
    /// Counts a request as in flight.
    pub(super) fn start(state: &MiddlewareState, path: &str) -> Self {
        let metrics = state.metrics.clone();
        let route = metrics::route_label(state.base_path.strip(path).unwrap_or(path));
        let in_flight = metrics.start_request();
        Self { metrics, route, in_flight }
    }

    /// Records the start of the response.
    pub(super) fn finish(self, request: &RequestStart, status: StatusCode, headers: &HeaderMap) {
        let seconds = request.time.elapsed().as_secs_f64();
        let error_code = headers.get(ERROR_HEADER).and_then(|code| code.to_str().ok());
        self.metrics.record_response(&request.method, self.route, status, error_code, seconds);
        drop(self.in_flight);
    }
}
