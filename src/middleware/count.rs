//! Counts what is asked and answered.

use actix_web::dev::ServiceRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::Data;

use super::Asked;
use crate::config::BasePath;
use crate::metrics::{self, Metrics, UnderWay};

/// A request whose answer has not begun.
pub(super) struct Counting {
    metrics: Data<Metrics>,
    route: &'static str,
    under_way: UnderWay,
}

/// Counts a request as under way, where anything is counted.
pub(super) fn begin(request: &ServiceRequest) -> Option<Counting> {
    let metrics = request.app_data::<Data<Metrics>>()?.clone();
    let path = request.uri().path();
    let below = request.app_data::<Data<BasePath>>().and_then(|base| base.strip(path)).unwrap_or(path);
    let under_way = metrics.begin();
    Some(Counting { metrics, route: metrics::route(below), under_way })
}

impl Counting {
    /// Its answer begins.
    pub(super) fn end(self, asked: &Asked, status: StatusCode, headers: &HeaderMap) {
        let seconds = asked.at.elapsed().as_secs_f64();
        self.metrics.answered(&asked.method, self.route, status, headers, seconds);
        drop(self.under_way);
    }
}
