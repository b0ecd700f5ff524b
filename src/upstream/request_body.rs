//! Reads the body of a request on its way upstream: limits its size and the time that the client may take, and reads
//! the first part before a connection to the upstream is leased.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::{self, HeaderMap};
use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, StreamExt as _, stream};
use tokio::time::{Instant, Sleep, sleep};

use super::body_buffer::{BodyMemory, BufferedBody};
use super::error::BodyError;
use crate::config::RequestLimits;
use crate::number::to_u64;

/// Bytes of a body that are read before a connection is leased. A body up to this size is read completely.
const READ_AHEAD: usize = 65_536;
/// Bytes per second that a client must send on average while its request holds a connection.
const MIN_RATE: u32 = 8_192;
/// Fraction of the body timeout for which a client may pause before the rate counts.
const PAUSE_SHARE: u32 = 6;

/// The body of a request, with the framing that the client used.
pub(crate) struct RequestBody {
    framing: Framing,
    source: Rc<Source>,
    limit: usize,
    timeout: Duration,
}

/// Framing of a request body (RFC 9112, 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    None,
    /// `Content-Length` with this many bytes.
    Sized(u64),
    /// Chunked transfer coding.
    Chunked,
}

/// Source of a body, and the progress of reading it. [`RequestBody`] and its streams share it.
struct Source {
    body: RefCell<Payload>,
    /// The part that was read before a connection was leased.
    read_ahead: RefCell<Option<BufferedBody>>,
    /// True if that part is the whole body.
    is_complete: Cell<bool>,
    /// Remaining time for which the client may be waited for.
    time_left: Cell<Duration>,
    last_sent: Cell<Instant>,
    is_waiting_for_client: Cell<bool>,
    was_polled: Cell<bool>,
}

impl RequestBody {
    /// Prepares a body with the framing of these request headers.
    ///
    /// # Errors
    /// [`BodyError::TooLarge`] if the announced length exceeds the limit.
    pub(crate) fn new(headers: &HeaderMap, body: Payload, limits: &RequestLimits) -> Result<Self, BodyError> {
        let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        if length
            .is_some_and(|length: u64| usize::try_from(length).map_or(true, |length| length > limits.body))
        {
            return Err(BodyError::TooLarge { limit: limits.body });
        }
        let framing = match length {
            Some(length) if length > 0 => Framing::Sized(length),
            None if headers.contains_key(header::TRANSFER_ENCODING) => Framing::Chunked,
            _ => Framing::None,
        };
        Ok(Self::with_framing(framing, body, limits.body, limits.body_timeout))
    }

    fn with_framing(framing: Framing, body: Payload, limit: usize, timeout: Duration) -> Self {
        Self {
            framing,
            source: Rc::new(Source {
                body: RefCell::new(body),
                read_ahead: RefCell::default(),
                is_complete: Cell::new(framing == Framing::None),
                time_left: Cell::new(timeout),
                last_sent: Cell::new(Instant::now()),
                is_waiting_for_client: Cell::new(false),
                was_polled: Cell::new(false),
            }),
            limit,
            timeout,
        }
    }

    /// Creates the body of a request of this program, which is in memory already.
    pub(crate) fn from_bytes(bytes: Bytes, limits: &RequestLimits) -> Self {
        let length = to_u64(bytes.len());
        let framing = if length == 0 { Framing::None } else { Framing::Sized(length) };
        let chunk = stream::iter([Ok::<_, PayloadError>(bytes)]);
        Self::with_framing(
            framing,
            Payload::Stream { payload: Box::pin(chunk) },
            usize::MAX,
            limits.body_timeout,
        )
    }

