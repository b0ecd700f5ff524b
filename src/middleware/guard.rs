//! Request guard: checks that apply to every request, before the routes.

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
use super::endpoint_class::EndpointClass;
use super::held_body::{HeldBody, WithHeldBody};
use crate::config::{BasePath, Public, RequestLimits};
use crate::error::ApiError;

/// Health endpoints of this program and of the embedded service. Container platforms and load balancers request them by
/// IP address. The responses reveal nothing.
const HEALTH_PATH: &str = "/-/health";
const EMBEDDED_HEALTH_PATH: &str = "/health";

/// Refuses requests that violate a rule.
///
/// # Errors
/// Those of the handler, unchanged.
pub(super) async fn check<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<WithHeldBody<EitherBody<B>>>, Error> {
    let body = HeldBody::take(&mut request);
    body.hold_until_sent(match check_request(&request) {
        Err(error) => Ok(request.into_response(error.error_response()).map_into_right_body()),
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
    })
}

fn check_request(request: &ServiceRequest) -> Result<(), ApiError> {
    refuse_tunnels(request)?;
    refuse_invalid_host(request)?;
    let (public, limits) = (required_config::<Public>(request)?, required_config::<RequestLimits>(request)?);
    if head_size(request) > limits.head {
        return Err(ApiError::HeadTooLarge { limit: limits.head });
    }
    let extensions = request.extensions();
    let client = extensions.get::<Rc<Client>>().ok_or_else(|| missing("client"))?;
    // Outside the base path there are no endpoints.
    let path = required_config::<BasePath>(request)?.strip(request.uri().path()).unwrap_or_default();
    refuse_other_hosts(public, client, path)?;
    let class = EndpointClass::classify(request.method(), path);
    cross_site::check(public, client, class, request.headers())?;
    if limits.read_only && class.is_operator_change() { Err(ApiError::ReadOnly) } else { Ok(()) }
}

/// Returns the part of the configuration that a rule needs. Without it the request is refused: no rule may be skipped
/// because its configuration was not registered.
fn required_config<T: 'static>(request: &ServiceRequest) -> Result<&T, ApiError> {
    request.app_data::<Data<T>>().map(|data| &***data).ok_or_else(|| missing(std::any::type_name::<T>()))
}

fn missing(name: &str) -> ApiError {
    ApiError::internal(format!("the request guard lacks its configuration: {name}"))
}

/// Refuses tunnels (CONNECT), TRACE and protocol upgrades: an admin API needs none of them, and an upgraded connection
/// has no request boundaries.
fn refuse_tunnels(request: &ServiceRequest) -> Result<(), ApiError> {
    let is_tunnel = matches!(*request.method(), Method::CONNECT | Method::TRACE);
    if is_tunnel || request.headers().contains_key(UPGRADE) { Err(ApiError::UpgradeRefused) } else { Ok(()) }
}

/// Refuses an invalid `Host` (RFC 9112, 3.2: "MUST respond with a 400"). Servers that build URLs from it could be led
/// to another host.
fn refuse_invalid_host(request: &ServiceRequest) -> Result<(), ApiError> {
    let is_host = |host: &HeaderValue| {
        host.is_empty() || (Authority::try_from(host.as_bytes()).is_ok() && !host.as_bytes().contains(&b'@'))
    };
    if request.headers().get(HOST).is_none_or(is_host) { Ok(()) } else { Err(ApiError::BadHost) }
}

/// Approximate size of the head on the wire, in bytes.
fn head_size(request: &ServiceRequest) -> usize {
    let line =
        request.method().as_str().len() + request.uri().path_and_query().map_or(0, |uri| uri.as_str().len());
    request.headers().iter().fold(line + "  HTTP/1.1\r\n".len(), |size, (name, value)| {
        size + name.as_str().len() + value.len() + ": \r\n".len()
    })
}

/// Refuses hosts other than that of `--public-url`. Otherwise a site whose name resolves to this machine would have the
/// same origin as the console (DNS rebinding).
fn refuse_other_hosts(public: &Public, client: &Client, path: &str) -> Result<(), ApiError> {
    let is_for_any_host = path == HEALTH_PATH || (public.has_health && path == EMBEDDED_HEALTH_PATH);
    match &public.url {
        Some(url) if !url.is_host(&client.host) && !is_for_any_host => {
            Err(ApiError::UnexpectedHost { host: client.host.clone() })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use actix_web::http::StatusCode;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, call_service, init_service};
    use actix_web::web::{self, Data};
    use actix_web::{App, HttpResponse};

    use crate::config::{BasePath, Public, RequestLimits};
    use crate::middleware;

    #[actix_web::test]
    async fn refuses_requests_if_a_part_of_the_configuration_is_missing() {
        for is_missing in [None, Some("public"), Some("limits"), Some("base path")] {
            let is_there = |name: &str| is_missing != Some(name);
            let mut app =
                App::new().wrap(from_fn(middleware::apply)).default_service(web::to(HttpResponse::Ok));
            if is_there("public") {
                app = app.app_data(Data::new(Public::default()));
            }
            if is_there("limits") {
                let body_timeout = Duration::from_secs(1);
                app = app.app_data(Data::new(RequestLimits {
                    read_only: false,
                    head: 1024,
                    body: 0,
                    body_timeout,
                    write_timeout: body_timeout,
                }));
            }
            if is_there("base path") {
                app = app.app_data(Data::new(BasePath::default()));
            }
            let app = init_service(app).await;
            for request in [TestRequest::get(), TestRequest::post()] {
                let response = call_service(&app, request.uri("/api/admin/features").to_request()).await;
                let expected =
                    if is_missing.is_none() { StatusCode::OK } else { StatusCode::INTERNAL_SERVER_ERROR };
                assert_eq!(response.status(), expected, "{is_missing:?}");
            }
        }
    }
}
