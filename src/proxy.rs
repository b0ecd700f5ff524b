//! Reverse proxy: forwards the requests of the console and of client libraries to the flag service (`--upstream`).
//!
//! [`forward`] is the entry point. This file shows the steps of one request from top to bottom; each step has a module.

mod body_buffer;
pub mod circuit_breaker;
pub(crate) mod connector;
pub(crate) mod error;
mod exchange;
mod pool;
pub(crate) mod probe_client;
#[cfg(any(test, fuzzing))]
pub mod properties;
mod request_body;
mod request_headers;
mod response;
mod response_body;
mod response_headers;
mod rewrite;
mod sign_out;
mod target;

use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;

use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use actix_web::{Error, HttpMessage as _, HttpRequest, HttpResponse, ResponseError as _, web};
use bytes::Bytes;

use self::body_buffer::BodyMemory;
use self::circuit_breaker::CircuitBreaker;
use self::error::AttemptError;
use self::pool::Pool;
use self::request_body::{Framing, RequestBody};
use self::request_headers::RequestHeaders;
use crate::config::{BasePath, RequestLimits, Upstream, UpstreamAddress};
use crate::error::ApiError;
use crate::middleware;
use crate::middleware::client::Client;
use crate::middleware::request_id::RequestId;

/// State of the proxy that all workers share.
#[derive(Clone)]
pub struct ProxyState {
    upstream: Upstream,
    base_path: BasePath,
    limits: RequestLimits,
    request_headers: Arc<RequestHeaders>,
    circuit_breaker: Arc<CircuitBreaker>,
}

/// The proxy of one worker, with its own connection pool.
pub struct Proxy {
    pool: Rc<Pool>,
    body_memory: Rc<BodyMemory>,
    state: ProxyState,
}

/// Forwards a request and streams the response to the client.
///
/// # Errors
/// None: a failure becomes an error response.
pub async fn forward(request: ServiceRequest) -> Result<ServiceResponse, Error> {
    let (request, body) = request.into_parts();
    let response = match request.app_data::<web::Data<Proxy>>() {
        Some(proxy) => proxy.forward(&request, body).await,
        None => Err(ApiError::UnknownPath(request.path().to_owned())),
    };
    Ok(ServiceResponse::new(request, response.unwrap_or_else(|error| error.error_response())))
}

impl ProxyState {
    /// Creates the state, without connecting to the upstream.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn new(upstream: &Upstream, base_path: &BasePath, limits: &RequestLimits) -> Result<Self, ApiError> {
        if let UpstreamAddress::Network(Some(tls)) = &upstream.address
            && tls.insecure
        {
            tracing::warn!(
                upstream = upstream.authority,
                "upstream-insecure: the upstream's certificate is not verified, so that an attacker on the network can pretend to be the upstream and read passwords"
            );
        }
        let pseudonym = format!("flagdeck-{:016x}", getrandom::u64().map_err(ApiError::internal)?);
        Ok(Self {
            upstream: upstream.clone(),
            base_path: base_path.clone(),
            limits: limits.clone(),
            request_headers: Arc::new(
                RequestHeaders::new(upstream, base_path, pseudonym).map_err(ApiError::internal)?,
            ),
            circuit_breaker: Arc::new(CircuitBreaker::new(upstream)),
        })
    }

    /// Returns true while the circuit breaker refuses requests.
    #[must_use]
    pub fn circuit_is_open(&self) -> bool {
        self.circuit_breaker.is_open()
    }

    /// Returns the path prefixes that are forwarded.
    pub(crate) fn prefixes(&self) -> &[String] {
        &self.upstream.prefixes
    }
}

impl Proxy {
    /// Creates the proxy of one worker, without connecting to the upstream.
    #[must_use]
    pub fn new(state: &ProxyState) -> Self {
        Self {
            pool: Rc::new(Pool::new(&state.upstream)),
            body_memory: Rc::new(BodyMemory::new(state.upstream.body_memory)),
            state: state.clone(),
        }
    }

