//! The handlers of `api/client`: what client libraries read, and what they report.

use actix_web::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;

use super::admin::body::JsonBody;
use super::model::ClientFeature;
use super::{Flags, rules, toggles};
use crate::error::ApiError;

pub(super) async fn features(flags: Data<Flags>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let answer = flags.client_answer().await?;
    // Proxies that compress on the way mark the tag as weak; the content is the same.
    let unchanged = request
        .headers()
        .get_all(IF_NONE_MATCH)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .any(|tag| tag.trim().trim_start_matches("W/") == answer.tag);
    let mut response = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, answer.tag));
    if unchanged {
        return Ok(response.finish());
    }
    Ok(response.insert_header((CONTENT_TYPE, "application/json")).body(answer.body))
}

pub(super) async fn feature(flags: Data<Flags>, name: Path<String>) -> Result<Json<ClientFeature>, ApiError> {
    let toggle = flags.read(move |session| toggles::find(session, &name)).await?;
    Ok(Json(toggle.into()))
}

pub(super) async fn register(
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    flags.register(rules::registration(&body.0)?, &address(&request), Timestamp::now());
    Ok(HttpResponse::Accepted().finish())
}

pub(super) async fn metrics(
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    flags.count(&rules::report(&body.0)?, &address(&request), Timestamp::now());
    Ok(HttpResponse::Accepted().finish())
}

/// Who is at the other end of the connection: what headers say could be made up.
fn address(request: &HttpRequest) -> String {
    request.peer_addr().map(|peer| peer.ip().to_string()).unwrap_or_default()
}
