//! One line a request: method, path, status, time, client and its name. Never the query, headers or bodies: they can hold secrets.
//!
//! What thousands of client libraries ask and report by themselves is worth a line only when it goes wrong, or to those
//! who set the level to debug: it would fill disks with lines that say nothing.

use std::net::IpAddr;
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

use super::client::Client;
use super::{request_id, with_headers};

/// What client libraries call, below any base path.
const OF_CLIENTS: &str = "/api/client/";

/// Stands for the status of an answer that nobody waited for, as in the logs of other proxies.
const LEFT: u16 = 499;

/// Logs the request when its answer begins, or when its client leaves before.
///
/// # Errors
/// Those of the handler, with the same answer.
pub async fn write(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut line = Line {
        start: Instant::now(),
        method: request.method().clone(),
        path: request.uri().path().to_owned(),
        address: request.extensions().get::<Client>().map(|client| client.address),
        status: LEFT,
    };
    with_headers(next.call(request).await, |status, _| {
        line.status = status.as_u16();
        drop(line);
    })
}

/// What is logged of a request as soon as this goes.
struct Line {
    start: Instant,
    method: Method,
    path: String,
    address: Option<IpAddr>,
    status: u16,
}

impl Drop for Line {
    fn drop(&mut self) {
        let Self { start, method, path, address, status } = self;
        let microseconds = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        let client = address.map(tracing::field::display);
        request_id::with_current(|id| {
            if path.contains(OF_CLIENTS) && *status < 400 {
                tracing::debug!(%method, path, status, microseconds, client, id, "request");
            } else {
                tracing::info!(%method, path, status, microseconds, client, id, "request");
            }
        });
    }
}
