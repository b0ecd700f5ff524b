//! Runs expensive evaluations one after the other on a thread for blocking work, within a deadline.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use tokio::select;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::{ApiError, DomainError};
use crate::evaluation::Work;
use crate::listener::client_closed;

/// A queue of evaluations. One of them runs at a time: it occupies a core, and other requests need the others.
#[derive(Debug)]
pub struct EvaluationQueue {
    permits: Arc<Semaphore>,
    max_wait: Duration,
    max_time: Duration,
}

impl EvaluationQueue {
    /// Creates an empty queue. `max_wait` is the maximum time of an evaluation in the queue, and `max_time` of its work.
    #[must_use]
    pub fn new(max_wait: Duration, max_time: Duration) -> Self {
        Self { permits: Arc::new(Semaphore::new(1)), max_wait, max_time }
    }

    /// Returns the permits of running evaluations.
    #[cfg(test)]
    pub(crate) fn permits(&self) -> Arc<Semaphore> {
        Arc::clone(&self.permits)
    }

    /// Runs an evaluation. Its work stops at the deadline, and when the client of the request disconnects.
    /// Fails after too much time in the queue.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        request: &HttpRequest,
        evaluate: impl FnOnce(&mut Work) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        select! {
            biased;
            () = client_closed(request) => Err(cancelled()),
            result = self.run_connected(evaluate) => result,
        }
    }

    /// Runs an evaluation. Its work also stops when the future is dropped.
    async fn run_connected<T: Send + 'static>(
        &self,
        evaluate: impl FnOnce(&mut Work) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = timeout(self.max_wait, Arc::clone(&self.permits).acquire_owned()).await;
        let permit = permit.map_err(|_late| busy())?.map_err(ApiError::internal)?;
        let max_time = self.max_time;
        // This future has the only strong reference.
        let future = Arc::new(());
        let is_waiting = Arc::downgrade(&future);
        let run = move || {
            // The permit belongs to the work, which ends shortly after the future has been dropped.
            let _permit = permit;
            let start = Instant::now();
            let is_over = move || is_waiting.strong_count() == 0 || start.elapsed() > max_time;
            evaluate(&mut Work::until(is_over))
        };
        web::block(run).await.map_err(ApiError::internal)
    }
}

/// Creates the error for a request that waits too long for other evaluations.
pub(crate) fn busy() -> ApiError {
    let message =
        "Flagdeck is busy with other evaluations. Try again in some seconds, or send fewer at the same time";
    DomainError::new("evaluation_busy", StatusCode::SERVICE_UNAVAILABLE, message).into()
}

/// Creates the error for a client that has closed its side of the connection.
fn cancelled() -> ApiError {
    let message = "The client closed its side of the connection, which stops the evaluation. Keep it open until the response arrives";
    DomainError::new("evaluation_cancelled", StatusCode::BAD_REQUEST, message).into()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use serde_json::json;

    use super::EvaluationQueue;
    use crate::evaluation::{Context, Run, Stopped, Toggles, VARIANT_SEED, Work};

    const HOUR: Duration = Duration::from_hours(1);

    /// Evaluates a toggle with 20,000 constraints.
    fn evaluate(work: &mut Work) -> Result<(), Stopped> {
        let constraint = json!({ "contextName": "plan", "operator": "IN", "values": ["gold"] });
        let strategy = json!({ "name": "default", "constraints": vec![constraint; 20_000] });
        let toggle = json!({ "name": "a", "enabled": true, "strategies": [strategy] });
        let definitions = serde_json::from_value(json!({ "features": [toggle] })).unwrap();
        let toggles = Toggles::compile(&definitions, VARIANT_SEED);
        let context = Context::from_pairs([("plan", "gold")]);
        toggles.evaluate_in(toggles.find("a").unwrap(), &mut Run::new(&context, work)).map(|_| ())
    }

    #[actix_web::test]
    async fn deadline_stops_the_work() {
        for (max_time, expected) in [(HOUR, Ok(())), (Duration::ZERO, Err(Stopped))] {
            assert_eq!(EvaluationQueue::new(HOUR, max_time).run_connected(evaluate).await.unwrap(), expected);
        }
    }

    #[actix_web::test]
    async fn dropped_evaluation_stops_and_leaves_the_queue() {
        let queue = EvaluationQueue::new(HOUR, HOUR);
        let (start, started) = mpsc::channel();
        let endless = move |work: &mut Work| {
            start.send(()).unwrap();
            while evaluate(work).is_ok() {}
        };
        let mut running = Box::pin(queue.run_connected(endless));
        assert!(futures_util::poll!(&mut running).is_pending());
        started.recv().unwrap();
        assert!(futures_util::poll!(&mut running).is_pending());
        drop(running);
        queue.run_connected(evaluate).await.unwrap().unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn evaluations_wait_for_each_other_for_a_limited_time() {
        let queue = EvaluationQueue::new(Duration::from_secs(1), HOUR);
        let running = queue.permits.acquire().await;
        let late = queue.run_connected(|_| ()).await;
        assert_eq!(late.unwrap_err().code(), "evaluation_busy");
        drop(running);
    }
}
