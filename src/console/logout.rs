//! Signing out. The console's own `/logout` page and the flag service's `/logout` share a path, so the page posts here.

use actix_web::http::header::SET_COOKIE;
use actix_web::{HttpRequest, HttpResponse, web};

use crate::console::model::LoggedOut;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::Access;
use crate::proxy::Proxy;

/// Ends the session at the flag service and passes its cookies on.
///
/// # Errors
/// Those of the proxy when the flag service cannot be asked, and of the embedded one when it cannot keep it.
pub async fn sign_out(
    request: HttpRequest,
    body: web::Payload,
    proxy: Option<web::Data<Proxy>>,
    access: Option<web::Data<Access>>,
    flags: Option<web::Data<Flags>>,
) -> Result<HttpResponse, ApiError> {
    if let Some(proxy) = proxy {
        return proxy.sign_out(&request, body).await;
    }
    let mut response = HttpResponse::Ok();
    if let (Some(access), Some(flags)) = (access, flags) {
        response.insert_header((SET_COOKIE, access.sign_out(&request, &flags).await?));
    }
    Ok(response.json(LoggedOut { location: None }))
}
