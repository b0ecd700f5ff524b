//! Sends a message to `hold-webhook` when a hold starts or ends, in front of an upstream and for the embedded service.
//!
//! Messages wait in a bounded channel, and one task sends them in their order. A message can be lost: if the channel is full, after
//! three attempts, and when the program stops. Each lost message is logged and counted.
//!
//! Events that can occur while a request waits for its response: holds start and end, and their messages wait in the channel; the
//! program stops, and the request gets the rest of the time at shutdown.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::sleep;

use super::Holds;
use super::announcement::{self, Announcement};
use super::list::HoldEvent;
use crate::config::{self, Deployment};
use crate::host_name::host_name;
use crate::upstream::awc_client;
use crate::upstream::outgoing_request::{JSON, OutgoingRequest};
use crate::upstream::retry_policy::{Decision, Outcome};

/// Maximum number of messages that wait. Later ones are dropped.
const MAX_WAITING: usize = 50;
/// Results of messages, as labels of the metric.
const DELIVERED: &str = "delivered";
/// The receiver has not accepted the message.
const FAILED: &str = "failed";
/// The message was not sent, because too many wait, or the program stops.
const DROPPED: &str = "dropped";
/// The reason for messages that wait when the program stops.
const STOPPED: &str = "Flagdeck stopped before the receiver accepted the message";

/// Sends messages about holds.
#[derive(Debug)]
pub struct HoldWebhook {
    events: broadcast::Receiver<HoldEvent>,
    worker: Worker,
}

/// Writes messages, and sends them to the receiver.
#[derive(Debug)]
struct Worker {
    settings: config::HoldWebhook,
    sender: announcement::Sender,
    holds: Holds,
}

/// A message for the receiver.
#[derive(Debug)]
struct Message {
    /// Identifies the message, also when it is sent again.
    id: String,
    toggle: String,
    /// The body in JSON.
    body: String,
}

impl HoldWebhook {
    /// Prepares messages about holds that start and end from now on.
    #[must_use]
    pub fn new(settings: &config::HoldWebhook, deployment: &Deployment, holds: &Holds) -> Self {
        for result in [DELIVERED, FAILED, DROPPED] {
            holds.metrics().count_messages(result, 0);
        }
        let instance = Some(host_name()).filter(|name| !name.is_empty());
        let sender = announcement::Sender { deployment: deployment.label.clone(), instance };
        let worker = Worker { settings: settings.clone(), sender, holds: holds.clone() };
        Self { events: holds.events(), worker }
    }

    /// Sends messages until `stop` completes. A request that is being sent then can end within a short time.
    pub(crate) async fn run(self, stop: impl Future<Output = ()> + Clone) {
        let (queue, waiting) = channel(MAX_WAITING);
        let Self { events, worker } = self;
        tokio::join!(worker.queue_messages(events, queue, stop.clone()), worker.deliver(waiting, stop));
    }
}

impl Worker {
    /// Adds a message about each event to the channel, until `stop` completes.
    async fn queue_messages(
        &self,
        mut events: broadcast::Receiver<HoldEvent>,
        queue: Sender<Message>,
        stop: impl Future<Output = ()>,
    ) {
        let (process, mut number) = (fastrand::u64(..), 0_u64);
        let mut stop = pin!(stop);
        loop {
            let event = tokio::select! {
                biased;
                event = events.recv() => event,
                () = &mut stop => return,
            };
            let event = match event {
                Ok(event) => event,
                Err(RecvError::Lagged(missed)) => {
                    self.count(DROPPED, missed);
                    tracing::warn!(
                        missed,
                        "messages about holds were not sent, because too many holds started or ended at once; see flagdeck hold list"
                    );
                    continue;
                }
                // This value has the holds, and they have the sender.
                Err(RecvError::Closed) => return,
            };
            let announcement = Announcement::new(&event, &self.sender);
            let body = match serde_json::to_string(&announcement) {
                Ok(body) => body,
                Err(error) => {
                    tracing::error!(toggle = announcement.toggle, %error, "the message about a hold cannot be written");
                    continue;
                }
            };
            number += 1;
            let id = format!("{process:016x}-{number}");
            if let Err(full) = queue.try_send(Message { id, toggle: announcement.toggle, body }) {
                self.note_lost(&full.into_inner(), DROPPED, "too many messages wait for the receiver");
            }
        }
    }

    /// Sends the messages of the channel one after another, until `stop` completes.
    async fn deliver(&self, mut waiting: Receiver<Message>, stop: impl Future<Output = ()> + Clone) {
        // The client does not follow redirects, because the operator chose the server.
        let client = awc_client::for_any_server(
            self.settings.retry_policy.request_timeout,
            Arc::clone(&self.settings.tls),
        );
        loop {
            let message = tokio::select! {
                biased;
                () = stop.clone() => break,
                message = waiting.recv() => message,
            };
            let Some(message) = message else { return };
            match self.send(&client, &message, &stop).await {
                Ok(status) => {
                    self.count(DELIVERED, 1);
                    let Message { id, toggle, .. } = &message;
                    tracing::info!(toggle, id, status, "a message about a hold was delivered");
                }
                Err(reason) => self.note_lost(&message, FAILED, &reason),
            }
        }
        while let Some(message) = waiting.recv().await {
            self.note_lost(&message, DROPPED, STOPPED);
        }
    }

    /// Sends a message with several attempts, and returns the status of the response, or why the message is lost. After `stop`,
    /// the current attempt is the last one, and its time is limited.
    async fn send(
        &self,
        client: &awc::Client,
        message: &Message,
        stop: &(impl Future<Output = ()> + Clone),
    ) -> Result<u16, String> {
        let (policy, mut attempt) = (&self.settings.retry_policy, 1);
        loop {
            let stopped = async {
                stop.clone().await;
                sleep(self.settings.shutdown_timeout).await;
            };
            let outcome = tokio::select! {
                outcome = self.send_once(client, message) => outcome,
                () = stopped => return Err(STOPPED.to_owned()),
            };
            // A message is new: only the number of attempts ends them.
            let wait = match policy.decide(outcome, attempt, Duration::ZERO, fastrand::u8(..)) {
                Decision::Delivered(status) => return Ok(status),
                Decision::GiveUp(reason) => return Err(reason),
                Decision::Retry(wait, _) => wait,
            };
            tokio::select! {
                biased;
                () = stop.clone() => return Err(STOPPED.to_owned()),
                () = sleep(wait) => attempt += 1,
            }
        }
    }

    async fn send_once(&self, client: &awc::Client, message: &Message) -> Outcome {
        let Message { id, body, .. } = message;
        let request = OutgoingRequest::new(self.settings.url.clone(), JSON.to_owned(), body.clone());
        match request {
            Some(request) => {
                request.send(client, id.clone(), self.settings.retry_policy.request_timeout).await
            }
            None => Outcome::PermanentlyFailed("no request can be sent to the URL".to_owned()),
        }
    }

    fn count(&self, result: &'static str, messages: u64) {
        self.holds.metrics().count_messages(result, messages);
    }

    /// Logs and counts a message that the receiver does not get.
    fn note_lost(&self, message: &Message, result: &'static str, reason: &str) {
        self.count(result, 1);
        let Message { id, toggle, .. } = message;
        tracing::warn!(
            toggle,
            id,
            reason,
            "a message about a hold was not delivered and is lost; see flagdeck hold list, and check hold-webhook with flagdeck check"
        );
    }
}
