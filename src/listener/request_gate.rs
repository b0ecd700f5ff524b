//! Passes one request at a time to the HTTP library.
//!
//! The library (actix-http 3.20, `h1::Codec::decode`) decodes all requests whose bytes it has, also while the response to an
//! earlier one is being created, and frames that response by the last request that it has decoded: by its method, its version
//! and its `Connection`. A request after one with `Connection: close` would be forwarded. The gate holds back the bytes of
//! further requests until the response is complete, and drops them if the connection ends with it. It also limits the time
//! for the head of each request. The library would respond with 408 to a connection on which no request arrived; browsers
//! open such connections in advance, and Firefox takes the response for that to the request it sends a moment later.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::boundary::{ReceivedFraming, Section};
use super::request_state::RequestState;
use super::{ConnectionLimits, DISCONNECT_TIMEOUT};

/// Bytes of further requests that are read while a response is being sent. Reading detects that a client has disconnected.
const READ_AHEAD: usize = 16_384;
/// Bytes that are read and dropped at once.
const DROP_SIZE: usize = 4_096;

/// The next event on the connection.
#[derive(Debug)]
enum Phase {
    /// More bytes of this section, which are passed on.
    Receiving(Section),
    /// The library decodes a head. If a framing is `announced`, the body has been received as well.
    /// `was_polled` is true once the library has asked for more bytes.
    Decoding { announced: Option<ReceivedFraming>, was_polled: bool },
    /// The end of the response: the request has been received.
    Received,
}

/// A connection from which requests are read one at a time.
#[derive(Debug)]
pub(super) struct RequestGate<Io> {
    io: Io,
    limits: ConnectionLimits,
    request_state: Rc<RequestState>,
    phase: Phase,
    /// The framing of a body that is being received before the library has confirmed it.
    announced: Option<ReceivedFraming>,
    /// Bytes that were read and not passed on.
    held: BytesMut,
    /// True once the client has closed its side.
    is_ended: bool,
    /// True once the end has been reported to the library.
    is_end_reported: bool,
    /// True until the first head has been received.
    is_first: bool,
    head_deadline: Option<Pin<Box<Sleep>>>,
    /// Runs once the server has closed its side.
    linger: Option<Pin<Box<Sleep>>>,
}

