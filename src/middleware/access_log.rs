//! One line a request: method, path, status and time. Never the query, headers or bodies: they can hold secrets.

use std::time::Instant;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

/// Logs the request when its answer begins.
///
/// # Errors
/// Those of the handler, unchanged.
pub async fn write(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let start = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = next.call(request).await?;
    let microseconds = start.elapsed().as_micros();
    tracing::info!(%method, path, status = response.status().as_u16(), microseconds, "request");
    Ok(response)
}
