//! Server-sent events (`text/event-stream`) for SDKs: streams that stay open, and receive each change.
//!
//! An event is encoded once, and all streams of a [`Channel`] share its bytes. A [`ToggleChannel`] computes the events
//! from successive lists of toggles. A [`stream`] belongs to one client. [`Streams`] limits their number, and sends
//! all of them a comment from time to time, so that clients and proxies do not close them.

mod channel;
mod delta;
mod stream;
mod toggle_channel;

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use tokio::sync::{Notify, broadcast};
use tokio::time::timeout;

pub use self::channel::{Channel, Subscription};
pub use self::delta::Edition;
pub(crate) use self::delta::hydration_json;
pub use self::stream::Check;
use self::stream::EventStream;
pub use self::toggle_channel::ToggleChannel;
use crate::error::{ApiError, DomainError};
use crate::metrics::StreamMetrics;

/// Interval of comments. SDKs close a stream on which nothing arrives for 60 s.
const COMMENT_INTERVAL: Duration = Duration::from_secs(30);
/// Number of messages to all streams that a slow stream can miss without a check of its token.
const MESSAGES: usize = 8;
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
    /// Notified when no stream is open any more.
    all_closed: Notify,
}

/// A message to all streams.
#[derive(Debug, Clone, Copy)]
enum Message {
    /// Send a comment, and check the token.
    Comment,
    /// Check the token.
    CheckToken,
    /// Close the stream after a random part of this time, so that clients do not all reconnect at the same time.
    Close(Duration),
}

/// Counts a stream as open until it is dropped.
#[derive(Debug)]
struct OpenStream(Streams);

impl Drop for OpenStream {
    fn drop(&mut self) {
        let OpenStream(Streams(streams)) = self;
        streams.metrics.count_closed();
        if streams.metrics.open() == 0 {
            streams.all_closed.notify_one();
        }
    }
}

impl Streams {
    /// Creates the state for a maximum number of open streams.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let (metrics, messages) = (StreamMetrics::default(), broadcast::Sender::new(MESSAGES));
        Self(Arc::new(Inner { limit, metrics, messages, opened: Notify::new(), all_closed: Notify::new() }))
    }

    /// Returns the counters.
    #[must_use]
    pub fn metrics(&self) -> &StreamMetrics {
        &self.0.metrics
    }

    /// Opens a stream. `check` returns false once the client may not receive events any more.
    /// Fails if there are too many.
    pub(crate) fn respond(&self, subscription: Subscription, check: Check) -> Result<HttpResponse, ApiError> {
        let open = OpenStream(self.clone());
        if self.0.metrics.count_opened() > self.0.limit {
            let message = format!(
                "Flagdeck has {} open event streams, which is the maximum. Poll instead, or connect to another instance",
                self.0.limit
            );
            // SDKs poll after this status.
            return Err(DomainError::new("too_many_streams", StatusCode::TOO_MANY_REQUESTS, message).into());
        }
        self.0.opened.notify_one();
        let stream = EventStream::new(subscription, self.0.messages.subscribe(), check, open);
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
    pub async fn send_comments(self) {
        loop {
            tokio::time::sleep(COMMENT_INTERVAL).await;
            self.send(Message::Comment);
        }
    }

    /// Closes each stream after a random delay, at most after this time. Returns when no stream is open, or after this time.
    pub async fn close(&self, period: Duration) {
        self.send(Message::Close(period));
        let all_closed = async {
            while self.0.metrics.open() > 0 {
                self.0.all_closed.notified().await;
            }
        };
        if timeout(period, all_closed).await.is_err() {
            // Streams that were opened meanwhile.
            self.send(Message::Close(Duration::ZERO));
        }
    }

    /// Sends a message to the open streams, if there are any.
    fn send(&self, message: Message) {
        drop(self.0.messages.send(message));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::future::ready;
    use std::sync::Arc;
    use std::time::Duration;

    use actix_web::body::to_bytes;
    use bytes::Bytes;
    use futures_util::FutureExt as _;
    use futures_util::future::join_all;
    use tokio::time::{Instant, sleep};

    use super::{Channel, Streams};

    const PERIOD: Duration = Duration::from_secs(10);
    const FIRST: Bytes = Bytes::from_static(b"data: 1\n\n");

    /// Opens a stream, and returns the time at which it ends.
    async fn end_of_stream(streams: &Streams, channel: &Arc<Channel>) -> Instant {
        let check = Box::new(|| ready(true).boxed_local());
        let response = streams.respond(channel.subscribe().unwrap(), check).unwrap();
        assert_eq!(to_bytes(response.into_body()).await.ok(), Some(FIRST));
        Instant::now()
    }

    fn open_channel() -> (Streams, Arc<Channel>) {
        let channel = Arc::new(Channel::default());
        channel.publish(None, FIRST);
        (Streams::new(usize::MAX), channel)
    }

    #[tokio::test(start_paused = true)]
    async fn each_stream_ends_after_its_own_random_delay() {
        let ((streams, channel), start) = (open_channel(), Instant::now());
        let ends = join_all((0..400).map(|_| end_of_stream(&streams, &channel)));
        let close = async {
            streams.wait_until_open().await;
            streams.close(PERIOD).await;
            Instant::now()
        };
        let (ends, closed) = tokio::join!(ends, close);
        let delays: Vec<_> = ends.iter().map(|end| end.duration_since(start)).collect();
        assert!(delays.iter().all(|delay| *delay <= PERIOD + Duration::from_millis(1)), "{delays:?}");
        assert!(delays.iter().collect::<BTreeSet<_>>().len() > 300, "{delays:?}");
        for tenth in 0..10 {
            let is_within =
                |delay: &&Duration| (PERIOD / 10 * tenth..PERIOD / 10 * (tenth + 1)).contains(*delay);
            let number = delays.iter().filter(is_within).count();
            assert!((10..90).contains(&number), "{number} of 400 streams in the tenth {tenth}");
        }
        assert_eq!(Some(&closed), ends.iter().max(), "waits for the last stream, and no longer");
        assert_eq!(streams.metrics().open(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn streams_that_open_while_others_close_end_with_the_period() {
        let ((streams, channel), start) = (open_channel(), Instant::now());
        // Its client does not read, so that it stays open.
        let check = Box::new(|| ready(true).boxed_local());
        let unread = streams.respond(channel.subscribe().unwrap(), check).unwrap();
        let late = async {
            sleep(PERIOD / 2).await;
            end_of_stream(&streams, &channel).await
        };
        let (late, ()) = tokio::join!(late, streams.close(PERIOD));
        assert!(
            (PERIOD..PERIOD + Duration::from_millis(2)).contains(&late.duration_since(start)),
            "{late:?}"
        );
        drop(unread);
    }

    #[tokio::test(start_paused = true)]
    async fn closing_without_streams_does_not_wait() {
        let ((streams, _), start) = (open_channel(), Instant::now());
        streams.close(PERIOD).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
