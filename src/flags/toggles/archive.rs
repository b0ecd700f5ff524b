//! Handlers for archived toggles.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::transactions;
use crate::api::ArchiveResponse;
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::Author;

pub(in crate::flags) async fn list(database: Data<Database>) -> Result<Json<ArchiveResponse>, ApiError> {
    let features = database.read(|tx| Ok(tx.list_toggles(true)?)).await?;
    Ok(Json(ArchiveResponse { features }))
}

pub(in crate::flags) async fn revive(
    database: Data<Database>,
    name: Path<String>,
    author: Author,
) -> Result<HttpResponse, ApiError> {
    database.write(move |tx| transactions::revive(tx, &name, &author.actor_now())).await?;
    Ok(HttpResponse::Ok().finish())
}
