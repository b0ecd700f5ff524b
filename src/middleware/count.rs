//! Counts what is asked and answered.

use std::time::Instant;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Data;

use super::with_headers;
use crate::config::BasePath;
use crate::metrics::Metrics;

/// Counts a request when its answer begins.
///
/// # Errors
/// Those of the handler, with the same answer.
pub async fn count(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let Some(metrics) = request.app_data::<Data<Metrics>>().cloned() else { return next.call(request).await };
    let start = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let base_path = request.app_data::<Data<BasePath>>().cloned();
    let under_way = metrics.begin();
    let answered = with_headers(next.call(request).await, |status, headers| {
        let path = base_path.as_ref().and_then(|base| base.strip(uri.path())).unwrap_or(uri.path());
        metrics.answered(&method, path, status, headers, start.elapsed().as_secs_f64());
    });
    drop(under_way);
    answered
}
