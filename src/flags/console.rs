//! The endpoints of the console below `/-/` that the embedded flag service handles.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::auth::{Access, Permission, guards};
use super::database::Database;
use super::examples;
use crate::console_api::ExamplesLoaded;
use crate::error::ApiError;

/// Checks that the user may read data of this program that only administrators see.
///
/// # Errors
/// [`ApiError::SignIn`] without a valid session, [`ApiError::Forbidden`] for other users.
pub(crate) async fn require_administrator(
    request: &HttpRequest,
    access: Data<Access>,
    database: Data<Database>,
) -> Result<(), ApiError> {
    access.authorize(Permission::Admin, request, &database).await.map(drop)
}

/// Returns the name of the user, who must have the permission to update toggles.
///
/// # Errors
/// [`ApiError::SignIn`] without a valid session, [`ApiError::Forbidden`] for other users.
pub(crate) async fn require_editor(
    request: &HttpRequest,
    access: Data<Access>,
    database: Data<Database>,
) -> Result<String, ApiError> {
    Ok(access.authorize(Permission::UpdateFeature, request, &database).await?.name().to_owned())
}

/// Creates the example toggles. Existing toggles are not changed.
pub(crate) async fn load_examples(
    request: HttpRequest,
    access: Data<Access>,
    database: Data<Database>,
) -> Result<HttpResponse, ApiError> {
    let author = access.authorize(Permission::CreateFeature, &request, &database).await?;
    let created = examples::load_all(&database, author).await?;
    Ok(HttpResponse::Created().json(ExamplesLoaded { created }))
}

/// Middleware that requires a session, if users sign in.
///
/// # Errors
/// [`ApiError::SignIn`] without a valid session, or the errors of the handler.
pub(crate) async fn authenticate<B: MessageBody + 'static>(
    access: Data<Access>,
    database: Data<Database>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    guards::authenticate(access, database, request, next).await
}
