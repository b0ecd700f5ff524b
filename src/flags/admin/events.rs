//! The history.

use actix_web::web::{Data, Json, Path};

use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::events::LIMIT;
use crate::flags::model::answers::ENVELOPE_VERSION;
use crate::flags::model::{EventsAnswer, ToggleEventsAnswer};
use crate::flags::store::Entity;

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<EventsAnswer>, ApiError> {
    let events = flags.read(|session| Ok(session.events(LIMIT)?)).await?;
    Ok(Json(EventsAnswer { version: ENVELOPE_VERSION, events }))
}

/// No event is an answer too: a toggle that never was has no history.
pub(in crate::flags) async fn of_toggle(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<ToggleEventsAnswer>, ApiError> {
    let toggle_name = name.into_inner();
    let name = toggle_name.clone();
    let events = flags.read(move |session| Ok(session.events_of(Entity::Feature, &name, LIMIT)?)).await?;
    Ok(Json(ToggleEventsAnswer { toggle_name, events }))
}
