//! Sign-out.
//!
//! The console's page `/logout` and the flag service's `GET /logout` have the same path. Browsers that open it get the
//! page, which sends `POST /-/logout`.

use actix_web::guard::GuardContext;
use actix_web::http::Method;
use actix_web::http::header::{LOCATION, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::config::BasePath;
use crate::console::model::LoggedOut;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::Access;
use crate::middleware::{accept, cross_site};
use crate::proxy::Proxy;

/// Query parameter with which the page asks for confirmation.
const CONFIRM: &str = "confirm";

/// Ends the session of the user at the flag service, and passes on its cookies.
///
/// # Errors
/// Those of the proxy with an upstream; storage errors of the embedded flag service.
pub async fn sign_out(
    request: HttpRequest,
    proxy: Option<web::Data<Proxy>>,
    access: Option<web::Data<Access>>,
    flags: Option<web::Data<Flags>>,
) -> Result<HttpResponse, ApiError> {
    if let Some(proxy) = proxy {
        return proxy.sign_out(&request).await;
    }
    let mut response = HttpResponse::Ok();
    if let (Some(access), Some(flags)) = (access, flags) {
        response.insert_header((SET_COOKIE, access.sign_out(&request, &flags).await?));
    }
    Ok(response.json(LoggedOut { location: None }))
}

/// Returns true if a link on another site opens the page `/logout`, which would sign out without confirmation.
#[must_use]
pub fn is_opened_by_other_site(request: &GuardContext<'_>) -> bool {
    let head = request.head();
    head.method == Method::GET
        && accept::lists_media_type(head.headers(), accept::HTML)
        && cross_site::is_from_other_site(head.headers())
        && !head.uri.query().unwrap_or_default().split('&').any(|part| part == CONFIRM)
}

/// Redirects to the page with confirmation, so that a link on another site cannot sign the user out.
pub async fn ask_first(base_path: web::Data<BasePath>) -> HttpResponse {
    let location = format!("{}/logout?{CONFIRM}", base_path.as_str());
    HttpResponse::SeeOther().insert_header((LOCATION, location)).finish()
}
