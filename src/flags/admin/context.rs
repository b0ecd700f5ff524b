//! The context fields.

use actix_web::web::{Data, Json, Path};

use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::model::ContextField;

/// Without an envelope, unlike the other lists.
pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<Vec<ContextField>>, ApiError> {
    Ok(Json(flags.read(|session| Ok(session.context_fields()?)).await?))
}

pub(in crate::flags) async fn show(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<ContextField>, ApiError> {
    let field = flags.read(move |session| Ok(session.context_field(&name)?)).await?;
    field.map(Json).ok_or_else(|| ApiError::NotFound("Could not find context field".to_owned()))
}
