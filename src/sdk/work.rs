//! Evaluations of stored toggles. Expensive ones run outside the workers, so that they do not delay other requests.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::StatusCode;

use super::SdkApi;
use crate::error::{ApiError, DomainError};
use crate::evaluation::{Stopped, Work};
use crate::evaluation_queue::EvaluationQueue;

/// Maximum number of comparisons of an evaluation on a worker: 10,000 toggles with targeting, some milliseconds.
const MAX_WORKER_COMPARISONS: usize = 500_000;
/// Maximum time to wait for other expensive evaluations.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(5);
/// Maximum time of an expensive evaluation.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Creates the queue of expensive evaluations.
pub(super) fn queue() -> EvaluationQueue {
    EvaluationQueue::new(MAX_QUEUE_TIME, MAX_TIME)
}

impl SdkApi {
    /// Evaluates and returns the body that `write` writes. It runs at once; if that takes too many comparisons, it runs again
    /// in the queue.
    pub(super) async fn evaluate(
        &self,
        request: &HttpRequest,
        write: impl Fn(&mut Work) -> Result<serde_json::Result<Vec<u8>>, Stopped> + Send + 'static,
    ) -> Result<Vec<u8>, ApiError> {
        let body = write(&mut Work::limited(MAX_WORKER_COMPARISONS));
        let body = if body.is_ok() { body } else { self.queue.run(request, write).await? };
        let late = |Stopped| {
            let message = format!(
                "The evaluation takes longer than {} s: the toggles have too many strategies, constraints, values or patterns. Remove some of them, or request a single toggle",
                MAX_TIME.as_secs()
            );
            DomainError::new("evaluation_timeout", StatusCode::SERVICE_UNAVAILABLE, message)
        };
        body.map_err(late)?.map_err(ApiError::internal)
    }
}
