//! The event history.

mod history;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use serde_json::json;

use super::failure::{Failure, admin_only};
use super::reply::Reply;
use super::{Call, encode, json as json_response};
use crate::error::ApiError;

/// Number of events in a response. Servers up to 6 return no more.
const LIMIT: usize = 100;

/// Responds with the newest events of all items, or of one toggle.
pub(super) async fn read(call: &Call, toggle: Option<&str>) -> Result<HttpResponse, Failure> {
    let reply = match search(call, toggle).await {
        Err(failure) if failure.has_status(403) && toggle.is_none() => {
            return Err(admin_only("Only admins can view the full event log on this server.").into());
        }
        reply => reply?,
    };
    let toggle = toggle.map(str::to_owned);
    let convert = move || history::to_console_events(&reply.body, toggle.as_deref());
    let events = web::block(convert).await.map_err(ApiError::internal)?;
    let events = events.map_err(|error| Failure::unexpected("the events", &error.to_string()))?;
    Ok(json_response(StatusCode::OK, events))
}

/// Searches the events. The list of all events without a search is for administrators only.
async fn search(call: &Call, toggle: Option<&str>) -> Result<Reply, Failure> {
    let filter = toggle.map(|name| format!("&feature=IS%3A{}", encode(name))).unwrap_or_default();
    let path = format!("/search/events?limit={LIMIT}{filter}");
    match call.caller.request(Method::GET, &path, None).await {
        // 5.12 has another endpoint.
        Err(failure) if failure.has_status(404) => {
            let mut query = json!({ "limit": LIMIT, "offset": 0 });
            if let (Some(query), Some(name)) = (query.as_object_mut(), toggle) {
                query.insert("feature".to_owned(), name.into());
            }
            call.caller.request(Method::POST, "/events/search", Some(&query)).await
        }
        reply => reply,
    }
}
