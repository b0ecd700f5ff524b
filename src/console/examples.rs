//! Example toggles for an empty embedded flag service.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::console::model::ExamplesLoaded;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::{Access, Permission};

/// Creates the example toggles. Existing toggles are not changed.
///
/// # Errors
/// [`ApiError::UnknownPath`] with an upstream, because it manages its own data; those of [`Access::require`] if the user
/// may not create toggles.
pub async fn load(
    request: HttpRequest,
    flags: Option<web::Data<Flags>>,
    access: Option<web::Data<Access>>,
) -> Result<HttpResponse, ApiError> {
    let (Some(flags), Some(access)) = (flags, access) else {
        return Err(ApiError::UnknownPath(request.path().to_owned()));
    };
    let by = access.authorize(Permission::CreateFeature, &request, &flags).await?;
    let created = flags.load_examples(by).await?;
    Ok(HttpResponse::Created().json(ExamplesLoaded { created }))
}
