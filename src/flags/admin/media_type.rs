//! Refuses writes that do not say that they are JSON.

use actix_web::HttpMessage as _;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::middleware::Next;

use crate::error::ApiError;

/// Lets a POST or PUT pass only with exactly `Content-Type: application/json`, also one without a body: a page of
/// another site cannot send that without asking first. An address that nothing answers stays a 404.
pub(crate) async fn require_json<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let is_write = matches!(*request.method(), Method::POST | Method::PUT);
    let is_json = request.headers().get(CONTENT_TYPE).is_some_and(|value| value == "application/json");
    if is_write && !is_json && request.match_pattern().is_some() {
        return Err(ApiError::UnsupportedMediaType.into());
    }
    next.call(request).await
}

/// Lets a POST pass only with JSON, whatever parameters its type has: client libraries name a character set.
pub(in crate::flags) async fn require_any_json<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let is_json = request.content_type().eq_ignore_ascii_case("application/json");
    if *request.method() == Method::POST && !is_json && request.match_pattern().is_some() {
        return Err(ApiError::UnsupportedMediaType.into());
    }
    next.call(request).await
}
