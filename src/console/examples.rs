//! The example toggles that an empty embedded service offers.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::console::model::ExamplesLoaded;
use crate::error::ApiError;
use crate::flags::Flags;

/// Loads them; names that exist are left as they are.
///
/// # Errors
/// [`ApiError::UnknownPath`] in front of an upstream: its data is not ours to fill.
pub async fn load(request: HttpRequest, flags: Option<web::Data<Flags>>) -> Result<HttpResponse, ApiError> {
    let flags = flags.ok_or_else(|| ApiError::UnknownPath(request.path().to_owned()))?;
    let created = flags.load_examples("operator").await?;
    Ok(HttpResponse::Created().json(ExamplesLoaded { created }))
}
