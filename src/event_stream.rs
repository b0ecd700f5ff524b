//! Server-sent events (`text/event-stream`) for SDKs: streams that stay open, and receive each change.
//!
//! An event is encoded once, and all streams of a [`Channel`] share its bytes. A [`ToggleChannel`] computes the events
//! from successive lists of toggles. A [`stream`] belongs to one client. [`Streams`] limits their number, and sends
//! all of them a comment from time to time, so that clients and proxies do not close them.

mod channel;
mod delta;
mod stream;
mod toggle_channel;

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use tokio::sync::{Notify, broadcast};

pub use self::channel::{Channel, Subscription};
pub use self::stream::Check;
use self::stream::EventStream;
pub use self::toggle_channel::{Edition, ToggleChannel};
use crate::error::ApiError;
use crate::metrics::StreamMetrics;

/// Interval of comments. SDKs close a stream on which nothing arrives for 60 s.
const COMMENT_INTERVAL: Duration = Duration::from_secs(30);
/// Number of messages to all streams that a slow stream can miss without a check of its token.
const MESSAGES: usize = 8;
/// Number of groups in which streams are closed, so that their clients do not all reconnect at the same time.
const CLOSING_GROUPS: u32 = 20;
/// Makes nginx forward each event at once.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// All open streams of the process. Clones share them.
#[derive(Debug, Clone)]
pub struct Streams(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limit: usize,
    metrics: StreamMetrics,
    /// Messages to all streams.
    messages: broadcast::Sender<Message>,
    opened: Notify,
}

/// A message to all streams.
#[derive(Debug, Clone, Copy)]
enum Message {
    /// Send a comment, and check the token.
    Comment,
    /// Check the token.
    CheckToken,
    /// Close the streams whose random number is at most this.
    Close(u32),
}

/// Counts a stream as open until it is dropped.
#[derive(Debug)]
struct OpenStream(StreamMetrics);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.count_closed();
    }
}

impl Streams {
    /// Creates the state for a maximum number of open streams.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let (metrics, messages) = (StreamMetrics::default(), broadcast::Sender::new(MESSAGES));
        Self(Arc::new(Inner { limit, metrics, messages, opened: Notify::new() }))
    }

    /// Returns the counters.
    #[must_use]
    pub fn metrics(&self) -> &StreamMetrics {
        &self.0.metrics
    }

    /// Opens a stream. `check` returns false once the client may not receive events any more.
    ///
    /// # Errors
    /// [`ApiError::TooManyStreams`] at the limit.
    pub fn respond(&self, subscription: Subscription, check: Check) -> Result<HttpResponse, ApiError> {
        let open = OpenStream(self.0.metrics.clone());
        if self.0.metrics.count_opened() > self.0.limit {
            return Err(ApiError::TooManyStreams { limit: self.0.limit });
        }
        self.0.opened.notify_one();
        let number = u32::try_from(RandomState::new().hash_one(()) >> 32).unwrap_or_default();
        let stream = EventStream::new(subscription, self.0.messages.subscribe(), check, number, open);
        Ok(HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, "text/event-stream"))
            .insert_header((CACHE_CONTROL, "no-cache"))
            .insert_header((BUFFERING, "no"))
            .streaming(stream.into_chunks()))
    }

    /// Waits until at least one stream is open.
    pub async fn wait_until_open(&self) {
        while self.0.metrics.open() == 0 {
            self.0.opened.notified().await;
        }
    }

    /// Makes all streams check their tokens.
    pub fn check_tokens(&self) {
        self.send(Message::CheckToken);
    }

    /// Sends comments on all streams until the future is dropped.
    pub async fn send_comments(&self) {
        loop {
            tokio::time::sleep(COMMENT_INTERVAL).await;
            self.send(Message::Comment);
        }
    }

    /// Closes all streams, in random order and evenly within this time.
    pub async fn close(&self, period: Duration) {
        for group in 1..=CLOSING_GROUPS {
            if self.0.metrics.open() == 0 {
                return;
            }
            self.send(Message::Close(u32::MAX / CLOSING_GROUPS * group));
            tokio::time::sleep(period / CLOSING_GROUPS).await;
        }
        self.send(Message::Close(u32::MAX));
    }

    /// Sends a message to the open streams, if there are any.
    fn send(&self, message: Message) {
        drop(self.0.messages.send(message));
    }
}
