//! The body of a request on its way upstream: how large it may be, how long the client may take to send it, and how much
//! of it is read before a connection to the upstream is leased.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap};
use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, StreamExt as _};
use tokio::time::{Instant, Sleep, sleep};

use super::body_buffer::{BodyMemory, BufferedBody};
use crate::config::RequestLimits;
use crate::error::ApiError;

/// Bytes of a body that are read before a connection is leased. A body up to this size is read completely.
const READ_AHEAD: usize = 65_536;
/// Bytes per second that a client must send on average while its request holds a connection.
const MIN_RATE: u32 = 8_192;
/// A client may pause for this part of the body timeout before the rate counts.
const PAUSE_SHARE: u32 = 6;

/// A body, framed as it came.
pub(super) struct Upload {
    framing: Framing,
    source: Rc<Source>,
    limit: usize,
    patience: Duration,
}

/// How a body tells where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    None,
    /// As many bytes as the client announced.
    Sized(u64),
    /// As many as come.
    Chunked,
}

/// Where a body comes from, and how far it has come, for the clock of the answer.
struct Source {
    body: RefCell<Payload>,
    /// The part that was read before a connection was leased.
    ahead: RefCell<Option<BufferedBody>>,
    /// True when that part is the whole body.
    is_complete: Cell<bool>,
    /// Time for which the client may still be waited for.
    left: Cell<Duration>,
    last: Cell<Instant>,
    waits_for_client: Cell<bool>,
    begun: Cell<bool>,
}

impl Upload {
    /// # Errors
    /// [`ApiError::BodyTooLarge`] for a body that is announced as too large.
    pub(super) fn new(headers: &HeaderMap, body: Payload, limits: &RequestLimits) -> Result<Self, ApiError> {
        let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        if length
            .is_some_and(|length: u64| usize::try_from(length).map_or(true, |length| length > limits.body))
        {
            return Err(ApiError::BodyTooLarge { limit: limits.body });
        }
        let framing = match length {
            Some(length) if length > 0 => Framing::Sized(length),
            None if headers.contains_key(header::TRANSFER_ENCODING) => Framing::Chunked,
            _ => Framing::None,
        };
        Ok(Self {
            framing,
            source: Rc::new(Source {
                body: RefCell::new(body),
                ahead: RefCell::default(),
                is_complete: Cell::new(framing == Framing::None),
                left: Cell::new(limits.body_timeout),
                last: Cell::new(Instant::now()),
                waits_for_client: Cell::new(false),
                begun: Cell::new(false),
            }),
            limit: limits.body,
            patience: limits.body_timeout,
        })
    }

    /// Reads a small body completely, and the first 64 KB of a larger one, before a connection to the upstream is
    /// leased: a client that sends slowly must not keep a connection from other clients. Framing errors in this part are
    /// refused before the upstream receives anything.
    ///
    /// Stops early when the memory for buffered bodies is used up. Bytes that have arrived already are read even then,
    /// because they use the server's memory anyway.
    ///
    /// # Errors
    /// Those of a body that is malformed, too large or too late.
    pub(super) async fn read_ahead(&self, memory: &Rc<BodyMemory>) -> Result<(), ApiError> {
        let mut pieces = self.pieces_within(None);
        let mut ahead = BufferedBody::new(memory);
        loop {
            let next = poll_fn(|cx| match pieces.poll_next_unpin(cx) {
                Poll::Pending if memory.is_used_up() => Poll::Ready(None),
                polled => polled.map(Some),
            });
            match next.await {
                Some(Some(piece)) => ahead.push(&piece?),
                Some(None) => self.source.is_complete.set(true),
                None => break,
            }
            let is_whole = self.framing == Framing::Sized(u64::try_from(ahead.len()).unwrap_or(u64::MAX));
            if self.source.is_complete.get() || (ahead.len() >= READ_AHEAD && !is_whole) {
                break;
            }
        }
        *self.source.ahead.borrow_mut() = (ahead.len() > 0).then_some(ahead);
        self.source.begun.set(false);
        Ok(())
    }

    /// True while a part of the body has not arrived from the client.
    pub(super) fn is_arriving(&self) -> bool {
        !self.source.is_complete.get()
    }

    /// True when nothing of it was asked for yet, so that it can still be sent whole.
    pub(super) fn is_untouched(&self) -> bool {
        !self.source.begun.get()
    }

    /// True for a request without a body.
    pub(super) fn is_none(&self) -> bool {
        self.framing == Framing::None
    }

    /// Starts the upstream's time: a connection is there, and the request can be sent.
    pub(super) fn start_clock(&self) {
        self.source.last.set(Instant::now());
    }

    /// Time when the last piece was sent upstream. Returns the current time while the client owes the next piece,
    /// because time spent waiting for the client does not count against the upstream's timeout.
    pub(super) fn last(&self) -> Instant {
        if self.source.waits_for_client.get() { Instant::now() } else { self.source.last.get() }
    }

    /// How it is told where it ends.
    pub(super) fn framing(&self) -> Framing {
        self.framing
    }

