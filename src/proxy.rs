//! Reverse proxy: forwards the requests of the console and of client libraries to the flag service (`--upstream`).
//!
//! [`forward`] is the entry point. This file shows the steps of one request from top to bottom; each step has a module.

mod error;
#[cfg(any(test, fuzzing))]
pub mod properties;
mod request_headers;
mod response_headers;
mod rewrite;
mod sign_out;
mod target;

use std::rc::Rc;
use std::sync::Arc;

use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, Uri};
use actix_web::{Error, HttpRequest, HttpResponse, ResponseError as _};
use bytes::Bytes;

use self::request_headers::RequestHeaders;
use crate::api_path::is_for_sdks;
use crate::config::{BasePath, RequestLimits, Upstream, UpstreamAddress};
use crate::error::ApiError;
use crate::middleware;
use crate::middleware::client::Client;
use crate::request_id::RequestId;
use crate::upstream::body_buffer::BodyMemory;
use crate::upstream::circuit_breaker::CircuitBreaker;
use crate::upstream::client::UpstreamClient;
use crate::upstream::exchange;
use crate::upstream::request_body::{Framing, RequestBody};

/// State of the proxy that all workers share.
#[derive(Clone)]
pub struct ProxyState {
    upstream: Upstream,
    base_path: BasePath,
    limits: RequestLimits,
    request_headers: Arc<RequestHeaders>,
    /// Headers of requests of SDKs, if users sign in at this program.
    sdk_headers: Option<Arc<RequestHeaders>>,
    circuit_breaker: Arc<CircuitBreaker>,
}

/// The proxy of one worker, with its own connection pool.
pub struct Proxy {
    client: UpstreamClient,
    body_memory: Rc<BodyMemory>,
    state: ProxyState,
}

/// Forwards a request and streams the response to the client.
pub(crate) async fn forward(proxy: Rc<Proxy>, request: ServiceRequest) -> Result<ServiceResponse, Error> {
    let (request, body) = request.into_parts();
    let response = proxy.forward(&request, request.method(), request.headers(), body).await;
    Ok(ServiceResponse::new(request, response.unwrap_or_else(|error| error.error_response())))
}

impl ProxyState {
    /// Creates the state, without connecting to the upstream.
    pub(crate) fn new(
        upstream: &Upstream,
        base_path: &BasePath,
        limits: &RequestLimits,
    ) -> Result<Self, ApiError> {
        if let UpstreamAddress::Network(Some(tls)) = &upstream.address
            && tls.insecure
        {
            tracing::warn!(
                upstream = upstream.authority,
                "upstream-insecure: the upstream's certificate is not verified, so that an attacker on the network can pretend to be the upstream and read passwords"
            );
        }
        let pseudonym = format!("flagdeck-{:016x}", getrandom::u64().map_err(ApiError::internal)?);
        let request_headers =
            RequestHeaders::new(upstream, base_path, pseudonym).map_err(ApiError::internal)?;
        Ok(Self {
            upstream: upstream.clone(),
            base_path: base_path.clone(),
            limits: limits.clone(),
            sdk_headers: upstream.sign_in.as_ref().map(|_| Arc::new(request_headers.for_sdks(upstream))),
            request_headers: Arc::new(request_headers),
            circuit_breaker: Arc::new(CircuitBreaker::new(upstream)),
        })
    }

    /// Returns true while the circuit breaker refuses requests.
    #[must_use]
    pub fn circuit_is_open(&self) -> bool {
        self.circuit_breaker.is_open()
    }

