//! Reads the body of a write.

use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use serde_json::Value;

use crate::error::ApiError;

/// How much of a body is read: a toggle is a few kilobytes.
const LIMIT: usize = 1024 * 1024;

/// A body of JSON, whatever it says: the rules are for `rules`.
#[derive(Debug)]
pub(in crate::flags) struct JsonBody(pub(in crate::flags) Value);

impl FromRequest for JsonBody {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let payload = web::Payload::from_request(request, payload);
        Box::pin(async move {
            let bytes = payload
                .await
                .map_err(unreadable)?
                .to_bytes_limited(LIMIT)
                .await
                .map_err(|_too_large| ApiError::BodyTooLarge { limit: LIMIT })?
                .map_err(unreadable)?;
            let value = serde_json::from_slice(&bytes)
                .map_err(|cause| ApiError::BadBody(format!("The request body is not valid JSON: {cause}")))?;
            Ok(Self(value))
        })
    }
}

fn unreadable(cause: impl Display) -> ApiError {
    ApiError::BadBody(format!("The request body could not be read: {cause}"))
}
