//! Handlers for segments.

use actix_web::web::{Data, Json};

use crate::api::SegmentsResponse;
use crate::error::ApiError;
use crate::flags::database::Database;

pub(super) async fn list(database: Data<Database>) -> Result<Json<SegmentsResponse>, ApiError> {
    let segments = database.read(|tx| Ok(tx.list_segments()?)).await?;
    Ok(Json(SegmentsResponse { segments }))
}
