//! One line a request: method, path, status, time, client and its name. Never the query, headers or bodies: they can hold secrets.
//!
//! What thousands of client libraries ask and report by themselves is worth a line only when it goes wrong, or to those
//! who set the level to debug: it would fill disks with lines that say nothing.

use std::net::IpAddr;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;

use super::Asked;

/// What client libraries call, below any base path.
const OF_CLIENTS: &str = "/api/client/";

/// Logs a request whose answer begins.
pub(super) fn write(asked: &Asked, status: StatusCode, client: IpAddr, id: &HeaderValue) {
    let Asked { method, uri, at } = asked;
    let (path, microseconds) = (uri.path(), at.elapsed().as_micros());
    let id = id.to_str().unwrap_or_default();
    let is_fault = status.is_client_error() || status.is_server_error();
    if path.contains(OF_CLIENTS) && !is_fault {
        tracing::debug!(%method, path, status = status.as_u16(), microseconds, %client, id, "request");
    } else {
        tracing::info!(%method, path, status = status.as_u16(), microseconds, %client, id, "request");
    }
}
