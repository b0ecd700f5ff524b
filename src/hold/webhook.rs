//! Sends a message to `hold-webhook` when a hold starts or ends, in front of an upstream and for the embedded service.
//!
//! One request is sent at a time, so that a slow receiver gets no more. Messages are only in memory: those that the receiver
//! does not accept before the program stops are logged.
//!
//! Events that can occur while a request waits for its response: holds start and end, and wait in the queue; the program
//! stops, and the request gets the rest of the time at shutdown.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, iter};

use futures_util::FutureExt as _;
use futures_util::future::{Fuse, FusedFuture as _};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep, sleep_until};

use super::Holds;
use super::announcement::{Announcement, Sender};
use super::list::HoldEvent;
use super::webhook_queue::{Message, WebhookQueue};
use crate::config::{self, Deployment};
use crate::log_limit::LogLimit;
use crate::upstream::awc_client;
use crate::upstream::outgoing_request::{JSON, OutgoingRequest};
use crate::upstream::retry_policy::{Decision, Outcome};

/// Results of messages, as labels of the metric.
const DELIVERED: &str = "delivered";
/// The receiver has refused the message, or did not accept it in time.
const FAILED: &str = "failed";
/// The message was not sent, because too many wait, or the program stops.
const DROPPED: &str = "dropped";
/// The receiver does not accept messages.
static FAILURES: LogLimit = LogLimit::new();
/// File with the host name.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

/// Sends messages about holds.
#[derive(Debug)]
pub struct HoldWebhook {
    settings: config::HoldWebhook,
    sender: Sender,
    holds: Holds,
    events: Receiver<HoldEvent>,
    queue: WebhookQueue,
    /// The message that is being sent.
    current: Option<Message>,
    /// Distinguishes the messages of this process from others.
    id: u64,
}

impl HoldWebhook {
    /// Prepares messages about holds that start and end from now on.
    #[must_use]
    pub fn new(settings: &config::HoldWebhook, deployment: &Deployment, holds: &Holds) -> Self {
        for result in [DELIVERED, FAILED, DROPPED] {
            holds.metrics().count_messages(result, 0);
        }
        let instance = fs::read_to_string(HOST_NAME).ok().map(|name| name.trim().to_owned());
        let instance = instance.filter(|name| !name.is_empty());
        Self {
            settings: settings.clone(),
            sender: Sender { deployment: deployment.label.clone(), instance },
            holds: holds.clone(),
            events: holds.events(),
            queue: WebhookQueue::default(),
            current: None,
            id: fastrand::u64(..),
        }
    }

    /// Sends messages until `stop` completes, and then tries those that wait once for a short time.
    pub(crate) async fn run(mut self, stop: impl Future<Output = ()>) {
        // The client does not follow redirects, because the operator chose the server.
        let client = awc_client::for_any_server(
            self.settings.retry_policy.request_timeout,
            Arc::clone(&self.settings.tls),
        );
        let (mut stop, mut sending) = (pin!(stop.fuse()), pin!(Fuse::terminated()));
        let mut deadline = None;
        loop {
            if sending.is_terminated() {
                let is_stopping = deadline.is_some();
                self.current =
                    if is_stopping { self.queue.take_first() } else { self.queue.take_due(self.now()) };
                if let Some(message) = &self.current {
                    let id = format!("{:016x}-{}", self.id, message.number);
                    let timeout = self.settings.retry_policy.request_timeout;
                    sending.set(send(self.request(message), client.clone(), id, timeout).fuse());
                } else if is_stopping && self.events.is_empty() {
                    return;
                }
            }
            let pause = self.queue.next_due(self.now()).filter(|_| sending.is_terminated());
            tokio::select! {
                outcome = &mut sending => self.record(outcome, deadline.is_some()),
                event = self.events.recv() => self.receive(event),
                () = sleep(pause.unwrap_or_default()), if pause.is_some() && deadline.is_none() => {}
                () = &mut stop => deadline = Some(Instant::now() + self.settings.shutdown_timeout),
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => break,
            }
        }
        let mut toggles = BTreeSet::new();
        let rest = iter::from_fn(|| self.current.take().or_else(|| self.queue.take_first()));
        let messages = rest.map(|message| toggles.insert(message.toggle)).count();
        self.count(DROPPED, u64::try_from(messages).unwrap_or(u64::MAX));
        tracing::error!(messages, ?toggles, "messages about holds were not sent before the program stopped");
    }