    /// Returns the circuit breaker, for other requests to the same upstream.
    pub(crate) fn circuit_breaker(&self) -> &Arc<CircuitBreaker> {
        &self.circuit_breaker
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
            client: UpstreamClient::new(&state.upstream, Arc::clone(&state.circuit_breaker)),
            body_memory: Rc::new(BodyMemory::new(state.upstream.body_memory)),
            state: state.clone(),
        }
    }

    /// Returns the limits of requests.
    pub(crate) fn limits(&self) -> &RequestLimits {
        &self.state.limits
    }

    /// Returns the path of a URI below the base path, not decoded; empty outside it.
    pub(crate) fn path_below_base<'u>(&self, uri: &'u Uri) -> &'u str {
        self.state.base_path.strip(uri.path()).unwrap_or_default()
    }

    /// Returns the host and port of the upstream.
    pub(crate) fn authority(&self) -> &str {
        &self.state.upstream.authority
    }

    /// Forwards a request with this method and these headers, and returns the response for the client.
    pub(crate) async fn forward(
        &self,
        request: &HttpRequest,
        method: &Method,
        headers: &HeaderMap,
        body: Payload,
    ) -> Result<HttpResponse, ApiError> {
        let ProxyState { upstream, base_path, limits, .. } = &self.state;
        let target = target::upstream_target(upstream, base_path, request.uri())?;
        let body = RequestBody::new(headers, body, limits)?;
        let client = middleware::client::from_request(request)?;
        let head = self.build_head(method, &target, headers, &client, body.framing())?;
        if !body.is_empty() {
            // Boxed, because otherwise this future would enlarge the future of every request, and most have no body.
            Box::pin(body.read_ahead(&self.body_memory)).await?;
        }
        let response = self.send(method, &head, &body).await?;
        Ok(self.convert_response(response, &client))
    }

    /// Builds the head of the request that is sent upstream.
    fn build_head(
        &self,
        method: &Method,
        target: &str,
        received: &HeaderMap,
        client: &Client,
        framing: Framing,
    ) -> Result<Bytes, ApiError> {
        let mut head = exchange::start_head(method, target);
        let id = RequestId::current();
        let id = id.as_ref().map(RequestId::as_header);
        let ProxyState { upstream, request_headers, sdk_headers, .. } = &self.state;
        let path = target.strip_prefix(&upstream.path).unwrap_or_default();
        let path = path.split('?').next().unwrap_or_default();
        let headers = sdk_headers.as_ref().filter(|_| is_for_sdks(method, path));
        headers.unwrap_or(request_headers).write(&mut head, received, client, id)?;
        exchange::finish_head(&mut head, method, framing);
        Ok(head.into())
    }

    /// Sends a request of this program in the name of a client: with the client's headers, such as its credentials, and
    /// to a path below the path of the upstream.
    pub(crate) async fn send_for(
        &self,
        client: &Client,
        headers: &HeaderMap,
        method: &Method,
        path: &str,
        body: Bytes,
    ) -> Result<HttpResponse, ApiError> {
        let body = RequestBody::from_bytes(body, &self.state.limits);
        Box::pin(body.read_ahead(&self.body_memory)).await?;
        let target = target::join_path(&self.state.upstream, path);
        let head = self.build_head(method, &target, headers, client, body.framing())?;
        self.send(method, &head, &body).await
    }

    /// Waits for work that reads responses of the upstream, at most for the maximum pauses before and within a response
    /// together. Those limit single pauses, and not a whole response.
    pub(crate) async fn within_deadline<T>(&self, work: impl Future<Output = T>) -> Result<T, ApiError> {
        let upstream = &self.state.upstream;
        let limit = upstream.head_timeout.saturating_add(upstream.idle_timeout);
        let result = tokio::time::timeout(limit, work).await;
        result.map_err(|_elapsed| error::timeout_error(&upstream.authority, limit))
    }

    /// Filters and rewrites the headers of an upstream response for the client.
    pub(crate) fn convert_response(&self, mut response: HttpResponse, client: &Client) -> HttpResponse {
        let headers = response.headers_mut();
        response_headers::remove_upstream_headers(headers);
        let ProxyState { upstream, base_path, .. } = &self.state;
        rewrite::Rewriter { upstream, base_path, is_https: client.scheme == "https" }
            .rewrite_headers(headers);
        response
    }

    /// Sends a request and returns the response of the upstream.
    async fn send(
        &self,
        method: &Method,
        head: &Bytes,
        body: &RequestBody,
    ) -> Result<HttpResponse, ApiError> {
        let response = self.client.send(method, head, body).await;
        let response = response.map_err(|error| error::to_api_error(&self.state.upstream, error))?;
        if let Some(repeated) = error::SILENT_UPSTREAM.end() {
            tracing::info!(repeated, "the upstream responds again");
        }
        Ok(response)
    }
}
