//! Reads the body of a write.

pub(in crate::flags) mod count;

use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use serde_json::Value;

use self::count::Count;
use crate::error::ApiError;

/// How much of a body is read: a toggle is a few kilobytes.
const LIMIT: usize = 1024 * 1024;
/// How long all of it may take. The HTTP server has a deadline for heads and none for bodies.
const DEADLINE: Duration = Duration::from_secs(30);

/// A body of JSON, whatever it says: the rules are for `rules`.
#[derive(Debug)]
pub(in crate::flags) struct JsonBody(pub(in crate::flags) Value);

impl FromRequest for JsonBody {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let payload = web::Payload::from_request(request, payload);
        Box::pin(async move {
            let read = payload.await.map_err(unreadable)?.to_bytes_limited(LIMIT);
            let bytes = tokio::time::timeout(DEADLINE, read)
                .await
                .map_err(|_late| ApiError::BodyTimeout { seconds: DEADLINE.as_secs_f64() })?
                .map_err(|_too_large| ApiError::BodyTooLarge { limit: LIMIT })?
                .map_err(unreadable)?;
            Count::of(&bytes).check()?;
            let value = serde_json::from_slice(&bytes)
                .map_err(|cause| ApiError::BadBody(format!("The request body is not valid JSON: {cause}")))?;
            Ok(Self(value))
        })
    }
}

fn unreadable(cause: impl Display) -> ApiError {
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
    use crate::error::ApiError;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_coming_is_not_waited_for() {
        let silence: Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>> = Box::pin(stream::pending());
        let mut payload = Payload::from(silence);
        let read = JsonBody::from_request(&TestRequest::default().to_http_request(), &mut payload).await;
        assert!(matches!(read, Err(ApiError::BodyTimeout { .. })), "{read:?}");
    }
}
