//! Sends the requests of one worker to the upstream, and retries a request once if that is safe.

use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::Method;
use bytes::Bytes;

use super::circuit_breaker::CircuitBreaker;
use super::error::ExchangeError;
use super::exchange;
use super::pool::Pool;
use super::request_body::RequestBody;
use crate::config::Upstream;

/// The client of one worker, with its own connection pool.
pub(crate) struct UpstreamClient {
    pool: Rc<Pool>,
    circuit_breaker: Arc<CircuitBreaker>,
    head_timeout: Duration,
}

impl UpstreamClient {
    /// Creates the client without connecting to the upstream. All workers share the circuit breaker.
    pub(crate) fn new(upstream: &Upstream, circuit_breaker: Arc<CircuitBreaker>) -> Self {
        Self { pool: Rc::new(Pool::new(upstream)), circuit_breaker, head_timeout: upstream.head_timeout }
    }

    /// Sends a request, and retries it once if that is safe. The response streams its body.
    pub(crate) async fn send(
        &self,
        method: &Method,
        head: &Bytes,
        body: &RequestBody,
    ) -> Result<HttpResponse, ExchangeError> {
        self.circuit_breaker.admit().map_err(ExchangeError::CircuitOpen)?;
        let mut response = self.attempt(method, head, body).await;
        if matches!(&response, Err(error) if can_retry(method, body, error)) {
            response = self.attempt(method, head, body).await;
        }
        match &response {
            Ok(_) => self.circuit_breaker.record_response(),
            Err(error) if error.is_server_failure() => self.circuit_breaker.record_failure(),
            Err(_) => {}
        }
        response
    }

    /// Sends a request once, on a connection from the pool.
    async fn attempt(
        &self,
        method: &Method,
        head: &Bytes,
        body: &RequestBody,
    ) -> Result<HttpResponse, ExchangeError> {
        let lease = self.pool.lease(body.is_arriving()).await?;
        body.start_clock();
        let response = exchange::exchange(lease, method, head.clone(), body);
        self.wait_for_head(pin!(response), body).await
    }

    /// Waits for the head of the response until the head timeout. Each part of the request body that is sent restarts
    /// the timeout.
    async fn wait_for_head<T>(
        &self,
        mut response: Pin<&mut impl Future<Output = Result<T, ExchangeError>>>,
        body: &RequestBody,
    ) -> Result<T, ExchangeError> {
        loop {
            let deadline = body.last_progress() + self.head_timeout;
            match tokio::time::timeout_at(deadline, &mut response).await {
                Ok(response) => return response,
                Err(_) if body.last_progress() + self.head_timeout > deadline => {}
                Err(_) => return Err(ExchangeError::HeadTimeout),
            }
        }
    }
}

/// Returns true if the request can be sent again: either no part of it was sent, or it is a GET or HEAD on a reused
/// connection that the upstream had closed. Other methods are never sent twice (RFC 9110, 9.2.2).
fn can_retry(method: &Method, body: &RequestBody, error: &ExchangeError) -> bool {
    match error {
        ExchangeError::Connect(_) => body.is_unread(),
        ExchangeError::StaleConnection(_) => matches!(*method, Method::GET | Method::HEAD) && body.is_empty(),
        _ => false,
    }
}
