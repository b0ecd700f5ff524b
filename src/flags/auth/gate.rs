//! What every call of `api/admin` passes: who is it, and may they?

use actix_web::HttpMessage as _;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

use super::{Editor, Permission};
use crate::error::ApiError;
use crate::flags::model::{self, User};

/// Nobody signs in: whoever reaches this service is its operator.
pub(in crate::flags) async fn identify<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    request.extensions_mut().insert(operator());
    next.call(request).await
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

fn operator() -> User {
    User {
        username: Some("operator".to_owned()),
        permissions: Some(vec![model::Permission::Name(Permission::Admin.to_string())]),
        ..User::default()
    }
}
