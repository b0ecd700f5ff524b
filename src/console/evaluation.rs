//! Evaluation of toggles (`POST /-/evaluate`). `evaluation/request.rs` describes its format.
//!
//! A request first waits for the turn of its client, so that each client has at most one body in memory and one evaluation.
//! A client is a verified user, or else the network of an address: users behind one proxy do not wait for each other.
//! It enters a queue only after its body has arrived, so that a slow upload does not delay other clients. A queue
//! keeps the order of the requests, which alternates between clients.
//!
//! Every evaluation first enters a queue with a short deadline, and enters another one if it does not meet it. The time of
//! an evaluation is not known before, and the expensive ones only wait for each other.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::ContentType;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use jiff::{Timestamp, Unit};
use memchr::memmem;
use parking_lot::Mutex;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::from_slice;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::recorder;
use crate::api::past::{RecordedEvaluation, apply_holds, find_past_holds};
use crate::error::{ApiError, DomainError};
use crate::evaluation::request::{EvaluateRequest, MAX_TIME, RequestError};
use crate::evaluation::{Definitions, Stopped, Work};
use crate::evaluation_queue::{self, EvaluationQueue};
use crate::hold::Holds;
use crate::json_body::{BodyLimits, read_body};
use crate::middleware::client::{self, network_of};
use crate::recorder::Recorder;
use crate::recorder::reader::{PastTime, Selection};
use crate::upstream::error::BodyError;

/// The limits of the body: 10,000 contexts with 20 fields, or 5,000 toggles with 100 values.
const LIMITS: BodyLimits = BodyLimits { bytes: 8 << 20, values: 500_000, objects: 100_000 };
/// Maximum number of clients with a turn, whose bodies take up to half a gigabyte.
const MAX_TURNS: usize = 64;
/// Maximum time to receive the body.
const MAX_BODY_TIME: Duration = Duration::from_secs(10);
/// Maximum time to wait for the turn of the client, and then in each queue.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(10);
/// Maximum time of an evaluation in the first queue: enough for 10,000 contexts of a toggle with targeting.
const SHORT_TIME: Duration = Duration::from_millis(50);

/// The queues of evaluations, which all workers share.
pub struct Evaluations {
    clients: Clients,
    /// Recorded states, for requests with a time.
    recorder: Option<Recorder>,
    /// Holds of toggles whose states are evaluated as SDKs get them.
    holds: Option<Holds>,
    /// The queue in which every evaluation starts.
    short: EvaluationQueue,
    /// The queue of evaluations that take longer.
    long: EvaluationQueue,
}

/// The clients that have a turn or wait for it.
struct Clients {
    /// One permit for each client.
    permits: Mutex<HashMap<ClientId, Arc<Semaphore>>>,
    /// The permits of all clients together, because one person can have several addresses.
    all: Arc<Semaphore>,
}

impl Default for Clients {
    fn default() -> Self {
        Self { permits: Mutex::default(), all: Arc::new(Semaphore::new(MAX_TURNS)) }
    }
}

/// The permits of a client and of all clients together.
type TurnPermit = (OwnedSemaphorePermit, OwnedSemaphorePermit);

/// Identifies a client of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientId {
    /// A verified user: a hash of what identifies the user.
    User([u8; 32]),
    /// The network of a client whose user is not known.
    Network(IpAddr),
}

/// The right of a client to evaluate. No other request of this client has one.
#[must_use]
pub struct Turn<'e> {
    permit: TurnPermit,
    evaluations: &'e Evaluations,
}

/// A request whose body has arrived.
struct Input {
    body: Bytes,
    /// The JSON of [`Definitions`], for a request without toggles.
    stored: Option<Bytes>,
    recorder: Option<Recorder>,
    holds: Option<Holds>,
    /// The turn of the client belongs to the work, which ends shortly after the client has disconnected.
    _turn: TurnPermit,
}

/// A request with the toggles that it evaluates.
struct ReadRequest {
    request: EvaluateRequest,
    /// The time of the evaluation.
    now: String,
    /// The recorded state of a request with a time.
    recording: Option<PastTime>,
    /// The time whose holds count; `None` for toggles of the request, which SDKs may not get.
    holds_at: Option<Timestamp>,
}

