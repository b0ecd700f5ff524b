//! The handlers of `api/client`: what client libraries read, and what they report.

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;

use super::admin::body::JsonBody;
use super::model::ClientFeature;
use super::{Flags, rules, toggles};
use crate::error::ApiError;
use crate::negotiation::{accepts_gzip, matches_entity_tag};

pub(super) async fn features(flags: Data<Flags>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let answer = flags.client_answer().await?;
    let unchanged = matches_entity_tag(request.headers(), &answer.tag);
    let mut response = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, answer.tag)).insert_header((VARY, "Accept-Encoding"));
    if unchanged {
        return Ok(response.finish());
    }
    response.insert_header((CONTENT_TYPE, "application/json"));
    if accepts_gzip(&request) {
        return Ok(response.insert_header((CONTENT_ENCODING, "gzip")).body(answer.gzip));
    }
    Ok(response.body(answer.body))
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
    flags.register(rules::registration(&body.0)?, &address(&request), Timestamp::now());
    Ok(HttpResponse::Accepted().finish())
}

pub(super) async fn metrics(
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    flags.count(&rules::report(&body.0)?, &address(&request), Timestamp::now()).await;
    Ok(HttpResponse::Accepted().finish())
}

/// Who is at the other end of the connection: what headers say could be made up.
fn address(request: &HttpRequest) -> String {
    request.peer_addr().map(|peer| peer.ip().to_string()).unwrap_or_default()
}
