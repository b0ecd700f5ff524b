//! Evaluations of stored toggles. Expensive ones run outside the workers, so that they do not delay other requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use actix_web::web;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::evaluation::{Stopped, Work};

/// Maximum number of comparisons of an evaluation on a worker: 10,000 toggles with targeting, some milliseconds.
const MAX_WORKER_COMPARISONS: usize = 500_000;
/// Maximum time to wait for other expensive evaluations.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(5);
/// Maximum time of an expensive evaluation.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Limits the number of expensive evaluations at the same time to one. It occupies a core.
static EXPENSIVE: Semaphore = Semaphore::const_new(1);

/// Cancels the evaluation when the client disconnects, which drops this value.
struct CancelOnDrop(Arc<AtomicBool>);

/// Evaluates and returns the body that `write` writes. It runs at once; if that takes too many comparisons, it runs again on a
/// thread for blocking work, with a deadline.
///
/// # Errors
/// [`ApiError::EvaluationBusy`] if too many expensive evaluations wait; [`ApiError::EvaluationTimeout`] after the deadline;
/// [`ApiError::Internal`] if the body cannot be written.
pub(super) async fn run(
    write: impl Fn(&mut Work) -> Result<serde_json::Result<Vec<u8>>, Stopped> + Send + 'static,
) -> Result<Vec<u8>, ApiError> {
    run_within(MAX_TIME, write).await
}

async fn run_within(
    max_time: Duration,
    write: impl Fn(&mut Work) -> Result<serde_json::Result<Vec<u8>>, Stopped> + Send + 'static,
) -> Result<Vec<u8>, ApiError> {
    if let Ok(body) = write(&mut Work::limited(MAX_WORKER_COMPARISONS)) {
        return body.map_err(ApiError::internal);
    }
    let permit = timeout(MAX_QUEUE_TIME, EXPENSIVE.acquire()).await;
    let permit = permit.map_err(|_late| ApiError::EvaluationBusy)?.map_err(ApiError::internal)?;
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let _cancel = CancelOnDrop(Arc::clone(&is_cancelled));
    let run = move || {
        // The permit belongs to the work, which ends some time after the client has disconnected.
        let _permit = permit;
        let start = Instant::now();
        write(&mut Work::until(move || is_cancelled.load(Ordering::Relaxed) || start.elapsed() > max_time))
    };
    let body = web::block(run).await.map_err(ApiError::internal)?;
    let late = |Stopped| ApiError::EvaluationTimeout { seconds: max_time.as_secs() };
    body.map_err(late)?.map_err(ApiError::internal)
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use serde_json::json;

    use super::{EXPENSIVE, run, run_within};
    use crate::error::ApiError;
    use crate::evaluation::{Context, Run, Stopped, Toggles, VARIANT_SEED, Work};

    /// Evaluates a toggle with this number of constraints, each of which costs three comparisons.
    fn evaluate(constraints: usize) -> impl Fn(&mut Work) -> Result<(), Stopped> {
        let constraint = json!({ "contextName": "plan", "operator": "IN", "values": ["gold"] });
        let strategy = json!({ "name": "default", "constraints": vec![constraint; constraints] });
        let toggle = json!({ "name": "a", "enabled": true, "strategies": [strategy] });
        let definitions = serde_json::from_value(json!({ "features": [toggle] })).unwrap();
        let toggles = Toggles::compile(&definitions, VARIANT_SEED);
        let context = Context::from_pairs([("plan", "gold")]);
        move |work| {
            let toggle = toggles.find("a").unwrap();
            toggles.evaluate_in(toggle, &mut Run::new(&context, work)).map(|_| ())
        }
    }

    #[actix_web::test]
    async fn expensive_evaluations_leave_the_worker() {
        for (constraints, stays) in [(1, true), (100_000, true), (200_000, false)] {
            let (send, receive) = mpsc::channel();
            let evaluate = evaluate(constraints);
            let write = move |work: &mut Work| {
                evaluate(work)?;
                send.send(thread::current().id()).unwrap();
                Ok(Ok(b"{}".to_vec()))
            };
            assert_eq!(run(write).await.unwrap(), b"{}");
            assert_eq!(receive.recv().unwrap() == thread::current().id(), stays, "{constraints}");
        }
    }

    #[actix_web::test]
    async fn deadline_stops_expensive_evaluations() {
        let evaluate = evaluate(200_000);
        let write = move |work: &mut Work| evaluate(work).map(|()| Ok(Vec::new()));
        let error = run_within(Duration::ZERO, write).await.unwrap_err();
        assert!(matches!(error, ApiError::EvaluationTimeout { .. }), "{error}");
    }

    /// The worker is free while the evaluation runs. The client disconnects while its evaluation runs on a thread for blocking work.
    #[actix_web::test]
    async fn disconnect_of_the_client_stops_the_evaluation() {
        let (start, started) = mpsc::channel();
        let (evaluate, worker) = (evaluate(200_000), thread::current().id());
        let (end, ended) = mpsc::channel();
        let write = move |work: &mut Work| {
            if thread::current().id() != worker {
                start.send(()).unwrap();
            }
            // Ends only if the work is stopped.
            while let Ok(()) = evaluate(work) {}
            end.send(()).unwrap();
            Err(Stopped)
        };
        let mut running = Box::pin(run_within(Duration::from_hours(1), write));
        assert!(futures_util::poll!(&mut running).is_pending());
        ended.recv().unwrap();
        while started.try_recv().is_err() {
            assert!(futures_util::poll!(&mut running).is_pending());
            tokio::task::yield_now().await;
        }
        drop(running);
        ended.recv_timeout(Duration::from_mins(1)).unwrap();
        drop(EXPENSIVE.acquire().await.unwrap());
    }
}