/// The time in a request.
#[derive(Deserialize)]
struct RequestTime {
    at: Option<IgnoredAny>,
}

impl ClientId {
    /// Identifies the client of a request by its network.
    pub(crate) fn from_request(request: &HttpRequest) -> Result<Self, ApiError> {
        Ok(Self::from_address(client::from_request(request)?.address))
    }
}

impl ClientId {
    /// Identifies a client by the network of its address.
    pub(crate) fn from_address(address: IpAddr) -> Self {
        Self::Network(network_of(address))
    }
}

impl Evaluations {
    /// Creates the queues. `recorder` contains the states of requests with a time, and `holds` the holds that they contain.
    #[must_use]
    pub fn new(recorder: Option<Recorder>, holds: Option<Holds>) -> Self {
        let queue = |max_time| EvaluationQueue::new(MAX_QUEUE_TIME, max_time);
        Self { clients: Clients::default(), recorder, holds, short: queue(SHORT_TIME), long: queue(MAX_TIME) }
    }

    /// Waits until the client has no other evaluation. The caller must verify the user before.
    /// Fails if this takes too long.
    pub(crate) async fn wait_for_turn(&self, client: ClientId) -> Result<Turn<'_>, ApiError> {
        Ok(Turn { permit: self.clients.wait(client).await?, evaluations: self })
    }
}

impl Turn<'_> {
    /// Evaluates the toggles of the request, or else the toggles in `stored`, the JSON of [`Definitions`]. `read_records` decides
    /// whether the user may read earlier states; otherwise, it returns the response.
    pub(crate) async fn evaluate(
        self,
        request: &HttpRequest,
        body: web::Payload,
        stored: Option<Bytes>,
        read_records: impl AsyncFnOnce() -> Result<(), HttpResponse>,
    ) -> Result<HttpResponse, ApiError> {
        let body = read(body).await?;
        // A body without this text is parsed later, on another thread. Without a recorder, a time in it is refused.
        let mut recorder = None;
        if let Some(known) = &self.evaluations.recorder
            && memmem::find(&body, br#""at""#).is_some()
            && from_slice::<RequestTime>(&body).is_ok_and(|request| request.at.is_some())
        {
            if let Err(response) = read_records().await {
                return Ok(response);
            }
            known.flush().await;
            recorder = Some(known.clone());
        }
        let holds = self.evaluations.holds.clone();
        let input = Arc::new(Input { body, stored, recorder, holds, _turn: self.permit });
        for queue in [&self.evaluations.short, &self.evaluations.long] {
            let input = Arc::clone(&input);
            if let Ok(response) = queue.run(request, move |work| input.respond(work)).await? {
                return Ok(HttpResponse::Ok().content_type(ContentType::json()).body(response?));
            }
        }
        Err(too_much_work(RequestError::Stopped(Stopped).to_string()))
    }

    /// Runs other work on a body, in the queue of expensive evaluations.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        request: &HttpRequest,
        body: web::Payload,
        act: impl FnOnce(&[u8], &mut Work) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let body = read(body).await?;
        let permit = self.permit;
        let run = move |work: &mut Work| {
            // The turn of the client belongs to the work.
            let _turn = permit;
            act(&body, work)
        };
        self.evaluations.long.run(request, run).await
    }
}

/// Reads a body within the limits.
async fn read(body: web::Payload) -> Result<Bytes, ApiError> {
    let late = |_late| BodyError::Timeout { limit: MAX_BODY_TIME };
    timeout(MAX_BODY_TIME, read_body(body, &LIMITS)).await.map_err(late)?
}

