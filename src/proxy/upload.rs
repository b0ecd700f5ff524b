//! The body of a request on its way upstream: how much of it there may be, how long it may take, and how far it is.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap};
use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, StreamExt as _};
use tokio::time::{Instant, Sleep, sleep};

use crate::config::Limits;
use crate::error::ApiError;

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
    /// What was read of it before the upstream was asked for anything.
    first: RefCell<Option<Bytes>>,
    last: Cell<Instant>,
    waits_for_client: Cell<bool>,
    begun: Cell<bool>,
}

impl Upload {
    /// # Errors
    /// [`ApiError::BodyTooLarge`] for a body that is announced as too large.
    pub(super) fn new(headers: &HeaderMap, body: Payload, limits: &Limits) -> Result<Self, ApiError> {
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
                first: RefCell::default(),
                last: Cell::new(Instant::now()),
                waits_for_client: Cell::new(false),
                begun: Cell::new(false),
            }),
            limit: limits.body,
            patience: limits.body_timeout,
        })
    }

    /// Waits for the first piece of a chunked body: what is no chunk is refused before the upstream hears of it.
    ///
    /// # Errors
    /// Those of a body that is malformed, too large or too late.
    pub(super) async fn begin(&self) -> Result<(), ApiError> {
        if self.framing == Framing::Chunked {
            let first = self.pieces().next().await.transpose()?;
            *self.source.first.borrow_mut() = first;
            self.source.begun.set(false);
        }
        Ok(())
    }

    /// True when nothing of it was asked for yet, so that it can still be sent whole.
    pub(super) fn is_untouched(&self) -> bool {
        !self.source.begun.get()
    }

    /// True for a request without a body.
    pub(super) fn is_none(&self) -> bool {
        self.framing == Framing::None
    }

    /// When a piece was last handed on; now, while the client owes the next: what is late then is not the upstream.
    pub(super) fn last(&self) -> Instant {
        if self.source.waits_for_client.get() { Instant::now() } else { self.source.last.get() }
    }

    /// How it is told where it ends.
    pub(super) fn framing(&self) -> Framing {
        self.framing
    }

    /// What there is of it, piece by piece.
    pub(super) fn pieces(&self) -> Pieces {
        Pieces {
            source: Rc::clone(&self.source),
            room: self.limit,
            limit: self.limit,
            patience: self.patience,
            left: self.patience,
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
    left: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Stream for Pieces {
    type Item = Result<Bytes, ApiError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        this.source.begun.set(true);
        let first = this.source.first.borrow_mut().take();
        if let Some(first) = first {
            return Poll::Ready(Some(this.checked(first)));
        }
        let polled = this.source.body.borrow_mut().poll_next_unpin(cx);
        this.source.waits_for_client.set(polled.is_pending());
        let Poll::Ready(piece) = polled else { return this.wait(cx) };
        this.source.last.set(Instant::now());
        if let Some((since, _)) = this.waiting.take() {
            this.left = this.left.saturating_sub(since.elapsed());
        }
        Poll::Ready(piece.map(|piece| this.checked(piece.map_err(broken)?)))
    }
}

impl Pieces {
    /// Only the time counts in which the client is waited for: a slow upstream is not its fault.
    fn wait<T>(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, ApiError>>> {
        let left = self.left;
        let (_, sleep) = self.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
        let seconds = self.patience.as_secs_f64();
        sleep.poll_unpin(cx).map(|()| Some(Err(ApiError::BodyTimeout { seconds })))
    }

    fn checked(&mut self, piece: Bytes) -> Result<Bytes, ApiError> {
        self.room = self.room.checked_sub(piece.len()).ok_or(ApiError::BodyTooLarge { limit: self.limit })?;
        Ok(piece)
    }
}

fn broken(cause: impl std::fmt::Display) -> ApiError {
    ApiError::BadBody(format!("The request's body broke off: {cause}"))
}
