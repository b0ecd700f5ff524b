//! The handlers of `api/client`: what client libraries read, and what they report.

use actix_web::http::header::{
    AcceptEncoding, CONTENT_ENCODING, CONTENT_TYPE, ETAG, Encoding, Header as _, HeaderMap, HeaderValue,
    IF_NONE_MATCH, VARY,
};
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;

use super::admin::body::JsonBody;
use super::model::ClientFeature;
use super::{Flags, rules, toggles};
use crate::error::ApiError;

pub(super) async fn features(flags: Data<Flags>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let answer = flags.client_answer().await?;
    let unchanged = is_known(&answer.tag, request.headers());
    let mut response = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, answer.tag)).insert_header((VARY, "Accept-Encoding"));
    if unchanged {
        return Ok(response.finish());
    }
    response.insert_header((CONTENT_TYPE, "application/json"));
    if takes_gzip(&request) {
        return Ok(response.insert_header((CONTENT_ENCODING, "gzip")).body(answer.gzip));
    }
    Ok(response.body(answer.body))
}

/// Compares as [RFC 9110, section 13.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2) asks for: whether a
/// tag is marked as weak makes no difference.
fn is_known(tag: &HeaderValue, headers: &HeaderMap) -> bool {
    let tag = opaque(tag.as_bytes());
    headers
        .get_all(IF_NONE_MATCH)
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .any(|known| opaque(known.trim_ascii()) == tag)
}

fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

fn takes_gzip(request: &HttpRequest) -> bool {
    let gzip = Encoding::gzip();
    AcceptEncoding::parse(request)
        .is_ok_and(|accepted| accepted.negotiate([&gzip].into_iter()) == Some(gzip.clone()))
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
