//! The example toggles that an empty embedded service offers.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::console::model::ExamplesLoaded;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::{Access, Permission};

/// Loads them; names that exist are left as they are.
///
/// # Errors
/// [`ApiError::UnknownPath`] in front of an upstream: its data is not ours to fill. Those of
/// [`Access::require`] for whoever may not create toggles.
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
