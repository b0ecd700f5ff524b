//! One line a request: method, path, status and time. Never the query, headers or bodies: they can hold secrets.
//!
//! What thousands of client libraries ask and report by themselves is worth a line only when it goes wrong, or to those
//! who set the level to debug: it would fill disks with lines that say nothing.

use std::time::Instant;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

/// What client libraries call, below any base path.
const OF_CLIENTS: &str = "/api/client/";

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
    let status = response.status();
    let is_fault = status.is_client_error() || status.is_server_error();
    if path.contains(OF_CLIENTS) && !is_fault {
        tracing::debug!(%method, path, status = status.as_u16(), microseconds, "request");
    } else {
        tracing::info!(%method, path, status = status.as_u16(), microseconds, "request");
    }
    Ok(response)
}
