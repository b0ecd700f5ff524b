//! OpenAPI document of the embedded flag service.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::error::ApiError;
use crate::flags::{Flags, openapi};

/// Path of the document below the base path.
const NAME: &str = "/-/openapi.json";

/// Returns the OpenAPI document, with the base path of the request as its server URL.
///
/// # Errors
/// [`ApiError::UnknownPath`] with an upstream, because the document describes the embedded flag service.
pub async fn show(request: HttpRequest, flags: Option<web::Data<Flags>>) -> Result<HttpResponse, ApiError> {
    let base_path = request.path().strip_suffix(NAME).filter(|_| flags.is_some());
    let base_path = base_path.ok_or_else(|| ApiError::UnknownPath(request.path().to_owned()))?;
    Ok(HttpResponse::Ok().json(openapi::document(base_path)?))
}
