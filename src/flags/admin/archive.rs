//! The archived toggles.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::OPERATOR;
use crate::error::ApiError;
use crate::flags::events::Actor;
use crate::flags::model::ArchiveAnswer;
use crate::flags::{Flags, toggles};

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<ArchiveAnswer>, ApiError> {
    let features = flags.read(|session| Ok(session.toggles(true)?)).await?;
    Ok(Json(ArchiveAnswer { features }))
}

pub(in crate::flags) async fn revive(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |session| toggles::revive(session, &name, &Actor::now(OPERATOR))).await?;
    Ok(HttpResponse::Ok().finish())
}
