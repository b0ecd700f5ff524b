//! Liveness.

use actix_web::HttpResponse;
use serde_json::json;

/// Answers while the program runs.
pub async fn show() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "status": "ok" }))
}
