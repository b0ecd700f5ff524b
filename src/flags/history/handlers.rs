//! Handlers for the event history.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::{Data, Path};
use serde_json::json;

use crate::api::responses::ENVELOPE_VERSION;
use crate::error::ApiError;
use crate::flags::database::Database;
use crate::flags::events;

/// Returns an `EventsResponse`. The database stores the list of events as JSON.
pub(super) async fn list(database: Data<Database>) -> Result<HttpResponse, ApiError> {
    let list = database.read(|tx| Ok(events::list_json(tx)?)).await?;
    Ok(envelope(&format!(r#"{{"version":{ENVELOPE_VERSION},"events":"#), &list))
}

/// Returns a `ToggleEventsResponse`. The list is empty if the toggle does not exist.
pub(super) async fn list_by_toggle(
    database: Data<Database>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let head = format!(r#"{{"toggleName":{},"events":"#, json!(name.as_str()));
    let list = database.read(move |tx| Ok(events::list_toggle_json(tx, &name)?)).await?;
    Ok(envelope(&head, &list))
}

fn envelope(head: &str, events: &[u8]) -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::json()).body([head.as_bytes(), events, b"}"].concat())
}
