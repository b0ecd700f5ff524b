//! The delivery worker: sends the deliveries of the outbox, on a thread apart from the HTTP workers.
//!
//! Each delivery is sent at least once. A delivery is sent again with the same id if the program stops during the
//! request, or if the request takes longer than its lease.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use jiff::Timestamp;

use super::outbox::{PreparedDelivery, prepare, record_outcome};
use super::secrets::Secrets;
use crate::clock::{CautiousTime, Clock};
use crate::config::Deliveries;
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::events::Actor;
use crate::log_limit::LogLimit;
use crate::number::to_i64;
use crate::upstream::awc_client;
use crate::upstream::outgoing_request::OutgoingRequest;
use crate::upstream::retry_policy::{Decision, Outcome, RetryPolicy};

/// Outcomes of deliveries cannot be written.
static OUTCOMES_UNWRITTEN: LogLimit = LogLimit::new();

/// The outbox cannot be read.
static OUTBOX_UNREADABLE: LogLimit = LogLimit::new();

/// Maximum number of concurrent requests, each to another addon.
const MAX_CONCURRENT_DELIVERIES: usize = 16;
/// Maximum size of the bodies of concurrent requests, in bytes. A larger body is sent alone.
const MAX_CONCURRENT_BYTES: usize = 8 << 20;
/// Maximum time to wait for running requests at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);
/// Pause after a database error.
const DATABASE_PAUSE: Duration = Duration::from_secs(10);
/// Time that a lease lasts beyond the request timeout, to record the outcome.
const LEASE_MARGIN: Duration = Duration::from_secs(20);
/// Actor of deliveries in the event history.
const ACTOR_NAME: &str = "flagdeck";

