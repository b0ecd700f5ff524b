//! What programs can read about the API of the embedded flag service.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::error::ApiError;
use crate::flags::{Flags, openapi};

/// The end of this document's address.
const NAME: &str = "/-/openapi.json";

/// The OpenAPI document, with addresses below the base path under which it was asked for.
///
/// # Errors
/// [`ApiError::UnknownPath`] in front of an upstream: it describes the service inside.
pub async fn show(request: HttpRequest, flags: Option<web::Data<Flags>>) -> Result<HttpResponse, ApiError> {
    let base_path = request.path().strip_suffix(NAME).filter(|_| flags.is_some());
    let base_path = base_path.ok_or_else(|| ApiError::UnknownPath(request.path().to_owned()))?;
    Ok(HttpResponse::Ok().json(openapi::document(base_path)?))
}
