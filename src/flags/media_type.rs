//! Media types of request bodies: JSON, and the formats of an import. Middleware that rejects writes with another
//! `Content-Type`.

use actix_web::HttpMessage as _;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::middleware::Next;

use crate::error::ApiError;

/// Path of the import. It accepts more media types than JSON.
pub(in crate::flags) const IMPORT_PATH: &str = "/state/import";

/// The format of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flags) enum Format {
    /// JSON.
    Json,
    /// YAML 1.2.
    Yaml,
}

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
        if !is_import || !is_accepted_by_import(request.content_type()) {
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

/// Returns true for the content types that an import accepts. A page of another site can send a form without a CORS
/// preflight; the check of its origin refuses it (`middleware/cross_site.rs`).
fn is_accepted_by_import(media_type: &str) -> bool {
    format_of(media_type).is_some() || is_form(media_type)
}

/// Returns the format of a state with a media type; `None` for other types.
pub(in crate::flags) fn format_of(media_type: &str) -> Option<Format> {
    match media_type.to_ascii_lowercase().as_str() {
        "application/json" => Some(Format::Json),
        "application/yaml" | "application/x-yaml" | "text/yaml" | "text/x-yaml" => Some(Format::Yaml),
        _ => None,
    }
}

/// Returns whether a media type is a form that can contain files.
pub(in crate::flags) fn is_form(media_type: &str) -> bool {
    media_type.eq_ignore_ascii_case("multipart/form-data")
}
