//! Hands the HTTP library one request at a time.
//!
//! The library decodes every request that it has bytes of, also while the response to an earlier one is being made, and
//! frames that response by the last request that it decoded: by its method, its version and its `Connection`. A request
//! behind one with `Connection: close` would be forwarded. The gate holds the bytes of further requests back until the
//! response is complete, and drops them if the connection ends with it. It also limits the time for the head of every
//! request but the first, which the library limits itself.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::boundary::{Framing, Section};
use super::exchange::Exchange;
use super::{ConnectionLimits, DISCONNECT_TIMEOUT};

/// Bytes of further requests that are read while a response is being sent. Reading shows that a client has gone.
const READ_AHEAD: usize = 16_384;
/// Bytes that are read and dropped at once.
const DROPPED: usize = 4_096;

/// The next event on the connection.
#[derive(Debug)]
enum Phase {
    /// The rest of this section, the bytes of which are passed on.
    Receiving(Section),
    /// The library decodes a head, behind which the body has been received as well if its framing is `announced`.
    /// `was_polled` is true once it has asked for more bytes.
    Decoding { announced: Option<Framing>, was_polled: bool },
    /// The end of the response: the request has been received.
    Received,
}

/// A connection from which requests are read one at a time.
#[derive(Debug)]
pub(super) struct RequestGate<Io> {
    io: Io,
    limits: ConnectionLimits,
    exchange: Rc<Exchange>,
    phase: Phase,
    /// The framing of a body that is being received before the library has confirmed it.
    announced: Option<Framing>,
    /// Bytes that were read and not passed on.
    held: BytesMut,
    /// Whether the client has closed its side.
    is_ended: bool,
    /// Whether the library knows that.
    is_end_reported: bool,
    /// Whether no head has been received yet.
    is_first: bool,
    head_deadline: Option<Pin<Box<Sleep>>>,
    /// Runs once the server has closed its side.
    linger: Option<Pin<Box<Sleep>>>,
}

impl<Io> RequestGate<Io> {
    pub(super) fn new(io: Io, limits: ConnectionLimits, exchange: Rc<Exchange>) -> Self {
        Self {
            io,
            limits,
            exchange,
            phase: Phase::Receiving(Section::head()),
            announced: None,
            held: BytesMut::new(),
            is_ended: false,
            is_end_reported: false,
            is_first: true,
            head_deadline: None,
            linger: None,
        }
    }

    pub(super) fn exchange(&self) -> &Rc<Exchange> {
        &self.exchange
    }

    /// Returns whether a read would return something that no event of the socket announces.
    fn is_readable(&self) -> bool {
        let is_decoded = matches!(self.phase, Phase::Decoding { .. }) && self.exchange.has_framing();
        (is_decoded || self.is_next_welcome())
            && self.linger.is_none()
            && !self.is_end_reported
            && (self.is_ended || !self.held.is_empty())
    }

    /// Returns whether the request and its response are complete and another request may follow.
    fn is_next_welcome(&self) -> bool {
        matches!(self.phase, Phase::Received) && !self.exchange.is_responding() && !self.exchange.is_last()
    }

    /// Moves on to the next phase if the HTTP service has taken the request or has sent its response.
    fn advance(&mut self) {
        match self.phase {
            Phase::Decoding { announced, was_polled } => {
                self.phase = match (self.exchange.take_framing(), announced) {
                    (Some(framing), None | Some(Framing::Empty)) => {
                        Section::body(framing).map_or(Phase::Received, Phase::Receiving)
                    }
                    (Some(framing), Some(announced)) => received(announced, framing),
                    // The library does not take the end of the head for one.
                    (None, _) if was_polled => Phase::Receiving(Section::head()),
                    (None, announced) => Phase::Decoding { announced, was_polled: true },
                };
            }
            Phase::Receiving(_) if self.announced.is_some() => {
                if let Some(framing) = self.exchange.take_framing()
                    && self.announced.take() != Some(framing)
                {
                    self.phase = Phase::Receiving(Section::Unbounded);
                }
            }
            Phase::Receiving(_) | Phase::Received => {}
        }
        if self.is_next_welcome() {
            self.phase = Phase::Receiving(Section::head());
        }
    }

    /// Moves on to what follows a section that has been received.
    fn end_section(&mut self, announced: Option<Framing>, is_head: bool) {
        let body = announced.and_then(Section::body);
        self.phase = match (body, is_head, self.announced) {
            (Some(body), true, _) => {
                // The body follows at once: a response before it has come would close the connection.
                self.announced = announced;
                Phase::Receiving(body)
            }
            (None, true, _) => Phase::Decoding { announced, was_polled: false },
            (_, false, None) => Phase::Received,
            (_, false, unconfirmed) => Phase::Decoding { announced: unconfirmed, was_polled: false },
        };
        if !is_head {
            self.announced = None;
        }
    }
}

