//! Reads the JSON body of a request within limits.

pub(crate) mod content_coding;
pub(crate) mod value_count;

use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, web};
use bytes::Bytes;
use serde_json::Value;

use self::value_count::{MAX_OBJECTS, MAX_VALUES, ValueCount};
use crate::error::{ApiError, DomainError};
use crate::upstream::error::BodyError;

/// Maximum time to receive a request body. The HTTP server has a timeout for request heads only.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The limits of a request body.
#[derive(Debug)]
pub(crate) struct BodyLimits {
    /// Maximum size in bytes.
    pub(crate) bytes: usize,
    /// Maximum number of JSON values, including nested values.
    pub(crate) values: usize,
    /// Maximum number of JSON objects.
    pub(crate) objects: usize,
}

/// The limits of a change. A toggle takes a few kilobytes.
pub(crate) const CHANGE: BodyLimits =
    BodyLimits { bytes: 1024 * 1024, values: MAX_VALUES, objects: MAX_OBJECTS };

/// A request body that is valid JSON. `rules` validates its content.
#[derive(Debug)]
pub(crate) struct JsonBody(pub(crate) Value);

/// Reads a body that is presumably JSON. It does not exceed the limits, so that parsing it takes little memory.
pub(crate) async fn read_body(payload: web::Payload, limits: &BodyLimits) -> Result<Bytes, ApiError> {
    let bytes = read_bytes(payload, limits).await?;
    check_values(&bytes, limits)?;
    Ok(bytes)
}

/// Checks that the values of a JSON text do not exceed the limits.
pub(crate) fn check_values(text: &[u8], limits: &BodyLimits) -> Result<(), ApiError> {
    ValueCount::scan(text).check_limits(limits)
}

/// Reads a body of any format within the limits of size and time.
pub(crate) async fn read_bytes(payload: web::Payload, limits: &BodyLimits) -> Result<Bytes, ApiError> {
    let read = payload.to_bytes_limited(limits.bytes);
    tokio::time::timeout(BODY_TIMEOUT, read)
        .await
        .map_err(|_late| BodyError::Timeout { limit: BODY_TIMEOUT })?
        .map_err(|_too_large| BodyError::TooLarge { limit: limits.bytes })?
        .map_err(read_error)
}

impl JsonBody {
    /// Reads the body of a request whose user was checked: nobody else can keep this program waiting for one.
    pub(crate) async fn read(payload: web::Payload) -> Result<Self, ApiError> {
        let bytes = read_body(payload, &CHANGE).await?;
        let value = serde_json::from_slice(&bytes)
            .map_err(|cause| ApiError::BadBody(format!("The request body is not valid JSON: {cause}")))?;
        Ok(Self(value))
    }
}

impl FromRequest for JsonBody {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let payload = web::Payload::from_request(request, payload);
        Box::pin(async move { Self::read(payload.await.map_err(read_error)?).await })
    }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        let (code, status) = match error {
            BodyError::Incomplete(_) => return Self::BadBody(error.to_string()),
            BodyError::TooLarge { .. } => ("body_too_large", StatusCode::PAYLOAD_TOO_LARGE),
            BodyError::Timeout { .. } => ("body_timeout", StatusCode::REQUEST_TIMEOUT),
            BodyError::TooSlow { .. } => ("body_too_slow", StatusCode::REQUEST_TIMEOUT),
        };
        DomainError::new(code, status, error.to_string()).close_connection().into()
    }
}

fn read_error(cause: impl Display) -> ApiError {
    ApiError::BadBody(format!("The request body could not be read: {cause}"))
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use actix_web::FromRequest as _;
    use actix_web::dev::Payload;
    use actix_web::error::PayloadError;
    use actix_web::test::TestRequest;
    use bytes::Bytes;
    use futures_util::{Stream, stream};

    use super::JsonBody;

    #[tokio::test(start_paused = true)]
    async fn a_stalled_body_times_out() {
        let stalled: Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>> = Box::pin(stream::pending());
        let mut payload = Payload::from(stalled);
        let read = JsonBody::from_request(&TestRequest::default().to_http_request(), &mut payload).await;
        assert_eq!(read.unwrap_err().code(), "body_timeout");
    }
}
