//! Middleware that rejects writes whose `Content-Type` is not JSON.

use actix_web::HttpMessage as _;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::middleware::Next;

use crate::error::ApiError;
use crate::flags::state::routes::IMPORT_PATH;
use crate::flags::state::upload;

/// Rejects a POST or PUT whose `Content-Type` is not exactly `application/json`, even if it has no body: a page of
/// another site needs a CORS preflight to send that type. An import also accepts YAML and files. Unknown paths still return
/// 404.
pub(crate) async fn require_json<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let is_write = matches!(*request.method(), Method::POST | Method::PUT);
    let is_json = request.headers().get(CONTENT_TYPE).is_some_and(|value| value == "application/json");
    if is_write
        && !is_json
        && let Some(pattern) = request.match_pattern()
    {
        let is_import = pattern.ends_with(IMPORT_PATH);
        if !is_import || !upload::accepts(request.content_type()) {
            return Err(ApiError::UnsupportedMediaType.into());
        }
    }
    next.call(request).await
}

/// Rejects a POST whose media type is not JSON. Parameters are allowed because client libraries send a charset.
pub(in crate::flags) async fn require_json_media_type<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let is_json = request.content_type().eq_ignore_ascii_case("application/json");
    if *request.method() == Method::POST && !is_json && request.match_pattern().is_some() {
        return Err(ApiError::UnsupportedMediaType.into());
    }
    next.call(request).await
}