    /// Reads a small body completely, and the first 64 KB of a larger one, before a connection to the upstream is
    /// leased: a client that sends slowly must not keep a connection from other clients. Framing errors in this part are
    /// refused before the upstream receives anything.
    ///
    /// Stops early when the memory for buffered bodies is used up. Bytes that have arrived already are read even then,
    /// because they use the server's memory anyway.
    pub(crate) async fn read_ahead(&self, memory: &Rc<BodyMemory>) -> Result<(), BodyError> {
        let mut stream = self.stream_with_pause(None);
        let mut read_ahead = BufferedBody::new(memory);
        loop {
            let next = poll_fn(|cx| match stream.poll_next_unpin(cx) {
                Poll::Pending if memory.is_used_up() => Poll::Ready(None),
                polled => polled.map(Some),
            });
            match next.await {
                Some(Some(chunk)) => read_ahead.push(&chunk?),
                Some(None) => self.source.is_complete.set(true),
                None => break,
            }
            let is_complete_length = self.framing == Framing::Sized(to_u64(read_ahead.len()));
            if self.source.is_complete.get() || (read_ahead.len() >= READ_AHEAD && !is_complete_length) {
                break;
            }
        }
        *self.source.read_ahead.borrow_mut() = (read_ahead.len() > 0).then_some(read_ahead);
        self.source.was_polled.set(false);
        Ok(())
    }

    /// Returns true while a part of the body has not arrived from the client.
    pub(super) fn is_arriving(&self) -> bool {
        !self.source.is_complete.get()
    }

    /// Returns true if no part of the body has been passed on, so that it can still be sent completely.
    pub(super) fn is_unread(&self) -> bool {
        !self.source.was_polled.get()
    }

    /// Returns true for a request without a body.
    pub(crate) fn is_empty(&self) -> bool {
        self.framing == Framing::None
    }

    /// Starts the upstream's head timeout: a connection is available, and the request is about to be sent.
    pub(super) fn start_clock(&self) {
        self.source.last_sent.set(Instant::now());
    }

    /// Returns the time when the last body chunk was sent upstream, and the current time while the next chunk is
    /// awaited: time spent waiting for the client does not count against the upstream's timeout.
    pub(super) fn last_progress(&self) -> Instant {
        if self.source.is_waiting_for_client.get() { Instant::now() } else { self.source.last_sent.get() }
    }

    /// Returns the framing of the body.
    pub(crate) fn framing(&self) -> Framing {
        self.framing
    }

    /// Returns the body as a stream, for a request that holds a connection: the client must sustain [`MIN_RATE`].
    pub(super) fn stream(&self) -> BodyStream {
        self.stream_with_pause(Some(self.timeout / PAUSE_SHARE))
    }

    fn stream_with_pause(&self, pause: Option<Duration>) -> BodyStream {
        BodyStream {
            source: Rc::clone(&self.source),
            remaining: self.limit,
            limit: self.limit,
            timeout: self.timeout,
            pause,
            waiting: None,
        }
    }
}

/// Stream of the body. It ends with an error if the body is too large or too slow.
pub(super) struct BodyStream {
    source: Rc<Source>,
    remaining: usize,
    limit: usize,
    timeout: Duration,
    /// Remaining pause allowance under the minimum rate; `None` if no rate is required.
    pause: Option<Duration>,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Stream for BodyStream {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        this.source.was_polled.set(true);
        let read_ahead = this.source.read_ahead.borrow_mut().take();
        if let Some(read_ahead) = read_ahead {
            return Poll::Ready(Some(this.check_size(read_ahead.take_bytes())));
        }
        if this.source.is_complete.get() {
            return Poll::Ready(None);
        }
        let polled = this.source.body.borrow_mut().poll_next_unpin(cx);
        this.source.is_waiting_for_client.set(polled.is_pending());
        let Poll::Ready(chunk) = polled else { return this.wait(cx) };
        this.source.last_sent.set(Instant::now());
        this.count_wait(chunk.as_ref().and_then(|chunk| chunk.as_ref().ok()));
        Poll::Ready(chunk.map(|chunk| this.check_size(chunk.map_err(incomplete_body)?)))
    }
}