    /// The body, piece by piece, for a request that holds a connection: the client must keep up [`MIN_RATE`].
    pub(super) fn pieces(&self) -> Pieces {
        self.pieces_within(Some(self.patience / PAUSE_SHARE))
    }

    fn pieces_within(&self, pause: Option<Duration>) -> Pieces {
        Pieces {
            source: Rc::clone(&self.source),
            room: self.limit,
            limit: self.limit,
            patience: self.patience,
            pause,
            waiting: None,
        }
    }
}

/// The body as it comes, with an error in place of what is too much or too late.
pub(super) struct Pieces {
    source: Rc<Source>,
    room: usize,
    limit: usize,
    patience: Duration,
    /// Time for which the client may still be waited for by its rate; `None` where no rate is required.
    pause: Option<Duration>,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Stream for Pieces {
    type Item = Result<Bytes, ApiError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        this.source.begun.set(true);
        let ahead = this.source.ahead.borrow_mut().take();
        if let Some(ahead) = ahead {
            return Poll::Ready(Some(this.checked(ahead.take_bytes())));
        }
        if this.source.is_complete.get() {
            return Poll::Ready(None);
        }
        let polled = this.source.body.borrow_mut().poll_next_unpin(cx);
        this.source.waits_for_client.set(polled.is_pending());
        let Poll::Ready(piece) = polled else { return this.wait(cx) };
        this.source.last.set(Instant::now());
        this.count_wait(piece.as_ref().and_then(|piece| piece.as_ref().ok()));
        Poll::Ready(piece.map(|piece| this.checked(piece.map_err(broken)?)))
    }
}

impl Pieces {
    /// Waits for the client. Only this time counts: a slow upstream is not the client's fault.
    fn wait<T>(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, ApiError>>> {
        let left = self.source.left.get();
        let limit = self.pause.map_or(left, |pause| pause.min(left));
        let (_, sleep) = self.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(limit))));
        ready!(sleep.poll_unpin(cx));
        Poll::Ready(Some(Err(if limit < left {
            ApiError::BodyTooSlow { rate: MIN_RATE }
        } else {
            ApiError::BodyTimeout { seconds: self.patience.as_secs_f64() }
        })))
    }

    /// Subtracts the time for which a piece was waited for, and adds the time that its bytes may take.
    fn count_wait(&mut self, piece: Option<&Bytes>) {
        let waited = self.waiting.take().map_or(Duration::ZERO, |(since, _)| since.elapsed());
        self.source.left.set(self.source.left.get().saturating_sub(waited));
        if let Some(pause) = &mut self.pause {
            let bytes = u32::try_from(piece.map_or(0, Bytes::len)).unwrap_or(u32::MAX);
            *pause = pause.saturating_sub(waited) + Duration::from_secs(1) * bytes / MIN_RATE;
        }
    }

    fn checked(&mut self, piece: Bytes) -> Result<Bytes, ApiError> {
        self.room = self.room.checked_sub(piece.len()).ok_or(ApiError::BodyTooLarge { limit: self.limit })?;
        Ok(piece)
    }
}

fn broken(cause: impl std::fmt::Display) -> ApiError {
    ApiError::BadBody(format!("The request's body broke off: {cause}"))
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

    use super::Upload;
    use crate::config::RequestLimits;
    use crate::error::ApiError;
    use crate::proxy::body_buffer::BodyMemory;

    /// Sends a body of 1 MB as pieces of so many bytes, one each `pause`, and reads it as a request with a connection.
    async fn sent(piece: usize, pause: Duration) -> Result<(), ApiError> {
        let limits = RequestLimits {
            read_only: false,
            head: 0,
            body: 1 << 20,
            body_timeout: Duration::from_mins(5),
            write_timeout: Duration::from_mins(5),
        };
        let headers = HeaderMap::from_iter([(CONTENT_LENGTH, HeaderValue::from_static("1048576"))]);
        let pieces = stream::unfold(1_usize << 20, move |left| async move {
            tokio::time::sleep(pause).await;
            let length = left.min(piece);
            (length > 0).then(|| (Ok::<_, PayloadError>(Bytes::from(vec![0; length])), left - length))
        });
        let upload = Upload::new(&headers, Payload::Stream { payload: Box::pin(pieces) }, &limits)?;
        upload.read_ahead(&Rc::new(BodyMemory::new(1 << 20))).await?;
        assert!(upload.is_arriving());
        let mut pieces = upload.pieces();
        while let Some(piece) = pieces.next().await {
            piece?;
        }
        Ok(())
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_must_keep_up_a_rate_while_it_holds_a_connection() {
        let second = Duration::from_secs(1);
        for (piece, pause, fine) in [
            (65_536, 3 * second, true),
            (16_384, second, true),
            (8_192, second, true),
            (4_096, second, false),
            (1_024, second / 100, true),
            (1_024, second / 4, false),
            (524_288, 49 * second, true),
            (524_288, 51 * second, false),
        ] {
            let sent = sent(piece, pause).await;
            assert_eq!(sent.is_ok(), fine, "{piece} bytes each {pause:?}: {sent:?}");
            assert!(fine || matches!(sent, Err(ApiError::BodyTooSlow { .. })), "{sent:?}");
        }
    }
}
