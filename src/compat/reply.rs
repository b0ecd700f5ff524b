//! Responses of the flag service.

use actix_web::HttpResponse;
use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use bytes::Bytes;

/// A complete response of the flag service.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    /// Status code.
    pub(super) status: StatusCode,
    /// Headers that are meant for the client.
    pub(super) headers: HeaderMap,
    /// Body, not encoded.
    pub(super) body: Bytes,
}

impl Reply {
    /// Creates a response without headers and body.
    #[cfg(test)]
    pub(super) fn with_status(status: u16) -> Self {
        let status = StatusCode::from_u16(status).unwrap();
        Self { status, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// Returns a header.
    #[must_use]
    pub(super) fn header(&self, name: &HeaderName) -> Option<&HeaderValue> {
        self.headers.get(name)
    }

    /// Returns true if the server limits the number of these requests.
    #[must_use]
    pub(super) fn is_rate_limited(&self) -> bool {
        self.headers.contains_key("ratelimit-policy")
    }

    /// Passes the response to the client.
    #[must_use]
    pub(super) fn into_response(self) -> HttpResponse {
        let mut response = HttpResponse::new(self.status);
        // The body is not encoded and complete, so that only its type and the time to wait are passed on.
        for name in [CONTENT_TYPE, RETRY_AFTER] {
            if let Some(value) = self.headers.get(&name) {
                response.headers_mut().insert(name, value.clone());
            }
        }
        response.set_body(BoxBody::new(self.body))
    }
}