/// Returns the phase behind a body that was received by the framing that its head announced.
fn received(announced: Framing, framing: Framing) -> Phase {
    if announced == framing { Phase::Received } else { Phase::Receiving(Section::Unbounded) }
}

impl<Io: AsyncRead + Unpin> RequestGate<Io> {
    /// Passes bytes of the current section on.
    fn poll_section(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Phase::Receiving(section) = &mut self.phase else { return Poll::Pending };
        let end = if self.held.is_empty() {
            if self.is_ended {
                return Poll::Ready(Ok(()));
            }
            let before = buffer.filled().len();
            ready!(Pin::new(&mut self.io).poll_read(cx, buffer))?;
            let received = buffer.filled().get(before..).unwrap_or_default();
            self.is_ended = received.is_empty();
            let end = section.advance(received);
            if let Some((_, further)) = end.and_then(|end| received.split_at_checked(end)) {
                self.held.extend_from_slice(further);
                buffer.set_filled(buffer.filled().len() - self.held.len());
            }
            end
        } else {
            let most = self.held.len().min(buffer.remaining());
            let end = section.advance(self.held.get(..most).unwrap_or_default());
            buffer.put_slice(&self.held.split_to(end.unwrap_or(most)));
            end
        };
        if end.is_some() {
            let (announced, is_head) = (section.announced(), matches!(section, Section::Head(_)));
            self.end_section(announced, is_head);
        }
        Poll::Ready(Ok(()))
    }

    /// Reads what belongs to further requests, and whether the client has closed its side.
    fn poll_read_ahead(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        while !self.is_ended && self.held.len() < READ_AHEAD {
            ready!(Pin::new(&mut self.io).poll_read(cx, buffer))?;
            let received = buffer.filled().get(before..).unwrap_or_default();
            self.is_ended = received.is_empty();
            self.held.extend_from_slice(received);
            buffer.set_filled(before);
        }
        // A client that may close its side gets the responses to all of its requests first.
        let is_told = self.is_ended && (self.held.is_empty() || !self.limits.allow_half_closed);
        if is_told { Poll::Ready(Ok(())) } else { Poll::Pending }
    }

    /// Reads and drops what the client sends until it closes its side.
    fn poll_drop_rest(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut dropped = [0; DROPPED];
        while !self.is_ended {
            let mut buffer = ReadBuf::new(&mut dropped);
            ready!(Pin::new(&mut self.io).poll_read(cx, &mut buffer))?;
            self.is_ended = buffer.filled().is_empty();
        }
        Poll::Ready(Ok(()))
    }

    /// Returns whether the head of a further request is late. Its time runs from the first byte.
    fn is_head_late(&mut self, cx: &mut Context<'_>) -> bool {
        let is_partial = matches!(&self.phase, Phase::Receiving(section) if section.is_partial_head());
        if self.is_first || !is_partial {
            return false;
        }
        let deadline = self.head_deadline.get_or_insert_with(|| Box::pin(sleep(self.limits.head_timeout)));
        deadline.as_mut().poll(cx).is_ready()
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for RequestGate<Io> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        this.advance();
        let mut read = match this.phase {
            Phase::Receiving(_) => this.poll_section(cx, buffer),
            Phase::Received if this.exchange.is_last() && !this.exchange.is_responding() => {
                this.poll_drop_rest(cx)
            }
            Phase::Decoding { .. } | Phase::Received => this.poll_read_ahead(cx, buffer),
        };
        if !matches!(this.phase, Phase::Receiving(Section::Head(_))) {
            this.is_first = false;
            this.head_deadline = None;
        }
        if read.is_pending() && this.is_head_late(cx) {
            // The library closes the connection as if the client had closed its side: there is no request to respond to.
            read = Poll::Ready(Ok(()));
        }
        this.is_end_reported |= read.is_ready() && buffer.filled().len() == before;
        read
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncWrite for RequestGate<Io> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().io).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().io).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    /// The library flushes each time it has made progress, also with nothing to write: the time to have it read again.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.is_readable() {
            cx.waker().wake_by_ref();
        }
        Pin::new(&mut this.io).poll_flush(cx)
    }

    /// Closes the server's side. If the client has sent more than was processed, its side is awaited for a moment:
    /// closing the socket before would reset the connection and could take the response with it (RFC 9112, 9.6).
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.linger.is_none() {
            ready!(Pin::new(&mut this.io).poll_shutdown(cx))?;
            this.linger = Some(Box::pin(sleep(DISCONNECT_TIMEOUT)));
        }
        let is_over = this.linger.as_mut().is_none_or(|linger| linger.as_mut().poll(cx).is_ready());
        if is_over || this.held.is_empty() {
            return Poll::Ready(Ok(()));
        }
        this.poll_drop_rest(cx).map(|_| Ok(()))
    }
}
