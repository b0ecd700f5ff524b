//! Request guard: checks that apply to every request, before the routes.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HOST, HeaderValue, UPGRADE};
use actix_web::http::uri::Authority;
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError as _};

use super::client::Client;
use super::held_body::{HeldBody, WithHeldBody};
use super::{MiddlewareState, cross_site, journaling};
use crate::api_path::{EndpointClass, is_below_sdk_prefix};
use crate::error::{ApiError, DomainError};

/// Health endpoints of this program and of the embedded service. Container platforms and load balancers request them by
/// IP address. The responses reveal nothing.
const HEALTH_PATH: &str = "/-/health";
const EMBEDDED_HEALTH_PATH: &str = "/health";

/// Refuses requests that violate a rule.
pub(super) async fn check<B: MessageBody + 'static>(
    state: &MiddlewareState,
    client: &Client,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<WithHeldBody<EitherBody<B>>>, Error> {
    let body = HeldBody::take(&mut request);
    body.hold_until_sent(match check_request(state, client, &request) {
        Err(error) => Ok(request.into_response(error.error_response()).map_into_right_body()),
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
    })
}

fn check_request(state: &MiddlewareState, client: &Client, request: &ServiceRequest) -> Result<(), ApiError> {
    refuse_tunnels(request)?;
    refuse_invalid_host(request)?;
    let MiddlewareState { public, limits, base_path, .. } = state;
    if head_size(request) > limits.head {
        let message = format!(
            "The request line and headers are larger than {} bytes; send fewer or smaller ones, such as cookies",
            limits.head
        );
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        return Err(DomainError::new("head_too_large", status, message).into());
    }
    // Outside the base path there are no endpoints.
    let path = base_path.strip(request.uri().path()).unwrap_or_default();
    refuse_other_hosts(state, client, path)?;
    let class = EndpointClass::classify(request.method(), path);
    cross_site::check(public, client, class, request.headers())?;
    if limits.read_only && class.is_operator_change() {
        let message = "Changes are refused: Flagdeck runs with --read-only or with --definitions";
        return Err(DomainError::new("read_only", StatusCode::FORBIDDEN, message).into());
    }
    journaling::check(state, client, class, path, request)?;
    Ok(())
}

/// Refuses tunnels (CONNECT), TRACE and WebSocket connections: an admin API needs none of them, and a tunnel has no
/// request boundaries. Offers of other protocols, such as `h2c`, are ignored (RFC 9110, 7.8).
fn refuse_tunnels(request: &ServiceRequest) -> Result<(), ApiError> {
    let is_tunnel = matches!(*request.method(), Method::CONNECT | Method::TRACE);
    let mut offers =
        request.headers().get_all(UPGRADE).flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let is_websocket = |offer: &[u8]| {
        let name = offer.split(|byte| *byte == b'/').next().unwrap_or_default();
        name.trim_ascii().eq_ignore_ascii_case(b"websocket")
    };
    if is_tunnel || offers.any(is_websocket) {
        let message = "WebSocket connections, CONNECT and TRACE are not supported";
        let error = DomainError::new("upgrade_refused", StatusCode::BAD_REQUEST, message);
        return Err(error.close_connection().into());
    }
    Ok(())
}

/// Refuses an invalid `Host` (RFC 9112, 3.2: "MUST respond with a 400"). Servers that build URLs from it could be led
/// to another host.
fn refuse_invalid_host(request: &ServiceRequest) -> Result<(), ApiError> {
    let is_host = |host: &HeaderValue| {
        host.is_empty() || (Authority::try_from(host.as_bytes()).is_ok() && !host.as_bytes().contains(&b'@'))
    };
    if request.headers().get(HOST).is_none_or(is_host) {
        return Ok(());
    }
    let message = "The header Host is not a valid host";
    Err(DomainError::new("bad_host", StatusCode::BAD_REQUEST, message).into())
}

/// Approximate size of the head on the wire, in bytes.
fn head_size(request: &ServiceRequest) -> usize {
    let line =
        request.method().as_str().len() + request.uri().path_and_query().map_or(0, |uri| uri.as_str().len());
    request.headers().iter().fold(line + "  HTTP/1.1\r\n".len(), |size, (name, value)| {
        size + name.as_str().len() + value.len() + ": \r\n".len()
    })
}

/// Refuses hosts that the settings do not allow. Otherwise a site whose name resolves to this machine would have the same
/// origin as the console (DNS rebinding).
///
/// The rule applies to the host that the browser requested: with a trusted proxy, that is `X-Forwarded-Host`, because a
/// proxy forwards the name of such a site as well. Requests of SDKs are exempt if each needs a valid token, which such a
/// site does not know.
fn refuse_other_hosts(state: &MiddlewareState, client: &Client, path: &str) -> Result<(), ApiError> {
    let MiddlewareState { public, accepted_host, .. } = state;
    if accepted_host.borrow().as_ref() == Some(&client.host) {
        return Ok(());
    }
    let is_for_any_host = path == HEALTH_PATH
        || (public.has_health && path == EMBEDDED_HEALTH_PATH)
        || (public.requires_sdk_tokens && is_below_sdk_prefix(path));
    if is_for_any_host {
        return Ok(());
    }
    if public.accepts_host(&client.host) {
        accepted_host.replace(Some(client.host.clone()));
        return Ok(());
    }
    let message = format!(
        "The host {:?} is not served; set public-url to the address of the console, or add the name of the host to allowed-host",
        client.host
    );
    Err(DomainError::new("unexpected_host", StatusCode::MISDIRECTED_REQUEST, message).into())
}
