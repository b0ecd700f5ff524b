//! The endpoints of the console below `/-/` that the embedded flag service handles.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::SET_COOKIE;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::Flags;
use super::auth::{Access, Permission, guards};
use crate::console_api::{ExamplesLoaded, LoggedOut};
use crate::error::ApiError;

/// Ends the session of the user.
///
/// # Errors
/// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be written.
pub(crate) async fn sign_out(
    request: HttpRequest,
    access: Data<Access>,
    flags: Data<Flags>,
) -> Result<HttpResponse, ApiError> {
    let cookie = access.sign_out(&request, &flags).await?;
    Ok(HttpResponse::Ok().insert_header((SET_COOKIE, cookie)).json(LoggedOut { location: None }))
}

/// Creates the example toggles. Existing toggles are not changed.
///
/// # Errors
/// Those of [`Access::authorize`] if the user may not create toggles.
pub(crate) async fn load_examples(
    request: HttpRequest,
    access: Data<Access>,
    flags: Data<Flags>,
) -> Result<HttpResponse, ApiError> {
    let author = access.authorize(Permission::CreateFeature, &request, &flags).await?;
    let created = flags.load_examples(author).await?;
    Ok(HttpResponse::Created().json(ExamplesLoaded { created }))
}

/// Middleware that requires a session, if users sign in.
///
/// # Errors
/// [`ApiError::SignIn`] without a valid session, and those of the handler.
pub(crate) async fn authenticate<B: MessageBody + 'static>(
    access: Data<Access>,
    flags: Data<Flags>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    guards::authenticate(access, flags, request, next).await
}
