//! One line a request: method, path, status, time, client and its name. Never the query, headers or bodies: they can hold secrets.
//!
//! What thousands of client libraries ask and report by themselves is worth a line only when it goes wrong, or to those
//! who set the level to debug: it would fill disks with lines that say nothing.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

use super::client::Client;
use super::{request_id, with_headers};

/// What client libraries call, below any base path.
const OF_CLIENTS: &str = "/api/client/";

/// Logs the request when its answer begins.
///
/// # Errors
/// Those of the handler, with the same answer.
pub async fn write(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let start = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let address = request.extensions().get::<Client>().map(|client| client.address);
    with_headers(next.call(request).await, |status, headers| {
        let microseconds = start.elapsed().as_micros();
        let id = headers.get(request_id::HEADER).and_then(|id| id.to_str().ok()).unwrap_or_default();
        let client = address.map(tracing::field::display);
        let is_fault = status.is_client_error() || status.is_server_error();
        if path.contains(OF_CLIENTS) && !is_fault {
            tracing::debug!(%method, path, status = status.as_u16(), microseconds, client, id, "request");
        } else {
            tracing::info!(%method, path, status = status.as_u16(), microseconds, client, id, "request");
        }
    })
}
