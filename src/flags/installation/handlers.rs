//! Handlers for the server's health and version.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json};

use crate::api::{HealthResponse, HealthStatus, UiConfig, VersionInfo, Versions};
use crate::database::Database;
use crate::log_limit::LogLimit;

/// Health checks that failed.
static FAILED_CHECKS: LogLimit = LogLimit::new();

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns 200 with `GOOD` if the database can be used; otherwise 500 with `BAD`.
pub(super) async fn health(database: Data<Database>) -> HttpResponse {
    match database.check().await {
        Ok(()) => HttpResponse::Ok().json(HealthResponse { health: HealthStatus::Good }),
        Err(cause) => {
            if let Some(repeated) = FAILED_CHECKS.record() {
                tracing::warn!(%cause, repeated, "health check failed: the database cannot be used");
            }
            HttpResponse::InternalServerError().json(HealthResponse { health: HealthStatus::Bad })
        }
    }
}

/// Returns the server's name and version. `latest` is empty because the server does not check for updates.
pub(super) async fn ui_config(database: Data<Database>) -> Json<UiConfig> {
    Json(UiConfig {
        name: Some("Flagdeck".to_owned()),
        version: Some(VERSION.to_owned()),
        version_info: Some(VersionInfo {
            current: Versions { oss: Some(VERSION.to_owned()), ..Versions::default() },
            instance_id: Some(database.instance_id().to_owned()),
            ..VersionInfo::default()
        }),
        ..UiConfig::default()
    })
}
