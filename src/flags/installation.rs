//! The installation: its id, version and health, and the index of its API.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::{Data, Json};

use crate::api::{ApiLink, ApiPartIndex, HealthResponse, HealthStatus, UiConfig, VersionInfo, Versions};
use crate::database::Database;
use crate::flags::endpoint::{self, Endpoint};
use crate::log_limit::LogLimit;

/// Health checks that failed.
static FAILED_CHECKS: LogLimit = LogLimit::new();
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Version of the parts of the API, as in Unleash 3.
const PART_VERSION: u32 = 3;
const ADMIN_LINKS: &[(&str, &str)] = &[
    ("feature-toggles", "/api/admin/features"),
    ("feature-archive", "/api/admin/archive"),
    ("strategies", "/api/admin/strategies"),
    ("events", "/api/admin/events"),
    ("metrics", "/api/admin/metrics"),
    ("state", "/api/admin/state"),
    ("context", "/api/admin/context"),
    ("tags", "/api/admin/tags"),
    ("tag-types", "/api/admin/tag-types"),
];
const CLIENT_LINKS: &[(&str, &str)] = &[
    ("feature-toggles", "/api/client/features"),
    ("register", "/api/client/register"),
    ("metrics", "/api/client/metrics"),
];

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint::public_get("/health", health)
            .summary("Check the health of the service")
            .returns::<HealthResponse>(200)
            .returns::<HealthResponse>(500),
        endpoint::get("/ui-config", ui_config)
            .summary("Get the name and version of the server")
            .returns::<UiConfig>(200),
        endpoint::get("", show_admin)
            .summary("List the resources of the admin API")
            .returns::<ApiPartIndex>(200),
        endpoint::client_get("", show_client)
            .summary("List the resources of the API of client libraries")
            .returns::<ApiPartIndex>(200),
    ]
}

/// Returns 200 with `GOOD` if the database can be used; otherwise 500 with `BAD`.
async fn health(database: Data<Database>) -> HttpResponse {
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
async fn ui_config(database: Data<Database>) -> Json<UiConfig> {
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

async fn show_admin() -> Json<ApiPartIndex> {
    Json(ApiPartIndex { version: PART_VERSION, links: links(ADMIN_LINKS) })
}

async fn show_client() -> Json<ApiPartIndex> {
    Json(ApiPartIndex { version: PART_VERSION, links: links(CLIENT_LINKS) })
}

fn links(resources: &[(&'static str, &'static str)]) -> BTreeMap<&'static str, ApiLink> {
    resources.iter().map(|(name, uri)| (*name, ApiLink { uri })).collect()
}
