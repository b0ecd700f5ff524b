//! The stream of one client.

use std::convert::Infallible;
use std::future::pending;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::{Stream, stream};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};

use super::channel::{ChannelEvent, Subscription};
use super::{Message, OpenStream};

/// A comment, which clients ignore.
const COMMENT: Bytes = Bytes::from_static(b":\n\n");
/// Maximum size of a chunk. The HTTP library (actix-http 3.20) copies each chunk into the buffer of its connection, and keeps
/// a buffer of up to 128 KiB: larger chunks would cost memory for as long as the stream is open.
const MAX_CHUNK: usize = 2048;

/// Returns false once a client may not receive events any more.
pub type Check = Box<dyn Fn() -> LocalBoxFuture<'static, bool>>;

/// The state of a stream. It keeps no events of its own: those that wait are in the ring buffer of the channel, which all
/// streams share.
pub(super) struct EventStream {
    subscription: Subscription,
    messages: Receiver<Message>,
    check: Check,
    /// Time at which the stream ends, once all streams are being closed.
    closes_at: Option<Instant>,
    /// The rest of the event that is being sent.
    rest: Bytes,
    open: OpenStream,
}

/// The result of waiting for an event.
enum Step {
    /// Send these bytes.
    Send(Bytes),
    /// Check the token, then send these bytes.
    Check(Bytes),
    /// Begin again, because the client was too slow.
    Restart,
    /// Continue to wait.
    Wait,
    /// End the stream.
    End,
}

impl EventStream {
    pub(super) fn new(
        subscription: Subscription,
        messages: Receiver<Message>,
        check: Check,
        open: OpenStream,
    ) -> Self {
        let rest = subscription.first.clone();
        Self { subscription, messages, check, closes_at: None, rest, open }
    }

    /// Converts the stream into the chunks of a response.
    pub(super) fn into_chunks(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(self, async |mut stream| {
            let chunk = stream.next_chunk().await?;
            Some((Ok(chunk), stream))
        })
    }

    /// Returns the next chunk; `None` at the end.
    async fn next_chunk(&mut self) -> Option<Bytes> {
        while self.rest.is_empty() {
            match self.next_step().await {
                Step::Send(event) => self.begin(event),
                Step::Check(event) => {
                    if !(self.check)().await {
                        return None;
                    }
                    self.rest = event;
                }
                Step::Restart => {
                    self.subscription = self.subscription.channel.subscribe()?;
                    self.begin(self.subscription.first.clone());
                }
                Step::Wait => {}
                Step::End => return None,
            }
        }
        let chunk = self.rest.split_to(self.rest.len().min(MAX_CHUNK));
        if !self.rest.is_empty() {
            // The connection sends its buffer before it asks for the next chunk.
            yield_now().await;
        }
        Some(chunk)
    }

    fn begin(&mut self, event: Bytes) {
        self.open.0.metrics().count_event();
        self.rest = event;
    }

    async fn next_step(&mut self) -> Step {
        tokio::select! {
            biased;
            message = self.messages.recv() => match message {
                Ok(Message::Comment) => Step::Check(COMMENT),
                Ok(Message::CheckToken) | Err(RecvError::Lagged(_)) => Step::Check(Bytes::new()),
                Ok(Message::Close(period)) => {
                    self.closes_at = Some(Instant::now() + random_part(period));
                    Step::Wait
                }
                Err(RecvError::Closed) => Step::End,
            },
            () = wait_until(self.closes_at) => Step::End,
            event = self.subscription.events.recv() => match event {
                Ok(ChannelEvent::Send(event)) => Step::Send(event),
                Err(RecvError::Lagged(_)) => Step::Restart,
                Ok(ChannelEvent::End) | Err(RecvError::Closed) => Step::End,
            },
        }
    }
}

/// Waits until a time; for ever without one.
async fn wait_until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}

/// Returns a random part of a period.
fn random_part(period: Duration) -> Duration {
    period.mul_f64(fastrand::f64())
}