/// Sends due deliveries until `stop` completes.
pub(in crate::flags) async fn run(
    database: Database,
    secrets: Arc<Secrets>,
    Deliveries { retry_policy, tls }: Deliveries,
    stop: impl Future<Output = ()>,
) {
    // The client does not follow redirects, because the operator chose the server.
    let client = awc_client::for_any_server(retry_policy.request_timeout, tls);
    let clock = Clock::system();
    let time = RefCell::new(CautiousTime::new(clock.now()));
    let worker = Rc::new(DeliveryWorker { database, secrets, client, retry_policy, clock, time });
    let mut stop = std::pin::pin!(stop);
    let mut in_flight = FuturesUnordered::new();
    let mut bytes_in_flight = 0;
    loop {
        let limit = MAX_CONCURRENT_DELIVERIES - in_flight.len();
        let pause = match worker.take_due(limit, MAX_CONCURRENT_BYTES.saturating_sub(bytes_in_flight)).await {
            Ok((deliveries, pause)) => {
                bytes_in_flight += deliveries.iter().map(PreparedDelivery::size).sum::<usize>();
                // Tasks: a delivery that waits for its turn to write must progress while this loop waits for its own.
                let deliver = |delivery| actix_web::rt::spawn(Rc::clone(&worker).deliver(delivery));
                in_flight.extend(deliveries.into_iter().map(deliver));
                pause
            }
            Err(cause) => {
                if let Some(repeated) = OUTBOX_UNREADABLE.record() {
                    tracing::error!(%cause, repeated, "the outbox cannot be read; retrying every 10 s");
                }
                DATABASE_PAUSE
            }
        };
        tokio::select! {
            () = &mut stop => break,
            Some(size) = in_flight.next() => bytes_in_flight -= size.unwrap_or_default(),
            () = worker.database.wait_for_commit() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
    // Unfinished deliveries are sent again when their lease expires.
    let ended = tokio::time::timeout(SHUTDOWN_TIMEOUT, in_flight.collect::<Vec<_>>()).await;
    drop(ended);
}

struct DeliveryWorker {
    database: Database,
    secrets: Arc<Secrets>,
    client: awc::Client,
    retry_policy: RetryPolicy,
    clock: Clock,
    /// The time for the age of deliveries.
    time: RefCell<CautiousTime>,
}

impl DeliveryWorker {
    /// Takes up to `limit` due deliveries, and stops at the first one that exceeds `max_bytes` in total. Also returns the
    /// time to wait for the next one.
    async fn take_due(
        &self,
        limit: usize,
        max_bytes: usize,
    ) -> Result<(Vec<PreparedDelivery>, Duration), ApiError> {
        // Reads first because an empty outbox should not cost a commit.
        let read = |tx: &Transaction<'_>| Ok((tx.next_delivery_time()?, tx.now_milliseconds()?));
        let (next, now) = self.database.read(read).await?;
        let Some(next) = next.filter(|_| limit > 0 && max_bytes > 0) else {
            return Ok((Vec::new(), self.retry_policy.poll_interval));
        };
        let lease = self.retry_policy.request_timeout + LEASE_MARGIN;
        let longest_wait = lease.max(self.retry_policy.max_backoff) + LEASE_MARGIN;
        if next > now && next <= add_milliseconds(now, longest_wait) {
            let wait = Duration::from_millis(u64::try_from(next - now).unwrap_or_default());
            return Ok((Vec::new(), wait.min(self.retry_policy.poll_interval)));
        }
        let secrets = Arc::clone(&self.secrets);
        let deliveries = self
            .database
            .write_internal(move |tx| {
                // Again: this process may have waited for others.
                let now = tx.now_milliseconds()?;
                let (lease_end, latest) = (add_milliseconds(now, lease), add_milliseconds(now, longest_wait));
                let (mut deliveries, mut size) = (Vec::new(), 0);
                while deliveries.len() < limit
                    && size < max_bytes
                    && let Some(row) = tx.lease_delivery(now, lease_end, latest)?
                {
                    let delivery = prepare(tx, &secrets, row)?;
                    size += delivery.as_ref().map_or(0, PreparedDelivery::size);
                    deliveries.extend(delivery);
                }
                Ok(deliveries)
            })
            .await?;
        Ok((deliveries, self.retry_policy.poll_interval))
    }

    /// Returns the time since an event. A clock that is set forward must not give up deliveries.
    fn age_of(&self, event_time: &str) -> Duration {
        let now = self.time.borrow_mut().advance(self.clock.now());
        event_time.parse::<Timestamp>().map_or(Duration::ZERO, |written| {
            Duration::try_from(now.duration_since(written)).unwrap_or_default()
        })
    }

    /// Sends a delivery and records the outcome. Returns the size of its body, in bytes.
    async fn deliver(self: Rc<Self>, mut delivery: PreparedDelivery) -> usize {
        let size = delivery.size();
        let content =
            std::mem::replace(&mut delivery.content, Err(Outcome::PermanentlyFailed(String::new())));
        let outcome = match content {
            Ok(outgoing) => self.send(outgoing, delivery.row.id).await,
            Err(outcome) => outcome,
        };
        let age = self.age_of(&delivery.event_time);
        let decision = self.retry_policy.decide(outcome, delivery.row.attempts, age, fastrand::u8(..));
        if let Err(cause) = self.record_decision(delivery, decision).await
            && let Some(repeated) = OUTCOMES_UNWRITTEN.record()
        {
            tracing::error!(%cause, repeated, "the outcome of a delivery cannot be recorded; it will be sent again");
        }
        size
    }

    async fn send(&self, outgoing: OutgoingRequest, delivery: i64) -> Outcome {
        let id = format!("{}-{delivery}", self.database.instance_id());
        outgoing.send(&self.client, id, self.retry_policy.request_timeout).await
    }

    async fn record_decision(&self, delivery: PreparedDelivery, decision: Decision) -> Result<(), ApiError> {
        let (id, addon, attempt) = (delivery.row.id, delivery.row.addon, delivery.row.attempts);
        let actor = Actor::now(ACTOR_NAME);
        match decision {
            Decision::Delivered(status) => {
                tracing::info!(addon, delivery = id, status, "delivered");
                self.database
                    .write_internal(move |tx| record_outcome(tx, &delivery, Ok(status), &actor))
                    .await
            }
            Decision::Retry(wait, reason) => {
                tracing::warn!(addon, delivery = id, attempt, reason, ?wait, "delivery failed; retrying");
                let reschedule = move |tx: &Transaction<'_>| {
                    let due_at = add_milliseconds(tx.now_milliseconds()?, wait);
                    Ok(tx.reschedule_delivery(id, attempt, due_at)?)
                };
                self.database.write_internal(reschedule).await
            }
            Decision::GiveUp(reason) => {
                tracing::warn!(addon, delivery = id, attempt, reason, "delivery failed; no more retries");
                self.database
                    .write_internal(move |tx| record_outcome(tx, &delivery, Err(reason), &actor))
                    .await
            }
        }
    }
}

fn add_milliseconds(now: i64, wait: Duration) -> i64 {
    now.saturating_add(to_i64(wait.as_millis()))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use jiff::{SignedDuration, Timestamp};

    use super::DeliveryWorker;
    use crate::clock::{CautiousTime, Clock, Now};
    use crate::config::DataLocation;
    use crate::database::{Database, Store};
    use crate::flags::addons::secrets::Secrets;
    use crate::upstream::retry_policy::RetryPolicy;

    #[actix_web::test]
    async fn deliveries_do_not_age_with_a_clock_that_is_set_forward() {
        let start: Timestamp = "2026-11-24T14:00:00Z".parse().unwrap();
        let now = Arc::new(Mutex::new(Now { monotonic: Duration::ZERO, wall: start }));
        let read = Arc::clone(&now);
        let clock = Clock::new(move || *read.lock().unwrap());
        let worker = DeliveryWorker {
            database: Database::new(Store::open(&DataLocation::Memory, |_, _| Ok(())).unwrap()).unwrap(),
            secrets: Arc::new(Secrets::for_database(&DataLocation::Memory)),
            client: awc::Client::new(),
            retry_policy: RetryPolicy::default(),
            time: RefCell::new(CautiousTime::new(clock.now())),
            clock,
        };
        let set = |passed: u64, ahead: i64| {
            let passed = Duration::from_mins(passed);
            *now.lock().unwrap() =
                Now { monotonic: passed, wall: start + passed + SignedDuration::from_mins(ahead) };
        };
        // Minutes that have passed, minutes by which the clock is ahead then, and the age of an event of the start.
        for (passed, ahead, minutes) in
            [(0, 0, 0), (20, 0, 20), (30, 525_600, 30), (40, 0, 40), (50, -120, 0)]
        {
            set(passed, ahead);
            assert_eq!(worker.age_of(&start.to_string()), Duration::from_mins(minutes), "{passed} {ahead}");
        }
    }
}
