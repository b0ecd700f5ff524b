//! The whole life of one forwarded request, top to bottom.

mod answer;
mod body_buffer;
pub mod circuit;
pub(crate) mod client;
pub(crate) mod connection;
mod exchange;
mod headers;
mod incoming;
pub(crate) mod outcome;
mod pool;
#[cfg(any(test, fuzzing))]
pub mod properties;
mod response_headers;
mod rewrite;
mod sign_out;
mod target;
mod upload;

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
use self::circuit::Circuit;
use self::headers::Sender;
use self::outcome::AttemptError;
use self::pool::Pool;
use self::upload::{Framing, Upload};
use crate::config::{BasePath, Place, RequestLimits, Upstream};
use crate::error::ApiError;
use crate::middleware;
use crate::middleware::client::Client;
use crate::middleware::request_id::RequestId;

/// What all workers forward by.
#[derive(Clone)]
pub struct Forwarding {
    upstream: Upstream,
    base_path: BasePath,
    limits: RequestLimits,
    sender: Arc<Sender>,
    circuit: Arc<Circuit>,
}

/// One worker's way to the flag service.
pub struct Proxy {
    pool: Rc<Pool>,
    body_memory: Rc<BodyMemory>,
    forwarding: Forwarding,
}

/// Forwards a request and streams the answer back.
///
/// # Errors
/// None that are known.
pub async fn forward(request: ServiceRequest) -> Result<ServiceResponse, Error> {
    let (request, body) = request.into_parts();
    let answer = match request.app_data::<web::Data<Proxy>>() {
        Some(proxy) => proxy.forward(&request, body).await,
        None => Err(ApiError::UnknownPath(request.path().to_owned())),
    };
    Ok(ServiceResponse::new(request, answer.unwrap_or_else(|error| error.error_response())))
}

impl Forwarding {
    /// Asks for nothing yet.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn new(upstream: &Upstream, base_path: &BasePath, limits: &RequestLimits) -> Result<Self, ApiError> {
        if let Place::Network(Some(tls)) = &upstream.place
            && tls.insecure
        {
            tracing::warn!(
                upstream = upstream.authority,
                "upstream-insecure: anybody on the way to the upstream can pretend to be it, and read every password"
            );
        }
        let pseudonym = format!("flagdeck-{:016x}", getrandom::u64().map_err(ApiError::internal)?);
        Ok(Self {
            upstream: upstream.clone(),
            base_path: base_path.clone(),
            limits: limits.clone(),
            sender: Arc::new(Sender::new(upstream, base_path, pseudonym).map_err(ApiError::internal)?),
            circuit: Arc::new(Circuit::new(upstream)),
        })
    }

    /// Whether the upstream is left alone at the moment.
    #[must_use]
    pub fn circuit_is_open(&self) -> bool {
        self.circuit.is_open()
    }

    /// Below which paths requests go upstream.
    pub(crate) fn prefixes(&self) -> &[String] {
        &self.upstream.prefixes
    }
}

impl Proxy {
    /// Connects to nothing yet.
    #[must_use]
    pub fn new(forwarding: &Forwarding) -> Self {
        Self {
            pool: Rc::new(Pool::new(&forwarding.upstream)),
            body_memory: Rc::new(BodyMemory::new(forwarding.upstream.body_memory)),
            forwarding: forwarding.clone(),
        }
    }

    async fn forward(&self, request: &HttpRequest, body: Payload) -> Result<HttpResponse, ApiError> {
        let Forwarding { upstream, base_path, limits, .. } = &self.forwarding;
        let target = target::forwarded(upstream, base_path, request.uri())?;
        let upload = Upload::new(request.headers(), body, limits)?;
        let client = middleware::client::of(request);
        let method = request.method();
        let head = self.head(request, (method, &target, request.headers()), &client, upload.framing())?;
        if !upload.is_none() {
            // On the heap, because most requests have no body and each would carry it.
            Box::pin(upload.read_ahead(&self.body_memory)).await?;
        }
        let answer = self.send(method, &head, &upload).await?;
        Ok(self.answered(answer, &client))
    }

    /// The head of a request as the upstream gets it.
    fn head(
        &self,
        request: &HttpRequest,
        (method, target, received): (&Method, &str, &HeaderMap),
        client: &Client,
        framing: Framing,
    ) -> Result<Bytes, ApiError> {
        let mut head = exchange::first_line(method, target);
        let id = request.extensions().get().map(|RequestId(id)| id.clone());
        self.forwarding.sender.write(&mut head, received, client, id.as_ref())?;
        exchange::end_head(&mut head, method, framing);
        Ok(head.into())
    }

    /// The answer as the console's clients get it.
    fn answered(&self, mut answer: HttpResponse, client: &Client) -> HttpResponse {
        let headers = answer.headers_mut();
        response_headers::keep_for_clients(headers);
        let Forwarding { upstream, base_path, .. } = &self.forwarding;
        rewrite::Sides { upstream, base_path, is_https: client.scheme == "https" }.rewrite(headers);
        answer
    }

    /// Sends a request, a second time where that cannot do anything twice.
    async fn send(&self, method: &Method, head: &Bytes, upload: &Upload) -> Result<HttpResponse, ApiError> {
        let Forwarding { upstream, circuit, .. } = &self.forwarding;
        circuit.admit().map_err(|wait| outcome::left_alone(upstream, wait))?;
        let mut response = self.attempt(method, head, upload).await;
        if matches!(&response, Err(error) if outcome::is_repeatable(method, upload, error)) {
            response = self.attempt(method, head, upload).await;
        }
        match response {
            Ok(response) => {
                circuit.answered();
                Ok(response)
            }
            Err(error) => {
                if error.is_upstream_failure() {
                    circuit.failed();
                }
                Err(outcome::failure(upstream, error))
            }
        }
    }

    /// Sends a request once, on a connection of the pool.
    async fn attempt(
        &self,
        method: &Method,
        head: &Bytes,
        upload: &Upload,
    ) -> Result<HttpResponse, AttemptError> {
        let lease = self.pool.lease(upload.is_arriving()).await?;
        upload.start_clock();
        let response = exchange::exchange(lease, method, head.clone(), upload);
        let response = self.within_head_timeout(pin!(response), upload).await;
        response.ok_or(AttemptError::HeadTimeout)?.map_err(AttemptError::Exchange)
    }

    /// Waits for the head of the response. Each piece of the request's body that was sent restarts the timeout.
    async fn within_head_timeout<T>(
        &self,
        mut response: Pin<&mut impl Future<Output = T>>,
        upload: &Upload,
    ) -> Option<T> {
        let limit = self.forwarding.upstream.head_timeout;
        loop {
            let deadline = upload.last() + limit;
            match tokio::time::timeout_at(deadline, &mut response).await {
                Ok(response) => return Some(response),
                Err(_) if upload.last() + limit > deadline => {}
                Err(_) => return None,
            }
        }
    }
}
