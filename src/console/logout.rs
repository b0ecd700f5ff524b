//! Signing out. The console's page `/logout` and the flag service's `GET /logout` share a path. Browsers that open it get
//! the page, which posts to `/-/logout`.

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

/// Makes the page ask before it signs out.
const CONFIRM: &str = "confirm";

/// Ends the session at the flag service and passes its cookies on.
///
/// # Errors
/// Those of the proxy when the flag service cannot be asked, and of the embedded one when it cannot keep it.
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

/// Whether a page of another site opens the page that signs out as soon as it is open.
#[must_use]
pub fn is_opened_by_other_site(request: &GuardContext<'_>) -> bool {
    let head = request.head();
    head.method == Method::GET
        && accept::names(head.headers(), accept::HTML)
        && cross_site::is_from_other_site(head.headers())
        && !head.uri.query().unwrap_or_default().split('&').any(|part| part == CONFIRM)
}

/// Redirects to the page with a question, so that a link on another site signs nobody out.
pub async fn ask_first(base_path: web::Data<BasePath>) -> HttpResponse {
    let location = format!("{}/logout?{CONFIRM}", base_path.as_str());
    HttpResponse::SeeOther().insert_header((LOCATION, location)).finish()
}
