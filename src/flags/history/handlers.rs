//! Handlers for the event history.

use actix_web::http::header::ContentType;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;

use crate::api::responses::ENVELOPE_VERSION;
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::endpoint::query_value;
use crate::flags::events::{self, EventPage};

/// Returns an `EventsResponse`. The database stores the list of events as JSON.
pub(super) async fn list(database: Data<Database>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let before = parse_before(request.query_string())?;
    let page = database.read(move |tx| Ok(events::list(tx, before)?)).await?;
    Ok(to_response(&format!(r#"{{"version":{ENVELOPE_VERSION},"events":"#), page))
}

/// Returns a `ToggleEventsResponse`. The list is empty if the toggle does not exist.
pub(super) async fn list_by_toggle(
    database: Data<Database>,
    request: HttpRequest,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let before = parse_before(request.query_string())?;
    let head = format!(r#"{{"toggleName":{},"events":"#, json!(name.as_str()));
    let page = database.read(move |tx| Ok(events::list_by_toggle(tx, &name, before)?)).await?;
    Ok(to_response(&head, page))
}

/// Returns the cursor of the page; `None` for the newest events.
fn parse_before(query: &str) -> Result<Option<i64>, ApiError> {
    let Some(value) = query_value(query, "before") else { return Ok(None) };
    match value.parse() {
        Ok(id) if id > 0 => Ok(Some(id)),
        _ => {
            let message =
                "\"before\" must be the id of an event: use the \"nextBefore\" of the previous response";
            Err(ApiError::invalid("before", message.to_owned()))
        }
    }
}

fn to_response(head: &str, EventPage { events, next_before }: EventPage) -> HttpResponse {
    let tail = next_before.map_or_else(|| "}".to_owned(), |id| format!(r#","nextBefore":{id}}}"#));
    HttpResponse::Ok()
        .content_type(ContentType::json())
        .body([head.as_bytes(), events.as_slice(), tail.as_bytes()].concat())
}
