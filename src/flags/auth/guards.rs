//! Middleware that authenticates and authorizes API requests.

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderValue, IfMatch, SET_COOKIE};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpMessage as _, HttpRequest};

use super::{Access, Author, Permission};
use crate::config::TokenScope;
use crate::database::Database;
use crate::error::{ApiError, FailedCondition};
use crate::negotiation::if_match;

/// Rejects requests without a session and stores the user in the request.
pub(in crate::flags) async fn authenticate<B: MessageBody + 'static>(
    access: Data<Access>,
    database: Data<Database>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let authorized = access.authenticate(request.request(), &database).await?;
    request.extensions_mut().insert(authorized.user);
    let mut response = next.call(request).await?;
    if let Some(cookie) = authorized.set_cookie {
        let value = HeaderValue::try_from(cookie).map_err(ApiError::internal)?;
        response.headers_mut().append(SET_COOKIE, value);
    }
    Ok(response)
}

/// Rejects users without the permission and stores the author of the change in the request.
pub(in crate::flags) async fn require_permission<B: MessageBody>(
    permission: Permission,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let author = request.extensions().get().map(|user| Author::authorize(permission, user));
    let author = author.ok_or(ApiError::Forbidden(permission))??;
    request.extensions_mut().insert(author);
    next.call(request).await
}

/// Rejects `If-Match` with tags: the URL of the change has no strong entity tag, so that the condition cannot hold. `*` holds
/// for every URL that exists.
pub(in crate::flags) async fn refuse_conditions<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    if let Some(IfMatch::Items(_)) = if_match(request.request()) {
        return Err(ApiError::PreconditionFailed(FailedCondition::NotConditional).into());
    }
    next.call(request).await
}

/// The scope of a client token with projects, in the request. Other toggles do not exist for it.
pub(in crate::flags) struct TokenProjects(Arc<TokenScope>);

impl TokenProjects {
    /// Returns the projects of the request's token; none if it has all.
    pub(in crate::flags) fn of(request: &HttpRequest) -> Vec<String> {
        let extensions = request.extensions();
        extensions.get::<Self>().map(|Self(scope)| scope.projects.clone()).unwrap_or_default()
    }
}

/// Rejects requests of client libraries without a valid token, if client tokens exist.
pub(in crate::flags) async fn require_client_token<B: MessageBody + 'static>(
    access: Data<Access>,
    database: Data<Database>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let scope = access.check_client_token(Access::token_hash(request.headers()), &database).await?;
    if let Some(scope) = scope.filter(|scope| !scope.projects.is_empty()) {
        request.extensions_mut().insert(TokenProjects(scope));
    }
    next.call(request).await
}
