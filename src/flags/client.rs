//! Request handlers of `/api/client`, which client libraries use.

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETag, VARY};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;

use super::admin::body::JsonBody;
use super::model::ClientFeature;
use super::{Flags, rules, toggles};
use crate::error::ApiError;
use crate::negotiation::{accepts_gzip, if_none_match, matches_entity_tag};

pub(super) async fn features(flags: Data<Flags>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let snapshot = flags.client_snapshot().await?;
    let is_not_modified = matches_entity_tag(&if_none_match(&request), &snapshot.etag);
    let mut response = if is_not_modified { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header(ETag(snapshot.etag)).insert_header((VARY, "Accept-Encoding"));
    if is_not_modified {
        return Ok(response.finish());
    }
    response.insert_header((CONTENT_TYPE, "application/json"));
    if accepts_gzip(&request) {
        return Ok(response.insert_header((CONTENT_ENCODING, "gzip")).body(snapshot.gzip));
    }
    Ok(response.body(snapshot.body))
}

pub(super) async fn feature(flags: Data<Flags>, name: Path<String>) -> Result<Json<ClientFeature>, ApiError> {
    let toggle = flags.read(move |tx| toggles::find(tx, &name)).await?;
    Ok(Json(toggle.into()))
}

pub(super) async fn register(
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    flags.register(rules::parse_registration(&body.0)?, &peer_address(&request), Timestamp::now());
    Ok(HttpResponse::Accepted().finish())
}

pub(super) async fn metrics(
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    flags.count(&rules::parse_report(&body.0)?, &peer_address(&request), Timestamp::now()).await;
    Ok(HttpResponse::Accepted().finish())
}

/// Returns the IP address of the connection. Forwarding headers are ignored because clients can forge them.
fn peer_address(request: &HttpRequest) -> String {
    request.peer_addr().map(|peer| peer.ip().to_string()).unwrap_or_default()
}
