//! Handlers for segments.

use actix_web::web::{Data, Json};

use crate::api::SegmentsResponse;
use crate::error::ApiError;
use crate::flags::Flags;

pub(super) async fn list(flags: Data<Flags>) -> Result<Json<SegmentsResponse>, ApiError> {
    let segments = flags.read(|tx| Ok(tx.list_segments()?)).await?;
    Ok(Json(SegmentsResponse { segments }))
}