impl BodyStream {
    /// Waits for the client. Only this time counts, because a slow upstream is not the client's fault.
    fn wait<T>(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, BodyError>>> {
        let time_left = self.source.time_left.get();
        let limit = self.pause.map_or(time_left, |pause| pause.min(time_left));
        let (_, sleep) = self.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(limit))));
        ready!(sleep.poll_unpin(cx));
        Poll::Ready(Some(Err(if limit < time_left {
            BodyError::TooSlow { rate: MIN_RATE }
        } else {
            BodyError::Timeout { limit: self.timeout }
        })))
    }

    /// Subtracts the time spent waiting for a chunk, and adds the time that its bytes may take at the minimum rate.
    fn count_wait(&mut self, chunk: Option<&Bytes>) {
        let waited = self.waiting.take().map_or(Duration::ZERO, |(since, _)| since.elapsed());
        self.source.time_left.set(self.source.time_left.get().saturating_sub(waited));
        if let Some(pause) = &mut self.pause {
            let bytes = u32::try_from(chunk.map_or(0, Bytes::len)).unwrap_or(u32::MAX);
            *pause = pause.saturating_sub(waited) + Duration::from_secs(1) * bytes / MIN_RATE;
        }
    }

    fn check_size(&mut self, chunk: Bytes) -> Result<Bytes, BodyError> {
        self.remaining =
            self.remaining.checked_sub(chunk.len()).ok_or(BodyError::TooLarge { limit: self.limit })?;
        Ok(chunk)
    }
}

fn incomplete_body(cause: impl std::fmt::Display) -> BodyError {
    BodyError::Incomplete(cause.to_string())
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::time::Duration;

    use actix_web::dev::Payload;
    use actix_web::error::PayloadError;
    use actix_web::http::header::HeaderMap;
    use actix_web::http::header::{CONTENT_LENGTH, HeaderValue};
    use bytes::Bytes;
    use futures_util::{StreamExt as _, stream};

    use super::RequestBody;
    use crate::config::RequestLimits;
    use crate::upstream::body_buffer::BodyMemory;
    use crate::upstream::error::BodyError;

    /// Sends a body of 1 MB in chunks of `chunk` bytes, one each `pause`, and reads it as a request that holds a
    /// connection.
    async fn send_slowly(chunk: usize, pause: Duration) -> Result<(), BodyError> {
        let limits = RequestLimits {
            read_only: false,
            head: 0,
            body: 1 << 20,
            body_timeout: Duration::from_mins(5),
            write_timeout: Duration::from_mins(5),
            sdk_rate: 0,
            streams: 0,
        };
        let headers = HeaderMap::from_iter([(CONTENT_LENGTH, HeaderValue::from_static("1048576"))]);
        let chunks = stream::unfold(1_usize << 20, move |left| async move {
            tokio::time::sleep(pause).await;
            let length = left.min(chunk);
            (length > 0).then(|| (Ok::<_, PayloadError>(Bytes::from(vec![0; length])), left - length))
        });
        let body = RequestBody::new(&headers, Payload::Stream { payload: Box::pin(chunks) }, &limits)?;
        body.read_ahead(&Rc::new(BodyMemory::new(1 << 20))).await?;
        assert!(body.is_arriving());
        let mut stream = body.stream();
        while let Some(chunk) = stream.next().await {
            chunk?;
        }
        Ok(())
    }

    #[tokio::test(start_paused = true)]
    async fn client_must_sustain_the_minimum_rate_while_it_holds_a_connection() {
        let second = Duration::from_secs(1);
        for (chunk, pause, fine) in [
            (65_536, 3 * second, true),
            (16_384, second, true),
            (8_192, second, true),
            (4_096, second, false),
            (1_024, second / 100, true),
            (1_024, second / 4, false),
            (524_288, 49 * second, true),
            (524_288, 51 * second, false),
        ] {
            let sent = send_slowly(chunk, pause).await;
            assert_eq!(sent.is_ok(), fine, "{chunk} bytes each {pause:?}: {sent:?}");
            assert!(fine || matches!(sent, Err(BodyError::TooSlow { .. })), "{sent:?}");
        }
    }
}
