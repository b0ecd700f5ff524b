//! Request handlers of `/api/client`, which client libraries use.

use std::ops::ControlFlow;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;

use crate::error::ApiError;
use crate::flags::model::ClientFeature;
use crate::flags::usage::rules::{parse_registration, parse_report};
use crate::flags::{Flags, toggles};
use crate::json_body::JsonBody;
use crate::negotiation::{accepts_gzip, conditional_response};

pub(in crate::flags) async fn features(
    flags: Data<Flags>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let snapshot = flags.client_snapshot().await?;
    let mut response = match conditional_response(&request, snapshot.etag) {
        ControlFlow::Continue(response) => response,
        ControlFlow::Break(not_modified) => return Ok(not_modified),
    };
    response.insert_header((CONTENT_TYPE, "application/json"));
    if accepts_gzip(&request) {
        return Ok(response.insert_header((CONTENT_ENCODING, "gzip")).body(snapshot.gzip));
    }
    Ok(response.body(snapshot.body))
}

pub(in crate::flags) async fn feature(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<ClientFeature>, ApiError> {
    let toggle = flags.read(move |tx| toggles::service::find(tx, &name)).await?;
    Ok(Json(toggle.into()))
}

pub(in crate::flags) async fn register(
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    flags.register(parse_registration(&body.0)?, &peer_address(&request), Timestamp::now());
    Ok(HttpResponse::Accepted().finish())
}

pub(in crate::flags) async fn metrics(
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    flags.count(&parse_report(&body.0)?, &peer_address(&request), Timestamp::now()).await;
    Ok(HttpResponse::Accepted().finish())
}

/// Returns the IP address of the connection. Forwarding headers are ignored because clients can forge them.
fn peer_address(request: &HttpRequest) -> String {
    request.peer_addr().map(|peer| peer.ip().to_string()).unwrap_or_default()
}
