//! Handlers for archived toggles.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::service;
use crate::api::ArchiveResponse;
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::Author;

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<ArchiveResponse>, ApiError> {
    let features = flags.read(|tx| Ok(tx.list_toggles(true)?)).await?;
    Ok(Json(ArchiveResponse { features }))
}

pub(in crate::flags) async fn revive(
    flags: Data<Flags>,
    name: Path<String>,
    author: Author,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |tx| service::revive(tx, &name, &author.actor_now())).await?;
    Ok(HttpResponse::Ok().finish())
}
