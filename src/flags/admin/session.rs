//! What the console asks before anything else: who is there, what this server is, what kinds of toggles it knows.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, ReqData};

use crate::flags::auth::Access;
use crate::flags::model::answers::ENVELOPE_VERSION;
use crate::flags::model::{FeatureTypesAnswer, Health, HealthStatus, UiConfig, User, VersionInfo, Versions};
use crate::flags::{Flags, builtin};

const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(in crate::flags) async fn user(access: Data<Access>, user: ReqData<User>) -> Json<User> {
    Json(access.with_avatar(user.into_inner()))
}

/// Responds as servers of this API do: only the status and this one word say whether the service works.
pub(in crate::flags) async fn health(flags: Data<Flags>) -> HttpResponse {
    match flags.check_storage().await {
        Ok(()) => HttpResponse::Ok().json(Health { health: HealthStatus::Good }),
        Err(cause) => {
            tracing::warn!(%cause, "the service is not healthy");
            HttpResponse::InternalServerError().json(Health { health: HealthStatus::Bad })
        }
    }
}

/// Nothing looks for newer versions, so `latest` is empty.
pub(in crate::flags) async fn ui_config(flags: Data<Flags>) -> Json<UiConfig> {
    Json(UiConfig {
        name: Some("Flagdeck".to_owned()),
        version: Some(VERSION.to_owned()),
        version_info: Some(VersionInfo {
            current: Versions { oss: Some(VERSION.to_owned()), ..Versions::default() },
            instance_id: Some(flags.instance_id().to_owned()),
            ..VersionInfo::default()
        }),
        ..UiConfig::default()
    })
}

pub(in crate::flags) async fn feature_types() -> Json<FeatureTypesAnswer> {
    Json(FeatureTypesAnswer { version: ENVELOPE_VERSION, types: builtin::feature_types() })
}
