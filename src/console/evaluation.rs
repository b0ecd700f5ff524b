//! Evaluation of toggles (`POST /-/evaluate`). `evaluation/request.rs` describes its format.
//!
//! A request first waits for the turn of its client, so that each client has at most one body in memory and one evaluation.
//! A client is a verified user, or else the network of an address: users behind one proxy do not wait for each other.
//! It waits for the permit only after its body has arrived, so that a slow upload does not delay other clients. Permits are
//! given in the order of the requests, which alternates between clients.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::http::header::ContentType;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use jiff::{Timestamp, Unit};
use serde_json::from_slice;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::ApiError;
use crate::evaluation::request::{EvaluateRequest, MAX_TIME, RequestError};
use crate::evaluation::{Definitions, Work};
use crate::json_body::{BodyLimits, read_body};
use crate::middleware::client::{self, network_of};

/// The limits of the body: 10,000 contexts with 20 fields, or 5,000 toggles with 100 values.
const LIMITS: BodyLimits = BodyLimits { bytes: 8 << 20, values: 500_000, objects: 100_000 };
/// Maximum time to receive the body.
const MAX_BODY_TIME: Duration = Duration::from_secs(10);
/// Maximum time to wait for the turn of the client, and then for the permit.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(10);

/// The queue of evaluations, which all workers share.
pub struct Evaluations {
    clients: Clients,
    /// Limits the number of evaluations at the same time to one. It occupies a core, and other requests need the others.
    permits: Arc<Semaphore>,
}

/// The clients that have a turn or wait for it: one permit for each.
#[derive(Default)]
struct Clients(Mutex<HashMap<ClientId, Arc<Semaphore>>>);

/// Identifies a client of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientId {
    /// A verified user: a hash of the credentials.
    User([u8; 32]),
    /// The network of a client without credentials.
    Network(IpAddr),
}

/// The right of a client to evaluate. No other request of this client has one.
#[must_use]
pub struct Turn {
    of_client: OwnedSemaphorePermit,
    permits: Arc<Semaphore>,
}

/// Cancels the work when the client disconnects, which drops this value.
struct CancelOnDrop(Arc<AtomicBool>);

impl Default for Evaluations {
    fn default() -> Self {
        Self { clients: Clients::default(), permits: Arc::new(Semaphore::new(1)) }
    }
}

impl ClientId {
    /// Identifies the client of a request by its network.
    ///
    /// # Errors
    /// [`ApiError::Internal`] if the request has not passed the middleware.
    pub fn from_request(request: &HttpRequest) -> Result<Self, ApiError> {
        Ok(Self::Network(network_of(client::from_request(request)?.address)))
    }
}

impl Evaluations {
    /// Waits until the client has no other evaluation. The caller must verify the user before.
    ///
    /// # Errors
    /// [`ApiError::EvaluationBusy`] if this takes too long.
    pub async fn wait_for_turn(&self, client: ClientId) -> Result<Turn, ApiError> {
        let of_client = self.clients.wait(client).await?;
        Ok(Turn { of_client, permits: Arc::clone(&self.permits) })
    }
}

impl Turn {
    /// Evaluates the toggles of the request, or else those of `stored`, the JSON of [`Definitions`].
    ///
    /// # Errors
    /// [`ApiError::BadBody`] for invalid requests; [`ApiError::BodyTooLarge`] and [`ApiError::TooMuchWork`] above a limit;
    /// [`ApiError::BodyTimeout`] and [`ApiError::EvaluationBusy`] after a deadline.
    pub async fn evaluate(self, body: web::Payload, stored: Option<Bytes>) -> Result<HttpResponse, ApiError> {
        let of_client = self.of_client;
        let late = |_late| ApiError::BodyTimeout { seconds: MAX_BODY_TIME.as_secs_f64() };
        let body = timeout(MAX_BODY_TIME, read_body(body, &LIMITS)).await.map_err(late)??;
        let permit = acquire(self.permits).await?;
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let _cancel = CancelOnDrop(Arc::clone(&is_cancelled));
        let run = move || {
            // Both belong to the work, which ends some time after the client has disconnected.
            let (_turn, _permit) = (of_client, permit);
            respond(&body, stored.as_deref(), is_cancelled)
        };
        let response = web::block(run).await.map_err(ApiError::internal)??;
        Ok(HttpResponse::Ok().content_type(ContentType::json()).body(response))
    }
}

impl Clients {
    async fn wait(&self, client: ClientId) -> Result<OwnedSemaphorePermit, ApiError> {
        let permits = {
            let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // A permit and a request that waits for one keep a reference.
            clients.retain(|_, permits| Arc::strong_count(permits) > 1);
            Arc::clone(clients.entry(client).or_insert_with(|| Arc::new(Semaphore::new(1))))
        };
        acquire(permits).await
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn acquire(permits: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    let permit = timeout(MAX_QUEUE_TIME, permits.acquire_owned()).await;
    permit.map_err(|_late| ApiError::EvaluationBusy)?.map_err(ApiError::internal)
}

fn respond(body: &[u8], stored: Option<&[u8]>, is_cancelled: Arc<AtomicBool>) -> Result<Vec<u8>, ApiError> {
    if is_cancelled.load(Ordering::Relaxed) {
        return Err(ApiError::EvaluationBusy);
    }
    let start = Instant::now();
    let mut work = Work::until(move || is_cancelled.load(Ordering::Relaxed) || start.elapsed() > MAX_TIME);
    let mut request: EvaluateRequest = from_slice(body)
        .map_err(|cause| ApiError::BadBody(format!("The request body is not a valid evaluation: {cause}")))?;
    if let (None, Some(stored)) = (&request.toggles, stored) {
        let Definitions { features, segments } = from_slice(stored).map_err(ApiError::internal)?;
        request.toggles = Some(features);
        request.segments.get_or_insert(segments);
    }
    let now = Timestamp::now().round(Unit::Second).map_err(ApiError::internal)?.to_string();
    let response = request.evaluate(&now, &mut work).map_err(|error| match error {
        RequestError::Invalid(message) => ApiError::BadBody(message),
        RequestError::TooMuchWork(_) | RequestError::Stopped(_) => ApiError::TooMuchWork(error.to_string()),
    })?;
    serde_json::to_vec(&response).map_err(ApiError::internal)
}

#[cfg(test)]
mod tests {
    use super::{ClientId, Clients};
    use crate::error::ApiError;
    use crate::middleware::client::network_of;

    #[tokio::test(start_paused = true)]
    async fn each_client_has_one_turn() {
        let clients = Clients::default();
        let address = |text: &str| ClientId::Network(network_of(text.parse().unwrap()));
        let first = clients.wait(address("2001:db8::1")).await.unwrap();
        let others = (clients.wait(address("192.0.2.1")).await, clients.wait(ClientId::User([0; 32])).await);
        assert!(others.0.is_ok() && others.1.is_ok());
        let same = clients.wait(ClientId::User([0; 32])).await;
        assert!(matches!(same, Err(ApiError::EvaluationBusy)), "same user: {same:?}");
        let second = clients.wait(address("2001:db8::2")).await;
        assert!(matches!(second, Err(ApiError::EvaluationBusy)), "same network: {second:?}");
        drop((first, others));
        assert!(clients.wait(address("2001:db8::2")).await.is_ok());
        assert_eq!(clients.0.lock().unwrap().len(), 1);
    }
}
