//! The page of a refused sign-in. The browser has left the console, so that the console cannot show the message.

use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::{HttpResponse, ResponseError as _};

use super::Refused;
use crate::config::OIDC_START_PATH;
use crate::error::{ApiError, ERROR_HEADER};
use crate::request_id::RequestId;

const TEMPLATE: &str = include_str!("page.html");
/// Nothing is loaded, and nothing runs. Styles are part of the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the page with the reason and the remedy.
#[must_use]
pub fn refusal_page(refused: Refused, base_path: &str) -> HttpResponse {
    let (refusal, error) = (refused.refusal, ApiError::from(refused));
    let id = RequestId::current().map(|id| id.as_str().to_owned()).unwrap_or_default();
    // The texts need no escaping: messages and codes are constants, and base paths and ids cannot contain markup characters.
    let page = TEMPLATE
        .replace("{message}", refusal.message())
        .replace("{code}", refusal.code())
        .replace("{id}", &id)
        .replace("{start}", &format!("{base_path}{OIDC_START_PATH}"))
        .replace("{home}", &format!("{base_path}/"));
    HttpResponse::build(error.status_code())
        .content_type("text/html; charset=utf-8")
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((ERROR_HEADER, HeaderValue::from_static(refusal.code())))
        .body(page)
}
