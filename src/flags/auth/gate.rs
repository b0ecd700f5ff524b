//! What every call of the API passes: who is it, and may they?

use actix_web::HttpMessage as _;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderValue, SET_COOKIE};
use actix_web::middleware::Next;
use actix_web::web::Data;

use super::{Access, Editor, Permission};
use crate::error::ApiError;
use crate::flags::Flags;

/// Lets those pass who are signed in, and notes who it is.
pub(in crate::flags) async fn identify<B: MessageBody + 'static>(
    access: Data<Access>,
    flags: Data<Flags>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let admitted = access.admit(request.request(), &flags).await?;
    request.extensions_mut().insert(admitted.user);
    let mut response = next.call(request).await?;
    if let Some(cookie) = admitted.set_cookie {
        let value = HeaderValue::try_from(cookie).map_err(ApiError::internal)?;
        response.headers_mut().append(SET_COOKIE, value);
    }
    Ok(response)
}

/// Lets users pass who have the permission, and notes in whose name the change is made.
pub(in crate::flags) async fn permit<B: MessageBody>(
    permission: Permission,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let editor = request.extensions().get().map(|user| Editor::with(permission, user));
    let editor = editor.ok_or(ApiError::Forbidden(permission))??;
    request.extensions_mut().insert(editor);
    next.call(request).await
}

/// Lets client libraries pass that show a token, where there are tokens.
pub(in crate::flags) async fn require_token<B: MessageBody + 'static>(
    access: Data<Access>,
    flags: Data<Flags>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    access.admit_client(request.headers(), &flags).await?;
    next.call(request).await
}