impl<Io> RequestGate<Io> {
    pub(super) fn new(io: Io, limits: ConnectionLimits, request_state: Rc<RequestState>) -> Self {
        Self {
            io,
            limits,
            request_state,
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

    pub(super) fn request_state(&self) -> &Rc<RequestState> {
        &self.request_state
    }

    /// Returns true if a read would return data although the socket reports no event.
    fn is_readable(&self) -> bool {
        let is_decoded = matches!(self.phase, Phase::Decoding { .. }) && self.request_state.has_framing();
        (is_decoded || self.can_accept_next())
            && self.linger.is_none()
            && !self.is_end_reported
            && (self.is_ended || !self.held.is_empty())
    }

    /// Returns true if the request and its response are complete and another request may follow.
    fn can_accept_next(&self) -> bool {
        matches!(self.phase, Phase::Received)
            && !self.request_state.is_responding()
            && !self.request_state.is_last()
    }

    /// Moves on to the next phase if the HTTP service has taken the request or has sent its response.
    fn advance(&mut self) {
        match self.phase {
            Phase::Decoding { announced, was_polled } => {
                self.phase = match (self.request_state.take_framing(), announced) {
                    (Some(framing), None | Some(ReceivedFraming::Empty)) => {
                        Section::body(framing).map_or(Phase::Received, Phase::Receiving)
                    }
                    (Some(framing), Some(announced)) => received(announced, framing),
                    // The library does not accept this as the end of the head.
                    (None, _) if was_polled => Phase::Receiving(Section::head()),
                    (None, announced) => Phase::Decoding { announced, was_polled: true },
                };
            }
            Phase::Receiving(_) if self.announced.is_some() => {
                if let Some(framing) = self.request_state.take_framing()
                    && self.announced.take() != Some(framing)
                {
                    self.phase = Phase::Receiving(Section::Unbounded);
                }
            }
            Phase::Receiving(_) | Phase::Received => {}
        }
        if self.can_accept_next() {
            self.phase = Phase::Receiving(Section::head());
        }
    }

    /// Ends a section that has been received completely, and starts the next one.
    fn end_section(&mut self, announced: Option<ReceivedFraming>, is_head: bool) {
        let body = announced.and_then(Section::body);
        self.phase = match (body, is_head, self.announced) {
            (Some(body), true, _) => {
                // The body is passed on at once, because the library closes the connection after an early response.
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

/// Returns the phase after a body that was received with the announced framing.
fn received(announced: ReceivedFraming, framing: ReceivedFraming) -> Phase {
    if announced == framing { Phase::Received } else { Phase::Receiving(Section::Unbounded) }
}

impl<Io: AsyncRead + Unpin> RequestGate<Io> {
    /// Passes bytes of the current section on.
    fn poll_section(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Phase::Receiving(section) = &mut self.phase else { return Poll::Pending };
        let before = buffer.filled().len();
        let moved = self.held.len().min(buffer.remaining());
        buffer.put_slice(&self.held.split_to(moved));
        let incomplete = loop {
            let received = buffer.filled().get(before..).unwrap_or_default();
            let incomplete = section.incomplete_length(received);
            if incomplete < received.len() || self.is_ended || buffer.remaining() == 0 {
                break incomplete;
            }
            // There is nothing to pass on yet.
            let length = received.len();
            let read = Pin::new(&mut self.io).poll_read(cx, buffer);
            let received = buffer.filled().get(before..).unwrap_or_default();
            if read.is_pending() {
                self.held.extend_from_slice(received);
                buffer.set_filled(before);
                return Poll::Pending;
            }
            ready!(read)?;
            self.is_ended = received.len() == length;
        };
        let received = buffer.filled_mut().get_mut(before..).unwrap_or_default();
        // A line that fills the buffer is passed on as it is, like the rest before the end of the connection.
        let passed = if incomplete < received.len() { received.len() - incomplete } else { incomplete };
        let end = section.advance(received.get_mut(..passed).unwrap_or_default());
        let passed = end.unwrap_or(passed);
        let rest = [received.get(passed..).unwrap_or_default(), &self.held].concat();
        self.held = BytesMut::from(&*rest);
        buffer.set_filled(before + passed);
        if end.is_some() {
            let (announced, is_head) = (section.announced(), matches!(section, Section::Head(_)));
            self.end_section(announced, is_head);
        }
        Poll::Ready(Ok(()))
    }

    /// Reads the bytes of further requests, and detects that the client has closed its side.
    fn poll_read_ahead(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        while !self.is_ended && self.held.len() < READ_AHEAD {
            ready!(Pin::new(&mut self.io).poll_read(cx, buffer))?;
            let received = buffer.filled().get(before..).unwrap_or_default();
            self.is_ended = received.is_empty();
            self.held.extend_from_slice(received);
            buffer.set_filled(before);
        }
        if self.is_ended {
            self.request_state.close_client();
        }
        // A client that may close its side gets the responses to all of its requests first.
        let reports_end = self.is_ended && (self.held.is_empty() || !self.limits.allow_half_closed);
        if reports_end { Poll::Ready(Ok(())) } else { Poll::Pending }
    }

    /// Reads and drops the bytes that the client sends until it closes its side.
    fn poll_drop_rest(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut dropped = [0; DROP_SIZE];
        while !self.is_ended {
            let mut buffer = ReadBuf::new(&mut dropped);
            ready!(Pin::new(&mut self.io).poll_read(cx, &mut buffer))?;
            self.is_ended = buffer.filled().is_empty();
        }
        Poll::Ready(Ok(()))
    }

    /// Returns true if the head of a request exceeds its time limit, which starts with the connection, and for further
    /// requests with their first byte.
    fn is_head_late(&mut self, cx: &mut Context<'_>) -> bool {
        let is_partial = matches!(&self.phase, Phase::Receiving(section) if section.is_partial_head());
        if !self.is_first && !is_partial {
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
            Phase::Received if this.request_state.is_last() && !this.request_state.is_responding() => {
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

    /// The library flushes after each progress, also if there is nothing to write. This wakes it if it must read again.
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
