//! Signing out. The console's own `/logout` page and the flag service's `/logout` share a path, so the page posts here.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::console::model::LoggedOut;
use crate::error::ApiError;
use crate::proxy::Proxy;

/// Ends the session at the flag service and passes its cookies on. The embedded service has no sessions to end.
///
/// # Errors
/// Those of the proxy, when the flag service cannot be asked.
pub async fn sign_out(
    request: HttpRequest,
    proxy: Option<web::Data<Proxy>>,
) -> Result<HttpResponse, ApiError> {
    match proxy {
        Some(proxy) => proxy.sign_out(&request).await,
        None => Ok(HttpResponse::Ok().json(LoggedOut { location: None })),
    }
}