    fn now(&self) -> Duration {
        self.holds.now().monotonic
    }

    fn request(&self, message: &Message) -> Option<OutgoingRequest> {
        OutgoingRequest::new(self.settings.url.clone(), JSON.to_owned(), message.body.clone())
    }

    fn count(&self, result: &'static str, messages: u64) {
        self.holds.metrics().count_messages(result, messages);
    }

    /// Adds a message about an event to the queue.
    fn receive(&mut self, event: Result<HoldEvent, RecvError>) {
        let event = match event {
            Ok(event) => event,
            Err(RecvError::Lagged(missed)) => {
                self.count(DROPPED, missed);
                tracing::error!(
                    missed,
                    "starts and ends of holds were not announced, because there were too many"
                );
                return;
            }
            // This value has the holds, and they have the sender.
            Err(RecvError::Closed) => return,
        };
        let announcement = Announcement::new(&event, &self.sender);
        let toggle = announcement.toggle.clone();
        match serde_json::to_string(&announcement) {
            Ok(body) => {
                let dropped = self.queue.push(toggle, body, self.now());
                self.note_dropped(dropped);
            }
            Err(error) => tracing::error!(toggle, %error, "the message about a hold cannot be written"),
        }
    }

    /// Decides about the message whose request has ended.
    fn record(&mut self, outcome: Outcome, is_stopping: bool) {
        let Some(message) = self.current.take() else { return };
        let (now, attempt) = (self.now(), message.attempts.saturating_add(1));
        let wants_pause = matches!(outcome, Outcome::Responded { status: 429, .. });
        let age = now.saturating_sub(message.created);
        let Message { toggle, number, .. } = &message;
        match self.settings.retry_policy.decide(outcome, attempt, age, fastrand::u8(..)) {
            Decision::Delivered(status) => {
                tracing::info!(toggle, number, status, "a message about a hold was delivered");
                self.count(DELIVERED, 1);
                FAILURES.end();
            }
            Decision::Retry(wait, reason) if !is_stopping => {
                if let Some(repeated) = FAILURES.record() {
                    tracing::warn!(
                        toggle,
                        number,
                        attempt,
                        reason,
                        ?wait,
                        repeated,
                        "a message about a hold failed; retrying"
                    );
                }
                if wants_pause {
                    self.queue.pause(now, wait);
                }
                let dropped = self.queue.retry(message, now, wait);
                self.note_dropped(dropped);
            }
            Decision::Retry(_, reason) | Decision::GiveUp(reason) => {
                tracing::error!(
                    toggle,
                    number,
                    attempt,
                    reason,
                    "a message about a hold was not delivered; no more retries"
                );
                self.count(FAILED, 1);
            }
        }
    }

    fn note_dropped(&self, dropped: Option<Message>) {
        if let Some(Message { toggle, number, .. }) = dropped {
            self.count(DROPPED, 1);
            tracing::error!(
                toggle,
                number,
                "a message about a hold was dropped, because too many wait for hold-webhook"
            );
        }
    }
}

async fn send(
    request: Option<OutgoingRequest>,
    client: awc::Client,
    id: String,
    timeout: Duration,
) -> Outcome {
    match request {
        Some(request) => request.send(&client, id, timeout).await,
        None => Outcome::PermanentlyFailed("no request can be sent to the URL".to_owned()),
    }
}
