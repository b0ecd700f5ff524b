//! Access log: one line per request with method, path, status, duration, client and request id. Queries, headers and
//! bodies are never logged, because they can contain secrets. Secrets in paths are masked.
//!
//! Successful requests of client libraries are logged at level debug only: thousands of them poll, and would fill the
//! log.

use std::rc::Rc;

use actix_web::http::StatusCode;

use super::RequestStart;
use super::client::Client;
use crate::journal::request_words::mask_secrets;
use crate::request_id::RequestId;

/// Prefix of the endpoints for client libraries, below any base path.
const CLIENT_API: &str = "/api/client/";

/// Status of a request whose client closed the connection before the response, as in the logs of nginx.
const CLIENT_CLOSED_REQUEST: u16 = 499;

/// Entry of the access log. It is written when it is dropped: at the start of the response, or when the client closes
/// the connection before.
pub(super) struct LogEntry {
    request: RequestStart,
    client: Rc<Client>,
    id: RequestId,
    status: u16,
}

impl LogEntry {
    pub(super) fn new(request: RequestStart, client: Rc<Client>, id: RequestId) -> Self {
        Self { request, client, id, status: CLIENT_CLOSED_REQUEST }
    }

    pub(super) fn request(&self) -> &RequestStart {
        &self.request
    }

    /// Sets the status and writes the entry.
    pub(super) fn finish(mut self, status: StatusCode) {
        self.status = status.as_u16();
    }
}

impl Drop for LogEntry {
    fn drop(&mut self) {
        let Self { request: RequestStart { time, method, uri, environment }, client, id, status } = self;
        let (client, path, id) = (client.address_text(), &*mask_secrets(uri.path()), id.as_str());
        let environment = environment.as_ref().and_then(|name| name.to_str().ok());
        let microseconds = u64::try_from(time.elapsed().as_micros()).unwrap_or(u64::MAX);
        if path.contains(CLIENT_API) && *status < 400 {
            tracing::debug!(%method, path, status, environment, microseconds, %client, id, "request");
        } else {
            tracing::info!(%method, path, status, environment, microseconds, %client, id, "request");
        }
    }
}