impl Input {
    fn respond(&self, work: &mut Work) -> Result<Result<Vec<u8>, ApiError>, Stopped> {
        let evaluate = |ReadRequest { request, now, recording, holds_at }| match request.evaluate(&now, work)
        {
            Ok(response) => {
                let mut response = RecordedEvaluation { response, recording };
                if let (Some(at), Some(holds)) = (holds_at, &self.holds) {
                    response.add_holds(&holds.list(), at);
                }
                Ok(serde_json::to_vec(&response).map_err(ApiError::internal))
            }
            Err(RequestError::Invalid(message)) => Ok(Err(ApiError::BadBody(message))),
            Err(RequestError::TooMuchWork(message)) => Ok(Err(too_much_work(message))),
            Err(RequestError::Stopped(stopped)) => Err(stopped),
        };
        self.read().map_or_else(|error| Ok(Err(error)), evaluate)
    }

    /// Reads the request, and its toggles if they are stored or recorded.
    fn read(&self) -> Result<ReadRequest, ApiError> {
        let mut request: EvaluateRequest = from_slice(&self.body).map_err(|cause| {
            ApiError::BadBody(format!("The request body is not a valid evaluation: {cause}"))
        })?;
        let (mut time, mut recording, mut holds_at) = (Timestamp::now(), None, None);
        if let Some(at) = recorder::parse_time("at", request.at.as_deref())? {
            if request.toggles.is_some() || request.segments.is_some() {
                let message = "The request has toggles and a time; send one of them".to_owned();
                return Err(ApiError::BadBody(message));
            }
            let known = self.recorder.as_ref().ok_or_else(recorder::missing)?;
            let selection =
                Selection { scope: request.scope.clone(), environment: request.environment.clone() };
            let state = known.read_blocking(|reader| reader.state_at(Some(at), &selection));
            let state = state.map_err(recorder::failure)?;
            let json = serde_json::to_vec(&state).map_err(ApiError::internal)?;
            let mut definitions: Definitions = from_slice(&json).map_err(ApiError::internal)?;
            if let Some(holds) = &self.holds {
                let environment = state.recording.scope.environment.as_deref();
                let holds = find_past_holds(&holds.list(), (at, at), environment, |_| true);
                apply_holds(&mut definitions, &holds);
            }
            let Definitions { features, segments } = definitions;
            (request.toggles, request.segments) = (Some(features), Some(segments));
            (time, recording, holds_at) = (at, Some(state.recording), Some(at));
        }
        if let (None, Some(stored)) = (&request.toggles, &self.stored) {
            let Definitions { features, segments } = from_slice(stored).map_err(ApiError::internal)?;
            request.toggles = Some(features);
            request.segments.get_or_insert(segments);
            holds_at = Some(time);
        }
        let now = time.round(Unit::Second).map_err(ApiError::internal)?;
        Ok(ReadRequest { request, now: now.to_string(), recording, holds_at })
    }
}

/// Creates the error for a request that would take too much time or memory.
pub(crate) fn too_much_work(message: String) -> ApiError {
    DomainError::new("too_much_work", StatusCode::PAYLOAD_TOO_LARGE, message).into()
}

