//! The whole life of one forwarded request, top to bottom.

mod answer;
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
mod rewrite;
mod target;
mod upload;

use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;

use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, header};
use actix_web::{Error, HttpMessage as _, HttpRequest, HttpResponse, ResponseError as _, web};
use awc::error::SendRequestError;
use bytes::Bytes;

use self::circuit::Circuit;
use self::headers::Sender;
use self::pool::Pool;
use self::upload::{Framing, Upload};
use crate::config::{BasePath, Limits, Place, Upstream};
use crate::console::model::LoggedOut;
use crate::error::ApiError;
use crate::middleware;
use crate::middleware::client::Client;
use crate::middleware::request_id::RequestId;

/// What all workers forward by.
#[derive(Clone)]
pub struct Forwarding {
    upstream: Upstream,
    base_path: BasePath,
    limits: Limits,
    sender: Arc<Sender>,
    circuit: Arc<Circuit>,
}

/// One worker's way to the flag service.
pub struct Proxy {
    pool: Rc<Pool>,
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
    pub fn new(upstream: &Upstream, base_path: &BasePath, limits: &Limits) -> Result<Self, ApiError> {
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
        Self { pool: Rc::new(Pool::new(&forwarding.upstream)), forwarding: forwarding.clone() }
    }

    async fn forward(&self, request: &HttpRequest, body: Payload) -> Result<HttpResponse, ApiError> {
        let Forwarding { upstream, base_path, limits, .. } = &self.forwarding;
        let target = target::forwarded(upstream, base_path, request.uri())?;
        let upload = Upload::new(request.headers(), body, limits)?;
        upload.begin().await?;
        let client = middleware::client::of(request);
        let method = request.method();
        let head = self.head(request, (method, &target, request.headers()), &client, upload.framing())?;
        let answer = self.send(method, &head, &upload).await?;
        Ok(self.answered(answer, &client))
    }

    /// Asks the flag service to end the session of this request.
    ///
    /// # Errors
    /// [`ApiError`] when the flag service does not answer.
    pub async fn sign_out(
        &self,
        request: &HttpRequest,
        body: web::Payload,
    ) -> Result<HttpResponse, ApiError> {
        let Forwarding { upstream, limits, .. } = &self.forwarding;
        let client = middleware::client::of(request);
        let mut headers = request.headers().clone();
        headers.remove(header::CONTENT_TYPE);
        let nothing = Upload::new(&HeaderMap::new(), body.into_inner(), limits)?;
        let target = target::of(upstream, "/logout");
        let head = self.head(request, (&Method::GET, &target, &headers), &client, nothing.framing())?;
        let answer = self.send(&Method::GET, &head, &nothing).await?;
        let location = outcome::foreign_location(answer.headers(), upstream, request.headers());
        let mut response = HttpResponse::Ok();
        for cookie in self.answered(answer, &client).headers().get_all(header::SET_COOKIE) {
            response.append_header((header::SET_COOKIE, cookie));
        }
        Ok(response.json(LoggedOut { location }))
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
        headers::keep_for_clients(headers);
        let Forwarding { upstream, base_path, .. } = &self.forwarding;
        rewrite::Sides { upstream, base_path, is_https: client.scheme == "https" }.rewrite(headers);
        answer
    }

    /// Sends a request, a second time where that cannot do anything twice.
    async fn send(&self, method: &Method, head: &Bytes, upload: &Upload) -> Result<HttpResponse, ApiError> {
        let Forwarding { upstream, circuit, .. } = &self.forwarding;
        circuit.admit().map_err(|wait| outcome::left_alone(upstream, wait))?;
        let mut answer = self.attempt(method, head, upload).await;
        if matches!(&answer, Some(Err(error)) if outcome::is_repeatable(method, upload, error)) {
            answer = self.attempt(method, head, upload).await;
        }
        match answer {
            Some(Ok(answer)) => {
                circuit.answered();
                Ok(answer)
            }
            // The client's own fault says nothing of the upstream.
            Some(Err(SendRequestError::Body(cause))) => Err(outcome::of_client(cause)),
            Some(Err(error)) => {
                circuit.failed();
                Err(outcome::failure(upstream, &error))
            }
            None => {
                circuit.failed();
                Err(outcome::too_slow(upstream, upstream.head_timeout))
            }
        }
    }

    /// One try; `None` when the answer's head did not come in time.
    async fn attempt(
        &self,
        method: &Method,
        head: &Bytes,
        upload: &Upload,
    ) -> Option<Result<HttpResponse, SendRequestError>> {
        let answer =
            async { exchange::exchange(self.pool.lease().await?, method, head.clone(), upload).await };
        self.within_head_timeout(pin!(answer), upload).await
    }

    /// Waits for the answer's head; the clock starts again with each piece of the request's body that went out.
    async fn within_head_timeout<T>(
        &self,
        mut answer: Pin<&mut impl Future<Output = T>>,
        upload: &Upload,
    ) -> Option<T> {
        let limit = self.forwarding.upstream.head_timeout;
        loop {
            let deadline = upload.last() + limit;
            match tokio::time::timeout_at(deadline, &mut answer).await {
                Ok(answer) => return Some(answer),
                Err(_) if upload.last() + limit > deadline => {}
                Err(_) => return None,
            }
        }
    }
}
