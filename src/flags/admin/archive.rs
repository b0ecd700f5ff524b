//! The archived toggles.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use crate::error::ApiError;
use crate::flags::auth::Editor;
use crate::flags::model::ArchiveAnswer;
use crate::flags::{Flags, toggles};

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<ArchiveAnswer>, ApiError> {
    let features = flags.read(|tx| Ok(tx.list_toggles(true)?)).await?;
    Ok(Json(ArchiveAnswer { features }))
}

pub(in crate::flags) async fn revive(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |tx| toggles::revive(tx, &name, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}