impl Clients {
    async fn wait(&self, client: ClientId) -> Result<TurnPermit, ApiError> {
        let permits = {
            let mut clients = self.permits.lock();
            // A permit and a request that waits for one keep a reference.
            clients.retain(|_, permits| Arc::strong_count(permits) > 1);
            Arc::clone(clients.entry(client).or_insert_with(|| Arc::new(Semaphore::new(1))))
        };
        let acquire = async {
            let own = permits.acquire_owned().await?;
            Ok((own, Arc::clone(&self.all).acquire_owned().await?))
        };
        let permits = timeout(MAX_QUEUE_TIME, acquire).await;
        permits
            .map_err(|_late| evaluation_queue::busy())?
            .map_err(|error: AcquireError| ApiError::internal(error))
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::mpsc::channel;

    use actix_web::FromRequest as _;
    use actix_web::dev::Payload;
    use actix_web::error::PayloadError;
    use actix_web::test::TestRequest;
    use actix_web::web;
    use bytes::Bytes;
    use futures_util::{Stream, poll, stream};
    use tokio::runtime::Builder;
    use tokio::time::Instant;

    use super::{ClientId, Clients, Evaluations, MAX_BODY_TIME, MAX_QUEUE_TIME, MAX_TURNS};
    use crate::error::ApiError;
    use crate::middleware::client::network_of;

    type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>>;

    const USER: ClientId = ClientId::User([0; 32]);
    const BODY: &[u8] = br#"{"toggles":[],"contexts":[{}]}"#;

    /// Evaluates a body that arrives in these chunks.
    async fn evaluate(evaluations: &Evaluations, chunks: Chunks) -> Result<(), ApiError> {
        let request = TestRequest::default().to_http_request();
        let body = web::Payload::from_request(&request, &mut Payload::from(chunks)).await.unwrap();
        evaluations.wait_for_turn(USER).await?.evaluate(&request, body, None, async || Ok(())).await.map(drop)
    }

    fn complete_body() -> Chunks {
        Box::pin(stream::iter([Ok(Bytes::from_static(BODY))]))
    }

    #[tokio::test(start_paused = true)]
    async fn waits_for_the_body_and_then_for_the_only_permit_at_most_ten_seconds_each() {
        let evaluations = Evaluations::new(None, None);
        let start = Instant::now();
        let stalled = evaluate(&evaluations, Box::pin(stream::pending())).await;
        assert_eq!(stalled.unwrap_err().code(), "body_timeout");
        assert_eq!(start.elapsed().as_secs(), MAX_BODY_TIME.as_secs());
        let running = evaluations.short.permits().acquire_owned().await.unwrap();
        let start = Instant::now();
        let waiting = evaluate(&evaluations, complete_body()).await;
        assert_eq!(waiting.unwrap_err().code(), "evaluation_busy");
        assert_eq!(start.elapsed().as_secs(), MAX_QUEUE_TIME.as_secs());
        drop(running);
        evaluate(&evaluations, complete_body()).await.unwrap();
    }

    #[test]
    fn disconnected_client_keeps_its_turn_and_permit_until_its_work_ends() {
        let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_time().build().unwrap();
        runtime.block_on(async {
            let evaluations = Evaluations::new(None, None);
            let (end, ended) = channel::<()>();
            // The work waits for the only thread.
            drop(tokio::task::spawn_blocking(move || ended.recv().is_ok()));
            let mut work = Box::pin(evaluate(&evaluations, complete_body()));
            assert!(poll!(&mut work).is_pending());
            drop(work);
            assert_eq!(evaluations.short.permits().available_permits(), 0);
            assert!(poll!(Box::pin(evaluations.wait_for_turn(USER))).is_pending());
            end.send(()).unwrap();
            evaluate(&evaluations, complete_body()).await.unwrap();
        });
    }

    #[actix_web::test]
    async fn small_evaluation_does_not_wait_for_an_expensive_one() {
        let evaluations = Evaluations::new(None, None);
        let _expensive = evaluations.long.permits().acquire_owned().await.unwrap();
        evaluate(&evaluations, complete_body()).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn each_client_has_one_turn() {
        let clients = Clients::default();
        let address = |text: &str| ClientId::Network(network_of(text.parse().unwrap()));
        let first = clients.wait(address("2001:db8::1")).await.unwrap();
        let others = (clients.wait(address("192.0.2.1")).await, clients.wait(ClientId::User([0; 32])).await);
        assert!(others.0.is_ok() && others.1.is_ok());
        let same = clients.wait(ClientId::User([0; 32])).await;
        assert_eq!(same.unwrap_err().code(), "evaluation_busy", "same user");
        let second = clients.wait(address("2001:db8::2")).await;
        assert_eq!(second.unwrap_err().code(), "evaluation_busy", "same network");
        drop((first, others));
        assert!(clients.wait(address("2001:db8::2")).await.is_ok());
        assert_eq!(clients.permits.lock().len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn number_of_turns_is_limited() {
        let clients = Clients::default();
        let user = |number: usize| ClientId::User([u8::try_from(number).unwrap(); 32]);
        let mut turns = Vec::new();
        for number in 0..MAX_TURNS {
            turns.push(clients.wait(user(number)).await.unwrap());
        }
        assert_eq!(clients.wait(user(MAX_TURNS)).await.unwrap_err().code(), "evaluation_busy");
        turns.pop();
        assert!(clients.wait(user(MAX_TURNS)).await.is_ok());
    }
}
