//! What no request may do, wherever it goes: checked in front of every route.

use std::rc::Rc;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HOST, HeaderValue, UPGRADE};
use actix_web::http::uri::Authority;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _, ResponseError as _};

use super::client::Client;
use super::cross_site;
use super::unread::{Answer, Unread};
use crate::config::{BasePath, Limits, Public};
use crate::error::ApiError;

/// Container platforms ask by address, and learn nothing from it.
const FOR_ANY_HOST: &str = "/-/health";

/// How people sign in and out, here and at flag services.
const SIGN_IN: &str = "/auth/";
const SIGN_IN_OR_OUT: [&str; 2] = ["/api/admin/login", "/-/logout"];

/// Refuses what breaks a rule.
///
/// # Errors
/// Those of the handler, unchanged.
pub(super) async fn check<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<Answer<EitherBody<B>>>, Error> {
    let unread = Unread::of(&mut request);
    unread.until_end(match broken(&request) {
        Err(error) => Ok(request.into_response(error.error_response()).map_into_right_body()),
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
    })
}

fn broken(request: &ServiceRequest) -> Result<(), ApiError> {
    refuse_tunnels(request)?;
    refuse_no_hosts(request)?;
    let (Some(public), Some(limits)) =
        (request.app_data::<Data<Public>>(), request.app_data::<Data<Limits>>())
    else {
        return Ok(());
    };
    if head_size(request) > limits.head {
        return Err(ApiError::HeadTooLarge { limit: limits.head });
    }
    let extensions = request.extensions();
    let Some(client) = extensions.get::<Rc<Client>>() else { return Ok(()) };
    let path = request.uri().path();
    let path = request.app_data::<Data<BasePath>>().and_then(|base| base.strip(path)).unwrap_or(path);
    refuse_other_hosts(public, client, path)?;
    cross_site::check(public, client, request.method(), request.headers())?;
    let signs_in = path.starts_with(SIGN_IN) || SIGN_IN_OR_OUT.contains(&path);
    let changes = cross_site::is_unsafe(request.method()) && !signs_in;
    if limits.read_only && changes { Err(ApiError::ReadOnly) } else { Ok(()) }
}

/// Tunnels and echoes have no place in front of an admin API, and an upgraded connection has no end.
fn refuse_tunnels(request: &ServiceRequest) -> Result<(), ApiError> {
    let is_tunnel = matches!(*request.method(), Method::CONNECT | Method::TRACE);
    if is_tunnel || request.headers().contains_key(UPGRADE) { Err(ApiError::UpgradeRefused) } else { Ok(()) }
}

/// Servers that build addresses of what they are told could be led anywhere (RFC 9112, 3.2: "MUST respond with a 400").
fn refuse_no_hosts(request: &ServiceRequest) -> Result<(), ApiError> {
    let is_host = |host: &HeaderValue| {
        host.is_empty() || (Authority::try_from(host.as_bytes()).is_ok() && !host.as_bytes().contains(&b'@'))
    };
    if request.headers().get(HOST).is_none_or(is_host) { Ok(()) } else { Err(ApiError::BadHost) }
}

/// About what came over the wire: names, values, and what stands around them.
fn head_size(request: &ServiceRequest) -> usize {
    let line =
        request.method().as_str().len() + request.uri().path_and_query().map_or(0, |uri| uri.as_str().len());
    request.headers().iter().fold(line + "  HTTP/1.1\r\n".len(), |size, (name, value)| {
        size + name.as_str().len() + value.len() + ": \r\n".len()
    })
}

/// A site whose name suddenly means this machine would otherwise be of the same origin as the console (DNS rebinding).
fn refuse_other_hosts(public: &Public, client: &Client, path: &str) -> Result<(), ApiError> {
    match &public.url {
        Some(url) if !url.is_host(&client.host) && path != FOR_ANY_HOST => {
            Err(ApiError::UnexpectedHost { host: client.host.clone() })
        }
        _ => Ok(()),
    }
}