    async fn forward(&self, request: &HttpRequest, body: Payload) -> Result<HttpResponse, ApiError> {
        let ProxyState { upstream, base_path, limits, .. } = &self.state;
        let target = target::upstream_target(upstream, base_path, request.uri())?;
        let body = RequestBody::new(request.headers(), body, limits)?;
        let client = middleware::client::from_request(request);
        let method = request.method();
        let head = self.build_head(request, (method, &target, request.headers()), &client, body.framing())?;
        if !body.is_empty() {
            // Boxed, because otherwise this future would enlarge that of every request, and most have no body.
            Box::pin(body.read_ahead(&self.body_memory)).await?;
        }
        let response = self.send(method, &head, &body).await?;
        Ok(self.convert_response(response, &client))
    }

    /// Builds the head of the request that is sent upstream.
    fn build_head(
        &self,
        request: &HttpRequest,
        (method, target, received): (&Method, &str, &HeaderMap),
        client: &Client,
        framing: Framing,
    ) -> Result<Bytes, ApiError> {
        let mut head = exchange::start_head(method, target);
        let id = request.extensions().get().map(|RequestId(id)| id.clone());
        self.state.request_headers.write(&mut head, received, client, id.as_ref())?;
        exchange::finish_head(&mut head, method, framing);
        Ok(head.into())
    }

    /// Filters and rewrites the headers of an upstream response for the client.
    fn convert_response(&self, mut response: HttpResponse, client: &Client) -> HttpResponse {
        let headers = response.headers_mut();
        response_headers::remove_upstream_headers(headers);
        let ProxyState { upstream, base_path, .. } = &self.state;
        rewrite::Rewriter { upstream, base_path, is_https: client.scheme == "https" }
            .rewrite_headers(headers);
        response
    }

    /// Sends a request, and retries it once if that is safe.
    async fn send(
        &self,
        method: &Method,
        head: &Bytes,
        body: &RequestBody,
    ) -> Result<HttpResponse, ApiError> {
        let ProxyState { upstream, circuit_breaker, .. } = &self.state;
        circuit_breaker.admit().map_err(|wait| error::circuit_open(upstream, wait))?;
        let mut response = self.attempt(method, head, body).await;
        if matches!(&response, Err(error) if error::can_retry(method, body, error)) {
            response = self.attempt(method, head, body).await;
        }
        match response {
            Ok(response) => {
                circuit_breaker.record_response();
                Ok(response)
            }
            Err(error) => {
                if error.is_upstream_failure() {
                    circuit_breaker.record_failure();
                }
                Err(error::to_api_error(upstream, error))
            }
        }
    }

    /// Sends a request once, on a connection from the pool.
    async fn attempt(
        &self,
        method: &Method,
        head: &Bytes,
        body: &RequestBody,
    ) -> Result<HttpResponse, AttemptError> {
        let lease = self.pool.lease(body.is_arriving()).await?;
        body.start_clock();
        let response = exchange::exchange(lease, method, head.clone(), body);
        let response = self.wait_for_head(pin!(response), body).await;
        response.ok_or(AttemptError::HeadTimeout)?.map_err(AttemptError::Exchange)
    }

    /// Waits for the head of the response; returns `None` after the head timeout. Each part of the request body that is
    /// sent restarts the timeout.
    async fn wait_for_head<T>(
        &self,
        mut response: Pin<&mut impl Future<Output = T>>,
        body: &RequestBody,
    ) -> Option<T> {
        let limit = self.state.upstream.head_timeout;
        loop {
            let deadline = body.last_progress() + limit;
            match tokio::time::timeout_at(deadline, &mut response).await {
                Ok(response) => return Some(response),
                Err(_) if body.last_progress() + limit > deadline => {}
                Err(_) => return None,
            }
        }
    }
}
