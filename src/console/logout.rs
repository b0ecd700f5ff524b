//! The page `/logout`, which has the same path as the flag service's `GET /logout`.
//!
//! Browsers that open it get the page, which sends `POST /-/logout`.

use actix_web::guard::GuardContext;
use actix_web::http::Method;
use actix_web::http::header::LOCATION;
use actix_web::{HttpResponse, web};

use crate::config::BasePath;
use crate::middleware::{accept, cross_site};

/// Query parameter with which the page asks for confirmation.
const CONFIRM: &str = "confirm";

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
