//! Avatars: the images to which `imageUrl` of the embedded flag service refers.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse};

use crate::avatar::Avatar;
use crate::error::ApiError;

/// Returns the image that the file name describes. It never changes, so that browsers may cache it forever.
///
/// # Errors
/// [`ApiError::UnknownPath`] for other names.
pub(crate) fn show(request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let file = request.match_info().query("file");
    let avatar =
        Avatar::from_file_name(file).ok_or_else(|| ApiError::UnknownPath(request.path().to_owned()))?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "image/svg+xml"))
        .insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .body(avatar.svg()))
}
