//! Evaluations outside the workers, so that expensive toggles do not delay other requests.

use std::time::Duration;

use actix_web::web;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::ApiError;

/// Maximum cost in comparisons of an evaluation on a worker: 10,000 toggles with targeting, some milliseconds.
const MAX_WORKER_COST: usize = 1_000_000;
/// Maximum time to wait for other expensive evaluations.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(5);

/// Limits the number of expensive evaluations at the same time to one. It occupies a core.
static EXPENSIVE: Semaphore = Semaphore::const_new(1);

/// Runs an evaluation with this maximum cost, and returns the body that it writes: at once, or on a thread for blocking
/// work if it is expensive.
///
/// # Errors
/// [`ApiError::EvaluationBusy`] if too many expensive evaluations wait; [`ApiError::Internal`] if the body cannot be
/// written.
pub(super) async fn run(
    cost: usize,
    write: impl FnOnce() -> serde_json::Result<Vec<u8>> + Send + 'static,
) -> Result<Vec<u8>, ApiError> {
    if cost <= MAX_WORKER_COST {
        return write().map_err(ApiError::internal);
    }
    let permit = timeout(MAX_QUEUE_TIME, EXPENSIVE.acquire()).await;
    let permit = permit.map_err(|_late| ApiError::EvaluationBusy)?.map_err(ApiError::internal)?;
    let run = move || {
        // The permit belongs to the work, which continues after the client has disconnected.
        let _permit = permit;
        write()
    };
    web::block(run).await.map_err(ApiError::internal)?.map_err(ApiError::internal)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::{MAX_WORKER_COST, run};

    #[actix_web::test]
    async fn expensive_evaluations_leave_the_worker() {
        for (cost, stays) in [(0, true), (MAX_WORKER_COST, true), (MAX_WORKER_COST + 1, false)] {
            let (send, receive) = mpsc::channel();
            let write = move || {
                send.send(thread::current().id()).unwrap();
                Ok(b"{}".to_vec())
            };
            assert_eq!(run(cost, write).await.unwrap(), b"{}");
            assert_eq!(receive.recv().unwrap() == thread::current().id(), stays, "{cost}");
        }
    }
}
