//! Health endpoint.

use actix_web::HttpResponse;
use serde_json::json;

/// Responds with success while the program runs.
pub(crate) fn show() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "status": "ok" }))
}
